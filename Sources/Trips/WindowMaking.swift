// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Protocol
import Text

/// The selection window of a flight, with or without an agent on it.
extension WindowFacts {
    /// The window as it stands at `now`.
    package init(
        _ window: SelectionWindow, _ flight: FlightName, _ opening: SeatOpening?, at now: UTCTime
    ) {
        let (state, seconds): (WindowState, Int64) =
            switch window.state(at: now) {
            case .early(let left): (.early, left)
            case .open(let left): (.open, left)
            case .closed(let since): (.closed, since)
            }
        self.init(
            state: Word(state), seconds: Int(seconds), opens: Stamp(window.opens),
            departs: Stamp(window.departs), closes: Stamp(window.closes),
            local: Local(window, flight), opening: opening?.facts)
    }
}

extension WindowFacts.Local {
    /// What clocks at the airport of departure show then; `nil` if its zone is unknown.
    fileprivate init?(_ window: SelectionWindow, _ flight: FlightName) {
        guard let rules = Airport.named(flight.origin)?.zone.flatMap({ TimeZoneRules.named($0) })
        else { return nil }
        func text(_ time: UTCTime) -> String { AirportTime(utc: time, rules: rules).text }
        self.init(
            airport: flight.origin, opens: text(window.opens), departs: text(window.departs),
            closes: text(window.closes))
    }
}
