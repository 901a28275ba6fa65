// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol

/// The moments of a trip, from what clocks show at its airports. A pure value.
package struct TripTimes: Hashable, Sendable {
    /// Why a moment is not known.
    package enum Gap: Hashable, Sendable {
        /// Nobody gave a time.
        case time
        /// The table of airports does not have this one.
        case airport(String)
        /// This machine has no such time zone.
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

    /// For `trip`; `zones` gives the rules of a zone by its name.
    package init(_ trip: Trip, zones: (String) -> TimeZoneRules? = { TimeZoneRules.named($0) }) {
        departure = Stop(trip.departs, at: trip.flight.origin, zones)
        arrival = Stop(trip.arrives, at: trip.to ?? "", zones)
        opening = SeatOpening(own: trip.opensBefore, carrier: trip.flight.carrier)
    }

    /// Scheduled departure; `nil` where it is not known.
    var departs: UTCTime? { departure.time?.utc }

    /// Scheduled arrival; `nil` where it is not known, or before departure, which it cannot be.
    var arrives: UTCTime? {
        guard let arrives = arrival.time?.utc else { return nil }
        return departs.map { $0 < arrives } ?? true ? arrives : nil
    }

    /// First second at which seats can be chosen: exact seconds before
    /// departure, whatever clocks do.
    package var opens: UTCTime? { window?.opens }

    /// When seats can be swapped; `nil` where the departure is not known.
    package var window: SelectionWindow? {
        departs.map { SelectionWindow(departs: $0, lead: opening.lead, arrives: arrives) }
    }
}

extension TripTimes.Stop {
    /// What is known of `local` at `airport`.
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

    /// The time; `nil` where it is not known.
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

    /// What clocks show at `time`, to the minute; `nil` for years outside of ``FlightDate``.
    func local(of time: UTCTime) -> LocalMinute? {
        LocalMinute(RFC3339.text(UTCTime(seconds: civil(at: time))).prefix(16))
    }
}
