// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (bo, cy) = (DeskHall.bo, DeskHall.cy)

/// What a desk does when its ledger has so many bytes, to the byte.
@Suite("The desk: bytes of its ledger") struct DeskFillTests {
    /// The same desk after somebody wrote so much into its log that is nothing of the ledger.
    private func filled(_ desk: VenueDesk, to size: Int) -> VenueDesk {
        var desk = desk
        let chunk = Array(repeating: 0 as UInt8, count: 65_536)
        while desk.ledger.size < size {
            let head = desk.ledger.head
            let left = min(size - desk.ledger.size, chunk.count)
            desk.wrote(
                Entry(
                    bytes: left == chunk.count ? chunk : Array(chunk.prefix(left)),
                    payload: 0..<0, signature: 0..<0, id: EntryID(.zero),
                    flight: LedgerVenue.fake.gathering, author: head.author, seq: head.seq + 1,
                    previous: head.id, body: .end))
        }
        return desk
    }

    /// What comes of an intent on a desk of that size.
    private func result(
        _ intent: DeskIntent, _ played: PlayedDesk, at size: Int
    ) -> Result<DeskReply, DeskRefusal>? {
        var desk = filled(played.desk, to: size)
        return desk.handle(.intent(intent, token: 1), at: played.now).replies.first?.result
    }

    @Test("For each purpose there is room up to the last byte")
    func room() throws {
        let played = try PlayedDesk()
        for (purpose, most) in [
            (.stranger, Limits.ledgerBytesForStrangers), (.member, Limits.ledgerBytesForMembers),
            (.end, Limits.ledgerBytesForEnds), (.staff, Limits.bytesPerLedger),
        ] as [(DeskLedger.Purpose, Int)] {
            let ledger = filled(played.desk, to: most - 100).ledger
            #expect(ledger.hasRoom(for: purpose, 100) && !ledger.hasRoom(for: purpose, 101))
        }
    }

    @Test("Its people hear at fifteen sixteenths of the bytes that members may fill")
    func nearlyFull() throws {
        let played = try PlayedDesk()
        for (less, notices) in [(1, []), (0, [.ledgerNearlyFull])] as [(Int, [DeskNotice])] {
            var desk = filled(played.desk, to: Limits.ledgerBytesForMembers / 16 * 15 - less)
            #expect(desk.handle(.tick, at: played.now).notices == notices)
        }
    }

    @Test("Where nothing more fits nobody is told that it is done")
    func nothingFits() throws {
        var played = try PlayedDesk()
        played.admit()
        let token = played.booked(bo, 1, 1, 10, 60)
        let period = try #require(DeskHall.period(2, 10, 60))
        let charter = try DeskHall.charter(2, try DeskHall.rules(castles: 4))
        let intents: [DeskIntent] = [
            .close(token, .desk, spent: false), .visit(token, .arrived), .charter(charter),
            .member(number: 9, class: 1, key: nil),
            .book(DeskBooking(.caller, place: 1, period: period)),
        ]
        for intent in intents {
            let size = Limits.bytesPerLedger
            #expect(result(intent, played, at: size) == .failure(.noRoom), "\(intent)")
        }
        // A booking stays where it cannot be closed.
        var desk = filled(played.desk, to: Limits.ledgerBytesForEnds)
        let back = try #require(played.ask(bo, .giveBack(played.slot(token), to: nil), 1))
        let effects = desk.handle(.asks([back]), at: played.now)
        #expect(effects.answers.map(\.reason) == [.noRoom])
        #expect(effects.appends.isEmpty && effects.notices == [.ledgerNearlyFull])
        #expect(desk.ledger.book.mint(token)?.end == nil)
        // The last bytes are for its people.
        let close = DeskIntent.close(token, .desk, spent: false)
        #expect(result(close, played, at: Limits.ledgerBytesForEnds) == .success(.done))
    }

    @Test("A stranded swap is settled where there is room for a close and a grant of each")
    func settling() throws {
        var played = try PlayedDesk()
        played.admit()
        let token = played.booked(bo, 1, 1, 10, 60)
        let settle = DeskIntent.settle([DeskTransfer(token, to: cy.key)])
        let most = Limits.bytesPerLedger - 2 * Limits.statement
        #expect(result(settle, played, at: most + 1) == .failure(.noRoom))
        guard case .success(.booked(let tokens))? = result(settle, played, at: most) else {
            return #expect(Bool(false), "settled")
        }
        #expect(tokens.count == 1)
    }

    @Test("Where no lot can be shown none is drawn: asks are answered at once")
    func noLot() throws {
        var played = try PlayedDesk()
        played.admit()
        played.send(.linked(false, random: played.bytes()))
        played.pass(seconds: 45)
        played.send(.linked(true, random: played.bytes()))
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let ask = try #require(played.ask(bo, wish, 1))
        var desk = filled(played.desk, to: Limits.ledgerBytesForEnds)
        let effects = desk.handle(.asks([ask]), at: played.now)
        #expect(effects.answers.map(\.reason) == [.noRoom] && effects.appends.isEmpty)
        #expect(desk.state == .open)
    }

    @Test("What nobody could read is not written: the ask is refused")
    func unreadable() throws {
        var played = try PlayedDesk {
            $0.prices = [.hour(100)]
            $0.currency = "euro"
        }
        played.admit()
        let count = played.entries.count
        #expect(played.book(bo, 1, 1, 10, 60) == .refused(.noRoom))
        #expect(
            played.want(.member(number: 0, class: 0, key: nil)) == .failure(.badValue))
        #expect(played.entries.count == count)
    }
}
