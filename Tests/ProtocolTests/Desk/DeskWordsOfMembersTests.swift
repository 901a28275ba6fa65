// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What somebody takes back, between whole agents and over starts of the desk's.
@Suite("What was taken back, between agents") struct DeskWordsOfMembersTests {
    /// A desk and two people, who can book by the hour.
    private func venue() throws -> World {
        var world = World()
        world.now.utc = RecSwaps.opens
        var setup = MadeUpVenue.setup()
        let clock = try require(VenueClock(first: 0))
        let hours = (9000...9002).map { 1440 * $0 + 480..<1440 * $0 + 1320 }
        let places = (1...5).map { DeskPolicy.Place(number: $0, grain: 60, hours: hours) }
        setup.desk = DeskTerms(policy: DeskPolicy(places: places), clock: clock)
        setup.charter = try world.charter(of: 0)
        world.venue = setup
        try world.add("1A")
        world.venue?.charter = nil
        world.venue?.desk = nil
        try world.add("1A")
        try world.add("1A")
        world.run(seconds: 2)
        return world
    }

    @Test("Whoever was cut off says an ask that was taken back: the desk knows, also after a start")
    func cutOff() throws {
        var world = try venue()
        world.kill(0)
        world.run(seconds: 1)
        let asked = try world.ask(1, for: 3, 1, 12)
        world.run(seconds: 2)
        #expect(world.asks(2) == [asked])
        // The third one hears no more of the others: only of the first ask.
        world.walls = [[0, 2], [1, 2]]
        world.cut()
        world.heal()
        #expect(world.wish(1, .booking(.withdraw(asked)))?.refusal == nil)
        world.restart(0)
        world.run(seconds: 60)
        #expect(world.hosts[0].node.deskState == .open)
        #expect(world.asks(2) == [asked])
        #expect(world.bookings(1, seenBy: 0) == [])
        // The desk starts again; whoever asked has gone home.
        world.kill(0)
        world.kill(1)
        world.walls = []
        world.cut()
        world.heal()
        world.restart(0)
        world.run(seconds: 120)
        #expect(world.hosts[0].node.deskState == .open)
        #expect(world.bookings(1, seenBy: 0) == [])
        // The third one has heard so too.
        #expect(world.asks(2) == [])
    }
}
