// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Protocol
package import Text

/// The selection window as the control socket tells of it.
package enum WindowJSON {
    /// Its members, of a flight that no agent need be on.
    package static func members(
        _ window: SelectionWindow, _ flight: FlightName, _ opening: SeatOpening?, at now: UTCTime
    ) -> [String: JSON] {
        let (state, seconds): (String, Int64) =
            switch window.state(at: now) {
            case .early(let left): ("early", left)
            case .open(let left): ("open", left)
            case .closed(let since): ("closed", since)
            }
        return [
            "state": .string(state), "seconds": .int(Int(seconds)),
            "opens": .string(RFC3339.text(window.opens)),
            "departs": .string(RFC3339.text(window.departs)),
            "closes": .string(RFC3339.text(window.closes)),
            "local": local(window, flight),
            "opening": opening?.json ?? .null,
        ]
    }

    /// What clocks at the airport of departure show then; `null` where its zone is not known.
    private static func local(_ window: SelectionWindow, _ flight: FlightName) -> JSON {
        guard let rules = Airport.named(flight.origin)?.zone.flatMap({ TimeZoneRules.named($0) })
        else { return .null }
        func text(_ time: UTCTime) -> JSON { .string(AirportTime(utc: time, rules: rules).text) }
        return [
            "airport": .string(flight.origin), "opens": text(window.opens),
            "departs": text(window.departs), "closes": text(window.closes),
        ]
    }
}
