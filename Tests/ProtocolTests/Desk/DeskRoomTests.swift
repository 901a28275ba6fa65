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
