// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Launch
import Text

extension ControlDesk {
    /// `error` with a line to try that works where this agent is. The agent of a venue has a
    /// profile beside its user's, and nothing of a flight: without that profile, `seatagent peers`
    /// would ask for the people of a flight.
    func here(_ error: UserError) -> UserError {
        guard let name = host.node.venueView?.name, let line = error.advice else { return error }
        var error = error
        switch line {
        case "seatagent requests": error.advice = "seatagent bookings requests"
        case "seatagent status", "seatagent seats":
            error.advice = VenueProfile.line(
                "venue show \(name.slug)", profile: host.facts.profile, slug: name.slug)
        case _ where Self.ofItsProfile.contains { line.hasPrefix("seatagent \($0)") }:
            error.advice =
                "seatagent --profile \(host.facts.profile) " + line.dropFirst("seatagent ".count)
        default: break
        }
        return error
    }

    /// What is about the people who are there, not about what is the user's own.
    private static let ofItsProfile = ["peers", "verify ", "play ", "unblock ", "rename "]
}
