// SPDX-License-Identifier: Apache-2.0
/// The logs in the core: own entries are appended, received ones are judged, and both
/// are stored and passed on.
extension Node {
    /// The first entries of a new log, and claims for seats that have none.
    mutating func introduce(_ effects: inout Effects, at now: Moment) {
        if logs.seq(of: me) == 0 {
            _ = append(.genesis(name: setup.name, agent: setup.agent), &effects, at: now)
        }
        let known = fold.tokens.filter { !$0.ended && ($0.author == me || $0.holder == me) }
        for (index, seat) in setup.seats.enumerated()
        where !known.contains(where: { $0.seat == seat }) {
            _ = append(.claim(seat: seat, dependant: index > 0), &effects, at: now)
        }
    }

    /// Signs and appends an entry of ours; `nil` when the log is shut or the entry not allowed.
    mutating func append(
        _ body: EntryBody, _ effects: inout Effects, at now: Moment
    ) -> Entry? {
        guard gate.isOpen else { return nil }
        guard
            let entry = try? logs.appendOwn(
                body, flight: flightKey.id, signer: setup.signer, codec: codec)
        else { return nil }
        took(entry, &effects, at: now)
        if case .chat = body { talk.spoke(at: now.instant) }
        pass(entry, beside: nil, at: now)
        return entry
    }

    /// An entry is in the logs: to the store, into the history, into the fold.
    private mutating func took(_ entry: Entry, _ effects: inout Effects, at now: Moment) {
        effects.writes.append(.entry(entry, seen: now.utc))
        shares.took(entry.bytes.count, of: entry.author)
        for notice in talk.record(entry, seen: now.utc) where !isHidden(notice) {
            effects.notices.append(notice)
        }
        frontierCache = nil
        let isAwaited = swaps.awaits(entry.author)
        if case .vouch = entry.body, people.isVerified(entry.author) {
            effects.notices.append(.map)
        }
        if entry.seq == 1 { suggest(.authorCame, &effects, at: now) }
        // What they ask, and are asked, is over.
        if entry.body == .end {
            suggested.votersChanged()
            isFoldStale = true
        }
        if entry.body.matters || logs.isBeforeAnchored(entry) || isAwaited { isFoldStale = true }
    }

    /// Passes an entry on to every link but the one on which it came.
    private mutating func pass(_ entry: Entry, beside link: LinkID?, at now: Moment) {
        let due = now.instant + random.span(Limits.announceAfter)
        for index in peers.indices where peers[index].id != link {
            peers[index].replication.grew(entry, announceAt: due)
        }
    }

    /// Judges entries that a peer sent. Returns the result for each.
    mutating func ingest(
        _ entries: [[UInt8]], from link: LinkID, _ effects: inout Effects, at now: Moment
    ) -> [Insertion] {
        weigh(at: now.instant)
        var admission = admission
        defer { self.admission = admission }
        let peer = peers.place(of: link).map { peers[$0].facts.peer } ?? me
        let flight = flightKey.id
        return entries.map { bytes in
            // Asked of authors who are unknown here, and of entries that would be added.
            let insertion = logs.insert(
                bytes, flight: flight, codec: codec,
                admits: {
                    admission.admits(
                        $0, from: peer, isMet: peers.isOpen(to: $0), among: $1, at: now.instant)
                },
                takes: { entry in
                    let room = shares.room(
                        for: entry.author, seq: entry.seq, isLinked: peers.isOpen(to: entry.author))
                    return entry.bytes.count <= room
                })
            switch insertion {
            case .added(let entry):
                took(entry, &effects, at: now)
                if entry.author == me { foundOwn(&effects) }
                pass(entry, beside: link, at: now)
                for next in logs.takeRejoined() { pass(next, beside: link, at: now) }
                if logs.seq(of: entry.author) > entry.seq { isFoldStale = true }
            case .fork: frontierCache = nil
            case .leftOut(let entry): shares.leave(entry.author, entry.bytes.count)
            case .known, .gap, .branches, .delayed, .refused: break
            }
            return insertion
        }
    }

    /// A fork proof that a peer sent; as ``ingest(_:from:_:at:)``.
    mutating func ingestProof(
        _ first: [UInt8], _ second: [UInt8], from link: LinkID, at now: Moment
    ) -> Insertion {
        var admission = admission
        defer { self.admission = admission }
        let peer = peers.place(of: link).map { peers[$0].facts.peer } ?? me
        let met = peers.openKeys
        return logs.insertProof(first, second, flight: flightKey.id, codec: codec) {
            admission.admits($0, from: peer, isMet: met.contains($0), among: $1, at: now.instant)
        }
    }

    /// The last place of the own log that a vote in anybody's certificate shows, or that the own
    /// disk held when it was damaged; 0 for none.
    var lastSigned: Int {
        var last = ownSeqOnDisk
        for state in fold.contracts {
            for vote in state.votes where vote.author == me { last = max(last, vote.seq) }
        }
        return last
    }

    /// How far the peer on that link says that the own log goes.
    mutating func noteOwnLog(_ id: LinkID) {
        // An open gate stays open, or is shut for good.
        guard gate.isCatchingUp, let place = peers.place(of: id) else { return }
        gate.told(of: peers[place].replication.claimed(of: me))
    }

    /// A peer sent an entry of ours that we did not have. Either an old copy of the log runs here,
    /// and we adopt the entry while the gate is still closed; or the key runs twice.
    private mutating func foundOwn(_ effects: inout Effects) {
        guard gate.isOpen, gate.shut(.keyRunsTwice) else { return }
        effects.notices.append(.trouble(.keyRunsTwice))
    }
}
