// SPDX-License-Identifier: Apache-2.0
import Aviation
package import Protocol
package import Text

/// What goes along from a flight that was cancelled or changed to the one that takes its place. It
/// waits in the trip until an agent on the new flight has taken it.
package struct MovedTrip: Hashable, Sendable {
    /// The flight before.
    package var from: FlightName
    /// The secret of the party.
    package var party: PartySecret?
    /// The own wish.
    package var wish: MovedWish?

    /// What goes along from `from`.
    package init(from: FlightName, party: PartySecret? = nil, wish: MovedWish? = nil) {
        self.from = from
        self.party = party
        self.wish = wish
    }

    /// Whether nothing waits for an agent.
    package var isTaken: Bool { party == nil && wish == nil }
}

/// A wish in words that say something in any cabin; passengers in it are names.
package struct MovedWish: Hashable, Sendable {
    /// As people type it; empty for none.
    package var words = ""
    /// Whether only a better seat than the present one is taken.
    package var stays = false
    /// Whether it stays on this device.
    package var isPrivate = false
    /// Whether own seats were offered for it.
    package var offers = false
    /// What others may ask for, as in the record of a wish.
    package var asks = Wish.Asks.alike
    /// A few words for others.
    package var note = ""
    /// What the agent has said of it so far, in the form for the flight's file, while passengers
    /// in it are not aboard yet.
    package var said: String?

    /// Nothing is wished.
    package init() {}
}

extension Trip {
    /// What goes along from this flight to `trip`, of which only what was typed is known. Seats,
    /// cabin and times are those of one aircraft on one day; how long before departure seats open
    /// is the airline's matter.
    package func replaced(by trip: Trip, with moved: MovedTrip) -> Trip {
        var next = trip
        if flight.carrier == trip.flight.carrier {
            next.opensBefore = next.opensBefore ?? opensBefore
        }
        // The same event of a calendar, at another time.
        next.calendar = calendar
        next.moved = moved
        return next
    }
}

extension TripBook {
    /// Puts `trip` in the place of `flight`, in one step. Throws `no-such-flight`, or
    /// `already-so` if the list has another trip with one of the numbers of `trip`.
    package mutating func move(_ flight: FlightName, to trip: Trip) throws(UserError) {
        let old = try listed(flight)
        var next = self
        next.remove(old.flight)
        try next.add(trip)
        self = next
    }

    /// Changes what goes along to `flight`; nothing is remembered of it once all is taken.
    package mutating func settle(
        _ flight: FlightName, _ change: (inout MovedTrip) -> Void
    ) {
        guard var trip = self[flight], var moved = trip.moved else { return }
        change(&moved)
        trip.moved = moved.isTaken ? nil : moved
        put(trip)
    }

    /// The trip to which `words` were moved, if they name a flight that is no longer in the list.
    package func successor(of words: String, at flight: FlightName) -> Trip? {
        let words = FlightWords(words)
        guard let trip = trips.first(where: { $0.flight == flight }), let moved = trip.moved,
            let number = try? FlightNumber.read(words.number).number,
            words.fit(moved.from, number)
        else { return nil }
        return trip
    }
}

// MARK: On disk

extension MovedTrip {
    /// The JSON in the file of the list.
    package var json: JSON {
        .object(present: [
            "from": .string(from.text), "party": party.map { .string($0.code) },
            "wish": wish?.json,
        ])
    }

    /// For scripts: what waits, without what others must not have.
    var shown: JSON {
        [
            "from": .string(from.text), "party": .bool(party != nil), "wish": .bool(wish != nil),
        ]
    }

    /// Reads ``json``; `nil` for anything else.
    package init?(json: JSON) {
        guard let from = json["from"]?.text.flatMap({ FlightName($0) }) else { return nil }
        self.init(from: from)
        if let code = json["party"]?.text {
            guard let secret = try? PartySecret(code: code) else { return nil }
            party = secret
        }
        if let wish = json["wish"], wish != .null {
            guard let read = MovedWish(json: wish) else { return nil }
            self.wish = read
        }
    }
}

extension MovedWish {
    fileprivate var json: JSON {
        .object(present: [
            "words": .string(words), "stay": .bool(stays), "private": .bool(isPrivate),
            "offers": .bool(offers), "asks": .int(asks.rawValue), "note": .string(note),
            "said": said.map(JSON.string),
        ])
    }

    fileprivate init?(json: JSON) {
        guard let words = json["words"]?.text, words.utf8.count <= Limits.wishWords,
            let note = json["note"]?.text, note.utf8.count <= Limits.note,
            let asks = json["asks"]?.number.flatMap({ Wish.Asks(rawValue: $0) }),
            json["said"]?.text?.utf8.count ?? 0 <= Limits.wishWords
        else { return nil }
        self.words = words
        self.note = note
        self.asks = asks
        stays = json["stay"] == .bool(true)
        isPrivate = json["private"] == .bool(true)
        offers = json["offers"] == .bool(true)
        said = json["said"]?.text
    }
}
