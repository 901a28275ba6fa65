import Protocol

/// What `up FR202` takes from the list: options in the place of those that were not typed.
struct TripStart: Hashable, Sendable {
    /// The options of `up`, by name.
    var values: [String: [String]]
    /// What the person should know, a line each.
    var remarks: [String] = []

    /// The options `given` and the flight named by `words`, with what the list knows of it. Throws
    /// what people should be told.
    ///
    /// A whole name (`FR202/2026-03-05/DUB`) need not be in the list, and a list that cannot be read
    /// keeps nobody from boarding; anything shorter must be there.
    static func fill(
        _ given: [String: [String]], words: [String], list: () throws(UserError) -> TripBook
    ) throws(UserError) -> TripStart {
        var start = TripStart(values: given)
        guard words.isEmpty || given["flight"] == nil else {
            throw UserError(
                .usage, "the flight is named twice", why: "as an operand and by --flight",
                advice: "seatagent up FR202")
        }
        let typed = words.isEmpty ? given["flight"]?.last : words.joined(separator: " ")
        guard let typed else { return start }
        guard let whole = try wholeName(typed) else {
            start.take(try list().find(typed))
            return start
        }
        start.values["flight"] = [words.isEmpty ? typed : whole.text]
        do throws(UserError) {
            guard let trip = try list()[whole] else { return start }
            start.take(trip)
            // All who are aboard meet under one number.
            if whole != trip.flight {
                let own = Trip.number(of: trip.flight)
                start.remarks.append("\(Trip.number(of: whole)) is \(own) in your list.")
            }
        } catch {
            start.remarks.append("\(error.what): \(error.why ?? "")")
        }
        return start
    }

    /// The flight of a text with number, date and airport; `nil` for a shorter one.
    private static func wholeName(_ text: String) throws(UserError) -> FlightName? {
        let pieces = FlightWords(text)
        guard let date = pieces.date, let origin = pieces.airports.first else { return nil }
        return try FlightText.read("\(pieces.number)/\(date)/\(origin)").flight
    }

    private mutating func take(_ trip: Trip) {
        values["flight"] = [trip.flight.text]
        offer("seat", trip.seats.prefix(Limits.liveClaims).map(\.text))
        offer("alias", trip.aliases.map(\.text))
        takeTimes(trip)
        let left = Array(trip.seats.dropFirst(Limits.liveClaims))
        guard values["seat"]?.first == trip.seats.first?.text, !left.isEmpty else { return }
        remarks.append(
            "One agent speaks for \(Limits.liveClaims) seats: another one of your party can speak "
                + "for \(SwapNote.list(left)).")
    }

    private mutating func takeTimes(_ trip: Trip) {
        let times = TripTimes(trip)
        if values["departs"] == nil {
            guard let departs = times.departs else {
                remarks.append(
                    "Its time of departure is not known, so swaps are open at any time: "
                        + "seatagent flight change \(trip.flight.text) --departs 06:30")
                return
            }
            values["departs"] = [RFC3339.text(departs)]
            offer("arrives", times.arrives.map { [RFC3339.text($0)] } ?? [])
        }
        // Where the passenger set nothing, the agent knows of the airline itself.
        offer("opens-before", trip.opensBefore.map { ["\($0)s"] } ?? [])
    }

    private mutating func offer(_ option: String, _ known: [String]) {
        if values[option] == nil, !known.isEmpty { values[option] = known }
    }
}
