// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Protocol
import Testing

@testable import SeatAgent

/// The power is cut after every write, sync, creation and deletion that the real store makes while
/// an agent binds itself, and what was not synced is lost, torn or reordered in six ways. Whoever
/// starts again must find every turn whose commit returned, and of the next one all or nothing.
@Suite struct PowerCutTests {
    /// A walk over one agent's life.
    private struct Walk {
        var points = 0
        var images = 0
        /// Cuts after which a turn was there whose commit had not returned yet.
        var early = 0
    }

    private func walk(
        _ life: BindingTurns, _ operations: [Disk.Operation], _ marks: [Int],
        _ part: ClosedRange<Int>
    ) throws -> Walk {
        let expected = life.expected
        var walk = Walk()
        var platter = Platter()
        for (index, operation) in operations.enumerated() {
            platter.follow(operation)
            let count = index + 1
            // Turns that returned; none while the file is being made.
            let done = marks.dropFirst().count { $0 <= count }
            guard part.contains(count) else { continue }
            walk.points += 1
            var seen: [Platter.Image] = []
            for fate in Platter.fates {
                let image = platter.image(fate)
                guard !seen.contains(image) else { continue }
                seen.append(image)
                walk.images += 1
                let words: Comment = "\(life.name): operation \(count), \(fate)"
                let (found, isNew) = try StoreOnDisk.reopened(image)
                #expect(!isNew || count < marks[0], words)
                if found == expected[done] { continue }
                // Between two turns there is no next one that could have arrived.
                let isBetween = marks.contains(count)
                guard !isBetween, done + 1 < expected.count, found == expected[done + 1] else {
                    Issue.record(words)
                    continue
                }
                walk.early += 1
            }
        }
        return walk
    }

    @Test func aCutAnywhereLeavesWholeTurnsAndNoneLost() throws {
        var total = Walk()
        for life in try BindingTurns.all() {
            let (operations, marks) = try StoreOnDisk.record(life)
            let walk = try walk(life, operations, marks, 1...operations.count)
            total.points += walk.points
            total.images += walk.images
            total.early += walk.early
        }
        print(
            "power cuts: \(total.points) write points, \(total.images) states of the disk,",
            "in \(total.early) of them a commit under way had arrived")
        #expect(total.points > 500 && total.early > 0)
    }

    /// The log of writes is full, and SQLite moves it into the file, in the midst of the turns.
    @Test func aCutWhileTheLogIsMovedIntoTheFile() throws {
        let lives = try BindingTurns.all()
        let life = try #require(lives.first { $0.name == "promised again, participant" })
        let (operations, marks) = try StoreOnDisk.record(
            life, filler: try StoreOnDisk.filler(life))
        let moved = operations.indices.filter { index in
            guard case .write(1, _, _) = operations[index] else { return false }
            return index > marks[0] && index < marks[marks.count - 1]
        }
        let first = try #require(moved.first)
        let last = try #require(moved.last)
        let walk = try walk(life, operations, marks, (first - 10)...(last + 20))
        print("power cuts while the log is moved: \(walk.points) points, \(walk.images) states")
        #expect(moved.count >= 10 && walk.early > 0)
    }
}
