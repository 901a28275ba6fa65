// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Two agents that reach only a third: everything that needs a session of theirs goes through it.
@Suite struct DetourTests {
    /// ada (0) and cy (2) reach only bo (1).
    private func hotspot() throws -> World {
        var world = World()
        world.walls = [[0, 2]]
        for seat in ["14C", "12A", "7F"] { try world.add(seat) }
        world.run(seconds: 20)
        return world
    }

    @Test func chatGoesThroughTheThird() throws {
        var world = try hotspot()
        world.wish(0, .say("hello"))
        world.run(seconds: 5)
        #expect(
            world.hosts[2].node.timeline.contains { $0.said == "hello" })
        #expect(!world.hosts[0].node.isLinked(world.key(2)))
    }

    @Test func aMessageMakesACircuitThatEndsWhenIdle() throws {
        var world = try hotspot()
        world.wish(0, .message(to: world.key(2), "for you alone"))
        world.run(seconds: 15)
        #expect(world.hosts[2].node.messages.map(\.text) == ["for you alone"])
        #expect(world.hosts[0].node.messages.map(\.state) == [.acknowledged])
        #expect(world.hosts[0].node.isLinked(world.key(2)))
        let view = try #require(world.hosts[0].node.links.first { $0.peer == world.key(2) })
        #expect(view.stage == .relayed && view.relay == world.key(1))
        #expect(world.hosts[1].node.circuitsCarried == 1)
        world.run(seconds: 200)
        #expect(world.hosts[1].node.circuitsCarried == 0)
        #expect(!world.hosts[0].node.isLinked(world.key(2)))
    }

    @Test func aSwapThroughTheThird() throws {
        var world = try hotspot()
        let seat = try #require(Seat("7F"))
        world.wish(0, .swap(take: seat, give: nil, note: "", expires: nil))
        world.run(seconds: 15)
        world.wish(2, .accept(1, override: false))
        world.run(seconds: 30)
        #expect(world.seats(0) == ["7F"] && world.seats(2) == ["14C"])
        #expect(world.agree)
        #expect(world.stage(0) == .committed && world.stage(2) == .committed)
    }

    @Test func aDirectLinkTakesOver() throws {
        var world = try hotspot()
        world.wish(0, .message(to: world.key(2), "one"))
        world.run(seconds: 15)
        world.walls = []
        world.run(seconds: 100)
        let links = world.hosts[0].node.links.filter { $0.peer == world.key(2) }
        #expect(links.count == 1 && links[0].stage != .relayed)
        #expect(world.hosts[1].node.circuitsCarried == 0)
    }

    @Test func theThirdGoesAway() throws {
        var world = try hotspot()
        world.wish(0, .message(to: world.key(2), "one"))
        world.run(seconds: 15)
        world.kill(1)
        world.run(seconds: 10)
        #expect(!world.hosts[0].node.isLinked(world.key(2)))
        world.wish(0, .message(to: world.key(2), "two"))
        world.run(seconds: 30)
        world.restart(1)
        world.run(seconds: 120)
        #expect(world.hosts[2].node.messages.map(\.text) == ["one", "two"])
    }
}
