// SPDX-License-Identifier: Apache-2.0
/// The order in which people read lines of the chat (docs/protocol.md section 8): every line after
/// those it names and after its author's last one; else by the time that it came to, then author,
/// then place in the log.
///
/// A pure function of the lines: the order in which they came does not matter. O(n
/// log n), whatever they name.
package enum ReadingOrder {
    /// What the order of a line depends on.
    package struct Line: Hashable, Sendable {
        /// The line.
        package let id: EntryID
        /// Whose it is.
        package let author: PeerKey
        /// Its place in that log.
        package let seq: Int
        /// The smaller of the time that it states and the time at which it came.
        package let time: UTCTime
        /// Lines that it was said after, known or not.
        package let after: [EntryID]

        /// Line `seq` of `author`, written after those in `after`.
        package init(id: EntryID, author: PeerKey, seq: Int, time: UTCTime, after: [EntryID]) {
            self.id = id
            self.author = author
            self.seq = seq
            self.time = time
            self.after = after
        }
    }

    /// Indices of `lines` in the order in which they are read.
    package static func of(_ lines: [Line]) -> [Int] {
        guard lines.count > 1 else { return Array(lines.indices) }
        // From here on a line is its rank: small numbers instead of keys and times.
        let ranked = lines.indices.sorted { isBefore(lines[$0], lines[$1]) }
        var walk = Walk(earlier: earlier(lines, ranked))
        return walk.order().map { ranked[$0] }
    }

    private static func isBefore(_ left: Line, _ right: Line) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.author != right.author { return left.author < right.author }
        return left.seq < right.seq
    }

    /// By rank: the ranks of the lines that must stand before. What is not
    /// among `lines` is left out.
    private static func earlier(_ lines: [Line], _ ranked: [Int]) -> [[Int]] {
        var ranks: [EntryID: Int] = [:]
        for (rank, index) in ranked.enumerated() { ranks[lines[index].id] = rank }
        var earlier = ranked.map { index in
            lines[index].after.compactMap { ranks[$0] }
        }
        let logs = ranked.indices.sorted { left, right in
            let (left, right) = (lines[ranked[left]], lines[ranked[right]])
            return left.author == right.author ? left.seq < right.seq : left.author < right.author
        }
        for (before, rank) in zip(logs, logs.dropFirst())
        where lines[ranked[before]].author == lines[ranked[rank]].author {
            earlier[rank].append(before)
        }
        return earlier
    }

    /// Takes ranks one by one, the smallest of those before which nothing is missing.
    private struct Walk {
        private var missing: [Int]
        private var later: [[Int]]
        private var ready = Heap<Int>()

        init(earlier: [[Int]]) {
            missing = earlier.map(\.count)
            later = Array(repeating: [], count: earlier.count)
            for (rank, before) in earlier.enumerated() {
                for other in before { later[other].append(rank) }
            }
        }

        mutating func order() -> [Int] {
            var order: [Int] = []
            order.reserveCapacity(missing.count)
            var isTaken = Array(repeating: false, count: missing.count)
            for rank in missing.indices where missing[rank] == 0 { ready.insert(rank) }
            var rest = 0
            while order.count < missing.count {
                // Ids are hashes, so that no line names itself in a circle; were it so, a circle is
                // opened where its smallest rank is.
                while ready.isEmpty, isTaken[rest] { rest += 1 }
                let rank = ready.popFirst() ?? rest
                guard !isTaken[rank] else { continue }
                isTaken[rank] = true
                order.append(rank)
                for next in later[rank] where !isTaken[next] {
                    missing[next] -= 1
                    if missing[next] == 0 { ready.insert(next) }
                }
            }
            return order
        }
    }
}
