// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// A key that came from another computer appends nothing before its log is as long as it was there
/// (docs/protocol.md section 10).
@Suite struct FloorTests {
    /// Ada at 0, bo at 1 and cy at 2, who talked; then ada's agent is gone with its disk, and her
    /// key comes to another. Gives the length of her log too.
    private func world() throws -> (world: World, floor: Int) {
        var world = World()
        for seat in ["14C", "12A", "20F"] { try world.add(seat) }
        world.run(seconds: 10)
        for line in ["hello", "is", "anybody", "there"] {
            world.wish(0, .say(line))
            world.run(seconds: 2)
        }
        let floor = world.hosts[0].node.logs.seq(of: world.key(0))
        world.kill(0)
        world.hosts[0].disk = FakeDisk()
        world.hosts[0].setup.floor = floor
        world.hosts[0].setup.seats = []
        return (world, floor)
    }

    private func seq(_ world: World, at host: Int = 0) -> Int {
        world.hosts[host].node.logs.seq(of: world.key(0))
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

    @Test func theLogGoesOnBehindWhatOthersHold() throws {
        var (world, floor) = try world()
        world.restart(0)
        world.wish(0, .say("too early"))
        world.run(seconds: 4)
        #expect(!world.hosts[0].node.canAppend)
        world.run(seconds: 40)
        #expect(world.hosts[0].node.canAppend && seq(world) >= floor)
        world.wish(0, .say("here again"))
        world.run(seconds: 5)
        #expect(seq(world) > floor && seq(world, at: 1) == seq(world) && !isForked(world))
        // A later start finds its log on its own disk, and the floor changes nothing.
        world.kill(0)
        world.restart(0)
        world.run(seconds: 10)
        #expect(world.hosts[0].node.canAppend && !isForked(world))
    }

    @Test func alone() throws {
        var (world, _) = try world()
        world.kill(1)
        world.kill(2)
        world.restart(0)
        world.run(seconds: 600)
        world.wish(0, .say("nobody hears"))
        #expect(seq(world) == 0 && world.hosts[0].node.appendGate.state == .restored)
    }

    @Test("Where others have a part of the log, nothing is signed until somebody has the rest")
    func aPartOfIt() throws {
        let (whole, floor) = try world()
        for count in 0..<floor {
            var world = whole
            world.kill(1)
            world.kill(2)
            let key = world.key(0)
            world.hosts[1].disk.stored.entries.removeAll {
                $0.entry.author == key && $0.entry.seq > count
            }
            world.restart(1)
            world.restart(0)
            for _ in 0..<6 {
                world.run(seconds: 20)
                world.wish(0, .say("too early"))
            }
            #expect(seq(world) == count && !world.hosts[0].node.canAppend, "\(count)")
            guard case .behind(floor, _) = world.hosts[0].node.appendGate.state else {
                Issue.record("\(count): the gate is \(world.hosts[0].node.appendGate.state)")
                continue
            }
            // A crash forgets none of it.
            world.kill(0)
            world.restart(0)
            world.run(seconds: 60)
            #expect(seq(world) == count && !world.hosts[0].node.canAppend, "\(count)")
            // Cy comes back, who has all.
            world.restart(2)
            world.run(seconds: 60)
            world.wish(0, .say("here again"))
            world.run(seconds: 5)
            #expect(seq(world) > floor && !isForked(world), "\(count)")
        }
    }

    @Test func whoHasTheLogIsKnownAtOnceWhereItIsAsked() throws {
        var world = World()
        for seat in ["14C", "12A"] { try world.add(seat) }
        world.run(seconds: 60)
        world.wish(0, .say("hello"))
        world.rest()
        #expect(world.hosts[0].node.acknowledged < seq(world))
        world.feed(0, .probeOwnLog)
        world.rest()
        #expect(world.hosts[0].node.acknowledged == seq(world))
        // Nobody has what was not sent, and a peer who has nothing is not asked forever.
        world.kill(1)
        world.wish(0, .say("alone"))
        world.feed(0, .probeOwnLog)
        world.rest()
        #expect(world.hosts[0].node.acknowledged == seq(world) - 1)
    }
}
