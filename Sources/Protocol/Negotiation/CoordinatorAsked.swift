// SPDX-License-Identifier: Apache-2.0
/// The half of the coordinator's table for whoever is asked by one other: from ASK to PREPARE.
extension Coordinator {
    /// The user decides.
    mutating func requested(
        _ request: Request, _ event: Event, _ facts: Facts, _ effects: inout SwapEffects,
        at now: Moment
    ) -> State {
        switch event {
        case .asked(let head): return .requested(request.heard(head ?? request.head))
        case .unlinked: return .requested(request.heard(nil))
        case .accept(let override):
            record.override = override
            return bind(request, isNew: true, facts, &effects, at: now)
        case .propose(let other, let note, let override):
            record.override = override
            return counter(other, note, request, facts, &effects, at: now)
        case .decline(let note): return refuse(note, facts, &effects, at: now)
        case .gone(let reason): return gone(reason, &effects, at: now)
        case .lost(let seat): return lost(seat, facts, &effects, at: now)
        case .tick:
            guard request.deadline <= now.instant else { return .requested(request) }
            return lapse(&effects, at: now)
        case .ready, .withdrawn, .counter, .declined, .cancel, .changed, .linked, .recovered,
            .superseded, .replaced:
            return .requested(request)
        }
    }

    /// The user said yes: PREPARE goes out in the first session in which the asker asks.
    mutating func agreed(
        _ request: Request, _ event: Event, _ facts: Facts, _ effects: inout SwapEffects,
        at now: Moment
    ) -> State {
        let isOver = request.deadline <= now.instant
        switch event {
        // What a tick would find first.
        case .asked where isOver, .changed where isOver, .recovered where isOver:
            return lapse(&effects, at: now)
        case .asked(let head):
            return bind(
                request.heard(head ?? request.head), isNew: false, facts, &effects, at: now)
        case .unlinked: return .agreed(request.heard(nil))
        case .changed, .recovered: return bind(request, isNew: false, facts, &effects, at: now)
        case .tick:
            guard !isOver else { return lapse(&effects, at: now) }
            return bind(request.awake(at: now), isNew: false, facts, &effects, at: now)
        case .cancel:
            // Nobody was told of the yes, so nobody is told that it is gone.
            record.override = false
            move(to: .requested, &effects, at: now)
            effects.notices.append(SwapNotice(record: record, what: .lapsed))
            return .requested(request)
        case .decline(let note): return refuse(note, facts, &effects, at: now)
        case .gone(let reason): return gone(reason, &effects, at: now)
        case .lost(let seat): return lost(seat, facts, &effects, at: now)
        case .ready, .withdrawn, .counter, .declined, .accept, .propose, .linked,
            .superseded, .replaced:
            return .agreed(request)
        }
    }

    /// A session, the asker's head reached, the checks: then PREPARE. Else the yes waits.
    private mutating func bind(
        _ request: Request, isNew: Bool, _ facts: Facts, _ effects: inout SwapEffects,
        at now: Moment
    ) -> State {
        func wait(_ request: Request) -> State {
            guard isNew else { return .agreed(request) }
            move(to: .agreed, &effects, at: now)
            effects.notices.append(SwapNotice(record: record, what: .ready(facts.me)))
            return .agreed(request)
        }
        guard let head = request.head, facts.linked.contains(head.author),
            request.notBefore.map({ $0 <= now.instant }) ?? true
        else { return wait(request) }
        guard facts.logs.reaches(head) else {
            effects.wants.append(SwapWant(from: head.author, head: head))
            return wait(request)
        }
        guard facts.canAppend else { return wait(request) }
        if let fault = facts.fault {
            guard fault.mayPass, record.tries < Limits.retries else {
                return close(.withdrawn, .aborted(.check(fault)), .failed, facts, &effects, at: now)
            }
            record.tries += 1
            var later = request
            later.notBefore = now.instant + facts.pause
            return wait(later)
        }
        return begin([head], facts, &effects, at: now)
    }

    /// Revision 2, with this agent as the coordinator that it is: the asker has to say READY.
    private mutating func counter(
        _ other: Contract, _ note: String, _ request: Request, _ facts: Facts,
        _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        record.contract = other
        record.revision += 1
        record.note = note
        move(to: .offered, &effects, at: now)
        propose(to: record.others(than: facts.me), &effects, at: now)
        return .offered(Offered(deadline: request.deadline))
    }

    /// The user says no. Without a note the asker learns no more than from silence.
    private mutating func refuse(
        _ note: String, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        record.ending = note
        move(to: .declined, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .declined(facts.me)))
        if !note.isEmpty { tellNo(&effects) }
        return .closed
    }

    /// The asker ended it: they need not be told, now or later. A WITHDRAW in answer to what they
    /// say again would tell a request that lay here from one that was declined without a word.
    mutating func gone(
        _ reason: Withdraw.Reason, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        switch reason {
        case .cancelled:
            record.expires = min(record.expires, now.utc)
            move(to: .withdrawn, &effects, at: now)
            effects.notices.append(SwapNotice(record: record, what: .withdrawn))
            return .closed
        case .expired: return lapse(&effects, at: now)
        case .failed, .lapsed: return state
        }
    }

    /// Its time is up on both sides.
    private mutating func lapse(_ effects: inout SwapEffects, at now: Moment) -> State {
        move(to: .expired, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .expired))
        return .closed
    }

    /// Tells an asker who missed the end; a no without a note stays silent.
    func askedAgain(_ effects: inout SwapEffects, at now: Moment) -> State {
        if record.stage == .declined, !record.ending.isEmpty {
            tellNo(&effects)
        } else if record.lost == nil {
            for party in record.contract.parties where party != record.contract.coordinator {
                withdraw(to: party, &effects, at: now)
            }
        }
        return state
    }

    private func tellNo(_ effects: inout SwapEffects) {
        let decline = Decline(
            thread: record.thread, revision: record.revision, note: record.ending)
        let askers = record.contract.parties.filter { $0 != record.contract.coordinator }
        tell(.message(.decline(decline), to: askers), &effects)
    }
}

extension Coordinator.Request {
    /// With the head that was told in the present session, if any was.
    func heard(_ head: LogHead?) -> Self {
        var heard = self
        heard.head = head
        return heard
    }

    /// The wait after a collision is over.
    func awake(at now: Moment) -> Self {
        var awake = self
        if let until = notBefore, until <= now.instant { awake.notBefore = nil }
        return awake
    }
}
