// SPDX-License-Identifier: Apache-2.0
/// Routes messages of open sessions to the parts they are for, and passes on what links must know.
extension Node {
    mutating func route(
        _ message: Message, from id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let index = peers.all.place(of: id) else { return }
        let peer = peers.all[index].facts.peer
        let isPurposeful = message.type.traits.isPurposeful
        peers.carried(id, isPurposeful: isPurposeful, at: now.instant)
        if isPurposeful { mesh.becomeStale() }
        switch message {
        case .frontier(let frontier):
            compare(on: id, &effects, at: now) { $0.frontier(frontier, $1, at: now.instant) }
        case .summary(let summary):
            compare(on: id, &effects, at: now) { $0.summary(summary, $1, at: now.instant) }
        case .want(let want):
            let output = records.want(want, on: id, known(id), at: now.instant)
            deliver(output, on: id, &effects, at: now)
        case .have(let list):
            let output = records.have(list, on: id, known(id), at: now.instant)
            deliver(output, on: id, &effects, at: now)
            records.noteOwnLog(id)
            acknowledge(id, &effects, at: now)
        case .entries(let batch):
            take(batch.entries, kind: batch.kind, from: id, &effects, at: now)
        case .forkProof(let first, let second):
            takeProof(first, second, from: id, &effects, at: now)
        case .directMessage(let message, let text):
            take(message, text, from: peer, &effects, at: now)
        case .directAck(let message):
            talk(.acknowledged(message, by: peer), &effects, at: now)
        case .swap(let message):
            if let entries = message.entries {
                take(entries, kind: nil, from: id, &effects, at: now)
            }
            swapMessage(message, from: peer, &effects, at: now)
        case .lazy: records.handle(.lazy(id), at: now.instant)
        case .peerExchange(let hints): took(hints, from: id, at: now)
        case .peerChange(let hints): took(hints, isChange: true, from: id, at: now)
        case .relay(let message): relay(message, from: id, &effects, at: now)
        case .layout(let message): layout(message, from: id, &effects, at: now)
        case .venue(let message): venue(message, from: id, &effects, at: now)
        case .verify(let message):
            let exporter = peers.all[index].facts.exporter
            verify(
                .message(message, from: peer, exporter: exporter), &effects, at: now)
        case .hello, .helloAck, .ping, .pong, .close: break
        }
    }

    /// A peer said how far they are, by FRONTIER or SUMMARY: `judge` holds that against ours.
    private mutating func compare(
        on id: LinkID, _ effects: inout Effects, at now: Moment,
        _ judge: (inout Replication, Replication.Surroundings) -> Replication.Output
    ) {
        records.heard(at: now.instant)
        freshen(&effects, at: now)
        venue?.ledgers.refresh(records.logs)
        // What that sent may have ended this very link.
        let output = records.compare(on: id, known(id), at: now.instant, judge)
        guard let output else { return }
        records.noteOwnLog(id)
        deliver(output, on: id, &effects, at: now)
        acknowledge(id, &effects, at: now)
    }

    private mutating func takeProof(
        _ first: [UInt8], _ second: [UInt8], from id: LinkID, _ effects: inout Effects,
        at now: Moment
    ) {
        let result = records.insertProof(
            first, second, from: records.peer(of: id), at: now.instant)
        judge([result], from: id, &effects, at: now)
        tellProofs(except: id, &effects, at: now)
        // What comes behind it in the same bytes is held against the map: a
        // FRONTIER with this fork.
        if folding.isStale {
            folding.hurry()
            settle(&effects, at: now)
        }
    }

    /// Puts entries that a peer sent into the logs, and reports the results to the link.
    private mutating func take(
        _ entries: [[UInt8]], kind: EntryBatch.Kind?, from id: LinkID, _ effects: inout Effects,
        at now: Moment
    ) {
        let results = ingest(entries, from: id, &effects, at: now)
        if setup.venue != nil { credit(results, on: id, &effects, at: now) }
        // Also when something else in the batch is bad: a proof that is only in memory is lost.
        tellProofs(except: id, &effects, at: now)
        guard judge(results, from: id, &effects, at: now) else { return }
        folding.wait(patience(kind), at: now.instant)
        settle(&effects, at: now)
        let output = records.ingested(results, kind: kind, on: id, known(id), at: now.instant)
        deliver(output, on: id, &effects, at: now)
        if kind == .last { acknowledge(id, &effects, at: now) }
        confirm(results, from: id, &effects, at: now)
    }

    /// A card of this key says how long the own log is.
    mutating func ownLength(_ length: Int, _ effects: inout Effects) {
        guard records.learnOwnLength(length) else { return }
        effects.notices.append(.trouble(.keyRunsTwice))
    }

    /// Puts entries that came from a meeting point into the logs. Nobody is blamed for bad ones:
    /// what brought them is no peer (docs/meet.md section 3).
    mutating func mailed(_ entries: [[UInt8]], _ effects: inout Effects, at now: Moment) {
        let results = ingest(entries, from: nil, &effects, at: now)
        tellProofs(except: nil, &effects, at: now)
        folding.wait(patience(.answer), at: now.instant)
        // A session that brings them once more answers nothing, since they are known by then.
        tellHaving(results, &effects, at: now)
    }

    /// Asks all peers for the last own entry, to learn who has it.
    mutating func probeOwnLog(_ effects: inout Effects, at now: Moment) {
        for id in records.lines.map(\.id) {
            guard let output = records.probe(id, at: now.instant) else { continue }
            deliver(output, on: id, &effects, at: now)
        }
    }

    /// Where this is the desk: tells the author of each commit that it has it, also if another
    /// brought it.
    private mutating func confirm(
        _ results: [Insertion], from id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let venue, venue.ledgers.leading?.author == me else { return }
        let peer = records.peer(of: id)
        let brought = results.filter {
            if case .added(let entry) = $0 { entry.author != peer } else { false }
        }
        tellHaving(brought, &effects, at: now)
    }

    /// Tells the author of each commit that it is here, if they are linked: their swap is final
    /// once they know (docs/protocol.md sections 17 and 32).
    private mutating func tellHaving(
        _ results: [Insertion], _ effects: inout Effects, at now: Moment
    ) {
        for case .added(let entry) in results {
            guard case .commit = entry.body else { continue }
            let have = Have(author: entry.author, seq: entry.seq)
            send(.have([have]), to: entry.author, &effects, at: now)
        }
    }

    /// Tells a session how many entries have joined a ledger: those count less.
    private mutating func credit(
        _ results: [Insertion], on id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        let joined = results.count {
            if case .added(let entry) = $0 { records.isLedger(entry.author) } else { false }
        }
        if joined > 0 { session(id, .ledger(joined), &effects, at: now) }
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
        !swaps.hasOpen && records.isFarBehind
    }

    /// The peer said how much of our log they have: a commit may have become final.
    private mutating func acknowledge(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        let isNews = records.acknowledge(id)
        let isDesk = venue != nil && venue?.ledgers.leading?.author == records.peer(of: id)
        guard isNews || isDesk && swaps.awaitsFinal else { return }
        negotiate(.logsChanged, &effects, at: now)
    }

    /// Lets a link ask for what it is now known to have.
    mutating func pull(_ id: LinkID, _ effects: inout Effects, at now: Moment) {
        deliver(records.pull(id, known(id), at: now.instant), on: id, &effects, at: now)
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
        for proof in records.takeFreshProofs() {
            effects.writes.append(.forkProof(proof))
            effects.notices.append(.trouble(.fork(proof)))
            folding.becomeStale()
            venue?.ledgers.becomeStale()
            venue?.desk?.hasNewLogs = true
            suggested.votersChanged()
            if let log = records.logs.log(of: proof.author) {
                talk.cut(log)
                fellows.cut(log)
                seeAgain(&effects, at: now)
            }
            if proof.author == me, records.shut(.forked) {
                effects.notices.append(.trouble(.ownFork(proof)))
            }
            for link in peers.all where link.isOpen && link.id != id {
                session(
                    link.id,
                    .send(.forkProof(first: proof.first.bytes, second: proof.second.bytes)),
                    &effects, at: now)
            }
        }
    }

    /// Lets every link's replication do what is due.
    mutating func replicate(_ effects: inout Effects, at now: Moment) {
        if venue != nil, records.isRoundDue(at: now.instant) {
            venue?.ledgers.refresh(records.logs)
        }
        for id in records.due(at: now.instant) {
            let output = records.flush(id, known(id), random: &random, at: now.instant)
            deliver(output, on: id, &effects, at: now)
        }
    }

    private mutating func deliver(
        _ output: Replication.Output?, on id: LinkID, _ effects: inout Effects, at now: Moment
    ) {
        guard let output else { return }
        if output.diverged, let place = peers.all.place(of: id) {
            effects.notices.append(.trouble(.divergence(peers.all[place].facts.peer)))
        }
        for message in output.messages { session(id, .send(message), &effects, at: now) }
        for author in output.leftOut { records.leave(author) }
        guard output.released else { return }
        for other in records.openLinks(beside: id) { pull(other, &effects, at: now) }
    }

    /// What replication on a link may know of the rest.
    private func known(_ id: LinkID) -> Records.Facts {
        var room = 0
        // Not in a closure, which would copy the whole core to look at it.
        if let place = peers.all.place(of: id) { room = peers.all[place].session.bulkRoom }
        return Records.Facts(room: room, map: venue?.ledgers.digest ?? folding.mapDigest)
    }
}
