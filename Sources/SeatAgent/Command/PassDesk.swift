// SPDX-License-Identifier: Apache-2.0
import Aviation
import Boarding
import CivilTime
import Protocol
import System
import Text
import Trips

/// Asks whether the content of a pass is right, and adds it to the list.
struct PassDesk {
    private let call: Invocation
    private let now = SystemClock.utc()

    init(_ call: Invocation) { self.call = call }

    /// Shows, asks and adds. Throws the reason if no flight can be added.
    func board(_ reading: PassReading) throws(UserError) -> ExitCode {
        let flights = try flights(dated(reading))
        try show(flights, reading.pass)
        guard try isRight(flights) else {
            call.hint("Nothing was added. Another day: seatagent board --date 2026-03-05 FILE")
            return .failed
        }
        var results: [(BoardedFlight, TripBook.Boarded)] = []
        try TripBook.change(call.place) { (book) throws(UserError) in
            for flight in flights { results.append((flight, try book.board(flight))) }
        }
        return report(results, reading.pass)
    }

    /// The pass with the day of departure that the user names for its first flight.
    private func dated(_ reading: PassReading) throws(UserError) -> PassReading {
        var reading = reading
        guard let first = reading.pass.legs.first(where: { $0.from != nil }) else {
            throw UserError(
                .badPass, "this pass names no flight", why: "every part of it is blank",
                advice: "seatagent help board")
        }
        var date = try BoardCommand.date(call, "date")
        if date == nil, first.date == nil { date = try askDate() }
        if let date { reading.pass.move(to: date) }
        return reading
    }

    /// Asks for the day; throws if nobody can be asked.
    private func askDate() throws(UserError) -> FlightDate {
        guard call.mayAsk else {
            throw UserError(
                .badPass, "the pass names no day of departure that there is",
                why: "its day of the year is in no year that is near",
                advice: "seatagent board --date 2026-03-05 pass.png")
        }
        let console = call.session.console
        while true {
            console.prompt("The pass names no day that there is. On which day does it depart? ")
            guard let line = console.readLine() else {
                throw UserError(.gaveUp, "nothing was added", why: "the input ended")
            }
            if let date = FlightDate(line.filter { !$0.isWhitespace }) { return date }
            console.err("a day looks like 2026-03-05")
        }
    }

    /// The flights that can be added; throws if there are none.
    private func flights(_ reading: PassReading) throws(UserError) -> [BoardedFlight] {
        var flights: [BoardedFlight] = []
        var why: String?
        for (index, leg) in reading.pass.legs.enumerated() {
            do throws(BoardedFlight.Obstacle) {
                let isFirst = !reading.pass.legs[..<index].contains { $0.from != nil }
                flights.append(
                    try BoardedFlight(leg, departs: isFirst ? reading.departs : nil, now: now))
            } catch {
                switch error {
                case .blank: continue
                case .noDate: why = why ?? "it names no day of departure that there is"
                case .other(let reason): why = why ?? reason
                }
                call.hint(visible("Left out: \(leg.sentence)"))
            }
        }
        guard !flights.isEmpty else {
            throw UserError(
                .badPass, "no flight of this pass can be added", why: why,
                advice: "seatagent board --date 2026-03-05 pass.png")
        }
        return flights
    }

    /// Shows what will be added.
    private func show(_ flights: [BoardedFlight], _ pass: BoardingPass) throws(UserError) {
        let book = try TripBook.current(call.place, now: now)
        for flight in flights {
            let leg = pass.legs.first { $0.from == flight.trip.flight.origin && $0.flight != nil }
            let seat = flight.trip.seats.first.map { "seat \($0.text)" }
            let place = seat ?? leg?.seat.sentence ?? "no seat yet"
            call.say(visible("\(flight.trip.sentence) to \(flight.trip.to ?? "?"), \(place)"))
            if let facts = flight.facts { call.say("  " + visible(facts)) }
            if let note = leg?.note { call.say("  note: \(note)") }
            for remark in flight.remarks { call.say("  note: " + visible(remark)) }
            if let other = book[flight.trip.flight], !other.seats.isEmpty {
                let seats = other.seats.map(\.text).joined(separator: ", ")
                call.say("  note: this flight is in your list with \(seats)")
            }
        }
        for warning in pass.warnings { call.say("  note: \(warning.sentence)") }
    }

    /// The user's answer. Throws if nobody can be asked and `--yes` was not given.
    private func isRight(_ flights: [BoardedFlight]) throws(UserError) -> Bool {
        if call.line.has("yes") { return true }
        guard call.mayAsk else {
            throw UserError(
                .usage, "nothing was added: there is nobody to ask whether this is right",
                why: "a pass names the day of the year and not the year, so the date may be wrong",
                advice: "seatagent board --yes pass.png")
        }
        return call.confirm(
            flights.count == 1
                ? "Is this right, above all the date?" : "Are these right, above all the dates?")
    }

    private func report(
        _ results: [(BoardedFlight, TripBook.Boarded)], _ pass: BoardingPass
    ) -> ExitCode {
        var lines: [String] = []
        var items: [JSON] = []
        for (flight, outcome) in results {
            let trip = flight.trip
            let word =
                switch outcome {
                case .added: "added"
                case .seatAdded: "seat-added"
                case .known: "known"
                }
            items.append(
                .object(present: [
                    "flight": .string(trip.flight.text), "outcome": .string(word),
                    "seat": trip.seats.first.map { .string($0.text) },
                    "to": trip.to.map(JSON.string),
                    "departs": trip.departs.map { .string($0.text) },
                ]))
            switch outcome {
            case .added: lines.append("added: \(trip.sentence)")
            case .seatAdded(let seat):
                lines.append("seat \(seat.text) added to \(trip.sentence), which was in your list")
            case .known: lines.append("\(trip.sentence) is already in your list")
            }
        }
        if let (flight, _) = results.first {
            call.hint("Next: seatagent up \(flight.trip.flight.text)")
        }
        return call.finish(["flights": .array(items)], lines)
    }
}
