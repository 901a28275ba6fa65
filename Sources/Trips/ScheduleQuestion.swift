// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol

/// What a schedule service is asked for: all departures of one airline from one airport on one day;
/// of all airlines, for one that flies under several codes. The service learns so much and not the
/// flight, which is looked for here. A pure value.
package struct ScheduleQuestion: Hashable, Sendable {
    /// The flight that is looked for.
    let flight: FlightName
    /// Whether it departs today, by the clock at its airport: another list of the service.
    let isToday: Bool

    /// The address, at a service as AviationEdge has it. `base` and `key` are of the settings.
    func url(base: String, key: String) -> String {
        let common = "key=\(key)&type=departure&iataCode=\(flight.origin)"
        // A family flies under several codes, of which the service would know
        // one; Ryanair's all use FR.
        let family = Airlines.named(flight.carrier)?.family
        let rest = family != nil && family != .ryanair ? "" : "&airline_iata=\(flight.carrier)"
        return isToday
            ? "\(base)/timetable?\(common)\(rest)"
            : "\(base)/flightsFuture?\(common)&date=\(flight.date)\(rest)"
    }
}
