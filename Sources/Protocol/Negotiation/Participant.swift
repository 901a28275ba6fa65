// SPDX-License-Identifier: Apache-2.0
/// The state machine of a party that does not vote last: among several parties one who was asked,
/// between two the one who asked. It follows the tables of docs/protocol.md section 16 row by row.
///
/// A yes is left only by the certificate or by another party's signed no; never by time, a restart
/// or a wish. Forcing re-mints the seat and goes on waiting.
struct Participant: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// May become: ready, invited, aborted, closed.
        case invited(Invited)
        /// May become: invited, prepared, aborted, closed.
        case ready(Consent)
        /// May become: invited, prepared, aborted, closed.
        case asking(Asking)
        /// In doubt. May become: committed, aborted, stranded.
        case prepared(Doubt)
        /// In doubt, the seat re-minted. May become: committed, aborted.
        case stranded(Doubt)
        /// May become: nothing.
        case committed
        /// May become: nothing.
        case aborted
        /// May become: aborted.
        case closed
    }

    /// The user decides.
    struct Invited: Hashable, Sendable {
        var deadline: Instant
        /// The user said yes before the restart, and was not told yet that it is gone.
        var wasReady = false
    }

    /// The user's yes stands, soft.
    struct Consent: Hashable, Sendable {
        /// When READY is said again: T_ready.
        var again: Instant
        var deadline: Instant
        /// PREPARE came, but the logs do not reach its heads yet.
        var waiting: [LogHead]?
    }

    /// An own ASK stands: consent, soft.
    struct Asking: Hashable, Sendable {
        var deadline: Instant
        /// PREPARE came, but the logs do not reach its heads yet.
        var waiting: [LogHead]?
    }

    /// A signed yes without an outcome.
    struct Doubt: Hashable, Sendable {
        var since: Instant
        var nextQuery: Instant
        var wait: TimeSpan
    }

    enum Event: Hashable, Sendable {
        /// PROPOSE: the same again, or a higher revision.
        case proposed(Proposal, Contract)
        /// The user says yes.
        case accept(override: Bool)
        /// The user says no.
        case decline(note: String)
        /// The user wants this instead.
        case counter(Contract, note: String, override: Bool)
        /// The user takes a soft yes back.
        case cancel
        /// The coordinator took the offer back, or it failed.
        case withdrawn(Withdraw.Reason)
        /// The coordinator declined our counter-offer.
        case refused(note: String)
        /// PREPARE.
        case prepare(ContractID, [LogHead])
        /// A party asks how it stands: they said yes, and wait.
        case queried
        /// A yes of this agent, in the negotiation of that number, took a slot
        /// that was offered here too.
        case superseded(by: Int)
        /// The logs show that a seat of it went elsewhere.
        case lost(LostSeat)
        /// Logs or votes changed.
        case changed
        /// The user leaves a stranded swap.
        case force([TokenState])
        /// The coordinator is linked (again), or not any more.
        case linked(Bool)
        /// After a restart.
        case recovered
        /// The deadline came.
        case tick

        /// Whether the user says yes by it, to what is there or to what they want instead.
        var isConsent: Bool {
            switch self {
            case .accept, .counter: true
            case .proposed, .decline, .cancel, .withdrawn, .refused, .prepare, .queried,
                .superseded, .lost, .changed, .force, .linked, .recovered, .tick:
                false
            }
        }
    }

    /// What the machine may know, rebuilt for every event.
    struct Facts {
        let me: PeerKey
        let head: LogHead
        let tally: Tally
        let fault: VoteFault?
        let logs: LogSet
        let canAppend: Bool
        /// Every vote and claim of a certificate is known.
        let isCertifiable: Bool
    }

    var state: State
    var record: SwapRecord

    var contract: Contract { record.contract }

    /// A request that just came in.
    init(_ record: SwapRecord, deadline: Instant) {
        self.record = record
        state = .invited(Invited(deadline: deadline))
    }

    /// A request that the user just made of one other.
    init(asking record: SwapRecord, deadline: Instant) {
        self.record = record
        state = .asking(Asking(deadline: deadline))
    }

    /// A machine that goes on after a restart. A yes that is not signed is gone, and the user is
    /// told; a signed one is not.
    init(stored record: SwapRecord, at now: Moment) {
        self.record = record
        let left = max(0, record.expires.seconds &- now.utc.seconds)
        let invited = Invited(
            deadline: now.instant + .seconds(left), wasReady: record.stage == .ready)
        let doubt = Doubt(
            since: now.instant, nextQuery: now.instant, wait: TimeSpan.seconds(1))
        switch record.stage {
        case .invited, .counterSent, .ready: state = .invited(invited)
        case .asking: state = .asking(Asking(deadline: invited.deadline))
        case .prepared: state = .prepared(doubt)
        case .stranded: state = .stranded(doubt)
        case .committed: state = .committed
        case .aborted: state = .aborted
        case .offered, .countered, .requested, .agreed, .preparing, .declined, .withdrawn,
            .expired:
            state = .closed
        }
        if record.stage == .ready { self.record.stage = .invited }
    }

    /// When it wants to be called.
    var nextDeadline: Instant? {
        switch state {
        case .invited(let invited): invited.deadline
        case .ready(let consent): min(consent.again, consent.deadline)
        case .asking(let asking): asking.deadline
        case .prepared(let doubt), .stranded(let doubt): doubt.nextQuery
        case .committed, .aborted, .closed: nil
        }
    }

    /// Nothing is signed yet, as far as the row says.
    private var isSoft: Bool {
        switch state {
        case .invited, .ready, .asking: true
        case .prepared, .stranded, .committed, .aborted, .closed: false
        }
    }

    mutating func handle(_ event: Event, _ facts: Facts, at now: Moment) -> SwapEffects {
        var effects = SwapEffects()
        if let own = facts.tally.own, isSoft { state = found(own, facts, &effects, at: now) }
        // As long as that is open, people and peers decide nothing here.
        if isSoft, facts.tally.own != nil { return effects }
        state = row(event, facts, &effects, at: now)
        return effects
    }

    private mutating func row(
        _ event: Event, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        let next: State
        switch (state, event) {
        case (.invited(let invited), .proposed(let proposal, let other)):
            next = revised(proposal, other, invited.deadline, facts, &effects, at: now)
        case (.ready(let consent), .proposed(let proposal, let other)):
            next = repeated(consent, proposal, other, facts, &effects, at: now)
        case (.invited(let invited), .accept(let override)):
            next = accept(override, invited, facts, &effects, at: now)
        case (.invited, .decline(let note)), (.ready, .decline(let note)):
            next = decline(note, facts, &effects, at: now)
        case (.invited(let invited), .counter(let other, let note, let override)):
            record.override = override
            next = counter(other, note, invited, &effects, at: now)
        case (.ready(let consent), .cancel):
            next = takeYesBack(consent, &effects, at: now)
        case (.invited, .withdrawn(let reason)), (.ready, .withdrawn(let reason)):
            next = withdrawn(reason, &effects, at: now)
        case (.invited, .refused(let note)), (.ready, .refused(let note)):
            next = refused(note, &effects, at: now)
        case (.ready(let consent), .prepare(let id, let heads)):
            next = prepare(consent, id, heads, facts, &effects, at: now)
        case (.asking(let asking), let event):
            next = stands(asking, event, facts, &effects, at: now)
        case (.invited, .prepare(let id, _)), (.closed, .prepare(let id, _)):
            next = unasked(id, facts, &effects, at: now)
        case (.invited, .queried), (.closed, .queried):
            next = unasked(contract.id, facts, &effects, at: now)
        case (.closed, .linked(true)):
            // Where a seat of it went elsewhere, the logs tell it, and why.
            next = record.lost == nil ? overAgain(&effects, at: now) : state
        case (.ready(let consent), .lost) where consent.waiting != nil:
            // It is being bound: the signed no of the check frees the others.
            next = state
        case (.invited, .lost(let seat)), (.ready, .lost(let seat)):
            next = lost(seat, &effects, at: now)
        case (.invited(let invited), .superseded):
            next = takeCounterBack(invited, &effects, at: now)
        case (.invited(let invited), .changed), (.invited(let invited), .recovered):
            next =
                facts.tally.refuser.map { failed($0, &effects, at: now) }
                ?? forgotten(invited, event, &effects, at: now)
        case (.ready(let consent), .changed):
            next = changed(consent, facts, &effects, at: now)
        case (.closed, .proposed(let proposal, let other)):
            next = declineAgain(proposal, other, &effects, at: now)
        case (.prepared(let doubt), let event):
            next = prepared(doubt, event, facts, &effects, at: now)
        case (.stranded(let doubt), let event):
            next = stranded(doubt, event, facts, &effects, at: now)
        case (.invited(let invited), .tick):
            next =
                invited.deadline <= now.instant
                ? close(.expired, .expired, &effects, at: now) : state
        case (.ready(let consent), .tick): next = wait(consent, facts, &effects, at: now)
        case (.aborted, .prepare(let id, _)), (.committed, .prepare(let id, _)):
            next = answer(id, facts, &effects)
        case (.invited, .cancel), (.invited, .force), (.invited, .linked),
            (.ready, .accept), (.ready, .counter), (.ready, .force), (.ready, .recovered),
            (.ready, .linked),
            (.committed, _), (.aborted, _), (.closed, _), (_, .queried), (_, .superseded):
            next = state
        }
        return next
    }

    mutating func move(
        to stage: SwapRecord.Stage, _ effects: inout SwapEffects, at now: Moment
    ) {
        record.stage = stage
        record.updated = now.utc
        effects.records.append(record)
    }

    mutating func close(
        _ stage: SwapRecord.Stage, _ what: SwapNotice.What, _ effects: inout SwapEffects,
        at now: Moment
    ) -> State {
        move(to: stage, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: what))
        return .closed
    }

    /// The contract turned out complete, final for this agent.
    mutating func finalised(_ effects: inout SwapEffects, at now: Moment) {
        record.isFinal = true
        record.updated = now.utc
        effects.records.append(record)
        effects.notices.append(SwapNotice(record: record, what: .final))
    }
}
