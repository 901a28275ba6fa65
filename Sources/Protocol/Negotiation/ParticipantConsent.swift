// SPDX-License-Identifier: Apache-2.0
/// The soft half of the participant's table: invited and ready.
extension Participant {
    /// A higher revision is a new question; the one we countered with
    /// ourselves is answered already.
    mutating func revised(
        _ proposal: Proposal, _ other: Contract, _ deadline: Instant, _ facts: Facts,
        _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        guard proposal.revision > record.revision else { return state }
        let isOurs = record.counter?.id == other.id && record.stage == .counterSent
        record.revision = proposal.revision
        record.contract = other
        record.note = proposal.note
        record.ending = ""
        record.counter = nil
        record.counteredBy = nil
        record.override = isOurs && record.override
        let until = now.instant + .seconds(Int64(proposal.expires))
        record.expires = UTCTime(seconds: now.utc.seconds &+ Int64(proposal.expires))
        if isOurs { return consent(until: until, facts, &effects, at: now) }
        move(to: .invited, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .countered))
        return .invited(Invited(deadline: until))
    }

    /// The same PROPOSE again is answered by READY again, as long as the yes stands.
    mutating func repeated(
        _ consent: Consent, _ proposal: Proposal, _ other: Contract, _ facts: Facts,
        _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        if proposal.revision == record.revision, other.id == contract.id {
            ready(facts, &effects)
            var again = consent
            again.again = now.instant + Limits.readyTime
            return .ready(again)
        }
        return revised(proposal, other, consent.deadline, facts, &effects, at: now)
    }

    /// The user says yes, knowingly to a disputed seat with `override`.
    mutating func accept(
        _ override: Bool, _ invited: Invited, _ facts: Facts, _ effects: inout SwapEffects,
        at now: Moment
    ) -> State {
        record.override = override
        return consent(until: invited.deadline, facts, &effects, at: now)
    }

    /// The coordinator declined our counter-offer.
    mutating func refused(
        _ note: String, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        record.ending = note
        return close(.declined, .declined(contract.coordinator), &effects, at: now)
    }

    mutating func consent(
        until deadline: Instant, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        move(to: .ready, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .ready(facts.me)))
        return stand(until: deadline, facts, &effects, at: now)
    }

    /// READY, and when it is said again.
    private func stand(
        until deadline: Instant, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        ready(facts, &effects)
        return .ready(Consent(again: now.instant + Limits.readyTime, deadline: deadline))
    }

    private func ready(_ facts: Facts, _ effects: inout SwapEffects) {
        let ready = Ready(thread: record.thread, contract: contract.id, head: facts.head)
        effects.sends.append(.message(.ready(ready), to: [contract.coordinator]))
    }

    /// The user says no. Without a note the asker is told no more than silence tells: they wait
    /// until their request expires, and a READY lapses as it does where the yes is taken back
    /// (docs/protocol.md section 16).
    mutating func decline(
        _ note: String, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        record.ending = note
        let answer: SwapMessage?
        if !note.isEmpty {
            answer = .decline(
                Decline(thread: record.thread, revision: record.revision, note: note))
        } else if case .ready = state {
            answer = .withdraw(Withdraw(thread: record.thread, reason: .lapsed))
        } else {
            answer = nil
        }
        let next = close(.declined, .declined(facts.me), &effects, at: now)
        if let answer { effects.sends.append(.message(answer, to: [contract.coordinator])) }
        return next
    }

    mutating func counter(
        _ other: Contract, _ note: String, _ invited: Invited, _ effects: inout SwapEffects,
        at now: Moment
    ) -> State {
        record.counter = other
        record.ending = note
        move(to: .counterSent, &effects, at: now)
        let left = max(1, (invited.deadline - now.instant).wholeSeconds)
        let proposal = Proposal(
            thread: record.thread, revision: record.revision + 1, contract: other.bytes,
            note: note, expires: Int(min(left, Limits.offerTimeMax.wholeSeconds)))
        effects.sends.append(.message(.propose(proposal), to: [contract.coordinator]))
        return .invited(invited)
    }

    /// Logs or votes are others: a signed no of a party ends it, and a waiting PREPARE may go on.
    mutating func changed(
        _ consent: Consent, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        if let refuser = facts.tally.refuser { return failed(refuser, &effects, at: now) }
        guard let heads = consent.waiting else { return state }
        return prepare(consent, contract.id, heads, facts, &effects, at: now)
    }

    /// The own vote was found in the log, which was taken from others after an old copy of
    /// the disk was put back: it binds as it did. While more of the log may come, what came
    /// after it is not known yet.
    mutating func found(
        _ own: Vote, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        guard own.yes else { return failed(facts.me, &effects, at: now) }
        if let outcome = facts.tally.outcome { return ended(outcome, &effects, at: now) }
        guard facts.canAppend else {
            // Moves the deadline on: one that has passed would fire again and again.
            return .invited(Invited(deadline: now.instant + Limits.voteTime))
        }
        effects.locks += own.slots.map { SlotLock(slot: $0, contract: contract.id) }
        move(to: .prepared, &effects, at: now)
        let doubt = Doubt(
            since: now.instant, nextQuery: now.instant, wait: TimeSpan.seconds(1))
        return decide(doubt, .prepared(doubt), facts, &effects, at: now)
    }

    /// The log says how it ended; nothing is written there a second time.
    mutating func ended(
        _ outcome: Tally.Outcome, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        switch outcome {
        case .committed:
            move(to: .committed, &effects, at: now)
            effects.notices.append(SwapNotice(record: record, what: .committed))
            return .committed
        case .left(let refuser):
            move(to: .aborted, &effects, at: now)
            effects.notices.append(
                SwapNotice(record: record, what: .aborted(.refused(refuser))))
            return .aborted
        }
    }

    /// A party signed a no before this agent said yes: nothing can come of it, and nothing binds.
    mutating func failed(
        _ refuser: PeerKey, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        close(.aborted, .aborted(.refused(refuser)), &effects, at: now)
    }

    /// The coordinator did not hear that this agent declined with a note: it is said again.
    func declineAgain(
        _ proposal: Proposal, _ other: Contract, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        // A counter-offer to a request that is over.
        if record.role == .asker, record.revision == 1 { return overAgain(&effects, at: now) }
        if record.stage == .declined, !record.ending.isEmpty, other.id == contract.id {
            let decline = Decline(
                thread: record.thread, revision: proposal.revision, note: record.ending)
            effects.sends.append(.message(.decline(decline), to: [contract.coordinator]))
        }
        return state
    }

    mutating func withdrawn(
        _ reason: Withdraw.Reason, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        switch reason {
        case .expired: return close(.expired, .expired, &effects, at: now)
        case .cancelled: return close(.withdrawn, .withdrawn, &effects, at: now)
        case .failed:
            record.hasFailed = true
            return close(.withdrawn, .withdrawn, &effects, at: now)
        case .lapsed: return state
        }
    }

    /// The offer's own time ends the yes. After T_ready READY is said again, and a PREPARE that
    /// still waits for logs is forgotten: its coordinator gave up long ago.
    mutating func wait(
        _ consent: Consent, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        if consent.deadline <= now.instant { return close(.expired, .expired, &effects, at: now) }
        guard consent.again <= now.instant else { return .ready(consent) }
        return stand(until: consent.deadline, facts, &effects, at: now)
    }

    /// After a start: the yes of before does not bind the user, who is told so once.
    mutating func forgotten(
        _ invited: Invited, _ event: Event, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        guard invited.wasReady, event == .recovered else { return state }
        move(to: .invited, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .lapsed))
        return .invited(Invited(deadline: invited.deadline))
    }

    /// The user takes the yes back: the request stands, and they may accept it again.
    mutating func takeYesBack(
        _ consent: Consent, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        move(to: .invited, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .lapsed))
        let withdraw = Withdraw(thread: record.thread, reason: .lapsed)
        effects.sends.append(.message(.withdraw(withdraw), to: [contract.coordinator]))
        return .invited(Invited(deadline: consent.deadline))
    }
}
