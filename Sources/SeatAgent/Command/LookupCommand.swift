// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Text
import Trips

/// `seatagent lookup`: asks a schedule service about a flight of the list, if one is set.
enum LookupCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let trip = try TripBook.current(call.place).find(call.operands.joined(separator: " "))
        guard let service = ScheduleProvider(call.config, environment: call.session.environment)
        else {
            throw UserError(
                .usage, "no schedule service is set, so nobody was asked",
                why: "lookup.key in the settings is the key that AviationEdge gives its customers",
                advice: "seatagent help lookup")
        }
        let answer = service.ask(trip.flight)
        var after = trip
        if case .found(let found) = answer { after = try keep(found, of: trip, call) }
        return call.finish(json(answer, after), lines(answer, before: trip, after: after))
    }

    /// A flight that was just added to the list, completed by the service, if one is set.
    static func completed(_ reading: TripReading, _ call: Invocation) -> TripReading {
        guard let service = ScheduleProvider(call.config, environment: call.session.environment)
        else { return reading }
        var reading = reading
        switch service.ask(reading.trip.flight) {
        case .found(let found):
            let differences = reading.trip.completed(by: found).differences
            reading.remarks += differences.map { "The schedule differs: \($0)." }
            if let trip = try? keep(found, of: reading.trip, call) { reading.trip = trip }
        case .unknown:
            reading.remarks.append("The schedule does not have this flight, which proves nothing.")
        case .failed(let why): reading.remarks.append("It could not be looked up: \(why).")
        }
        return reading
    }

    private static func keep(
        _ found: ScheduledFlight, of trip: Trip, _ call: Invocation
    ) throws(UserError) -> Trip {
        try TripBook.change(call.place) { (book) throws(UserError) in
            // The present version: another command may have been faster.
            let done = try book.listed(trip.flight).completed(by: found).trip
            book.put(done)
            return done
        }
    }

    private static func lines(
        _ answer: ScheduleAnswer, before: Trip, after: Trip
    ) -> [String] {
        switch answer {
        case .unknown: ["The schedule does not have \(before.sentence). That proves nothing."]
        case .failed(let why):
            ["\(before.sentence) could not be looked up: \(why). Nothing is changed."]
        case .found(let found):
            [
                "The schedule has \(before.sentence)"
                    + (after == before ? "." : ": \(news(before, after)).")
            ]
                + before.completed(by: found).differences.map {
                    "But \($0); your list stays as it is."
                }
        }
    }

    /// What the list has learned: `to STN, departs 06:30`.
    private static func news(_ before: Trip, _ after: Trip) -> String {
        var words: [String] = []
        if before.to != after.to, let to = after.to { words.append("to \(to)") }
        if before.departs != after.departs, let time = after.departs {
            words.append("departs \(time.date.text) \(time.clock)")
        }
        if before.arrives != after.arrives, let time = after.arrives {
            words.append("arrives \(time.date.text) \(time.clock)")
        }
        return words.joined(separator: ", ")
    }

    private static func json(_ answer: ScheduleAnswer, _ trip: Trip) -> JSON {
        let (word, why): (String, JSON) =
            switch answer {
            case .found: ("found", .null)
            case .unknown: ("unknown", .null)
            case .failed(let why): ("failed", .string(why))
            }
        return [
            "flight": .string(trip.flight.text), "answer": .string(word), "why": why,
            "trip": trip.json,
        ]
    }
}
