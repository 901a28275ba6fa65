// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

@Suite("The desk: room in its ledger") struct DeskRoomTests {
    private func count(_ played: PlayedDesk, of key: PeerKey) -> Int {
        played.entries.count { entry in
            switch entry.ledger {
            case .grant(let grant): grant.holder == key
            case .close(let close): close.ask?.author == key
            case .charter, .note, nil: false
            }
        }
    }

    @Test("A key without a number causes four entries a day, and can always give back")
    func aKeyWithoutANumberCausesFourEntriesADay() throws {
        var played = try PlayedDesk(try DeskHall.rules(quotas: false))
        let guest = FakeSigner(120)
        var tokens: [Token] = []
        for hour in [10, 11, 12, 13] { tokens.append(played.booked(guest, 1, 9, hour, 60)) }
        #expect(played.book(guest, 1, 9, 14, 60) == .refused(.tooMany))
        #expect(played.ask(guest, .giveBack(played.slot(tokens[0]), to: nil)) == .closed(tokens[0]))
        // A day is that of the venue's clocks, also after a start.
        played.pass(to: 0, 23, 59)
        played.restart()
        played.open()
        #expect(played.book(guest, 1, 9, 14, 60) == nil)
        played.pass(seconds: 30)
        #expect(played.held(by: guest.key).count == 3)
        played.pass(minutes: 1)
        for hour in [14, 15, 16, 17] { _ = played.booked(guest, 1, 9, hour, 60) }
        #expect(played.book(guest, 1, 9, 18, 60) == .refused(.tooMany))
        #expect(count(played, of: guest.key) == 9)
        // A member causes more.
        played.want(.member(number: 1, class: 1, key: guest.key))
        #expect(played.book(guest, 1, 9, 18, 60).map { $0 != .refused(.tooMany) } == true)
    }

    @Test("And 64 in all")
    func inAll() throws {
        var played = try PlayedDesk(try DeskHall.rules(quotas: false))
        let guest = FakeSigner(120)
        var fate: PlayedDesk.Fate?
        for day in 0..<18 {
            played.pass(to: day, 9)
            for hour in 10..<14 { fate = played.book(guest, 1, 30, hour, 60) }
            for mint in played.whole.mints where mint.end == nil {
                played.want(.close(mint.token, .desk, spent: false))
            }
        }
        #expect(count(played, of: guest.key) == 64 && fate == .refused(.tooMany))
    }

    @Test("Whoever makes keys up gets no waiting place into the ledger")
    func madeUpKeysGetNoNotes() throws {
        var played = try PlayedDesk()
        played.admit()
        _ = played.booked(DeskHall.bo, 1, 1, 10, 60)
        let count = played.entries.count
        for number in 0..<100 {
            #expect(
                played.book(FakeSigner(number, seed: 3), 1, 1, 10, 60, waits: true)
                    == .waits(number + 1))
        }
        #expect(played.entries.count == count)
        // The queue has 999 places, and eight of one author.
        let one = FakeSigner(150)
        for _ in 0..<8 { #expect(played.book(one, 1, 1, 10, 60, waits: true) != .refused(.full)) }
        #expect(played.book(one, 1, 1, 10, 60, waits: true) == .refused(.full))
    }

    @Test("So many answers are remembered, and of one more the one that ends first is not")
    func answers() {
        var asks = DeskAsks()
        for number in 0...Limits.asksAnswered {
            asks.end(id(number), .full, until: UTCTime(seconds: Int64(number)))
        }
        #expect(asks.answer(to: id(0)) == nil && asks.answer(to: id(1)) == .full)
        #expect(asks.answer(to: id(Limits.asksAnswered)) == .full)
        asks.end(id(Limits.asksAnswered + 1), .late, until: UTCTime(seconds: .max))
        #expect(asks.answer(to: id(1)) == nil && asks.answer(to: id(2)) == .full)
    }

    @Test("So many asks are kept while the desk does not grant, and none beyond them")
    func keptAsks() throws {
        let played = try PlayedDesk()
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        var (asks, kept) = (DeskAsks(), 0)
        for number in 0..<Limits.asksKept / Limits.asksPerAuthor {
            let statement = try #require(
                played.ask(FakeSigner(number, seed: 5), wish, 1)?.statement)
            for nonce in 0..<Limits.asksPerAuthor {
                let id = id(Limits.asksPerAuthor * number + nonce)
                let ask = try #require(DeskAsk(statement, id: id))
                kept += asks.keep(ask) ? 1 : 0
            }
        }
        #expect(kept == Limits.asksKept)
        let late = try #require(played.ask(FakeSigner(120), wish, 1))
        #expect(!asks.keep(late) && asks.pending.count == Limits.asksKept)
        // One that is taken out leaves room.
        #expect(asks.takePending(id(0)) != nil && asks.keep(late))
    }

    @Test("An answer, and that an ask was taken back, is forgotten after the ask's time")
    func forgetting() throws {
        let played = try PlayedDesk()
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let somebody = FakeSigner(120)
        let ask = try #require(played.ask(somebody, wish, 1))
        var asks = DeskAsks()
        asks.end(id(1), .full, until: UTCTime(seconds: 10))
        asks.takeBack(ask.id, by: somebody, until: UTCTime(seconds: 10))
        asks.forget(until: UTCTime(seconds: 10))
        #expect(asks.answer(to: id(1)) == .full && asks.isTakenBack(ask))
        asks.forget(until: UTCTime(seconds: 11))
        #expect(asks.answer(to: id(1)) == nil && !asks.isTakenBack(ask))
    }

    @Test("The queue holds so many, and the next ask is refused")
    func fullQueue() throws {
        var played = try PlayedDesk()
        played.admit()
        _ = played.booked(DeskHall.bo, 1, 1, 10, 60)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let asks = [120, 121].compactMap { played.ask(FakeSigner($0), wish, 1) }
        var desk = played.desk
        for number in 1..<Limits.asksKept { desk.queue.append(id(number)) }
        let answers = desk.handle(.asks(asks), at: played.now).answers
        #expect(answers.map(\.waiting) == [1, 0])
        #expect(desk.queue.count == Limits.asksKept)
    }

    @Test("Who takes an ask back has room for another one in the queue")
    func roomInTheQueue() throws {
        var played = try PlayedDesk()
        played.admit()
        _ = played.booked(DeskHall.bo, 1, 1, 10, 60)
        let one = FakeSigner(150)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let asks = (0..<8 as Range<UInt64>).compactMap { played.ask(one, wish, $0) }
        played.send(.asks(asks))
        #expect(asks.compactMap { played.fates[$0.id] } == (1...8).map { .waits($0) })
        #expect(played.ask(one, .withdraw(asks[0].id)) == .refused(.withdrawn))
        #expect(played.book(one, 1, 1, 10, 60, waits: true) == .waits(8))
        #expect(played.book(one, 1, 1, 10, 60, waits: true) == .refused(.full))
    }

    @Test("Who was passed over because they were blocked is asked again when they are not")
    func unblocked() throws {
        var played = try PlayedDesk()
        played.admit()
        let (bo, cy, dee) = (DeskHall.bo, DeskHall.cy, DeskHall.dee)
        let taken = played.booked(bo, 1, 1, 10, 60)
        #expect(played.book(cy, 1, 1, 10, 60, waits: true) == .waits(1))
        played.send(.blocked([cy.key, dee.key]))
        played.ask(bo, .giveBack(played.slot(taken), to: nil))
        played.send(.blocked([cy.key]))
        played.pass(minutes: 30)
        #expect(played.held(by: cy.key).isEmpty)
        played.send(.blocked([dee.key]))
        #expect(played.held(by: cy.key).count == 1)
        #expect(played.last.map { $0.ledger?.type } == [11])
    }

    @Test("Who was passed over for what they caused on one day is asked again on the next")
    func theNextDay() throws {
        var played = try PlayedDesk(try DeskHall.rules(quotas: false))
        let (one, two) = (FakeSigner(120), FakeSigner(121))
        let taken = played.booked(one, 1, 9, 10, 60)
        #expect(played.book(two, 1, 9, 10, 60, waits: true) == .waits(1))
        for hour in 12..<16 { _ = played.booked(two, 1, 9, hour, 60) }
        #expect(played.held(by: two.key).count == Limits.strangerEntriesPerDay)
        played.ask(one, .giveBack(played.slot(taken), to: nil))
        played.pass(to: 0, 23, 59)
        #expect(played.held(by: two.key).count == Limits.strangerEntriesPerDay)
        played.pass(to: 1, 0, 1)
        #expect(played.held(by: two.key).count == Limits.strangerEntriesPerDay + 1)
    }

    @Test("A member causes 64 entries a day: what is booked, given back and waits")
    func membersHaveARoomToo() throws {
        var played = try PlayedDesk(try DeskHall.rules(quotas: false))
        played.admit()
        let bo = DeskHall.bo
        _ = played.booked(DeskHall.cy, 1, 9, 10, 60)
        for place in 1...8 {
            #expect(played.book(bo, 1, 9, 10, 60, waits: true) == .waits(place))
        }
        for _ in 0..<27 {
            let token = played.booked(bo, 2, 9, 10, 60)
            #expect(played.ask(bo, .giveBack(played.slot(token), to: nil)) == .closed(token))
        }
        _ = played.booked(bo, 2, 9, 10, 60)
        _ = played.booked(bo, 2, 9, 11, 60)
        #expect(played.held(by: bo.key).count == 2)
        #expect(played.book(bo, 2, 9, 12, 60) == .refused(.tooMany))
        // What waits since yesterday counts no more.
        played.pass(to: 1, 9)
        _ = played.booked(bo, 2, 9, 12, 60)
        #expect(played.held(by: bo.key).count == 3)
    }

    @Test("What gets free is kept one by one; if it is much, all of the queue is asked")
    func muchThatGetsFree() throws {
        var played = try PlayedDesk()
        played.admit()
        let token = played.booked(DeskHall.bo, 1, 1, 10, 60)
        var desk = played.desk
        let mint = try #require(desk.ledger.book.mint(token))
        let load = desk.ledger.book.load(of: mint)
        for _ in 0..<Limits.asksRefused { desk.free(load) }
        #expect(desk.freed.count == Limits.asksRefused && !desk.isAllFreed)
        desk.free(load)
        #expect(desk.freed.isEmpty && desk.isAllFreed)
    }

    @Test("Its people hear once that the ledger is nearly full, whatever fills it")
    func nearlyFull() throws {
        let played = try PlayedDesk()
        var desk = played.desk
        var ledger = try MadeUpLedger(FakeSigner(1), rules: try DeskHall.rules(), in: .fake)
        let text = EntryBody.chat(text: "x", replyTo: nil, time: played.now.utc)
        for left in (0..<Limits.ledgerForMembers / 16 * 15 - ledger.entries.count).reversed() {
            desk.wrote(try ledger.write(text))
            guard left < 2 else { continue }
            let notices = desk.handle(.tick, at: played.now).notices
            #expect(notices == (left == 0 ? [.ledgerNearlyFull] : []))
        }
        #expect(desk.handle(.tick, at: played.now).notices.isEmpty)
    }

    /// Some id of an ask.
    private func id(_ number: Int) -> Bytes32 {
        var mixer = Mixer(11)
        mixer.add(number)
        return mixer.digest
    }

    /// Asks of these people for a castle on a day.
    private func asks(
        _ played: PlayedDesk, _ people: Range<Int>, _ day: Int, _ nonce: UInt64
    ) -> [DeskAsk] {
        guard let period = DeskHall.period(day, 0, 1440) else { return [] }
        let wish = BookingAsk.Wish.book(
            place: 5, period: period, count: 1, waits: true, tag: nil, note: "")
        return people.compactMap { played.ask(FakeSigner($0, seed: 5), wish, nonce) }
    }

    /// The shortest of some turns with 200 asks of members who are there already.
    private func turn(_ played: inout PlayedDesk, _ day: Int) throws -> Duration {
        var times: [Duration] = []
        for nonce in 0..<4 as Range<UInt64> {
            let asks = asks(played, 5000..<5200, day, 100 + nonce)
            let count = played.entries.count
            times.append(ContinuousClock().measure { played.send(.asks(asks)) })
            #expect(played.entries.count == count + 200)
        }
        return try #require(times.min())
    }

    private func admit(_ played: inout PlayedDesk) {
        for number in 5000..<5200 {
            played.want(
                .member(number: number, class: 1, key: FakeSigner(number, seed: 5).key))
        }
    }

    @Test("A8: 4096 keys ask for a day; a member still books in the last week, and as fast")
    func madeUpKeysDoNotFillALedger() throws {
        let rules = try DeskHall.rules(castles: 60_000, quotas: false)
        var played = try PlayedDesk(rules)
        admit(&played)
        let fast = try turn(&played, 9)
        for round in 0..<4 as Range<UInt64> {
            for part in 0..<8 {
                let people = 512 * part..<512 * (part + 1)
                played.send(.asks(asks(played, people, 1, round)))
                played.pass(minutes: 25)
            }
        }
        // What is left is for members.
        #expect(played.entries.count == Limits.ledgerForStrangers)
        let late = asks(played, 5200..<5201, 27, 9)
        played.send(.asks(late))
        #expect(late.map { played.fates[$0.id] } == [.refused(.noRoom)])
        let again = asks(played, 0..<1, 27, 9)
        played.send(.asks(again))
        #expect(again.map { played.fates[$0.id] } == [.refused(.tooMany)])
        played.pass(to: 25, 9)
        #expect(try turn(&played, 27) < fast * 6)
    }
}
