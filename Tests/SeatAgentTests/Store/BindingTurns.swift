// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Testing

/// What an agent's real core writes in the ways in which the binding phase can go: turns of
/// the loop, each one transaction. Each way has one row of "on disk before sent"
/// (docs/protocol.md section 16) in it.
struct BindingTurns {
    let name: String
    /// Its own key: it is needed to know whose entries are whose.
    let me: PeerKey
    let turns: [[Write]]
    /// So many of them come before the binding phase.
    let before: Int

    /// Both agents of every way.
    static func all() throws -> [BindingTurns] {
        let ways: [(String, (inout World) throws -> Void)] = [
            ("swapped", swap), ("refused", refuse), ("freed by a no", free),
            ("promised again", promiseAgain), ("forced, then swapped", force),
        ]
        return try ways.flatMap { name, way in
            var world = World { Issue.record("\($0)") }
            try world.add("14C")
            try world.add("12A")
            world.run(seconds: 1)
            let before = world.hosts.map(\.commits)
            try way(&world)
            return world.hosts.indices.map { index in
                BindingTurns(
                    name: "\(name), \(index == 0 ? "coordinator" : "participant")",
                    me: world.key(index), turns: world.hosts[index].turns,
                    before: before[index])
            }
        }
    }

    /// What the disk must hold after each number of turns; the first is none.
    var expected: [Stored] {
        var disk = FakeDisk()
        return [disk.stored.inOrder]
            + turns.map { turn in
                do throws(FakeDisk.Breach) {
                    try disk.commit(turn, of: me)
                } catch {
                    Issue.record("\(name): \(error)")
                }
                return disk.stored.inOrder
            }
    }

    // MARK: Ways

    private static func ask(_ world: inout World) throws {
        world.wish(1, .swap(take: try require(Seat("14C")), give: nil, note: "", expires: nil))
        world.rest()
        let number = try require(world.hosts[0].node.swaps.records.last?.number)
        world.wish(0, .accept(number, override: false))
    }

    /// Yes, certificate, commit on both sides.
    private static func swap(_ world: inout World) throws {
        try ask(&world)
        world.run(seconds: 5)
        #expect(world.stage(0) == .committed && world.stage(1) == .committed)
    }

    /// PREPARE meets a consent that was just taken back: nothing, and the coordinator's own no.
    private static func refuse(_ world: inout World) throws {
        try ask(&world)
        while world.stage(0) != .preparing {
            let moved = world.step()
            try #require(moved)
        }
        world.wish(1, .cancel(1))
        world.run(seconds: 10)
        #expect(world.stage(0) == .aborted && world.stage(1) == .aborted)
    }

    /// The participant's yes is not heard; the coordinator's no frees them.
    private static func free(_ world: inout World) throws {
        try ask(&world)
        while world.stage(1) != .prepared {
            let moved = world.step()
            try #require(moved)
        }
        world.cut()
        world.run(seconds: 20)
        #expect(world.stage(0) == .aborted && world.hosts[1].disk.stored.locks.count == 1)
        world.heal()
        world.run(seconds: 100)
        #expect(world.stage(1) == .aborted && world.hosts[1].disk.stored.locks.isEmpty)
    }

    /// The seat that was promised and freed is promised and given.
    private static func promiseAgain(_ world: inout World) throws {
        try free(&world)
        try swap(&world)
    }

    /// The coordinator dies with their yes on disk; the participant re-mints, and gives way later.
    private static func force(_ world: inout World) throws {
        try ask(&world)
        world.death = World.Death(
            host: 0, commit: world.hosts[0].commits + 1, afterWrites: true, sendsLeave: false)
        world.run(seconds: 200)
        #expect(world.wish(1, .force(1)) == .success(.request(1)))
        #expect(world.stage(1) == .stranded)
        world.restart(0)
        world.run(seconds: 100)
        #expect(world.stage(0) == .committed && world.stage(1) == .committed)
    }
}

extension Stored {
    /// Two stores hold the same if these are equal: rows without an order of their own are sorted.
    var inOrder: Stored {
        var sorted = self
        sorted.locks.sort()
        sorted.swaps.sort { $0.thread.bytes.lexicographicallyPrecedes($1.thread.bytes) }
        sorted.proofs.sort { $0.author < $1.author }
        sorted.verified.sort { $0.key < $1.key }
        sorted.blocked.sort()
        return sorted
    }
}
