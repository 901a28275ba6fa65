// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (bo, cy, dee) = (DeskHall.bo, DeskHall.cy, DeskHall.dee)

/// What a desk is made of, each part by itself and at its bounds.
@Suite("The desk: its parts") struct DeskPartsTests {
    /// Ids whose order is that of the numbers.
    private func id(_ number: UInt8) -> Bytes32 {
        Bytes32([number] + Array(repeating: 0, count: 31)) ?? .zero
    }

    private func asks() throws -> [DeskAsk] {
        let played = try PlayedDesk(closed: nil)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        return [bo, cy, dee].compactMap { played.ask($0, wish, 1) }
    }

    // MARK: Asks

    @Test("Whichever answer ends first is forgotten first, whatever its id is")
    func forgetting() {
        for (first, second) in [(1, 2), (2, 1)] as [(UInt8, UInt8)] {
            var asks = DeskAsks()
            asks.end(id(first), .full, until: UTCTime(seconds: 20))
            asks.end(id(second), .late, until: UTCTime(seconds: 10))
            asks.forget(until: UTCTime(seconds: 11))
            #expect(asks.answer(to: id(first)) == .full && asks.answer(to: id(second)) == nil)
        }
    }

    @Test("Of those that were refused the last ones are kept, and one is taken out alone")
    func refused() throws {
        let made = try asks()
        let played = try PlayedDesk()
        var asks = DeskAsks()
        // Of one author no more than so many.
        for _ in 0...Limits.asksRefusedOfOne { asks.refuse(made[0], .full) }
        #expect(asks.refused.count == Limits.asksRefusedOfOne)
        let wish = made[0].ask.wish
        for number in Limits.asksRefusedOfOne..<2 * Limits.asksRefused {
            asks.refuse(try #require(played.ask(FakeSigner(number, seed: 6), wish, 1)), .full)
        }
        #expect(asks.refused.count == 2 * Limits.asksRefused)
        asks.refuse(made[1], .late)
        #expect(asks.refused.count == Limits.asksRefused + 1)
        asks.end(made[1].id, .late, until: UTCTime(seconds: .max))
        asks.settle(made[1].id)
        #expect(asks.answer(to: made[1].id) == nil)
        #expect(asks.refused.count == Limits.asksRefused)
        #expect(asks.refused.allSatisfy { $0.reason == .full && $0.ask.id != made[0].id })
    }

    @Test("The second of three is taken out alone, and may come again")
    func takingOut() throws {
        let made = try asks()
        var asks = DeskAsks()
        #expect(made.filter { asks.keep($0) } == made)
        #expect(asks.takePending(made[1].id) == made[1])
        #expect(asks.pending == [made[0], made[2]])
        #expect(asks.takePending(made[1].id) == nil && asks.keep(made[1]))
    }

    @Test("An ask is taken back by its author alone, until the last of their words is over")
    func takingBack() throws {
        let made = try asks()
        var asks = DeskAsks()
        for seconds in [10, 30, 20] as [Int64] {
            asks.takeBack(made[0].id, by: bo, until: UTCTime(seconds: seconds))
        }
        asks.takeBack(made[0].id, by: cy, until: UTCTime(seconds: 90))
        asks.takeBack(made[1].id, by: bo, until: UTCTime(seconds: 90))
        for seconds in [11, 21, 30] as [Int64] {
            asks.forget(until: UTCTime(seconds: seconds))
            #expect(asks.isTakenBack(made[0]) && !asks.isTakenBack(made[1]))
        }
        asks.forget(until: UTCTime(seconds: 31))
        #expect(!asks.isTakenBack(made[0]))
    }

    @Test("What was answered stays so, whatever time somebody says who takes it back")
    func answeredForGood() throws {
        let made = try asks()
        var asks = DeskAsks()
        asks.takeBack(made[0].id, by: dee, until: UTCTime(seconds: 10))
        asks.end(made[0].id, .full, until: UTCTime(seconds: 90))
        asks.forget(until: UTCTime(seconds: 11))
        #expect(asks.answer(to: made[0].id) == .full && !asks.isTakenBack(made[0]))
    }

    @Test("What its author takes back while the desk does not grant is not kept, full as it may be")
    func takenBackMeanwhile() throws {
        var played = try PlayedDesk()
        played.admit()
        played.want(.away)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let asks = (1...UInt64(Limits.asksPerAuthor)).compactMap { played.ask(bo, wish, $0) }
        played.send(.asks(asks))
        played.ask(cy, .withdraw(asks[1].id))
        #expect(played.desk.asks.pending == asks)
        for ask in asks.dropFirst() { played.ask(bo, .withdraw(ask.id)) }
        #expect(played.desk.asks.pending.map(\.id) == [asks[0].id])
        #expect(asks.dropFirst().allSatisfy { played.fates[$0.id] == .refused(.withdrawn) })
        let random = played.bytes()
        played.want(.open(restored: false, random: random))
        played.pass(minutes: 2)
        #expect(played.held(by: bo.key).count == 1)
        played.send(.asks(asks))
        #expect(asks.dropFirst().allSatisfy { played.fates[$0.id] == .refused(.withdrawn) })
    }

    @Test("What waits already, or is known already, is not counted again")
    func queue() throws {
        let made = try asks()
        var queue = DeskQueue()
        queue.append(made[0].id, made[0])
        queue.append(made[1].id)
        queue.append(made[0].id, made[0])
        #expect(queue.count == 2 && queue.count(of: bo.key) == 1)
        for _ in 0..<2 { queue.know(made[1], nil) }
        #expect(queue.count(of: cy.key) == 1)
        #expect(queue.all.map(\.id) == [made[0].id, made[1].id])
        queue.remove(made[1].id)
        #expect(queue.count == 1 && queue.count(of: cy.key) == 0)
    }

    // MARK: Times

    @Test("What comes earlier is taken out first; what comes at one time, as it was put in")
    func times() {
        var times = DeskTimes()
        #expect(times.next == nil && times.pop(at: UTCTime(seconds: 99)) == nil)
        times.add(.wait(id(9)), at: UTCTime(seconds: 20))
        for number in [5, 3, 8, 1, 2] as [UInt8] {
            times.add(.wait(id(number)), at: UTCTime(seconds: 10))
        }
        #expect(times.next == UTCTime(seconds: 10))
        #expect(times.pop(at: UTCTime(seconds: 9)) == nil)
        for number in [5, 3, 8, 1, 2] as [UInt8] {
            #expect(times.pop(at: UTCTime(seconds: 10)) == .wait(id(number)))
        }
        #expect(times.pop(at: UTCTime(seconds: 19)) == nil)
        #expect(times.pop(at: UTCTime(seconds: 21)) == .wait(id(9)) && times.next == nil)
    }

    @Test("To be paid at the grant, or a minute before the begin")
    func payBy() throws {
        var policy = try DeskHall.policy()
        let clock = try DeskHall.clock()
        let period = try #require(DeskHall.period(1, 12, 60))
        let start = clock.time(of: period.start)
        func due(_ minutes: Int, _ granted: UTCTime) -> UTCTime? {
            policy.payBy = minutes
            return DeskDeadlines(policy: policy, clock: clock).pay(period, granted: granted)
        }
        let early = start.adding(minutes: -90)
        #expect(due(0, early) == early)
        #expect(due(-1, early) == start.adding(minutes: -1))
        #expect(due(-1, start) == start.adding(minutes: Limits.payAtLeast))
    }

    @Test("A time beyond all others is the last one, or the first")
    func saturates() {
        #expect(UTCTime(seconds: 0).adding(minutes: .max).seconds == .max)
        #expect(UTCTime(seconds: 0).adding(minutes: .min).seconds == .min)
        #expect(UTCTime(seconds: .max - 59).adding(minutes: 1).seconds == .max)
        #expect(UTCTime(seconds: .min + 59).adding(minutes: -1).seconds == .min)
        #expect(UTCTime(seconds: .max - 60).adding(minutes: 1).seconds == .max)
        #expect(UTCTime(seconds: 7).adding(minutes: -1).seconds == -53)
    }

    @Test("What two events ask for is asked for after each other")
    func effects() {
        for (first, second) in [(true, false), (false, true), (false, false)] {
            var (one, two) = (DeskEffects(), DeskEffects())
            let said = [1, 2].map {
                LedgerEntry.note(.paid(Token(.zero), amount: $0, means: 0))
            }
            let answers = [DeskReason.full, .kept].map {
                DeskAnswer(
                    asker: bo.key, ask: .zero, until: UTCTime(seconds: 1), reason: $0, waiting: 0)
            }
            let replies = [1, 2].map {
                DeskEffects.Reply(token: $0, result: .success(.done))
            }
            let notices = [DeskNotice.asked(id(1)), .ledgerNearlyFull]
            (one.appends, two.appends) = ([said[0]], [said[1]])
            (one.answers, two.answers) = ([answers[0]], [answers[1]])
            (one.replies, two.replies) = ([replies[0]], [replies[1]])
            (one.notices, two.notices) = ([notices[0]], [notices[1]])
            (one.needsLogs, two.needsLogs) = (first, second)
            one.append(two)
            #expect(one.appends == said && one.answers == answers && one.notices == notices)
            #expect(one.replies == replies && one.needsLogs == (first || second))
        }
    }

    // MARK: The ledger

    private func read(_ made: MadeUpLedger) throws -> DeskLedger {
        let venue = LedgerVenue.fake
        var ledger = DeskLedger(
            DeskSetup(gathering: venue.gathering, key: made.key, codec: venue.codec))
        ledger.follow(
            venue.logs(made), clock: try DeskHall.clock(),
            at: Moment(instant: .zero, utc: UTCTime(seconds: 0)), seen: { _ in nil })
        return ledger
    }

    @Test("A waiting place is the first that was noted, until its ask is granted")
    func notes() throws {
        var made = try MadeUpLedger(FakeSigner(1), rules: try DeskHall.rules(), in: .fake)
        let period = try #require(DeskHall.period(1, 10, 60))
        for number in [4, 2, 4, 3] as [UInt8] {
            try made.note(.waiting(ask: id(number), place: 1))
        }
        let grant = Grant(holder: bo.key, place: 1, period: period, ask: id(2))
        let token = try made.grant(grant)
        try made.note(.waiting(ask: id(2), place: 1))
        var records = try read(made).records
        #expect(records.waiting == [id(4): 0, id(3): 2] && records.live == [token])
        try made.close(token)
        records = try read(made).records
        #expect(records.live.isEmpty && records.live(of: .key(bo.key)).isEmpty)
    }

    @Test("Of what the log took, lines of chat go on; what the desk did not write is not known")
    func took() throws {
        var made = try MadeUpLedger(FakeSigner(1), rules: try DeskHall.rules(), in: .fake)
        let start = try read(made)
        let other = try MadeUpLedger(FakeSigner(2), rules: try DeskHall.rules(), in: .fake)
        let text = EntryBody.chat(text: "x", replyTo: nil, time: UTCTime(seconds: 1))
        var byHand = made
        let note = try byHand.note(.visit(Token(.zero), .arrived))
        let (first, second) = (try made.write(text), try made.write(text))
        var ledger = start
        ledger.took(other.entries[0])
        #expect(!ledger.isLost && ledger.head == start.head && ledger.size == start.size)
        ledger.took(first)
        #expect(!ledger.isLost && ledger.head.id == first.id && ledger.head.seq == 3)
        #expect(ledger.size == start.size + first.bytes.count)
        for entry in [second, note] {
            ledger = start
            ledger.took(entry)
            #expect(ledger.isLost)
            // Nothing is taken up before all is read again.
            ledger.took(first)
            #expect(ledger.head == start.head && ledger.size == start.size)
        }
        ledger = start
        let id = ledger.write(
            .note(.visit(Token(.zero), .arrived)), for: .staff, day: 9000,
            at: Moment(instant: .zero, utc: UTCTime(seconds: 1)))
        #expect(id != nil && ledger.isAwaiting)
        ledger.lose()
        #expect(ledger.isLost && !ledger.isAwaiting)
    }
}
