// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo, cy) = (DeskHall.ada, DeskHall.bo, DeskHall.cy)

@Suite("The desk: why not") struct DeskReasonTests {
    private func refuses(_ fate: PlayedDesk.Fate?, _ reason: DeskReason) -> Bool {
        fate == .refused(reason)
    }

    private func grants(_ fate: PlayedDesk.Fate?) -> Bool {
        if case .granted = fate { true } else { false }
    }

    @Test("A place that nobody offers")
    func place() throws {
        var played = try PlayedDesk()
        played.admit()
        #expect(refuses(played.book(bo, 4, 1, 10, 60), .place))
        // In the policy and not in the rules, and the other way round.
        var policy = try DeskHall.policy()
        policy = DeskPolicy(
            places: policy.places.filter { $0.number != 1 }
                + [DeskPolicy.Place(number: 4, grain: 60, hours: policy.places[0].hours)])
        played.send(.policy(policy, try DeskHall.clock()))
        #expect(refuses(played.book(bo, 4, 1, 10, 60), .place))
        #expect(refuses(played.book(bo, 1, 1, 10, 60), .place))
        #expect(grants(played.book(bo, 2, 1, 10, 60)))
    }

    @Test("Outside of the hours by a minute on either side, and outside of the volume")
    func hours() throws {
        var played = try PlayedDesk()
        played.admit()
        #expect(refuses(played.book(bo, 3, 1, 7, 10, at: 59), .hours))
        #expect(grants(played.book(bo, 3, 1, 8, 10)))
        #expect(refuses(played.book(bo, 3, 1, 21, 31, at: 30), .hours))
        #expect(grants(played.book(bo, 3, 1, 21, 30, at: 30)))
        #expect(refuses(played.book(bo, 3, 31, 10, 60), .hours))
        // A day on which it is closed, by the day.
        let open = try DeskHall.policy(days: 5)
        played.send(.policy(open, try DeskHall.clock()))
        #expect(grants(played.book(bo, 5, 4, 0, 4320)))
        #expect(refuses(played.book(bo, 5, 5, 0, 1440), .hours))
    }

    @Test("Steps and lengths")
    func grainAndLength() throws {
        var played = try PlayedDesk()
        played.admit()
        #expect(refuses(played.book(bo, 1, 1, 10, 60, at: 30), .grain))
        #expect(refuses(played.book(bo, 1, 1, 10, 30), .length))
        #expect(refuses(played.book(bo, 1, 1, 10, 90), .length))
        #expect(refuses(played.book(bo, 1, 1, 10, 300), .length))
        #expect(grants(played.book(bo, 1, 1, 10, 240)))
        var lengths = DeskPolicy(
            places: [
                DeskPolicy.Place(
                    number: 3, grain: 1, lengths: [60, 240],
                    hours: try DeskHall.policy().places[0].hours)
            ])
        lengths.waiting = true
        played.send(.policy(lengths, try DeskHall.clock()))
        #expect(refuses(played.book(bo, 3, 2, 10, 120), .length))
        #expect(grants(played.book(bo, 3, 2, 10, 60, at: 7)))
        #expect(grants(played.book(bo, 3, 2, 12, 240)))
        // The shortest one.
        let least = DeskPolicy(
            places: [
                DeskPolicy.Place(
                    number: 3, grain: 10, least: 30,
                    hours: try DeskHall.policy().places[0].hours)
            ])
        played.send(.policy(least, try DeskHall.clock()))
        #expect(refuses(played.book(bo, 3, 3, 10, 20), .length))
        #expect(grants(played.book(bo, 3, 3, 10, 30)))
    }

    @Test("At the borders: nothing beyond them, parts of any length, room for a turnover")
    func borders() throws {
        var played = try PlayedDesk()
        played.admit()
        let always = [1440 * 8999..<1440 * 9032]
        let policy = DeskPolicy(
            places: [
                DeskPolicy.Place(number: 1, grain: 60, least: 120, most: 240, hours: always),
                DeskPolicy.Place(number: 2, grain: 60, lengths: [60, 240], hours: always),
                DeskPolicy.Place(number: 6, grain: 60, hours: always, turnover: 60),
            ])
        played.send(.policy(policy, try DeskHall.clock()))
        // An hour of a longer one is left on either side.
        #expect(refuses(played.book(bo, 1, 30, 23, 120), .hours))
        #expect(grants(played.book(bo, 1, 30, 23, 60)))
        #expect(refuses(played.book(bo, 1, 30, 21, 60), .length))
        #expect(refuses(played.book(bo, 1, 1, 2, 60), .length))
        #expect(grants(played.book(bo, 2, 30, 21, 180)))
        #expect(refuses(played.book(bo, 2, 29, 19, 300), .length))
        #expect(grants(played.book(bo, 6, 30, 23, 60)))
        // Of its first day, which has begun for the desk. What the ledger before gave out may be
        // made ready in the first hour.
        func first(_ place: Int, _ hour: Int, _ minutes: Int) throws -> DeskReason? {
            let period = try #require(DeskHall.period(0, hour, minutes))
            let (ledger, clock) = (try DeskHall.rules().minutes, try DeskHall.clock())
            return policy.place(place)?.refusal(of: period, in: ledger, clock)
        }
        #expect(try first(1, 0, 60) == nil && first(1, 0, 300) == .length)
        #expect(try first(1, 1, 60) == .length && first(2, 0, 120) == nil)
        #expect(try first(6, 0, 60) == .hours && first(6, 1, 60) == nil)
        // The people at the desk set hours aside, and no border.
        for (minutes, isFine) in [(61, false), (60, true)] {
            let night = try #require(DeskHall.period(30, 23, minutes))
            let done = played.want(.block(place: 3, period: night, count: 1, note: ""))
            #expect((done == .failure(.badValue)) == !isFine)
        }
        let last = try #require(DeskHall.period(30, 0, 1440))
        let booking = DeskBooking(.caller, place: 5, period: last)
        let booked = tokens(played.want(.book(booking)))
        let token = try #require(booked.first)
        #expect(played.want(.late(token, minutes: 600)) == .success(.blocked(nil, inTheWay: [])))
        #expect(played.whole.voids.isEmpty)
    }

    private func tokens(_ outcome: VenueDesk.Outcome?) -> [Token] {
        guard case .success(.booked(let tokens))? = outcome else { return [] }
        return tokens
    }

    @Test("Too soon and too far, to the minute and the day")
    func soonAndFar() throws {
        var played = try PlayedDesk {
            $0.notice = 60
            $0.ahead = 7
        }
        played.admit()
        played.pass(to: 0, 9, 0)
        #expect(refuses(played.book(bo, 3, 0, 9, 10, at: 59), .tooSoon))
        #expect(grants(played.book(bo, 3, 0, 10, 10)))
        #expect(grants(played.book(bo, 3, 7, 21, 60)))
        #expect(refuses(played.book(bo, 3, 8, 8, 60), .tooFar))
        // What has begun cannot be booked without a notice either.
        var open = try PlayedDesk()
        open.admit()
        open.pass(to: 0, 9, 0)
        #expect(grants(open.book(bo, 3, 0, 9, 10)))
        open.pass(to: 0, 9, 11)
        #expect(refuses(open.book(bo, 3, 0, 9, 20, at: 10), .tooSoon))
    }

    @Test("Who has not joined, is of another class, or is blocked")
    func people() throws {
        var played = try PlayedDesk { policy in
            policy.join = .card
            let places = policy.places.map { place in
                DeskPolicy.Place(
                    number: place.number, grain: place.grain, most: place.most,
                    hours: place.hours, isByDay: place.isByDay,
                    classes: place.number == 2 ? [0] : [])
            }
            var other = DeskPolicy(places: places)
            (other.join, other.waiting) = (policy.join, true)
            policy = other
        }
        #expect(refuses(played.book(ada, 1, 1, 10, 60), .notJoined))
        played.admit()
        #expect(grants(played.book(ada, 2, 1, 10, 60)))
        #expect(refuses(played.book(bo, 2, 1, 12, 60), .classes))
        #expect(grants(played.book(bo, 1, 1, 12, 60)))
        played.send(.blocked([bo.key]))
        #expect(refuses(played.book(bo, 1, 1, 14, 60), .blocked))
        played.send(.blocked([]))
        #expect(grants(played.book(bo, 1, 1, 14, 60)))
    }

    @Test("Whoever has no number is of the last class")
    func lastClass() throws {
        let places = [0, 2].map { klass in
            DeskPolicy.Place(
                number: klass + 1, grain: 60, hours: [1440 * 9000..<1440 * 9031],
                classes: [klass])
        }
        var played = try PlayedDesk(nil, DeskPolicy(places: places))
        played.admit()
        let guest = FakeSigner(120)
        #expect(refuses(played.book(guest, 1, 1, 10, 60), .classes))
        #expect(grants(played.book(guest, 3, 1, 10, 60)))
        #expect(refuses(played.book(bo, 3, 1, 12, 60), .classes))
    }

    @Test("Of two reasons the first in the list is told")
    func order() throws {
        var played = try PlayedDesk {
            $0.notice = 60
            $0.together = 1
        }
        played.admit()
        // Full, over the quota, beside another one, and at no step.
        #expect(grants(played.book(ada, 3, 1, 10, 200)))
        #expect(refuses(played.book(ada, 3, 1, 10, 60), .quota))
        #expect(refuses(played.book(ada, 3, 1, 23, 300), .hours))
        #expect(refuses(played.book(ada, 1, 1, 10, 60, at: 30), .grain))
        #expect(refuses(played.book(bo, 3, 1, 10, 60), .full))
        #expect(grants(played.book(bo, 1, 1, 10, 60)))
        #expect(refuses(played.book(bo, 3, 1, 10, 60), .together))
    }

    @Test("R5: exactly 240 minutes are granted, 241 are not; one booking a day; guests have 120")
    func quotas() throws {
        var played = try PlayedDesk { policy in
            let places = policy.places.map { place in
                DeskPolicy.Place(
                    number: place.number, grain: place.grain, hours: place.hours,
                    isByDay: place.isByDay)
            }
            policy = DeskPolicy(places: places)
        }
        played.admit()
        #expect(refuses(played.book(ada, 3, 1, 10, 241), .quota))
        #expect(grants(played.book(ada, 3, 1, 10, 240)))
        #expect(refuses(played.book(ada, 3, 1, 18, 1), .quota))
        #expect(grants(played.book(ada, 3, 2, 10, 1)))
        let guest = FakeSigner(120)
        #expect(refuses(played.book(guest, 3, 3, 10, 121), .quota))
        #expect(grants(played.book(guest, 3, 3, 10, 120)))
        // The people at the desk set it aside, and that is seen.
        let ask = played.desk.requests.last {
            $0.standing == .refused(.quota) && $0.ask.author == ada.key
        }
        let id = try #require(ask?.ask.id)
        guard case .success(.booked(let tokens))? = played.want(.grant(ask: id)) else {
            return #expect(Bool(false), "granted by the desk")
        }
        #expect(played.whole.mint(tokens[0])?.grant.flags == .override)
        #expect(played.whole.mint(tokens[0])?.grant.ask == id && played.whole.voids.isEmpty)
    }

    @Test("So many at one time, to the minute")
    func together() throws {
        var played = try PlayedDesk { $0.together = 2 }
        played.admit()
        #expect(grants(played.book(bo, 1, 1, 10, 120)))
        #expect(grants(played.book(bo, 2, 1, 11, 120)))
        #expect(refuses(played.book(bo, 3, 1, 11, 60), .together))
        #expect(refuses(played.book(bo, 3, 1, 11, 1, at: 59), .together))
        #expect(grants(played.book(bo, 3, 1, 12, 60)))
        // A move counts without what it moves.
        let token = played.booked(bo, 3, 1, 20, 60)
        _ = played.booked(bo, 2, 1, 20, 60)
        let period = try #require(DeskHall.period(1, 20, 60))
        #expect(grants(played.ask(bo, .move(played.slot(token), place: 1, period: period))))
    }

    @Test("Full, kept by the venue, and more than there is; who waits gets a place")
    func full() throws {
        var played = try PlayedDesk()
        played.admit()
        #expect(grants(played.book(bo, 5, 1, 0, 1440, count: 2)))
        #expect(refuses(played.book(cy, 5, 1, 0, 1440, count: 2), .full))
        #expect(grants(played.book(cy, 5, 1, 0, 1440)))
        #expect(played.book(cy, 5, 1, 0, 1440, waits: true) == .waits(1))
        #expect(refuses(played.book(cy, 5, 2, 0, 1440, count: 4, waits: true), .full))
        let noon = try #require(DeskHall.period(1, 12, 60))
        played.want(.block(place: 1, period: noon, count: 1, note: "net"))
        #expect(refuses(played.book(cy, 1, 1, 11, 120), .kept))
        #expect(played.book(cy, 1, 1, 11, 120, waits: true) == .waits(1))
        #expect(grants(played.book(cy, 1, 1, 11, 60)))
    }

    @Test("Giving back, moving and giving away: not yours, over, bound, late, the same")
    func holding() throws {
        var played = try PlayedDesk()
        played.admit()
        let token = played.booked(bo, 1, 0, 12, 60)
        let slot = played.slot(token)
        let later = try #require(DeskHall.period(0, 14, 60))
        let same = try #require(DeskHall.period(0, 12, 60))
        #expect(refuses(played.ask(cy, .giveBack(slot, to: nil)), .notYours))
        #expect(refuses(played.ask(cy, .move(slot, place: 1, period: later)), .notYours))
        let other = Slot(token: token, producer: Producer(.zero))
        #expect(refuses(played.ask(bo, .giveBack(other, to: nil)), .notYours))
        #expect(refuses(played.ask(bo, .giveBack(slot, to: bo.key)), .same))
        #expect(refuses(played.ask(bo, .move(slot, place: 1, period: same)), .same))
        played.send(.tenures([DeskTenure(slot: slot, holder: bo.key, isBound: true)]))
        #expect(refuses(played.ask(bo, .giveBack(slot, to: nil)), .bound))
        // A contract moved it.
        let moved = Slot(token: token, producer: Producer(.zero))
        played.send(.tenures([DeskTenure(slot: moved, holder: cy.key, isBound: false)]))
        #expect(refuses(played.ask(bo, .giveBack(slot, to: nil)), .notYours))
        played.pass(to: 0, 10, 1)
        #expect(refuses(played.ask(cy, .move(moved, place: 1, period: later)), .late))
        played.pass(to: 0, 12, 30)
        #expect(refuses(played.ask(cy, .giveBack(moved, to: ada.key)), .late))
        played.pass(to: 0, 13, 0)
        #expect(refuses(played.ask(cy, .giveBack(moved, to: nil)), .over))
        #expect(refuses(played.ask(cy, .withdraw(.zero)), .withdrawn))
    }

    @Test("An ask whose time is over, and one that is asked again")
    func onceEach() throws {
        var played = try PlayedDesk()
        played.admit()
        let period = try #require(DeskHall.period(1, 10, 60))
        let wish = BookingAsk.Wish.book(
            place: 1, period: period, count: 1, waits: false, tag: nil, note: "")
        let short = try #require(played.ask(bo, wish, 1, lasts: 1))
        let ask = try #require(played.ask(bo, wish, 2))
        let late = try #require(played.ask(bo, wish, 3))
        played.pass(minutes: 1)
        played.send(.asks([short, ask, ask, late]))
        #expect(played.fates[short.id] == nil)
        #expect(grants(played.fates[ask.id]) && played.fates[late.id] == .refused(.full))
        let count = played.entries.count
        // Nothing more comes of any of them, before and after a start.
        for _ in 0..<2 {
            // Who did not hear why is told once more.
            let answers = played.send(.asks([short, ask, late])).answers
            #expect(answers.map(\.ask) == [late.id] && answers.map(\.reason) == [.full])
            played.restart()
            played.open()
            played.pass(minutes: 2)
        }
        let grants = played.entries.dropFirst(count).filter { $0.ledger?.type == 11 }
        #expect(grants.isEmpty && played.whole.voids.isEmpty)
    }
}
