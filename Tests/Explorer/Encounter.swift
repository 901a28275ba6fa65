// SPDX-License-Identifier: Apache-2.0
package import Protocol
import ProtocolTestKit

/// Agents, what is under way between them, and what may still go wrong: one state of the explorer.
package struct Encounter: Hashable {
    /// One agent: its negotiations, its logs and its disk.
    package struct Agent: Hashable {
        let key: PeerKey
        var swaps: Swaps
        /// What is known, and on the disk as well once a turn is over.
        package var logs: LogSet
        /// What the disk holds beside the logs.
        package var rows: [SwapRecord] = []
        /// Open yeses on the disk.
        package var locks: [SlotLock] = []
        var seconds: Int64 = 0
    }

    /// What is under way; entries are everything the sender knew.
    package struct Packet: Hashable {
        enum Load: Hashable {
            case message(SwapMessage)
            case entries([Entry])
        }
        let from: Int
        /// Who receives it.
        package let to: Int
        let load: Load
    }

    /// Where an agent dies when an event comes.
    package enum Death: Hashable, Sendable { case beforeWrites, beforeSends }

    /// Everybody.
    package var agents: [Agent]
    /// What is under way.
    package var air: [Packet] = []
    /// Pairs between whom no session is open; the smaller number first.
    var apart: Set<[Int]> = []
    /// How often an agent may still die, a packet be lost, a clock be late, a session end, and
    /// somebody think again.
    package var budget: Budget
    /// Whether people answer requests of several when they like, or never.
    package var isFree = false

    /// What may go wrong.
    package struct Budget: Hashable, Sendable {
        var deaths: Int
        var losses: Int
        var ticks: Int
        var partings: Int
        var thoughts: Int

        /// So many of each.
        package init(
            deaths: Int = 0, losses: Int = 0, ticks: Int = 0, partings: Int = 0, thoughts: Int = 0
        ) {
            (self.deaths, self.losses, self.ticks) = (deaths, losses, ticks)
            (self.partings, self.thoughts) = (partings, thoughts)
        }
    }

    // MARK: One agent

    func context(_ index: Int) -> SwapContext {
        let logs = agents[index].logs
        return SwapContext(
            fold: Fold.fold(logs), logs: logs, window: nil, blocked: [], canAppend: true,
            acknowledged: 0,
            linked: agents.indices.filter { !apart.contains(Self.pair($0, index)) }
                .map { agents[$0].key })
    }

    private static func pair(_ one: Int, _ other: Int) -> [Int] {
        [min(one, other), max(one, other)]
    }

    private func moment(_ index: Int) -> Moment {
        Moment(
            instant: .zero + .seconds(agents[index].seconds),
            utc: UTCTime(seconds: 1000 + agents[index].seconds))
    }

    /// Gives an agent an event, and `logsChanged` until nothing more is logged, as the core does.
    package mutating func feed(_ index: Int, _ event: SwapEvent, death: Death? = nil) {
        let before = agents[index]
        let now = moment(index)
        var shell = EncounterShell(encounter: consume self, index: index, death: death)
        var effects = Effects()
        var next: SwapEvent? = event
        while let event = next {
            let length = shell.encounter.seq(index)
            var random = SeededRandom(seed: UInt64(index) + 1)
            let context = shell.encounter.context(index)
            let asked = shell.encounter.agents[index].swaps.handle(
                event, context, at: now, random: &random)
            Perform.carryOut(asked, by: &shell, into: &effects, at: now)
            next = shell.encounter.seq(index) > length ? .logsChanged : nil
        }
        let end: EncounterShell.Dead?
        do throws(EncounterShell.Dead) {
            try Perform.carryOut(effects, in: &shell)
            end = nil
        } catch {
            end = error
        }
        self = shell.encounter
        switch end {
        case .withoutWrites:
            agents[index] = before
            restart(index)
        case .withoutSends: restart(index)
        case nil: break
        }
    }

    private func seq(_ index: Int) -> Int { agents[index].logs.seq(of: agents[index].key) }

    mutating func transmit(_ index: Int, _ send: SwapSend) {
        let load: Packet.Load
        let receivers: [PeerKey]
        switch send {
        case .message(let message, let to): (load, receivers) = (.message(message), to)
        case .vote(_, let to), .certificate(_, let to), .status(_, let to):
            (load, receivers) = (.entries(agents[index].logs.logs.flatMap(\.entries)), to)
        }
        for (number, other) in agents.enumerated()
        where receivers.contains(other.key) && !apart.contains(Self.pair(index, number)) {
            let packet = Packet(from: index, to: number, load: load)
            if !air.contains(packet) { air.append(packet) }
        }
    }

    /// From the disk; sessions open anew, and whatever was under way to or from it is lost.
    private mutating func restart(_ index: Int) {
        air.removeAll { $0.from == index || $0.to == index }
        agents[index].swaps = Swaps(
            me: agents[index].key, flight: Traveller.flight, records: agents[index].rows,
            locks: agents[index].locks, primitives: Traveller.primitives, at: moment(index))
        feed(index, .recovered)
        for other in agents.indices where other != index {
            apart.remove(Self.pair(index, other))
            feed(index, .linked(agents[other].key))
            feed(other, .linked(agents[index].key))
        }
    }

    /// The session of two ends, with what was under way on it.
    package mutating func part(_ one: Int, _ other: Int) {
        apart.insert(Self.pair(one, other))
        air.removeAll { Self.pair($0.from, $0.to) == Self.pair(one, other) }
        feed(one, .unlinked(agents[other].key))
        feed(other, .unlinked(agents[one].key))
    }

    /// A new one opens.
    package mutating func meet(_ one: Int, _ other: Int) {
        apart.remove(Self.pair(one, other))
        feed(one, .linked(agents[other].key))
        feed(other, .linked(agents[one].key))
    }

    /// What is at that place of the air arrives.
    package mutating func deliver(_ place: Int, death: Death? = nil) {
        let packet = air.remove(at: place)
        switch packet.load {
        case .message(let message):
            feed(packet.to, .message(message, from: agents[packet.from].key), death: death)
        case .entries(let entries):
            for entry in entries { agents[packet.to].logs.restore(entry) }
            feed(packet.to, .logsChanged, death: death)
        }
    }

    /// Time passes for one agent.
    package mutating func tick(_ index: Int, seconds: Int64) {
        agents[index].seconds += seconds
        feed(index, .tick)
    }

    // MARK: All that may happen next

    var successors: [Encounter] {
        var next: [Encounter] = []
        for place in air.indices {
            var delivered = self
            delivered.deliver(place)
            next.append(delivered)
            if budget.losses > 0 {
                var lost = self
                lost.budget.losses -= 1
                lost.air.remove(at: place)
                next.append(lost)
            }
            guard budget.deaths > 0 else { continue }
            for death in [Death.beforeWrites, .beforeSends] {
                var dead = self
                dead.budget.deaths -= 1
                dead.deliver(place, death: death)
                next.append(dead)
            }
        }
        // People answer whenever they like.
        for index in agents.indices {
            for record in agents[index].rows where record.stage == .requested {
                for death in [nil, Death.beforeWrites, .beforeSends] {
                    guard death == nil || budget.deaths > 0 else { continue }
                    var answered = self
                    if death != nil { answered.budget.deaths -= 1 }
                    answered.feed(index, .accept(record.number, override: false), death: death)
                    next.append(answered)
                }
            }
        }
        next += sessions + thoughts
        guard budget.ticks > 0 else { return next }
        for index in agents.indices {
            var late = self
            late.budget.ticks -= 1
            late.tick(index, seconds: 5)
            next.append(late)
        }
        return next
    }

    /// A yes of several that is said, a standing one that is taken back, and a request that ends so
    /// that another may take its place.
    private var thoughts: [Encounter] {
        guard isFree else { return [] }
        var next: [Encounter] = []
        for index in agents.indices {
            for record in agents[index].rows {
                let event: SwapEvent
                switch record.stage {
                case .invited: event = .accept(record.number, override: false)
                case .ready where budget.thoughts > 0: event = .cancel(record.number)
                case .offered where budget.thoughts > 0: event = .replace(record.number)
                default: continue
                }
                var changed = self
                if record.stage != .invited { changed.budget.thoughts -= 1 }
                changed.feed(index, event)
                next.append(changed)
            }
        }
        return next
    }

    /// Sessions that end, or open again.
    private var sessions: [Encounter] {
        var next: [Encounter] = []
        for one in agents.indices {
            for other in agents.indices where one < other {
                var changed = self
                if apart.contains([one, other]) {
                    changed.meet(one, other)
                } else if budget.partings > 0 {
                    changed.budget.partings -= 1
                    changed.part(one, other)
                } else {
                    continue
                }
                next.append(changed)
            }
        }
        return next
    }

    /// Nothing goes wrong any more: everything arrives, time passes, logs are shared.
    mutating func heal() {
        for pair in apart.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            meet(pair[0], pair[1])
        }
        for _ in 0..<6 {
            for _ in 0..<200 where !air.isEmpty { deliver(0) }
            for index in agents.indices { tick(index, seconds: 31) }
            let all = agents.flatMap { $0.logs.logs.flatMap(\.entries) }
            for index in agents.indices {
                for entry in all { agents[index].logs.restore(entry) }
                feed(index, .logsChanged)
            }
        }
    }
}
