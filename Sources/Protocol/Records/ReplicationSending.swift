// SPDX-License-Identifier: Apache-2.0
/// What a link sends: pushes, and answers to a WANT in slices.
extension Replication {
    mutating func push(_ output: inout Output) {
        let entries = pushes.filter { claimed(of: $0.author) < $0.seq }
        pushes = []
        for slice in Self.slices(entries.map(\.bytes)) {
            output.messages.append(.entries(EntryBatch(kind: .push, entries: slice)))
        }
        for entry in entries { has(entry.author, entry.seq, isMore: false) }
    }

    /// Sends the beginning of each ledger of which the peer has nothing: it shows that the log is
    /// one, so that they let it in whatever their places are taken by.
    mutating func pushLedgers(_ output: inout Output, _ logs: LogSet) {
        for log in logs.logs where log.isLedger && claimed(of: log.author) == 0 {
            let first = log.entries.prefix(2).map(\.bytes)
            output.messages.append(.entries(EntryBatch(kind: .push, entries: first)))
            has(log.author, first.count, isMore: false)
        }
    }

    /// Sends slices of what is owed, as far as they fit: the whole answer is never in memory.
    mutating func answer(_ output: inout Output, _ here: Surroundings) {
        guard var debt = owed else { return }
        var room = here.room
        while room >= 2 * Limits.bulkSlice {
            let slice = nextSlice(&debt, here)
            let isLast = debt.stretches.isEmpty || debt.budget <= 0
            room -= slice.reduce(64) { $0 + $1.count + 3 }
            output.messages.append(
                .entries(EntryBatch(kind: isLast ? .last : .answer, entries: slice)))
            if isLast {
                owed = nil
                return
            }
        }
        owed = debt
    }

    private func nextSlice(
        _ debt: inout (stretches: [Want.Stretch], budget: Int), _ here: Surroundings
    ) -> [[UInt8]] {
        var slice: [[UInt8]] = []
        var size = 0
        while let stretch = debt.stretches.first, debt.budget > 0,
            slice.count < Limits.entriesPerFrame
        {
            guard stretch.from <= stretch.through,
                let entry = here.logs.log(of: stretch.author)?.entry(at: stretch.from)
            else {
                debt.stretches.removeFirst()
                continue
            }
            guard slice.isEmpty || size + entry.bytes.count <= Limits.bulkSlice else { break }
            slice.append(entry.bytes)
            size += entry.bytes.count
            debt.budget -= entry.bytes.count
            debt.stretches[0].from += 1
        }
        return slice
    }

    private static func slices(_ entries: [[UInt8]]) -> [[[UInt8]]] {
        var slices: [[[UInt8]]] = []
        var size = 0
        for bytes in entries {
            if slices.isEmpty || size + bytes.count > Limits.bulkSlice
                || slices[slices.count - 1].count == Limits.entriesPerFrame
            {
                slices.append([])
                size = 0
            }
            slices[slices.count - 1].append(bytes)
            size += bytes.count
        }
        return slices
    }
}
