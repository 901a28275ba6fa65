// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (desk, bo, cy, dee) = (
    MadeUpAsks.desk, FakeSigner(2), FakeSigner(3), FakeSigner(4)
)
private let (first, second) = (LinkID(1), LinkID(2))

/// What others say waits behind little of its kind, so that nobody's own business waits behind what
/// made-up keys ask (docs/protocol.md section 7).
@Suite("Room for what others say") struct HearsayRoomTests {

    private func at(_ seconds: Int64) -> Moment { MadeUpVenue.moment(seconds) }

    private func asks(of signer: FakeSigner) -> Asks {
        var asks = Asks(
            [], gathering: MadeUpVenue.gathering.id, signer: signer,
            primitives: FakePrimitives(), at: at(0))
        for (id, peer) in [(first, bo), (second, cy)] {
            _ = asks.handle(.connected(id, peer.key), at: at(0))
            _ = asks.handle(.opened(id), at: at(0))
        }
        return asks
    }

    private func ledgers(members: [PeerKey] = []) -> Asks.Event {
        .ledgers(LedgerNews(isAnew: false, desk: desk.key, members: members))
    }

    private enum Way { case own, members, hearsay }

    /// As what a statement goes to a link; `nil` if it does not go there.
    private func way(
        _ statement: VenueStatement, _ effects: PartEffects, on link: LinkID
    ) -> Way? {
        for (id, event) in effects.sessions where id == link {
            switch event {
            case .send(.venue(.statement(statement))): return .own
            case .passOn(.venue(.statement(statement)), let isMember):
                return isMember ? .members : .hearsay
            default: continue
            }
        }
        return nil
    }

    // MARK: Queues

    @Test("So much of each kind waits on a connection, beside all else, and then it is left out")
    func queue() throws {
        var queues = SendQueues()
        let hearsay = Message.venue(.statement(MadeUpAsks.book(dee, 1)))
        let size = hearsay.encode().count
        func fill(_ queues: inout SendQueues, ofMember isMember: Bool) -> Int {
            var count = 0
            while queues.passOn(hearsay, ofMember: isMember) { count += 1 }
            return count
        }
        #expect(fill(&queues, ofMember: false) == Limits.hearsayCredit / size)
        #expect(fill(&queues, ofMember: true) == Limits.membersCredit / size)
        // What is for the peer, and entries, have their room still.
        let push = Message.entries(
            EntryBatch(kind: .push, entries: [Array(repeating: 1, count: Limits.bulkSlice)]))
        for _ in 0..<Limits.pushCredit / push.encode().count { try queues.add(push) }
        #expect(throws: SendQueues.Refusal.push) { try queues.add(push) }
        try queues.add(hearsay)
        #expect(fill(&queues, ofMember: false) == 0 && fill(&queues, ofMember: true) == 0)
        _ = queues.next()
        #expect(fill(&queues, ofMember: true) == 0 && fill(&queues, ofMember: false) == 1)
        while queues.next() != nil {}
        #expect(queues.bulkRoom == Limits.bulkQueue && queues.isEmpty)
        #expect(fill(&queues, ofMember: true) == Limits.membersCredit / size)
    }

    @Test("It takes no room that bulk does not have")
    func fullBulk() throws {
        var queues = SendQueues()
        let answer = Message.entries(
            EntryBatch(kind: .answer, entries: [Array(repeating: 1, count: Limits.bulkSlice)]))
        while queues.bulkRoom >= answer.encode().count { try queues.add(answer) }
        let hearsay = Message.venue(.statement(MadeUpAsks.book(dee, 1)))
        while queues.passOn(hearsay, ofMember: false) {}
        #expect((0..<hearsay.encode().count).contains(queues.bulkRoom))
    }

    // MARK: Asks

    @Test("An answer goes to whoever asked as their own business, and to others as hearsay")
    func answers() throws {
        var asks = asks(of: desk)
        _ = asks.handle(ledgers(), at: at(0))
        let asked = MadeUpAsks.book(bo, 1)
        let heard = asks.handle(.statement(asked, from: first), at: at(1))
        #expect(way(asked, heard, on: first) == nil)
        #expect(way(asked, heard, on: second) == .hearsay)
        var effects = PartEffects()
        _ = asks.answer(
            asked.id(FakePrimitives()), reason: 14, waiting: 1, &effects, at: at(2))
        let answer = try #require(asks.own.answers.first?.statement)
        #expect(way(answer, effects, on: first) == .own)
        #expect(way(answer, effects, on: second) == .hearsay)
    }

    @Test("What a member asks, and what they are answered, has room of its own")
    func members() throws {
        var asks = asks(of: desk)
        _ = asks.handle(ledgers(members: [dee.key]), at: at(0))
        let asked = MadeUpAsks.book(dee, 1)
        let heard = asks.handle(.statement(asked, from: first), at: at(1))
        #expect(way(asked, heard, on: second) == .members)
        var effects = PartEffects()
        _ = asks.answer(
            asked.id(FakePrimitives()), reason: 14, waiting: 1, &effects, at: at(2))
        let answer = try #require(asks.own.answers.first?.statement)
        #expect(way(answer, effects, on: first) == .members)
    }

    @Test("What one asks oneself is no hearsay")
    func own() throws {
        var asks = asks(of: dee)
        _ = asks.handle(ledgers(), at: at(0))
        var (effects, random) = (PartEffects(), SeededRandom(seed: 1))
        let until = UTCTime(seconds: MadeUpVenue.opens.seconds + 60)
        _ = asks.ask(.withdraw(.zero), until: until, &effects, random: &random, at: at(1))
        let said = try #require(asks.own.asks.first?.statement)
        #expect(way(said, effects, on: first) == .own)
        #expect(way(said, effects, on: second) == .own)
    }

    @Test("Where something was left out the digests follow a second later, and no lists")
    func digestsFollow() {
        var asks = asks(of: desk)
        let effects = asks.handle(.leftOut(first), at: at(1))
        #expect(effects.sessions.isEmpty)
        #expect(asks.handle(.tick, at: at(1)).sessions.isEmpty)
        let later = asks.handle(.tick, at: at(1 + Limits.stayAgain.wholeSeconds))
        #expect(later.sessions.map(\.link) == [first])
        guard case .send(.venue(.askDigests))? = later.sessions.first?.event else {
            return #expect(Bool(false), "digests")
        }
    }

    @Test("Whoever lists what they have gets what members ask first, and all of it")
    func answersToLists() throws {
        var asks = asks(of: desk)
        _ = asks.handle(ledgers(members: [dee.key]), at: at(0))
        let bucket = StatementBuckets.bucket(of: dee.key)
        let strangers = (0..<4000).map { FakeSigner($0, seed: 8) }
            .filter { StatementBuckets.bucket(of: $0.key) == bucket }.prefix(40)
        var all: [VenueStatement] = strangers.map { MadeUpAsks.book($0, 1) }
        all.append(MadeUpAsks.book(dee, 1))
        for (second, ask) in all.enumerated() {
            _ = asks.handle(.statement(ask, from: first), at: at(Int64(second)))
        }
        let list = try #require(AskBook(own: bo.key).list(of: bucket))
        var firsts: Set<PeerKey> = []
        for turn in 0..<4 as Range<Int64> {
            let effects = asks.handle(.list(list, from: second), at: at(100 + 40 * turn))
            let said = effects.sessions.compactMap { _, event -> VenueStatement? in
                guard case .passOn(.venue(.statement(let one)), _) = event else { return nil }
                return one
            }
            #expect(Set(said) == Set(all) && said.count == all.count)
            #expect(said.first?.author == dee.key)
            if said.count > 1 { firsts.insert(said[1].author) }
        }
        // The others begin with another one each time.
        #expect(firsts.count > 1)
    }

    @Test("However much of strangers somebody lacks, there is an answer left for what members say")
    func answersForMembers() throws {
        var asks = asks(of: desk)
        _ = asks.handle(ledgers(members: [dee.key]), at: at(0))
        let bucket = StatementBuckets.bucket(of: dee.key)
        let strangers = (0..<8000).map { FakeSigner($0, seed: 8) }
            .filter { StatementBuckets.bucket(of: $0.key) == bucket }.prefix(80)
        for (second, one) in strangers.enumerated() {
            let ask = MadeUpAsks.book(one, 1)
            _ = asks.handle(.statement(ask, from: first), at: at(Int64(second)))
        }
        let list = try #require(AskBook(own: bo.key).list(of: bucket))
        // 128 lists at once lack more strangers than there are answers.
        var count = 0
        for _ in 0..<Limits.listBurst {
            count += asks.handle(.list(list, from: second), at: at(100)).sessions.count
        }
        #expect(count == Limits.stayAnswers - Limits.answersToMembers)
        var link = StayLink(id: second, peer: cy.key, at: .zero)
        let most = Limits.stayAnswers
        let given = [(most, 1024), (1, 1024), (2000, 0), (1, 0)].map { count, kept in
            link.answer(count, keeping: kept, at: .zero)
        }
        #expect(given == [most - 1024, 0, 1024, 0])
    }

    @Test("Where all parts differ no part is last in every round, so that each is looked at")
    func rounds() throws {
        var link = StayLink(id: first, peer: bo.key, at: .zero)
        let digest = { (byte: UInt8) in FakePrimitives().sha256([byte]) }
        let theirs = Array(repeating: digest(1), count: Limits.stayBuckets)
        let ours = Array(repeating: digest(2), count: Limits.stayBuckets)
        var early: Set<Int> = []
        for round in 0..<200 as Range<Int64> {
            let now = Instant.zero + .seconds(2 * round)
            guard link.told(theirs, at: now) else { return #expect(Bool(false), "not asked") }
            let asked = link.next(ours, at: now) { ($0.bucket, 0, nil) }
            #expect(asked.count == Limits.stayLists)
            // Two a second are looked at.
            early.formUnion(asked.prefix(4))
        }
        #expect(early == Set(0..<Limits.stayBuckets))
    }

    @Test("After a list only what somebody waits for goes on at once")
    func afterALists() throws {
        var asks = asks(of: dee)
        _ = asks.handle(ledgers(members: [cy.key]), at: at(0))
        let digests = Array(repeating: FakePrimitives().sha256([1]), count: Limits.stayBuckets)
        func listed(_ rounds: Int64) -> Asks {
            var asks = asks
            for round in 0..<rounds {
                let now = at(100 - 2 * (rounds - round))
                _ = asks.handle(.digests(digests, from: first), at: now)
                _ = asks.handle(.tick, at: now)
            }
            return asks
        }
        func goesOn(_ statement: VenueStatement) -> Bool {
            // Buckets are listed in turns, so some number of rounds has it within 5 s.
            (5...8 as ClosedRange<Int64>).allSatisfy { rounds in
                var asks = listed(rounds)
                let effects = asks.handle(.statement(statement, from: first), at: at(100))
                return way(statement, effects, on: second) != nil
            }
        }
        let own = MadeUpAsks.book(bo, 1)
        #expect(goesOn(own))
        let fresh = MadeUpAsks.answer(MadeUpAsks.book(cy, 1), at: 90)
        #expect(goesOn(fresh))
        #expect(!goesOn(MadeUpAsks.answer(MadeUpAsks.book(cy, 1), at: 60)))
        #expect(!goesOn(MadeUpAsks.answer(MadeUpAsks.book(FakeSigner(9), 1), at: 95)))
        #expect(!goesOn(MadeUpAsks.book(cy, 1)))
    }

    // MARK: The desk's news

    @Test("Of asks that came a desk is told once, and of all where too many came")
    func news() {
        var asks = asks(of: desk)
        #expect(asks.takeNews() == nil && asks.takeNews() == [])
        let two = [MadeUpAsks.book(bo, 1), MadeUpAsks.book(cy, 2)]
        for ask in two { _ = asks.handle(.statement(ask, from: first), at: at(1)) }
        _ = asks.handle(.statement(MadeUpAsks.withdraw(cy, two[1]), from: first), at: at(1))
        // What was taken back is none any more; that it was is told.
        let told = asks.takeNews() ?? []
        #expect(told.map(\.statement.author) == [bo.key, cy.key])
        #expect(told.map(\.target) == [nil, two[1].id(FakePrimitives())])
        #expect(asks.takeNews() == [])
        // Keys that come faster than new ones are let in are not heard, so they come slowly.
        for number in 0...Limits.asksRefused {
            let ask = MadeUpAsks.book(FakeSigner(number, seed: 7), 1)
            _ = asks.handle(.statement(ask, from: first), at: at(Int64(2 + number)))
        }
        #expect(asks.book.open.count > Limits.asksRefused)
        #expect(asks.takeNews() == nil && asks.takeNews() == [])
    }
}

@Suite("Own answers of a desk") struct OwnAnswersTests {
    private func answers(_ list: [VenueStatement]) -> OwnAsks {
        OwnAsks(list, of: MadeUpAsks.desk.key, FakePrimitives())
    }

    @Test("Each ends by its own time, and a later one to the same ask by that of its own")
    func ends() throws {
        let asks = [MadeUpAsks.book(bo, 1), MadeUpAsks.book(cy, 2)]
        let one = MadeUpAsks.answer(asks[0], waiting: 1, until: 10)
        let again = MadeUpAsks.answer(asks[0], waiting: 2, at: 1, until: 30)
        let other = MadeUpAsks.answer(asks[1], until: 20)
        var own = answers([one, other])
        var effects = PartEffects()
        own.keep(again, again.id(FakePrimitives()), &effects)
        #expect(effects.writes.count == 2 && own.answers.count == 2)
        func expire(_ seconds: Int64) -> [Write] {
            var effects = PartEffects()
            own.expire(
                at: UTCTime(seconds: MadeUpVenue.opens.seconds + seconds), &effects)
            return effects.writes
        }
        #expect(expire(10).isEmpty && own.answers.count == 2)
        #expect(expire(20).count == 1 && own.answers.map(\.statement) == [again])
        #expect(own.lastAnswer(to: cy.key) == nil)
        #expect(own.lastAnswer(to: bo.key)?.seconds == MadeUpVenue.opens.seconds + 1)
        #expect(expire(29).isEmpty && expire(30).count == 1)
        #expect(own.answers.isEmpty && own.nextEnd == nil && own.lastAnswer(to: bo.key) == nil)
    }

    @Test("One that a ledger settles is forgotten alone")
    func settled() {
        let asks = [MadeUpAsks.book(bo, 1), MadeUpAsks.book(bo, 2)]
        var own = answers([
            MadeUpAsks.answer(asks[0], waiting: 1, at: 5), MadeUpAsks.answer(asks[1], at: 3),
        ])
        var effects = PartEffects()
        own.settle(
            SettledAsk(ask: asks[0].id(FakePrimitives()), token: Token(.zero), isGrant: true),
            &effects)
        #expect(effects.writes.count == 1 && effects.notices.isEmpty)
        #expect(own.answers.map(\.answer.ask) == [asks[1].id(FakePrimitives())])
        // The next answer is later than all that were given.
        #expect(own.lastAnswer(to: bo.key)?.seconds == MadeUpVenue.opens.seconds + 5)
    }
}
