// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// However many people there are and whatever they wish, a search ends within its steps.
@Suite struct MatchBoundsTests {
    /// A cabin of `count` people of whom `own` are one party in the last seats; each has the ranks
    /// of `wish`.
    private static func crowd(
        _ count: Int, own: Int = 2, wish: (Seat) -> [SeatSet]
    ) -> SeatedCabin {
        var aboard = SeatedCabin("ABC DEF", rows: (count + 5) / 6)
        let seats = MatchCabin(aboard.rows).places.map(\.seat).prefix(count)
        for (index, seat) in seats.enumerated() {
            var person = SeatedCabin.Passenger(name: "p\(index)", seat: seat)
            person.isOwn = index % 7 == 6 && index / 7 < own
            person.ranks = person.isOwn ? [] : wish(seat)
            aboard.people.append(person)
        }
        return aboard
    }

    /// Everybody would like every seat of the other side better than their own: no order among them
    /// helps a search.
    private static func otherSide(_ seat: Seat) -> [SeatSet] {
        [SeatedCabin.set(seat.column < 3 ? "DEF" : "ABC"), .all]
    }

    /// The same in blocks as small and as many as a set can have, in as many sets as a wish can.
    private static func slowly(_ seat: Seat) -> [SeatSet] {
        func columns(_ range: Range<Int>) -> [SeatSet.Block] {
            range.map { SeatSet.Block(columns: 1 << $0, first: 1, last: 255) }
        }
        let side = columns(seat.column < 3 ? 3..<6 : 0..<3) + columns(6..<19)
        let (nothing, all) = (SeatSet(columns(10..<26)), SeatSet(columns(0..<16)))
        return [nothing, SeatSet(side), nothing, all].compactMap(\.self)
    }

    @Test func wishesOfAsManyAuthorsAsThereMayBe() {
        let aboard = Self.crowd(Limits.authors, wish: Self.otherSide)
        let search = RingSearch(aboard.common, steps: 30_000)
        // Listing all, listing some for each, and choosing have as many each.
        #expect(search.steps.taken < 3 * 30_000 + 2 * Limits.authors && !search.isBest)
        #expect(search.rings.count > 10)
        // So many are compared, each of them.
        #expect(aboard.own.people.count == Limits.authors && !aboard.own.isCut)
        var plans = PlanSearch(aboard.own, steps: MatchSteps(limit: 3000))
        plans.seatParty()
        #expect(plans.steps.taken < 3000 + Limits.authors / 32)
        #expect(plans.found.first?.standing.together.degree == .block)
    }

    @Test func seatSetsMadeToBeSlowTakeNoMoreSteps() {
        let plain = Self.crowd(240, wish: Self.otherSide)
        let slow = Self.crowd(240, wish: Self.slowly)
        #expect(slow.people[0].ranks.map(\.blocks.count) == [16, 16, 16, 16])
        let (one, other) = (
            RingSearch(plain.common, steps: 20_000), RingSearch(slow.common, steps: 20_000)
        )
        #expect(one.steps == other.steps)
        #expect(one.rings.map(\.legs) == other.rings.map(\.legs))
        var (mine, theirs) = (PlanSearch(plain.own), PlanSearch(slow.own))
        mine.seatParty()
        theirs.seatParty()
        #expect(mine.steps == theirs.steps && !mine.steps.isOver)
        #expect(mine.found.map(\.legs) == theirs.found.map(\.legs))
    }

    /// All rings hang together, so the exact choice has one component with everybody in it.
    @Test func ringsThatAllHangTogetherAreChosenWithinTheSteps() {
        let aboard = Self.crowd(96, own: 0, wish: Self.otherSide)
        let search = RingSearch(aboard.common, steps: 20_000)
        #expect(search.steps.taken < 3 * 20_000 + 96)
        #expect(search.rings.reduce(0) { $0 + $1.standing.helped } > 80)
    }

    @Test func aCrowdHasOneSeatOfEachHolderBeforeTheSecondOfAny() {
        // Somebody claims two hundred seats from the nose on, more than there is room for.
        var aboard = Self.crowd(Limits.authors + 170, wish: { _ in [.all] })
        for index in aboard.people.indices.prefix(200) where !aboard.people[index].isOwn {
            aboard.people[index].name = "greedy"
        }
        let scene = aboard.own
        let names = Set(aboard.people.map(\.name))
        #expect(scene.people.count == MatchScene.most && scene.own.count == 2 && scene.isCut)
        #expect(Set(scene.people.map(\.holder)) == Set(names.map(SeatedCabin.key)))
        #expect(scene.people.map(\.seat) == scene.people.map(\.seat).sorted())
        let greedy = SeatedCabin.key(of: "greedy")
        #expect(scene.people.count { $0.holder == greedy } == MatchScene.most - names.count + 1)
        // Of their seats those that may move come first.
        for index in aboard.people.indices where aboard.people[index].name == "greedy" {
            aboard.people[index].isFree = index == 150
        }
        let kept = aboard.own.people.first { $0.holder == greedy && $0.isFree }
        #expect(kept?.seat == aboard.people[150].seat)
        var random = SeededRandom(seed: 1)
        let before = aboard.own
        aboard.people.shuffle(using: &random)
        #expect(aboard.own == before, "whoever came first makes no difference")
    }

    /// A party that cannot sit together has many shapes to try: parts of it are looked at too.
    @Test func shapesOfAllLeaveStepsForParts() {
        var aboard = Self.crowd(120, own: 0, wish: { _ in [.all] })
        for index in stride(from: 1, to: 120, by: 11) {
            // Twelve with one agent: more would have to move than may be in a contract.
            aboard.people[index].name = "me"
            aboard.people[index].isOwn = true
            aboard.people[index].ranks = []
        }
        var plans = PlanSearch(aboard.own, steps: MatchSteps(limit: 4000))
        plans.seatParty()
        #expect(plans.isCut)
        #expect((plans.found.first?.standing.together.count ?? 0) > 2)
    }
}
