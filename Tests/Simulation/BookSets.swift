// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// A random set of ledgers with the book that it comes to, for another reader of the protocol to
/// compare. What can be held against itself is: any order, any split, the invariants.
package struct BookSet {
    /// The entries, one after the other.
    package let bundle: [UInt8]
    /// A line for each decision.
    package let words: String
    /// The rule that is broken; `nil` for none.
    package let fault: String?

    /// The set of that seed.
    package init(seed: UInt64) throws {
        let venue = LedgerVenue.fake
        let set = try RandomLedgers.fake(seed: seed, size: 20 + Int(seed % 60))
        bundle = set.entries.flatMap(\.bytes)
        let logs = try Bundle.read(bundle, codec: venue.codec).logs
        let fold = venue.fold(logs)
        words = bookLines(fold, venue.primitives).joined(separator: "\n")
        fault = Self.fault(set, fold, seed)
    }

    private static func fault(_ set: RandomLedgers, _ fold: BookFold, _ seed: UInt64) -> String? {
        if let broken = BookInvariants.violations(of: fold.book).first {
            return broken.rule.rawValue
        }
        let venue = LedgerVenue.fake
        var random = SeededRandom(seed: seed)
        var running = RunningBook()
        var logs = LogSet()
        var rest = set.entries.sorted { $0.seq < $1.seq }[...]
        while !rest.isEmpty {
            for _ in 0..<Int.random(in: 1...9, using: &random) {
                guard let entry = rest.popFirst() else { break }
                _ = logs.insert(entry.bytes, flight: venue.gathering, codec: venue.codec)
            }
            running.follow(logs)
            if running.book != Book.whole(of: logs) { return "the running book is another" }
        }
        return running.book == fold.book ? nil : "B3: another order gives another book"
    }
}
