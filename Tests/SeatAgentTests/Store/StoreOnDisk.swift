// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

@testable import SeatAgent
@testable import Store

/// The agent's own store on a ``Disk``.
enum StoreOnDisk {
    /// Opens it as a start of the agent does.
    static func open(_ driver: DiskDriver) throws(StoreError) -> Store {
        try Store(path: driver.path("flight.db"), primitives: FakePrimitives())
    }

    /// Puts what a first start puts into a new file.
    static func found(_ store: Store) throws(StoreError) {
        try store.keep(seed: [1], auth: .zero, flight: .flight(.practice))
        try store.begin(generation: "first", ends: nil)
    }

    /// What a store finds on such a disk, and whether it has no key yet.
    static func reopened(_ image: Platter.Image) throws(StoreError) -> (Stored, isNew: Bool) {
        let driver = DiskDriver(Disk(image))
        let store = try open(driver)
        // Nothing more is written: what a close would tidy up is of no interest.
        defer { driver.disk.trouble = .brokenFrom(0) }
        return (try store.load().inOrder, try store.identity() == nil)
    }

    /// Makes a new file, carries out the turns and closes it. Gives how many operations there were
    /// when the file was ready and after each turn; `filler` commits come before them.
    static func record(
        _ life: BindingTurns, filler: Int = 0, trouble: Disk.Trouble? = nil
    ) throws(StoreError) -> (operations: [Disk.Operation], marks: [Int]) {
        let disk = Disk()
        disk.trouble = trouble
        let driver = DiskDriver(disk)
        let marks = try carryOut(life, filler, on: driver)
        return (disk.operations, marks)
    }

    /// So many commits before the turns that SQLite moves its log into the file in the middle of
    /// those that bind.
    static func filler(_ life: BindingTurns) throws(StoreError) -> Int {
        let (operations, marks) = try record(life)
        let middle = (life.before + life.turns.count) / 2
        let pages = operations[..<marks[middle]].count { operation in
            // The head of each page in the log.
            if case .write(_, _, let bytes) = operation { return bytes.count == 24 }
            return false
        }
        return Database.pagesOfLog - 1 - pages
    }

    /// Apart, so that the store is closed when it returns.
    private static func carryOut(
        _ life: BindingTurns, _ filler: Int, on driver: DiskDriver
    ) throws(StoreError) -> [Int] {
        let store = try open(driver)
        try found(store)
        store.owned(by: life.me)
        for number in 0..<filler { try store.begin(generation: "\(number)", ends: nil) }
        var marks = [driver.disk.operations.count]
        for turn in life.turns {
            try store.apply(turn)
            marks.append(driver.disk.operations.count)
        }
        return marks
    }
}
