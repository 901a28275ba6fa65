// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// A desk that takes over from a lost one (docs/protocol.md section 32, L1).
@Suite("A desk that takes over") struct LostGrantTests {
    @Test("It goes on from all ledgers of the last epoch, as far as they are known without a gap")
    func takingOver() throws {
        var (small, large) = (try SmallVenue(1), try SmallVenue(2))
        for hour in [8, 10, 12] { try small.block(1, 0, hour, 60) }
        try large.block(1, 0, 14, 60)
        let entries = small.desk.entries + large.desk.entries
        let whole = try #require(CountedLedger.takingOver(entries))
        #expect(whole.epoch == 2)
        #expect(whole.before == [small.counts(to: nil), large.counts(to: nil)])
        // In any order; what stands behind a gap is left out.
        let gap = entries.reversed().filter { $0.author != small.desk.key || $0.seq != 4 }
        let part = try #require(CountedLedger.takingOver(Array(gap)))
        #expect(part.before == [small.counts(to: 3), large.counts(to: nil)])
        let next = try SmallVenue(5, epoch: 2, before: whole.before)
        let third = try #require(CountedLedger.takingOver(entries + next.desk.entries))
        #expect(third.epoch == 3 && third.before == [next.counts(to: nil)])
        #expect(CountedLedger.takingOver([]) == nil)
        let last = try SmallVenue(6, epoch: 255)
        #expect(CountedLedger.takingOver(last.desk.entries) == nil)
    }

    @Test("What stands behind the last page that counts is lost, until it is granted again")
    func lost() throws {
        var old = try SmallVenue(9)
        try old.block(1, 0, 10, 60)
        let late = try old.block(1, 0, 12, 60)
        var new = try SmallVenue(1, epoch: 2, before: [old.counts(to: 3)])
        func lost() -> [LostGrant] {
            let logs = LedgerVenue.fake.logs(old.desk.entries + new.desk.entries)
            let book = Book.whole(of: logs)
            let all = LostGrant.all(in: logs, book.ledgers)
            return BookView(
                book, BookRoom(RunningBook()), moved: [], paid: [:], visits: [:], lost: all
            ).lost
        }
        #expect(lost().map(\.id.token) == [late] && lost()[0].desk == old.desk.key)
        // The venue keeps it for itself again, under another key.
        try new.block(1, 0, 12, 60)
        #expect(lost().map(\.id.token) == [late])
        let known = LedgerVenue.fake.logs(old.desk.entries)
        #expect(LostGrant.all(in: known, Book.whole(of: known).ledgers).isEmpty)
    }

    @Test("Granted again to the same holder it is lost no more, as long as that stands")
    func grantedAgain() throws {
        var old = try SmallVenue(9)
        let late = try old.grant(SmallVenue.ada, 1, 0, 12, 60)
        var new = try SmallVenue(1, epoch: 2, before: [old.counts(to: 2)])
        func lost() -> [Token] {
            let logs = LedgerVenue.fake.logs(old.desk.entries + new.desk.entries)
            let book = Book.whole(of: logs)
            return LostGrant.open(LostGrant.all(in: logs, book.ledgers), in: book)
                .map(\.id.token)
        }
        #expect(lost() == [late])
        let other = try new.grant(SmallVenue.bo, 1, 0, 12, 60)
        #expect(lost() == [late])
        try new.desk.close(other)
        let again = try new.grant(SmallVenue.ada, 1, 0, 12, 60)
        #expect(lost().isEmpty)
        try new.desk.close(again)
        #expect(lost() == [late])
    }

    @Test("What a rival of the last epoch grants is a rival's, and not lost")
    func ofARival() throws {
        var (one, other) = (try SmallVenue(1), try SmallVenue(2))
        try one.block(1, 0, 8, 60)
        try other.block(1, 0, 10, 60)
        let logs = LedgerVenue.fake.logs(one.desk.entries + other.desk.entries)
        let ledgers = Book.whole(of: logs).ledgers
        #expect(ledgers.map(\.epoch) == [1, 1])
        #expect(LostGrant.all(in: logs, ledgers).isEmpty)
    }
}
