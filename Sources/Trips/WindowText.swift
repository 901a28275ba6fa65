// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Text

/// The selection window for people.
package enum WindowText {
    /// `open, for 2 d 3 h more, until 2026-11-22T16:25:00Z`.
    package static func line(_ window: JSON?) -> String {
        guard let window, window != .null else { return "open at any time" }
        let span = SpanText.words(Int64(window["seconds"]?.number ?? 0))
        // By the clocks at the airport, where these are known: everybody aboard goes by them.
        func date(_ name: String) -> String {
            visible((window["local"]?[name] ?? window[name])?.text ?? "?", cells: 40)
        }
        let (opens, closes) = (date("opens"), date("closes"))
        return switch window["state"]?.text {
        case "early": "open in \(span), at \(opens)"
        case "open": "open for \(span) more, until \(closes)"
        default: "over since \(closes), \(span) ago"
        }
    }
}
