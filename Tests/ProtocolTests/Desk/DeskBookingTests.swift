// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo, cy, dee) = (DeskHall.ada, DeskHall.bo, DeskHall.cy, DeskHall.dee)

@Suite("The desk: bookings") struct DeskBookingTests {
    @Test("Giving back frees the place; less than the limit before the begin it stays spent")
    func givingBack() throws {
        var played = try PlayedDesk()
        played.admit()
        let early = played.booked(ada, 1, 0, 12, 60)
        played.pass(to: 0, 10, 0)
        #expect(played.ask(ada, .giveBack(played.slot(early), to: nil)) == .closed(early))
        #expect(played.end(early)?.spent == false && played.end(early)?.reason == .asked)
        let late = played.booked(ada, 1, 0, 12, 60)
        played.pass(to: 0, 10, 1)
        #expect(played.ask(ada, .giveBack(played.slot(late), to: nil)) == .closed(late))
        #expect(played.end(late)?.spent == true)
        // The place is free, the quota is used.
        #expect(played.book(ada, 1, 0, 15, 60) == .refused(.quota))
        #expect(played.book(bo, 1, 0, 12, 60).map { $0 != .refused(.full) } ?? false)
        // Without a limit it is spent from its begin on.
        var free = try PlayedDesk { $0.cancel = nil }
        free.admit()
        let token = free.booked(bo, 1, 0, 12, 120)
        let other = free.booked(bo, 2, 0, 12, 120)
        free.pass(to: 0, 11, 59)
        free.ask(bo, .giveBack(free.slot(token), to: nil))
        free.pass(to: 0, 12, 0)
        free.ask(bo, .giveBack(free.slot(other), to: nil))
        #expect(free.end(token)?.spent == false && free.end(other)?.spent == true)
    }

    @Test("A move is all or nothing, and keeps words and count")
    func moving() throws {
        var played = try PlayedDesk()
        played.admit()
        let token = played.booked(bo, 1, 1, 10, 60)
        _ = played.booked(cy, 1, 1, 12, 60)
        let taken = try #require(DeskHall.period(1, 11, 120))
        let free = try #require(DeskHall.period(1, 10, 120))
        let slot = played.slot(token)
        #expect(played.ask(bo, .move(slot, place: 1, period: taken)) == .refused(.full))
        #expect(played.end(token) == nil)
        guard case .granted(let moved)? = played.ask(bo, .move(slot, place: 1, period: free))
        else { return #expect(Bool(false), "it fits beside itself") }
        #expect(played.last.count == 1 && played.end(token)?.by.token == moved)
        #expect(played.held(by: bo.key).map(\.period) == [free])
        // Its quota too.
        let student = played.booked(ada, 3, 1, 10, 240)
        let later = try #require(DeskHall.period(1, 12, 240))
        guard case .granted? = played.ask(ada, .move(played.slot(student), place: 3, period: later))
        else { return #expect(Bool(false), "a move needs no second quota") }
        #expect(played.whole.voids.isEmpty)
    }

    @Test("A gift is one entry, and counts as whose it is then")
    func giving() throws {
        var played = try PlayedDesk {
            $0.prices = [nil, .hour(500), .hour(1000)]
            $0.currency = "EUR"
        }
        played.admit()
        let token = played.booked(bo, 1, 1, 10, 60)
        #expect(played.whole.mint(token)?.grant.due?.amount == 500)
        played.want(.paid(token, amount: 300, means: 1))
        let guest = FakeSigner(120)
        guard
            case .granted(let given)? = played.ask(
                bo, .giveBack(played.slot(token), to: guest.key))
        else { return #expect(Bool(false), "given") }
        let grant = try #require(played.whole.mint(given)?.grant)
        #expect(grant.holder == guest.key && grant.member == 0 && grant.replaces == [token])
        // What was paid goes with it.
        #expect(grant.due?.amount == 700 && played.last.count == 1)
        #expect(played.book(guest, 1, 1, 14, 60) == .refused(.quota))
        // To a student it costs nothing; their quota counts.
        let more = played.booked(ada, 3, 1, 12, 60)
        #expect(
            played.ask(guest, .giveBack(played.slot(given), to: ada.key)) == .refused(.quota))
        played.ask(ada, .giveBack(played.slot(more), to: nil))
        guard
            case .granted(let last)? = played.ask(
                guest, .giveBack(played.slot(given), to: ada.key))
        else { return #expect(Bool(false), "given on") }
        #expect(played.whole.mint(last)?.grant.due == nil)
        #expect(played.whole.mint(last)?.grant.member == 1)
        // What was paid for the first of three counts for the third.
        guard
            case .granted(let back)? = played.ask(
                ada, .giveBack(played.slot(last), to: DeskHall.cy.key))
        else { return #expect(Bool(false), "given back") }
        #expect(played.whole.mint(back)?.grant.due?.amount == 200)
    }

    @Test("Who gives causes the entry, not who gets")
    func giftsAreTheGivers() throws {
        var played = try PlayedDesk(try DeskHall.rules(quotas: false))
        let (giver, other) = (FakeSigner(120), FakeSigner(121))
        for hour in [10, 12] {
            let token = played.booked(giver, 1, 1, hour, 60)
            guard
                case .granted? = played.ask(
                    giver, .giveBack(played.slot(token), to: other.key))
            else { return #expect(Bool(false), "given") }
        }
        #expect(played.book(giver, 1, 1, 14, 60) == .refused(.tooMany))
        _ = played.booked(other, 1, 1, 16, 60)
        #expect(played.held(by: other.key).count == 3)
    }

    @Test("Prices by the hour and by the day, rounded up")
    func prices() throws {
        var policy = try DeskHall.policy()
        (policy.currency, policy.prices) = ("EUR", [.hour(1000), nil, .day(8500)])
        func due(_ minutes: Int, _ count: Int, _ klass: Int) throws -> Int? {
            let period = try #require(DeskHall.period(0, 8, minutes))
            return policy.due(of: period, count: count, class: klass)?.amount
        }
        #expect(try due(60, 1, 0) == 1000)
        #expect(try due(61, 1, 0) == 1017)
        #expect(try due(1, 3, 0) == 51)
        #expect(try due(60, 1, 1) == nil)
        #expect(try due(1440, 1, 2) == 8500)
        #expect(try due(1441, 2, 2) == 34_000)
        // A class that is not there is the last one; a sum that cannot be written is the largest.
        #expect(try due(1440, 1, 9) == 8500)
        policy.prices = [.hour(.max)]
        #expect(try due(60, 1, 0) == Limits.money)
    }

    @Test("R6: unpaid at its time it ends, and the next in the queue gets it; a paid one stays")
    func payBy() throws {
        var played = try PlayedDesk {
            $0.prices = [nil, nil, .hour(1000)]
            $0.currency = "USD"
            $0.payBy = -30
        }
        played.admit()
        let (guest, other) = (FakeSigner(120), FakeSigner(121))
        let unpaid = played.booked(guest, 1, 0, 12, 120)
        let paid = played.booked(other, 2, 0, 12, 120)
        #expect(played.whole.mint(unpaid)?.grant.due == Grant.Due(currency: "USD", amount: 2000))
        played.want(.paid(paid, amount: 1500, means: 0))
        played.want(.paid(paid, amount: 500, means: 2))
        #expect(played.book(bo, 1, 0, 12, 120, waits: true) == .waits(1))
        played.pass(to: 0, 11, 29)
        #expect(played.end(unpaid) == nil)
        played.pass(to: 0, 11, 30)
        #expect(played.end(unpaid)?.reason == .unpaid && played.end(unpaid)?.spent == true)
        #expect(played.held(by: bo.key).count == 1 && played.end(paid) == nil)
        // Both entries are one transaction.
        #expect(played.entries.suffix(2).map { $0.ledger?.type } == [12, 11])
        // Who books later than that has a quarter of an hour.
        played.pass(to: 0, 11, 50)
        let late = played.booked(FakeSigner(122), 3, 0, 12, 60)
        played.pass(to: 0, 12, 4)
        #expect(played.end(late) == nil)
        played.pass(to: 0, 12, 5)
        #expect(played.end(late)?.reason == .unpaid)
        // Some minutes after the grant, where the venue wants that.
        var after = try PlayedDesk {
            $0.prices = [.hour(1)]
            $0.currency = "USD"
            $0.payBy = 10
        }
        var token = after.booked(guest, 1, 5, 12, 60)
        after.pass(minutes: 9)
        #expect(after.end(token) == nil)
        // Moving it gives no more time.
        let later = try #require(DeskHall.period(5, 14, 60))
        guard
            case .granted(let moved)? = after.ask(
                guest, .move(after.slot(token), place: 1, period: later))
        else { return #expect(Bool(false), "moved") }
        token = moved
        after.pass(minutes: 1)
        #expect(after.end(token)?.reason == .unpaid && after.end(token)?.spent == false)
    }
}

@Suite("The desk: its queue and the clock") struct DeskQueueTests {
    @Test("W1: cancellations serve a queue of five in order; a withdrawn one is passed over")
    func queue() throws {
        var played = try PlayedDesk()
        let people = (0..<6).map { FakeSigner(UInt8(110 + $0)) }
        for (number, who) in people.enumerated() {
            played.want(.member(number: number + 1, class: 1, key: who.key))
        }
        var tokens = [played.booked(people[0], 1, 1, 10, 60)]
        let period = try #require(DeskHall.period(1, 10, 60))
        let asks = people[1...].enumerated().compactMap { number, who in
            played.ask(
                who,
                .book(place: 1, period: period, count: 1, waits: true, tag: nil, note: ""),
                UInt64(number))
        }
        played.send(.asks(asks))
        #expect(asks.map { played.fates[$0.id] } == (1...5).map { .waits($0) })
        // The second one takes theirs back; somebody else cannot.
        #expect(played.ask(people[1], .withdraw(asks[1].id)) == .refused(.unknown))
        #expect(played.ask(people[2], .withdraw(asks[1].id)) == .refused(.withdrawn))
        #expect(played.fates[asks[1].id] == .refused(.withdrawn))
        for next in [1, 3, 4, 5] {
            let holder = played.held(by: people[next].key)
            #expect(holder.isEmpty)
            let last = tokens[tokens.count - 1]
            let held = try #require(
                people.first { played.whole.mint(last)?.grant.holder == $0.key })
            played.ask(held, .giveBack(played.slot(last), to: nil))
            guard case .granted(let token)? = played.fates[asks[next - 1].id] else {
                return #expect(Bool(false), "person \(next) is served")
            }
            #expect(played.last.map { $0.ledger?.type } == [12, 11])
            tokens.append(token)
        }
        #expect(played.held(by: people[2].key).isEmpty && played.whole.voids.isEmpty)
    }

    @Test("An ask that was taken back before it came never begins, also if it is noted as waiting")
    func takenBack() throws {
        var played = try PlayedDesk()
        played.admit()
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let asks = try [(bo, 1), (cy, 2)].map { try #require(played.ask($0.0, wish, $0.1)) }
        // Theirs, and somebody else's.
        played.ask(bo, .withdraw(asks[0].id))
        played.ask(bo, .withdraw(asks[1].id))
        played.send(.asks(asks))
        #expect(played.fates[asks[0].id] == .refused(.withdrawn))
        #expect(played.held(by: cy.key).count == 1)
        let waiting = try #require(played.ask(dee, wish, 3))
        played.send(.asks([waiting]))
        #expect(played.fates[waiting.id] == .waits(1))
        played.restart()
        played.open()
        played.pass(minutes: 2)
        played.ask(dee, .withdraw(waiting.id))
        played.send(.asks([waiting]))
        #expect(played.fates[waiting.id] == .refused(.withdrawn))
        #expect(played.desk.queue.count == 0)
    }

    @Test("What its author took back stays so, whoever else says it and for however short")
    func takenBackForGood() throws {
        var played = try PlayedDesk()
        played.admit()
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let ask = try #require(played.ask(bo, wish, 1))
        let word = try #require(played.ask(bo, .withdraw(ask.id), 2, lasts: 1))
        played.send(.asks([word]))
        played.ask(cy, .withdraw(ask.id))
        played.send(.asks([ask]))
        #expect(played.fates[ask.id] == .refused(.withdrawn))
        played.pass(minutes: 3)
        played.send(.asks([ask]))
        #expect(played.held(by: bo.key).isEmpty)
    }

    @Test("An ask that waits and comes again and again is planned once")
    func plannedOnce() throws {
        var played = try PlayedDesk()
        played.admit()
        _ = played.booked(bo, 1, 1, 10, 60)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let waiting = try #require(played.ask(cy, wish, 1))
        for _ in 0..<3 { played.send(.asks([waiting])) }
        var (times, planned) = (played.desk.times, [DeskTimes.What]())
        while let what = times.pop(at: UTCTime(seconds: .max)) { planned.append(what) }
        #expect(planned == [.wait(waiting.id)])
    }

    @Test("Who was passed over for a quota is asked again when it is free")
    func passedOver() throws {
        var played = try PlayedDesk()
        played.admit()
        let wanted = played.booked(bo, 1, 1, 10, 60)
        #expect(played.book(ada, 1, 1, 10, 60, waits: true) == .waits(1))
        let other = played.booked(ada, 2, 1, 15, 60)
        played.ask(bo, .giveBack(played.slot(wanted), to: nil))
        #expect(played.held(by: ada.key).map(\.place) == [2])
        played.ask(ada, .giveBack(played.slot(other), to: nil))
        #expect(played.held(by: ada.key).map(\.place) == [1])
    }

    @Test("The order of the queue outlives a start; what is asked comes again")
    func queueAfterStart() throws {
        var played = try PlayedDesk()
        played.admit()
        let token = played.booked(dee, 1, 1, 10, 60)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let guest = FakeSigner(120)
        let asks = try [(guest, 1), (cy, 2), (bo, 3)].map {
            try #require(played.ask($0.0, wish, $0.1))
        }
        played.send(.asks(asks))
        #expect(asks.map { played.fates[$0.id] } == [.waits(1), .waits(2), .waits(3)])
        // Only members are noted; the stranger has an answer.
        #expect(played.last.count == 2 && played.disk.answers.count == 1)
        played.restart()
        played.open()
        played.send(.asks(asks.reversed()))
        played.pass(minutes: 1)
        played.ask(dee, .giveBack(played.slot(token), to: nil))
        #expect(played.held(by: cy.key).count == 1)
    }

    @Test("Who waits is served after the begin too; when the period is over they hear of it")
    func waitingEnds() throws {
        var played = try PlayedDesk()
        played.admit()
        _ = played.booked(dee, 1, 0, 12, 60)
        let wish = try #require(DeskHall.wait(1, 0, 12, 60))
        let short = try #require(played.ask(bo, wish, 1, lasts: 60))
        let long = try #require(played.ask(cy, wish, 2))
        played.send(.asks([short, long]))
        played.pass(minutes: 61)
        #expect(played.fates[short.id] == .refused(.expired))
        #expect(played.fates[long.id] == .waits(2))
        played.pass(to: 0, 13, 0)
        #expect(played.fates[long.id] == .refused(.tooSoon))
        #expect(played.desk.requests.allSatisfy { $0.standing != .waiting })
    }

    @Test(
        "N1: a no-show is freed after its time, spent, and the next one served; who came keeps it")
    func noShow() throws {
        var played = try PlayedDesk { $0.arrive = 15 }
        played.admit()
        let missed = played.booked(ada, 1, 0, 12, 60)
        let noted = played.booked(bo, 2, 0, 12, 60)
        let stayed = played.booked(cy, 3, 0, 12, 60)
        #expect(played.book(dee, 1, 0, 12, 60, waits: true) == .waits(1))
        played.pass(to: 0, 11, 55)
        played.want(.visit(noted, .arrived))
        let stay = try #require(Stay(place: 3, since: played.now.utc))
        played.send(.stay(cy.key, stay))
        played.pass(to: 0, 12, 14)
        #expect(played.end(missed) == nil)
        played.pass(to: 0, 12, 15)
        #expect(played.end(missed)?.reason == .noShow && played.end(missed)?.spent == true)
        #expect(played.end(noted) == nil && played.end(stayed) == nil)
        #expect(played.held(by: dee.key).count == 1)
        // Who was served late has as long; then nobody has it.
        played.pass(to: 0, 12, 29)
        #expect(played.held(by: dee.key).count == 1)
        played.pass(to: 0, 12, 30)
        #expect(played.held(by: dee.key).isEmpty)
        #expect(played.book(ada, 1, 0, 15, 60) == .refused(.quota))
    }

    @Test("Nobody is absent while the desk cannot know who is there")
    func stayUnknown() throws {
        var played = try PlayedDesk { $0.arrive = 15 }
        played.admit()
        let token = played.booked(bo, 1, 0, 12, 60)
        let stay = try #require(
            Stay(place: 1, booking: token, since: played.clock.time(of: 1440 * 9000 + 720)))
        played.pass(to: 0, 12, 10)
        played.send(.linked(false, random: played.bytes()))
        played.pass(to: 0, 12, 20)
        #expect(played.end(token) == nil)
        played.send(.linked(true, random: played.bytes()))
        played.pass(minutes: 1)
        #expect(played.end(token) == nil)
        played.send(.stay(bo.key, stay))
        played.pass(to: 0, 13, 0)
        #expect(played.end(token) == nil)
        // A stay of somebody else, or elsewhere, says nothing.
        let other = played.booked(bo, 1, 0, 14, 60)
        played.send(.stay(cy.key, try #require(Stay(place: 1, since: played.now.utc))))
        played.send(.stay(bo.key, try #require(Stay(place: 2, since: played.now.utc))))
        played.pass(to: 0, 14, 15)
        #expect(played.end(other)?.reason == .noShow)
    }
}
