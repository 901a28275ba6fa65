// SPDX-License-Identifier: Apache-2.0
/// Routes messages of open sessions to the parts they are for, and passes on what links must know.
extension Node {
    mutating func route(
        _ message: Message, from id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let index = peers.place(of: id) else { return }
        let peer = peers[index].facts.peer
        peers[index].hasCarried = true
        if message.type.traits.isPurposeful {
            peers[index].usedAt = now.instant
            isOverlayStale = true
        }
        switch message {
        case .frontier(let frontier): take(frontier, from: id, &effects, at: now)
        case .want(let want):
            let here = here(id, asking: false, at: now)
            deliver(peers[index].replication.want(want, here), on: id, &effects, at: now)
        case .have(let list):
            let asking = peers[index].replication.mayAsk(hearing: list, logs)
            let here = here(id, asking: asking, at: now)
            deliver(
                peers[index].replication.have(list, here, at: now.instant), on: id, &effects,
                at: now)
            noteOwnLog(id)
            acknowledge(id, &effects, at: now)
        case .entries(let batch):
            take(batch.entries, kind: batch.kind, from: id, &effects, at: now)
        case .forkProof(let first, let second):
            takeProof(first, second, from: id, &effects, at: now)
        case .directMessage(let message, let text):
            take(message, text, from: peer, &effects, at: now)
        case .directAck(let message):
            for message in outbox.acknowledged(message, by: peer) { changed(message, &effects) }
        case .swap(let message):
            if let entries = message.entries {
                take(entries, kind: nil, from: id, &effects, at: now)
            }
            swapMessage(message, from: peer, &effects, at: now)
        case .lazy: peers[index].replication.lazy()
        case .peerExchange(let hints): took(hints, from: id, at: now)
        case .relay(let message): relay(message, from: id, &effects, at: now)
        case .layout(let message): layout(message, from: id, &effects, at: now)
        case .verify(let message):
            let exporter = peers[index].facts.exporter
            verify(
                .message(message, from: peer, exporter: exporter), &effects, at: now)
        case .hello, .helloAck, .ping, .pong, .close: break
        }
    }

    private mutating func take(
        _ frontier: FrontierMessage, from id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        gate.heard(at: now.instant)
        freshen(&effects, at: now)
        // What that sent may have ended this very link.
        guard let index = peers.place(of: id) else { return }
        let output = peers[index].replication.frontier(
            frontier, here(id, telling: true, at: now), at: now.instant)
        noteOwnLog(id)
        deliver(output, on: id, &effects, at: now)
        acknowledge(id, &effects, at: now)
    }

    private mutating func takeProof(
        _ first: [UInt8], _ second: [UInt8], from id: LinkID, _ effects: inout Effects,
        at now: Moment
    ) {
        let result = ingestProof(first, second, from: id, at: now)
        judge([result], from: id, &effects, at: now)
        tellProofs(except: id, &effects, at: now)
        // What comes behind it in the same bytes is held against the map: a
        // FRONTIER with this fork.
        if isFoldStale {
            foldBy = nil
            settle(&effects, at: now)
        }
    }

    private mutating func take(
        _ message: ThreadID, _ text: String, from peer: PeerKey, _ effects: inout Effects,
        at now: Moment
    ) {
        guard !blockedKeys.contains(peer) else { return }
        let output = outbox.receive(
            message, text, from: peer, room: roomForMessages(of: peer, at: now.instant), at: now)
        if output.isLeftOut { letters.leave(peer, DirectMessage.cost(text)) }
        for message in output.changed {
            letters.took(DirectMessage.cost(message.text), of: peer)
            changed(message, &effects)
        }
        for reply in output.sends { send(reply, to: peer, &effects, at: now) }
    }

    /// Puts entries that a peer sent into the logs, and reports the results to the link.
    private mutating func take(
        _ entries: [[UInt8]], kind: EntryBatch.Kind?, from id: LinkID, _ effects: inout Effects,
        at now: Moment
    ) {
        let results = ingest(entries, from: id, &effects, at: now)
        // Also when something else in the batch is bad: a proof that is only in memory is lost.
        tellProofs(except: id, &effects, at: now)
        guard judge(results, from: id, &effects, at: now) else { return }
        foldBy = patience(kind).map { foldBy ?? now.instant + $0 }
        settle(&effects, at: now)
        guard let index = peers.place(of: id) else { return }
        let asking = peers[index].replication.mayAsk(after: results, kind: kind, logs)
        let here = here(id, asking: asking, at: now)
        let output = peers[index].replication.ingested(
            results, kind: kind, here, at: now.instant)
        deliver(output, on: id, &effects, at: now)
    }

    /// How long the fold may wait for more after entries of this kind; `nil`
    /// where it is made at once.
    private func patience(_ kind: EntryBatch.Kind?) -> TimeSpan? {
        switch kind {
        case .answer: isFarBehind ? Limits.foldWhileBehind : Limits.foldAfter
        case .last: isFarBehind ? Limits.foldWhileBehind : nil
        case .push, nil: nil
        }
    }

    /// Whether a peer has so much more than we that logs and certificates have gaps, so that each
    /// answer would cause a full fold. An open swap does not wait for that.
    private var isFarBehind: Bool {
        guard !swaps.hasOpen else { return false }
        return peers.indices.contains {
            peers[$0].isOpen && peers[$0].replication.lacks(moreThan: Limits.behind, logs)
        }
    }

    /// The peer said how much of our log they have: a commit may have become final.
    private mutating func acknowledge(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        guard let place = peers.place(of: id) else { return }
        let confirmed = peers[place].replication.confirmed(me)
        guard confirmed > acknowledged else { return }
        let said = min(confirmed, logs.seq(of: me))
        guard said > acknowledged else { return }
        acknowledged = said
        negotiate(.logsChanged, &effects, at: now)
    }

    /// Lets a link ask for what it is now known to have.
    mutating func pull(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        guard let index = peers.place(of: id), peers[index].replication.mayAsk(logs) else { return }
        let output = peers[index].replication.have([], here(id, at: now), at: now.instant)
        deliver(output, on: id, &effects, at: now)
    }

    /// Ends the link of a neighbour who sent what no honest agent sends; tells whether it stands.
    @discardableResult
    private mutating func judge(
        _ results: [Insertion], from id: LinkID, _ effects: inout Effects, at now: Moment
    ) -> Bool {
        for case .refused(let fault) in results where fault.blamesSender {
            session(id, .close(.badEntry, ""), &effects, at: now)
            return false
        }
        return true
    }

    /// Stores, reports and passes on the proofs found since the last call.
    mutating func tellProofs(except id: LinkID?, _ effects: inout Effects, at now: Moment) {
        for proof in logs.takeFreshProofs() {
            effects.writes.append(.forkProof(proof))
            effects.notices.append(.trouble(.fork(proof)))
            isFoldStale = true
            isTallyStale = true
            if let log = logs.log(of: proof.author) { history.cut(log) }
            if proof.author == me, gate.shut(.forked) {
                effects.notices.append(.trouble(.ownFork(proof)))
            }
            for link in peers where link.isOpen && link.id != id {
                session(
                    link.id,
                    .send(.forkProof(first: proof.first.bytes, second: proof.second.bytes)),
                    &effects, at: now)
            }
        }
    }

    /// Lets every link's replication do what is due.
    mutating func replicate(_ effects: inout Effects, at now: Moment) {
        var due: [LinkID] = []
        for place in peers.indices
        where peers[place].isOpen && peers[place].replication.isDue(at: now.instant) {
            due.append(peers[place].id)
        }
        for id in due {
            guard let index = peers.place(of: id) else { continue }
            let isRound = peers[index].replication.isRoundDue(at: now.instant)
            let asking = peers[index].replication.mayAsk(at: now.instant)
            let here = here(id, telling: isRound, asking: asking, at: now)
            let output = peers[index].replication.flush(
                here, random: &random, at: now.instant)
            deliver(output, on: id, &effects, at: now)
        }
    }

    private mutating func deliver(
        _ output: Replication.Output, on id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        if output.diverged, let link = peers.first(where: { $0.id == id }) {
            effects.notices.append(.trouble(.divergence(link.facts.peer)))
        }
        for message in output.messages { session(id, .send(message), &effects, at: now) }
        for author in output.leftOut { shares.leave(author) }
        guard output.released else { return }
        var others: [LinkID] = []
        for place in peers.indices where peers[place].isOpen && peers[place].id != id {
            others.append(peers[place].id)
        }
        for other in others { pull(other, &effects, at: now) }
    }

    /// What replication may know. The frontier is hashed again only if a log changed and it is
    /// about to be sent or compared, since that costs as much as checking an entry. Without
    /// `asking`, what other links ask for is left out, which would take a look at all links.
    private mutating func here(
        _ id: LinkID, telling: Bool = false, asking: Bool = true, at now: Moment
    ) -> Replication.Surroundings {
        if telling, frontierCache == nil {
            frontierCache = Frontier(logs, primitives: setup.primitives)
        }
        var here = Replication.Surroundings(
            logs: logs, frontier: telling ? frontierCache : nil, map: mapDigest, room: 0)
        guard let place = peers.place(of: id) else { return here }
        here.room = peers[place].session.bulkRoom
        here.isForAsking = asking
        guard asking else { return here }
        for index in peers.indices where index != place && peers[index].replication.isAsking {
            here.askedElsewhere.formUnion(peers[index].replication.askedAuthors)
        }
        // The own log is fetched from all who have more of it: one who is slow must not be all that
        // is asked before the gate opens (docs/protocol.md section 10).
        if gate.isCatchingUp { here.askedElsewhere.remove(me) }
        here.met = peers.openKeys
        here.newcomers = admission.room(for: peers[place].facts.peer, at: now.instant)
        here.shares = shares
        return here
    }

    /// A message's row changed: stored and told.
    mutating func changed(_ message: DirectMessage, _ effects: inout Effects) {
        effects.writes.append(.message(message))
        effects.notices.append(.message(message))
    }
}
