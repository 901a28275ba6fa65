// SPDX-License-Identifier: Apache-2.0
import Explorer
import Protocol
import ProtocolTestKit
import Testing

/// Every order of events of the real machines, within a budget of deaths, losses and late clocks.
/// `make explore` has time for longer ones.
@Suite struct ExplorerTests {
    @Test(arguments: Scene.short)
    func everyStateIsGood(scene: Scene) {
        let (line, isGood) = scene.walk(atMost: 200_000)
        print(line)
        #expect(isGood, "\(line)")
    }

    /// Whoever asks takes the yes and is never heard of again: the other's seat is free 5 s later.
    @Test func anAskerWhoVanishesLeavesTheSeatFree() throws {
        var state = Encounter.asked(2, [[0, 1]])
        state.deliver(0)
        state.feed(1, .accept(1, override: false))
        #expect(state.agents[1].rows.map(\.stage) == [.preparing])
        state.air = []
        state.tick(1, seconds: 5)
        #expect(state.agents[1].rows.map(\.stage) == [.aborted])
        #expect(state.agents[1].locks.isEmpty && state.wrong == nil)
        #expect(Fold.fold(state.agents[1].logs).openVotes.isEmpty)
    }

    /// A yes that is on the disk and was not said is said after a start; one that is not on the
    /// disk was never given.
    @Test(arguments: [(Encounter.Death.beforeWrites, 0), (.beforeSends, 1)])
    func aDeathKeepsWhatTheDiskHolds(death: Encounter.Death, yeses: Int) throws {
        var state = Encounter.proposed(2, [[0, 1]])
        let place = try #require(state.air.indices.first { state.air[$0].to == 0 })
        state.deliver(place)
        let prepare = try #require(state.air.indices.first { state.air[$0].to == 1 })
        state.deliver(prepare, death: death)
        #expect(state.agents[1].locks.count == yeses)
        let log = state.agents[1].logs.log(of: Traveller(2).key)?.entries ?? []
        #expect(log.count { $0.vote?.yes == true } == yeses)
        #expect(state.wrong == nil)
    }
}
