// SPDX-License-Identifier: Apache-2.0
/// One passenger asks one other: whoever is asked coordinates (docs/protocol.md section 16).
extension Swaps {
    /// ASK came.
    mutating func asked(
        _ ask: Ask, _ peer: PeerKey, _ context: SwapContext, _ effects: inout SwapEffects,
        at now: Moment, random: inout SeededRandom
    ) {
        let known = index(of: ask.thread)
        guard !context.blocked.contains(peer), ask.head.author == peer,
            known != nil || mayAsk(peer, at: now) && !context.hasLeft(peer),
            let contract = try? Contract(ask.contract, primitives: primitives),
            contract.flight == flight, contract.coordinator == me, contract.parties.count == 2,
            contract.parties.contains(peer)
        else { return }
        // One contract is one negotiation, and an ASK never changes.
        if let index = known ?? threads.index(of: contract.id) {
            let record = threads[index].record
            guard record.thread == ask.thread, record.contract.id == contract.id,
                record.role == .asked
            else { return }
            step(index, .asked(ask.told), nil, context, &effects, at: now, random: &random)
            return
        }
        stopWaiting(for: ask.thread, of: peer)
        guard holds(contract, context) else {
            return wait(for: .ask(ask), contract, expires: ask.expires, from: peer, at: now)
        }
        guard makeRoom(for: peer, context, &effects, at: now) else { return }
        let record = SwapRecord(
            number: nextNumber, thread: ask.thread, role: .asked, contract: contract,
            stage: .requested, note: ask.note, created: now.utc,
            expires: UTCTime(seconds: now.utc.seconds &+ Int64(ask.expires)))
        let deadline = now.instant + .seconds(Int64(ask.expires))
        let word = ownWord(for: contract.legs, besides: record.number, context, at: now)
        guard let word else {
            take(record, ask.told, until: deadline, &effects)
            effects.notices.append(SwapNotice(record: record, what: .requested))
            return
        }
        // Both asked for the same. Of two ASKs one stands.
        guard threads.lines[word].stage != .asking || me < peer else {
            return take(record, ask.told, until: deadline, &effects)
        }
        agree(record, ask.told, until: deadline, by: word, &effects)
        step(
            word, .superseded(by: record.number), .superseded(by: record.number), context,
            &effects, at: now, random: &random)
        let index = threads.count - 1
        step(index, .changed, nil, context, &effects, at: now, random: &random)
        keepPromise(index, context, &effects, at: now, random: &random)
    }

    /// Whoever asked for it has said yes to it, for as long as their own word would have stood.
    private mutating func agree(
        _ asked: SwapRecord, _ head: LogHead?, until deadline: Instant, by word: Int,
        _ effects: inout SwapEffects
    ) {
        let said = threads[word]
        var record = asked
        record.stage = .agreed
        record.override = said.record.override
        record.expires = min(record.expires, said.record.expires)
        take(record, head, until: min(deadline, said.lapses ?? deadline), &effects)
    }

    private mutating func take(
        _ record: SwapRecord, _ head: LogHead?, until deadline: Instant,
        _ effects: inout SwapEffects
    ) {
        threads.append(.coordinator(Coordinator(asked: record, head: head, deadline: deadline)))
        effects.records.append(record)
    }

    /// The user asks one other passenger. Where that one asked for the very
    /// same, it is a yes to that.
    mutating func ask(
        _ legs: [Leg], _ note: String, _ expires: Int?, _ override: Bool, _ context: SwapContext,
        _ effects: inout SwapEffects, at now: Moment, random: inout SeededRandom
    ) throws(SwapRefusal) -> Int {
        try window(context)
        guard let other = legs.flatMap({ [$0.from, $0.to] }).first(where: { $0 != me }) else {
            throw .badContract
        }
        let contract = try contract(legs, coordinator: other, random: &random)
        guard contract.parties.count == 2, contract.parties.contains(me) else {
            throw .badContract
        }
        try check(contract, context, override: override)
        let again = threads.lastIndex { thread in
            thread.record.stage == .requested && thread.record.contract.legs == contract.legs
        }
        try moveYes(
            for: contract.legs, to: again, context, &effects, at: now, random: &random)
        if let index = again {
            if let word = standing(beside: threads[index].record, context, at: now) {
                return sayAgain(
                    word, override: override, context, &effects, at: now, random: &random)
            }
            step(
                index, .accept(override: override), nil, context, &effects, at: now,
                random: &random)
            keepPromise(index, context, &effects, at: now, random: &random)
            return threads[index].record.number
        }
        if let first = standing(for: contract.legs) { throw .askedAlready(first) }
        try unpromised(contract)
        try stuck(contract.parties, override)
        guard threads.ownOpen < Limits.ownRequests else { throw .tooMany }
        let most = Int(Limits.offerTimeMax.wholeSeconds)
        let seconds = min(max(1, expires ?? Int(Limits.offerTime.wholeSeconds)), most)
        var record = SwapRecord(
            number: nextNumber, thread: ThreadID(random: &random), role: .asker,
            contract: contract, stage: .asking, note: note, created: now.utc,
            expires: UTCTime(seconds: now.utc.seconds &+ Int64(seconds)))
        record.override = override
        record.wasKnown = context.isKnown(other)
        let deadline = now.instant + .seconds(Int64(seconds))
        threads.append(.participant(Participant(asking: record, deadline: deadline)))
        effects.records.append(record)
        step(
            threads.count - 1, nil, .linked(true), context, &effects, at: now, random: &random)
        return record.number
    }
}

extension Ask {
    /// The head of the asker's log, which an ASK by letter does not tell: whoever has a seat to
    /// give has a log.
    fileprivate var told: LogHead? { head.seq > 0 ? head : nil }
}
