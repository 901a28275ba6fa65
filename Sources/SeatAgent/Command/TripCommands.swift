// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Glibc
import Grammar
import Launch
import Profile
import Protocol
import System
import Text
import Trips
import Wording

/// `seatagent flight add|show|change|remove`: the passenger's own list.
enum TripCommands {
    static let known = ["to", "departs", "arrives", "opens-before", "seat", "alias"]

    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let words = Array(call.operands.dropFirst())
        guard let word = FlightWord(rawValue: call.operands[0]) else {
            throw unknown(call.operands[0])
        }
        return switch word {
        case .add: try add(call, words)
        case .show: try show(call, try named(call, words))
        case .change: try change(call, try named(call, words))
        case .move: try move(call, words)
        case .remove: try remove(call, try named(call, words))
        }
    }

    private static func unknown(_ word: String) -> UserError {
        let near = Suggestions.nearest(to: word, among: FlightWord.words)
            .flatMap(FlightWord.init)
        let advice =
            switch near {
            case .show, .remove: "seatagent flight \(near?.rawValue ?? "") FR202"
            case .move: MoveReading.line(at: SystemClock.utc())
            case .add: TripReading.line(at: SystemClock.utc())
            // `flight list`, or only its number: nothing is added that nobody meant.
            case .change, nil: "seatagent flights"
            }
        return UserError(
            .usage, "flight does not know \"\(visible(word, cells: 30))\"",
            why: "it knows " + FlightWord.words.joined(separator: ", "), advice: advice)
    }

    // MARK: add, change

    private static func add(_ call: Invocation, _ words: [String]) throws(UserError) -> ExitCode {
        try allow(known, call)
        let reading = try TripReading.read(
            words, call.line.values, today: { Today.at($0) }, now: SystemClock.utc())
        try TripBook.change(call.place) { (book) throws(UserError) in try book.add(reading.trip) }
        // It is in the list, whatever a service says about it.
        return told(LookupCommand.completed(reading, call), "Added to your list", call)
    }

    private static func change(_ call: Invocation, _ trip: Trip) throws(UserError) -> ExitCode {
        try allow(known, call)
        let given = call.line.values.filter { known.contains($0.key) }
        guard !given.isEmpty else {
            throw UserError(
                .usage, "there is nothing to change",
                why: "--departs, --arrives, --seat, --to, --alias or --opens-before says what",
                advice: "seatagent flight change FR202 --departs 06:30")
        }
        let reading = try TripBook.change(call.place) { (book) throws(UserError) in
            // The present version: another command may have been faster.
            var reading = TripReading(trip: try book.listed(trip.flight), verb: "change")
            try reading.set(given)
            try book.change(reading.trip)
            return reading
        }
        let code = told(reading, "Changed", call)
        if try isAboard(trip, call) { try tellAgent(reading.trip, call) }
        return code
    }

    /// A running agent does not change; says what the user has to tell it.
    private static func tellAgent(_ trip: Trip, _ call: Invocation) throws(UserError) {
        let held = try call.ask(Op.Status()).me.seats
        if let own = trip.seats.first, !held.contains(own) {
            call.hint("Your agent does not claim \(own.text) yet: seatagent claim \(own.text)")
        }
        for seat in held where !trip.seats.isEmpty && !trip.seats.contains(seat) {
            call.hint("Your agent still claims \(seat.text): seatagent release \(seat.text)")
        }
        if call.line.values.keys.contains(where: { $0 != "seat" && known.contains($0) }) {
            call.hint(
                "Your agent learns the rest when it starts anew: seatagent down, then seatagent up "
                    + trip.flight.text)
        }
    }

    /// What is known of a trip now, `more` of it, and what comes next.
    static func told(
        _ reading: TripReading, _ what: String, _ call: Invocation,
        more: (facts: [String: JSON], lines: [String]) = ([:], [])
    ) -> ExitCode {
        let trip = reading.trip
        let layout = trip.cabin.flatMap { try? CabinShelf(call.place).find($0) } ?? .standard
        for line in reading.remarks + unknownPlaces(trip) + layout.remarks(on: trip.seats) {
            call.hint(visible(line))
        }
        let seats = trip.seats.isEmpty ? "" : ", in \(SwapNote.list(trip.seats))"
        var lines = ["\(what): \(trip.summary)\(seats)."]
        let times = TripTimes(trip)
        if let window = times.window {
            let opens = AirportTime(utc: window.opens, airport: trip.flight.origin)
            let when = opens?.text ?? RFC3339.text(window.opens)
            lines.append("Swaps open at \(when), \(times.opening.words).")
        }
        let row = FlightRow(flight: trip.flight, trip: trip, records: nil, isRunning: false)
        let code = call.finish(
            row.json(at: SystemClock.utc()).adding(
                [
                    "remarks": .array((reading.remarks + unknownPlaces(trip)).map(JSON.string))
                ].merging(more.facts) { $1 }), lines + more.lines)
        if let missing = times.missing(trip) { call.hint(missing) }
        if trip.moved != nil, trip.seats.isEmpty {
            call.hint(
                "Seats of the old flight count no more: seatagent flight change "
                    + "\(trip.flight.text) --seat 14C")
        } else {
            call.hint("Next: seatagent up \(trip.flight.text)")
        }
        return code
    }

    /// Airports that the table lacks: the flight is valid all the same, but without a clock.
    private static func unknownPlaces(_ trip: Trip) -> [String] {
        [trip.flight.origin, trip.to ?? trip.flight.origin].reduce(into: []) { lines, code in
            let line = "The airport \(code) is not in the table, so its clock is not known."
            if Airport.named(code)?.zone == nil, !lines.contains(line) { lines.append(line) }
        }
    }

    // MARK: show

    private static func show(_ call: Invocation, _ trip: Trip) throws(UserError) -> ExitCode {
        try allow([], call)
        let now = SystemClock.utc()
        let files = try files(of: trip, call)
        let rows = FlightRow.all(
            TripBook(trips: [trip]), files, running: try FlightCommands.running(call)?.file)
        var shown = trip.rows(at: now)
        shown.append(
            (
                "Records",
                files.isEmpty
                    ? "none yet"
                    : rows.compactMap { $0.records?.words }.joined(separator: "; ")
            ))
        let isRunning = rows.contains(where: \.isRunning)
        shown.append(("Agent", isRunning ? "on it" : "not on it"))
        // Of two files, the one that the agent has open.
        let row = rows.first(where: \.isRunning) ?? rows.first
        let code = call.finish(
            row?.json(at: now) ?? .null, shown.map { padded($0.0, to: 10) + $0.1 })
        call.hint(
            "Next: seatagent " + (isRunning ? "status" : "up \(trip.flight.text)"))
        return code
    }

    // MARK: remove

    private static func remove(_ call: Invocation, _ trip: Trip) throws(UserError) -> ExitCode {
        try allow(["yes", "force"], call)
        var lines = ["\(trip.sentence) is off your list."]
        let now = SystemClock.utc()
        let stands = try files(of: trip, call).contains { $0.end.map { now < $0 } ?? true }
        let typed = "seatagent flight remove \(trip.flight.text)"
        guard let done = try departed(trip, stands: stands, typed, call) else {
            return call.unchanged()
        }
        lines += done
        try forgetStart(on: trip.isCalled, call)
        try TripBook.change(call.place) { (book) throws(UserError) in
            book.remove(try book.listed(trip.flight).flight)
        }
        let kept = try files(of: trip, call).first?.flight
        let code = call.finish(
            ["flight": .string(trip.flight.text), "records": .bool(kept != nil)], lines)
        if trip.calendar != nil { call.hint("It is still in the calendar that you gave it to.") }
        if let kept { call.hint("Records are kept: seatagent forget \(kept.text)") }
        return code
    }

    /// Leaves the flight, and says what to tell of it; `nil` after a no. `typed` is the command
    /// that wants it, and `stands` says whether an agent may have claims there.
    static func departed(
        _ trip: Trip, stands: Bool, _ typed: String, _ call: Invocation
    ) throws(UserError) -> [String]? {
        if try isAboard(trip, call) {
            guard let seats = try leave(call, trip, typed) else { return nil }
            return [
                "Your agent has left it"
                    + (seats.isEmpty ? "." : "; \(seats) can be claimed by others.")
            ]
        }
        guard stands, !call.line.has("yes") else { return [] }
        return try confirmsClaims(call, trip, typed) ? [] : nil
    }

    /// Otherwise a bare `up`, or a service at the next login, would join such a flight again.
    static func forgetStart(
        on isMeant: (FlightName) -> Bool, _ call: Invocation
    ) throws(UserError) {
        if let stored = try StoredOptions.read(call.place),
            LifecycleCommands.named(stored.values).map(isMeant) == true
        {
            unlink(call.place.optionsPath)
        }
    }

    /// Whether to go on although claims that an agent made earlier still stand.
    private static func confirmsClaims(
        _ call: Invocation, _ trip: Trip, _ typed: String
    ) throws(UserError) -> Bool {
        guard call.mayAsk else {
            throw UserError(
                .usage, "others still see what your agent claimed on that flight",
                why: "an agent that is on it takes it back: seatagent up \(trip.flight.text), and "
                    + "then \(call.operands[0]); --yes changes the list alone",
                advice: typed + " --yes")
        }
        return call.confirm(
            "Others see what your agent claimed there until an agent of yours is on the "
                + "flight again. Take it off the list all the same?")
    }

    /// Takes requests and claims back and ends the agent; returns the seats, `nil` after a no. If
    /// it is repeated, it continues where it stopped.
    private static func leave(
        _ call: Invocation, _ trip: Trip, _ typed: String
    ) throws(UserError) -> String? {
        let seats = WhoText.seats(try call.ask(Op.Status()).me)
        let number = Trip.number(of: trip.flight)
        let isForced = call.line.has("force")
        if !call.line.has("yes") {
            guard call.mayAsk else {
                throw UserError(
                    .usage, "your agent is on that flight, and nobody can be asked here",
                    why: "standard input is not a terminal",
                    advice: typed + " --yes")
            }
            let question =
                seats.isEmpty
                ? "Your agent is on \(number). Leave it?"
                : "Your agent is on \(number). Take back your claim on \(seats) and leave?"
            guard call.confirm(question) else { return nil }
        }
        for request in try call.ask(Op.Requests()).requests
        where request.state == .open || RequestText(request).isWaiting {
            // A negotiation that has moved on meanwhile is looked at below.
            if request.needsAnswer || request.state == .agreed {
                _ = try? call.ask(Op.Decline(request: request.number))
            } else {
                _ = try? call.ask(Op.Cancel(request: request.number))
            }
        }
        let open = try call.ask(Op.Status()).requests
        let bound = open.agreed + open.stranded
        guard bound == 0 || isForced else {
            throw UserError(
                .notAllowedNow, "a swap that you signed has no outcome yet",
                why: "others wait for it; --force leaves all the same",
                advice: typed + " --yes --force")
        }
        for seat in try call.ask(Op.Status()).me.seats {
            do throws(UserError) {
                _ = try call.ask(Op.Release(seat: seat.text))
            } catch {
                // A log that cannot be written to holds nobody who wants to leave regardless.
                guard isForced else { throw error }
                call.hint("\(error.what): \(error.why ?? "")")
            }
        }
        try LifecycleCommands.stop(call)
        return seats
    }

    // MARK: Common

    /// The trip that the words name. Throws what people should be told.
    private static func named(_ call: Invocation, _ words: [String]) throws(UserError) -> Trip {
        guard !words.isEmpty else {
            throw UserError(
                .usage, "which flight?", why: "its number comes behind: FR202, or FR202/2026-12-05",
                advice: "seatagent flight \(call.operands[0]) FR202")
        }
        return try TripBook.current(call.place).find(words.joined(separator: " "))
    }

    /// Whether the profile's agent is on that flight, under any of its numbers.
    private static func isAboard(_ trip: Trip, _ call: Invocation) throws(UserError) -> Bool {
        try FlightCommands.running(call).flatMap { FlightName($0.flight) }.map(trip.isCalled)
            ?? false
    }

    static func files(of trip: Trip, _ call: Invocation) throws(UserError) -> [KeptFlight] {
        try KeptFlights.all(call.place).filter { trip.isCalled($0.flight) }
    }

    /// Refuses options that belong to another verb.
    static func allow(_ options: [String], _ call: Invocation) throws(UserError) {
        let own = Set(CommandTable.tripOptions.map(\.name))
        for option in own.subtracting(options).sorted() where call.line.has(option) {
            throw UserError(
                .usage, "flight \(call.operands[0]) takes no --\(option)",
                advice: "seatagent help flight")
        }
    }
}

/// The day at an airport.
enum Today {
    /// By the airport's clock if its zone is known, else by this machine's.
    static func at(_ code: String, now: UTCTime = SystemClock.utc()) -> FlightDate? {
        AirportTime(utc: now, airport: code).flatMap { FlightDate($0.text.prefix(10)) } ?? here(now)
    }

    /// By this machine's clock; `nil` if that shows no usable date.
    static func here(_ now: UTCTime = SystemClock.utc()) -> FlightDate? {
        LocalDay(now).flatMap { FlightDate($0.text) }
    }
}
