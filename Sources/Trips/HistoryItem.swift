// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Something that was: a flight that is over, or a swap that became final.
package struct HistoryItem: Hashable, Sendable {
    /// What was.
    enum What: Hashable, Sendable {
        /// A trip of the list, as it was known at the end.
        case flown(Trip)
        /// A swap that all parties signed.
        case swapped(SwapNote)
    }

    /// When: the flight's end, or when the swap became final.
    let at: UTCTime
    /// On which flight.
    package let flight: FlightName
    /// What.
    var what: What

    /// Newest first; of one moment by flight, so that the order is always the same.
    static func isNewer(_ left: HistoryItem, than right: HistoryItem) -> Bool {
        left.at != right.at ? left.at > right.at : left.flight.text < right.flight.text
    }
}

/// What is kept of a swap: seats and dates. No keys, and names as long as the flight's records.
package struct SwapNote: Hashable, Sendable {
    /// The first eight hexadecimal digits of the contract, as the receipt has them.
    package let contract: String
    /// Seats given.
    package let gave: [Seat]
    /// Seats got.
    package let got: [Seat]
    /// The others, as they were called; empty once ``namesEnd`` is past.
    package var with: [String]
    /// When the names go: when the records of the flight do.
    package let namesEnd: UTCTime

    /// Gave `gave` for `got`, with people whose names go at `namesEnd`.
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
