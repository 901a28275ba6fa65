// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What a passenger says of their own party: private, in the flight's file on this machine and
/// nowhere else.
///
/// It never goes to a peer, in no frame and by no other answer than silence would give.
package struct Party: Hashable, Sendable {
    /// A fact about whoever sits in a seat.
    package enum Fact: String, CaseIterable, Hashable, Sendable {
        /// May sit in an exit row, and wants to: see ``SeatRules/exitWords``.
        case exit
        /// Under twelve.
        case child
        /// Holds an infant on the lap.
        case infant
        /// Needs somebody beside: the seat of ``Member/with``, or any of the party.
        case helped
        /// The airline has not given the seat yet: standby, or not checked in.
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
    package struct Member: Hashable, Sendable {
        /// The seat, as it is now.
        package var seat: Seat
        /// In the order of ``Fact``.
        package var facts: [Fact]
        /// The seat of whoever has to be beside; `nil` for any grown-up of the party.
        package var with: Seat?

        /// Whoever sits in `seat`, and the seat of whoever has to be beside.
        package init(seat: Seat, facts: Set<Fact>, with: Seat? = nil) {
            self.seat = seat
            self.facts = Fact.allCases.filter(facts.contains)
            self.with = with
        }

        func has(_ fact: Fact) -> Bool { facts.contains(fact) }

        /// Cannot be alone.
        package var isCaredFor: Bool { has(.child) || has(.helped) }

        /// `exit paid with=14C`: how the store keeps it.
        package var text: String {
            (facts.map(\.rawValue) + [with.map { "with=\($0.text)" }].compactMap(\.self))
                .joined(separator: " ")
        }

        /// Reads ``text``; words of a later version are left out.
        package init(seat: Seat, text: String) {
            let words = text.split(separator: " ").map(String.init)
            let with = words.first { $0.hasPrefix("with=") }.flatMap {
                Seat(String($0.dropFirst(5)))
            }
            self.init(seat: seat, facts: Set(words.compactMap(Fact.init(rawValue:))), with: with)
        }
    }

    /// Who has facts, sorted by seat.
    package private(set) var members: [Member] = []

    /// Nothing is known.
    package init() {}

    /// These, the last of two for one seat.
    package init(_ members: [Member]) { for member in members { set(member) } }

    /// Keeps what is said of a seat, and nothing where there is nothing to say.
    package mutating func set(_ member: Member) {
        members.removeAll { $0.seat == member.seat }
        guard !member.facts.isEmpty || member.with != nil else { return }
        members.append(member)
        members.sort { $0.seat < $1.seat }
    }

    /// Whoever sits in `seat`, of all the own ones. Who speaks for one seat only means themselves,
    /// wherever the airline has put them since.
    package func member(in seat: Seat, of mine: [Seat]) -> Member {
        if let member = members.first(where: { $0.seat == seat }) { return member }
        if mine == [seat], members.count == 1 {
            return Member(seat: seat, facts: Set(members[0].facts))
        }
        return Member(seat: seat, facts: [])
    }

    /// Seats that are named here and are not those of the party any more, as where the
    /// airline moved people: nobody knows of whom it is true now. Who speaks for one
    /// seat only takes it along.
    package func lost(mine: [Seat], among tokens: [TokenState]) -> [Seat] {
        if members.count == 1, Set(mine).count == 1 { return [] }
        let seats = members.map(\.seat).filter { !mine.contains($0) }
        let withs = members.compactMap(\.with).filter { with in
            !mine.contains(with) && !tokens.contains { $0.seat == with && !$0.ended }
        }
        return Set(seats + withs).sorted()
    }

    /// Everybody moves with the swap: in the order of seats, as ``SeatRules`` supposes it.
    package mutating func move(_ places: [Seat: Seat]) {
        members = members.map { member in
            var moved = member
            moved.seat = places[member.seat] ?? member.seat
            moved.with = member.with.map { places[$0] ?? $0 }
            return moved
        }
        .sorted { $0.seat < $1.seat }
    }
}
