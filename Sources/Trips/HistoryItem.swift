// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A past event: a flight that is over, or a swap that became final.
package struct HistoryItem: Hashable, Sendable {
    /// What happened.
    enum What: Hashable, Sendable {
        /// A trip of the list, as known at the end.
        case flown(Trip)
        /// A swap that all parties signed.
        case swapped(SwapNote)
    }

    /// The flight's end, or when the swap became final.
    let at: UTCTime
    /// The flight.
    package let flight: FlightName
    /// What happened.
    var what: What

    /// Newest first; by flight for the same moment, so that the order is stable.
    static func isNewer(_ left: HistoryItem, than right: HistoryItem) -> Bool {
        left.at != right.at ? left.at > right.at : left.flight.text < right.flight.text
    }
}

/// What is remembered of a swap: seats and dates. No keys, and names only as long as the flight's
/// records exist.
package struct SwapNote: Hashable, Sendable {
    /// The first eight hexadecimal digits of the contract, as in the receipt.
    package let contract: String
    /// Seats given.
    package let gave: [Seat]
    /// Seats got.
    package let got: [Seat]
    /// The names of the others at that time; empty after ``namesEnd``.
    package var with: [String]
    /// When the names are deleted, together with the flight's records.
    package let namesEnd: UTCTime

    /// A swap of `gave` for `got`, with people whose names are deleted at `namesEnd`.
    package init(
        contract: String, gave: [Seat], got: [Seat], with: [String], namesEnd: UTCTime
    ) {
        self.contract = contract
        self.gave = gave
        self.got = got
        self.with = with
        self.namesEnd = namesEnd
    }

    /// `17A for 12C`.
    var sentence: String { "\(Self.list(gave)) for \(Self.list(got))" }

    /// `17A, 17B`.
    package static func list(_ seats: [Seat]) -> String {
        seats.isEmpty ? "none" : seats.map(\.text).joined(separator: ", ")
    }
}
