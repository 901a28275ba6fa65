// SPDX-License-Identifier: Apache-2.0
/// The binding half of the participant's table: from PREPARE to the outcome.
extension Participant {
    /// PREPARE while ready: the yes, or the no. Nothing before the logs reach the heads named.
    mutating func prepare(
        _ consent: Consent, _ id: ContractID, _ heads: [LogHead], _ facts: Facts,
        _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        guard id == contract.id else { return answer(id, facts, &effects) }
        // What a tick would find first.
        guard consent.deadline > now.instant else {
            return close(.expired, .expired, &effects, at: now)
        }
        if let next = vote(heads, facts, &effects, at: now) { return next }
        var waiting = consent
        waiting.waiting = heads
        return .ready(waiting)
    }

    /// The yes or the no to what the user agreed to; `nil` while the logs do
    /// not reach the heads named.
    mutating func vote(
        _ heads: [LogHead], _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State? {
        guard heads.map(\.author) == contract.parties else {
            return refuse(.otherContract, facts, &effects, at: now)
        }
        let missing = heads.filter { $0.author != facts.me && !facts.logs.reaches($0) }
        guard missing.isEmpty, facts.canAppend else {
            effects.wants += missing.map { SwapWant(from: contract.coordinator, head: $0) }
            return nil
        }
        if let fault = facts.fault { return refuse(fault, facts, &effects, at: now) }
        guard facts.tally.own == nil else { return answer(contract.id, facts, &effects) }
        let slots = contract.slots(of: facts.me)
        effects.appends.append(.vote(.yes(contract.id, slots: slots)))
        effects.locks += slots.map { SlotLock(slot: $0, contract: contract.id) }
        move(to: .prepared, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .binding))
        effects.sends.append(.vote(contract.id, to: record.others(than: facts.me)))
        return .prepared(
            Doubt(
                since: now.instant, nextQuery: now.instant + .seconds(1),
                wait: TimeSpan.seconds(1)))
    }

    /// The signed no, written once: it frees everybody who said yes.
    mutating func refuse(
        _ fault: VoteFault, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        guard facts.tally.own == nil, facts.canAppend else {
            return answer(contract.id, facts, &effects)
        }
        effects.appends.append(.vote(.no(contract.id)))
        move(to: .aborted, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .aborted(.check(fault))))
        effects.sends.append(.vote(contract.id, to: record.others(than: facts.me)))
        return .aborted
    }

    /// PREPARE, or QUERY, of what the user has not agreed to. An entry is written only where it
    /// serves somebody: the user asked for this contract themselves, or a third passenger said yes
    /// to it, whom a no sets free although the coordinator be gone (docs/protocol.md section 16).
    mutating func unasked(
        _ id: ContractID, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        guard id == contract.id, facts.head.seq < Limits.entriesForStrangers,
            isOwnRequest || frees(facts)
        else { return answer(id, facts, &effects) }
        return refuse(.otherContract, facts, &effects, at: now)
    }

    /// The contract is the one that this user asked for, and took back.
    private var isOwnRequest: Bool { record.role == .asker && record.revision == 1 }

    /// A third passenger's yes is known, and strangers did not make this agent sign too much yet:
    /// the limit is one for all keys, which cost nothing.
    private func frees(_ facts: Facts) -> Bool {
        let others = facts.tally.yes.filter { $0 != facts.me && $0 != contract.coordinator }
        guard !others.isEmpty else { return false }
        let noes = facts.logs.log(of: facts.me)?.entries.count { entry in
            if case .vote(let vote) = entry.body { return !vote.yes }
            return false
        }
        return (noes ?? 0) < Limits.noesForStrangers
    }

    /// PREPARE again, or for a contract that was never accepted: the vote that exists is repeated.
    func answer(_ id: ContractID, _ facts: Facts, _ effects: inout SwapEffects) -> State {
        if id == contract.id, facts.tally.own != nil {
            effects.sends.append(.vote(id, to: [contract.coordinator]))
        }
        return state
    }

    /// In doubt: the certificate commits, a freeing no abandons, nothing else does anything.
    mutating func decide(
        _ doubt: Doubt, _ stay: State, _ facts: Facts, _ effects: inout SwapEffects,
        at now: Moment
    ) -> State {
        let locks = contract.slots(of: facts.me).map {
            SlotLock(slot: $0, contract: contract.id)
        }
        if let outcome = facts.tally.outcome {
            effects.unlocks += locks
            return ended(outcome, &effects, at: now)
        }
        guard facts.canAppend else { return stay }
        if facts.isCertifiable {
            effects.commits.append(contract)
            effects.unlocks += locks
            move(to: .committed, &effects, at: now)
            effects.notices.append(SwapNotice(record: record, what: .committed))
            return .committed
        }
        if let no = facts.tally.no {
            effects.appends.append(.abandon(contract.id, no: no))
            effects.unlocks += locks
            move(to: .aborted, &effects, at: now)
            effects.notices.append(
                SwapNotice(record: record, what: .aborted(.refused(no.author))))
            return .aborted
        }
        return stay
    }

    /// A signed yes waits for its outcome.
    mutating func prepared(
        _ doubt: Doubt, _ event: Event, _ facts: Facts, _ effects: inout SwapEffects,
        at now: Moment
    ) -> State {
        switch event {
        case .changed, .recovered:
            return decide(doubt, .prepared(doubt), facts, &effects, at: now)
        case .tick:
            return .prepared(query(doubt, facts, &effects, at: now))
        case .force(let tokens):
            return force(doubt, tokens, &effects, at: now)
        case .linked(true):
            effects.sends.append(.message(.query(contract.id), to: [contract.coordinator]))
            return state
        case .prepare(let id, _):
            return answer(id, facts, &effects)
        case .proposed, .accept, .decline, .counter, .cancel, .withdrawn, .refused, .queried,
            .superseded, .lost, .linked(false):
            return state
        }
    }

    /// As ``prepared(_:_:_:_:at:)``, with the seat re-minted.
    mutating func stranded(
        _ doubt: Doubt, _ event: Event, _ facts: Facts, _ effects: inout SwapEffects,
        at now: Moment
    ) -> State {
        switch event {
        case .changed, .recovered:
            return decide(doubt, .stranded(doubt), facts, &effects, at: now)
        case .tick:
            return .stranded(query(doubt, facts, &effects, at: now))
        case .linked(true):
            effects.sends.append(.message(.query(contract.id), to: [contract.coordinator]))
            return state
        case .prepare(let id, _):
            return answer(id, facts, &effects)
        case .proposed, .accept, .decline, .counter, .cancel, .withdrawn, .refused, .queried,
            .superseded, .lost, .force, .linked(false):
            return state
        }
    }

    /// QUERY after 1, 2, 4 ... 30 s; people are told after 120 s.
    mutating func query(
        _ doubt: Doubt, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> Doubt {
        guard doubt.nextQuery <= now.instant else { return doubt }
        var next = doubt
        let doubled = TimeSpan(nanoseconds: doubt.wait.nanoseconds &* 2)
        next.wait = min(doubled, Limits.queryMax)
        next.nextQuery = now.instant + doubt.wait
        effects.sends.append(
            .message(.query(contract.id), to: record.others(than: facts.me)))
        if !record.isStuck, doubt.since + Limits.strandedAfter <= now.instant {
            record.isStuck = true
            effects.records.append(record)
            effects.notices.append(SwapNotice(record: record, what: .stranded))
        }
        return next
    }

    /// Re-mint: the old tenure is retracted and the seat claimed anew. If the contract applies
    /// after all the retract is void, and the new token is retracted (docs/protocol.md section 16).
    mutating func force(
        _ doubt: Doubt, _ tokens: [TokenState], _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        for token in tokens {
            effects.appends.append(.retract(token.slot))
            effects.appends.append(.claim(seat: token.seat, dependant: token.dependant))
        }
        move(to: .stranded, &effects, at: now)
        return .stranded(doubt)
    }
}
