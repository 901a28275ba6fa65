// SPDX-License-Identifier: Apache-2.0
/// The state machine of the party that votes last: among several parties the one who asked, between
/// two the one who was asked. It follows the tables of docs/protocol.md section 16 row by row.
///
/// Its own yes is the commit point. It is appended in one transaction with the certificate that it
/// completes, so that it is never half done.
struct Coordinator: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// May become: countered, preparing, closed.
        case offered(Offered)
        /// May become: offered, closed.
        case countered(Offered)
        /// May become: agreed, offered, preparing, closed.
        case requested(Request)
        /// May become: requested, preparing, closed.
        case agreed(Request)
        /// May become: committed, aborted.
        case preparing(Preparing)
        /// May become: committed.
        case committed
        /// May become: aborted.
        case aborted
        /// May become: closed.
        case closed
    }

    /// Consents so far.
    struct Offered: Hashable, Sendable {
        /// When the offer lapses.
        var deadline: Instant
        /// The heads of those who consented, sorted by author.
        var heads: [LogHead] = []
        /// Earliest time for the next try: a seat was busy when all had consented.
        var notBefore: Instant?
    }

    /// Another passenger asked by ASK.
    struct Request: Hashable, Sendable {
        /// When the asker's consent ends.
        var deadline: Instant
        /// The asker's head as they told it in the present session; `nil` until they ask.
        var head: LogHead?
        /// Not before: a seat was busy.
        var notBefore: Instant?
    }

    /// Votes are being collected.
    struct Preparing: Hashable, Sendable {
        /// T_vote.
        var deadline: Instant
        /// As PREPARE named them; none after a restart.
        var heads: [LogHead] = []
    }

    enum Event: Hashable, Sendable {
        /// A party consented to that contract at that head.
        case ready(PeerKey, ContractID, LogHead)
        /// A party took their READY back.
        case withdrawn(PeerKey)
        /// A party wants this instead.
        case counter(PeerKey, Contract, revision: Int, note: String)
        /// A party declined.
        case declined(PeerKey, note: String)
        /// ASK, the first or again: the asker consents, with that head; `nil` for one that was
        /// said in no session.
        case asked(LogHead?)
        /// The asker took the request back, or its time is up.
        case gone(Withdraw.Reason)
        /// The logs show that a seat of it went elsewhere.
        case lost(LostSeat)
        /// A yes of this agent, in the negotiation of that number, took a slot
        /// that was offered here too.
        case superseded(by: Int)
        /// The user says yes: to the asker, or to the counter-offer.
        case accept(override: Bool)
        /// The user wants this of the asker instead.
        case propose(Contract, note: String, override: Bool)
        /// The user says no: to the asker, or to the counter-offer, and with it to the negotiation.
        case decline(note: String)
        /// The user takes the request back.
        case cancel
        /// Another request is to take its place.
        case replaced
        /// Logs or votes changed.
        case changed
        /// A party is linked (again).
        case linked(PeerKey)
        /// The last session with a party ended.
        case unlinked(PeerKey)
        /// After a restart.
        case recovered
        /// The deadline came.
        case tick
    }

    /// What the machine may know, rebuilt for every event.
    struct Facts {
        let me: PeerKey
        let tally: Tally
        let fault: VoteFault?
        let logs: LogSet
        let canAppend: Bool
        /// Every vote and claim of a certificate is known.
        let isCertifiable: Bool
        /// How long to wait after a collision.
        let pause: TimeSpan
        /// Keys with whom a session is open.
        let linked: [PeerKey]
    }

    private(set) var state: State
    var record: SwapRecord

    /// A request that the user just made.
    init(_ record: SwapRecord, deadline: Instant) {
        self.record = record
        state = .offered(Offered(deadline: deadline))
    }

    /// A request that just came by ASK.
    init(asked record: SwapRecord, head: LogHead?, deadline: Instant) {
        self.record = record
        let request = Request(deadline: deadline, head: head)
        state = record.stage == .agreed ? .agreed(request) : .requested(request)
    }

    /// A machine that goes on after a restart. READYs are forgotten; PREPARING
    /// ends in ``Event/recovered``.
    init(stored record: SwapRecord, at now: Moment) {
        self.record = record
        let left = max(0, record.expires.seconds &- now.utc.seconds)
        let offered = Offered(deadline: now.instant + .seconds(left))
        switch record.stage {
        case .offered: state = .offered(offered)
        case .countered: state = .countered(offered)
        case .preparing: state = .preparing(Preparing(deadline: now.instant + Limits.voteTime))
        case .requested: state = .requested(Request(deadline: offered.deadline))
        case .agreed: state = .agreed(Request(deadline: offered.deadline))
        case .committed: state = .committed
        case .aborted: state = .aborted
        case .invited, .counterSent, .ready, .prepared, .stranded, .asking, .declined,
            .withdrawn, .expired:
            state = .closed
        }
    }

    /// When it wants to be called.
    var nextDeadline: Instant? {
        switch state {
        case .offered(let offered): min(offered.notBefore ?? offered.deadline, offered.deadline)
        case .countered(let offered): offered.deadline
        case .requested(let request): request.deadline
        case .agreed(let request): min(request.notBefore ?? request.deadline, request.deadline)
        case .preparing(let preparing): preparing.deadline
        case .committed, .aborted, .closed: nil
        }
    }

    var contract: Contract { record.contract }

    /// Nothing is signed yet, as far as the row says.
    private var isSoft: Bool {
        switch state {
        case .offered, .countered, .requested, .agreed: true
        case .preparing, .committed, .aborted, .closed: false
        }
    }

    mutating func handle(_ event: Event, _ facts: Facts, at now: Moment) -> SwapEffects {
        var effects = SwapEffects()
        if let own = facts.tally.own, isSoft {
            // The log knows more than the row: people and peers decide nothing here any more.
            state = resume(own, facts, &effects, at: now)
        } else {
            state = row(event, facts, &effects, at: now)
        }
        return effects
    }

    private mutating func row(
        _ event: Event, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        let next: State
        switch (state, event) {
        case (.offered(let offered), .ready(let party, let id, let head)):
            next = consent(offered, party, id, head, facts, &effects, at: now)
        case (.offered(let offered), .withdrawn(let party)),
            (.offered(let offered), .unlinked(let party)):
            // Whoever is out of reach could not vote: the next session asks them again.
            var left = offered
            left.heads.removeAll { $0.author == party }
            next = .offered(left)
        case (.offered(let offered), .counter(let party, let other, let revision, let note)),
            (.countered(let offered), .counter(let party, let other, let revision, let note)):
            next = countered(offered, party, other, revision, note, facts, &effects, at: now)
        case (.countered(let offered), .accept(let override)):
            next = acceptCounter(offered, override, facts, &effects, at: now)
        case (.countered, .decline(let note)):
            next = declineCounter(note, facts, &effects, at: now)
        case (.offered, .declined(let party, let note)),
            (.countered, .declined(let party, let note)):
            record.ending = note
            next = close(.declined, .declined(party), .failed, facts, &effects, at: now)
        case (.offered, .cancel), (.countered, .cancel):
            next = close(.withdrawn, .withdrawn, .cancelled, facts, &effects, at: now)
        case (.offered, .replaced):
            record.hasFailed = true
            next = close(.withdrawn, .withdrawn, .failed, facts, &effects, at: now)
        case (.offered(let offered), .changed), (.offered(let offered), .recovered):
            next = proceed(offered, facts, &effects, at: now)
        case (.offered(let offered), .tick), (.countered(let offered), .tick):
            next = ticked(offered, facts, &effects, at: now)
        case (.offered, .linked(let party)), (.countered, .linked(let party)):
            propose(to: [party], &effects, at: now)
            next = state
        case (.requested(let request), let event):
            next = requested(request, event, facts, &effects, at: now)
        case (.agreed(let request), let event):
            next = agreed(request, event, facts, &effects, at: now)
        case (.offered, .gone(let why)), (.countered, .gone(let why)):
            next = gone(why, &effects, at: now)
        case (.offered, .lost(let seat)), (.countered, .lost(let seat)):
            next = lost(seat, facts, &effects, at: now)
        case (.offered, .superseded(let number)), (.countered, .superseded(let number)):
            record.instead = number
            next = close(.withdrawn, .withdrawn, .cancelled, facts, &effects, at: now)
        case (.closed, .asked):
            next = askedAgain(&effects, at: now)
        case (.preparing(let preparing), let event):
            next = collecting(preparing, event, facts, &effects, at: now)
        case (.committed, let event):
            next = committed(event, &effects)
        case (.closed, .linked) where record.lost != nil:
            // The logs tell it, and why.
            next = state
        case (.closed, .linked(let party)), (.closed, .ready(let party, _, _)),
            (.aborted, .ready(let party, _, _)):
            // Whoever did not hear of the end hears it now.
            withdraw(to: party, &effects, at: now)
            next = state
        case (.offered, .decline), (.countered, .ready),
            (.countered, .withdrawn), (.countered, .changed), (.countered, .recovered),
            (.aborted, _), (.closed, _), (_, .asked), (_, .gone), (_, .accept), (_, .propose),
            (_, .unlinked), (.countered, .replaced):
            next = state
        }
        return next
    }

    // MARK: Rows

    /// Time passes for an offer: it ends, or is looked at again unless it waits for the user.
    private mutating func ticked(
        _ offered: Offered, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        guard offered.deadline > now.instant else {
            return close(.expired, .expired, .expired, facts, &effects, at: now)
        }
        if case .countered = state { return state }
        return proceed(offered.awake(at: now), facts, &effects, at: now)
    }

    /// READY(cid) from a party; with all, PREPARING.
    private mutating func consent(
        _ offered: Offered, _ party: PeerKey, _ id: ContractID, _ head: LogHead, _ facts: Facts,
        _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        guard id == contract.id, head.author == party, party != facts.me,
            contract.parties.contains(party)
        else { return .offered(offered) }
        var more = offered
        let isNew = !more.heads.contains { $0.author == party }
        more.heads.removeAll { $0.author == party }
        more.heads.append(head)
        more.heads.sort { $0.author < $1.author }
        if isNew { effects.notices.append(SwapNotice(record: record, what: .ready(party))) }
        return proceed(more, facts, &effects, at: now)
    }

    private mutating func countered(
        _ offered: Offered, _ party: PeerKey, _ other: Contract, _ revision: Int, _ note: String,
        _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        guard revision == record.revision + 1, other.coordinator == facts.me,
            contract.parties.contains(party), other.parties == contract.parties
        else { return state }
        record.counter = other
        record.counteredBy = party
        record.ending = note
        move(to: .countered, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: .countered))
        return .countered(Offered(deadline: offered.deadline))
    }

    /// Exactly the bytes that were countered with, two revisions up: who made them has consented.
    private mutating func acceptCounter(
        _ offered: Offered, _ override: Bool, _ facts: Facts, _ effects: inout SwapEffects,
        at now: Moment
    ) -> State {
        guard let counter = record.counter else { return state }
        record.contract = counter
        record.override = override
        record.revision += 2
        record.counter = nil
        record.counteredBy = nil
        record.ending = ""
        move(to: .offered, &effects, at: now)
        propose(to: record.others(than: facts.me), &effects, at: now)
        return .offered(Offered(deadline: offered.deadline))
    }

    /// The counter-offer, and with it the negotiation, is declined. Without a note it looks as if
    /// the user had taken the request back.
    private mutating func declineCounter(
        _ note: String, _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        record.ending = note
        guard !note.isEmpty else {
            return close(.declined, .declined(facts.me), .cancelled, facts, &effects, at: now)
        }
        let decline = Decline(thread: record.thread, revision: record.revision, note: note)
        tell(.message(.decline(decline), to: record.counteredBy.map { [$0] } ?? []), &effects)
        return close(.declined, .declined(facts.me), .failed, facts, &effects, at: now)
    }

    mutating func close(
        _ stage: SwapRecord.Stage, _ what: SwapNotice.What, _ reason: Withdraw.Reason,
        _ facts: Facts, _ effects: inout SwapEffects, at now: Moment
    ) -> State {
        move(to: stage, &effects, at: now)
        effects.notices.append(SwapNotice(record: record, what: what))
        let withdraw = Withdraw(thread: record.thread, reason: reason)
        tell(.message(.withdraw(withdraw), to: record.others(than: facts.me)), &effects)
        return .closed
    }

    /// Repeats that it is over, because the other side may not know.
    func withdraw(to party: PeerKey, _ effects: inout SwapEffects, at now: Moment) {
        guard now.utc < record.expires, record.role == .coordinator || record.stage == .withdrawn
        else { return }
        let message = SwapMessage.withdraw(
            Withdraw(thread: record.thread, reason: record.withdrawal))
        effects.sends.append(.message(message, to: [party]))
    }

    /// PROPOSE with the present revision; the same again is answered the same again.
    func propose(to parties: [PeerKey], _ effects: inout SwapEffects, at now: Moment) {
        let left = max(1, record.expires.seconds &- now.utc.seconds)
        let proposal = Proposal(
            thread: record.thread, revision: record.revision, contract: contract.bytes,
            note: record.note, expires: Int(min(left, Limits.offerTimeMax.wholeSeconds)))
        tell(.message(.propose(proposal), to: parties), &effects)
    }

    /// The contract turned out complete, final for this agent.
    mutating func finalised(_ effects: inout SwapEffects, at now: Moment) {
        record.isFinal = true
        record.updated = now.utc
        effects.records.append(record)
        effects.notices.append(SwapNotice(record: record, what: .final))
    }

    mutating func move(
        to stage: SwapRecord.Stage, _ effects: inout SwapEffects, at now: Moment
    ) {
        record.stage = stage
        record.updated = now.utc
        effects.records.append(record)
    }

    func tell(_ send: SwapSend, _ effects: inout SwapEffects) { effects.sends.append(send) }
}
