// SPDX-License-Identifier: Apache-2.0
/// The logs in the core: own entries are appended, received ones are judged, and both
/// are stored and passed on.
extension Node {
    /// The first entries of a new log, and claims for seats that have none.
    mutating func introduce(_ effects: inout Effects, at now: Moment) {
        // Whoever only looks, books, or says where they are has no log in a venue of thousands.
        guard setup.venue == nil else { return beginLedger(&effects, at: now) }
        if records.logs.seq(of: me) == 0 {
            _ = append(.genesis(name: setup.name, agent: setup.agent), &effects, at: now)
        }
        let known = folding.fold.tokens.filter { !$0.ended && ($0.author == me || $0.holder == me) }
        for (index, seat) in setup.seats.enumerated()
        where !known.contains(where: { $0.seat == seat }) {
            _ = append(.claim(seat: seat, dependant: index > 0), &effects, at: now)
        }
    }

    /// Signs and appends an entry of ours; `nil` when the log is shut or the entry not allowed.
    mutating func append(
        _ body: EntryBody, _ effects: inout Effects, at now: Moment
    ) -> Entry? {
        beginLog(&effects, at: now)
        guard let entry = records.append(body) else { return nil }
        took(entry, &effects, at: now)
        if case .chat = body { talk.spoke(at: now.instant) }
        pass(entry, beside: nil, at: now)
        return entry
    }

    /// In a venue a log begins when its author has something to write, or says yes to a swap.
    mutating func beginLog(_ effects: inout Effects, at now: Moment) {
        guard setup.venue != nil, records.logs.seq(of: me) == 0,
            let first = records.append(.genesis(name: setup.name, agent: setup.agent))
        else { return }
        took(first, &effects, at: now)
        pass(first, beside: nil, at: now)
    }

    /// An entry is in the logs: to the store, into the history, into the fold.
    private mutating func took(_ entry: Entry, _ effects: inout Effects, at now: Moment) {
        effects.writes.append(.entry(entry, seen: now.utc))
        if venue?.desk != nil, entry.author == me { venue?.desk?.wrote(entry, at: now.utc) }
        // Asked of the part: a question to the whole core would copy it for each notice.
        for notice in talk.record(entry, seen: now.utc) where !people.hides(notice) {
            effects.notices.append(notice)
        }
        tellParty(entry, &effects, at: now)
        if entry.ledger != nil { heardLedger(entry, at: now) }
        let isAwaited = swaps.awaits(entry.author)
        if case .vouch = entry.body, people.isVerified(entry.author) {
            effects.notices.append(.map)
        }
        if entry.seq == 1 { suggest(.authorCame, &effects, at: now) }
        // What they ask, and are asked, is over.
        if entry.body == .end {
            suggested.votersChanged()
            folding.becomeStale()
        }
        if entry.body.matters || records.logs.isBeforeAnchored(entry) || isAwaited {
            folding.becomeStale()
        }
    }

    /// Passes an entry on to every link but the one on which it came.
    private mutating func pass(_ entry: Entry, beside link: LinkID?, at now: Moment) {
        let due = now.instant + random.span(Limits.announceAfter)
        records.pass(entry, beside: link, announceAt: due)
    }

    /// Judges entries that a peer sent, or a meeting point (no link). Returns the result for each.
    mutating func ingest(
        _ entries: [[UInt8]], from link: LinkID?, _ effects: inout Effects, at now: Moment
    ) -> [Insertion] {
        weigh(at: now.instant)
        let peer = link.map { records.peer(of: $0) }
        var results: [Insertion] = []
        for bytes in entries {
            for insertion in records.insert(bytes, from: peer, at: now.instant) {
                results.append(insertion)
                guard case .added(let entry) = insertion else { continue }
                took(entry, &effects, at: now)
                if entry.author == me { foundOwn(&effects) }
                pass(entry, beside: link, at: now)
                for next in records.takeRejoined() { pass(next, beside: link, at: now) }
                if records.logs.seq(of: entry.author) > entry.seq { folding.becomeStale() }
            }
        }
        return results
    }

    /// A peer sent an entry of ours that we did not have. Either an old copy of the log runs here,
    /// and we adopt the entry while the gate is still closed; or the key runs twice.
    private mutating func foundOwn(_ effects: inout Effects) {
        guard records.gate.isOpen, records.shut(.keyRunsTwice) else { return }
        effects.notices.append(.trouble(.keyRunsTwice))
    }

    /// All logs known.
    package var logs: LogSet { records.logs }
}
