// SPDX-License-Identifier: Apache-2.0
package import Profile
package import Protocol
import System

/// A schedule service on the internet, enabled by setting a key.
package struct ScheduleProvider {
    /// Its address: `lookup.url`.
    private let base: String
    /// The customer's key: `lookup.key`.
    private let key: String
    private let environment: [String: String]

    /// The longest time to wait for it.
    static let patience = TimeSpan.seconds(10)

    /// The service; `nil` if no key is set, and then nobody is asked.
    package init?(_ config: Config, environment: [String: String]) {
        guard !config.value(.lookupKey).isEmpty else { return nil }
        base = config.value(.lookupURL)
        key = config.value(.lookupKey)
        self.environment = environment
    }

    /// Asks about `flight`. A failure is an answer too, since nothing depends on it.
    package func ask(_ flight: FlightName) -> ScheduleAnswer {
        guard let curl = ProgramOutput.find("curl", path: environment["PATH", default: ""]) else {
            return .failed("the program curl is not installed")
        }
        let today = AirportTime(utc: SystemClock.utc(), airport: flight.origin)?.text.prefix(10)
        let question = ScheduleQuestion(flight: flight, isToday: today == flight.date.prefix(10))
        let bytes = ProgramOutput.of(
            [curl, "-q", "--config", "-"], deadline: SystemClock.now() + Self.patience,
            input: Self.settings(question.url(base: base, key: key)))
        guard let bytes else { return .failed("the service did not answer") }
        return ScheduleAnswer(bytes, for: flight)
    }

    /// What curl reads from standard input: other users can see a command line, and the address
    /// contains the key. No redirection is followed, because it could carry the key elsewhere.
    private static func settings(_ url: String) -> [UInt8] {
        let protocols = url.hasPrefix("https:") ? "=https" : "=http"
        let lines = [
            "url = \"\(url)\"", "silent", "globoff", "max-time = 9", "proto = \"\(protocols)\"",
            "noproxy = \"127.0.0.1,::1\"", "user-agent = \"seatagent\"",
        ]
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
}
