// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Entries that were damaged on the disk: left out at the start, fetched again, no fork of anybody
/// (docs/protocol.md section 10).
@Suite struct DamageTests {
    /// Ada at 0 and bo at 1, a line of each, and ada's agent down.
    private func world() throws -> World {
        var world = World()
        for seat in ["14C", "12A"] { try world.add(seat) }
        world.run(seconds: 10)
        for host in 0..<2 { world.wish(host, .say("hello")) }
        world.run(seconds: 5)
        world.wish(0, .say("more"))
        world.run(seconds: 5)
        world.kill(0)
        return world
    }

    /// What the store gives when the entry of `author` at `seq` is damaged.
    private func damage(_ world: inout World, _ author: Int, _ seq: Int) {
        let key = world.key(author)
        world.hosts[0].disk.stored.entries.removeAll {
            $0.entry.author == key && $0.entry.seq == seq
        }
        world.hosts[0].disk.stored.damaged = 1
        if author == 0 { world.hosts[0].disk.stored.ownSeq = seq }
    }

    private func isForked(_ world: World) -> Bool {
        world.hosts.contains { host in
            !host.node.logs.proofs.isEmpty
                || host.notices.contains { notice in
                    switch notice {
                    case .trouble(.fork), .trouble(.ownFork), .trouble(.keyRunsTwice): true
                    default: false
                    }
                }
        }
    }

    @Test("An entry of anybody is fetched again", arguments: [0, 1], [1, 2, 3])
    func fetchedAgain(author: Int, seq: Int) throws {
        var world = try world()
        let length = world.hosts[1].node.logs.seq(of: world.key(author))
        damage(&world, author, seq)
        world.restart(0)
        #expect(world.hosts[0].node.logs.seq(of: world.key(author)) == seq - 1)
        world.run(seconds: 45)
        for host in world.hosts {
            #expect(host.node.logs.seq(of: world.key(author)) == length)
            #expect(host.node.canAppend)
        }
        #expect(world.hosts[0].node.mapDigest == world.hosts[1].node.mapDigest)
        #expect(!isForked(world))
        // On the disk too, behind what came before: a start finds all of it.
        world.kill(0)
        world.restart(0)
        #expect(world.hosts[0].node.logs.seq(of: world.key(author)) == length)
        world.run(seconds: 45)
        #expect(world.hosts[0].node.canAppend && !isForked(world))
    }

    @Test("An own entry that nobody has keeps the log shut", arguments: [1, 3])
    func shut(seq: Int) throws {
        var world = try world()
        world.kill(1)
        damage(&world, 0, seq)
        world.restart(0)
        world.run(seconds: 60)
        guard case .behind = world.hosts[0].node.appendGate.state else {
            Issue.record("the gate is \(world.hosts[0].node.appendGate.state)")
            return
        }
        world.wish(0, .say("too early"))
        #expect(world.hosts[0].node.logs.seq(of: world.key(0)) == seq - 1)
        // Bo comes back, who has it.
        world.restart(1)
        world.run(seconds: 60)
        #expect(world.hosts[0].node.canAppend && !isForked(world))
    }
}
