// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo, cy) = (DeskHall.ada, DeskHall.bo, DeskHall.cy)

@Suite("The desk: whether it grants") struct DeskStateTests {
    @Test("Nothing before its log is open and somebody is linked; what was asked is kept")
    func start() throws {
        var played = try PlayedDesk(closed: nil)
        #expect(played.desk.state == .shut)
        #expect(played.book(bo, 1, 1, 10, 60) == nil)
        played.send(.linked(true, random: played.bytes()))
        #expect(played.desk.state == .shut && played.want(.away) == .success(.done))
        #expect(
            played.want(.member(number: 1, class: 0, key: nil)) == .failure(.closed(.shut)))
        played.send(.gate(isOpen: true, random: played.bytes()))
        #expect(played.desk.state == .away && played.held(by: bo.key).isEmpty)
        // Its people can write already.
        #expect(played.want(.member(number: 1, class: 0, key: nil)) == .success(.done))
        played.want(.open(restored: false, random: played.bytes()))
        #expect(played.desk.state == .gathering)
        played.pass(seconds: 5)
        #expect(played.desk.state == .open && played.held(by: bo.key).count == 1)
        var alone = try PlayedDesk(closed: nil)
        alone.send(.gate(isOpen: true, random: alone.bytes()))
        #expect(alone.desk.state == .alone && alone.book(bo, 1, 1, 10, 60) == nil)
    }

    @Test("Away it grants nothing and closes nothing; then lots are drawn")
    func away() throws {
        var played = try PlayedDesk { $0.arrive = 15 }
        played.admit()
        let token = played.booked(bo, 1, 0, 12, 120)
        played.want(.away)
        #expect(played.book(cy, 1, 1, 10, 60) == nil)
        #expect(played.desk.requests.map(\.standing) == [.pending])
        played.pass(to: 0, 12, 30)
        #expect(played.end(token) == nil)
        played.want(.open(restored: false, random: played.bytes()))
        played.pass(minutes: 2)
        #expect(played.held(by: cy.key).count == 1 && played.end(token)?.reason == .noShow)
    }

    @Test("While it does not grant, eight asks of one author are kept, each once")
    func kept() throws {
        var played = try PlayedDesk(try DeskHall.rules(quotas: false))
        played.admit()
        played.want(.away)
        for hour in [10, 11, 12, 13, 14, 15, 16, 17, 18] { played.book(bo, 1, 1, hour, 60) }
        let asks = played.desk.requests.map(\.ask)
        played.send(.asks(asks))
        #expect(asks.count == 8 && played.desk.requests.count == 8)
        #expect(played.book(cy, 1, 1, 18, 60) == nil && played.desk.requests.count == 9)
        #expect(played.want(.grant(ask: asks[3].id)) != .failure(.noSuchAsk))
        #expect(played.desk.requests.count == 8 && played.held(by: bo.key).count == 1)
    }

    @Test("A3: a disk that was put back opens when its people say so, and its log is open")
    func restored() throws {
        var played = try PlayedDesk()
        played.admit()
        played.restart(isRestored: true)
        #expect(
            played.want(.open(restored: true, random: played.bytes()))
                == .failure(.closed(.shut)))
        played.open()
        #expect(played.desk.state == .restored && played.book(bo, 1, 1, 10, 60) == nil)
        #expect(
            played.want(.open(restored: false, random: played.bytes()))
                == .failure(.closed(.restored)))
        #expect(
            played.want(.close(Token(.zero), .desk, spent: false))
                == .failure(.closed(.restored)))
        played.pass(minutes: 60)
        #expect(played.entries.count == 6)
        #expect(played.want(.open(restored: true, random: played.bytes())) == .success(.done))
        played.pass(seconds: 5)
        #expect(played.held(by: bo.key).count == 1)
    }

    @Test("A second desk of the epoch stops it, loudly; the one that counts may go on")
    func twoDesks() throws {
        for (number, counts) in [(2, true), (0, false)] as [(UInt8, Bool)] {
            var played = try PlayedDesk()
            played.admit()
            let other = try MadeUpLedger(
                FakeSigner(number), rules: try DeskHall.rules(), in: .fake)
            played.learn(other.entries)
            let state = DeskState.twoDesks(other.key)
            #expect(played.desk.state == state && played.notices.last == .state(state))
            #expect(played.book(bo, 1, 1, 10, 60) == nil)
            let said = played.want(.open(restored: false, random: played.bytes()))
            #expect(said == (counts ? .success(.done) : .failure(.closed(state))))
            played.pass(seconds: 5)
            #expect(played.held(by: bo.key).count == (counts ? 1 : 0))
        }
    }

    @Test("Its own fork, and the next epoch, end it")
    func forked() throws {
        var played = try PlayedDesk()
        played.admit()
        var branch = try MadeUpLedger(FakeSigner(1), rules: try DeskHall.rules(), in: .fake)
        try branch.member(9, 0)
        played.learn(branch.entries)
        #expect(played.desk.state == .forked && played.notices.last == .state(.forked))
        #expect(
            played.want(.open(restored: true, random: played.bytes()))
                == .failure(.closed(.forked)))
        var old = try PlayedDesk()
        let next = try MadeUpLedger(
            FakeSigner(9), epoch: 2, rules: try DeskHall.rules(),
            before: [Charter.Before(ledger: old.signer.key, seq: 2)], in: .fake)
        old.learn(next.entries)
        #expect(old.desk.state == .over && old.book(bo, 1, 1, 10, 60) == nil)
    }

    @Test("A log that did not take what was written is read again, and nothing is lost")
    func lost() throws {
        var played = try PlayedDesk()
        played.admit()
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let first = try #require(played.ask(bo, wish, 1))
        let second = try #require(played.ask(cy, wish, 2))
        // The entry never came into the log.
        played.send(.asks([first]), dies: true)
        played.send(.asks([second]))
        played.pass(seconds: 6)
        #expect(played.desk.state == .open && played.whole.mints.count == 1)
        #expect(played.desk.ledger.book == played.whole && played.held(by: cy.key).count == 1)
        // Chat of the desk does no harm.
        try played.chat("we close at noon")
        #expect(played.book(bo, 2, 1, 10, 60) != nil)
        #expect(played.desk.ledger.book == played.whole && played.held(by: bo.key).count == 1)
    }

    @Test("What is read again is known as before: who caused what, and strangers who wait")
    func readAgain() throws {
        var played = try PlayedDesk(try DeskHall.rules(quotas: false))
        let (guest, other) = (FakeSigner(120), FakeSigner(121))
        let tokens = [10, 11, 12, 13].map { played.booked(guest, 1, 9, $0, 60) }
        #expect(played.book(other, 1, 9, 10, 60, waits: true) == .waits(1))
        played.sendLogs()
        #expect(played.desk.ledger.records.live == tokens.sorted())
        #expect(played.book(guest, 1, 9, 14, 60) == .refused(.tooMany))
        #expect(played.ask(guest, .giveBack(played.slot(tokens[0]), to: nil)) == .closed(tokens[0]))
        #expect(played.held(by: other.key).count == 1)
    }

    @Test("A second end of one booking is nothing, whatever ask it carries")
    func endedTwice() throws {
        var played = try PlayedDesk(closed: nil)
        var ledger = try MadeUpLedger(FakeSigner(1), rules: try DeskHall.rules(), in: .fake)
        let period = try #require(DeskHall.period(1, 10, 60))
        let token = try ledger.grant(Grant(holder: bo.key, place: 1, period: period))
        let asks = [1, 2].compactMap {
            played.ask(bo, .giveBack(played.slot(token), to: nil), $0)
        }
        for ask in asks {
            let close = try #require(LedgerClose(asked: ask.statement))
            try ledger.write(.ledger(.close(close)))
        }
        played.learn(ledger.entries)
        #expect(played.entries.count == 5 && played.end(token)?.reason == .asked)
        let records = played.desk.ledger.records
        #expect(records.settled == [asks[0].id])
        let day = played.desk.today(at: played.now)
        #expect(records.caused(by: .key(bo.key), on: day).total == 1)
    }

    @Test("Its people are told of asks that wait for them, and of those in the queue")
    func noticesOfAsks() throws {
        var played = try PlayedDesk()
        played.admit()
        _ = played.booked(bo, 1, 1, 10, 60)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let asks = [1, 2].compactMap { played.ask(cy, wish, $0) }
        #expect(played.send(.asks([asks[0]])).notices == [.asked(asks[0].id)])
        played.want(.away)
        #expect(played.send(.asks([asks[1]])).notices == [.asked(asks[1].id)])
        // Once only, and not where they could do nothing about it.
        #expect(played.send(.asks(asks)).notices.isEmpty)
        var shut = try PlayedDesk(closed: nil)
        #expect(shut.send(.asks(asks)).notices.isEmpty && shut.desk.requests.count == 2)
    }

    @Test("The first charter makes the log a ledger; later rules need a later revision")
    func charters() throws {
        var played = try PlayedDesk()
        played.admit()
        let rules = try DeskHall.rules(castles: 1)
        #expect(
            played.want(.charter(try DeskHall.charter(1, rules))) == .failure(.badCharter))
        #expect(
            played.want(.charter(try DeskHall.charter(2, rules, epoch: 2)))
                == .failure(.badCharter))
        let stranger = Charter(
            epoch: 1, revision: 2, rules: rules, words: .zero, ledger: played.signer.key,
            gathering: played.venue.gathering, by: ada)
        #expect(played.want(.charter(try #require(stranger))) == .failure(.badCharter))
        #expect(played.book(bo, 5, 1, 0, 1440, count: 3).map { $0 != .refused(.full) } == true)
        #expect(played.want(.charter(try DeskHall.charter(2, rules))) == .success(.done))
        #expect(played.book(bo, 5, 2, 0, 1440, count: 2) == .refused(.full))
        #expect(played.desk.ledger.book == played.whole && played.whole.rules.count == 2)
        // From nothing.
        let venue = LedgerVenue.fake
        var desk = VenueDesk(
            DeskSetup(gathering: venue.gathering, key: FakeSigner(1).key, codec: venue.codec),
            policy: played.policy, clock: played.clock,
            start: DeskStart(logs: LogSet(), seen: { _ in nil }), at: played.now)
        _ = desk.handle(.gate(isOpen: true, random: played.bytes()), at: played.now)
        #expect(desk.state == .noCharter)
        let charter = try DeskHall.charter(1, rules)
        let effects = desk.handle(.intent(.charter(charter), token: 1), at: played.now)
        #expect(effects.appends == [.charter(charter)] && effects.needsLogs)
        let ledger = try MadeUpLedger(FakeSigner(1), rules: rules, in: venue)
        for entry in ledger.entries { desk.wrote(entry) }
        _ = desk.handle(.logs(venue.logs(ledger), seen: { _ in nil }), at: played.now)
        #expect(desk.state == .alone && desk.ledger.rules == rules)
    }
}
