// SPDX-License-Identifier: Apache-2.0
import Aviation
package import CivilTime
package import Protocol
package import Text

/// A passenger's flights, future and past. A pure value; ``TripFile`` stores it.
package struct TripBook: Hashable, Sendable {
    /// Future trips, by departure and then name.
    package private(set) var trips: [Trip] = []
    /// Past events, newest first.
    package private(set) var history: [HistoryItem] = []

    /// More trips than anybody plans; each costs a read and a line.
    static let tripLimit = 200
    /// How many past events are remembered; the oldest are dropped.
    static let historyLimit = 500
    /// Seconds after its end during which a trip stays in the list, so that its state can still be
    /// looked up.
    static let shownFor: Int64 = 24 * 3600

    /// A list of these trips and events, in the given order.
    package init(trips: [Trip] = [], history: [HistoryItem] = []) {
        for trip in trips { put(trip) }
        for item in history { remember(item) }
    }

    /// The trip of this flight, by its own or a partner's number.
    package subscript(flight: FlightName) -> Trip? {
        trips.first { $0.flight == flight } ?? trips.first { $0.isCalled(flight) }
    }

    /// The trip of exactly this flight. Throws `no-such-flight` if there is none.
    package func listed(_ flight: FlightName) throws(UserError) -> Trip {
        if let trip = trips.first(where: { $0.flight == flight }) { return trip }
        throw UserError(
            .noSuchFlight, "\(Trip.sentence(of: flight)) is not in your list any more",
            advice: "seatagent flights")
    }

    // MARK: Changing

    /// Adds a trip. Throws `already-so` if its flight, or a partner's number of it, is in the list.
    package mutating func add(_ trip: Trip) throws(UserError) {
        try check(trip, against: trips)
        guard trips.count < Self.tripLimit else {
            throw UserError(
                .tooLong, "the list is full", why: "it holds \(Self.tripLimit) flights",
                advice: "seatagent flights")
        }
        put(trip)
    }

    /// Changes the trip of the same flight. Throws `already-so` if another trip has one of its
    /// numbers.
    package mutating func change(_ trip: Trip) throws(UserError) {
        try check(trip, against: trips.filter { $0.flight != trip.flight })
        put(trip)
    }

    private func check(_ trip: Trip, against others: [Trip]) throws(UserError) {
        for name in [trip.flight] + trip.aliases {
            guard let other = others.first(where: { $0.isCalled(name) }) else { continue }
            let (number, own) = (Trip.number(of: name), Trip.number(of: other.flight))
            throw UserError(
                .alreadySo, "\(Trip.sentence(of: name)) is already in your list",
                why: number == own ? nil : "\(number) is there as \(own)",
                advice: "seatagent flight show \(other.flight.text)")
        }
    }

    /// Replaces the trip of the same flight by `trip`, or adds it.
    package mutating func put(_ trip: Trip) {
        trips.removeAll { $0.flight == trip.flight }
        trips.append(trip)
        trips.sort(by: Trip.isSooner)
    }

    /// Removes the trip of `flight` from the list and returns it.
    @discardableResult
    package mutating func remove(_ flight: FlightName) -> Trip? {
        guard let trip = self[flight] else { return nil }
        trips.removeAll { $0.flight == trip.flight }
        return trip
    }

    /// Remembers a swap once, and updates the seats of its trip to those that are `held` now.
    /// `claimed` are all seats that the agent ever claimed or got; other seats of the trip are the
    /// party's and stay.
    package mutating func record(
        _ note: SwapNote, on flight: FlightName, at: UTCTime, held: [Seat], claimed: [Seat]
    ) {
        let isKnown = history.contains { item in
            guard case .swapped(let other) = item.what else { return false }
            return item.flight == flight && other.contract == note.contract
        }
        guard !isKnown else { return }
        remember(HistoryItem(at: at, flight: flight, what: .swapped(note)))
        guard var trip = self[flight] else { return }
        // In place, because the first seat is the passenger's own.
        for (old, new) in zip(note.gave, note.got) {
            if let index = trip.seats.firstIndex(of: old) { trip.seats[index] = new }
        }
        // A seat that the agent claimed and no longer holds is somebody else's, in whatever order
        // swaps came.
        trip.seats = trip.seats.filter { held.contains($0) || !claimed.contains($0) }
        for seat in held where !trip.seats.contains(seat) { trip.seats.append(seat) }
        put(trip)
    }

    /// Seats that were swapped away on `flight` and not returned since.
    func swappedAway(on flight: FlightName) -> [Seat] {
        let names = self[flight].map { [$0.flight] + $0.aliases } ?? [flight]
        return history.reversed().reduce(into: []) { away, item in
            guard case .swapped(let note) = item.what, names.contains(item.flight) else { return }
            away.removeAll { note.got.contains($0) }
            away += note.gave.filter { !note.got.contains($0) }
        }
    }

    /// Forgets everything about `flight`; returns whether there was something.
    @discardableResult
    package mutating func forget(_ flight: FlightName) -> Bool {
        let before = history.count
        history.removeAll { $0.flight == flight }
        return history.count < before
    }

    private mutating func remember(_ item: HistoryItem) {
        history.append(item)
        history.sort(by: HistoryItem.isNewer)
        history = Array(history.prefix(Self.historyLimit))
    }

    /// Moves past trips into the history, and removes names of others whose time is up.
    mutating func tidy(at now: UTCTime) {
        for trip in trips {
            guard let end = trip.end, end.seconds + Self.shownFor < now.seconds else { continue }
            trips.removeAll { $0.flight == trip.flight }
            var trip = trip
            trip.moved = nil
            remember(HistoryItem(at: end, flight: trip.flight, what: .flown(trip)))
        }
        // A clock that ran ahead has been corrected.
        for item in history {
            guard case .flown(let trip) = item.what, item.at.seconds + Self.shownFor >= now.seconds
            else { continue }
            history.removeAll { $0 == item }
            if self[trip.flight] == nil { put(trip) }
        }
        for index in history.indices {
            guard case .swapped(var note) = history[index].what, note.namesEnd < now else {
                continue
            }
            note.with = []
            history[index].what = .swapped(note)
        }
    }
}

// MARK: Finding

extension TripBook {
    /// Seconds before departure from which a passenger who starts the program means that flight.
    private static let near: Int64 = 48 * 3600

    /// The first flight that departs soon or whose swaps are open, and that is not over; without a
    /// time, one of today or tomorrow. `today` gives the day at an airport.
    package func boarding(at now: UTCTime, today: (String) -> FlightDate?) -> Trip? {
        trips.first { trip in
            if let window = TripTimes(trip).window {
                let first = min(window.opens.seconds, window.departs.seconds - Self.near)
                return first <= now.seconds && now < window.closes
            }
            guard let here = today(trip.flight.origin), let date = FlightDate(trip.flight.date)
            else { return false }
            return 0...1 ~= date.days - here.days
        }
    }

    /// The trip meant by `FR202`, `fr 202`, `FR202/2026-03-05` or a whole name. Throws
    /// `no-such-flight`, `ambiguous` with the list, or `usage` for an invalid number.
    package func find(_ word: String) throws(UserError) -> Trip {
        let words = FlightWords(word)
        let reading: FlightNumber.Reading
        do throws(FlightNumberRefusal) {
            reading = try FlightNumber.read(words.number)
        } catch {
            throw UserError(
                .usage, "\"\(visible(word, cells: 60))\" is not a flight of your list",
                why: error.why, advice: "seatagent flights")
        }
        if let stray = words.stray {
            throw UserError(
                .usage, "\"\(visible(word, cells: 60))\" is not a flight of your list",
                why: "\"\(visible(stray, cells: 40))\" is neither its date nor an airport of it",
                advice: "seatagent flights")
        }
        let found = trips.filter { trip in
            ([trip.flight] + trip.aliases).contains { words.fit($0, reading.number) }
                && (words.airports.count < 2 || trip.to ?? words.airports[1] == words.airports[1])
        }
        guard let trip = found.first else {
            throw UserError(
                .noSuchFlight, "\(reading.number.text) is not in your list",
                why: trips.contains { $0.flight.designator == reading.number.designator }
                    ? "it is there on another day, or between other airports"
                    : trips.isEmpty ? "your list is empty" : nil,
                advice: "seatagent flights")
        }
        guard found.count == 1 else {
            throw UserError(
                .ambiguous, "your list has \(reading.number.text) \(found.count) times",
                why: found.map(\.flight.text).joined(separator: ", "),
                advice: "seatagent flight show \(trip.flight.text)")
        }
        return trip
    }
}
