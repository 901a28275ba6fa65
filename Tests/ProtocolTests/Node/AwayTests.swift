// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Whose agent is out of reach, and whose link is said to go one way.
@Suite struct AwayTests {
    private func three() throws -> World {
        var world = World()
        for seat in ["14C", "12A", "3C"] { try world.add(seat) }
        world.run(seconds: 1)
        return world
    }

    private func passenger(_ world: World, _ index: Int) throws -> Passenger {
        try #require(world.hosts[0].node.passenger(world.key(index)))
    }

    @Test func whoseAgentIsGoneIsAwaySinceThen() throws {
        var world = try three()
        #expect(try !passenger(world, 0).isAway && !passenger(world, 1).isAway)
        world.kill(1)
        world.rest()
        let gone = world.now.utc
        // The other one may say for a while that they are linked.
        world.run(seconds: 60)
        let since = try #require(try passenger(world, 1).awaySince)
        #expect(try passenger(world, 1).isAway && since >= gone && since <= world.now.utc)
        #expect(try !passenger(world, 2).isAway && passenger(world, 2).awaySince == nil)
        // Who knows it from disk only knows no time.
        world.kill(0)
        world.restart(0)
        world.run(seconds: 60)
        #expect(try passenger(world, 1).isAway && passenger(world, 1).awaySince == nil)
        world.restart(1)
        world.run(seconds: 30)
        #expect(try !passenger(world, 1).isAway && passenger(world, 1).awaySince == nil)
        // Whoever said goodbye is not away but gone.
        world.wish(1, .leave(force: false))
        world.rest()
        world.kill(1)
        world.rest()
        #expect(try passenger(world, 1).hasLeft && !passenger(world, 1).isAway)
    }

    /// Programs of others may close a log and keep the claims in it: what they
    /// asked is over all the same.
    @Test func theEndOfALogEndsWhatItsOwnerAsked() throws {
        var world = try three()
        let take = try require(Seat("12A"))
        world.wish(0, .swap(take: take, give: nil, note: "", expires: nil))
        world.rest()
        #expect(world.stage(1) == .requested)
        var effects = Effects()
        _ = world.hosts[0].node.append(.end, &effects, at: world.now)
        world.carry(0, effects)
        world.run(seconds: 5)
        #expect(try passenger(world, 0).hasLeft)
        #expect(world.stage(1) == .withdrawn)
        #expect(world.hosts[1].node.swaps.records.last?.lost?.why == .left)
    }

    /// A bridge is all that two who cannot reach each other need.
    @Test func whomSomebodyReachesIsNotAway() throws {
        var world = World()
        world.walls = [[0, 2]]
        for seat in ["14C", "12A", "3C"] { try world.add(seat) }
        world.run(seconds: 90)
        #expect(try !passenger(world, 2).isAway)
        world.kill(1)
        world.run(seconds: 60)
        #expect(try passenger(world, 2).isAway && passenger(world, 1).isAway)
    }

    /// That a dial failed before says nothing of a link on which something comes.
    @Test func aLinkThatCarriesGoesBothWays() throws {
        var world = World()
        try world.add("14C")
        try world.add("12A", start: false)
        world.walls = [[0, 1]]
        world.feed(0, .networks(world.networks(0)))
        world.feed(0, .typed(world.address(1)))
        world.run(seconds: 10)
        #expect(world.hosts[0].node.mesh.isSilent(world.address(1)))
        world.walls = []
        for event: NodeEvent in [
            .networks(world.networks(1)), .labelled("1"), .started, .typed(world.address(0)),
        ] {
            world.feed(1, event)
        }
        world.run(seconds: 1)
        let node = world.hosts[0].node
        #expect(node.links.map(\.dialled) == [false])
        #expect(node.mesh.isSilent(world.address(1)))
        #expect(node.links.map(\.isOneWay) == [false])
    }
}
