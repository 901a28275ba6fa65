// SPDX-License-Identifier: Apache-2.0
/// What has to be right about whoever sits in a seat of the own party. Others never see it.
package struct MatchNeeds: Hashable, Sendable {
    /// Under twelve.
    package let isChild: Bool
    /// Needs somebody beside them.
    package let isHelped: Bool
    /// The seat of whoever has to sit beside them; `nil` for any grown-up of the party.
    package let with: Seat?
    /// May sit in an exit row, and wants to.
    package let mayExit: Bool

    /// Whether they cannot be left alone.
    package var isCaredFor: Bool { isChild || isHelped }

    /// Needs; without arguments none.
    package init(
        isChild: Bool = false, isHelped: Bool = false, with: Seat? = nil, mayExit: Bool = false
    ) {
        self.isChild = isChild
        self.isHelped = isHelped
        self.with = with
        self.mayExit = mayExit
    }
}

/// Who sits where, and what each of them would take for it: all that a search looks at.
package struct MatchScene: Hashable, Sendable {
    /// Whoever sits in a seat that somebody holds.
    package struct Person: Hashable, Sendable {
        /// The tenure of their seat.
        package let slot: Slot
        /// Their seat.
        package let seat: Seat
        /// Who holds it.
        package let holder: PeerKey
        /// The holder as a number: people with one holder have one.
        package let unit: Int
        /// Where the seat is; `nil` without a cabin.
        package let place: MatchCabin.Place?
        /// What they would take for it, the best first; empty for like for like.
        package let ranks: [SeatSet]
        /// Whether a search may move them: not where it is disputed, bound or not asked for.
        package let isFree: Bool
        /// Whether they are of the own party.
        package let isOwn: Bool
        /// What has to be right; none for others.
        package let needs: MatchNeeds

        /// Somebody in `seat`.
        package init(
            slot: Slot, seat: Seat, holder: PeerKey, unit: Int, place: MatchCabin.Place? = nil,
            ranks: [SeatSet] = [], isFree: Bool = true, isOwn: Bool = false,
            needs: MatchNeeds = MatchNeeds()
        ) {
            self.slot = slot
            self.seat = seat
            self.holder = holder
            self.unit = unit
            self.place = place
            self.ranks = ranks
            self.isFree = isFree
            self.isOwn = isOwn
            self.needs = needs
        }

        /// The place of `seat` in the order of their wishes, 0 for the best.
        package func rank(of seat: Seat) -> Int {
            ranks.firstIndex { $0.contains(seat) } ?? ranks.count
        }
    }

    /// Sorted by seat; nobody sits in a seat with somebody else.
    package let people: [Person]
    /// The indexes of the own party in ``people``.
    package let own: [Int]
    /// Whether there were more people than a search looks at.
    package let isCut: Bool

    /// At most so many people, because a search compares each with each: room for the seat of every
    /// author whose log is kept.
    package static let most = Limits.authors

    /// A scene of `people`; of two in one seat the first stays. Of more than ``most`` the own party
    /// stays, and one seat of each holder before the second of any.
    package init(_ people: [Person]) {
        var people = people.sortedOnce { $0.seat < $1.seat }
        isCut = people.count > Self.most
        if isCut {
            people = Self.fewest(people).sorted { $0.seat < $1.seat }
        }
        self.people = people
        own = people.indices.filter { people[$0].isOwn }
    }

    /// The own party, then one seat of each holder, then the next of each, so that nobody takes the
    /// room of others by claiming many. Of one holder those come first who may move, then those
    /// with ranks.
    private static func fewest(_ people: [Person]) -> ArraySlice<Person> {
        func worth(_ person: Person) -> Int {
            (person.isFree ? 0 : 2) + (person.ranks.isEmpty ? 1 : 0)
        }
        let sorted = people.sorted { one, other in
            (one.unit, worth(one), one.seat) < (other.unit, worth(other), other.seat)
        }
        var turn = 0
        let turns = sorted.indices.map { index in
            let isNext = index > 0 && sorted[index].unit == sorted[index - 1].unit
            turn = isNext ? turn + 1 : 0
            return sorted[index].isOwn ? -1 : turn
        }
        let order = sorted.indices.sorted { one, other in
            (turns[one], worth(sorted[one]), one) < (turns[other], worth(sorted[other]), other)
        }
        return order.map { sorted[$0] }.prefix(most)
    }

    /// How much better `person` is off in the seat of `other`, in ranks: 0 for as good, `nil` for
    /// worse or what nobody may ask them for. Each person's own order decides: ranks where given;
    /// without, like for like.
    package func gain(of person: Int, in other: Int) -> Int? {
        let mover = people[person]
        return gain(
            of: person, in: other,
            ranks: (mover.rank(of: mover.seat), mover.rank(of: people[other].seat)))
    }

    /// The same where the ranks of both seats are known already.
    func gain(of person: Int, in other: Int, ranks: (old: Int, new: Int)) -> Int? {
        let (mover, target) = (people[person], people[other])
        guard mover.isFree, target.isFree, mover.unit != target.unit, isOpen(target, to: mover)
        else { return nil }
        if mover.ranks.isEmpty { return isLike(mover, target) ? 0 : nil }
        return ranks.new < mover.ranks.count && ranks.new <= ranks.old
            ? ranks.old - ranks.new : nil
    }

    /// No class is crossed, and an exit row is only for whoever named it.
    private func isOpen(_ target: Person, to mover: Person) -> Bool {
        guard let old = mover.place, let new = target.place else {
            // Without a cabin only ranks that are given count.
            return !mover.ranks.isEmpty
        }
        guard old.compartment == new.compartment else { return false }
        guard new.isExit else { return true }
        return mover.isOwn ? mover.needs.mayExit : !mover.ranks.isEmpty
    }

    /// A window for a window, an aisle for an aisle, and a middle seat for anything; in no worse
    /// part of the cabin.
    private func isLike(_ mover: Person, _ target: Person) -> Bool {
        guard !mover.isOwn, let old = mover.place, let new = target.place else { return false }
        return (old.kind == new.kind || old.kind == .middle) && new.section <= old.section
    }

    /// The same people, of whom those with one of `slots` stay where they are.
    func freezing(_ slots: [Slot]) -> MatchScene {
        let sorted = slots.sorted()
        return MatchScene(
            people.map { person in
                guard sorted.position(of: person.slot, by: { $0 }) != nil else { return person }
                return Person(
                    slot: person.slot, seat: person.seat, holder: person.holder,
                    unit: person.unit, place: person.place, ranks: person.ranks, isFree: false,
                    isOwn: person.isOwn, needs: person.needs)
            })
    }
}
