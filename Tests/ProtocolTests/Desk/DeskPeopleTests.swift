// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo, cy, dee) = (DeskHall.ada, DeskHall.bo, DeskHall.cy, DeskHall.dee)

/// What the people at the desk may do, and what of it comes into the ledger.
@Suite("The desk: its people at the bounds") struct DeskPeopleTests {
    private func tokens(_ result: Result<DeskReply, DeskRefusal>?) -> [Token] {
        switch result {
        case .success(.booked(let tokens)), .success(.moved(let tokens, _, _)): tokens
        default: []
        }
    }

    private func flags(_ tokens: [Token], _ played: PlayedDesk) -> [Grant.Flags?] {
        tokens.map { played.whole.mint($0)?.grant.flags }
    }

    @Test("A member who is noted already is not noted again; a further key of theirs is")
    func notedOnce() throws {
        var played = try PlayedDesk()
        played.admit()
        let count = played.entries.count
        for key in [ada.key, nil] {
            #expect(played.want(.member(number: 1, class: 0, key: key)) == .success(.done))
            #expect(played.entries.count == count)
        }
        let further = FakeSigner(140).key
        #expect(played.want(.member(number: 1, class: 0, key: further)) == .success(.done))
        #expect(played.entries.count == count + 1)
        #expect(played.whole.member(of: further) == 1)
    }

    @Test("A first key gets what the desk holds for the member, and nothing of a caller's")
    func firstKey() throws {
        var played = try PlayedDesk()
        played.want(.member(number: 9, class: 0, key: nil))
        let period = try #require(DeskHall.period(1, 12, 60))
        let own = tokens(played.want(.book(DeskBooking(.member(9), place: 1, period: period))))
        let call = tokens(played.want(.book(DeskBooking(.caller, place: 2, period: period))))
        let new = FakeSigner(140)
        let moved = tokens(played.want(.move(number: 9, to: new.key)))
        #expect(moved.count == 1 && flags(moved, played) == [[]])
        #expect(own.map { played.end($0)?.by.token } == moved)
        #expect(played.held(by: new.key).map(\.member) == [9])
        #expect(call.count == 1 && played.end(call[0]) == nil)
    }

    @Test("What a member has goes to their new key also where quotas are less than before")
    func lessThanBefore() throws {
        var played = try PlayedDesk(try DeskHall.rules(quotas: false))
        played.admit()
        _ = played.booked(ada, 1, 1, 10, 60)
        _ = played.booked(ada, 2, 1, 12, 60)
        _ = played.booked(ada, 1, 2, 10, 60)
        played.want(.charter(try DeskHall.charter(2, try DeskHall.rules())))
        let new = FakeSigner(140)
        let moved = tokens(played.want(.move(number: 1, to: new.key)))
        // Of two on one day each would be one too many.
        let held = moved.compactMap { played.whole.mint($0)?.grant }
        let kept = held.filter { $0.flags == .override }.map(\.period.day.number)
        #expect(kept == [DeskHall.first + 1, DeskHall.first + 1])
        #expect(held.filter { $0.flags.isEmpty }.count == 1 && played.whole.voids.isEmpty)
    }

    @Test("Who came has come for the booking that their new key gets")
    func cameBefore() throws {
        var played = try PlayedDesk { $0.arrive = 15 }
        played.admit()
        let one = played.booked(bo, 1, 0, 12, 60)
        _ = played.booked(bo, 2, 0, 12, 60)
        played.want(.visit(one, .arrived))
        let new = FakeSigner(140)
        let moved = tokens(played.want(.move(number: 2, to: new.key)))
        #expect(moved.count == 2)
        played.pass(to: 0, 12, 15)
        #expect(played.held(by: new.key).map(\.place) == [1])
    }

    @Test("Eight bookings are settled at once, and no nine; quotas are set aside")
    func settling() throws {
        var played = try PlayedDesk()
        played.admit()
        let booked = try (8..<17).map { hour in
            let period = try #require(DeskHall.period(1, hour, 60))
            return try #require(
                tokens(played.want(.book(DeskBooking(.caller, place: 3, period: period)))).first)
        }
        let all = booked.map { DeskTransfer($0, to: ada.key) }
        #expect(played.want(.settle(all)) == .failure(.badValue))
        #expect(booked.allSatisfy { played.end($0) == nil })
        // She may have one booking a day.
        let settled = tokens(played.want(.settle(Array(all.dropLast()))))
        #expect(flags(settled, played) == Array(repeating: .override, count: 8))
        #expect(played.held(by: ada.key).count == 8 && played.whole.voids.isEmpty)
    }

    @Test("A booking of a swap goes to whom it should also where that is over a quota")
    func settlingOverQuota() throws {
        var played = try PlayedDesk()
        played.admit()
        _ = played.booked(ada, 1, 1, 10, 60)
        let other = played.booked(bo, 2, 1, 10, 60)
        let settled = tokens(played.want(.settle([DeskTransfer(other, to: ada.key)])))
        #expect(flags(settled, played) == [.override])
        #expect(played.held(by: ada.key).map(\.place) == [1, 2])
    }

    @Test("Where there is less than before nothing ends that could not be granted again")
    func settlingWithLess() throws {
        var played = try PlayedDesk()
        played.admit()
        let castles = [bo, cy, dee].map { played.booked($0, 5, 1, 0, 1440) }
        played.want(.charter(try DeskHall.charter(2, try DeskHall.rules(castles: 2))))
        #expect(
            played.want(.settle([DeskTransfer(castles[0], to: cy.key)]))
                == .failure(.void(.full)))
        #expect(castles.allSatisfy { played.end($0) == nil })
    }

    @Test("Where both of a swap fit alone and not together nothing ends")
    func settlingTogether() throws {
        var played = try PlayedDesk()
        played.admit()
        let castles = [bo, cy].map { played.booked($0, 5, 1, 0, 1440) }
        played.want(.charter(try DeskHall.charter(2, try DeskHall.rules(castles: 1))))
        let swap = [DeskTransfer(castles[0], to: cy.key), DeskTransfer(castles[1], to: bo.key)]
        let before = played.entries.count
        #expect(played.want(.settle(swap)) == .failure(.void(.full)))
        #expect(played.entries.count == before && played.desk.ledger.book == played.whole)
        #expect(castles.allSatisfy { played.end($0) == nil })
    }

    @Test("Of asks that came while the desk is away the one that is named is granted or refused")
    func theOneThatIsNamed() throws {
        var played = try PlayedDesk()
        played.admit()
        played.want(.away)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let asks = [bo, cy, dee].compactMap { played.ask($0, wish, 1) }
        played.send(.asks(asks))
        #expect(played.want(.grant(ask: .zero)) == .failure(.noSuchAsk))
        #expect(tokens(played.want(.grant(ask: asks[1].id))).count == 1)
        #expect(played.held(by: cy.key).count == 1)
        #expect(played.want(.refuse(ask: asks[2].id)) == .success(.done))
        #expect(played.fates[asks[2].id] == .refused(.refused))
        #expect(played.desk.requests.map(\.ask.id).first == asks[0].id)
        #expect(played.want(.refuse(ask: asks[2].id)) == .failure(.noSuchAsk))
    }

    @Test("What was refused is granted while its booking is still theirs and free")
    func stillTheirs() throws {
        var played = try PlayedDesk()
        played.admit()
        let slot = played.slot(played.booked(bo, 1, 0, 12, 60))
        played.pass(to: 0, 11, 0)
        let later = try #require(DeskHall.period(1, 12, 60))
        let move = try #require(played.ask(bo, .move(slot, place: 1, period: later), 1))
        let wrong = try #require(played.ask(bo, .move(slot, place: 4, period: later), 2))
        played.send(.asks([move, wrong]))
        #expect(played.fates[move.id] == .refused(.late))
        #expect(played.fates[wrong.id] == .refused(.late))
        let moved = Slot(token: slot.token, producer: Producer(.zero))
        for tenure in [
            DeskTenure(slot: slot, holder: bo.key, isBound: true),
            DeskTenure(slot: slot, holder: cy.key, isBound: false),
            DeskTenure(slot: moved, holder: bo.key, isBound: false),
        ] {
            played.send(.tenures([tenure]))
            #expect(played.want(.grant(ask: move.id)) == .failure(.noSuchBooking))
        }
        played.send(.tenures([]))
        #expect(played.want(.grant(ask: wrong.id)) == .failure(.void(.place)))
        #expect(tokens(played.want(.grant(ask: move.id))).count == 1)
        #expect(played.desk.asks.answer(to: move.id) == nil)
        #expect(played.desk.asks.refused.map(\.ask.id) == [wrong.id])
        // The booking has ended now: that is said first.
        #expect(played.want(.grant(ask: wrong.id)) == .failure(.noSuchBooking))
    }

    @Test("A charter begins a ledger also where its log says already whose it is")
    func charterAfterGenesis() throws {
        let venue = LedgerVenue.fake
        var made = MadeUpLedger(FakeSigner(1), in: venue)
        try made.write(.genesis(name: "desk", agent: "test"))
        let now = Moment(instant: .zero, utc: UTCTime(seconds: 1))
        let random = ThreadID(high: 1, low: 2)
        var desk = VenueDesk(
            DeskSetup(gathering: venue.gathering, key: made.key, codec: venue.codec),
            policy: try DeskHall.policy(), clock: try DeskHall.clock(),
            start: DeskStart(logs: venue.logs(made), seen: { _ in nil }), at: now)
        #expect(desk.ledger.head.seq == 1 && desk.ledger.standing == .noCharter)
        let charter = try DeskHall.charter(1, try DeskHall.rules())
        let intent = DeskEvent.intent(.charter(charter), token: 1)
        // Not before the log is open.
        var effects = desk.handle(intent, at: now)
        #expect(effects.replies.map(\.result) == [.failure(.closed(.noCharter))])
        #expect(effects.appends.isEmpty)
        _ = desk.handle(.gate(isOpen: true, random: random), at: now)
        effects = desk.handle(intent, at: now)
        #expect(effects.appends == [.charter(charter)] && effects.needsLogs)
    }

    @Test("No later rules while its log is not open")
    func rulesWhileShut() throws {
        var played = try PlayedDesk(closed: nil)
        let charter = try DeskHall.charter(2, try DeskHall.rules(castles: 1))
        #expect(played.want(.charter(charter)) == .failure(.closed(.shut)))
        #expect(played.entries.count == 2)
    }
}
