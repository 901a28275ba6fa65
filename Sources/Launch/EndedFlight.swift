// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Protocol
package import Text

/// The errors for a flight that is over by this computer's clock (docs/guide/flights.md).
package enum EndedFlight {
    /// Two starts found the flight over, or nothing was stored yet.
    package static let deleted = UserError(
        .failed, "that flight was over more than three days ago",
        why: "its records and its key are deleted by now",
        advice: "seatagent up --seat 14C --name ada")

    /// Only one start found the flight over.
    package static func kept(_ flight: FlightName, _ end: UTCTime?, _ now: UTCTime) -> UserError {
        UserError(
            .failed,
            "by this computer's clock that flight was over \(span(end, now)) ago, "
                + "so no agent starts",
            why:
                "it is \(RFC3339.text(now)) here. In case the clock is wrong, the key and records "
                + "of \(flight.text) are kept; a start two days from now or later deletes them if "
                + "it finds the same", advice: "date")
    }

    package static func span(_ end: UTCTime?, _ now: UTCTime) -> String {
        SpanText.words(now.seconds - (end?.seconds ?? now.seconds))
    }
}
