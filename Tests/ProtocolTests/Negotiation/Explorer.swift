// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

/// Agents, what is under way between them, and what may still go wrong: one state of the explorer.
struct Encounter: Hashable {
    struct Agent: Hashable {
        let me: Traveller.Identity
        var swaps: Swaps
        var logs: LogSet
        /// What the disk holds beside the logs, which are written at once.
        var rows: [SwapRecord] = []
        var locks: [SlotLock] = []
        var seconds: Int64 = 0
    }

    /// What is under way; entries are everything the sender knew.
    struct Packet: Hashable {
        enum Load: Hashable {
            case message(Message)
            case entries([Entry])
        }
        let from: Int
        let to: Int
        let load: Load
    }

    /// Where an agent dies when an event comes.
    enum Death: Hashable { case beforeWrites, beforeSends }

    var agents: [Agent]
    var air: [Packet] = []
    var deaths: Int
    var losses: Int
    var ticks: Int

    // MARK: One agent

    private func context(_ index: Int) -> SwapContext {
        let logs = agents[index].logs
        return SwapContext(
            fold: Fold.fold(logs), logs: logs, window: nil, blocked: [], canAppend: true,
            acknowledged: 0, linked: agents.map(\.me.key))
    }

    private func moment(_ index: Int) -> Moment {
        Moment(
            instant: .zero + .seconds(agents[index].seconds),
            utc: UTCTime(seconds: 1000 + agents[index].seconds))
    }

    /// Gives an agent an event, and `logsChanged` until nothing more is logged, as the core does.
    mutating func feed(_ index: Int, _ event: SwapEvent, death: Death? = nil) {
        let before = agents[index]
        var sends: [SwapSend] = []
        var next: SwapEvent? = event
        while let now = next {
            let length = agents[index].logs.head(of: agents[index].me.key).seq
            var random = SeededRandom(seed: UInt64(index) + 1)
            let effects = agents[index].swaps.handle(
                now, context(index), at: moment(index), random: &random)
            write(index, effects)
            sends += effects.sends
            let grown = agents[index].logs.head(of: agents[index].me.key).seq
            next = grown > length ? .logsChanged : nil
        }
        switch death {
        case .beforeWrites:
            agents[index] = before
            restart(index)
        case .beforeSends: restart(index)
        case nil: for send in sends { transmit(index, send) }
        }
    }

    private mutating func write(_ index: Int, _ effects: SwapEffects) {
        for body in effects.appends { agents[index].append(body) }
        for contract in effects.commits {
            let context = context(index)
            let own = context.logs.log(of: agents[index].me.key)?.entries.last
            if let commit = contract.certificate(context.fold, context.logs, own: own) {
                agents[index].append(.commit(commit))
            }
        }
        for record in effects.records {
            agents[index].rows.removeAll { $0.number == record.number }
            agents[index].rows.append(record)
        }
        agents[index].locks = (agents[index].locks + effects.locks)
            .filter { !effects.unlocks.contains($0) }
    }

    private mutating func transmit(_ index: Int, _ send: SwapSend) {
        let load: Packet.Load
        let receivers: [PeerKey]
        switch send {
        case .message(let message, let to): (load, receivers) = (.message(message), to)
        case .vote(_, let to), .certificate(_, let to), .status(_, let to):
            (load, receivers) = (.entries(agents[index].logs.logs.flatMap(\.entries)), to)
        }
        for (number, other) in agents.enumerated() where receivers.contains(other.me.key) {
            let packet = Packet(from: index, to: number, load: load)
            if !air.contains(packet) { air.append(packet) }
        }
    }

    /// From the disk; sessions open anew, and whatever was under way to or from it is lost.
    private mutating func restart(_ index: Int) {
        air.removeAll { $0.from == index || $0.to == index }
        agents[index].swaps = Swaps(
            me: agents[index].me.key, flight: Traveller.flight, records: agents[index].rows,
            locks: agents[index].locks, primitives: Traveller.primitives, at: moment(index))
        feed(index, .recovered)
        for other in agents.indices where other != index {
            feed(index, .linked(agents[other].me.key))
            feed(other, .linked(agents[index].me.key))
        }
    }

    mutating func deliver(_ place: Int, death: Death? = nil) {
        let packet = air.remove(at: place)
        switch packet.load {
        case .message(let message):
            feed(packet.to, .message(message, from: agents[packet.from].me.key), death: death)
        case .entries(let entries):
            for entry in entries { agents[packet.to].logs.restore(entry) }
            feed(packet.to, .logsChanged, death: death)
        }
    }

    mutating func tick(_ index: Int, seconds: Int64) {
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
            if losses > 0 {
                var lost = self
                lost.losses -= 1
                lost.air.remove(at: place)
                next.append(lost)
            }
            guard deaths > 0 else { continue }
            for death in [Death.beforeWrites, .beforeSends] {
                var dead = self
                dead.deaths -= 1
                dead.deliver(place, death: death)
                next.append(dead)
            }
        }
        // People answer whenever they like.
        for index in agents.indices {
            for record in agents[index].rows where record.stage == .requested {
                for death in [nil, Death.beforeWrites, .beforeSends] {
                    guard death == nil || deaths > 0 else { continue }
                    var answered = self
                    if death != nil { answered.deaths -= 1 }
                    answered.feed(index, .accept(record.number, override: false), death: death)
                    next.append(answered)
                }
            }
        }
        guard ticks > 0 else { return next }
        for index in agents.indices {
            var late = self
            late.ticks -= 1
            late.tick(index, seconds: 5)
            next.append(late)
        }
        return next
    }

    /// Nothing goes wrong any more: everything arrives, time passes, logs are shared.
    mutating func heal() {
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

    // MARK: What must hold

    /// Why this state must not be; `nil` when it may.
    var wrong: String? {
        var yeses: [ContractID: [PeerKey]] = [:]
        for agent in agents {
            let log = agent.logs.log(of: agent.me.key)?.entries ?? []
            var open: [Slot: ContractID] = [:]
            var voted: [ContractID] = []
            for entry in log {
                if let vote = entry.vote {
                    if voted.contains(vote.contract) { return "voted twice on one contract" }
                    voted.append(vote.contract)
                    for slot in vote.slots {
                        if open[slot] != nil { return "two open yeses on one slot" }
                        open[slot] = vote.contract
                    }
                    if vote.yes { yeses[vote.contract, default: []].append(agent.me.key) }
                }
                if case .abandon(let id, _) = entry.body {
                    open = open.filter { $0.value != id }
                }
            }
        }
        for row in agents.flatMap(\.rows) where row.stage == .committed {
            if yeses[row.contract.id, default: []].count != row.contract.parties.count {
                return "committed without all yeses"
            }
        }
        return twoComplete(yeses) ?? agents.indices.compactMap(slippedOut).first
    }

    /// S1: of the contracts that have a yes of every party no two give one slot away.
    private func twoComplete(_ yeses: [ContractID: [PeerKey]]) -> String? {
        var complete: [Contract] = []
        for row in agents.flatMap(\.rows) where !complete.contains(row.contract) {
            let count = yeses[row.contract.id, default: []].count
            if count == row.contract.parties.count { complete.append(row.contract) }
        }
        for (place, one) in complete.enumerated() {
            let slots = one.legs.map(\.slot)
            for other in complete[..<place] where one.id != other.id {
                if other.legs.contains(where: { slots.contains($0.slot) }) {
                    return "two complete contracts for one slot"
                }
            }
        }
        return nil
    }

    /// Whoever signed a yes waits for its outcome, or has it, or knows a no
    /// that another party signed.
    private func slippedOut(_ index: Int) -> String? {
        let agent = agents[index]
        for entry in agent.logs.log(of: agent.me.key)?.entries ?? [] {
            guard let vote = entry.vote, vote.yes,
                let row = agent.rows.first(where: { $0.contract.id == vote.contract })
            else { continue }
            let isIn = [.preparing, .prepared, .stranded, .committed].contains(row.stage)
            let isFree = agent.logs.logs.contains { log in
                log.author != agent.me.key && row.contract.parties.contains(log.author)
                    && log.entries.contains { $0.vote == .no(vote.contract) }
            }
            if !isIn, !isFree { return "out of a yes without a signed no: \(row.stage)" }
        }
        return nil
    }

    /// As ``wrong``, after ``heal()``: all decided, alike, and the maps are equal.
    var unsettled: String? {
        if let wrong { return wrong }
        let folds = agents.map { Fold.fold($0.logs) }
        if folds.contains(where: { $0 != folds[0] }) { return "different maps" }
        if agents.contains(where: { !$0.locks.isEmpty }) { return "a slot stays locked" }
        let rows = agents.flatMap(\.rows)
        for row in rows {
            let others = rows.filter { $0.contract.id == row.contract.id }
            let committed = others.count { $0.stage == .committed }
            if committed != 0, committed != others.count { return "one committed, one did not" }
            if row.stage == .preparing || row.stage == .prepared { return "in doubt" }
        }
        return nil
    }
}

extension Encounter.Agent {
    mutating func append(_ body: EntryBody) {
        let head = logs.head(of: me.key)
        guard
            let entry = try? EntryCodec(Traveller.primitives).sign(
                body, flight: Traveller.flight, seq: head.seq + 1,
                previous: head.seq == 0 ? nil : head.id, by: FakeSigner(key: me.key))
        else { return }
        logs.restore(entry)
    }
}

extension Traveller {
    /// Who an agent of the explorer is.
    struct Identity: Hashable { let key: PeerKey }
}
