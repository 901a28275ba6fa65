// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Notify
import Profile
import Protocol
import Trips

/// Calls the passenger when the window opens, or the computer wakes, and nobody looks on: a notice
/// of the desktop, as configured at that moment.
final class WindowCaller {
    private let place: ProfilePlace
    private let environment: [String: String]
    /// Kept until its program has ended.
    private var runner: NotifyRunner?

    /// For the profile at `place`, in the surroundings in which the agent was started.
    init(_ place: ProfilePlace, environment: [String: String]) {
        self.place = place
        self.environment = environment
    }

    /// Says that seats on `flight` are open.
    func call(_ flight: FlightName, _ window: SelectionWindow) {
        call(Call(kind: .opening, body: Self.words(flight, window)))
    }

    /// Says what it is about.
    func call(_ call: Call) {
        guard let config = try? Config.load(place, environment: environment) else { return }
        let settings = NotifySettings(config, environment: environment)
        guard settings.level != .off else { return }
        let runner = NotifyRunner(settings, environment: environment)
        // The terminal's own ways are for a view: an agent has none.
        _ = runner.carryOut([.desktop(title: call.kind.title, body: call.body)])
        self.runner = runner
    }

    /// `Seats on FR202 are open, until 2026-03-06 07:40 (GMT).`
    static func words(_ flight: FlightName, _ window: SelectionWindow) -> String {
        let closes = AirportTime(utc: window.closes, airport: flight.origin)
        return "Seats on \(flight.designator) are open for swaps, until "
            + "\(closes?.text ?? RFC3339.text(window.closes))."
    }
}
