// SPDX-License-Identifier: Apache-2.0
/// What a link asks its peer for: more of the logs, and the first place where two branches differ.
extension Replication {
    /// Another entry at a place that we know: a fork at or before it.
    mutating func compare(_ item: FrontierItem, _ here: Surroundings) {
        guard let log = here.logs.log(of: item.author),
            let ours = log.entry(at: item.seq), ours.id.raw.prefix8 != item.head8
        else { return }
        if bisection == nil { bisection = (item.author, 0, item.seq) }
    }

    mutating func narrow(_ author: PeerKey, _ seq: Int, same: Bool) {
        guard var search = bisection, search.author == author else { return }
        if same {
            search.same = max(search.same, seq)
        } else {
            search.differs = min(search.differs, seq)
        }
        bisection = search.same < search.differs ? search : nil
    }

    /// The place to look at next: in the middle between what is equal and what differs. The
    /// place that differs is looked at too, until a proof stands there or before; `nil`
    /// where the search is over.
    private func nextPlace(_ logs: LogSet) -> Int? {
        guard let search = bisection else { return nil }
        let fork = logs.log(of: search.author)?.fork ?? Int.max
        let last = min(search.differs, fork - 1)
        guard search.same < last else { return nil }
        return min(last, max(search.same + 1, (search.same + search.differs) / 2))
    }

    /// Sends one WANT at a time: the search for a fork first, then whatever the peer has more of.
    mutating func ask(_ output: inout Output, _ here: Surroundings, at now: Instant) {
        guard asked == nil else { return }
        assert(forgetsNobody(here), "an author of whom the peer has more is not asked for")
        guard bisection != nil || !raised.isEmpty else { return }
        var stretches: [Want.Stretch] = []
        if let search = bisection, let place = nextPlace(here.logs) {
            stretches.append(Want.Stretch(author: search.author, from: place, through: place))
        } else {
            bisection = nil
        }
        // Logs sorted by author and what the peer has more of: never the order of a hash table.
        var lacking: [PeerKey] = []
        for author in raised where claimed(of: author) > here.logs.seq(of: author) {
            lacking.append(author)
        }
        raised = Set(lacking)
        var newcomers = here.newcomers.count
        var budget = 0
        for author in inTurn(lacking, here) where stretches.count < Limits.stretches {
            guard let seq = theirs.seq(of: author), author != bisection?.author,
                !resting.contains(author), !here.askedElsewhere.contains(author)
            else { continue }
            let log = here.logs.log(of: author)
            let ours = log?.seq ?? 0
            let room = here.room(for: author, seq: ours + 1)
            guard room > 0 else {
                // Over their share: left alone like one of whom nothing came.
                resting.append(author)
                output.leftOut.append(author)
                continue
            }
            if log == nil, !here.met.contains(author) {
                guard newcomers > 0 else {
                    // No room now: asked for when there is, and not sent in vain before.
                    askAt = here.newcomers.more
                    continue
                }
                newcomers -= 1
            }
            let through = min(seq, (log?.fork).map { $0 - 1 } ?? seq)
            if ours < through {
                budget = min(Limits.wantBudget, budget + min(room, Limits.wantBudget))
                stretches.append(Want.Stretch(author: author, from: ours + 1, through: through))
            }
        }
        guard !stretches.isEmpty else { return }
        assert(here.isForAsking, "asks without knowing what else is asked for")
        asked = (now + Limits.wantTime, stretches)
        // The search for a fork costs one entry, and no more is asked for than is kept.
        if bisection != nil { budget = min(Limits.wantBudget, budget + Limits.entry) }
        output.messages.append(.want(Want(budget: budget, stretches: stretches)))
    }

    /// Asks for an entry that is here: whoever sends it has it, and all before it. `nil` while
    /// something else is asked for, and where the peer said so already.
    mutating func probe(_ author: PeerKey, _ seq: Int, at now: Instant) -> Output? {
        guard asked == nil, confirmed(author) < seq else { return nil }
        let stretch = Want.Stretch(author: author, from: seq, through: seq)
        asked = (now + Limits.wantTime, [stretch])
        probed = (author, seq)
        var output = Output()
        output.messages.append(.want(Want(budget: Limits.entry, stretches: [stretch])))
        return output
    }

    /// Whoever is linked comes first, then the others; each sorted. What one linked agent says of
    /// itself must not wait behind the long logs of others: a newcomer would see no name for a
    /// minute.
    private func inTurn(_ authors: [PeerKey], _ here: Surroundings) -> [PeerKey] {
        let sorted = authors.sorted()
        return sorted.filter(here.met.contains) + sorted.filter { !here.met.contains($0) }
    }

    /// Stops asking, until the next round, for authors of whom nothing came. Otherwise a peer whose
    /// entries are refused would be asked for them again and again.
    mutating func rest(_ here: Surroundings) {
        for stretch in asked?.stretches ?? []
        where stretch.author != bisection?.author
            && here.logs.seq(of: stretch.author) < stretch.from
        {
            resting.append(stretch.author)
        }
        // An answer that brought the search no further will not do so the next time either.
        if let search = bisection, let place = nextPlace(here.logs),
            asked?.stretches.contains(
                Want.Stretch(author: search.author, from: place, through: place)) == true
        {
            resting.append(search.author)
            bisection = nil
        }
    }

    /// Whether the look at those who were raised finds all that a look at everyone would.
    private func forgetsNobody(_ here: Surroundings) -> Bool {
        theirs.allSatisfy { author, seq in
            seq <= here.logs.seq(of: author) || raised.contains(author)
                || here.logs.log(of: author)?.fork != nil
        }
    }

    /// Whether the peer has more than `count` entries more than we, as far as they say and have not
    /// failed to send them. What a fork cut off counts as little as in a WANT.
    func lacks(moreThan count: Int, _ logs: LogSet) -> Bool {
        var lacking = 0
        for author in raised where !resting.contains(author) {
            let log = logs.log(of: author)
            let through = min(claimed(of: author), (log?.fork).map { $0 - 1 } ?? Int.max)
            lacking += max(0, through - (log?.seq ?? 0))
            if lacking > count { return true }
        }
        return false
    }

    // Both are asked of links in place: a call would copy them.

    /// Whether a WANT is under way.
    @inline(__always)
    package var isAsking: Bool { asked != nil }

    /// Whether the next look at what the peer has may come to a WANT, when they say `list`. Most
    /// say what others have said before.
    @inline(__always)
    package func mayAsk(hearing list: [Have] = [], _ logs: LogSet) -> Bool {
        guard asked == nil else { return false }
        return bisection != nil || !raised.isEmpty
            || list.contains { $0.seq > logs.seq(of: $0.author) }
    }

    /// The same when entries came to `results`, in the last slice of an answer too.
    @inline(__always)
    package func mayAsk(
        after results: [Insertion], kind: EntryBatch.Kind?, _ logs: LogSet
    ) -> Bool {
        guard asked == nil || kind == .last else { return false }
        return bisection != nil || !raised.isEmpty
            || results.contains { result in
                switch result {
                case .added: false
                case .known(let author, let seq): seq > logs.seq(of: author)
                case .gap, .branches, .fork, .delayed, .leftOut, .refused: true
                }
            }
    }

    /// Whether ``flush(_:random:at:)`` may ask.
    @inline(__always)
    package func mayAsk(at now: Instant) -> Bool { askAt.map { $0 <= now } ?? false }

    /// Authors that this link asks for now.
    package var askedAuthors: [PeerKey] { asked?.stretches.map(\.author) ?? [] }
}
