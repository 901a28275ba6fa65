// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
package import Protocol
package import Text

/// What a passenger said about the seats and the name of an earlier start.
package struct EarlierChoice: Codable, Hashable, Sendable {
    /// What becomes of two seats.
    package enum Seats: String, Codable, Sendable {
        /// The earlier ones are taken back.
        case move
        /// The new ones are claimed beside them.
        case both
    }

    /// What becomes of the seats; `nil` if the passenger did not say so.
    package var seats: Seats?
    /// The name, if it was typed.
    package var name: String?
    /// The command line that starts so, for advice.
    package var line: String

    /// A choice about seats, a name that was typed, and the line for advice.
    package init(seats: Seats?, name: String?, line: String) {
        self.seats = seats
        self.name = name
        self.line = line
    }
}

extension EarlierRecords {
    /// What a start with the seats `wanted` changes; `nil` if the passenger has to decide.
    package func change(to wanted: [Seat], _ seats: EarlierChoice.Seats?) -> SeatChange? {
        let (extra, new) = (extra(wanted), new(wanted))
        switch seats {
        case .move: return SeatChange(leaves: extra, adds: new)
        case .both: return SeatChange(adds: new, isDecided: true)
        case nil: return extra.isEmpty || new.isEmpty ? SeatChange(adds: new) : nil
        }
    }

    /// What a start with the seats `wanted` changes, as the passenger chose. Throws `usage` if they
    /// have to decide between seats and did not.
    package func change(
        to wanted: [Seat], _ choice: EarlierChoice
    ) throws(UserError) -> SeatChange {
        guard var change = change(to: wanted, choice.seats) else {
            throw UserError(
                .usage, "you are still in \(Self.list(held)) from before",
                why: "--move gives that back, --also holds both", advice: choice.line + " --move")
        }
        if let typed = choice.name, typed != name, !name.isEmpty {
            change.name = typed
            change.oldName = name
        }
        return change
    }

    /// The question if ``change(to:_:)-(_,EarlierChoice.Seats?)`` cannot decide.
    package func question(_ wanted: [Seat]) -> String {
        let (extra, new) = (extra(wanted), new(wanted))
        let all = extra.count + new.count > 2 ? "all" : "both"
        return
            "You are still in \(Self.list(extra)) from before. Move to \(Self.list(new)), or hold "
            + "\(all)?"
    }

    /// Says which seats were typed but went to somebody else in a swap that the passenger signed;
    /// `nil` if none did.
    package func givenRemark(_ wanted: [Seat]) -> String? {
        let given = wanted.filter { known.contains($0) && !held.contains($0) }
        guard !given.isEmpty else { return nil }
        return "\(Self.list(given)) went to another passenger in a swap, so it is not claimed: "
            + "seatagent seats shows who sits there."
    }

    private func extra(_ wanted: [Seat]) -> [Seat] { held.filter { !wanted.contains($0) } }
    private func new(_ wanted: [Seat]) -> [Seat] { wanted.filter { !known.contains($0) } }

    private static func list(_ seats: [Seat]) -> String {
        seats.map(\.text).joined(separator: ", ")
    }
}
