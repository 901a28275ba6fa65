// SPDX-License-Identifier: Apache-2.0
/// Messages of peers about negotiations. A message that does not fit is ignored; the
/// tables say when a no is due.
extension Swaps {
    /// Whether a message can change nothing here, whatever its contract says: found before anything
    /// is read or folded for it, since a stranger may send it as often as they like.
    package func ignores(_ message: SwapMessage, from peer: PeerKey, at now: Moment) -> Bool {
        switch message {
        case .propose(let proposal):
            return threads.index(of: proposal.thread) == nil
                && (Contract.countOfParties(proposal.contract) == 2 || !mayAsk(peer, at: now))
        case .ask(let ask): return threads.index(of: ask.thread) == nil && !mayAsk(peer, at: now)
        case .ready(let ready): return threads.index(of: ready.thread) == nil
        case .decline(let decline): return threads.index(of: decline.thread) == nil
        case .prepare(let prepare): return threads.index(of: prepare.thread) == nil
        case .withdraw(let withdraw):
            return threads.index(of: withdraw.thread) == nil
                && !waiting.contains { $0.peer == peer && $0.request.thread == withdraw.thread }
        case .query, .certificate, .vote, .status: return false
        }
    }

    mutating func receive(
        _ message: SwapMessage, from peer: PeerKey, _ context: SwapContext,
        _ effects: inout SwapEffects, at now: Moment, random: inout SeededRandom
    ) {
        switch message {
        case .propose(let proposal):
            proposed(proposal, peer, context, &effects, at: now, random: &random)
        case .ask(let ask): asked(ask, peer, context, &effects, at: now, random: &random)
        case .ready(let ready):
            forward(ready.thread, peer, context, &effects, at: now, random: &random) { _ in
                (.ready(peer, ready.contract, ready.head), nil)
            }
        case .decline(let decline):
            forward(decline.thread, peer, context, &effects, at: now, random: &random) { record in
                let refused: Participant.Event? =
                    record.contract.coordinator == peer ? .refused(note: decline.note) : nil
                let isPresent = decline.revision == record.revision
                return (isPresent ? .declined(peer, note: decline.note) : nil, refused)
            }
        case .withdraw(let withdraw):
            if withdraw.reason != .lapsed { stopWaiting(for: withdraw.thread, of: peer) }
            forward(withdraw.thread, peer, context, &effects, at: now, random: &random) { record in
                let gone: Participant.Event? =
                    record.contract.coordinator == peer ? .withdrawn(withdraw.reason) : nil
                let isOver = withdraw.reason == .cancelled || withdraw.reason == .expired
                let one: Coordinator.Event =
                    record.role == .asked && isOver ? .gone(withdraw.reason) : .withdrawn(peer)
                return (one, gone)
            }
        case .prepare(let prepare):
            guard index(of: prepare.thread) != nil,
                let asked = try? Contract(prepare.contract, primitives: primitives)
            else { return }
            forward(prepare.thread, peer, context, &effects, at: now, random: &random) { record in
                record.contract.coordinator == peer
                    ? (nil, .prepare(asked.id, prepare.heads)) : (nil, nil)
            }
        case .query(let contract):
            if let index = threads.index(of: contract),
                threads.lines[index].parties.contains(peer)
            {
                step(index, nil, .queried, context, &effects, at: now, random: &random)
            }
            status(contract, to: peer, context, &effects)
        case .certificate(let certificate): wantVotes(certificate, from: peer, &effects)
        case .vote, .status: break
        }
    }

    /// Gives a message of a known thread to its machine, if its sender is a party.
    private mutating func forward(
        _ thread: ThreadID, _ peer: PeerKey, _ context: SwapContext,
        _ effects: inout SwapEffects, at now: Moment, random: inout SeededRandom,
        _ events: (SwapRecord) -> (Coordinator.Event?, Participant.Event?)
    ) {
        guard let index = index(of: thread),
            threads.lines[index].parties.contains(peer)
        else { return }
        let (one, other) = events(threads[index].record)
        step(index, one, other, context, &effects, at: now, random: &random)
    }

    private mutating func proposed(
        _ proposal: Proposal, _ peer: PeerKey, _ context: SwapContext,
        _ effects: inout SwapEffects, at now: Moment, random: inout SeededRandom
    ) {
        let known = index(of: proposal.thread)
        guard !context.blocked.contains(peer),
            known != nil || mayAsk(peer, at: now) && !context.hasLeft(peer),
            let contract = try? Contract(proposal.contract, primitives: primitives),
            contract.flight == flight, contract.parties.contains(me),
            contract.parties.contains(peer)
        else { return }
        // One contract is one negotiation: a second would get a lock, a vote and an end of its own.
        if let other = threads.index(of: contract.id), other != known { return }
        stopWaiting(for: proposal.thread, of: peer)
        if let known {
            let record = threads[known].record
            guard record.contract.coordinator == contract.coordinator,
                record.contract.parties == contract.parties
            else { return }
            if record.isNews(contract), !holds(contract, context) {
                guard record.contract.parties.contains(peer) else { return }
                return wait(
                    for: .propose(proposal), contract, expires: proposal.expires, from: peer,
                    at: now)
            }
            let counter: Coordinator.Event = .counter(
                peer, contract, revision: proposal.revision, note: proposal.note)
            let revised: Participant.Event? =
                peer == contract.coordinator ? .proposed(proposal, contract) : nil
            step(known, counter, revised, context, &effects, at: now, random: &random)
            // The own counter-offer was adopted: making it was the user's yes.
            if record.stage == .counterSent, threads[known].record.stage == .ready {
                keepPromise(known, context, &effects, at: now, random: &random)
            }
            return
        }
        // Nothing can come of it without each party's signature.
        guard contract.coordinator == peer, !contract.parties.contains(where: context.hasLeft)
        else { return }
        guard holds(contract, context) else {
            return wait(
                for: .propose(proposal), contract, expires: proposal.expires, from: peer, at: now)
        }
        guard makeRoom(for: peer, context, &effects, at: now) else { return }
        var record = SwapRecord(
            number: nextNumber, thread: proposal.thread, role: .participant, contract: contract,
            stage: .invited, note: proposal.note, created: now.utc,
            expires: UTCTime(seconds: now.utc.seconds &+ Int64(proposal.expires)))
        record.revision = proposal.revision
        let deadline = now.instant + .seconds(Int64(proposal.expires))
        threads.append(.participant(Participant(record, deadline: deadline)))
        effects.records.append(record)
        effects.notices.append(SwapNotice(record: record, what: .requested))
    }

    /// QUERY is answered to parties only, with what is known.
    private func status(
        _ id: ContractID, to peer: PeerKey, _ context: SwapContext, _ effects: inout SwapEffects
    ) {
        let contract =
            context.fold.contract(id)?.contract
            ?? records.first { $0.contract.id == id }?.contract
        guard let contract, contract.parties.contains(peer), contract.parties.contains(me) else {
            return
        }
        let isDecided = records.contains { $0.contract.id == id && $0.stage == .committed }
        effects.sends.append(
            isDecided ? .certificate(id, to: [peer]) : .status(id, to: [peer]))
    }

    /// A certificate came: asks for those of its votes that the logs lack.
    private func wantVotes(
        _ certificate: Certificate, from peer: PeerKey, _ effects: inout SwapEffects
    ) {
        let codec = codec
        for bytes in certificate.votes {
            guard let entry = try? codec.decode(bytes), entry.flight == flight else { continue }
            effects.wants.append(
                SwapWant(
                    from: peer,
                    head: LogHead(author: entry.author, seq: entry.seq, id: entry.id)))
        }
    }

    // MARK: Final

    /// Reports "you may move" once only a proven cheat could undo the swap
    /// (docs/protocol.md section 17).
    mutating func finalise(
        _ context: SwapContext, _ effects: inout SwapEffects, at now: Moment
    ) {
        for index in threads.indices where threads.lines[index].stage == .committed {
            let record = threads[index].record
            guard !record.isFinal, Finality.isFinal(record.contract, me: me, context)
            else { continue }
            switch threads[index] {
            case .coordinator(var machine):
                machine.finalised(&effects, at: now)
                threads[index] = .coordinator(machine)
            case .participant(var machine):
                machine.finalised(&effects, at: now)
                threads[index] = .participant(machine)
            }
        }
    }
}

extension SwapRecord {
    /// Whether a PROPOSE with that contract puts something else on the table: not what is there
    /// already, and not where nothing can come of it any more.
    fileprivate func isNews(_ other: Contract) -> Bool {
        !stage.isOver && other.id != contract.id && other.id != counter?.id
    }
}
