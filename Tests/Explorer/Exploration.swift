// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// A walk through all states that can come of one beginning.
package struct Exploration: Sendable {
    /// States seen.
    package private(set) var states = 0
    /// Ends with a swap, and without one.
    package private(set) var swapped = 0
    package private(set) var kept = 0
    /// What is wrong with one of them; the walk ends there.
    package private(set) var fault: String?

    /// Walks through all states that can come of `start`, of which there are at most so many.
    package init(_ start: Encounter, atMost most: Int) {
        var seen: Set<Encounter> = [start]
        var ends: Set<Encounter> = []
        var queue = [start]
        while let state = queue.popLast() {
            states += 1
            fault = state.wrong ?? (states >= most ? "more than \(most) states" : nil)
            if fault != nil { return }
            for state in state.successors where seen.insert(state).inserted { queue.append(state) }
            guard state.air.isEmpty, ends.insert(state).inserted else { continue }
            var end = state
            end.heal()
            fault = end.unsettled
            if fault != nil { return }
            let isSwapped = end.agents.contains { $0.rows.contains { $0.stage == .committed } }
            swapped += isSwapped ? 1 : 0
            kept += isSwapped ? 0 : 1
        }
    }
}

/// Where a walk begins, and what may go wrong on the way.
package struct Scene: Hashable, Sendable {
    /// What is under way at the beginning.
    package enum Plot: String, CaseIterable, Sendable {
        /// One proposes to another, who consents.
        case pair = "one pair"
        /// Both propose the same exchange at once.
        case duel = "a duel"
        /// One asks the other, who says yes at any time or never.
        case ask = "one asks"
        /// Both ask each other for the same exchange at once.
        case askBack = "two who ask each other"
        /// One asks two others for their seats, for the same own one.
        case askTwo = "one asks two"
        /// Three, by a ring.
        case ring = "a ring"
        /// Three ask round: each the next for the seat that the next gives away themselves.
        case askRound = "three who ask round"
        /// A ring of three whose people say yes when they like, and one of them asks who proposed
        /// it for a pair: that one coordinates both, and each seat goes to one of them.
        case ringAndAsk = "a ring and an ask inside it"
        /// A ring of three whose coordinator is asked by somebody outside of it.
        case ringAndAskBeside = "a ring whose coordinator is asked by a fourth"
        /// A ring of three, and at the same time one of them asks the coordinator for a pair.
        case ringAndPair = "a ring and a pair inside it"
        /// Two rings of the same three, both ways round: one of them said yes to both, for one
        /// seat.
        case twoRings = "two rings of the same three"
        /// A ring of three, whose people say yes when they like.
        case standing = "a ring with standing yeses"
        /// Two rings of three with two people in both: each yes stands until the first that all
        /// have said yes to takes the seat.
        case twoStanding = "two rings with standing yeses"
    }

    /// What is under way.
    package let plot: Plot
    /// What may go wrong.
    package let budget: Encounter.Budget

    /// All of it.
    package init(_ plot: Plot, _ budget: Encounter.Budget) {
        self.plot = plot
        self.budget = budget
    }

    /// As a line names it.
    package var name: String {
        "\(plot.rawValue), budget \(budget.deaths) \(budget.losses) \(budget.ticks)"
            + (budget.partings == 0 ? "" : ", sessions end \(budget.partings) times")
            + (budget.thoughts == 0 ? "" : ", \(budget.thoughts) second thoughts")
    }

    /// Those of which `make test` walks through every state.
    package static let short: [Scene] =
        all(.pair, .ask, budgets: (0, 0, 0), (1, 0, 1), (0, 1, 1), (1, 1, 1))
        + all(.askBack, budgets: (0, 0, 0), (1, 1, 0))
        + all(.duel, .askTwo, .ring, .ringAndPair, budgets: (0, 0, 0))
        + all(.ringAndAskBeside, budgets: (0, 0, 0))
        + [Scene(.ask, .init(partings: 1)), Scene(.standing, .init(thoughts: 1))]

    /// With these, every one.
    package static let long: [Scene] =
        all(.duel, budgets: (0, 1, 1), (1, 1, 0)) + all(.askBack, budgets: (0, 1, 1))
        + all(.askTwo, budgets: (0, 1, 0), (1, 0, 0), (0, 0, 1))
        + all(.ring, .ringAndPair, budgets: (0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 0))
        + all(.twoRings, budgets: (0, 0, 0))
        + all(.askRound, budgets: (0, 0, 0), (0, 1, 0))
        + all(.ringAndAsk, budgets: (0, 0, 0))
        + all(.ringAndAsk, .ringAndAskBeside, budgets: (1, 0, 0), (0, 1, 0))
        + [Scene(.ring, .init(partings: 1)), Scene(.ring, .init(partings: 2))]
        + [Scene(.ring, .init(ticks: 1, partings: 1))]
        + [Scene(.ring, .init(deaths: 1, partings: 1)), Scene(.ringAndPair, .init(partings: 1))]
        + [Scene(.standing, .init(thoughts: 2)), Scene(.standing, .init(deaths: 1, thoughts: 1))]
        + [Scene(.standing, .init(losses: 1, ticks: 1, thoughts: 1)), Scene(.twoStanding, .init())]
        + [Scene(.standing, .init(partings: 1, thoughts: 1))]

    private static func all(
        _ plots: Plot..., budgets: (Int, Int, Int)...
    ) -> [Scene] {
        plots.flatMap { plot in
            budgets.map { Scene(plot, .init(deaths: $0.0, losses: $0.1, ticks: $0.2)) }
        }
    }

    /// Whether an end with a swap, or one without, has to be among the ends.
    package var needs: (swapped: Bool, kept: Bool) {
        switch plot {
        case .pair: (true, budget != Encounter.Budget())
        case .ask, .askRound, .ringAndAsk: (true, true)
        case .ringAndAskBeside: (true, false)
        case .duel, .askBack, .askTwo, .ring, .ringAndPair, .twoRings: (true, false)
        case .standing, .twoStanding: (true, true)
        }
    }

    /// The first state.
    package var start: Encounter {
        var start =
            switch plot {
            case .pair: Encounter.proposed(2, [[0, 1]])
            case .duel: Encounter.proposed(2, [[0, 1], [1, 0]])
            case .ask: Encounter.asked(2, [[0, 1]])
            case .askBack: Encounter.asked(2, [[0, 1], [1, 0]])
            case .askTwo: Encounter.asked(3, [[0, 1], [0, 2]])
            case .askRound: Encounter.asked(3, [[0, 1], [1, 2], [2, 0]])
            case .ringAndAsk: Encounter.invited(3, [[0, 1, 2]], asking: [[1, 0]])
            case .ringAndAskBeside: Encounter.proposed(4, [[0, 1, 2]], asking: [[3, 0]])
            case .ring: Encounter.proposed(3, [[0, 1, 2]])
            case .ringAndPair: Encounter.proposed(3, [[0, 1, 2], [1, 0]])
            case .twoRings: Encounter.proposed(3, [[0, 1, 2], [2, 1, 0]])
            case .standing: Encounter.invited(3, [[0, 1, 2]])
            case .twoStanding: Encounter.invited(3, [[0, 1, 2], [2, 1, 0]])
            }
        start.budget = budget
        return start
    }

    /// Walks through all of it and says what it found in a line; whether that is as it must be.
    package func walk(atMost most: Int) -> (line: String, isGood: Bool) {
        let found = Exploration(start, atMost: most)
        var line = "explorer: \(name): \(found.states) states, "
        line += "\(found.swapped) ends with a swap, \(found.kept) without"
        if let fault = found.fault { line += ": \(fault)" }
        let isGood =
            found.fault == nil && (!needs.swapped || found.swapped > 0)
            && (!needs.kept || found.kept > 0)
        return (line, isGood)
    }
}

extension Encounter {
    /// `count` agents in 1A, 2A ..., who know of each other's seats.
    private static func seated(_ count: Int) -> (encounter: Encounter, slots: [Slot]) {
        var travellers = (0..<count).map { Traveller(UInt8($0 + 1)) }
        let slots = travellers.indices.map { travellers[$0].claim("\($0 + 1)A") }
        var logs = LogSet()
        for entry in travellers.flatMap(\.log) { logs.restore(entry) }
        let agents = travellers.map { traveller in
            Agent(
                key: traveller.key,
                swaps: Swaps(
                    me: traveller.key, flight: Traveller.flight, records: [], locks: [],
                    primitives: Traveller.primitives,
                    at: Moment(instant: .zero, utc: UTCTime(seconds: 1000))),
                logs: logs)
        }
        return (Encounter(agents: agents, budget: Budget()), slots)
    }

    /// Each of `ring` gives their seat to the next.
    private func legs(_ ring: [Int], _ slots: [Slot]) -> [Leg] {
        ring.indices.map { place in
            let slot = slots[ring[place]]
            return Leg(
                token: slot.token, producer: slot.producer, from: agents[ring[place]].key,
                to: agents[ring[(place + 1) % ring.count]].key)
        }.sorted { $0.token < $1.token }
    }

    /// Each of `rings` was proposed by its first, and all have heard of all.
    private static func heard(_ count: Int, _ rings: [[Int]]) -> Encounter {
        let (beginning, slots) = seated(count)
        var encounter = beginning
        for ring in rings {
            let legs = encounter.legs(ring, slots)
            encounter.feed(ring[0], .propose(legs, note: "", expires: nil))
        }
        while !encounter.air.isEmpty { encounter.deliver(0) }
        return encounter
    }

    /// The same, and people answer when they like. Then each of `pairs` is under way, as in
    /// ``asked(_:_:)``.
    package static func invited(
        _ count: Int, _ rings: [[Int]], asking pairs: [[Int]] = []
    ) -> Encounter {
        var encounter = heard(count, rings)
        encounter.isFree = true
        encounter.ask(pairs)
        return encounter
    }

    /// Each of `rings` was proposed by its first; all have heard of all, and consented.
    /// Then each of `pairs` is under way, as in ``asked(_:_:)``.
    package static func proposed(
        _ count: Int, _ rings: [[Int]], asking pairs: [[Int]] = []
    ) -> Encounter {
        var encounter = heard(count, rings)
        for index in encounter.agents.indices {
            for record in encounter.agents[index].rows.sorted(by: { $0.number < $1.number })
            where record.stage == .invited {
                encounter.feed(index, .accept(record.number, override: false))
            }
        }
        encounter.ask(pairs)
        return encounter
    }

    private mutating func ask(_ pairs: [[Int]]) {
        let logs = agents[0].logs
        let slots = agents.map { Fold.fold(logs).held(by: $0.key)[0].slot }
        for pair in pairs { feed(pair[0], .ask(legs(pair, slots), note: "", expires: nil)) }
    }

    /// Each of `pairs` is under way, (asker, asked), and nobody has heard or answered any.
    package static func asked(_ count: Int, _ pairs: [[Int]]) -> Encounter {
        var encounter = seated(count).encounter
        encounter.ask(pairs)
        return encounter
    }
}
