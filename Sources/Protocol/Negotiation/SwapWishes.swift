// SPDX-License-Identifier: Apache-2.0
/// What the user may do with negotiations, and why not.
extension Swaps {
    mutating func user(
        _ event: SwapEvent, _ context: SwapContext, _ effects: inout SwapEffects, at now: Moment,
        random: inout SeededRandom
    ) -> Result<Int, SwapRefusal> {
        do throws(SwapRefusal) {
            if case .propose(let legs, let note, let expires, let override) = event {
                return propose(
                    legs, note, expires, override, context, &effects, at: now, random: &random)
            }
            if case .ask(let legs, let note, let expires, let override) = event {
                return .success(
                    try ask(
                        legs, note, expires, override, context, &effects, at: now,
                        random: &random))
            }
            guard let number = event.number,
                let index = threads.firstIndex(where: { $0.record.number == number })
            else { throw .noSuchRequest(event.number ?? 0) }
            try open(threads[index].record, context)
            let (one, other) = try machineEvents(
                event, threads[index].record, context, random: &random)
            if case .accept(_, let override, _) = event, threads.lines[index].parties.count == 2 {
                if let word = standing(beside: threads[index].record, context, at: now) {
                    return .success(
                        sayAgain(
                            word, override: override, context, &effects, at: now,
                            random: &random))
                }
                try moveYes(
                    for: threads.lines[index].legs, to: index, context, &effects, at: now,
                    random: &random)
            }
            step(index, one, other, context, &effects, at: now, random: &random)
            if case .accept = event {
                keepPromise(index, context, &effects, at: now, random: &random)
            }
            return .success(number)
        } catch {
            return .failure(error)
        }
    }

    /// Whether the user may still decide: not where the log holds their vote, which the row knows
    /// nothing of while an old copy catches up.
    private func open(_ record: SwapRecord, _ context: SwapContext) throws(SwapRefusal) {
        switch record.stage {
        case .offered, .countered, .invited, .counterSent, .ready, .asking, .requested, .agreed:
            guard Tally(record.contract, me: me, context).own != nil else { return }
            throw context.canAppend ? .alreadyAnswered(record) : .logClosed
        case .preparing, .prepared, .stranded, .committed, .aborted, .declined, .withdrawn,
            .expired:
            return
        }
    }

    /// The user's wish as an event for either machine, or why it is refused.
    private func machineEvents(
        _ event: SwapEvent, _ record: SwapRecord, _ context: SwapContext,
        random: inout SeededRandom
    ) throws(SwapRefusal) -> (Coordinator.Event?, Participant.Event?) {
        switch event {
        case .accept(_, let override, let seen):
            try accept(record, override, context)
            let present = record.stage == .countered ? record.counter?.id : record.contract.id
            // A yes may have waited for the log while another offer came.
            guard seen == nil || seen == present else { throw .check(.otherContract) }
            return (.accept(override: override), .accept(override: override))
        case .decline(_, let note):
            switch record.stage {
            case .countered, .invited, .counterSent, .ready, .requested, .agreed: break
            case .offered, .asking, .preparing, .prepared, .stranded: throw .notYours(record)
            case .committed, .aborted, .declined, .withdrawn, .expired:
                throw .alreadyAnswered(record)
            }
            return (.decline(note: note), .decline(note: note))
        case .counter(_, let legs, let note, let override):
            switch record.stage {
            case .invited, .counterSent, .requested: break
            case .offered, .countered, .asking, .preparing: throw .notYours(record)
            case .ready, .agreed, .prepared, .stranded, .committed, .aborted, .declined,
                .withdrawn, .expired:
                throw .alreadyAnswered(record)
            }
            try window(context)
            // The coordinator's answer takes one more revision.
            guard record.revision + 2 <= Limits.revisions else { throw .tooMany }
            let other = try contract(
                legs, coordinator: record.contract.coordinator, random: &random)
            guard other.parties == record.contract.parties else { throw .badContract }
            let first =
                standing(for: other.legs, besides: record.number)
                ?? waiting(for: other.legs, besides: record.number)
            if let first { throw .askedAlready(first) }
            try unpromised(other)
            try check(other, context, override: override)
            return (
                .propose(other, note: note, override: override),
                .counter(other, note: note, override: override)
            )
        case .cancel:
            switch record.stage {
            case .offered, .countered, .preparing, .ready, .asking, .agreed: break
            case .invited, .counterSent, .requested: throw .notYours(record)
            case .prepared, .stranded, .committed, .aborted, .declined, .withdrawn, .expired:
                throw .alreadyAnswered(record)
            }
            return (.cancel, .cancel)
        case .replace:
            // What all have answered, or what the user is asked about, goes on.
            guard record.stage == .offered || record.stage == .asking else {
                throw .notYours(record)
            }
            return (.replaced, .cancel)
        case .force:
            guard record.stage == .prepared, record.isStuck else { throw .notStranded(record) }
            guard context.venue == nil else { throw .onlyDesk(record) }
            guard context.canAppend else { throw .logClosed }
            let given = record.contract.legs.filter { $0.from == me }
            let claims = context.logs.log(of: me)?.claims ?? 0
            // Never the retract without the claim.
            guard claims + given.count <= Limits.claimsPerAuthor else { throw .logClosed }
            return (nil, .force(given.compactMap { context.fold.token($0.token) }))
        case .ask, .propose, .message, .logsChanged, .linked, .unlinked, .recovered, .tick:
            return (nil, nil)
        }
    }

    private mutating func propose(
        _ legs: [Leg], _ note: String, _ expires: Int?, _ override: Bool,
        _ context: SwapContext, _ effects: inout SwapEffects, at now: Moment,
        random: inout SeededRandom
    ) -> Result<Int, SwapRefusal> {
        do throws(SwapRefusal) {
            try window(context)
            let contract = try contract(legs, coordinator: me, random: &random)
            if let first = standing(for: contract.legs) { throw .askedAlready(first) }
            try unpromised(contract)
            try check(contract, context, override: override)
            guard threads.ownOpen < Limits.ownRequests else { throw .tooMany }
            let most = Int(Limits.offerTimeMax.wholeSeconds)
            let seconds = min(max(1, expires ?? Int(Limits.offerTime.wholeSeconds)), most)
            var record = SwapRecord(
                number: nextNumber, thread: ThreadID(random: &random), role: .coordinator,
                contract: contract, stage: .offered, note: note, created: now.utc,
                expires: UTCTime(seconds: now.utc.seconds &+ Int64(seconds)))
            record.override = override
            let machine = Coordinator(record, deadline: now.instant + .seconds(Int64(seconds)))
            threads.append(.coordinator(machine))
            effects.records.append(record)
            machine.propose(to: record.others(than: me), &effects, at: now)
            return .success(record.number)
        } catch {
            return .failure(error)
        }
    }

    var nextNumber: Int { (threads.lines.last?.number ?? 0) + 1 }

    private func accept(
        _ record: SwapRecord, _ override: Bool, _ context: SwapContext
    ) throws(SwapRefusal) {
        switch record.stage {
        case .invited, .requested: break
        case .countered:
            guard let counter = record.counter else { throw .alreadyAnswered(record) }
            try window(context)
            return try check(counter, context, override: override)
        case .offered, .asking, .preparing: throw .notYours(record)
        case .counterSent, .ready, .agreed, .prepared, .stranded, .committed, .aborted, .declined,
            .withdrawn, .expired:
            throw .alreadyAnswered(record)
        }
        try window(context)
        guard
            record.stage == .requested
                || records.count(where: { $0.stage == .ready }) < Limits.readyAtOnce
        else {
            throw .tooManyReady
        }
        if record.stage == .invited { try stuck(record.contract.parties, override) }
        try check(record.contract, context, override: override)
    }

    /// Refuses a second yes that would wait for the same party, while a yes waits too long for
    /// their vote, unless the user overrides.
    func stuck(_ parties: [PeerKey], _ override: Bool) throws(SwapRefusal) {
        guard !override else { return }
        let grief = records.first { other in
            other.isStuck && !other.stage.isOver
                && other.others(than: me).contains(where: parties.contains)
        }
        if let grief { throw .strandedWith(grief.contract.coordinator) }
    }

    func window(_ context: SwapContext) throws(SwapRefusal) {
        switch context.window {
        case .early(let seconds): throw .windowEarly(seconds)
        case .closed(let seconds): throw .windowClosed(seconds)
        case .open, nil: break
        }
    }

    /// A contract that no negotiation here uses yet: one contract is one negotiation, and its vote
    /// is never given twice. Nonces that repeat, as on a copied machine, are skipped.
    func contract(
        _ legs: [Leg], coordinator: PeerKey, random: inout SeededRandom
    ) throws(SwapRefusal) -> Contract {
        for _ in 0..<Limits.swaps {
            let made = Contract(
                flight: flight, coordinator: coordinator, nonce: ThreadID(random: &random),
                legs: legs, primitives: primitives)
            guard let made else { break }
            if threads.index(of: made.id) == nil { return made }
        }
        throw .badContract
    }

    func check(
        _ contract: Contract, _ context: SwapContext, override: Bool
    ) throws(SwapRefusal) {
        let check = VoteCheck(
            contract: contract, me: me, override: override, isConsented: false, locks: taken)
        switch check.fault(context) {
        case nil: return
        case .busy: throw .promised
        case .blocked(let peer): throw .blocked(peer)
        case .some(let fault): throw .check(fault)
        }
    }
}

extension SwapEvent {
    /// The number of the negotiation that the user means.
    fileprivate var number: Int? {
        switch self {
        case .accept(let number, _, _), .decline(let number, _), .counter(let number, _, _, _),
            .cancel(let number), .replace(let number), .force(let number):
            number
        case .ask, .propose, .message, .logsChanged, .linked, .unlinked, .recovered, .tick: nil
        }
    }
}
