// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo, cy, dee) = (DeskHall.ada, DeskHall.bo, DeskHall.cy, DeskHall.dee)

@Suite("The desk: its people") struct DeskStaffTests {
    private func tokens(_ result: Result<DeskReply, DeskRefusal>?) -> [Token] {
        switch result {
        case .success(.booked(let tokens)), .success(.moved(let tokens, _, _)): tokens
        default: []
        }
    }

    @Test("D7: for a member without a key, for a caller, for a key; hours are set aside")
    func booking() throws {
        var played = try PlayedDesk()
        played.admit()
        let night = try #require(DeskHall.period(1, 23, 60))
        let day = try #require(DeskHall.period(1, 12, 60))
        played.want(.member(number: 9, class: 0, key: nil))
        var booking = DeskBooking(.member(9), place: 1, period: night)
        booking.note = "Els"
        let nine = tokens(played.want(.book(booking)))
        #expect(nine.count == 1 && played.whole.mint(nine[0])?.grant.holder == played.signer.key)
        #expect(played.whole.mint(nine[0])?.grant.member == 9)
        #expect(
            played.want(.book(DeskBooking(.member(9), place: 2, period: day)))
                == .failure(.void(.quota)))
        booking = DeskBooking(.member(9), place: 2, period: day)
        booking.overrides = true
        #expect(tokens(played.want(.book(booking))).count == 1)
        // Callers are not one person.
        for place in [1, 3, 6] {
            let call = DeskBooking(.caller, place: place, period: day)
            #expect(tokens(played.want(.book(call))).count == 1)
        }
        let own = tokens(played.want(.book(DeskBooking(.key(bo.key), place: 1, period: day))))
        #expect(own.isEmpty && played.replies.last == .failure(.void(.full)))
        #expect(
            played.want(.book(DeskBooking(.member(77), place: 1, period: night)))
                == .failure(.noSuchMember))
        booking.note = String(repeating: "x", count: 201)
        booking.period = try #require(DeskHall.period(4, 12, 60))
        #expect(played.want(.book(booking)) == .failure(.badValue))
        #expect(played.whole.voids.isEmpty && played.desk.ledger.book == played.whole)
    }

    @Test("A block is whole or not at all; what is late is kept as far as nobody has it")
    func blocks() throws {
        var played = try PlayedDesk()
        played.admit()
        let court = played.booked(bo, 1, 1, 12, 60)
        let noon = try #require(DeskHall.period(1, 10, 240))
        #expect(
            played.want(.block(place: 1, period: noon, count: 1, note: "roof"))
                == .success(.blocked(nil, inTheWay: [court])))
        let early = played.booked(cy, 1, 1, 10, 60)
        let gap = try #require(DeskHall.period(1, 11, 60))
        #expect(
            played.want(.late(early, minutes: 90))
                == .success(.blocked(gap, inTheWay: [court])))
        #expect(played.end(court) == nil && played.whole.voids.isEmpty)
        let half = DeskHall.period(1, 13, 30)
        #expect(
            played.want(.late(court, minutes: 30)) == .success(.blocked(half, inTheWay: [])))
        #expect(played.want(.late(court, minutes: 0)) == .failure(.badValue))
        #expect(played.want(.late(Token(.zero), minutes: 5)) == .failure(.noSuchBooking))
        // D6: a castle a day late, with all others out.
        let castle = played.booked(bo, 5, 3, 0, 1440)
        let others = [cy, dee].map { played.booked($0, 5, 4, 0, 1440) }
        for (token, day) in [(castle, 4), (others[0], 5)] {
            let next = DeskHall.period(day, 0, 1440)
            #expect(
                played.want(.late(token, minutes: 1440))
                    == .success(.blocked(next, inTheWay: [])))
        }
        // With a turnover: it is kept until that is over.
        let cleaned = played.booked(bo, 6, 1, 12, 60)
        played.want(.late(cleaned, minutes: 90))
        #expect(played.book(cy, 6, 1, 15, 60) == .refused(.kept))
        #expect(played.book(cy, 6, 1, 16, 60) != .refused(.kept))
    }

    @Test("What comes back late is kept until the volume ends, and no longer")
    func lateAtTheEnd() throws {
        var played = try PlayedDesk()
        let night = try #require(DeskHall.period(30, 22, 60))
        let call = DeskBooking(.caller, place: 3, period: night)
        let token = try #require(tokens(played.want(.book(call))).first)
        let rest = try #require(DeskHall.period(30, 23, 60))
        #expect(
            played.want(.late(token, minutes: 120)) == .success(.blocked(rest, inTheWay: [])))
    }

    @Test("What is in the way is listed, also after another booking of that day has ended")
    func inTheWay() throws {
        var played = try PlayedDesk()
        played.admit()
        let (one, two) = (played.booked(bo, 1, 1, 12, 60), played.booked(cy, 2, 1, 12, 60))
        played.want(.close(one, .desk, spent: false))
        let noon = try #require(DeskHall.period(1, 12, 60))
        #expect(
            played.want(.block(place: 2, period: noon, count: 1, note: ""))
                == .success(.blocked(nil, inTheWay: [two])))
        #expect(
            played.want(.block(place: 1, period: noon, count: 1, note: ""))
                == .success(.blocked(noon, inTheWay: [])))
    }

    @Test("Closes, payments and visits; what is over or not there is refused")
    func closing() throws {
        var played = try PlayedDesk()
        played.admit()
        let token = played.booked(bo, 1, 1, 12, 60)
        #expect(played.book(cy, 1, 1, 12, 60, waits: true) == .waits(1))
        #expect(played.want(.paid(token, amount: 5, means: 8)) == .failure(.badValue))
        #expect(played.want(.visit(token, .handedOut)) == .success(.done))
        #expect(played.want(.close(token, .asked, spent: false)) == .failure(.badValue))
        #expect(played.want(.close(token, .error, spent: false)) == .success(.done))
        // The queue has it at once.
        #expect(played.last.map { $0.ledger?.type } == [12, 11])
        #expect(played.want(.close(token, .desk, spent: false)) == .failure(.noSuchBooking))
        #expect(played.want(.paid(Token(.zero), amount: 5, means: 1)) == .failure(.noSuchBooking))
    }

    @Test("Asks that wait are granted or refused by its people")
    func requests() throws {
        var played = try PlayedDesk()
        played.admit()
        let token = played.booked(bo, 1, 1, 12, 60)
        let period = try #require(DeskHall.period(1, 12, 60))
        let wish = BookingAsk.Wish.book(
            place: 1, period: period, count: 1, waits: true, tag: nil, note: "")
        let asks = try [cy, dee].map { try #require(played.ask($0, wish, 1)) }
        played.send(.asks(asks))
        #expect(played.desk.requests.map(\.standing) == [.waiting, .waiting])
        #expect(played.want(.grant(ask: asks[1].id)) == .failure(.void(.full)))
        #expect(played.want(.refuse(ask: asks[0].id)) == .success(.done))
        #expect(played.fates[asks[0].id] == .refused(.refused))
        played.want(.close(token, .desk, spent: false))
        #expect(played.held(by: dee.key).count == 1 && played.held(by: cy.key).isEmpty)
        #expect(played.want(.grant(ask: asks[1].id)) == .failure(.noSuchAsk))
        // A move that is too late.
        played.pass(to: 1, 11, 0)
        let mine = try #require(played.whole.mints.last?.token)
        let later = try #require(DeskHall.period(2, 12, 60))
        let move = try #require(
            played.ask(dee, .move(played.slot(mine), place: 1, period: later), 7))
        played.send(.asks([move]))
        #expect(played.fates[move.id] == .refused(.late))
        let moved = tokens(played.want(.grant(ask: move.id)))
        #expect(played.held(by: dee.key).map(\.period) == [later])
        // Only what sets a quota aside is marked so.
        #expect(moved.map { played.whole.mint($0)?.grant.flags } == [[]])
    }

    @Test("An ask that its people grant waits no more")
    func grantedOutOfTheQueue() throws {
        var played = try PlayedDesk()
        played.admit()
        let wanted = played.booked(bo, 1, 1, 10, 60)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let waiting = try #require(played.ask(ada, wish, 1))
        played.send(.asks([waiting]))
        // Her quota is used, so she is passed over.
        _ = played.booked(ada, 2, 1, 15, 60)
        played.ask(bo, .giveBack(played.slot(wanted), to: nil))
        #expect(played.desk.requests.map(\.standing) == [.waiting])
        let granted = tokens(played.want(.grant(ask: waiting.id)))
        #expect(granted.map { played.whole.mint($0)?.grant.ask } == [waiting.id])
        #expect(played.desk.requests.isEmpty && played.desk.queue.count == 0)
    }

    @Test("What is over does not go to a new key; what is not does, in its last minute too")
    func newKeyAtTheEnd() throws {
        var played = try PlayedDesk()
        played.admit()
        let (one, two) = (FakeSigner(140), FakeSigner(141))
        _ = played.booked(bo, 1, 0, 12, 60)
        _ = played.booked(cy, 2, 0, 12, 60)
        played.pass(to: 0, 12, 59)
        #expect(tokens(played.want(.move(number: 2, to: one.key))).count == 1)
        played.pass(to: 0, 13, 0)
        #expect(
            played.want(.move(number: 3, to: two.key))
                == .success(.moved([], bound: [], retired: [cy.key])))
    }

    @Test("R11: a member's bookings go to their new key, and the quota stays")
    func newKey() throws {
        var played = try PlayedDesk()
        played.admit()
        let new = FakeSigner(140)
        let mine = played.booked(ada, 3, 1, 10, 240)
        let bound = played.booked(ada, 3, 2, 10, 100)
        let swapped = played.booked(bo, 1, 3, 10, 60)
        let given = played.booked(ada, 3, 4, 10, 60)
        // One is bound, one came by a swap, one went by a swap.
        played.send(
            .tenures([
                DeskTenure(slot: played.slot(bound), holder: ada.key, isBound: true),
                DeskTenure(
                    slot: Slot(token: swapped, producer: Producer(.zero)), holder: ada.key,
                    isBound: false),
                DeskTenure(
                    slot: Slot(token: given, producer: Producer(.zero)), holder: bo.key,
                    isBound: false),
            ]))
        guard
            case .success(.moved(let moved, let staying, let retired))? =
                played.want(.move(number: 1, to: new.key))
        else { return #expect(Bool(false), "moved") }
        #expect(moved.count == 2 && staying == [bound] && retired == [ada.key])
        #expect(
            played.end(mine)?.by.token == moved.first { played.whole.mint($0)?.grant.place == 3 })
        #expect(played.end(given) == nil && played.held(by: new.key).allSatisfy { $0.member == 1 })
        #expect(played.book(new, 3, 1, 18, 1) == .refused(.quota))
        #expect(played.whole.voids.isEmpty && played.desk.ledger.book == played.whole)
        #expect(played.want(.move(number: 1, to: bo.key)) == .failure(.isMember))
        #expect(played.want(.move(number: 99, to: new.key)) == .failure(.noSuchMember))
        // A class is what the first note said.
        #expect(played.want(.member(number: 1, class: 1, key: nil)) == .failure(.isMember))
        #expect(played.want(.member(number: 8, class: 3, key: nil)) == .failure(.badValue))
    }

    @Test("A stranded swap: both bookings end and are granted the other way round")
    func stranded() throws {
        var played = try PlayedDesk()
        played.admit()
        let (one, two) = (played.booked(ada, 1, 1, 10, 60), played.booked(bo, 2, 1, 11, 60))
        let result = played.want(
            .settle([DeskTransfer(one, to: bo.key), DeskTransfer(two, to: ada.key)]))
        #expect(tokens(result).count == 2)
        #expect(played.last.map { $0.ledger?.type } == [12, 12, 11, 11])
        #expect(played.end(one)?.reason == .stranded && played.whole.voids.isEmpty)
        #expect(played.held(by: bo.key).map(\.place) == [1])
        #expect(played.held(by: ada.key).map(\.place) == [2])
        #expect(
            played.want(.settle([DeskTransfer(one, to: bo.key)])) == .failure(.noSuchBooking))
    }
}
