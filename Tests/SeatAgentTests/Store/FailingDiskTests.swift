// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import SeatAgent
@testable import Store

/// The disk fails at every operation that the real store makes while an agent binds itself:
/// once, from there on, or for want of space. A turn that could not be written must be an
/// error and leave nothing behind that a reader sees; the same store must be able to go on
/// when the disk is well again.
@Suite struct FailingDiskTests {
    private struct Walk {
        var points = 0
        var refusals = 0
        /// Commits that succeeded although something failed, all of them durable.
        var survivors = 0
    }

    /// A disk on which everything before the binding phase is safe.
    private func base(_ life: BindingTurns, filler: Int = 0) throws -> Platter.Image {
        let (operations, marks) = try StoreOnDisk.record(life, filler: filler)
        var platter = Platter()
        for operation in operations[..<marks[life.before]] { platter.follow(operation) }
        return platter.image(.lost)
    }

    /// One run with one trouble; counts into `walk`, and tells whether the trouble was met.
    private func run(
        _ life: BindingTurns, _ expected: [Stored], _ base: Platter.Image,
        _ trouble: Disk.Trouble, _ walk: inout Walk
    ) throws -> Bool {
        let disk = Disk(base)
        disk.trouble = trouble
        let driver = DiskDriver(disk)
        let words: Comment = "\(life.name): \(trouble)"
        try live(life, expected, base, driver, words, &walk)
        guard disk.failures > 0 else { return false }
        walk.points += 1
        #expect(try found(after: disk, base, .lost) == expected[life.turns.count], words)
        return true
    }

    /// What is on the disk if the power fails now.
    private func found(
        after disk: Disk, _ base: Platter.Image, _ fate: Platter.Fate
    ) throws -> Stored {
        var platter = Platter(base)
        for operation in disk.operations { platter.follow(operation) }
        return try StoreOnDisk.reopened(platter.image(fate)).0
    }

    private func live(
        _ life: BindingTurns, _ expected: [Stored], _ base: Platter.Image,
        _ driver: DiskDriver, _ words: Comment, _ walk: inout Walk
    ) throws {
        let disk = driver.disk
        var store: Store
        do {
            store = try StoreOnDisk.open(driver)
        } catch {
            walk.refusals += 1
            disk.repair()
            store = try StoreOnDisk.open(driver)
        }
        store.owned(by: life.me)
        for place in life.before..<life.turns.count {
            let before = disk.failures
            do {
                try store.apply(life.turns[place])
                guard disk.failures > before else { continue }
                walk.survivors += 1
                #expect(try found(after: disk, base, .lost) == expected[place + 1], words)
            } catch {
                walk.refusals += 1
                #expect(disk.failures > before, words)
                // The agent makes its core anew from here; while the disk is broken that may fail.
                if let seen = try? store.load().inOrder { #expect(seen == expected[place], words) }
                for fate in [Platter.Fate.lost, .kept] {
                    let found = try found(after: disk, base, fate)
                    #expect(found == expected[place] || found == expected[place + 1], words)
                }
                disk.repair()
                #expect(try store.load().inOrder == expected[place], words)
                try store.apply(life.turns[place])
                #expect(try found(after: disk, base, .lost) == expected[place + 1], words)
            }
        }
    }

    /// Every point of one life with these kinds of trouble.
    private func walk(
        _ life: BindingTurns, _ base: Platter.Image, _ kinds: [(Int) -> Disk.Trouble],
        _ walk: inout Walk
    ) throws {
        let expected = life.expected
        for kind in kinds {
            var place = 1
            while try run(life, expected, base, kind(place), &walk), place < 1000 { place += 1 }
            #expect(place > 10)
        }
    }

    @Test func everyFailureIsAnErrorAndNothingIsHalfDone() throws {
        var walk = Walk()
        for life in try BindingTurns.all() {
            let kinds: [(Int) -> Disk.Trouble] = [
                { .brokenOnce($0) }, { .brokenFrom($0) }, { .fullFrom($0) }, { .unreadable($0) },
            ]
            try self.walk(life, try base(life), kinds, &walk)
        }
        print(
            "failing disks: \(walk.points) points of failure, \(walk.refusals) refused turns "
                + "and starts")
        #expect(walk.points > 1000 && walk.refusals > 500)
    }

    /// The log of writes is full: a commit is durable before SQLite tries to move it into the file,
    /// and stays so when that fails.
    @Test func aFailureToMoveTheLogTakesNothingBack() throws {
        var walk = Walk()
        let lives = try BindingTurns.all()
        let life = try #require(lives.first { $0.name == "swapped, participant" })
        let base = try base(life, filler: try StoreOnDisk.filler(life))
        try self.walk(life, base, [{ .brokenOnce($0) }], &walk)
        print(
            "failing disks while the log is moved: \(walk.points) points of failure,",
            "\(walk.survivors) commits durable all the same")
        #expect(walk.survivors > 10)
    }

    /// What cannot be read is an error, never a shorter log.
    @Test func everyFailureToReadIsAnErrorOrMakesNoDifference() throws {
        var reads = 0
        var refusals = 0
        for life in try BindingTurns.all() {
            let (operations, marks) = try StoreOnDisk.record(life)
            var platter = Platter()
            for operation in operations[..<(marks.last ?? 0)] { platter.follow(operation) }
            let image = platter.image(.lost)
            let whole = try StoreOnDisk.reopened(image).0
            var wasMet = true
            var place = 0
            while wasMet, place < 1000 {
                place += 1
                let disk = Disk(image)
                disk.trouble = .unreadable(place)
                let driver = DiskDriver(disk)
                do {
                    let seen = try StoreOnDisk.open(driver).load().inOrder
                    #expect(seen == whole, "\(life.name): read \(place)")
                } catch {
                    refusals += 1
                }
                wasMet = disk.failures > 0
            }
            reads += place - 1
        }
        print("failing disks: \(reads) failed reads at a start, \(refusals) refused starts")
        #expect(reads > 100 && refusals > 100)
    }

    /// Some file systems have no memory to share, and so no log of writes:
    /// refused, not worked around.
    @Test func aDiskWithoutSharedMemoryIsRefused() throws {
        let disk = Disk()
        disk.trouble = .unshared
        let driver = DiskDriver(disk)
        #expect(throws: StoreError.self) { _ = try StoreOnDisk.open(driver) }
        disk.repair()
        #expect(try StoreOnDisk.open(driver).identity() == nil)
    }
}
