// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (bo, cy, dee) = (FakeSigner(2), FakeSigner(3), FakeSigner(4))
private let (first, second) = (LinkID(1), LinkID(2))

/// What nobody can do to the asks and stays of others, however many keys they make up
/// (docs/protocol.md sections 31 and 32).
@Suite("What made-up keys cannot undo") struct HearsayHoldsTests {
    private let ada = FakeSigner(11)

    private func at(_ seconds: Int64) -> Moment { MadeUpVenue.moment(seconds) }

    // MARK: Places

    @Test(
        "A full book has a place for each member and each who is linked, whoever holds the most",
        arguments: [(40, 128), (12, 340)])
    func places(_ links: Int, _ count: Int) {
        var watcher = AskWatcher()
        let liars = (0..<links).map { FakeSigner($0, seed: 91) }
        for liar in liars { watcher.change { $0.arrived(liar.key, at: at(0).instant) } }
        watcher.change { $0.arrived(cy.key, at: at(0).instant) }
        let people = (0...count).map { FakeSigner($0, seed: 92) }
        watcher.change { $0.noted(people.map(\.key)) }
        func ask(_ who: FakeSigner, from peer: FakeSigner) -> AskBook.Verdict {
            watcher.take(MadeUpAsks.book(who, 1, until: 90_000), from: peer.key)
        }
        // Members who are not linked hold more together than any of those who make keys up.
        let early = max(0, count - 128)
        for one in people.prefix(early) { #expect(ask(one, from: cy) == .welcome) }
        var number = 0
        while watcher.book.count < Limits.stayAuthors {
            _ = ask(FakeSigner(number, seed: 93), from: liars[number % links])
            number += 1
        }
        for one in people[early..<count] { #expect(ask(one, from: cy) == .welcome) }
        #expect(watcher.book.count == Limits.stayAuthors + Limits.stayAuthorsMet)
        #expect(ask(people[count], from: cy) == .welcome && ask(dee, from: dee) == .welcome)
        #expect(watcher.book.asks(of: people[count].key).count == 1)
        #expect(watcher.book.asks(of: dee.key).count == 1)
        #expect(people.allSatisfy { watcher.book.asks(of: $0.key).count == 1 })
    }

    // MARK: What is over

    private func refuse(_ ask: VenueStatement, at seconds: Int64) -> VenueStatement {
        MadeUpAsks.answer(ask, at: seconds, until: 90_000)
    }

    @Test("What the desk refused is not opened again when its answer is not kept any more")
    func staysOver() throws {
        var watcher = AskWatcher()
        let old = (1...16).map { MadeUpAsks.book(ada, $0, until: 90_000) }
        for (place, ask) in old.enumerated() {
            let now = Int64(60 * place)
            #expect(watcher.take(ask, at: at(now)) == .welcome)
            #expect(
                watcher.take(refuse(ask, at: now), from: MadeUpAsks.desk.key, at: at(now))
                    == .welcome)
        }
        #expect(watcher.book.open.isEmpty && watcher.book.statements.count == Limits.askAnswers)
        let liar = FakeSigner(200)
        for ask in old { #expect(watcher.take(ask, from: liar.key, at: at(5000)) == .known) }
        // They cost the pace of whoever asked nothing.
        for nonce in 100..<108 as Range<UInt64> {
            let fresh = MadeUpAsks.book(ada, nonce, until: 90_000)
            #expect(watcher.take(fresh, at: at(5000)) == .welcome)
        }
        #expect(watcher.book.open.count == Limits.openAsks)
        // After its time nothing of it is remembered.
        watcher.change { _ = $0.expire(at: at(90_000).utc) }
        #expect(watcher.book.count == 0)
    }

    @Test("An answer ends what is open here, however many later ones are kept")
    func lateAnswer() {
        var watcher = AskWatcher()
        for number in 1...Limits.askAnswers {
            let ask = MadeUpAsks.book(ada, UInt64(number), until: 90_000)
            let no = refuse(ask, at: Int64(100 + number))
            #expect(watcher.take(no, from: MadeUpAsks.desk.key) == .welcome)
        }
        let missed = MadeUpAsks.book(ada, 99, until: 90_000)
        #expect(watcher.take(missed) == .welcome && watcher.book.open.count == 1)
        let no = refuse(missed, at: 1)
        #expect(watcher.take(no, from: MadeUpAsks.desk.key) == .welcome)
        #expect(watcher.book.open.isEmpty && watcher.book.statements.count == Limits.askAnswers)
        #expect(watcher.take(missed) == .known)
        #expect(watcher.take(no, from: MadeUpAsks.desk.key) == .known)
        // Another desk may think otherwise.
        watcher.change { $0.serves(bo.key) }
        #expect(watcher.take(missed) == .welcome)
    }

    private func asks(of signer: FakeSigner, members: [PeerKey]) -> Asks {
        var asks = Asks(
            [], gathering: MadeUpVenue.gathering.id, signer: signer,
            primitives: FakePrimitives(), at: at(0))
        for (id, peer) in [(first, bo), (second, cy)] {
            _ = asks.handle(.connected(id, peer.key), at: at(0))
            _ = asks.handle(.opened(id), at: at(0))
        }
        let news = LedgerNews(isAnew: false, desk: MadeUpAsks.desk.key, members: members)
        _ = asks.handle(.ledgers(news), at: at(0))
        return asks
    }

    @Test("Whoever says again what the desk ended hears so from the desk, and from whoever asked")
    func toldAgain() throws {
        for signer in [ada, MadeUpAsks.desk] {
            var asks = asks(of: signer, members: [ada.key])
            let old = (1...16).map { MadeUpAsks.book(ada, $0, until: 90_000) }
            for (place, ask) in old.enumerated() {
                let now = Int64(60 * place)
                _ = asks.handle(.statement(ask, from: first), at: at(now))
                guard signer.key == MadeUpAsks.desk.key else {
                    let no = refuse(ask, at: now)
                    _ = asks.handle(.statement(no, from: first), at: at(now))
                    continue
                }
                var effects = PartEffects()
                let done = asks.answer(
                    ask.id(FakePrimitives()), reason: 14, waiting: 0, &effects, at: at(now))
                #expect((try? done.get()) != nil)
            }
            #expect(asks.book.open.isEmpty)
            for ask in old {
                let effects = asks.handle(.statement(ask, from: second), at: at(5000))
                let ends = effects.sessions.compactMap { link, event -> Bytes32? in
                    guard link == second else { return nil }
                    switch event {
                    case .send(.venue(.statement(let said))): return said.answer?.ask
                    case .passOn(.venue(.statement(let said)), _): return said.answer?.ask
                    default: return nil
                    }
                }
                #expect(ends == [ask.id(FakePrimitives())])
            }
            #expect(asks.book.open.isEmpty)
            // What takes one back has to be heard again after a start of the desk.
            let word = MadeUpAsks.withdraw(ada, old[0], until: 90_000)
            _ = asks.handle(.statement(word, from: second), at: at(5100))
            #expect(asks.book.open.map(\.statement) == [word])
        }
    }

    // MARK: Lists

    @Test("Of stays that find no room none is left out each time; those that are known go first")
    func staysInTurn() throws {
        var stays = Stays(
            own: nil, hours: MadeUpVenue.hours, gathering: MadeUpVenue.gathering.id, signer: cy,
            primitives: FakePrimitives(), at: at(0))
        for (id, peer) in [(first, bo), (second, MadeUpAsks.desk)] {
            _ = stays.handle(.connected(id, peer.key), at: at(0))
            _ = stays.handle(.opened(id), at: at(0))
        }
        let made = (0..<600).map {
            MadeUpVenue.statement(MadeUpVenue.ground(0, $0), 1, at: 1, since: 0)
        }
        let known = MadeUpVenue.ground(3, 1)
        let before = MadeUpVenue.statement(known, 1, at: 1, since: 0)
        let after = MadeUpVenue.statement(known, 2, at: 2, since: 30)
        for one in made + [before, after] {
            _ = stays.handle(.statement(one, from: first), at: at(40))
        }
        var theirs = StatementBook(hours: MadeUpVenue.hours)
        theirs.arrived(cy.key, at: at(0).instant)
        _ = theirs.keep(before, before.id(FakePrimitives()), from: cy.key, at: at(1))
        let list = try #require(theirs.list(of: 0))
        var arrived: Set<VenueStatement> = []
        for round in 0..<60 as Range<Int64> {
            let effects = stays.handle(.list(list, from: second), at: at(100 + 10 * round))
            var queues = SendQueues()
            for (place, event) in effects.sessions.map(\.1).enumerated() {
                guard case .passOn(let message, let isMember) = event,
                    case .venue(.statement(let one)) = message,
                    queues.passOn(message, ofMember: isMember)
                else { continue }
                arrived.insert(one)
                #expect((place == 0) == (one == after))
            }
        }
        #expect(arrived.count == 601)
    }

    @Test("Answers begin with each of them after some turns, however many they are")
    func turns() {
        for count in [64, 89, 523, 801] {
            var link = StayLink(id: first, peer: bo.key, at: .zero)
            let starts = (0..<20 * count).map { _ in link.turn(of: count) }
            #expect(Set(starts) == Set(0..<count))
        }
        var link = StayLink(id: first, peer: bo.key, at: .zero)
        #expect(link.turn(of: 0) == 0 && link.turn(of: 1) == 0)
    }

    // MARK: Room

    @Test("A desk keeps so many answers to one asker, and so many in all, those to members last")
    func answersHaveRoom() throws {
        var own = OwnAsks([], of: MadeUpAsks.desk.key, FakePrimitives())
        var effects = PartEffects()
        func keep(_ asker: FakeSigner, _ nonce: UInt64) {
            let no = refuse(MadeUpAsks.book(asker, nonce, until: 90_000), at: 1)
            own.keep(no, no.id(FakePrimitives()), &effects)
            own.forgetSome(to: asker.key, &effects) { $0 == ada.key }
        }
        for nonce in 0..<UInt64(Limits.answersToOne + 9) { keep(ada, nonce) }
        #expect(own.answers.count == Limits.answersToOne)
        effects = PartEffects()
        for number in 0..<Limits.asksAnswered { keep(FakeSigner(number, seed: 5), 1) }
        #expect(own.answers.count == Limits.asksAnswered)
        #expect(own.answers.count { $0.answer.asker == ada.key } == Limits.answersToOne)
        // What is forgotten goes from the disk too.
        let gone = effects.writes.count { if case .forgetStatement = $0 { true } else { false } }
        #expect(gone == Limits.answersToOne)
        own.expire(at: at(90_000).utc, &effects)
        #expect(own.answers.isEmpty && own.nextEnd == nil)
    }
}
