// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

extension World {
    /// What a passenger wrote of their wishes.
    fileprivate func wishes(_ index: Int) -> [Wish] {
        (hosts[index].node.logs.log(of: key(index))?.entries ?? []).compactMap { entry in
            if case .wish(let wish) = entry.body { wish } else { nil }
        }
    }

    @discardableResult
    fileprivate mutating func party(
        _ index: Int, _ intent: PartyIntent
    ) -> Result<IntentReply, Refusal>? {
        defer { run(seconds: 1) }
        return wish(index, .party(intent))
    }
}

/// What the wishes of a passenger show of their party, and when they are written.
@Suite struct PartyTagTests {
    private let secret = PartySecret(Array(repeating: 1, count: PartySecret.count))

    private func pair() throws -> World {
        var world = World()
        try world.add("1A")
        try world.add("2A")
        world.run(seconds: 2)
        return world
    }

    /// What the last wish of the first passenger shows to the second.
    private func tag(_ world: World) -> ThreadID? {
        world.hosts[1].node.talk.history.said(by: world.key(0))?.tag
    }

    private func offer(_ world: inout World, _ note: String) {
        world.wish(0, .offer(ranks: [.all], note: note))
        world.run(seconds: 10)
    }

    @Test func itIsNewInEachWishOfNoPartyAndOneInAParty() throws {
        var world = try pair()
        offer(&world, "a")
        let first = tag(world)
        offer(&world, "b")
        let second = tag(world)
        #expect(first != nil && second != nil && second != first)
        let before = world.hosts[1].notices.count
        world.party(0, .new(try #require(secret)))
        let own = world.hosts[0].node.fellows.ownTag
        #expect(own != nil && tag(world) == own)
        // A wish that only shows another tag is no news, and says what the one before said.
        #expect(world.hosts[1].notices.count == before)
        #expect(world.hosts[1].node.passenger(world.key(0))?.wish?.note == "b")
        world.run(seconds: 10)
        offer(&world, "c")
        #expect(tag(world) == own)
        world.party(0, .leave)
        world.run(seconds: 10)
        let last = tag(world)
        #expect(last != own && last != first && last != second)
        #expect(world.hosts[1].node.passenger(world.key(0))?.wish?.note == "c")
        #expect(world.wishes(0).count == 5)
    }

    @Test func itWaitsForTheTurnOfAWish() throws {
        var world = try pair()
        world.wish(0, .offer(ranks: [.all], note: "a"))
        world.run(seconds: 1)
        world.party(0, .new(try #require(secret)))
        #expect(tag(world) != world.hosts[0].node.fellows.ownTag && world.wishes(0).count == 1)
        world.run(seconds: 5)
        #expect(tag(world) == world.hosts[0].node.fellows.ownTag && world.wishes(0).count == 2)
        world.party(0, .leave)
        #expect(world.wishes(0).count == 2)
        world.run(seconds: 5)
        #expect(world.wishes(0).count == 3)
    }

    @Test func aTagThatWaitedIsShownAfterARestart() throws {
        var world = try pair()
        world.wish(0, .offer(ranks: [.all], note: "a"))
        world.run(seconds: 1)
        world.wish(0, .party(.new(try #require(secret))))
        world.kill(0)
        world.restart(0)
        world.run(seconds: 20)
        #expect(tag(world) != nil && tag(world) == world.hosts[0].node.fellows.ownTag)
        #expect(world.wishes(0).count == 2)
    }

    @Test func withoutAPlaceForAWishNobodyJoins() throws {
        var world = try pair()
        for round in 1..<Limits.wishesPerLog {
            world.wish(0, .offer(ranks: [.all], note: "\(round)"))
            world.run(seconds: 6)
        }
        let reply = world.party(0, .new(try #require(secret)))
        #expect(reply == .failure(.tooManyWishes))
        #expect(world.hosts[0].node.party(at: world.now) == nil)
    }
}
