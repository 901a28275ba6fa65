// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo, cy, dee) = (DeskHall.ada, DeskHall.bo, DeskHall.cy, DeskHall.dee)

/// Who is taken for absent or has not paid, and who is there (docs/protocol.md section 33).
@Suite("The desk: who is absent, to the second") struct DeskAbsenceTests {
    /// A desk with its members, at which one has to be there after a quarter of an hour.
    private func open() throws -> PlayedDesk {
        var played = try PlayedDesk { $0.arrive = 15 }
        played.admit()
        return played
    }

    private func stay(
        _ place: Int, _ played: PlayedDesk, booking: Token? = nil, until: UTCTime? = nil
    ) throws -> Stay {
        try #require(Stay(place: place, booking: booking, since: played.now.utc, until: until))
    }

    @Test("What is over when somebody should be there ends by itself; a minute more does not")
    func overAtOnce() throws {
        var played = try open()
        let short = played.booked(bo, 3, 0, 12, 15)
        let long = played.booked(bo, 3, 0, 13, 16)
        played.pass(to: 0, 13, 15)
        #expect(played.end(short) == nil && played.end(long)?.reason == .noShow)
    }

    @Test("What is over when it has to be paid ends by itself, too")
    func overUnpaid() throws {
        var played = try PlayedDesk(try DeskHall.rules(quotas: false)) {
            $0.prices = [.hour(1000)]
            $0.currency = "EUR"
            $0.payBy = -30
        }
        played.admit()
        played.pass(to: 0, 12, 0)
        let short = played.booked(bo, 3, 0, 12, 15)
        let long = played.booked(bo, 1, 0, 12, 60)
        played.pass(to: 0, 12, 15)
        #expect(played.whole.mint(short)?.grant.due != nil)
        #expect(played.end(short) == nil && played.end(long)?.reason == .unpaid)
    }

    @Test("Who came and went on has come; so has who holds it by a swap, or a key of theirs")
    func wentOn() throws {
        var played = try open()
        let other = FakeSigner(140)
        played.want(.member(number: 2, class: 1, key: other.key))
        let own = played.booked(bo, 1, 0, 12, 60)
        let swapped = played.booked(ada, 2, 0, 12, 60)
        let second = played.booked(bo, 3, 0, 12, 60)
        let slot = Slot(token: swapped, producer: Producer(.zero))
        played.send(.tenures([DeskTenure(slot: slot, holder: dee.key, isBound: false)]))
        for (who, place) in [(bo, 1), (dee, 2), (other, 3)] {
            played.send(.stay(who.key, try stay(place, played)))
            played.send(.stay(who.key, try stay(6, played)))
        }
        #expect(played.desk.arrived == [own, swapped, second])
        played.pass(to: 0, 12, 20)
        for token in [own, swapped, second] { #expect(played.end(token) == nil) }
    }

    @Test("Who gave it away by a swap does not come for it, wherever they are")
    func notTheirs() throws {
        var played = try open()
        let token = played.booked(cy, 1, 0, 12, 60)
        let slot = Slot(token: token, producer: Producer(.zero))
        played.send(.tenures([DeskTenure(slot: slot, holder: dee.key, isBound: false)]))
        played.send(.stay(cy.key, try stay(1, played)))
        #expect(played.desk.arrived.isEmpty)
        played.pass(to: 0, 12, 15)
        #expect(played.end(token)?.reason == .noShow)
    }

    @Test("Who left as it began has not come, nor who is there for another booking")
    func leftBefore() throws {
        var played = try open()
        let start = played.clock.time(of: 1440 * DeskHall.first + 720)
        let (left, late) = (played.booked(bo, 1, 0, 12, 60), played.booked(cy, 2, 0, 12, 60))
        let wrong = played.booked(dee, 3, 0, 12, 60)
        played.send(.stay(bo.key, try stay(1, played, until: start)))
        let second = UTCTime(seconds: start.seconds + 1)
        played.send(.stay(cy.key, try stay(2, played, until: second)))
        played.send(.stay(dee.key, try stay(3, played, booking: left)))
        played.pass(to: 0, 12, 15)
        #expect(played.end(left)?.reason == .noShow && played.end(late) == nil)
        #expect(played.end(wrong)?.reason == .noShow)
    }

    @Test("Nobody is absent for 75 seconds after the desk came back, and then at once")
    func backAgain() throws {
        for seconds in [0, 1] {
            var played = try open()
            let token = played.booked(bo, 1, 0, 12, 60)
            played.pass(to: 0, 12, 10)
            played.send(.linked(false, random: played.bytes()))
            played.pass(seconds: 225 + seconds)
            played.send(.linked(true, random: played.bytes()))
            // A quarter past twelve, and perhaps a second.
            played.pass(seconds: 75 - seconds)
            #expect((played.end(token)?.reason == .noShow) == (seconds == 0))
            played.pass(seconds: 1)
            #expect((played.end(token)?.reason == .noShow) == (seconds == 0))
            played.pass(seconds: 1)
            #expect(played.end(token)?.reason == .noShow)
        }
    }

    @Test("What the operator changes counts for what is booked, and so does what was read again")
    func changed() throws {
        var played = try open()
        let one = played.booked(bo, 1, 0, 12, 60)
        var policy = played.policy
        policy.arrive = nil
        played.send(.policy(policy, played.clock))
        played.pass(to: 0, 12, 30)
        #expect(played.end(one) == nil)
        let two = played.booked(cy, 2, 0, 13, 60)
        policy.arrive = 10
        played.send(.policy(policy, played.clock))
        played.pass(to: 0, 13, 10)
        #expect(played.end(two)?.reason == .noShow)
        let three = played.booked(dee, 1, 0, 14, 60)
        played.policy.arrive = 15
        played.restart()
        played.open()
        played.pass(to: 0, 14, 14)
        #expect(played.end(three) == nil)
        played.pass(to: 0, 14, 15)
        #expect(played.end(three)?.reason == .noShow)
    }

    @Test("Of two that are absent at one time the queue has the first before the second ends")
    func oneAfterTheOther() throws {
        var played = try open()
        _ = played.booked(bo, 1, 0, 12, 60)
        _ = played.booked(cy, 2, 0, 12, 60)
        // One booking a day is all that she may have.
        for place in [2, 1] {
            #expect(played.book(ada, place, 0, 12, 60, waits: true) == .waits(1))
        }
        played.pass(to: 0, 12, 15)
        #expect(played.held(by: ada.key).map(\.place) == [1])
    }

    @Test("So many stays are known; who is known moves on, and nobody else comes in")
    func manyStays() throws {
        let played = try open()
        var desk = played.desk
        let (here, there) = (try stay(1, played), try stay(2, played))
        for number in 1..<Limits.deskStaysKept {
            let bytes = [UInt8(number >> 8), UInt8(number & 255)]
            let key = try #require(Bytes32(bytes + Array(repeating: 7, count: 30)))
            desk.stays[PeerKey(key)] = here
        }
        desk.take(here, of: bo.key)
        desk.take(here, of: cy.key)
        desk.take(there, of: bo.key)
        #expect(desk.stays.count == Limits.deskStaysKept)
        #expect(desk.stays[bo.key] == there && desk.stays[cy.key] == nil)
    }

    @Test("It wants to be called when the next thing comes, and once a minute before")
    func deadlines() throws {
        var played = try open()
        #expect(played.desk.nextDeadline == nil)
        _ = played.booked(bo, 1, 0, 12, 60)
        func wait() -> TimeSpan? { played.desk.nextDeadline.map { $0 - played.now.instant } }
        #expect(wait() == .seconds(60))
        played.pass(to: 0, 12, 14)
        #expect(wait() == .seconds(60))
        played.pass(seconds: 1)
        #expect(wait() == .seconds(59))
        played.want(.away)
        #expect(wait() == nil)
        #expect(played.book(cy, 2, 1, 10, 60) == nil)
        played.want(.open(restored: false, random: played.bytes()))
        #expect(wait() == Limits.lotGathers)
    }
}
