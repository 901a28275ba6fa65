// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Text

/// The selection window for people.
package enum WindowText {
    /// `open, for 2 d 3 h more, until 2026-11-22T16:25:00Z`.
    package static func line(_ window: WindowFacts?) -> String {
        guard let window else { return "open at any time" }
        let span = SpanText.words(Int64(window.seconds))
        // By the clocks at the airport, if known: everybody aboard uses them.
        let opens = visible(window.local?.opens ?? window.opens.text, cells: 40)
        let closes = visible(window.local?.closes ?? window.closes.text, cells: 40)
        return switch window.state {
        case .known(.early): "open in \(span), at \(opens)"
        case .known(.open): "open for \(span) more, until \(closes)"
        case .known(.closed), .other: "over since \(closes), \(span) ago"
        }
    }
}
