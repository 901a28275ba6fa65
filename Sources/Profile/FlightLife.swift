// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Protocol

/// How long a flight's file lives: 72 h after the flight, by the local clock
/// (docs/guide/flights.md).
package enum FlightLife {
    /// 2000-01-01T00:00:00Z, the begin of the day of a venue that has number 0.
    private static let firstVenueDay: Int64 = 946_684_800

    /// Seconds for which records are kept after the end of a flight.
    package static let keptFor: Int64 = 72 * 3600

    /// When the flight is over: at its arrival, else its departure, else the end of its date
    /// everywhere on earth. `nil` for the practice flight, which is never over.
    package static func end(of flight: FlightName, window: SelectionWindow?) -> UTCTime? {
        guard !flight.isPractice else { return nil }
        if let window { return window.closes }
        guard let begins = RFC3339.parse(flight.date + "T00:00:00Z") else { return nil }
        return UTCTime(seconds: begins.seconds + 36 * 3600)
    }

    /// The same for anything that people gather for: a venue's volume is over when its last day is,
    /// everywhere on earth.
    package static func end(of name: GatheringName, window: SelectionWindow?) -> UTCTime? {
        switch name {
        case .flight(let flight): end(of: flight, window: window)
        case .venue(let venue):
            UTCTime(
                seconds: firstVenueDay + Int64(venue.volume.last.number) * 86_400 + 42 * 3600)
        }
    }

    /// Whether the file of a flight that ended at `end` may be deleted. A clock set to before the
    /// flight, or a flight without an end, deletes nothing.
    package static func isOver(_ end: UTCTime?, now: UTCTime) -> Bool {
        end.map { $0.seconds + keptFor < now.seconds } ?? false
    }
}

/// A file on disk of a flight that an agent was on.
package struct KeptFlight: Hashable, Sendable {
    /// Path of the file.
    package let path: String
    /// The flight as the file names it.
    package let flight: FlightName
    /// When the flight is over; `nil` for never.
    package let end: UTCTime?
    /// Bytes of the file and everything that belongs to it.
    package let size: Int

    /// The file at `path`, of a flight that is over at `end`.
    package init(path: String, flight: FlightName, end: UTCTime?, size: Int) {
        self.path = path
        self.flight = flight
        self.end = end
        self.size = size
    }
}
