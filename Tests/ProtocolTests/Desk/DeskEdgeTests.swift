// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo, cy, dee) = (DeskHall.ada, DeskHall.bo, DeskHall.cy, DeskHall.dee)

@Suite("The desk: bookings at their bounds") struct DeskEdgeTests {
    private func grants(_ fate: PlayedDesk.Fate?) -> Bool {
        if case .granted = fate { true } else { false }
    }

    @Test("What has ended cannot be given back, moved or given away again")
    func endedOnce() throws {
        var played = try PlayedDesk()
        played.admit()
        let slot = played.slot(played.booked(bo, 1, 1, 10, 60))
        let later = try #require(DeskHall.period(1, 14, 60))
        #expect(played.ask(bo, .giveBack(slot, to: nil)) == .closed(slot.token))
        #expect(played.ask(bo, .giveBack(slot, to: nil)) == .refused(.over))
        #expect(played.ask(bo, .giveBack(slot, to: cy.key)) == .refused(.over))
        #expect(played.ask(bo, .move(slot, place: 1, period: later)) == .refused(.over))
    }

    @Test("Its people are told of what is booked and of what ends")
    func notices() throws {
        var played = try PlayedDesk()
        played.admit()
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let ask = try #require(played.ask(bo, wish, 1))
        let booked = played.send(.asks([ask])).notices
        let token = try #require(played.whole.mints.first?.token)
        #expect(booked == [.booked(token)])
        let close = DeskIntent.close(token, .error, spent: false)
        #expect(played.send(.intent(close, token: 1)).notices == [.ended(token, .error)])
        // Who came for it is of no interest any more.
        let other = played.booked(bo, 1, 1, 12, 60)
        let stay = try #require(Stay(place: 1, booking: other, since: played.now.utc))
        played.send(.stay(bo.key, stay))
        #expect(played.desk.arrived == [other])
        played.want(.close(other, .early, spent: false))
        #expect(played.desk.arrived.isEmpty)
    }

    @Test("It can be given away until the minute in which it begins")
    func givingAtTheBegin() throws {
        var played = try PlayedDesk()
        played.admit()
        let slots = [1, 2].map { played.slot(played.booked(bo, $0, 0, 12, 60)) }
        played.pass(to: 0, 11, 59)
        #expect(grants(played.ask(bo, .giveBack(slots[0], to: cy.key))))
        played.pass(to: 0, 12, 0)
        #expect(played.ask(bo, .giveBack(slots[1], to: cy.key)) == .refused(.late))
    }

    @Test("Nobody who is blocked gives anything away or is given it")
    func blockedGifts() throws {
        var played = try PlayedDesk()
        played.admit()
        let slot = played.slot(played.booked(bo, 1, 1, 10, 60))
        let later = try #require(DeskHall.period(1, 14, 60))
        played.send(.blocked([bo.key]))
        #expect(played.ask(bo, .giveBack(slot, to: cy.key)) == .refused(.blocked))
        #expect(played.ask(bo, .move(slot, place: 1, period: later)) == .refused(.blocked))
        played.send(.blocked([cy.key]))
        #expect(played.ask(bo, .giveBack(slot, to: cy.key)) == .refused(.blocked))
        #expect(grants(played.ask(bo, .giveBack(slot, to: dee.key))))
    }

    @Test("What somebody without a number has beside it counts, and no more once it has ended")
    func strangersTogether() throws {
        var played = try PlayedDesk(try DeskHall.rules(quotas: false)) { $0.together = 1 }
        let (one, two) = (FakeSigner(120), FakeSigner(121))
        let token = played.booked(one, 1, 1, 10, 60)
        #expect(played.book(one, 2, 1, 10, 60) == .refused(.together))
        // Not what others have.
        #expect(grants(played.book(two, 2, 1, 10, 60)))
        #expect(played.ask(one, .giveBack(played.slot(token), to: nil)) == .closed(token))
        #expect(grants(played.book(one, 3, 1, 10, 60)))
    }

    @Test("What ended is not in the way of anything, where others are")
    func notInTheWay() throws {
        var played = try PlayedDesk()
        played.admit()
        let day = try #require(DeskHall.period(1, 0, 1440))
        let castles = [bo, cy].map { played.booked($0, 5, 1, 0, 1440) }
        played.want(.close(castles[0], .desk, spent: false))
        #expect(
            played.want(.block(place: 5, period: day, count: 3, note: ""))
                == .success(.blocked(nil, inTheWay: [castles[1]])))
    }

    @Test("What is paid in full is paid after a move too; a swap takes what was paid along")
    func paid() throws {
        var played = try PlayedDesk {
            $0.prices = [nil, .hour(500)]
            $0.currency = "EUR"
        }
        played.admit()
        func due(_ token: Token) -> Grant.Due? { played.whole.mint(token)?.grant.due }
        let full = played.booked(bo, 1, 1, 10, 60)
        played.want(.paid(full, amount: 500, means: 0))
        let later = try #require(DeskHall.period(1, 14, 60))
        guard
            case .granted(let moved)? = played.ask(
                bo, .move(played.slot(full), place: 1, period: later))
        else { return #expect(Bool(false), "moved") }
        #expect(due(moved) == nil)
        let part = played.booked(bo, 1, 1, 10, 60)
        played.want(.paid(part, amount: 300, means: 0))
        guard
            case .success(.booked(let tokens))? = played.want(
                .settle([DeskTransfer(part, to: cy.key)]))
        else { return #expect(Bool(false), "settled") }
        #expect(tokens.map { due($0)?.amount } == [200])
    }

    @Test("What the volume and the rules say of times and places that are not there")
    func bounds() throws {
        let played = try PlayedDesk()
        let desk = played.desk
        #expect(desk.volumeEnd == played.clock.time(of: 1440 * 9031 + Limits.pastMidnight))
        let period = try #require(DeskHall.period(1, 10, 60))
        var want = DeskWant(holder: bo.key, place: 3, period: period, count: 1)
        #expect(desk.load(of: want)?.uses.map(\.unit) == [3])
        want.place = 4
        #expect(desk.load(of: want) == nil && desk.inTheWay(of: want).isEmpty)
    }
}

@Suite("The desk: its queue at the bounds") struct DeskServingTests {
    @Test("There are 999 places behind each other, and no thousandth")
    func places() throws {
        var played = try PlayedDesk()
        played.admit()
        let token = played.booked(bo, 1, 1, 10, 60)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let asks = [120, 121].compactMap { played.ask(FakeSigner($0), wish, 1) }
        var desk = played.desk
        let mint = try #require(desk.ledger.book.mint(token))
        let load = desk.ledger.book.load(of: mint)
        for number in 1..<Limits.queue.upperBound {
            let bytes = [UInt8(number >> 8), UInt8(number & 255)]
            let id = try #require(Bytes32(bytes + Array(repeating: 7, count: 30)))
            desk.queue.append(id, nil, load)
        }
        let answers = desk.handle(.asks(asks), at: played.now).answers
        #expect(answers.map(\.waiting) == [Limits.queue.upperBound, 0])
        #expect(answers.map(\.reason) == [.full, .full])
    }

    @Test("Whoever waits goes before an ask that comes with what gets free")
    func firstTheQueue() throws {
        var played = try PlayedDesk()
        played.admit()
        let token = played.booked(dee, 1, 1, 10, 60)
        #expect(played.book(cy, 1, 1, 10, 60, waits: true) == .waits(1))
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let back = try #require(played.ask(dee, .giveBack(played.slot(token), to: nil), 1))
        let next = try #require(played.ask(bo, wish, 2))
        played.send(.asks([back, next]))
        #expect(played.held(by: cy.key).count == 1 && played.fates[next.id] == .waits(1))
        #expect(played.desk.queue.count == 1)
    }

    @Test("Whoever waits is asked again when they become a member")
    func joining() throws {
        var played = try PlayedDesk()
        played.admit()
        let guest = FakeSigner(120)
        let taken = played.booked(bo, 1, 1, 10, 60)
        #expect(played.book(guest, 1, 1, 10, 60, waits: true) == .waits(1))
        _ = played.booked(guest, 2, 1, 15, 60)
        played.ask(bo, .giveBack(played.slot(taken), to: nil))
        #expect(played.held(by: guest.key).count == 1)
        played.want(.member(number: 8, class: 1, key: guest.key))
        #expect(played.held(by: guest.key).count == 2 && played.desk.queue.count == 0)
    }

    @Test("And when rules say that there is more, or hours that it is offered again")
    func moreAndAgain() throws {
        var played = try PlayedDesk(try DeskHall.rules(castles: 1))
        played.admit()
        _ = played.booked(bo, 5, 1, 0, 1440)
        #expect(played.book(cy, 5, 1, 0, 1440, waits: true) == .waits(1))
        played.want(.charter(try DeskHall.charter(2, try DeskHall.rules(castles: 2))))
        #expect(played.held(by: cy.key).count == 1)
        let taken = played.booked(bo, 1, 1, 10, 60)
        #expect(played.book(dee, 1, 1, 10, 60, waits: true) == .waits(1))
        let policy = played.policy
        let less = DeskPolicy(places: policy.places.filter { $0.number != 1 })
        played.send(.policy(less, played.clock))
        played.ask(bo, .giveBack(played.slot(taken), to: nil))
        #expect(played.held(by: dee.key).isEmpty)
        played.send(.policy(policy, played.clock))
        #expect(played.held(by: dee.key).count == 1)
    }

    @Test("What people wrote into the ledger by hand serves the queue too")
    func byHand() throws {
        var played = try PlayedDesk()
        played.admit()
        let token = played.booked(bo, 1, 1, 10, 60)
        #expect(played.book(cy, 1, 1, 10, 60, waits: true) == .waits(1))
        let head = played.desk.ledger.head
        let entry = try played.venue.codec.sign(
            .ledger(.close(LedgerClose(token, .desk))), flight: played.venue.gathering,
            seq: head.seq + 1, previous: head.id, by: played.signer)
        played.learn([entry])
        #expect(played.end(token)?.reason == .desk && played.held(by: cy.key).count == 1)
    }

    @Test("What waits and was never noted is asked anew; strangers keep their answers")
    func neverNoted() throws {
        var played = try PlayedDesk()
        played.admit()
        _ = played.booked(dee, 1, 1, 10, 60)
        let strangers = [121, 120].map { FakeSigner($0) }
        for who in strangers { played.book(who, 1, 1, 10, 60, waits: true) }
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let ask = try #require(played.ask(cy, wish, 1))
        let answers = played.disk.answers
        #expect(answers.map(\.waiting) == [1, 2])
        played.sendLogs()
        #expect(played.disk.answers == answers)
        #expect(played.desk.queue.all.compactMap { $0.ask?.author } == strangers.map(\.key))
        // It waits, but the entry never came into the log.
        played.send(.asks([ask]), dies: true)
        played.send(.tick)
        played.pass(seconds: 6)
        #expect(played.fates[ask.id] == .waits(3))
        #expect(Array(played.desk.ledger.records.waiting.keys) == [ask.id])
    }

    @Test("An ask that comes again after a start ends at its time")
    func endsAfterStart() throws {
        var played = try PlayedDesk()
        played.admit()
        _ = played.booked(dee, 1, 1, 10, 60)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let ask = try #require(played.ask(cy, wish, 1, lasts: 60))
        played.send(.asks([ask]))
        #expect(played.fates[ask.id] == .waits(1))
        played.restart()
        played.open()
        played.send(.asks([ask]))
        played.pass(minutes: 59)
        #expect(played.fates[ask.id] == .waits(1))
        played.pass(minutes: 1)
        #expect(played.fates[ask.id] == .refused(.expired))
    }

    @Test("What is granted or refused cannot be taken back")
    func nothingToTakeBack() throws {
        var played = try PlayedDesk()
        played.admit()
        let period = try #require(DeskHall.period(1, 10, 60))
        let wish = BookingAsk.Wish.book(
            place: 1, period: period, count: 1, waits: false, tag: nil, note: "")
        let asks = [bo, cy].compactMap { played.ask($0, wish, 1, lasts: 10) }
        played.send(.asks(asks))
        #expect(played.fates[asks[1].id] == .refused(.full))
        #expect(played.ask(bo, .withdraw(asks[0].id)) == .refused(.unknown))
        #expect(played.ask(cy, .withdraw(asks[1].id)) == .refused(.unknown))
        // After its time nobody knows of it any more.
        played.pass(minutes: 11)
        #expect(played.desk.asks.answer(to: asks[1].id) == nil)
        #expect(played.ask(cy, .withdraw(asks[1].id)) == .refused(.withdrawn))
    }
}
