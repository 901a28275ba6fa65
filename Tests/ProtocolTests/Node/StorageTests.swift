// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Whole agents and somebody who writes without end (docs/protocol.md sections 9 and 18).
@Suite struct StorageTests {
    private static let small = Shares.Bounds(
        base: 4096, pool: 16384, stranger: 16, linked: 8, needed: 4,
        favoured: Limits.bytesPerAuthor)

    /// A flooder at 0, and honest passengers whose agents keep little.
    private func world(_ seats: [String]) throws -> World {
        var world = World()
        for (index, seat) in seats.enumerated() {
            try world.add(seat, start: index == 0)
            guard index > 0 else { continue }
            world.hosts[index].setup.bounds = (Self.small, Self.small)
            world.restart(index)
        }
        world.run(seconds: 10)
        return world
    }

    private func flood(_ world: inout World, lines: Int = 20) {
        let text = String(repeating: "x", count: 2000)
        for _ in 0..<lines {
            world.wish(0, .say(text))
            world.run(seconds: 1)
        }
    }

    private func size(_ world: World, _ author: Int, at host: Int) -> Int {
        world.hosts[host].node.logs.log(of: world.key(author))?.size ?? 0
    }

    @Test func anAuthorOverTheirShareRests() throws {
        var world = try world(["14C", "12A", "9F"])
        flood(&world)
        for host in 1...2 {
            #expect(size(world, 0, at: host) <= Self.small.base + Self.small.pool / 8)
            #expect(world.hosts[host].node.leftOut.logs == 1)
        }
        #expect(size(world, 0, at: 0) > 40_000)
        // The two others go on as before.
        world.wish(1, .say("still here"))
        world.run(seconds: 2)
        #expect(
            world.hosts[2].node.timeline.contains { $0.said == "still here" })
        // Of what was left out little is said: a round of digests, and nothing is asked for.
        let before = world.traffic
        world.run(seconds: 240)
        let said = (world.traffic[[0, 1]] ?? 0) - (before[[0, 1]] ?? 0)
        #expect(said < 8000, "\(said) bytes in four minutes")
    }

    @Test func whoseSwapTheUserWantsIsFetchedWhole() throws {
        var world = try world(["14C", "12A"])
        flood(&world)
        #expect(size(world, 0, at: 1) < size(world, 0, at: 0))
        let seat = try require(Seat("14C"))
        let reply = world.wish(1, .swap(take: seat, give: nil, note: "", expires: 60))
        _ = try require(try reply?.get())
        world.run(seconds: 10)
        #expect(size(world, 0, at: 1) == size(world, 0, at: 0))
        #expect(world.hosts[1].node.leftOut.logs == 0)
    }

    /// Never short: whom the user verified, who is of their party, and with whom they swapped. Each
    /// of them writes more than their share after that.
    @Test(arguments: ["verified", "party", "swapped"])
    func forWhomTheUserDidSomethingIsNeverShort(why: String) throws {
        var world = try world(["14C", "12A"])
        switch why {
        case "verified":
            for (one, other) in [(0, 1), (1, 0)] {
                world.wish(one, .verify(world.key(other)))
                world.run(seconds: 3)
            }
            for host in 0...1 { world.wish(host, .compared(isSame: true)) }
        case "party":
            world.hosts[1].setup.party = [world.key(0)]
            world.kill(1)
            world.restart(1)
        default:
            let seat = try require(Seat("14C"))
            world.wish(1, .swap(take: seat, give: nil, note: "", expires: 60))
            world.run(seconds: 3)
            world.wish(0, .accept(1, override: false))
        }
        world.run(seconds: 10)
        flood(&world)
        world.run(seconds: 10)
        #expect(size(world, 0, at: 0) > 40_000)
        #expect(size(world, 0, at: 1) == size(world, 0, at: 0))
        #expect(world.hosts[1].node.leftOut.logs == 0)
    }

    /// What a certificate of others needs is fetched up to its vote, where a
    /// stranger's lines are not.
    @Test func whatACertificateNeedsIsFetchedUpToItsVote() throws {
        var world = try world(["14C", "12A", "9F"])
        flood(&world, lines: 3)
        let seat = try require(Seat("14C"))
        world.wish(2, .swap(take: seat, give: nil, note: "", expires: 60))
        world.run(seconds: 3)
        world.wish(0, .accept(1, override: false))
        world.run(seconds: 10)
        flood(&world)
        let log = try require(world.hosts[1].node.logs.log(of: world.key(0)))
        #expect(log.entries.contains { $0.vote?.yes == true })
        #expect(log.size < size(world, 0, at: 2) && size(world, 0, at: 2) == size(world, 0, at: 0))
        #expect(world.hosts[1].node.fold.held(by: world.key(2)).map(\.seat) == [seat])
    }

    @Test func aStartCountsWhatTheDiskHolds() throws {
        var world = try world(["14C", "12A"])
        flood(&world)
        let kept = size(world, 0, at: 1)
        world.kill(1)
        world.restart(1)
        world.run(seconds: 90)
        #expect(size(world, 0, at: 1) == kept && world.hosts[1].node.leftOut.logs == 1)
    }

    @Test func aMessageOverTheQuotaIsNeitherKeptNorAcknowledged() throws {
        var world = try world(["14C", "12A"])
        let text = String(repeating: "x", count: 1000)
        for _ in 0..<20 { world.wish(0, .message(to: world.key(1), text)) }
        world.run(seconds: 5)
        let kept = world.hosts[1].node.messages.count
        #expect(kept == (Self.small.base + Self.small.pool / 8) / DirectMessage.cost(text))
        #expect(world.hosts[1].disk.stored.messages.count == kept)
        let sent = world.hosts[0].node.messages
        #expect(sent.count { $0.state == .acknowledged } == kept)
        #expect(sent.count { $0.state == .waiting } == 20 - kept)
        #expect(world.hosts[1].node.leftOut.messages == 1)
        // One that is known is acknowledged as ever: the link is made anew and all are said again.
        world.cut()
        world.heal()
        world.run(seconds: 120)
        #expect(world.hosts[1].node.messages.count == kept)
    }

    @Test func directMessagesCountInTheRate() throws {
        var world = try world(["14C", "12A"])
        let link = try require(world.hosts[1].node.peers.all.first).id
        var bytes: [UInt8] = []
        for number in 0...Limits.entryBurst {
            let id = try require(ThreadID(eightBytes(UInt64(number)) + eightBytes(1)))
            bytes += Message.directMessage(id: id, text: "").encode()
        }
        let effects = world.hosts[1].node.handle(.received(link, bytes), at: world.now)
        #expect(effects.holds.contains { $0.link == link && $0.held })
    }
}
