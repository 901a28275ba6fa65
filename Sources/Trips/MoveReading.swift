// SPDX-License-Identifier: Apache-2.0
import Aviation
package import CivilTime
package import Protocol
package import Text

/// The words of `flight move`: a flight of the list, and the one that takes its place.
package struct MoveReading: Hashable, Sendable {
    /// Names the flight of the list.
    package let from: String
    /// Names the other one, as `flight add` takes it.
    package let to: [String]

    /// A line that works at `now` for whoever has `from` in their list.
    package static func line(_ from: String = "FR202", at now: UTCTime) -> String {
        let date = RFC3339.text(UTCTime(seconds: now.seconds + 14 * 86_400)).prefix(10)
        return "seatagent flight move \(from) FR204 \(date) DUB STN"
    }

    /// Splits the words where the second flight begins. Throws `usage` if there is no such place.
    package init(_ words: [String], now: UTCTime) throws(UserError) {
        func isFlight(_ words: ArraySlice<String>) -> Bool {
            let pieces = FlightWords(words.joined(separator: " "))
            return (try? FlightNumber.read(pieces.number)) != nil
        }
        let places = Array(words.indices.dropFirst())
        guard
            let place = places.first(where: { isFlight(words[..<$0]) && isFlight(words[$0...]) })
        else {
            let from = isFlight(words[...]) ? words.joined(separator: " ") : "FR202"
            throw UserError(
                .usage, words.isEmpty ? "which flight?" : "which flight takes its place?",
                why: "a flight of your list comes first, then the new one: number, date, airport",
                advice: Self.line(from, at: now))
        }
        from = words[..<place].joined(separator: " ")
        to = Array(words[place...])
    }

    /// What is known of the new flight. `before` is the trip so far: where it went, the other one
    /// goes too, unless something else was typed. Throws as ``TripReading/read(_:_:today:now:)``,
    /// and `already-so` for the same flight.
    package func reading(
        after before: Trip?, _ values: [String: [String]], today: (String) -> FlightDate?,
        now: UTCTime
    ) throws(UserError) -> TripReading {
        var values = values
        let airports = FlightWords(to.joined(separator: " ")).airports
        if values["to"] == nil, airports.count < 2, let there = before?.to,
            there != airports.first
        {
            values["to"] = [there]
        }
        let reading = try TripReading.read(to, values, today: today, now: now)
        if let before, before.flight == reading.trip.flight {
            throw UserError(
                .alreadySo, "that is the same flight",
                why: "with another aircraft, only the seats are new",
                advice: "seatagent flight change \(before.flight.text) --seat 14C")
        }
        return reading
    }
}
