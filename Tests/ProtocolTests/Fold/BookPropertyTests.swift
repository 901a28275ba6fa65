// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Random sets of ledgers: the book is a function of the set alone.
@Suite("Books of random ledgers") struct BookPropertyTests {
    private static let seeds: ClosedRange<UInt64> = 1...40

    @Test("B3: any order gives one book, and B1 and B2 hold in it")
    func anyOrder() throws {
        var reasons: [VoidGrant.Reason: Int] = [:]
        var standings: Set<CountedLedger.Standing> = []
        var (live, applied) = (0, 0)
        for seed in Self.seeds {
            let set = try RandomLedgers.fake(seed: seed)
            let logs = LedgerVenue.fake.logs(set.entries)
            let fold = LedgerVenue.fake.fold(logs)
            let book = fold.book
            #expect(BookInvariants.violations(of: book).isEmpty, "seed \(seed)")
            // Swaps permute the bookings.
            let first = fold.bookings.map(\.mint.grant.holder).sorted()
            #expect(fold.bookings.map(\.holder).sorted() == first, "seed \(seed)")
            applied += fold.swaps.contracts.count(where: \.applied)
            var random = SeededRandom(seed: seed)
            let other = Self.logs(set.entries.shuffled(using: &random))
            #expect(other.proofs.map(\.seq) == logs.proofs.map(\.seq), "seed \(seed)")
            #expect(LedgerVenue.fake.fold(other) == fold, "seed \(seed)")
            for void in book.voids { reasons[void.reason, default: 0] += 1 }
            standings.formUnion(book.ledgers.map(\.standing))
            live += book.mints.count { $0.end == nil }
        }
        // The sets meet each rule often enough to say something.
        for reason in VoidGrant.Reason.allCases { #expect(reasons[reason] ?? 0 > 10, "\(reason)") }
        #expect(standings == [.counts, .rival, .unnamed, .waits] && live > 200 && applied > 5)
    }

    /// Entries that come in any order, each until it finds its place.
    private static func logs(_ entries: [Entry]) -> LogSet {
        let venue = LedgerVenue.fake
        var logs = LogSet()
        var waiting = entries
        var count = -1
        while count != waiting.count {
            count = waiting.count
            waiting = waiting.filter { entry in
                switch logs.insert(entry.bytes, flight: venue.gathering, codec: venue.codec) {
                case .gap, .branches: true
                case .added, .known, .fork, .delayed, .leftOut, .refused: false
                }
            }
        }
        return logs
    }

    @Test("The running book is the whole one at every step, in any split")
    func runningIsWhole() throws {
        var again = 0
        for seed in Self.seeds {
            let set = try RandomLedgers.fake(seed: seed)
            var random = SeededRandom(seed: seed)
            var running = RunningBook()
            var logs = LogSet()
            var rest = set.entries[...]
            while !rest.isEmpty {
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    guard let entry = rest.popFirst() else { break }
                    _ = logs.insert(
                        entry.bytes, flight: LedgerVenue.fake.gathering,
                        codec: LedgerVenue.fake.codec)
                }
                if running.follow(logs) { again += 1 }
                #expect(running.book == Book.whole(of: logs), "seed \(seed)")
            }
        }
        #expect(again > 10)
    }

    @Test("B4: no longer ledger changes what its beginning decided")
    func prefixesStay() throws {
        let venue = LedgerVenue.fake
        for seed in Self.seeds {
            var old = Book()
            var logs = LogSet()
            for entry in try RandomLedgers.fake(seed: seed).ledgers[0].entries {
                _ = logs.insert(entry.bytes, flight: venue.gathering, codec: venue.codec)
                let book = Book.whole(of: logs)
                #expect(BookInvariants.violations(from: old, to: book).isEmpty, "seed \(seed)")
                old = book
            }
        }
    }

    @Test("The invariants see a book that breaks them")
    func invariantsSee() throws {
        var venue = try SmallVenue()
        for hour in [8, 9, 10] { try venue.block(1, 0, hour, 60) }
        try venue.grant(SmallVenue.ada, 3, 0, 12, 120)
        let book = venue.book
        #expect(BookInvariants.violations(from: book, to: Book()).count == 4)
        // The same bookings under rules that would not have allowed them.
        var bad = Book()
        var sums = NoSums()
        for entry in venue.desk.entries { bad.read(entry, &sums) }
        try venue.grant(SmallVenue.ada, 3, 0, 15, 120)
        bad.read(venue.desk.entries[venue.desk.entries.count - 1], &sums)
        let rules = BookInvariants.violations(of: bad).map(\.rule)
        #expect(rules == [.capacity, .capacity, .quota])
    }
}

/// Sums of a desk's core that has forgotten to add.
private struct NoSums: BookSums {
    mutating func hold(_ load: BookLoad) {}
    mutating func free(_ load: BookLoad, spent: Bool) {}
    func peak(of unit: Int, in span: Range<Int>) -> Int { 0 }
    func total(of account: BookAccount, group: Int?) -> BookTotal { BookTotal() }
}

/// The tree of a unit's changes does what an array does.
@Suite("What is taken of a unit") struct UnitLoadTests {
    @Test("The highest sum of each span is that of an array of minutes")
    func asAnArray() {
        for seed: UInt64 in 1...60 {
            var random = SeededRandom(seed: seed)
            func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
            var load = UnitLoad()
            var minutes = Array(repeating: 0, count: 200)
            var held: [(Range<Int>, Int)] = []
            for _ in 0..<120 {
                if below(3) == 0, !held.isEmpty {
                    let (span, amount) = held.remove(at: below(held.count))
                    load.add(-amount, in: span)
                    for minute in span { minutes[minute] -= amount }
                } else {
                    let start = below(190)
                    let span = start..<start + 1 + below(200 - start - 1)
                    let amount = 1 + below(5)
                    held.append((span, amount))
                    load.add(amount, in: span)
                    for minute in span { minutes[minute] += amount }
                }
                let start = below(199)
                let span = start..<start + 1 + below(200 - start - 1)
                #expect(load.peak(in: span) == minutes[span].max(), "seed \(seed)")
            }
        }
    }

    @Test("Changes in order make no deep tree")
    func inOrder() {
        var load = UnitLoad()
        for minute in 0..<20_000 { load.add(1, in: minute..<minute + 2) }
        #expect(load.depth <= 32)
        #expect(load.peak(in: 0..<20_000) == 2 && load.peak(in: 0..<1) == 1)
    }
}
