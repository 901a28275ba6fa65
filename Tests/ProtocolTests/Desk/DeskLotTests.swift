// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo, cy, dee) = (DeskHall.ada, DeskHall.bo, DeskHall.cy, DeskHall.dee)

@Suite("The desk: lots") struct DeskLotTests {
    /// Asks of these people for one court, in that order.
    private func rush(_ played: PlayedDesk, _ people: [FakeSigner]) -> [DeskAsk] {
        people.enumerated().compactMap { number, who in
            DeskHall.period(1, 8 + number % 14, 60).flatMap { period in
                played.ask(
                    who,
                    .book(
                        place: 1, period: period, count: 1, waits: true, tag: nil, note: ""),
                    UInt64(number))
            }
        }
    }

    @Test("A1: asks that waited are granted in the order of the lots, as the ledger shows")
    func theOrderIsThatOfTheLots() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            var played = try PlayedDesk()
            played.admit()
            played.restart()
            let strangers = (0..<4).map { FakeSigner(UInt8(130 + $0)) }
            let people = ([bo, cy, dee] + strangers).shuffled(using: &random)
            // Bo asks more than once.
            let asks = rush(played, people + [bo, bo])
            played.send(.asks(asks))
            #expect(played.fates.isEmpty)
            let count = played.entries.count
            played.open()
            #expect(played.desk.state == .gathering)
            played.pass(seconds: 4)
            #expect(played.entries.count == count + 1)
            played.pass(seconds: 1)
            // From here on only the ledger is looked at.
            let said = played.entries.dropFirst(count).compactMap(\.ledger)
            guard case .note(.lotOpens(let hash))? = said.first,
                case .note(.lot(let bytes, _))? = said.dropFirst().first
            else { return #expect(Bool(false), "a lot is drawn") }
            #expect(FakePrimitives().sha256(bytes.bytes) == hash)
            let lots = said.dropFirst(2).compactMap { said -> Bytes32? in
                guard case .grant(let grant) = said else { return nil }
                let member = grant.member
                let who =
                    member > 0
                    ? [UInt8(member / 256), UInt8(member % 256)] : grant.holder.bytes
                return FakePrimitives().sha256(bytes.bytes + who)
            }
            #expect(lots.count == 9 && lots == lots.sorted(), "seed \(seed)")
            #expect(played.last.count == 10 && played.whole.falseLots.isEmpty)
            // One's own asks keep their order.
            let own = asks.filter { $0.author == bo.key }.map(\.id)
            let granted = said.compactMap { said -> Bytes32? in
                guard case .grant(let grant) = said, grant.holder == bo.key else { return nil }
                return grant.ask
            }
            #expect(granted == own)
        }
    }

    @Test("Who asks often has one lot")
    func whoAsksOftenHasOneLot() throws {
        // Of a rush for one castle, the one with many asks wins no more often.
        var wins = 0
        for seed in 1...60 as ClosedRange<UInt64> {
            var played = try PlayedDesk(try DeskHall.rules(castles: 1))
            played.admit()
            played.restart()
            for _ in 0..<seed { _ = played.bytes() }
            let asks = (0..<8).compactMap { number in
                DeskHall.period(1, 0, 1440).flatMap { period in
                    played.ask(
                        number < 7 ? bo : cy,
                        .book(
                            place: 5, period: period, count: 1, waits: false, tag: nil,
                            note: ""), UInt64(number))
                }
            }
            played.send(.asks(asks))
            played.open()
            played.pass(seconds: 5)
            let holders = played.held(by: bo.key).count + played.held(by: cy.key).count
            #expect(holders == 1)
            wins += played.held(by: bo.key).count
        }
        #expect(15...45 ~= wins)
    }

    @Test("Linked again after 45 s alone, and not after less; without asks there is no lot")
    func alone() throws {
        var played = try PlayedDesk()
        played.admit()
        func lots() -> Int {
            played.entries.count {
                if case .note(.lotOpens)? = $0.ledger { true } else { false }
            }
        }
        #expect(lots() == 0)
        for (seconds, isLot) in [(44, false), (45, true)] {
            let before = lots()
            played.send(.linked(false, random: played.bytes()))
            played.pass(seconds: seconds)
            played.send(.linked(true, random: played.bytes()))
            #expect(lots() == before)
            let fate = played.book(bo, 1, 1, isLot ? 12 : 10, 60)
            #expect((fate == nil) == isLot)
            #expect(lots() == before + (isLot ? 1 : 0))
            played.pass(seconds: 6)
            #expect(played.desk.state == .open)
        }
        #expect(played.held(by: bo.key).count == 2)
    }

    @Test("Who waits since before the desk went goes first")
    func queueFirst() throws {
        var played = try PlayedDesk()
        played.admit()
        let token = played.booked(dee, 1, 1, 10, 60)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let waiting = try #require(played.ask(cy, wish, 1))
        played.send(.asks([waiting]))
        played.restart()
        let back = try #require(played.ask(dee, .giveBack(played.slot(token), to: nil), 2))
        let others = (0..<20).compactMap { number in
            played.ask(FakeSigner(UInt8(130 + number)), wish, UInt64(number))
        }
        played.send(.asks([back] + others + [waiting]))
        played.open()
        played.pass(seconds: 5)
        #expect(played.held(by: cy.key).count == 1)
        #expect(others.allSatisfy { played.fates[$0.id] != nil })
    }

    @Test("A rush of 200 asks is one transaction")
    func rush() throws {
        var played = try PlayedDesk(try DeskHall.rules(castles: 150))
        let asks = (0..<200).compactMap { number in
            DeskHall.period(1, 0, 1440).flatMap { period in
                played.ask(
                    FakeSigner(number, seed: 9),
                    .book(place: 5, period: period, count: 1, waits: false, tag: nil, note: ""),
                    UInt64(number))
            }
        }
        // A castle for a day is more than a guest's quota.
        played.want(
            .charter(try DeskHall.charter(2, try DeskHall.rules(castles: 150, quotas: false))))
        let commits = played.commits
        played.send(.asks(asks))
        #expect(played.commits == commits + 1 && played.last.count == 150)
        #expect(asks.count { played.fates[$0.id] == .refused(.full) } == 50)
        #expect(played.desk.ledger.book == played.whole)
    }
}
