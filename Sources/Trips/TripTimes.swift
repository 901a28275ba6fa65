// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol

/// The moments of a trip, computed from the clocks at its airports. A pure value.
package struct TripTimes: Hashable, Sendable {
    /// Why a moment is unknown.
    package enum Gap: Hashable, Sendable {
        /// Nobody gave a time.
        case time
        /// The table of airports lacks this one.
        case airport(String)
        /// This machine lacks that time zone.
        case zone(String)
    }

    /// A time at an airport.
    package enum Stop: Hashable, Sendable {
        case known(AirportTime)
        case unknown(Gap)
    }

    /// Scheduled departure.
    package let departure: Stop
    /// Scheduled arrival.
    let arrival: Stop
    /// How long before departure seats can be chosen.
    package let opening: SeatOpening

    /// The times of `trip`; `zones` gives the rules of a zone by its name.
    package init(_ trip: Trip, zones: (String) -> TimeZoneRules? = { TimeZoneRules.named($0) }) {
        departure = Stop(trip.departs, at: trip.flight.origin, zones)
        arrival = Stop(trip.arrives, at: trip.to ?? "", zones)
        opening = SeatOpening(own: trip.opensBefore, carrier: trip.flight.carrier)
    }

    /// The scheduled departure; `nil` if unknown.
    var departs: UTCTime? { departure.time?.utc }

    /// The scheduled arrival; `nil` if unknown, or if it would be before departure.
    var arrives: UTCTime? {
        guard let arrives = arrival.time?.utc else { return nil }
        return departs.map { $0 < arrives } ?? true ? arrives : nil
    }

    /// The first second at which seats can be chosen: an exact number of seconds before departure,
    /// whatever clocks do.
    package var opens: UTCTime? { window?.opens }

    /// When seats can be swapped; `nil` if the departure is unknown.
    package var window: SelectionWindow? {
        departs.map { SelectionWindow(departs: $0, lead: opening.lead, arrives: arrives) }
    }
}

extension TripTimes.Stop {
    /// The stop for `local` at `airport`, or what is missing.
    fileprivate init(
        _ local: LocalMinute?, at airport: String, _ zones: (String) -> TimeZoneRules?
    ) {
        guard let local else {
            self = .unknown(.time)
            return
        }
        guard let zone = Airport.named(airport)?.zone else {
            self = .unknown(.airport(airport))
            return
        }
        guard let rules = zones(zone) else {
            self = .unknown(.zone(zone))
            return
        }
        self = .known(AirportTime(utc: rules.utc(of: local), rules: rules))
    }

    /// The time; `nil` if unknown.
    var time: AirportTime? {
        guard case .known(let time) = self else { return nil }
        return time
    }
}

extension TimeZoneRules {
    /// The moment at which clocks show `local`; see ``utc(ofCivil:)``.
    func utc(of local: LocalMinute) -> UTCTime {
        utc(ofCivil: local.date.days * 86_400 + Int64(local.minute) * 60)
    }

    /// What clocks show at `time`, to the minute; `nil` for years outside ``FlightDate``.
    func local(of time: UTCTime) -> LocalMinute? {
        LocalMinute(RFC3339.text(UTCTime(seconds: civil(at: time))).prefix(16))
    }
}
