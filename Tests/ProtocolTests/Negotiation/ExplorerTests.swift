// SPDX-License-Identifier: Apache-2.0
import Glibc
import ProtocolTestKit
import Testing

@testable import Protocol

/// Every order of events of the real machines, within a budget of deaths, losses and late clocks.
@Suite struct ExplorerTests {
    /// `make soak` has time for deaths, losses and late clocks in a ring.
    private static let isLong = getenv("SEATAGENT_SOAK") != nil
    private static let most = isLong ? 20_000_000 : 200_000

    /// `count` agents in 1A, 2A ..., each of whom asks for what `asks` says: (asker, ring).
    private func encounter(_ count: Int, asks: [[Int]]) throws -> Encounter {
        let desk = Desk(count, me: 0)
        var encounter = Encounter(
            agents: desk.travellers.map { traveller in
                Encounter.Agent(
                    me: Traveller.Identity(key: traveller.key),
                    swaps: Swaps(
                        me: traveller.key, flight: Traveller.flight, records: [], locks: [],
                        primitives: Traveller.primitives,
                        at: Moment(instant: .zero, utc: UTCTime(seconds: 1000))),
                    logs: desk.logs)
            }, deaths: 0, losses: 0, ticks: 0)
        for ring in asks {
            encounter.feed(
                ring[0], .propose(desk.ring(ring).legs, note: "", expires: nil))
        }
        while !encounter.air.isEmpty { encounter.deliver(0) }
        for index in encounter.agents.indices {
            for record in encounter.agents[index].rows.sorted(by: { $0.number < $1.number })
            where record.stage == .invited {
                encounter.feed(index, .accept(record.number, override: false))
            }
        }
        return encounter
    }

    /// Walks all states; the number of states, and of ends with and without a swap.
    private func explore(_ start: Encounter) -> (states: Int, swapped: Int, kept: Int) {
        var seen: Set<Encounter> = [start]
        var ends: Set<Encounter> = []
        var queue = [start]
        var found = (states: 0, swapped: 0, kept: 0)
        while let state = queue.popLast(), found.states < Self.most {
            found.states += 1
            if let wrong = state.wrong {
                Issue.record("\(wrong)")
                return found
            }
            let next = state.successors
            for state in next where seen.insert(state).inserted { queue.append(state) }
            guard state.air.isEmpty, ends.insert(state).inserted else { continue }
            var end = state
            end.heal()
            if let unsettled = end.unsettled {
                Issue.record("\(unsettled)")
                return found
            }
            let isSwapped = end.agents.contains { $0.rows.contains { $0.stage == .committed } }
            found.swapped += isSwapped ? 1 : 0
            found.kept += isSwapped ? 0 : 1
        }
        #expect(found.states < Self.most)
        return found
    }

    @Test(arguments: [(0, 0, 0), (1, 0, 1), (0, 1, 1), (1, 1, 1)])
    func twoParties(deaths: Int, losses: Int, ticks: Int) throws {
        var start = try encounter(2, asks: [[0, 1]])
        (start.deaths, start.losses, start.ticks) = (deaths, losses, ticks)
        let found = explore(start)
        print("explorer: one pair, budget \(deaths) \(losses) \(ticks): \(found)")
        #expect(found.swapped > 0)
        #expect(deaths + losses + ticks == 0 || found.kept > 0)
    }

    /// Both ask each other for the same exchange at once.
    @Test(arguments: [(0, 0, 0)] + (Self.isLong ? [(0, 1, 1), (1, 1, 0)] : []))
    func aDuel(deaths: Int, losses: Int, ticks: Int) throws {
        var start = try encounter(2, asks: [[0, 1], [1, 0]])
        (start.deaths, start.losses, start.ticks) = (deaths, losses, ticks)
        let found = explore(start)
        print("explorer: a duel, budget \(deaths) \(losses) \(ticks): \(found)")
        #expect(found.swapped > 0)
    }

    /// `asks` are under way and nobody has heard or answered any: (asker, asked).
    private func asking(_ count: Int, _ asks: [[Int]]) throws -> Encounter {
        var encounter = try encounter(count, asks: [])
        let desk = Desk(count, me: 0)
        for pair in asks {
            encounter.feed(pair[0], .ask(desk.ring(pair).legs, note: "", expires: nil))
        }
        return encounter
    }

    /// One asks the other, who says yes at any time or never.
    @Test(arguments: [(0, 0, 0), (1, 0, 1), (0, 1, 1), (1, 1, 1)])
    func aPairByAsk(deaths: Int, losses: Int, ticks: Int) throws {
        var start = try asking(2, [[0, 1]])
        (start.deaths, start.losses, start.ticks) = (deaths, losses, ticks)
        let found = explore(start)
        print("explorer: one asks, budget \(deaths) \(losses) \(ticks): \(found)")
        #expect(found.swapped > 0 && found.kept > 0)
    }

    /// Both ask each other for the same exchange at once: one swap, and no yes to either is needed.
    @Test(arguments: [(0, 0, 0), (0, 1, 1), (1, 1, 0)])
    func twoWhoAskEachOther(deaths: Int, losses: Int, ticks: Int) throws {
        var start = try asking(2, [[0, 1], [1, 0]])
        (start.deaths, start.losses, start.ticks) = (deaths, losses, ticks)
        let found = explore(start)
        print("explorer: two who ask each other, budget \(deaths) \(losses) \(ticks): \(found)")
        #expect(found.swapped > 0)
    }

    /// One asks two others for their seats, for the same own one.
    @Test(arguments: [(0, 0, 0)] + (Self.isLong ? [(0, 1, 0), (1, 0, 0), (0, 0, 1)] : []))
    func oneAsksTwo(deaths: Int, losses: Int, ticks: Int) throws {
        var start = try asking(3, [[0, 1], [0, 2]])
        (start.deaths, start.losses, start.ticks) = (deaths, losses, ticks)
        let found = explore(start)
        print("explorer: one asks two, budget \(deaths) \(losses) \(ticks): \(found)")
        #expect(found.swapped > 0)
    }

    /// Whoever asks takes the yes and is never heard of again: the other's seat is free 5 s later.
    @Test func anAskerWhoVanishesLeavesTheSeatFree() throws {
        var state = try asking(2, [[0, 1]])
        state.deliver(0)
        state.feed(1, .accept(1, override: false))
        #expect(state.agents[1].rows.map(\.stage) == [.preparing])
        state.air = []
        state.tick(1, seconds: 5)
        #expect(state.agents[1].rows.map(\.stage) == [.aborted])
        #expect(state.agents[1].locks.isEmpty && state.wrong == nil)
        #expect(Fold.fold(state.agents[1].logs).openVotes.isEmpty)
    }

    /// A ring of three, and at the same time one of them asks the coordinator for a pair.
    @Test(
        arguments: [(0, 0, 0)] + (Self.isLong ? [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 0)] : []))
    func aRingAndAPairInsideIt(deaths: Int, losses: Int, ticks: Int) throws {
        var start = try encounter(3, asks: [[0, 1, 2], [1, 0]])
        (start.deaths, start.losses, start.ticks) = (deaths, losses, ticks)
        let found = explore(start)
        print(
            "explorer: a ring and a pair inside it, budget \(deaths) \(losses) \(ticks): \(found)")
        #expect(found.swapped > 0)
    }

    @Test(
        arguments: [(0, 0, 0)] + (Self.isLong ? [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 0)] : []))
    func aRingOfThree(deaths: Int, losses: Int, ticks: Int) throws {
        var start = try encounter(3, asks: [[0, 1, 2]])
        (start.deaths, start.losses, start.ticks) = (deaths, losses, ticks)
        let found = explore(start)
        print("explorer: a ring, budget \(deaths) \(losses) \(ticks): \(found)")
        #expect(found.swapped > 0)
    }
}
