// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import ProtocolTestKit

@testable import Protocol

/// Records of three passengers, honest or not, in any order: the same records give the same map
/// whatever the order, and no rule of the fold breaks.
///
/// Input: choices of what each signs, and of the order.
enum RecordsTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        var choices = Choices(input)
        var crowd = Crowd()
        for _ in 0..<32 where !choices.isEmpty { crowd.act(&choices) }
        // The same entries, authors and branches in another order.
        let entries = crowd.authors.map { ($0.left.map(\.bytes), $0.log.map(\.bytes)) }
        let one = gathered(entries.flatMap { $0 + $1 }, choices.byte())
        let other = gathered(entries.reversed().flatMap { $1 + $0 }, choices.byte())
        let (left, right) = (Fold.fold(one), Fold.fold(other))
        let frontiers = [one, other].map { Frontier($0, primitives: FakePrimitives()).items }
        hold(
            frontiers[0].map(\.fork) == frontiers[1].map(\.fork), "forks depend on the order")
        hold(
            left.digest(FakePrimitives()) == right.digest(FakePrimitives()),
            "the map depends on the order")
        // As costly as all the rest: for one in four.
        if input.count % 4 == 0 { audit(one) }
        return crowd.contracts.isEmpty ? .refused : .accepted
    }

    /// What the records come to as a file.
    private static func audit(_ logs: LogSet) {
        let codec = EntryCodec(FakePrimitives())
        guard let reading = try? Bundle.read(Bundle.bytes(logs), codec: codec) else {
            broken("our own bundle is refused")
        }
        let count = logs.logs.reduce(0) { $0 + $1.entries.count + ($1.proof == nil ? 0 : 1) }
        BundlesTarget.check(reading, items: count, codec, FakePrimitives())
    }

    /// All entries that a log takes, offered again until none is taken.
    private static func gathered(_ entries: [[UInt8]], _ turn: UInt8) -> LogSet {
        var logs = LogSet()
        let codec = EntryCodec(FakePrimitives())
        let start = entries.isEmpty ? 0 : Int(turn) % entries.count
        let order = entries[start...] + entries[..<start]
        var isNew = true
        while isNew {
            isNew = false
            for entry in order {
                switch logs.insert(entry, flight: testFlight.id, codec: codec) {
                case .added, .fork: isNew = true
                case .known, .gap, .branches, .delayed, .leftOut, .refused: break
                }
            }
        }
        return logs
    }
}
