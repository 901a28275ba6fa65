// SPDX-License-Identifier: Apache-2.0
/// All negotiations of this agent: routes what people, peers and logs say to the two machines.
public struct Swaps: Hashable, Sendable {
    /// One negotiation.
    enum Thread: Hashable, Sendable {
        case coordinator(Coordinator)
        case participant(Participant)

        var record: SwapRecord {
            switch self {
            case .coordinator(let machine): machine.record
            case .participant(let machine): machine.record
            }
        }

        var nextDeadline: Instant? {
            switch self {
            case .coordinator(let machine): machine.nextDeadline
            case .participant(let machine): machine.nextDeadline
            }
        }

        /// Goes on with what was stored.
        init(stored record: SwapRecord, at now: Moment) {
            self =
                record.role.coordinates
                ? .coordinator(Coordinator(stored: record, at: now))
                : .participant(Participant(stored: record, at: now))
        }
    }

    let me: PeerKey
    let flight: FlightID
    private let tools: Tools
    /// Sorted by number.
    var threads: SwapTable
    /// Requests whose seats the logs here do not show yet, in the order in which they came.
    var waiting: [EarlyRequest] = []
    /// Open yeses, sorted.
    public internal(set) var locks: [SlotLock]
    /// Slots of yeses that the fold does not show yet. The commit of a coordinator releases
    /// the lock in the same turn: without this, two contracts decided in one turn could
    /// each get a yes on one slot.
    private var unseen: [SlotLock] = []

    /// What an agent hashes with. It never changes, so it tells no two states of an agent apart.
    private struct Tools: Hashable, Sendable {
        let primitives: any Primitives
        let rules: EntryRules

        static func == (left: Tools, right: Tools) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// Goes on with what was stored.
    package init(
        me: PeerKey, flight: FlightID, records: [SwapRecord], locks: [SlotLock],
        primitives: any Primitives, rules: EntryRules = .flight, at now: Moment
    ) {
        self.me = me
        self.flight = flight
        tools = Tools(primitives: primitives, rules: rules)
        self.locks = locks.sorted()
        let sorted = records.sorted { $0.number < $1.number }
        threads = SwapTable(sorted.map { Thread(stored: $0, at: now) }, me: me)
    }

    var primitives: any Primitives { tools.primitives }

    /// What reads the entries of the gathering.
    var codec: EntryCodec { EntryCodec(tools.primitives, rules: tools.rules) }

    /// Whether a swap is complete, and not final for this agent.
    package var awaitsFinal: Bool {
        threads.contains { $0.record.stage == .committed && !$0.record.isFinal }
    }

    /// Every negotiation, sorted by number.
    public var records: [SwapRecord] { threads.map(\.record) }

    /// When it wants to be called.
    package var nextDeadline: Instant? {
        var next: Instant?
        for index in threads.lines.indices {
            guard let deadline = threads.lines[index].deadline else { continue }
            next = min(next ?? deadline, deadline)
        }
        return next
    }

    /// Whether any negotiation is still open.
    package var hasOpen: Bool {
        threads.lines.indices.contains { !threads.lines[$0].stage.isOver }
    }

    /// The parties of all open negotiations, with repetitions and this agent among them. Of
    /// requests that the user has not answered only the oldest few count, because strangers could
    /// otherwise take all links of a partial mesh. One that was declined without a word counts as
    /// one of these until its time is up: a link that ended earlier would tell.
    package func partners(at now: UTCTime) -> [PeerKey] {
        var keys: [PeerKey] = []
        var unanswered = 0
        for index in threads.lines.indices {
            let line = threads.lines[index]
            let isQuiet = line.isUnanswered || line.isDeclinedQuietly && line.expires > now.seconds
            guard isQuiet || !line.stage.isOver else { continue }
            if isQuiet { unanswered += 1 }
            if isQuiet, unanswered > Limits.guests { continue }
            keys += line.parties
        }
        return keys
    }

    /// Whether a READY or PREPARE waits until the log of `author` reaches a head named in it: then
    /// any entry of theirs, a chat line too, may be the one.
    package func awaits(_ author: PeerKey) -> Bool {
        threads.contains { thread in
            switch thread {
            case .coordinator(let machine):
                return machine.awaited.contains { $0.author == author }
            case .participant(let machine):
                return machine.awaited.contains { $0.author == author }
            }
        }
    }

    /// Takes one event in.
    package mutating func handle(
        _ event: SwapEvent, _ context: SwapContext, at now: Moment, random: inout SeededRandom
    ) -> SwapEffects {
        var effects = SwapEffects()
        unseen = unseen.filter { lock in
            !(context.fold.contract(lock.contract)?.votes.contains { $0.author == me } ?? false)
        }
        switch event {
        case .ask, .propose, .accept, .decline, .counter, .cancel, .replace, .force:
            let reply = user(event, context, &effects, at: now, random: &random)
            effects.reply = reply
        case .message(let message, let peer):
            receive(message, from: peer, context, &effects, at: now, random: &random)
        case .logsChanged:
            lookAgain(context, &effects, at: now, random: &random)
            endLost(context, &effects, at: now, random: &random)
            each(.changed, .changed, context, &effects, at: now, random: &random)
            finalise(context, &effects, at: now)
        case .recovered:
            reopen(context, at: now)
            endLost(context, &effects, at: now, random: &random)
            each(.recovered, .recovered, context, &effects, at: now, random: &random)
        case .tick: each(.tick, .tick, context, &effects, at: now, random: &random)
        case .linked(let peer):
            for index in threads.indices where threads.lines[index].parties.contains(peer) {
                step(index, .linked(peer), nil, context, &effects, at: now, random: &random)
                if threads[index].record.contract.coordinator == peer {
                    step(
                        index, nil, .linked(true), context, &effects, at: now, random: &random)
                }
            }
        case .unlinked(let peer):
            waiting.removeAll { $0.peer == peer }
            for index in threads.indices where threads.lines[index].parties.contains(peer) {
                step(
                    index, .unlinked(peer), nil, context, &effects, at: now, random: &random)
            }
            for index in threads.indices
            where threads[index].record.contract.coordinator == peer {
                step(index, nil, .linked(false), context, &effects, at: now, random: &random)
            }
            // The desk of a venue is not waited for any more.
            if context.venue != nil { finalise(context, &effects, at: now) }
        }
        forget(context, &effects)
        return effects
    }

    /// Rows that were closed while the own log was still being fetched, and a yes in it that nobody
    /// would answer for: they go on from there (docs/protocol.md section 16).
    private mutating func reopen(_ context: SwapContext, at now: Moment) {
        for index in threads.indices where threads.lines[index].stage.isOver {
            var record = threads[index].record
            guard record.stage != .committed else { continue }
            let tally = Tally(record.contract, me: me, context)
            guard tally.own?.yes == true, tally.outcome?.isLeft != true else { continue }
            record.lost = nil
            switch record.role {
            case .coordinator, .asked:
                record.stage = .offered
                threads[index] = .coordinator(Coordinator(stored: record, at: now))
            case .participant, .asker:
                record.stage = .invited
                threads[index] = .participant(Participant(stored: record, at: now))
            }
        }
    }

    private mutating func each(
        _ one: Coordinator.Event, _ other: Participant.Event, _ context: SwapContext,
        _ effects: inout SwapEffects, at now: Moment, random: inout SeededRandom
    ) {
        for index in threads.indices
        where !threads.lines[index].stage.isOver && !rests(index, other, context, at: now) {
            step(index, one, other, context, &effects, at: now, random: &random)
        }
    }

    /// Whether the machine has nothing to do: the user did not answer the request, no vote on it is
    /// known, and its time is not up. Strangers may make many such requests.
    private func rests(
        _ index: Int, _ event: Participant.Event, _ context: SwapContext, at now: Moment
    ) -> Bool {
        let line = threads.lines[index]
        guard line.isUnanswered, event == .tick || event == .changed,
            line.deadline.map({ $0 > now.instant }) ?? false
        else { return false }
        return context.fold.contract(line.contract) == nil
    }

    /// Gives one negotiation the event of its machine, `nil` for none, and keeps the locks in step.
    mutating func step(
        _ index: Int, _ one: Coordinator.Event?, _ other: Participant.Event?,
        _ context: SwapContext, _ effects: inout SwapEffects, at now: Moment,
        random: inout SeededRandom
    ) {
        let before = threads[index].record
        let tally = Tally(before.contract, me: me, context)
        var override = before.override
        // Of the asked, a yes goes on to PREPARE at once: by what this yes
        // says, not the one before.
        if case .accept(let knowing)? = one, before.stage == .requested { override = knowing }
        let check = VoteCheck(
            contract: before.contract, me: me, override: override, isConsented: true,
            wasKnown: before.wasKnown,
            locks: taken)
        var more = SwapEffects()
        switch threads[index] {
        case .coordinator(var machine):
            guard let one else { return }
            // Not from `random` itself: a no without a note must not move what is drawn later.
            var apart = random
            let facts = Coordinator.Facts(
                me: me, tally: tally, fault: check.fault(context), logs: context.logs,
                canAppend: context.canAppend,
                isCertifiable: before.contract.certificate(context.fold, context.logs) != nil,
                pause: apart.span(Limits.retryAfter), linked: context.linked)
            more = machine.handle(one, facts, at: now)
            threads[index] = .coordinator(machine)
        case .participant(var machine):
            guard let other else { return }
            if other.isConsent {
                machine.record.wasKnown = context.isKnown(before.contract.coordinator)
            }
            let facts = Participant.Facts(
                me: me, head: context.logs.head(of: me), tally: tally,
                fault: check.fault(context), logs: context.logs, canAppend: context.canAppend,
                isCertifiable: before.contract.certificate(context.fold, context.logs) != nil)
            more = machine.handle(other, facts, at: now)
            threads[index] = .participant(machine)
            if before.stage != .committed, machine.record.stage == .committed {
                more.appends += remints(machine.record.contract, context)
            }
        }
        let taking = more.locks.map(\.slot)
        unseen += more.locks
        more.locks.removeAll(where: locks.contains)
        locks = (locks + more.locks).filter { !more.unlocks.contains($0) }.sorted()
        effects.append(more)
        supersede(taking, before.number, context, &effects, at: now, random: &random)
    }

    /// Slots that no other contract gets a yes on.
    var taken: [SlotLock] { locks + unseen }

    /// A re-mint gives way when the old contract completes after all (docs/protocol.md section 16).
    private func remints(_ contract: Contract, _ context: SwapContext) -> [EntryBody] {
        let given = contract.legs.filter { $0.from == me }
            .compactMap { context.fold.token($0.token)?.seat }
        return context.fold.tokens.filter {
            $0.author == me && $0.holder == me && !$0.ended && $0.reminted
                && given.contains($0.seat)
        }
        .filter { token in !contract.legs.contains { $0.token == token.token } }
        .map { .retract($0.slot) }
    }

    /// Where the negotiation of a thread stands in the list.
    func index(of thread: ThreadID) -> Int? { threads.index(of: thread) }

    /// Forgets closed negotiations, oldest first, when there are too many; never a swap that was
    /// made, nor one on which the own log holds a vote.
    private mutating func forget(_ context: SwapContext, _ effects: inout SwapEffects) {
        guard threads.count > Limits.swaps else { return }
        var spare =
            threads.lines.indices.count { threads.lines[$0].stage != .committed } - Limits.swaps
        var index = 0
        // The last one says which number comes next.
        while spare > 0, index < threads.count - 1 {
            let line = threads.lines[index]
            guard line.stage.isOver, line.stage != .committed, !isVoted(line.contract, context)
            else {
                index += 1
                continue
            }
            effects.forgotten.append(threads[index].record)
            threads.remove(at: index)
            spare -= 1
        }
    }
}

extension Swaps {
    /// Who said yes to the own request of that number, as far as this agent knows now.
    public func consented(to number: Int) -> [PeerKey] {
        guard
            let index = threads.lines.indices.first(where: { threads.lines[$0].number == number }),
            case .coordinator(let machine) = threads[index],
            case .offered(let offered) = machine.state
        else { return [] }
        return offered.heads.map(\.author)
    }
}

extension Coordinator {
    /// Heads that the logs here have to reach before votes are asked for.
    var awaited: [LogHead] {
        switch state {
        case .offered(let offered): offered.heads
        case .agreed(let request): request.head.map { [$0] } ?? []
        case .countered, .requested, .preparing, .committed, .aborted, .closed: []
        }
    }
}

extension Participant {
    /// Heads of a PREPARE that the logs here do not reach yet.
    var awaited: [LogHead] {
        switch state {
        case .ready(let consent): consent.waiting ?? []
        case .asking(let asking): asking.waiting ?? []
        case .invited, .prepared, .stranded, .committed, .aborted, .closed: []
        }
    }
}
