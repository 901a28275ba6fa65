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

    /// The service; `nil` if no key is set, and then nobody is asked.
    package init?(_ config: Config, environment: [String: String]) {
        guard !config.value(.lookupKey).isEmpty else { return nil }
        base = config.value(.lookupURL)
        key = config.value(.lookupKey)
        self.environment = environment
    }

    /// Asks about `flight`. A failure is an answer too, since nothing depends on it.
    package func ask(_ flight: FlightName) -> ScheduleAnswer {
        let today = AirportTime(utc: SystemClock.utc(), airport: flight.origin)?.text.prefix(10)
        let question = ScheduleQuestion(flight: flight, isToday: today == flight.date.prefix(10))
        do throws(WebQuestion.Trouble) {
            return ScheduleAnswer(
                try WebQuestion.ask(
                    question.url(base: base, key: key), path: environment["PATH", default: ""]),
                for: flight)
        } catch {
            return .failed(error.why)
        }
    }
}
