// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Who may be asked for what, from logs.
@Suite struct SceneTests {
    var a = Traveller(1)
    var b = Traveller(2)
    var c = Traveller(3)
    let sa: Slot
    let sb: Slot
    let tag = ThreadID(high: 1, low: 1)
    let cabin = MatchCabin([
        MatchCabin.Row(number: 1, blocks: SeatedCabin.blocks("ABC DEF")),
        MatchCabin.Row(number: 2, blocks: SeatedCabin.blocks("ABC DEF")),
    ])

    init() {
        sa = a.claim("1A")
        sb = b.claim("2B")
    }

    func scene(_ facts: MatchFacts = .none, _ travellers: Traveller...) -> MatchScene {
        let known = Known(travellers.map(\.log))
        return MatchScene.own(Fold.fold(known), wishes(known), facts, cabin: cabin)
    }

    func wishes(_ known: Known) -> [StatedWish] {
        known.logs.compactMap { log in
            log.entries.reversed().lazy.compactMap { entry -> StatedWish? in
                guard case .wish(let wish) = entry.body else { return nil }
                return StatedWish(author: log.author, wish: wish)
            }.first
        }
    }

    func free(_ scene: MatchScene) -> [String] {
        scene.people.filter(\.isFree).map(\.seat.text)
    }

    @Test mutating func whoSaysNothingIsAskedForLikeForLike() {
        #expect(free(scene(.none, a, b)) == ["1A", "2B"])
        b.append(.wish(Wish(offered: [], ranks: [], asks: .nothing, tag: tag)))
        #expect(free(scene(.none, a, b)) == ["1A"])
        b.append(.wish(Wish(offered: [], ranks: [], asks: .anything, tag: tag)))
        #expect(free(scene(.none, a, b)) == ["1A", "2B"], "the last wish counts")
    }

    /// Like for like is what others are asked for: the own party says itself what it wants.
    @Test func theOwnPartyGainsNothingByAnEqualSeat() {
        var aboard = SeatedCabin("ABC DEF", rows: 2)
        aboard.party("1A")
        aboard.sit("2A", "bo")
        let own = aboard.own
        #expect(own.gain(of: 1, in: 0) == 0 && own.gain(of: 0, in: 1) == nil)
    }

    @Test mutating func ranksAreForWhatIsOffered() {
        let second = b.claim("2C")
        let set = SeatedCabin.set("1A")
        b.append(.wish(Wish(offered: [second.token], ranks: [set], asks: .alike, tag: tag)))
        let scene = scene(.none, a, b)
        #expect(scene.people.map(\.ranks) == [[], [], [set]])
        // Who holds two seats may have somebody in one of them: what is not offered stays.
        #expect(free(scene) == ["1A", "2C"])
    }

    @Test mutating func aDependantKeepsAllSeatsOfTheirHolder() {
        let child = c.claim("1C", dependant: true)
        #expect(free(scene(.none, a, c)) == ["1A"])
        c.append(.wish(Wish(offered: [child.token], ranks: [], tag: tag)))
        #expect(free(scene(.none, a, c)) == ["1A", "1C"])
    }

    @Test mutating func boundDisputedAndStaleSeatsStay() {
        let sc = c.claim("1C")
        let contract = Contract.of([(sa, from: a, to: b), (sb, from: b, to: a)])
        a.yes(contract)
        #expect(free(scene(.none, a, b, c)) == ["1C", "2B"])
        var d = Traveller(4)
        _ = d.claim("1C")
        #expect(free(scene(.none, a, b, c, d)) == ["2B"])
        #expect(scene(.none, a, b, c, d).people.map(\.seat.text) == ["1A", "2B"])
        #expect(free(scene(MatchFacts(party: [], stale: [sc.token]), a, b, c)) == ["2B"])
        #expect(free(scene(MatchFacts(party: [], never: [c.key]), a, b, c)) == ["2B"])
    }

    @Test mutating func whoSwappedForASeatKeepsItUnlessTheySayOtherwise() {
        let contract = Contract.of([(sa, from: a, to: b), (sb, from: b, to: a)])
        let votes = [a.yes(contract), b.yes(contract)]
        b.commit(contract.certificate(votes, claims: a.log + b.log))
        _ = c.claim("1C")
        #expect(free(scene(.none, a, b, c)) == ["1C"])
        // The own party may move again.
        #expect(free(scene(MatchFacts(party: [a.key]), a, b, c)) == ["1C", "2B"])
        a.append(.wish(Wish(offered: [sb.token], ranks: [], tag: tag)))
        #expect(free(scene(.none, a, b, c)) == ["1C", "2B"])
        b.append(.wish(Wish(offered: [], ranks: [], asks: .anything, tag: tag)))
        #expect(free(scene(.none, a, b, c)) == ["1A", "1C", "2B"])
    }

    @Test mutating func whoClaimedTheirSeatTwiceGivesItToNobody() {
        let facts = MatchFacts(party: [a.key])
        #expect(free(scene(facts, a, b)) == ["1A", "2B"])
        // One passenger holds it, by two tokens of which one would be left behind.
        _ = a.claim("1A")
        #expect(scene(facts, a, b).people.map(\.seat.text) == ["1A", "2B"])
        #expect(free(scene(facts, a, b)) == ["2B"])
    }

    @Test mutating func whatIsKnownOfASeatIsWhatWasSaidLast() throws {
        let (mine, other) = (try #require(Seat("1A")), try #require(Seat("2B")))
        let (first, last) = (SeatedCabin.set("2A"), SeatedCabin.set("2C"))
        let facts = MatchFacts(
            party: [a.key],
            ranks: [
                .init(seat: mine, ranks: [first]), .init(seat: mine, ranks: [last]),
                .init(seat: other, ranks: [first]),
            ],
            needs: [
                .init(seat: mine, needs: MatchNeeds()),
                .init(seat: mine, needs: MatchNeeds(isHelped: true, with: other)),
                .init(seat: other, needs: MatchNeeds(mayExit: true)),
            ])
        let scene = scene(facts, a, b)
        #expect(scene.people.map(\.ranks) == [[last], []])
        #expect(scene.people[0].needs == MatchNeeds(isHelped: true, with: other))
        #expect(scene.people[1].needs == MatchNeeds() && scene.own == [0])
        // Whoever looks after one of the party stays, and so does who cannot answer.
        #expect(free(scene) == ["1A"])
        let absent = MatchFacts(party: [a.key, b.key], absent: [b.key])
        #expect(free(self.scene(absent, a, b)) == ["1A"])
    }

    @Test mutating func aSeatThatTheCabinLacksStays() {
        _ = c.claim("3A")
        #expect(free(scene(.none, a, b, c)) == ["1A", "2B"])
    }

    @Test mutating func onlyOthersAreKeptFromAsking() throws {
        let seat = try #require(Seat("1A"))
        a.append(.wish(Wish(offered: [], ranks: [], asks: .nothing, tag: tag)))
        let facts = MatchFacts(
            party: [a.key], ranks: [.init(seat: seat, ranks: [.all])],
            needs: [.init(seat: seat, needs: MatchNeeds(mayExit: true))])
        let scene = scene(facts, a, b)
        #expect(free(scene) == ["1A", "2B"])
        #expect(scene.people[0].ranks == [.all] && scene.people[0].needs.mayExit)
        #expect(scene.own == [0])
    }

    @Test mutating func theCommonSceneHasPublicWishesOnly() {
        let known = Known(of: a, b)
        #expect(MatchScene.common(Fold.fold(known), wishes(known)).people.isEmpty)
        a.append(.wish(Wish(offered: [sa.token], ranks: [.all], asks: .alike, tag: tag)))
        let more = Known(of: a, b)
        let common = MatchScene.common(Fold.fold(more), wishes(more))
        #expect(common.people.map(\.seat.text) == ["1A"])
        #expect(common.people[0].place == nil && common.people[0].isFree)
    }

    @Test func aCabinSaysWhatIsBesideWhat() throws {
        func place(_ text: String) throws -> MatchCabin.Place {
            try #require(Seat(text).flatMap(cabin.place))
        }
        let (a, b, c) = (try place("1A"), try place("1B"), try place("1C"))
        let (d, e, behind) = (try place("1D"), try place("1E"), try place("2C"))
        #expect([a, b, c].map(\.kind) == [.window, .middle, .aisle])
        #expect(d.kind == .aisle && e.kind == .middle)
        #expect(a.touches(b) && !a.touches(c) && !c.touches(d))
        #expect(a.reaches(c) && !c.reaches(d) && !a.reaches(a))
        #expect(c.isNear(d) && c.isNear(behind) && b.isNear(behind) && !a.isNear(behind))
    }
}
