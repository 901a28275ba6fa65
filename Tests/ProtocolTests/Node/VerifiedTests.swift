// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What was verified is who somebody was: another name or seat makes it void (docs/protocol.md
/// section 25).
@Suite struct VerifiedTests {
    /// Travellers 0 and 1 compared their codes, both said that they are the same.
    private func verified() throws -> World {
        var world = World()
        for seat in ["14C", "14F"] { try world.add(seat) }
        world.run(seconds: 10)
        world.wish(0, .verify(world.key(1)))
        world.run(seconds: 5)
        world.wish(1, .verify(world.key(0)))
        world.run(seconds: 5)
        for index in 0...1 { world.wish(index, .compared(isSame: true)) }
        world.run(seconds: 5)
        #expect(knows(world) == [true, true])
        return world
    }

    private func knows(_ world: World) -> [Bool] {
        (0...1).map { index in
            world.hosts[index].node.verified.contains { $0.key == world.key(1 - index) }
        }
    }

    @Test func anotherNameMakesItVoid() throws {
        var world = try verified()
        world.wish(1, .rename("Somebody Else"))
        world.run(seconds: 10)
        #expect(knows(world) == [false, true])
        #expect(
            world.hosts[0].disk.stored.verified.isEmpty
                && world.hosts[1].disk.stored.verified.count == 1)
        #expect(
            world.hosts[0].notices.contains { notice in
                if case .unverified(let known) = notice { return known.key == world.key(1) }
                return false
            })
    }

    @Test func anotherSeatMakesItVoid() throws {
        var world = try verified()
        world.wish(0, .claim(try require(Seat("20A")), dependant: false))
        world.run(seconds: 10)
        #expect(knows(world) == [true, false])
        // It is not made good by giving the seat back.
        world.wish(0, .release(try require(Seat("20A"))))
        world.run(seconds: 10)
        #expect(knows(world) == [true, false])
    }

    @Test func aRestartForgetsNothing() throws {
        var world = try verified()
        world.kill(0)
        world.restart(0)
        world.run(seconds: 10)
        #expect(knows(world) == [true, true])
    }
}
