// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Leaving a flight for good, while a yes binds and while none does.
@Suite struct LeaveTests {
    /// Bo asked, and has said yes, durably; ada, who votes last, knows nothing of it yet.
    private func bound() throws -> World {
        var world = World()
        try world.add("14C")
        try world.add("12A")
        world.run(seconds: 1)
        world.wish(1, .swap(take: try require(Seat("14C")), give: nil, note: "", expires: nil))
        world.rest()
        world.wish(0, .accept(1, override: false))
        for _ in 0..<200 where world.hosts[1].disk.stored.locks.isEmpty { _ = world.step() }
        #expect(!world.hosts[1].disk.stored.locks.isEmpty)
        world.cut()
        return world
    }

    @Test func whoIsBoundStaysUnlessHeInsists() throws {
        var world = try bound()
        let before = world.hosts[1].node.logs
        #expect(throws: Refusal.bound) { try world.wish(1, .leave(force: false))?.get() }
        #expect(world.hosts[1].node.logs == before)
        _ = try world.wish(1, .leave(force: true))?.get()
        let log = try #require(world.hosts[1].node.logs.log(of: world.key(1)))
        #expect(log.isClosed)
    }

    /// They have gone, and the one who waits for them comes to an end without blame or a second
    /// swap.
    @Test func whoWaitsForOneWhoLeftKeepsHisSeat() throws {
        var world = try bound()
        _ = try world.wish(1, .leave(force: true))?.get()
        world.heal()
        world.run(seconds: 200)
        #expect(world.agree)
        #expect(world.seats(0) == ["14C"] || world.seats(0) == ["12A"])
        #expect(world.hosts.allSatisfy { $0.node.logs.proofs.isEmpty })
        let open = world.hosts[0].node.swaps.records.filter { !$0.stage.isOver }
        #expect(open.isEmpty)
    }

    @Test func whoIsFreeGoesAndHisSeatIsOpen() throws {
        var world = World()
        try world.add("14C")
        try world.add("12A")
        world.run(seconds: 1)
        _ = try world.wish(1, .leave(force: false))?.get()
        world.rest()
        #expect(world.agree)
        let seat = try require(Seat("12A"))
        #expect(world.hosts[0].node.seatView.place(seat)?.holding != .held(world.key(1)))
        #expect(world.hosts[0].node.passenger(world.key(1))?.hasLeft == true)
    }
}
