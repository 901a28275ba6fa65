// SPDX-License-Identifier: Apache-2.0
/// The half of the participant's table for whoever asks one other: from ASK to PREPARE.
extension Participant {
    /// The own ASK stands, and with it the consent.
    mutating func stands(
        _ asking: Asking, _ event: Event, _ facts: Facts, _ effects: inout SwapEffects,
        at now: Moment
    ) -> State {
        // What a tick would find first.
        let isOver = asking.deadline <= now.instant
        switch event {
        case .proposed(let proposal, let other):
            return revised(proposal, other, asking.deadline, facts, &effects, at: now)
        case .prepare(let id, let heads):
            guard id == contract.id else { return answer(id, facts, &effects) }
            guard !isOver else { return takeBack(.expired, &effects, at: now) }
            return vote(asking, heads, facts, &effects, at: now)
        case .changed, .recovered:
            if let refuser = facts.tally.refuser { return failed(refuser, &effects, at: now) }
            guard !isOver else { return takeBack(.expired, &effects, at: now) }
            if let heads = asking.waiting { return vote(asking, heads, facts, &effects, at: now) }
            if event == .recovered { ask(asking, facts, &effects, at: now) }
            return .asking(asking)
        case .cancel: return takeBack(.cancelled, &effects, at: now)
        case .superseded(let number):
            record.instead = number
            return takeBack(.cancelled, &effects, at: now)
        // Being bound, it is left to the check, whose signed no frees the other.
        case .lost where asking.waiting != nil: return .asking(asking)
        case .lost(let seat): return lost(seat, &effects, at: now)
        case .withdrawn(let reason): return withdrawn(reason, &effects, at: now)
        case .refused(let note): return refused(note, &effects, at: now)
        case .linked(true):
            ask(asking, facts, &effects, at: now)
            return .asking(asking)
        case .tick:
            guard isOver else { return .asking(asking) }
            return takeBack(.expired, &effects, at: now)
        case .accept, .decline, .counter, .force, .linked(false), .queried:
            return .asking(asking)
        }
    }

    private mutating func vote(
        _ asking: Asking, _ heads: [LogHead], _ facts: Facts, _ effects: inout SwapEffects,
        at now: Moment
    ) -> State {
        if let next = vote(heads, facts, &effects, at: now) { return next }
        return .asking(Asking(deadline: asking.deadline, waiting: heads))
    }

    /// ASK with the seconds left and the present head; the same again is what each new
    /// session gets. Not while nothing may be appended: the PREPARE that answers it would
    /// wait in vain for a vote.
    private func ask(
        _ asking: Asking, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) {
        guard facts.canAppend else { return }
        let left = max(1, (asking.deadline - now.instant).wholeSeconds)
        let ask = Ask(
            thread: record.thread, contract: contract.bytes, note: record.note,
            expires: Int(min(left, Limits.offerTimeMax.wholeSeconds)), head: facts.head)
        effects.sends.append(.message(.ask(ask), to: [contract.coordinator]))
    }

    /// The user takes it back, another yes took the seat, or its time is up:
    /// whoever was asked is told.
    private mutating func takeBack(
        _ reason: Withdraw.Reason, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        let next =
            reason == .expired
            ? close(.expired, .expired, &effects, at: now)
            : close(.withdrawn, .withdrawn, &effects, at: now)
        tellOver(reason, &effects)
        return next
    }

    /// Whoever did not hear that the request is over hears it in the next session.
    func overAgain(_ effects: inout SwapEffects, at now: Moment) -> State {
        guard record.role == .asker, now.utc < record.expires else { return state }
        if record.stage == .withdrawn { tellOver(.cancelled, &effects) }
        return state
    }

    private func tellOver(_ reason: Withdraw.Reason, _ effects: inout SwapEffects) {
        let withdraw = Withdraw(thread: record.thread, reason: reason)
        effects.sends.append(.message(.withdraw(withdraw), to: [contract.coordinator]))
    }
}
