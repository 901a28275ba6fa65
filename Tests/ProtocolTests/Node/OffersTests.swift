// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What a passenger offers is theirs, and promised to nobody.
@Suite struct OffersTests {
    private func offering() throws -> World {
        var world = World()
        try world.add("14C")
        try world.add("12A")
        world.run(seconds: 1)
        world.wish(0, .offer(ranks: [.all], note: "for two"))
        world.rest()
        #expect(world.wishes(0, seenBy: 1) == ["14C"])
        return world
    }

    @Test func whatIsPromisedIsNotOfferedAnyMore() throws {
        var world = try offering()
        world.wish(1, .swap(take: try require(Seat("14C")), give: nil, note: "", expires: nil))
        world.rest()
        world.cut()
        world.wish(0, .accept(1, override: false))
        #expect(world.wishes(0, seenBy: 0) == [])
        world.run(seconds: 6)
        let offer = world.wish(0, .offer(ranks: [.all], note: ""))
        let promise = world.hosts[0].node.swaps.records[0]
        #expect(promise.stage.isPromised && offer == .failure(.swap(.given(promise))))
        world.heal()
        world.run(seconds: 60)
        #expect(world.wishes(0, seenBy: 1) == [])
    }

    @Test func whatASwapGaveAwayIsNotSaidToBeOfferedAgain() throws {
        var world = try offering()
        world.wish(1, .swap(take: try require(Seat("14C")), give: nil, note: "", expires: nil))
        world.rest()
        world.cut()
        world.wish(0, .accept(1, override: false))
        // The yes took the offer back, so long ago that another wish may be written.
        world.run(seconds: 6)
        world.heal()
        world.run(seconds: 60)
        let node = world.hosts[0].node
        #expect(node.fold.held(by: world.key(0)).map(\.seat.text) == ["12A"])
        let said = (node.logs.log(of: world.key(0))?.entries ?? []).compactMap { entry in
            if case .wish(let wish) = entry.body { wish } else { nil }
        }
        #expect(said.map(\.offered.count) == [1, 0])
    }

    @Test func whatIsGivenUpIsNotOfferedAnyMore() throws {
        var world = try offering()
        world.wish(0, .claim(try require(Seat("3A")), dependant: false))
        world.wish(0, .offer(ranks: [.all], note: ""))
        world.wish(0, .release(try require(Seat("14C"))))
        world.run(seconds: 6)
        #expect(world.wishes(0, seenBy: 1) == ["3A"])
    }
}

extension World {
    /// The seats that an agent offers, as another one shows them.
    fileprivate func wishes(_ index: Int, seenBy other: Int) -> [String] {
        let node = hosts[other].node
        let offered = node.passenger(key(index))?.wish?.offered ?? []
        return offered.compactMap { node.fold.token($0)?.seat.text }.sorted()
    }
}
