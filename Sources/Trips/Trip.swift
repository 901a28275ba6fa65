// SPDX-License-Identifier: Apache-2.0
package import CivilTime
import Profile
package import Protocol

/// A flight in a passenger's own list, with what is known about it. It stays in this profile;
/// others learn only the flight, the seats and the aliases, and only while an agent is on the
/// flight.
package struct Trip: Hashable, Sendable {
    /// What was last written about it into a calendar file.
    package struct CalendarMark: Hashable, Sendable {
        /// Random, the same for all files of this trip.
        package var uid: String
        /// Grows with each change.
        package var sequence: Int
        /// A digest of what the last file said.
        var digest: String
        /// The time at which seats open, according to the last file.
        var opens: UTCTime?
    }

    /// The flight; the date is local at the origin.
    package let flight: FlightName
    /// Three-letter code of the airport of arrival.
    package var to: String?
    /// Scheduled departure, local at the origin, on the flight's date.
    package var departs: LocalMinute?
    /// Scheduled arrival, local at the destination.
    package var arrives: LocalMinute?
    /// The party's seats, the own one first.
    package var seats: [Seat] = []
    /// Seats whose pass said that the passenger was not checked in, or on standby.
    var waiting: [Seat] = []
    /// The letter of the cabin on the pass.
    var compartment: String?
    /// Seconds before departure at which seats can be chosen, if the passenger said so.
    var opensBefore: Int64?
    /// The same flight under numbers of partners (code share), at most ``aliasLimit``.
    var aliases: [FlightName] = []
    /// The cabin layout to show.
    package var cabin: String?
    /// The last calendar file; `nil` if none was written.
    package var calendar: CalendarMark?
    /// What goes along from the flight whose place it took; `nil` once an agent has taken it.
    package var moved: MovedTrip?
    /// When it was added to the list.
    let added: UTCTime

    /// How many aliases an agent can prove to a peer beside its flight (docs/protocol.md section
    /// 6).
    static let aliasLimit = 3
    /// The most seats of one party: more than a row of the widest cabin, few enough for a file.
    static let seatLimit = 60

    /// A trip about which only the flight is known.
    init(flight: FlightName, added: UTCTime) {
        self.flight = flight
        self.added = added
    }

    /// `FR 202 on 2026-03-05 from DUB`, for sentences.
    package var sentence: String { Self.sentence(of: flight) }

    /// The same for a flight that is not in a list.
    static func sentence(of flight: FlightName) -> String {
        flight.isPractice
            ? "the practice flight"
            : "\(number(of: flight)) on \(flight.date) from \(flight.origin)"
    }

    /// `FR 202`.
    package static func number(of flight: FlightName) -> String {
        "\(flight.carrier) \(flight.number)\(flight.suffix)"
    }

    /// Whether `name` is this flight, by its own number or a partner's.
    package func isCalled(_ name: FlightName) -> Bool { flight == name || aliases.contains(name) }

    /// By departure, as clocks at the origins show it; on one day, those without a time come last;
    /// then by name.
    static func isSooner(_ left: Trip, than right: Trip) -> Bool {
        if left.flight.date != right.flight.date { return left.flight.date < right.flight.date }
        let minutes = [left, right].map { $0.departs?.minute ?? LocalMinute.perDay }
        if minutes[0] != minutes[1] { return minutes[0] < minutes[1] }
        return left.flight.text < right.flight.text
    }

    /// When the trip is over: at its arrival if the times are known, else at the end of its day
    /// everywhere on earth. `nil` for the practice flight.
    var end: UTCTime? { FlightLife.end(of: flight, window: TripTimes(self).window) }
}
