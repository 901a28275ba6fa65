// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What must hold in every state, and once nothing goes wrong any more.
extension Encounter {
    /// Why this state must not be; `nil` when it may.
    package var wrong: String? {
        var yeses: [ContractID: [PeerKey]] = [:]
        for agent in agents {
            let log = agent.logs.log(of: agent.key)?.entries ?? []
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
                    if vote.yes { yeses[vote.contract, default: []].append(agent.key) }
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
        for entry in agent.logs.log(of: agent.key)?.entries ?? [] {
            guard let vote = entry.vote, vote.yes,
                let row = agent.rows.first(where: { $0.contract.id == vote.contract })
            else { continue }
            let isIn = [.preparing, .prepared, .stranded, .committed].contains(row.stage)
            let isFree = agent.logs.logs.contains { log in
                log.author != agent.key && row.contract.parties.contains(log.author)
                    && log.entries.contains { $0.vote == .no(vote.contract) }
            }
            if !isIn, !isFree { return "out of a yes without a signed no: \(row.stage)" }
        }
        return nil
    }

    /// As ``wrong``, after ``heal()``: all decided, alike, and the maps are equal.
    package var unsettled: String? {
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
