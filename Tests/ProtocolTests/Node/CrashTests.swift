// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private func asked() throws -> World {
    var world = World()
    try world.add("14C")
    try world.add("12A")
    world.run(seconds: 1)
    return world
}

private func play(_ world: inout World) throws {
    world.wish(
        0, .swap(take: try require(Seat("12A")), give: nil, note: "", expires: nil))
    world.rest()
    world.wish(1, .accept(1, override: false))
    world.rest()
}

/// Nobody is in doubt, all maps are equal, and the swap happened for both or for none.
private func settled(_ world: World) -> Bool {
    let swapped = world.seats(0) == ["12A"] && world.seats(1) == ["14C"]
    let untouched = world.seats(0) == ["14C"] && world.seats(1) == ["12A"]
    let inDoubt = world.hosts.contains { host in
        host.node.swaps.records.contains { $0.stage == .prepared || $0.stage == .preparing }
    }
    return (swapped || untouched) && !inDoubt && world.agree
        && world.hosts.allSatisfy { $0.disk.stored.locks.isEmpty && $0.node.logs.proofs.isEmpty }
}

@Suite struct CrashTests {
    /// Dies at every commit of the dialogue, before it, after it, and after
    /// it with its messages out.
    @Test func killedAnywhereBothEndAlike() throws {
        var whole = try asked()
        let before = whole.hosts.map(\.commits)
        try play(&whole)
        #expect(settled(whole))
        var outcomes: [Bool: Int] = [:]
        for host in 0..<2 {
            for commit in (before[host] + 1)...whole.hosts[host].commits {
                for (afterWrites, sendsLeave) in [(false, false), (true, false), (true, true)] {
                    var world = try asked()
                    world.death = World.Death(
                        host: host, commit: commit, afterWrites: afterWrites,
                        sendsLeave: sendsLeave)
                    try play(&world)
                    world.run(seconds: 20)
                    world.restart(host)
                    world.run(seconds: 120)
                    let words = "host \(host) commit \(commit) \(afterWrites) \(sendsLeave)"
                    #expect(settled(world), "\(words)")
                    outcomes[world.seats(0) == ["12A"], default: 0] += 1
                }
            }
        }
        #expect((outcomes[true] ?? 0) > 3 && (outcomes[false] ?? 0) > 3)
    }

    /// The cable is cut after every single piece of bytes, for a while, then healed.
    @Test func cutAnywhereBothEndAlike() throws {
        var outcomes: [Bool: Int] = [:]
        for pieces in 0..<24 {
            for pause in [1, 40] as [Int64] {
                var world = try asked()
                world.wish(
                    0, .swap(take: try require(Seat("12A")), give: nil, note: "", expires: nil))
                world.rest()
                world.wish(1, .accept(1, override: false))
                for _ in 0..<pieces { _ = world.step() }
                world.cut()
                world.run(seconds: pause)
                world.heal()
                world.run(seconds: 200)
                #expect(settled(world), "after \(pieces) pieces, for \(pause) s")
                outcomes[world.seats(0) == ["12A"], default: 0] += 1
            }
        }
        // What was asked stands through a cut: only a vote that is lost ends it.
        #expect((outcomes[true] ?? 0) > 3 && (outcomes[false] ?? 0) > 0, "\(outcomes)")
    }

    /// The coordinator dies for good after the other's yes: the seat is held, said to
    /// be so after two minutes, and can be re-minted; when they come back with a
    /// certificate the re-mint gives way.
    @Test func aVanishedCoordinatorStrandsAndForceReminds() throws {
        var world = try asked()
        world.wish(
            1, .swap(take: try require(Seat("14C")), give: nil, note: "", expires: nil))
        world.rest()
        world.wish(0, .accept(1, override: false))
        // Dies with the own yes on disk and nothing sent.
        world.death = World.Death(
            host: 0, commit: world.hosts[0].commits + 1, afterWrites: true, sendsLeave: false)
        world.rest()
        #expect(!world.hosts[0].isUp)
        #expect(world.stage(1) == .prepared)
        #expect(world.hosts[1].disk.stored.locks.count == 1)
        #expect(world.wish(1, .force(1)).isRefused)
        world.run(seconds: 200)
        #expect(world.stage(1) == .prepared)
        #expect(world.hosts[1].node.swaps.records[0].isStuck)
        #expect(world.wish(1, .force(1)) == .success(.request(1)))
        #expect(world.seats(1) == ["12A"])
        world.restart(0)
        world.run(seconds: 120)
        #expect(world.seats(0) == ["12A"] && world.seats(1) == ["14C"])
        #expect(world.stage(1) == .committed && world.agree)
    }

    /// No vote comes: the coordinator signs a no after 5 s, and whoever said yes leaves by it.
    @Test func theCoordinatorsNoFreesEverybody() throws {
        var world = World()
        for name in ["1A", "2A", "3A"] { try world.add(name) }
        world.run(seconds: 1)
        let moves = try zip(["1A", "2A", "3A"], [1, 2, 0]).map { name, to in
            SeatMove(seat: try require(Seat(name)), to: world.key(to))
        }
        world.wish(0, .propose(moves, note: "", expires: nil))
        world.rest()
        world.wish(1, .accept(1, override: false))
        world.rest()
        world.wish(2, .accept(1, override: false))
        world.death = World.Death(
            host: 2, commit: world.hosts[2].commits + 1, afterWrites: false, sendsLeave: false)
        world.run(seconds: 30)
        #expect(!world.hosts[2].isUp)
        #expect(world.stage(0) == .aborted && world.stage(1) == .aborted)
        #expect(world.hosts[1].disk.stored.locks.isEmpty)
        world.restart(2)
        world.run(seconds: 60)
        #expect(world.agree && world.stage(2)?.isOver == true)
        #expect((0..<3).map(world.seats) == [["1A"], ["2A"], ["3A"]])
    }
}
