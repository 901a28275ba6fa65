// SPDX-License-Identifier: Apache-2.0
/// The binding half of the coordinator's table: from the last READY to its own vote.
extension Coordinator {
    /// All consented, logs reach their heads, own checks pass: votes are asked for.
    mutating func proceed(
        _ offered: Offered, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        guard offered.heads.count == contract.parties.count - 1,
            offered.notBefore.map({ $0 <= now.instant }) ?? true
        else { return .offered(offered) }
        // What a tick would find first.
        guard offered.deadline > now.instant else {
            return close(.expired, .expired, .expired, facts, &effects, at: now)
        }
        let missing = offered.heads.filter { !facts.logs.reaches($0) }
        guard missing.isEmpty else {
            effects.wants += missing.map { SwapWant(from: $0.author, head: $0) }
            return .offered(offered)
        }
        guard facts.canAppend else { return .offered(offered) }
        if let fault = facts.fault {
            guard fault.mayPass, record.tries < Limits.retries else {
                return close(.withdrawn, .aborted(.check(fault)), .failed, facts, &effects, at: now)
            }
            record.tries += 1
            var later = offered
            later.notBefore = now.instant + facts.pause
            return .offered(later)
        }
        return begin(offered.heads, facts, &effects, at: now)
    }

    /// PREPARE, with the heads of the others and the own one.
    mutating func begin(
        _ others: [LogHead], _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        var heads = others
        heads.append(facts.logs.head(of: facts.me))
        heads.sort { $0.author < $1.author }
        move(to: .preparing, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .binding))
        prepare(heads, to: record.others(than: facts.me), &effects)
        return .preparing(Preparing(deadline: now.instant + Limits.voteTime, heads: heads))
    }

    /// PREPARE. The same again where a session took the place of another: what was under way on
    /// that one may be lost, and whoever voted answers with their vote.
    func prepare(_ heads: [LogHead], to parties: [PeerKey], _ effects: inout SwapEffects) {
        guard !heads.isEmpty else { return }
        let prepare = Prepare(thread: record.thread, contract: contract.bytes, heads: heads)
        tell(.message(.prepare(prepare), to: parties), &effects)
    }

    /// Votes are being collected.
    mutating func collecting(
        _ preparing: Preparing, _ event: Event, _ facts: Facts, _ effects: inout SwapEffects,
        at now: Moment
    ) -> State {
        switch event {
        case .changed:
            return count(preparing, facts, &effects, at: now)
        case .tick:
            return preparing.deadline <= now.instant
                ? abort(.silence, facts, &effects, at: now)
                : count(preparing, facts, &effects, at: now)
        case .linked(let party):
            prepare(preparing.heads, to: [party], &effects)
            return state
        case .cancel:
            return abort(.cancelled, facts, &effects, at: now)
        case .recovered:
            // Without a yes of ours: presumed abort.
            return abort(.restart, facts, &effects, at: now)
        case .ready, .withdrawn, .counter, .declined, .decline, .lost, .superseded, .asked,
            .gone, .accept, .propose, .unlinked, .replaced:
            return state
        }
    }

    /// The contract is complete: whoever comes back gets the certificate.
    func committed(_ event: Event, _ effects: inout SwapEffects) -> State {
        switch event {
        case .linked(let party):
            tell(.certificate(contract.id, to: [party]), &effects)
        case .ready, .withdrawn, .counter, .declined, .decline, .cancel, .changed, .recovered,
            .tick, .lost, .superseded, .asked, .gone, .accept, .propose, .unlinked, .replaced:
            break
        }
        return state
    }

    /// VOTEs so far: a no ends it, all yes with the checks passing again is the commit point.
    mutating func count(
        _ preparing: Preparing, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        if let refuser = facts.tally.refuser {
            return abort(.refused(refuser), facts, &effects, at: now)
        }
        let others = record.others(than: facts.me)
        guard facts.tally.yes.filter({ $0 != facts.me }) == others else {
            return .preparing(preparing)
        }
        if let own = facts.tally.own { return resume(own, facts, &effects, at: now) }
        if let fault = facts.fault { return abort(.check(fault), facts, &effects, at: now) }
        guard facts.canAppend else { return .preparing(preparing) }
        // A start ends what was under way, and the user may have taken it back while the log was
        // looked for.
        guard !preparing.heads.isEmpty else { return abort(.restart, facts, &effects, at: now) }
        let slots = contract.slots(of: facts.me)
        let locks = slots.map { SlotLock(slot: $0, contract: contract.id) }
        effects.appends.append(.vote(.yes(contract.id, slots: slots)))
        effects.locks += locks
        effects.commits.append(contract)
        effects.unlocks += locks
        move(to: .committed, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .committed))
        tell(.certificate(contract.id, to: others), &effects)
        return .committed
    }

    /// The signed no.
    mutating func abort(
        _ failure: SwapFailure, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        if let own = facts.tally.own { return resume(own, facts, &effects, at: now) }
        guard facts.canAppend else { return later(now) }
        effects.appends.append(.vote(.no(contract.id)))
        move(to: .aborted, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .aborted(failure)))
        tell(.vote(contract.id, to: record.others(than: facts.me)), &effects)
        return .aborted
    }

    /// The own vote is in the log already, which was taken from others after an old copy of the
    /// disk was put back: a yes is completed from the votes, a no is told.
    mutating func resume(
        _ own: Vote, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        let others = record.others(than: facts.me)
        guard own.yes else {
            move(to: .aborted, &effects, at: now)
            effects.notices.append(SwapNotice(record: record, what: .aborted(.restart)))
            tell(.vote(contract.id, to: others), &effects)
            return .aborted
        }
        if facts.tally.outcome != .committed {
            guard facts.isCertifiable, facts.canAppend else { return later(now) }
            effects.commits.append(contract)
        }
        move(to: .committed, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .committed))
        tell(.certificate(contract.id, to: others), &effects)
        return .committed
    }

    /// Moves the deadline on: one that has passed would fire again and again.
    private func later(_ now: Moment) -> State {
        let deadline = now.instant + Limits.voteTime
        if case .preparing(var preparing) = state {
            preparing.deadline = deadline
            return .preparing(preparing)
        }
        return .offered(Offered(deadline: deadline))
    }
}

extension Coordinator.Offered {
    /// The wait after a collision is over.
    func awake(at now: Moment) -> Self {
        var awake = self
        if let until = notBefore, until <= now.instant { awake.notBefore = nil }
        return awake
    }
}

extension VoteFault {
    /// Whether the fault may pass in a moment: another swap is being decided.
    var mayPass: Bool {
        switch self {
        case .busy, .encumbered: true
        case .notHeld, .forked, .liar, .disputed, .unverified, .reminted, .otherContract, .window,
            .blocked, .logFull, .notAllowed, .begun, .unequal, .unpaid, .asked:
            false
        }
    }
}
