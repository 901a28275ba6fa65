// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

@Suite("The desk: whatever happens") struct DeskPropertyTests {
    /// What holds after every event.
    private func inspect(_ life: RandomDesk, _ comment: Comment) {
        let played = life.played
        let book = played.whole
        #expect(book.voids.isEmpty && book.falseLots.isEmpty, comment)
        #expect(BookInvariants.violations(of: book).isEmpty, comment)
        #expect(played.desk.ledger.book == book, comment)
        let asked = book.mints.compactMap(\.grant.ask)
        #expect(Set(asked).count == asked.count, comment)
    }

    /// What the ledger says to a desk that starts now.
    private func read(_ played: PlayedDesk) -> DeskLedger {
        var ledger = DeskLedger(
            DeskSetup(
                gathering: played.venue.gathering, key: played.signer.key,
                codec: played.venue.codec))
        let seen = played.disk.seen
        ledger.follow(
            played.disk.logs, clock: played.clock, at: played.now, seen: { seen[$0] })
        return ledger
    }

    @Test("Nothing granted is void, B1 to B3 hold, and who starts again knows the same")
    func randomLives() throws {
        var said: [DeskReason: Int] = [:]
        var ends: [LedgerClose.Reason: Int] = [:]
        for seed in 1...40 as ClosedRange<UInt64> {
            var life = try RandomDesk(seed: seed)
            for step in 0..<60 {
                life.step()
                inspect(life, "seed \(seed) step \(step)")
                if life.below(6) == 0 {
                    let ledger = read(life.played)
                    #expect(
                        ledger.records.summary == life.played.desk.ledger.records.summary
                            && ledger.head == life.played.desk.ledger.head
                            && ledger.size == life.played.desk.ledger.size,
                        "seed \(seed) step \(step)")
                }
                if life.below(15) == 0 { life.restart() }
                if life.below(25) == 0 { life.die() }
            }
            for answer in life.played.disk.answers { said[answer.reason, default: 0] += 1 }
            for mint in life.played.whole.mints {
                if let reason = mint.end?.reason { ends[reason, default: 0] += 1 }
            }
        }
        // They meet most of what can be said.
        let rare: Set<DeskReason> = [
            .tooFar, .notJoined, .classes, .blocked, .noRoom, .grain, .length,
        ]
        for reason in DeskReason.allCases where !rare.contains(reason) {
            #expect(said[reason] ?? 0 > 0, "\(reason)")
        }
        for reason in [.asked, .desk, .noShow, .unpaid, .stranded] as [LedgerClose.Reason] {
            #expect(ends[reason] ?? 0 > 0, "\(reason)")
        }
    }

    @Test("Every ask gets an answer once the desk is open, and a refused one is never granted")
    func answers() throws {
        for seed in 100...130 as ClosedRange<UInt64> {
            var life = try RandomDesk(seed: seed)
            for _ in 0..<40 { life.step() }
            life.restart()
            life.played.want(.open(restored: false, random: life.played.bytes()))
            // Of one author eight are kept until the lots are drawn; others come again.
            for _ in 0..<4 {
                life.tellAgain()
                life.played.pass(minutes: 1)
            }
            for ask in life.unanswered {
                Issue.record("seed \(seed): \(ask.ask.wish) has no answer")
            }
            let book = life.played.whole
            let refused = life.played.fates.filter {
                if case .refused = $0.value { true } else { false }
            }
            #expect(book.mints.allSatisfy { $0.grant.ask.map { refused[$0] == nil } ?? true })
        }
    }

    @Test("Who waits keeps their place over a start, and is served as if there had been none")
    func sameQueue() throws {
        // Of these nobody is taken for absent: who is there is not in the ledger.
        for seed in stride(from: 200, through: 320, by: 4) as StrideThrough<UInt64> {
            var life = try RandomDesk(seed: seed)
            for _ in 0..<40 { life.step() }
            life.played.want(.open(restored: false, random: life.played.bytes()))
            for _ in 0..<4 {
                life.tellAgain()
                life.played.pass(seconds: 40)
            }
            var other = life
            other.restart()
            other.played.pass(seconds: 40)
            life.played.pass(seconds: 40)
            func noted(_ life: RandomDesk) -> [Bytes32] {
                let notes = life.played.desk.ledger.records.waiting
                return life.played.desk.queue.all.map(\.id).filter { notes[$0] != nil }
            }
            #expect(noted(life) == noted(other), "seed \(seed)")
            let books = [life, other].map { life in
                life.played.whole.mints.map { mint in
                    let (grant, end) = (mint.grant, mint.end)
                    return "\(grant.holder) \(grant.place) \(grant.period) "
                        + "\(String(describing: end?.reason)) \(end?.spent ?? false)"
                }
            }
            #expect(books[0] == books[1], "seed \(seed)")
        }
    }

    @Test("A2: the desk dies at each step; what was on the disk stays, and nothing is doubled")
    func deaths() throws {
        for seed in 300...302 as ClosedRange<UInt64> {
            for step in 0..<24 {
                for isWritten in [false, true] {
                    var life = try RandomDesk(seed: seed)
                    for _ in 0..<step { life.step() }
                    let before = life.played.entries
                    if isWritten {
                        life.step()
                        life.restart()
                    } else {
                        life.die()
                    }
                    #expect(Array(life.played.entries.prefix(before.count)) == before)
                    life.played.want(.open(restored: false, random: life.played.bytes()))
                    life.tellAgain()
                    life.played.pass(minutes: 1)
                    inspect(life, "seed \(seed) step \(step)")
                    #expect(life.unanswered == [], "seed \(seed) step \(step)")
                }
            }
        }
    }
}
