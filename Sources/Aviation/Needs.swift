// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What a passenger says about whoever sits in their own seats. It is private: it is stored in the
/// flight's file on this machine and never sent.
///
/// No frame carries it to a peer, and no reply reveals more of it than silence would.
package struct Needs: Hashable, Sendable {
    /// A fact about whoever sits in a seat.
    package enum Fact: String, CaseIterable, Hashable, Sendable {
        /// May sit in an exit row, and wants to; see ``SeatRules/exitWords``.
        case exit
        /// Under twelve.
        case child
        /// Holds an infant on the lap.
        case infant
        /// Needs somebody beside them: the passenger in ``Person/with``, or any of the own.
        case helped
        /// Has no seat from the airline yet: on standby, or not checked in.
        case standby
        /// The seat was paid for.
        case paid

        /// For people.
        package var words: String {
            switch self {
            case .exit: "may sit in an exit row"
            case .child: "under twelve"
            case .infant: "has an infant on the lap"
            case .helped: "needs a helper beside"
            case .standby: "standby or not checked in"
            case .paid: "the seat was paid for"
            }
        }
    }

    /// Whoever sits in one of the own seats.
    package struct Person: Hashable, Sendable {
        /// The seat, as it is now.
        package var seat: Seat
        /// In the order of ``Fact``.
        package var facts: [Fact]
        /// The seat of whoever has to sit beside them; `nil` for any adult of the own.
        package var with: Seat?

        /// A person in `seat`, and the seat of whoever has to sit beside them.
        package init(seat: Seat, facts: Set<Fact>, with: Seat? = nil) {
            self.seat = seat
            self.facts = Fact.allCases.filter(facts.contains)
            self.with = with
        }

        func has(_ fact: Fact) -> Bool { facts.contains(fact) }

        /// Whether they cannot be left alone.
        package var isCaredFor: Bool { has(.child) || has(.helped) }

        /// `exit paid with=14C`, as the store keeps it.
        package var text: String {
            (facts.map(\.rawValue) + [with.map { "with=\($0.text)" }].compactMap(\.self))
                .joined(separator: " ")
        }

        /// Reads ``text``, ignoring words of a later version.
        package init(seat: Seat, text: String) {
            let words = text.split(separator: " ").map(String.init)
            let with = words.first { $0.hasPrefix("with=") }.flatMap {
                Seat(String($0.dropFirst(5)))
            }
            self.init(seat: seat, facts: Set(words.compactMap(Fact.init(rawValue:))), with: with)
        }
    }

    /// The people with facts, sorted by seat.
    package private(set) var people: [Person] = []

    /// Nothing is said of anybody.
    package init() {}

    /// What is said of these people; the last of two for one seat counts.
    package init(_ people: [Person]) { for person in people { set(person) } }

    /// Keeps the facts about a seat, or removes the person if there are none.
    package mutating func set(_ person: Person) {
        people.removeAll { $0.seat == person.seat }
        guard !person.facts.isEmpty || person.with != nil else { return }
        people.append(person)
        people.sort { $0.seat < $1.seat }
    }

    /// The person in `seat`, where `mine` are all own seats. A passenger with a single seat can
    /// only mean themselves, wherever the airline has moved them since.
    package func person(in seat: Seat, of mine: [Seat]) -> Person {
        if let person = people.first(where: { $0.seat == seat }) { return person }
        if mine == [seat], people.count == 1 {
            return Person(seat: seat, facts: Set(people[0].facts))
        }
        return Person(seat: seat, facts: [])
    }

    /// Seats named here that are no longer own seats, for example because the airline moved
    /// people: nobody knows whom the facts are about now. A passenger with a single seat takes the
    /// facts along.
    package func lost(mine: [Seat], among tokens: [TokenState]) -> [Seat] {
        if people.count == 1, Set(mine).count == 1 { return [] }
        let seats = people.map(\.seat).filter { !mine.contains($0) }
        let withs = people.compactMap(\.with).filter { with in
            !mine.contains(with) && !tokens.contains { $0.seat == with && !$0.ended }
        }
        return Set(seats + withs).sorted()
    }

    /// Moves everybody with a swap, in the order of seats, as ``SeatRules`` assumes.
    package mutating func move(_ places: [Seat: Seat]) {
        people = people.map { person in
            var moved = person
            moved.seat = places[person.seat] ?? person.seat
            moved.with = person.with.map { places[$0] ?? $0 }
            return moved
        }
        .sorted { $0.seat < $1.seat }
    }
}
