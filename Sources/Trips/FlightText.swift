// SPDX-License-Identifier: Apache-2.0
import Aviation
package import Protocol
package import Text

/// A flight as typed: number, date at the origin, and the origin's airport, separated by slashes.
package enum FlightText {
    /// The flight that was read, and lines for the person to see.
    package struct Reading: Hashable, Sendable {
        /// The flight in the form that all agents share.
        package let flight: FlightName
        /// What to tell the person, one line each.
        package let remarks: [String]
    }

    /// Reads `FR 123/2026-11-22/DUB`, with any spelling of the number. Throws `usage`, which says
    /// which part is wrong.
    package static func read(_ text: String) throws(UserError) -> Reading {
        // From the right, because a slash may be part of the number.
        var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 3, let origin = parts.popLast().map(trimmed),
            let date = parts.popLast().map(trimmed)
        else {
            throw refusal(
                text,
                "it is the flight's number, its date at the origin and the origin's airport")
        }
        let reading: FlightNumber.Reading
        do throws(FlightNumberRefusal) {
            reading = try FlightNumber.read(parts.joined(separator: "/"))
        } catch {
            throw refusal(text, error.why)
        }
        guard reading.number.carrier.utf8.count == 2 else {
            let near = Airlines.near(reading.typed)
            throw refusal(
                text,
                near.map {
                    "the airline \(reading.typed) is unknown; \($0.code) is \($0.airline.name)"
                }
                    ?? "the airline \(reading.typed) is unknown: its two characters are on the pass"
            )
        }
        guard origin.utf8.count == 3,
            origin.utf8.allSatisfy({ 65...90 ~= $0 || 97...122 ~= $0 })
        else { throw refusal(text, "the airport of departure is three letters, such as DUB") }
        guard let flight = FlightName("\(reading.number.designator)/\(date)/\(origin)") else {
            throw refusal(text, "the date is a day of the calendar such as 2026-11-22")
        }
        // The practice flight has no airline.
        return Reading(flight: flight, remarks: flight.isPractice ? [] : reading.remarks)
    }

    private static func refusal(_ text: String, _ why: String) -> UserError {
        UserError(
            .usage, "\"\(visible(text, cells: 60))\" is not a flight", why: why,
            advice: "seatagent up --seat 14C --name ada --flight XY123/2026-11-22/DUB")
    }

    private static func trimmed(_ text: String) -> String {
        String(
            text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
