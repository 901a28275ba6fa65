// SPDX-License-Identifier: Apache-2.0
import Aviation
package import CivilTime
package import Protocol
package import Text

/// A trip as typed, checked: `FR 202 2026-12-05 DUB STN` and options. A pure value.
package struct TripReading: Hashable, Sendable {
    /// The trip.
    package var trip: Trip
    /// What to tell the person, one line each.
    package var remarks: [String] = []
    /// The command, for advice: `add` or `change`.
    package var verb = "add"

    /// `trip` as the command `verb` uses it, without remarks yet.
    package init(trip: Trip, remarks: [String] = [], verb: String = "add") {
        self.trip = trip
        self.remarks = remarks
        self.verb = verb
    }

    /// An example for the help.
    package static let sample =
        "seatagent flight add FR202 2026-12-05 DUB STN --departs 06:30 --seat 17A"

    /// A line that works at `now`.
    package static func line(at now: UTCTime) -> String {
        let date = RFC3339.text(UTCTime(seconds: now.seconds + 14 * 86_400)).prefix(10)
        return "seatagent flight add FR202 \(date) DUB STN --departs 06:30 --seat 17A"
    }

    /// Reads the words for a flight that is new to the list. `today` is the day at the airport of
    /// departure. Throws `usage`, which says which part is wrong.
    package static func read(
        _ words: [String], _ values: [String: [String]], today: (String) -> FlightDate?,
        now: UTCTime
    ) throws(UserError) -> TripReading {
        let text = words.joined(separator: " ")
        let pieces = FlightWords(text)
        let flight = try flight(pieces, text, now)
        var reading = TripReading(
            trip: Trip(flight: flight.flight, added: now), remarks: flight.remarks)
        if pieces.airports.count > 1 { reading.trip.to = pieces.airports[1] }
        try reading.set(values)
        // If the clock shows no valid date, nothing is refused.
        if let today = today(flight.flight.origin) {
            try check(reading.trip, today: today, now: now)
        }
        return reading
    }

    // MARK: The flight

    private static func flight(
        _ pieces: FlightWords, _ text: String, _ now: UTCTime
    ) throws(UserError) -> FlightText.Reading {
        let line = line(at: now)
        func refused(_ why: String) -> UserError {
            UserError(
                .usage, "\"\(visible(text, cells: 60))\" is not a flight", why: why, advice: line)
        }
        guard !pieces.number.isEmpty else {
            throw UserError(
                .usage, "no flight was named", why: "the flight number is empty", advice: line)
        }
        let number: FlightNumber
        do throws(FlightNumberRefusal) {
            number = try FlightNumber.read(pieces.number).number
        } catch {
            throw refused(error.why)
        }
        guard let date = pieces.date else {
            throw refused(
                "after \(number.text) comes its date at the airport of departure, as 2026-12-05")
        }
        guard FlightDate(date) != nil else {
            throw refused("the date is a day of the calendar such as 2026-12-05, not \"\(date)\"")
        }
        guard let origin = pieces.airports.first else {
            throw refused("after the date comes the airport of departure, as DUB")
        }
        for code in pieces.airports where !Trip.isAirport(code) {
            throw refused("an airport is three letters such as DUB, not \"\(code)\"")
        }
        guard pieces.airports.count <= 2 else {
            throw refused(
                "it goes from one airport to one other; the next flight is one of its own")
        }
        guard pieces.airports.last != origin || pieces.airports.count == 1 else {
            throw refused("it departs from and arrives at \(origin)")
        }
        do throws(UserError) {
            return try FlightText.read("\(pieces.number)/\(date)/\(origin)")
        } catch {
            throw refused(error.why ?? error.what)
        }
    }

    /// From today, or from yesterday while the flight is in the air, to two years ahead.
    private static func check(_ trip: Trip, today: FlightDate, now: UTCTime) throws(UserError) {
        let flight = trip.flight
        guard let date = FlightDate(flight.date) else { return }
        let last = lastDay(from: today)
        let isOver = trip.end.map { $0 <= now } ?? true
        guard date >= today || !isOver else {
            throw UserError(
                .usage, "\(Trip.number(of: flight)) on \(flight.date) is over",
                why: "today is \(today.text)", advice: line(at: now))
        }
        guard date <= last else {
            throw UserError(
                .usage, "\(Trip.number(of: flight)) on \(flight.date) is too far away",
                why: "the list goes two years ahead, to \(last.text)", advice: line(at: now))
        }
    }

    /// Two years later: the same day, or the day before if there is none.
    static func lastDay(from today: FlightDate) -> FlightDate {
        let day = today.text.dropFirst(4)
        let year = today.year + 2
        return FlightDate("\(year)\(day)") ?? FlightDate("\(year)-02-28") ?? today
    }

    // MARK: Options

    /// Applies the options of `flight add` and `flight change`. Options that are not given change
    /// nothing; an empty value removes what was known. Throws `usage`, `no-such-seat` or
    /// `too-many-claims`.
    package mutating func set(_ values: [String: [String]]) throws(UserError) {
        if let text = values["to"]?.last { trip.to = try airport(text) }
        if let text = values["departs"]?.last { trip.departs = try departure(text) }
        if let text = values["arrives"]?.last { trip.arrives = try arrival(text) }
        if let text = values["opens-before"]?.last { trip.opensBefore = try lead(text) }
        if let texts = values["seat"] {
            trip.seats = texts == [""] ? [] : try party(texts)
        }
        if let texts = values["alias"] { try alias(texts) }
        try order()
    }

    private func refused(
        _ what: String, _ why: String, _ option: String = "--departs 06:30"
    ) -> UserError {
        UserError(.usage, what, why: why, advice: line(option))
    }

    /// A line that does what was wanted, with a valid option.
    private func line(_ option: String) -> String {
        "seatagent flight \(verb) \(trip.flight.text) \(option)"
    }

    private func airport(_ text: String) throws(UserError) -> String? {
        if text.isEmpty { return nil }
        guard Trip.isAirport(text.uppercased()), text.uppercased() != trip.flight.origin else {
            throw refused(
                "\"\(visible(text, cells: 20))\" is not where it goes",
                "an airport is three letters such as STN, another one than \(trip.flight.origin)",
                "--to \(trip.flight.origin == "STN" ? "DUB" : "STN")")
        }
        return text.uppercased()
    }

    private func departure(_ text: String) throws(UserError) -> LocalMinute? {
        if text.isEmpty { return nil }
        let time = try time(text, option: "departs")
        guard time.day == nil || time.day == 0 else {
            throw refused(
                "it departs on \(trip.flight.date)",
                "\"\(visible(text, cells: 20))\" is another day: another flight")
        }
        return FlightDate(trip.flight.date).flatMap { LocalMinute(date: $0, minute: time.minute) }
    }

    private func arrival(_ text: String) throws(UserError) -> LocalMinute? {
        if text.isEmpty { return nil }
        let time = try time(text, option: "arrives")
        guard let date = FlightDate(trip.flight.date) else { return nil }
        func candidate(_ days: Int64) -> LocalMinute? {
            LocalMinute(date: date.adding(days), minute: time.minute)
        }
        if let day = time.day {
            guard Self.days ~= day else {
                throw refused(
                    "no flight takes that long",
                    "\"\(visible(text, cells: 20))\" is \(day) days from \(trip.flight.date)",
                    "--arrives 07:45")
            }
            return candidate(day)
        }
        // The first day on which it lands after its departure.
        let first: Int64 = trip.departs == nil ? 0 : -1
        return (first...2).lazy.compactMap(candidate).first { arrival in
            var landed = trip
            landed.arrives = arrival
            return landed.isInOrder
        } ?? candidate(0)
    }

    /// The days on which a flight can arrive, counted from its departure: across the date line, and
    /// twice through the night.
    static let days: ClosedRange<Int64> = -1...3

    /// A time, and the days after the flight's date if they were typed.
    private func time(
        _ text: String, option: String
    ) throws(UserError) -> (minute: Int, day: Int64?) {
        if let whole = LocalMinute(text), let date = FlightDate(trip.flight.date) {
            return (whole.minute, whole.date.days - date.days)
        }
        var clock = text[...]
        var day: Int64?
        if let plus = text.lastIndex(where: { $0 == "+" || $0 == "-" }),
            let days = Int64(text[plus...]), Self.days ~= days
        {
            clock = text[..<plus]
            day = days
        }
        guard let minute = LocalMinute.minute(of: clock) else {
            throw refused(
                "\"\(visible(text, cells: 30))\" is not a time",
                "--\(option) wants the clock at the airport: 06:30, or 00:15+1 for the next day",
                "--\(option) 06:30")
        }
        return (minute, day)
    }

    /// A party may be larger than one agent can claim seats for.
    private func party(_ texts: [String]) throws(UserError) -> [Seat] {
        var seats: [Seat] = []
        for text in texts.flatMap(SeatText.pieces) {
            let seat = try SeatText.parse(text, advice: line("--seat 14C"))
            if !seats.contains(seat) { seats.append(seat) }
        }
        guard seats.count <= Trip.seatLimit else {
            throw UserError(
                .usage, "\(seats.count) seats are too many",
                why: "a party has at most \(Trip.seatLimit) here", advice: line("--seat 14C"))
        }
        return seats
    }

    private func lead(_ text: String) throws(UserError) -> Int64? {
        if text.isEmpty { return nil }
        guard let seconds = SpanText.seconds(text), seconds <= Trip.longestLead else {
            throw refused(
                "\"\(visible(text, cells: 30))\" is not a length of time",
                "--opens-before wants a number with s, m, h or d, as in 24h",
                "--opens-before 24h")
        }
        return Int64(seconds)
    }

    private mutating func alias(_ texts: [String]) throws(UserError) {
        let readings = try FlightAlias.read(
            texts, of: trip.flight, advice: line("--alias \(FlightAlias.sample(trip.flight))"))
        remarks += readings.flatMap(\.remarks)
        trip.aliases = readings.map(\.flight)
    }

    private func order() throws(UserError) {
        guard trip.departs == nil || trip.arrives == nil || trip.isInOrder else {
            throw refused(
                "\(Trip.number(of: trip.flight)) arrives before it departs",
                "both are clocks at the airports; 00:15+1 is on the next day",
                "--departs 06:30 --arrives 07:45")
        }
    }
}

extension Trip {
    /// Whether it lands after it departed, as far as is known: by the airports' clocks if their
    /// zones are known, else by the clocks alone.
    var isInOrder: Bool {
        let times = TripTimes(self)
        if let departed = times.departure.time, let landed = times.arrival.time {
            return departed.utc < landed.utc
        }
        guard let departs, let arrives else { return true }
        return departs < arrives
    }
}
