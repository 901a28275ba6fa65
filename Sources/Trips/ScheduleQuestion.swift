// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol

/// The question for a schedule service: all departures of one airline from one airport on one day,
/// or of all airlines if this one flies under several codes. The service learns only that and not
/// the flight, which is looked for here. A pure value.
package struct ScheduleQuestion: Hashable, Sendable {
    /// The flight that is looked for.
    let flight: FlightName
    /// Whether the flight departs today by the clock at its airport; the service has another list
    /// for that.
    let isToday: Bool

    /// The address at a service with the interface of AviationEdge. `base` and `key` come from the
    /// settings.
    func url(base: String, key: String) -> String {
        let common = "key=\(key)&type=departure&iataCode=\(flight.origin)"
        // A family flies under several codes and the service would know one of them; Ryanair's
        // flights all use FR.
        let family = Airlines.named(flight.carrier)?.family
        let rest = family != nil && family != .ryanair ? "" : "&airline_iata=\(flight.carrier)"
        return isToday
            ? "\(base)/timetable?\(common)\(rest)"
            : "\(base)/flightsFuture?\(common)&date=\(flight.date)\(rest)"
    }
}
