// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (bo, cy, dee) = (DeskHall.bo, DeskHall.cy, DeskHall.dee)

/// What a desk does when it comes back, and with what came meanwhile.
@Suite("The desk: when it comes back") struct DeskReturnTests {
    /// The hashes of what lots are drawn by, as the ledger shows them.
    private func hashes(_ played: PlayedDesk) -> [Bytes32] {
        played.entries.compactMap { entry in
            if case .note(.lotOpens(let hash))? = entry.ledger { hash } else { nil }
        }
    }

    private func hash(_ random: ThreadID) -> Bytes32 { FakePrimitives().sha256(random.bytes) }

    @Test("Lots are drawn by the bytes that came last: with its people's word, or an open log")
    func theLastBytes() throws {
        let random = [3, 4].map { ThreadID(high: $0, low: 9) }
        var played = try PlayedDesk()
        played.admit()
        played.want(.away)
        #expect(played.book(bo, 1, 1, 10, 60) == nil)
        played.want(.open(restored: false, random: random[0]))
        #expect(played.desk.state == .gathering && hashes(played) == [hash(random[0])])
        var shut = try PlayedDesk(closed: nil)
        #expect(shut.book(bo, 1, 1, 10, 60) == nil)
        shut.send(.linked(true, random: random[0]))
        shut.send(.gate(isOpen: true, random: random[1]))
        #expect(shut.desk.state == .gathering && hashes(shut) == [hash(random[1])])
    }

    @Test("What lots were drawn by is not used again: without other bytes none are drawn")
    func usedOnce() throws {
        var played = try PlayedDesk(closed: nil)
        #expect(played.book(bo, 1, 1, 10, 60) == nil)
        played.open()
        played.pass(seconds: 5)
        #expect(played.desk.state == .open && hashes(played).count == 1)
        // The log does not take the next entry, so the desk is back once more.
        let wish = try #require(DeskHall.wait(2, 1, 10, 60))
        let (lost, next) = (
            try #require(played.ask(cy, wish, 1)), try #require(played.ask(dee, wish, 2))
        )
        played.send(.asks([lost]), dies: true)
        played.send(.asks([next]))
        #expect(played.held(by: dee.key).count == 1 && hashes(played).count == 1)
    }

    @Test("From 30 seconds on after it came back all asks are answered as they come")
    func afterThirtySeconds() throws {
        var played = try PlayedDesk(closed: try DeskHall.rules(quotas: false))
        played.open()
        played.want(.member(number: 2, class: 1, key: bo.key))
        let asks = (8..<17).compactMap { hour in
            DeskHall.wait(1, 1, hour, 60).flatMap { played.ask(bo, $0, UInt64(hour)) }
        }
        for (seconds, count) in [(29, 1), (30, 9)] {
            var desk = played.desk
            let now = Moment(
                instant: played.now.instant + .seconds(Int64(seconds)),
                utc: UTCTime(seconds: played.now.utc.seconds + Int64(seconds)))
            // Before that a lot is shown, and nothing else.
            #expect(desk.handle(.asks(asks), at: now).appends.count == count)
        }
    }

    @Test("That nobody is linked is no link")
    func notLinked() throws {
        var played = try PlayedDesk(closed: nil)
        played.send(.gate(isOpen: true, random: played.bytes()))
        played.send(.linked(false, random: played.bytes()))
        #expect(played.desk.state == .alone)
    }

    @Test("Whoever waits has what got free while the desk was away, before lots are drawn")
    func theQueueFirst() throws {
        for minutes in [1, 31] {
            var played = try PlayedDesk()
            played.admit()
            let token = played.booked(dee, 1, 1, 10, 60)
            let wish = try #require(DeskHall.wait(1, 1, 10, 60))
            let waiting = try #require(played.ask(cy, wish, 1, lasts: 30))
            played.send(.asks([waiting]))
            #expect(played.fates[waiting.id] == .waits(1))
            played.want(.away)
            #expect(played.want(.close(token, .desk, spent: false)) == .success(.done))
            let other = try #require(played.ask(bo, wish, 2))
            played.send(.asks([other]))
            played.pass(minutes: minutes)
            #expect(played.held(by: cy.key).isEmpty)
            played.want(.open(restored: false, random: played.bytes()))
            played.pass(seconds: 5)
            // Whose time is over meanwhile has nothing.
            if minutes < 30 {
                #expect(played.held(by: cy.key).count == 1)
                #expect(played.fates[other.id] == .waits(1))
            } else {
                #expect(played.fates[waiting.id] == .refused(.expired))
                #expect(played.held(by: bo.key).count == 1)
            }
        }
    }

    @Test("An ask whose time is over when lots are drawn is told so")
    func overMeanwhile() throws {
        for (seconds, isOver) in [(60, true), (61, false)] {
            var played = try PlayedDesk()
            played.admit()
            played.want(.away)
            let wish = try #require(DeskHall.wait(1, 1, 10, 60))
            let moment = BookingAsk(
                nonce: 1, until: UTCTime(seconds: played.now.utc.seconds + Int64(seconds)),
                wish: wish)
            let venue = played.venue
            let statement = try #require(
                VenueStatement(moment, gathering: venue.gathering, by: bo))
            let ask = try #require(DeskAsk(statement, id: statement.id(venue.primitives)))
            played.send(.asks([ask]))
            played.pass(seconds: 55)
            played.want(.open(restored: false, random: played.bytes()))
            #expect(played.fates[ask.id] == nil)
            played.pass(seconds: 5)
            #expect((played.fates[ask.id] == .refused(.expired)) == isOver)
            #expect(played.held(by: bo.key).count == (isOver ? 0 : 1))
        }
    }

    @Test("What the ledger notes as waiting gets no second place, where it came before")
    func notedMeanwhile() throws {
        var played = try PlayedDesk(closed: nil)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let period = try #require(DeskHall.period(1, 10, 60))
        let ask = try #require(played.ask(bo, wish, 1))
        played.send(.asks([ask]))
        var ledger = try MadeUpLedger(FakeSigner(1), rules: try DeskHall.rules(), in: .fake)
        try ledger.member(2, 1, bo.key)
        let token = try ledger.grant(Grant(holder: dee.key, place: 1, period: period))
        try ledger.note(.waiting(ask: ask.id, place: 1))
        played.learn(ledger.entries)
        played.open()
        played.pass(seconds: 6)
        let notes = played.entries.count {
            if case .note(.waiting)? = $0.ledger { true } else { false }
        }
        #expect(notes == 1 && played.desk.state == .open)
        // It is told again, and has its place.
        played.send(.asks([ask]))
        #expect(played.want(.close(token, .desk, spent: false)) == .success(.done))
        #expect(played.held(by: bo.key).count == 1)
    }

    @Test("A desk that does not know what is in its ledger says and writes nothing")
    func lostMeanwhile() throws {
        var played = try PlayedDesk()
        played.admit()
        _ = played.booked(bo, 1, 1, 10, 60)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let waiting = try #require(played.ask(dee, wish, 1))
        played.send(.asks([waiting]))
        played.restart()
        played.open()
        played.pass(minutes: 2)
        played.ask(dee, .withdraw(waiting.id))
        let other = try #require(DeskHall.wait(2, 1, 10, 60))
        played.send(.asks([try #require(played.ask(cy, other, 2))]), dies: true)
        let next = try #require(played.ask(cy, other, 3))
        let effects = played.send(.asks([waiting, next]))
        #expect(effects.answers.isEmpty && effects.appends.isEmpty && effects.needsLogs)
        #expect(effects.notices == [.state(.shut)])
        played.pass(seconds: 6)
        played.send(.asks([waiting]))
        #expect(played.fates[waiting.id] == .refused(.withdrawn))
    }

    @Test("Who waits and takes it back while the desk is away is not served when it is back")
    func takenBackMeanwhile() throws {
        var played = try PlayedDesk()
        played.admit()
        let taken = played.booked(bo, 1, 1, 10, 60)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let waits = try [(cy, 1), (dee, 2)].map { try #require(played.ask($0.0, wish, $0.1)) }
        played.send(.asks(waits))
        played.want(.away)
        let back = try #require(played.ask(cy, .withdraw(waits[0].id), 3))
        played.send(.asks([back]))
        played.want(.close(taken, .desk, spent: false))
        let random = played.bytes()
        played.want(.open(restored: false, random: random))
        played.pass(minutes: 2)
        #expect(played.fates[back.id] == .refused(.withdrawn))
        #expect(played.fates[waits[0].id] == .refused(.withdrawn))
        #expect(played.held(by: cy.key).isEmpty && played.held(by: dee.key).count == 1)
    }

    @Test("On a new day whoever was passed over comes before whoever asks in its first minute")
    func theNewDayBegins() throws {
        var played = try PlayedDesk(try DeskHall.rules(quotas: false))
        let (one, two, three) = (FakeSigner(120), FakeSigner(121), FakeSigner(122))
        let taken = played.booked(one, 1, 9, 10, 60)
        #expect(played.book(two, 1, 9, 10, 60, waits: true) == .waits(1))
        for hour in 12..<16 { _ = played.booked(two, 1, 9, hour, 60) }
        played.ask(one, .giveBack(played.slot(taken), to: nil))
        played.pass(to: 0, 23, 59)
        played.sleep(seconds: 60)
        #expect(played.book(three, 1, 9, 10, 60) == .refused(.full))
        #expect(played.held(by: two.key).count == Limits.strangerEntriesPerDay + 1)
    }
}
