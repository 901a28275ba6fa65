// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Entries that came from a meeting point (docs/meet.md section 3): judged like those of a peer,
/// and nobody is blamed for bad ones.
@Suite struct MailedTests {
    /// Two agents that cannot reach each other, each with a seat and a line.
    private func world() throws -> World {
        var world = World()
        try world.add("14C", start: true)
        try world.add("12A", start: false)
        world.hosts[1].node = Node(world.hosts[1].setup, Stored(), at: world.now)
        world.feed(1, .started)
        world.run(seconds: 10)
        for host in 0..<2 { world.wish(host, .say("hello of \(host)")) }
        world.run(seconds: 2)
        return world
    }

    private func log(_ world: World, _ host: Int) -> [[UInt8]] {
        (world.hosts[host].node.logs.log(of: world.key(host))?.entries ?? []).map(\.bytes)
    }

    @Test func logsThatWereMailedGiveTheSameMap() throws {
        var world = try world()
        #expect(world.hosts[0].node.mapDigest != world.hosts[1].node.mapDigest)
        let (first, second) = (log(world, 0), log(world, 1))
        world.feed(0, .mailed(second))
        world.feed(1, .mailed(first))
        world.run(seconds: 2)
        #expect(world.hosts[0].node.mapDigest == world.hosts[1].node.mapDigest)
        #expect(world.hosts[0].node.logs.seq(of: world.key(1)) == second.count)
        // On the disk too.
        #expect(world.hosts[0].disk.stored.entries.count { $0.entry.author == world.key(1) } == 3)
        // Again, it changes nothing.
        let before = world.hosts[0].disk.stored.entries.count
        world.feed(0, .mailed(second + second))
        world.run(seconds: 2)
        #expect(world.hosts[0].disk.stored.entries.count == before)
    }

    @Test func badBytesCloseNothingAndStopNothing() throws {
        var world = try world()
        var second = log(world, 1)
        second[1][second[1].count - 1] ^= 1
        world.feed(0, .mailed([[], [0xFF], [UInt8](repeating: 0, count: 20_000)] + second))
        world.run(seconds: 2)
        // The entry before the bad one is in, the one behind it is a gap.
        #expect(world.hosts[0].node.logs.seq(of: world.key(1)) == 1)
        world.feed(0, .mailed(log(world, 1)))
        #expect(world.hosts[0].node.logs.seq(of: world.key(1)) == 3)
    }

    @Test func aForkIsProvenWhoeverBroughtIt() throws {
        var world = try world()
        let codec = EntryCodec(FakePrimitives())
        let signer = world.hosts[1].setup.signer
        let genesis = try codec.decode(try require(log(world, 1).first))
        let other = try codec.sign(
            .end, flight: testFlight.id, seq: 2, previous: genesis.id, by: signer)
        world.feed(0, .mailed(log(world, 1)))
        world.feed(0, .mailed([other.bytes]))
        #expect(world.hosts[0].node.logs.proofs.map(\.author) == [world.key(1)])
    }

    @Test func aCardOfOursKeepsTheLogShutUntilSoMuchIsHere() throws {
        var world = try world()
        let whole = log(world, 0)
        world.kill(0)
        let key = world.key(0)
        world.hosts[0].disk.stored.entries.removeAll {
            $0.entry.author == key && $0.entry.seq == 3
        }
        world.restart(0)
        world.feed(0, .ownLength(3))
        world.run(seconds: 60)
        #expect(!world.hosts[0].node.canAppend)
        world.feed(0, .mailed(whole))
        world.run(seconds: 60)
        #expect(world.hosts[0].node.canAppend)
        // Too late: it has gone on without knowing.
        world.feed(0, .ownLength(9))
        #expect(!world.hosts[0].node.canAppend)
    }

    @Test func anEntryOfOursThatIsNotHereMeansThatTheKeyRunsTwice() throws {
        var world = try world()
        let codec = EntryCodec(FakePrimitives())
        let own = try require(world.hosts[0].node.logs.log(of: world.key(0)))
        let next = try codec.sign(
            .end, flight: testFlight.id, seq: own.seq + 1, previous: own.head.id,
            by: world.hosts[0].setup.signer)
        #expect(world.hosts[0].node.canAppend)
        world.feed(0, .mailed([next.bytes]))
        #expect(!world.hosts[0].node.canAppend)
        let isTold = world.hosts[0].notices.contains {
            if case .trouble(.keyRunsTwice) = $0 { true } else { false }
        }
        #expect(isTold)
    }

    /// What is said live at a meeting point may be quicker than a session over a tunnel, which then
    /// brings nothing new.
    @Test func aSwapIsFinalAtOnceAlsoWhereItsCommitCameByMail() throws {
        var world = World()
        try world.add("14C")
        try world.add("12A")
        world.run(seconds: 1)
        world.wish(
            0, .swap(take: try require(Seat("12A")), give: nil, note: "", expires: nil))
        world.rest()
        world.wish(1, .accept(1, override: false))
        var told = [0, 0]
        while world.step() {
            for host in 0..<2 where log(world, host).count > told[host] {
                told[host] = log(world, host).count
                world.feed(1 - host, .mailed(log(world, host)))
            }
        }
        #expect(world.seats(0) == ["12A"] && world.seats(1) == ["14C"])
        for host in 0..<2 {
            #expect(world.hosts[host].node.swaps.records.map(\.isFinal) == [true])
        }
    }
}
