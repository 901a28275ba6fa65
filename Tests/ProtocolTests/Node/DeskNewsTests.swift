// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What a desk in a core is told, and when.
@Suite struct DeskNewsTests {
    /// `seatsim --desks --seed 27`: while it is away a desk keeps eight asks of one author, and
    /// those that they took back were among them. What came after that was never looked at again.
    @Test func whoAsksMuchOfADeskThatIsAwayIsAnswered() throws {
        var world = try venue()
        #expect(world.wish(0, .desk(.away))?.refusal == nil)
        for hour in 9...15 {
            let id = try world.ask(1, for: 3, 1, hour)
            world.run(seconds: 6)
            if hour % 2 == 0 {
                #expect(world.wish(1, .booking(.withdraw(id)))?.refusal == nil)
                world.run(seconds: 6)
            }
        }
        let last = try world.ask(1, for: 4, 1, 20, lasting: 80_000)
        world.run(seconds: 60)
        let random = ThreadID(high: 3, low: 4)
        #expect(world.wish(0, .desk(.open(restored: false, random: random)))?.refusal == nil)
        world.run(seconds: 60)
        #expect(world.standing(1, last) != .asked)
        let open = world.hosts[1].node.ownAsks.filter { $0.standing == .asked }
        #expect(open.isEmpty)
    }

    /// `seatsim --desks --seed 2100`: what people wrote into the ledger by hand shut the desk until
    /// something else happened, and who opened it meanwhile was told that it is shut.
    @Test func whatIsWrittenByHandDoesNotShutTheDesk() throws {
        var world = try venue()
        #expect(world.wish(0, .desk(.away))?.refusal == nil)
        let grant = Grant(
            holder: world.key(1), place: 3, period: try SmallVenue.period(1, 12, 60),
            flags: .override)
        #expect(world.wish(0, .ledger(.append([.grant(grant)])))?.refusal == nil)
        #expect(world.hosts[0].node.deskState == .away)
        let random = ThreadID(high: 3, low: 4)
        #expect(world.wish(0, .desk(.open(restored: false, random: random)))?.refusal == nil)
        #expect(world.hosts[0].node.deskState == .open)
    }

    /// A desk that answers by itself, and a member.
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
        world.run(seconds: 2)
        return world
    }
}
