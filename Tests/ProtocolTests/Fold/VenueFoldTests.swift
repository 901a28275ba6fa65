// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let primitives = FakePrimitives()

/// The fold of a venue as logs come in: random contracts over random books.
@Suite("The fold of a venue") struct VenueFoldTests {
    private static let seeds: ClosedRange<UInt64> = 1...40

    @Test("Running is whole at every step, bookings are permuted, and nothing honest is undone")
    func everyStep() throws {
        var (applied, waiting, steps) = (0, 0, 0)
        for seed in Self.seeds {
            let set = try RandomLedgers.fake(seed: seed)
            var random = SeededRandom(seed: seed)
            var queues: [PeerKey: [Entry]] = [:]
            for entry in set.entries.reversed() { queues[entry.author, default: []].append(entry) }
            let authors = queues.keys.sorted()
            var (book, fold) = (RunningBook(), RunningFold())
            var logs = LogSet()
            var before = SeatFold.empty
            while queues.values.contains(where: { !$0.isEmpty }) {
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let author = authors[Int.random(in: authors.indices, using: &random)]
                    guard let entry = queues[author]?.popLast() else { continue }
                    _ = logs.insert(
                        entry.bytes, flight: LedgerVenue.fake.gathering,
                        codec: LedgerVenue.fake.codec)
                }
                let isAnew = book.follow(logs)
                fold.follow(logs, book: book.book)
                let whole = BookFold.fold(logs, Book.whole(of: logs))
                #expect(fold.fold == whole.swaps && BookFold(fold.fold) == whole, "seed \(seed)")
                #expect(Invariants.violations(of: fold.fold).isEmpty, "seed \(seed)")
                if !isAnew {
                    let blamed = fold.misdeeds.map(\.author)
                    let found = Invariants.violations(from: before, to: fold.fold, blamed: blamed)
                    #expect(found.isEmpty, "seed \(seed)")
                    steps += 1
                }
                before = fold.fold
            }
            for state in before.contracts {
                guard let contract = state.contract else { continue }
                let isAllowed = book.book.allows(contract)
                #expect(isAllowed || !state.applied, "seed \(seed)")
                if state.applied { applied += 1 } else if !isAllowed { waiting += 1 }
            }
            #expect(BookInvariants.violations(of: book.book).isEmpty, "seed \(seed)")
        }
        #expect(applied > 4 && waiting > 4 && steps > 200)
    }

    @Test("A yes on what its author had the desk end convicts them, and nothing less does")
    func givenBack() throws {
        for (isSame, isOwn, leaves) in [
            (true, true, false), (false, true, false), (true, false, false), (true, true, true),
        ] {
            var venue = try SmallVenue()
            var ada = MadeUpLedger(FakeSigner(101), in: .fake)
            var bo = MadeUpLedger(FakeSigner(102), in: .fake)
            try ada.write(.genesis(name: "ada", agent: "test"))
            try bo.write(.genesis(name: "bo", agent: "test"))
            let slots = try [(ada.key, 10), (ada.key, 12), (bo.key, 14)].map { key, hour in
                let token = try venue.grant(key, 3, 0, hour, 60)
                return Slot(token: token, producer: Producer(claim: token))
            }
            let contract = try #require(
                Contract(
                    flight: LedgerVenue.fake.gathering, coordinator: ada.key,
                    nonce: ThreadID(high: 0, low: 1),
                    legs: [
                        Leg(
                            token: slots[0].token, producer: slots[0].producer, from: ada.key,
                            to: bo.key),
                        Leg(
                            token: slots[2].token, producer: slots[2].producer, from: bo.key,
                            to: ada.key),
                    ], primitives: primitives))
            let yes = try ada.write(.vote(.yes(contract.id, slots: [slots[0]])))
            if leaves {
                let no = try bo.write(.vote(.no(contract.id)))
                try ada.write(.abandon(contract.id, no: no))
            }
            let ask = BookingAsk(
                nonce: 1, until: UTCTime(seconds: 1000),
                wish: .giveBack(isSame ? slots[0] : slots[1], to: nil))
            let signer: any Signer = isOwn ? FakeSigner(101) : FakeSigner(102)
            let said = try #require(
                VenueStatement(ask, gathering: LedgerVenue.fake.gathering, by: signer))
            let close = try venue.desk.write(
                .ledger(.close(try #require(LedgerClose(asked: said)))))
            let logs = LedgerVenue.fake.logs(venue.desk, ada, bo)
            var running = RunningFold()
            running.follow(logs, book: Book.whole(of: logs))
            let isConvicted = isSame && isOwn && !leaves
            let misdeed = Misdeed(author: ada.key, kind: .giveBack, first: close, second: yes)
            #expect(running.misdeeds == (isConvicted ? [misdeed] : []))
        }
    }
}
