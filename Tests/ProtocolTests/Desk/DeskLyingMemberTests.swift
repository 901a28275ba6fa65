// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo, cy, dee) = (DeskHall.ada, DeskHall.bo, DeskHall.cy, DeskHall.dee)

/// What somebody tries whom the desk has admitted (docs/protocol.md section 33): they have a
/// number, and room for as many entries as anybody else.
@Suite("The desk: a member who lies") struct DeskLyingMemberTests {
    @Test("All that was ever asked comes again after a start, backwards, for days: nothing happens")
    func replays() throws {
        var played = try PlayedDesk.hall()
        var said: [DeskAsk] = []
        func say(_ who: FakeSigner, _ wish: BookingAsk.Wish?, _ nonce: UInt64) throws {
            // What is to last until the end of time is over like all else.
            let minutes = nonce % 2 == 0 ? 50_000 : Int.max
            let wanted = try #require(wish)
            let ask = try #require(played.ask(who, wanted, nonce, lasts: minutes))
            said.append(ask)
            played.send(.asks([ask]))
        }
        // Two of one nonce are two.
        try say(bo, DeskHall.wait(1, 3, 10, 60), 1)
        try say(bo, DeskHall.wait(2, 3, 10, 60), 1)
        let tokens = said.compactMap { played.whole.mint(granted($0, played))?.token }
        try #require(tokens.count == 2)
        let free = try #require(DeskHall.period(4, 10, 60))
        try say(bo, .giveBack(played.slot(tokens[0]), to: nil), 2)
        try say(bo, .move(played.slot(tokens[1]), place: 2, period: free), 3)
        try say(cy, .giveBack(played.slot(tokens[1]), to: cy.key), 4)
        try say(cy, DeskHall.wait(2, 4, 10, 60), 5)
        try say(cy, .withdraw(said[5].id), 6)
        try say(dee, DeskHall.wait(2, 4, 9, 240), 7)
        try say(ada, DeskHall.wait(1, 0, 7, 60), 8)
        let (book, count, fates) = (played.whole, played.entries.count, played.fates)
        #expect(book.mints.count { $0.end == nil } == 1)
        for day in 0..<3 {
            played.pass(to: day, 9)
            played.restart()
            played.open()
            played.pass(minutes: 1)
            for order in [said, said.reversed()] {
                // At most what was said before, for whoever does not keep it any more.
                for answer in played.send(.asks(order)).answers {
                    #expect(fates[answer.ask] == .refused(answer.reason))
                }
            }
            #expect(played.entries.count == count && played.whole == book)
        }
    }

    private func granted(_ ask: DeskAsk, _ played: PlayedDesk) -> Token {
        guard case .granted(let token)? = played.fates[ask.id] else { return Token(.zero) }
        return token
    }

    @Test("What was asked in an earlier tenure does nothing in a later one of the same holder")
    func thereAndBack() throws {
        var played = try PlayedDesk.hall()
        let token = played.booked(bo, 1, 1, 10, 60)
        let old = played.slot(token)
        let free = try #require(DeskHall.period(1, 12, 60))
        let wishes: [BookingAsk.Wish] = [
            .giveBack(old, to: nil), .giveBack(old, to: cy.key),
            .move(old, place: 1, period: free),
        ]
        // Bo gave it to Dee by a swap and got it back: whoever kept what Bo asked before says it.
        let new = Slot(token: token, producer: Producer(FakeSigner(9).key.raw))
        played.send(.tenures([DeskTenure(slot: new, holder: bo.key, isBound: false)]))
        for wish in wishes { #expect(played.ask(bo, wish) == .refused(.notYours)) }
        for slot in [old, new] {
            #expect(played.ask(cy, .giveBack(slot, to: nil)) == .refused(.notYours))
            #expect(played.ask(cy, .giveBack(slot, to: cy.key)) == .refused(.notYours))
            #expect(played.ask(cy, .move(slot, place: 1, period: free)) == .refused(.notYours))
        }
        #expect(played.end(token) == nil)
        #expect(played.ask(bo, .giveBack(new, to: nil)) == .closed(token))
    }

    @Test("Seventy asks at once are sixty-four entries, each can be given back, and no more follow")
    func atOnce() throws {
        var played = try PlayedDesk.hall(quotas: false)
        let count = played.entries.count
        let asks = try (0..<70).map { minute in
            let period = try #require(DeskHall.period(1, 10 + minute / 60, 1, at: minute % 60))
            return try #require(
                played.ask(
                    bo,
                    .book(
                        place: 3, period: period, count: 1, waits: true, tag: nil, note: ""),
                    5))
        }
        played.send(.asks(asks))
        let tokens = played.last.map(\.id.token)
        #expect(tokens.count == 64)
        #expect(asks.suffix(6).allSatisfy { played.fates[$0.id] == .refused(.tooMany) })
        for token in tokens {
            #expect(played.ask(bo, .giveBack(played.slot(token), to: nil)) == .closed(token))
        }
        #expect(played.book(bo, 3, 1, 10, 1) == .refused(.tooMany))
        #expect(played.entries.count == count + 128)
        // What somebody else has room for is as before.
        #expect(played.held(by: bo.key).isEmpty)
        guard case .granted? = played.book(cy, 3, 1, 10, 1) else {
            return #expect(Bool(false), "another member has their own")
        }
    }

    @Test("Two keys of one number have one quota between them, in the queue and when unblocked too")
    func twoKeys() throws {
        var played = try PlayedDesk.hall()
        let second = FakeSigner(140)
        played.want(.member(number: 1, class: 0, key: second.key))
        let token = played.booked(dee, 1, 1, 10, 60)
        let more = played.booked(dee, 2, 1, 10, 60)
        // One booking a day: as long as there is none both may wait.
        #expect(played.book(ada, 1, 1, 10, 60, waits: true) == .waits(1))
        #expect(played.book(second, 1, 1, 10, 60, waits: true) == .waits(2))
        #expect(played.book(second, 2, 1, 10, 60, waits: true) == .waits(1))
        played.send(.blocked([ada.key]))
        played.ask(dee, .giveBack(played.slot(token), to: nil))
        #expect(played.held(by: second.key).map(\.place) == [1])
        played.ask(dee, .giveBack(played.slot(more), to: nil))
        played.send(.blocked([]))
        #expect(played.held(by: second.key).count == 1 && played.held(by: ada.key).isEmpty)
        // Whoever gave their own up has the next one, and the number has one as before.
        let own = try #require(played.whole.mints.last { $0.end == nil })
        played.ask(second, .giveBack(own.slot, to: nil))
        let held = played.held(by: ada.key) + played.held(by: second.key)
        #expect(held.count == 1 && held.allSatisfy { $0.member == 1 })
    }

    @Test("One period has one spelling, and one minute of another's is enough to be refused")
    func spellings() throws {
        func body(_ from: Int, _ minutes: Int) -> [UInt8] {
            var writer = CBORWriter(capacity: 64)
            writer.array(4)
            writer.uint(0)
            writer.bytes(Array(repeating: 0, count: 8) as [UInt8])
            writer.uint(1000)
            writer.array(7)
            for part in [0, 1] { writer.uint(part) }
            writer.array(3)
            for part in [DeskHall.first, from, minutes] { writer.uint(part) }
            writer.uint(1)
            writer.bool(true)
            writer.null()
            writer.text("")
            return writer.bytes
        }
        #expect((try? BookingAsk(body: body(1439, 60))) != nil)
        // The same minutes as of the day before, or of none.
        for (from, minutes) in [(1440, 60), (2040, 60), (600, 0), (600, 44_641)] {
            #expect((try? BookingAsk(body: body(from, minutes))) == nil)
        }
        var played = try PlayedDesk.hall()
        guard case .granted? = played.book(bo, 3, 1, 10, 60) else {
            return #expect(Bool(false), "free")
        }
        for (hour, minute, length) in [(9, 1, 60), (10, 59, 60), (10, 59, 1), (9, 0, 180)] {
            #expect(played.book(cy, 3, 1, hour, length, at: minute) == .refused(.full))
        }
        for (hour, minute) in [(9, 0), (11, 0)] {
            guard case .granted? = played.book(cy, 3, 1, hour, 60, at: minute) else {
                return #expect(Bool(false), "beside it")
            }
        }
    }

    @Test("Whoever waits for the booking of a stranded swap gets it without what was paid for it")
    func stranded() throws {
        var played = try PlayedDesk.hall {
            $0.prices = [nil, .hour(1000)]
            $0.currency = "EUR"
        }
        let token = played.booked(bo, 1, 1, 10, 60)
        played.want(.paid(token, amount: 1000, means: 1))
        #expect(played.book(cy, 1, 1, 10, 60, waits: true) == .waits(1))
        played.want(.close(token, .stranded, spent: false))
        #expect(played.held(by: cy.key).map { $0.due?.amount } == [1000])
        let got = try #require(played.whole.mints.last)
        let later = try #require(DeskHall.period(2, 10, 60))
        played.ask(cy, .move(got.slot, place: 1, period: later))
        #expect(played.held(by: cy.key).map { $0.due?.amount } == [1000])
        // It is there for whom the desk's people say.
        let same = got.grant.period
        played.want(.book(DeskBooking(.key(bo.key), place: 1, period: same)))
        #expect(played.held(by: bo.key).map(\.due) == [nil])
    }
}
