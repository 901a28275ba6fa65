// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import Protocol
package import Text

/// What `up FR202` takes from the list: values for options that were not typed.
package struct TripStart: Hashable, Sendable {
    /// The options of `up`, by name.
    package var values: [String: [String]]
    /// What to tell the person, one line each.
    package var remarks: [String] = []

    /// The options `given` and the flight that `words` names, completed from the list. Throws what
    /// people should be told.
    ///
    /// A whole name (`FR202/2026-03-05/DUB`) need not be in the list, and an unreadable list keeps
    /// nobody from boarding; anything shorter must be in the list.
    ///
    /// Of the list's seats, only the first is claimed, which is the passenger's own; with `party`,
    /// as many as an agent can claim.
    package static func fill(
        _ given: [String: [String]], words: [String], party: Bool = false,
        list: () throws(UserError) -> TripBook
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
            let book = try list()
            let trip = try book.find(typed)
            start.take(trip, as: trip.name(typed), book.swappedAway(on: trip.flight), party)
            return start
        }
        start.values["flight"] = [words.isEmpty ? typed : whole.text]
        do throws(UserError) {
            let book = try list()
            guard let trip = book[whole] else { return start }
            start.take(trip, as: whole, book.swappedAway(on: trip.flight), party)
        } catch {
            start.remarks.append("\(error.what): \(error.why ?? "")")
        }
        return start
    }

    /// The flight of a text with number, date and airport; `nil` for a shorter one.
    private static func wholeName(_ text: String) throws(UserError) -> FlightName? {
        let pieces = FlightWords(text)
        guard let date = pieces.date, let origin = pieces.airports.first else { return nil }
        let name = try FlightText.read("\(pieces.number)/\(date)/\(origin)").flight
        guard let stray = pieces.stray else { return name }
        throw UserError(
            .usage, "\"\(visible(text, cells: 60))\" is not a flight",
            why: "\"\(visible(stray, cells: 40))\" is neither its date nor an airport of it",
            advice: "seatagent up \(name.text)")
    }

    /// A passenger who joins by a partner's number meets those who use that number.
    private mutating func take(
        _ trip: Trip, as name: FlightName, _ away: [Seat], _ party: Bool
    ) {
        values["flight"] = [name.text]
        offer("alias", ([trip.flight] + trip.aliases).filter { $0 != name }.map(\.text))
        let times = TripTimes(trip)
        if name != trip.flight {
            let own = Trip.number(of: trip.flight)
            remarks.append(
                "\(own) of your list, as \(Trip.number(of: name)): you meet those who call it so.")
            // What is known about the operating airline applies under every number.
            if times.departs != nil { offer("opens-before", ["\(times.opening.lead)s"]) }
        }
        takeSeats(trip, away, party)
        takeTimes(trip, times)
        for seat in trip.waiting where values["seat"]?.contains(seat.text) == true {
            remarks.append(
                "The pass of \(seat.text) said standby or not checked in. While that is so: "
                    + "seatagent needs \(seat.text) standby")
        }
    }

    private mutating func takeSeats(_ trip: Trip, _ away: [Seat], _ party: Bool) {
        guard values["seat"] == nil else { return }
        let gone = trip.seats.filter(away.contains)
        if !gone.isEmpty {
            remarks.append(
                "Swapped away, and so not claimed: \(SwapNote.list(gone)). --seat claims it all "
                    + "the same.")
        }
        let own = trip.seats.filter { !gone.contains($0) }
        let claimed = own.prefix(party ? Limits.liveClaims : 1)
        offer("seat", claimed.map(\.text))
        let left = Array(own.dropFirst(claimed.count))
        guard !left.isEmpty else { return }
        remarks.append(
            party
                ? "One agent speaks for \(Limits.liveClaims) seats: another one of your party can "
                    + "speak for \(SwapNote.list(left))."
                : "\(SwapNote.list(left)): for the agents of your party. To speak for all of them: "
                    + "seatagent up \(trip.flight.text) --party")
    }

    private mutating func takeTimes(_ trip: Trip, _ times: TripTimes) {
        if values["departs"] == nil {
            guard let departs = times.departs else {
                remarks += [times.missing(trip)].compactMap { $0 }
                return
            }
            values["departs"] = [RFC3339.text(departs)]
            offer("arrives", times.arrives.map { [RFC3339.text($0)] } ?? [])
        }
        // If the passenger set nothing, the agent knows the airline itself.
        offer("opens-before", trip.opensBefore.map { ["\($0)s"] } ?? [])
    }

    private mutating func offer(_ option: String, _ known: [String]) {
        if values[option] == nil, !known.isEmpty { values[option] = known }
    }
}

extension Trip {
    /// Its name under the number that was typed, or its own name if that fits.
    func name(_ word: String) -> FlightName {
        let words = FlightWords(word)
        guard let number = try? FlightNumber.read(words.number).number else { return flight }
        return ([flight] + aliases).first { words.fit($0, number) } ?? flight
    }
}

extension TripTimes {
    /// Why it is unknown when swaps open, and what to do about it; `nil` if it is known.
    package func missing(_ trip: Trip) -> String? {
        switch departure {
        case .known: nil
        case .unknown(.time):
            "Its time of departure is not known, so swaps are open at any time: "
                + "seatagent flight change \(trip.flight.text) --departs 06:30"
        case .unknown(.airport(let code)):
            "The clock at \(code) is not known, so swaps are open at any time: seatagent up "
                + "\(trip.flight.text) --departs \(trip.flight.date)T06:30:00Z says when, in UTC"
        case .unknown(.zone(let zone)):
            "This machine does not know the time zone \(visible(zone)), so swaps are open at any "
                + "time: sudo apt install tzdata"
        }
    }
}
