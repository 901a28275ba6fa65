// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// A cabin of more agents than a full mesh takes, in memory.
@Suite struct MeshTests {
    private func seat(_ index: Int) -> String {
        "\(index / 6 + 1)" + ["A", "B", "C", "D", "E", "F"][index % 6]
    }

    private func cabin(_ count: Int, seconds: Int64) throws -> World {
        var world = World()
        for index in 0..<count {
            try world.add(seat(index), start: false)
        }
        for index in 0..<count { world.board(index, knowing: 0..<count) }
        world.run(seconds: seconds)
        return world
    }

    private func links(_ world: World) -> [Int] { world.hosts.map(\.node.links.count) }

    @Test func aSmallCabinIsAFullMesh() throws {
        let world = try cabin(12, seconds: 30)
        #expect(links(world).allSatisfy { $0 == 11 })
        #expect(world.agree)
    }

    /// An agent with nothing to do sleeps: a tick never causes the next one.
    @Test func anIdleAgentSleeps() throws {
        var world = try cabin(3, seconds: 30)
        let before = world.ticks
        world.run(seconds: 20)
        #expect(world.ticks - before < 3 * 60, "\(world.ticks - before) ticks in a minute")
    }

    @Test func aLargeCabinHasFewLinksEachAndOneMap() throws {
        var world = try cabin(27, seconds: 20)
        let counts = links(world)
        #expect(counts.max() ?? 0 <= Limits.partialMesh, "\(counts)")
        #expect(counts.min() ?? 0 >= 3, "\(counts)")
        #expect(world.agree)
        #expect(Set(world.hosts.map { $0.node.logs.logs.count }) == [27])
        // A line reaches everybody, however few links there are.
        world.wish(7, .say("hello"))
        world.run(seconds: 10)
        #expect(
            world.hosts.allSatisfy { host in
                host.node.timeline.contains { $0.said == "hello" }
            })
        // Nobody is missing for want of a link.
        #expect(
            world.hosts.allSatisfy { host in
                !host.notices.contains { if case .trouble = $0 { true } else { false } }
            })
    }

    @Test func aSwapInALargeCabinMakesItsOwnLink() throws {
        var world = try cabin(26, seconds: 12)
        let other = try #require((1..<26).first { !world.hosts[0].node.isLinked(world.key($0)) })
        let wanted = try #require(Seat(seat(other)))
        world.wish(0, .swap(take: wanted, give: nil, note: "", expires: nil))
        world.run(seconds: 15)
        #expect(world.hosts[0].node.isLinked(world.key(other)))
        world.wish(other, .accept(1, override: false))
        world.run(seconds: 15)
        #expect(world.seats(0) == [seat(other)])
        #expect(world.agree)
        #expect(links(world).max() ?? 0 <= Limits.partialMesh)
    }
}

/// Strangers who try to be the only ones that an agent is linked with.
@Suite struct EclipseTests {
    /// Everybody asks for the same passenger's seat, and is linked for that purpose: the link with
    /// whom they verified, and a line of chat over it, stay.
    @Test func whoeverAsksDoesNotPushOutWhomTheUserVerified() throws {
        var world = World()
        for index in 0..<30 { try world.add("\(index + 1)A", start: false) }
        for index in 0..<2 { world.board(index, knowing: 0..<2) }
        world.run(seconds: 2)
        world.wish(0, .verify(world.key(1)))
        world.run(seconds: 2)
        world.wish(1, .verify(world.key(0)))
        world.run(seconds: 2)
        for index in 0..<2 { world.wish(index, .compared(isSame: true)) }
        world.run(seconds: 2)
        try #require(world.hosts[0].node.assurance(of: world.key(1)) == .verified)
        for index in 2..<30 { world.board(index, knowing: 0..<30) }
        for index in 0..<2 { world.tell(index, of: 2..<30) }
        world.run(seconds: 5)
        let wanted = try #require(Seat("1A"))
        for index in 2..<30 {
            world.wish(index, .swap(take: wanted, give: nil, note: "", expires: nil))
        }
        world.run(seconds: 20)
        let asked = world.hosts[0].node.swaps.records.count { $0.stage == .requested }
        #expect(asked > Limits.partialMesh)
        #expect(world.hosts[0].node.isLinked(world.key(1)))
        #expect(world.hosts[1].node.isLinked(world.key(0)))
        let needed = world.hosts[0].node.neededPeers(at: world.now)
        #expect(needed.count == Limits.guests)
    }
}

extension World {
    private func label(_ host: Int) -> String { "\(100 + (host * 37) % 101)" }

    /// Starts a host that mDNS tells of all others.
    mutating func board(_ index: Int, knowing others: Range<Int>) {
        feed(index, .networks(networks(index)))
        feed(index, .labelled(label(index)))
        feed(index, .started)
        tell(index, of: others)
    }

    /// mDNS tells a host of others.
    mutating func tell(_ index: Int, of others: Range<Int>) {
        for other in others where other != index {
            feed(index, .found(label: label(other), addresses: [address(other)]))
        }
    }
}
