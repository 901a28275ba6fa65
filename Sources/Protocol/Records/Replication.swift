/// Keeps one link's two ends at the same logs: digests, wants, answers, pushes (protocol.md 4.2, 5.3).
///
/// Pull only: entries go out against a WANT with a budget; pushes are a favour that may get lost. Whatever
/// is lost, the next round of anti-entropy repairs.
package struct Replication: Sendable {
    /// What the peer is known to have, by author.
    private var theirs: [PeerKey: Int] = [:]
    /// What the peer said himself that he has: what was only pushed is not among it.
    private var confirmed: [PeerKey: Int] = [:]
    /// The want that is under way.
    private var asked: (until: Instant, stretches: [Want.Stretch])?
    /// What the peer wants, still to be sent, and the bytes left of his budget.
    private var owed: (stretches: [Want.Stretch], budget: Int)?
    /// Own entries to push, and authors to announce.
    private var pushes: [Entry] = []
    private var announcements: [PeerKey] = []
    private var announceAt: Instant?
    private var nextRound: Instant
    /// Looks for the first difference in one author's branches: between two places of his log.
    private var bisection: (author: PeerKey, same: Int, differs: Int)?
    private var lastDigest: Bytes32?

    /// What the rest of the core knows when it calls.
    package struct Surroundings {
        /// All logs.
        package let logs: LogSet
        /// Their frontier.
        package let frontier: Frontier
        /// Digest of the map.
        package let map: Bytes32
        /// Bytes that the session takes in bulk.
        package let room: Int
    }

    /// What a link's replication asks for.
    package struct Output: Hashable, Sendable {
        /// Messages, in order.
        package var messages: [Message] = []
        /// Equal logs gave another map at the peer.
        package var diverged = false

        /// Nothing.
        package init() {}
    }

    /// A link just opened.
    package init(at now: Instant) { nextRound = now }

    /// When it wants to be called.
    package var nextDeadline: Instant? {
        min(nextRound, asked?.until ?? nextRound, announceAt ?? nextRound)
    }

    // MARK: What happened elsewhere

    /// A log grew: our own entries are pushed, others announced where the peer may lack them.
    package mutating func grew(
        _ entry: Entry, own: Bool, random: inout SeededRandom, at now: Instant
    ) {
        guard (theirs[entry.author] ?? 0) < entry.seq else { return }
        if own {
            pushes.append(entry)
        } else if !announcements.contains(entry.author) {
            announcements.append(entry.author)
            if announceAt == nil { announceAt = now + random.span(Limits.announceAfter) }
        }
    }

    /// The session had no room for a push: the next round comes soon.
    package mutating func lostPush(at now: Instant) {
        nextRound = min(nextRound, now + .seconds(1))
    }

    /// How much of `author`'s log the peer said that he has.
    package func confirmed(_ author: PeerKey) -> Int { confirmed[author] ?? 0 }

    /// The peer sent `entry`, or we know from elsewhere that he has it.
    package mutating func has(_ author: PeerKey, _ seq: Int) {
        theirs[author] = max(theirs[author] ?? 0, seq)
    }

    /// What the peer's entries came to.
    package mutating func ingested(
        _ results: [Insertion], last: Bool, _ here: Surroundings, at now: Instant
    ) -> Output {
        var output = Output()
        for result in results {
            switch result {
            case .added(let entry):
                has(entry.author, entry.seq)
                // Whoever committed waits for one other agent to hold his certificate (7.6).
                if case .commit = entry.body {
                    output.messages.append(.have([Have(author: entry.author, seq: entry.seq)]))
                }
            case .known(let author, let seq):
                has(author, seq)
                narrow(author, seq, same: true)
            case .branches(let author, let seq):
                if bisection == nil { bisection = (author, 0, seq - 1) }
            case .fork(let proof):
                narrow(proof.author, proof.seq, same: false)
                output.messages.append(
                    .forkProof(first: proof.first.bytes, second: proof.second.bytes))
            case .gap(let author, let seq): has(author, seq)
            case .refused: break
            }
        }
        if last { asked = nil }
        ask(&output, here, at: now)
        return output
    }

    /// A proof is known here: the peer gets it.
    package func proved(_ proof: ForkProof) -> Message {
        .forkProof(first: proof.first.bytes, second: proof.second.bytes)
    }

    // MARK: What the peer says

    /// FRONTIER came.
    package mutating func frontier(
        _ message: FrontierMessage, _ here: Surroundings, at now: Instant
    ) -> Output {
        var output = Output()
        guard message.logs != here.frontier.digest else {
            output.diverged = message.map != here.map
            for item in here.frontier.items {
                has(item.author, item.seq)
                confirmed[item.author] = item.seq
            }
            return output
        }
        guard let items = message.items else {
            output.messages.append(.frontier(list(here)))
            return output
        }
        for item in items { compare(item, here, &output) }
        // What he does not name at all he lacks; proofs travel by themselves.
        for log in here.logs.logs {
            guard let proof = log.proof else { continue }
            let his = items.first { $0.author == log.author }?.fork ?? 0
            if his == 0 || his > proof.seq { output.messages.append(proved(proof)) }
        }
        announce(missing: items, here, &output)
        ask(&output, here, at: now)
        return output
    }

    /// HAVE came.
    package mutating func have(_ list: [Have], _ here: Surroundings, at now: Instant) -> Output {
        var output = Output()
        for have in list {
            has(have.author, have.seq)
            confirmed[have.author] = max(confirmed[have.author] ?? 0, have.seq)
        }
        ask(&output, here, at: now)
        return output
    }

    /// WANT came: a later one replaces what is left of an earlier one.
    package mutating func want(_ want: Want, _ here: Surroundings) -> Output {
        owed = (want.stretches, want.budget)
        var output = Output()
        answer(&output, here)
        return output
    }

    // MARK: By itself

    /// Everything that is due: pushes, announcements, rounds, slices of an answer.
    package mutating func flush(
        _ here: Surroundings, random: inout SeededRandom, at now: Instant
    ) -> Output {
        var output = Output()
        push(&output)
        if let due = announceAt, due <= now {
            announceAt = nil
            let list = announcements.compactMap { author -> Have? in
                let seq = here.logs.head(of: author).seq
                guard seq > 0, (theirs[author] ?? 0) < seq else { return nil }
                return Have(author: author, seq: seq)
            }
            announcements = []
            for start in stride(from: 0, to: list.count, by: Limits.stretches) {
                output.messages.append(.have(Array(list[start...].prefix(Limits.stretches))))
            }
        }
        if let asked, asked.until <= now {
            self.asked = nil
            bisection = nil
            nextRound = now
        }
        if nextRound <= now {
            let half = TimeSpan(nanoseconds: Limits.antiEntropy.nanoseconds / 2)
            nextRound = now + half + random.span(.zero...Limits.antiEntropy)
            output.messages.append(
                .frontier(
                    FrontierMessage(logs: here.frontier.digest, map: here.map, items: nil)))
        }
        answer(&output, here)
        return output
    }

    // MARK: Asking

    private mutating func compare(
        _ item: FrontierItem, _ here: Surroundings, _ output: inout Output
    ) {
        theirs[item.author] = item.seq
        confirmed[item.author] = item.seq
        guard let log = here.logs.log(of: item.author),
            let ours = log.entry(at: item.seq), ours.id.raw.prefix8 != item.head8
        else { return }
        // Another entry at a place that we know: a fork at or before it.
        if bisection == nil { bisection = (item.author, 0, item.seq) }
    }

    private mutating func narrow(_ author: PeerKey, _ seq: Int, same: Bool) {
        guard var search = bisection, search.author == author else { return }
        if same {
            search.same = max(search.same, seq)
        } else {
            search.differs = min(search.differs, seq)
        }
        bisection =
            search.differs - search.same > 1 || !same && search.differs > search.same + 1
            ? search : nil
        if !same, search.differs == search.same + 1 { bisection = nil }
    }

    /// One WANT at a time: the search for a fork first, then whatever the peer has more of.
    private mutating func ask(_ output: inout Output, _ here: Surroundings, at now: Instant) {
        guard asked == nil else { return }
        var stretches: [Want.Stretch] = []
        if let search = bisection, search.differs > search.same {
            let middle = max(search.same + 1, (search.same + search.differs) / 2)
            stretches.append(Want.Stretch(author: search.author, from: middle, through: middle))
        }
        for author in theirs.keys.sorted() where stretches.count < Limits.stretches {
            guard let seq = theirs[author], author != bisection?.author else { continue }
            let log = here.logs.log(of: author)
            let ours = log?.seq ?? 0
            let through = min(seq, (log?.fork).map { $0 - 1 } ?? seq)
            if ours < through {
                stretches.append(Want.Stretch(author: author, from: ours + 1, through: through))
            }
        }
        guard !stretches.isEmpty else { return }
        asked = (now + Limits.wantTime, stretches)
        output.messages.append(.want(Want(budget: Limits.wantBudget, stretches: stretches)))
    }

    private func list(_ here: Surroundings) -> FrontierMessage {
        FrontierMessage(logs: here.frontier.digest, map: here.map, items: here.frontier.items)
    }

    /// After a full list: what the peer lacks is announced, so that he asks.
    private mutating func announce(
        missing items: [FrontierItem], _ here: Surroundings, _ output: inout Output
    ) {
        var list: [Have] = []
        for item in here.frontier.items where (theirs[item.author] ?? 0) < item.seq {
            list.append(Have(author: item.author, seq: item.seq))
        }
        for start in stride(from: 0, to: list.count, by: Limits.stretches) {
            output.messages.append(.have(Array(list[start...].prefix(Limits.stretches))))
        }
    }

    // MARK: Sending

    private mutating func push(_ output: inout Output) {
        let entries = pushes.filter { (theirs[$0.author] ?? 0) < $0.seq }
        pushes = []
        for slice in Self.slices(entries.map(\.bytes)) {
            output.messages.append(.entries(EntryBatch(kind: .push, entries: slice)))
        }
        for entry in entries { has(entry.author, entry.seq) }
    }

    /// Slices of what is owed, as far as there is room: never the whole answer in memory.
    private mutating func answer(_ output: inout Output, _ here: Surroundings) {
        guard var debt = owed else { return }
        var room = here.room
        while room >= 2 * Limits.bulkSlice {
            let slice = nextSlice(&debt, here)
            let isLast = debt.stretches.isEmpty || debt.budget <= 0
            room -= slice.reduce(64) { $0 + $1.count + 3 }
            output.messages.append(
                .entries(EntryBatch(kind: isLast ? .last : .answer, entries: slice)))
            if isLast {
                owed = nil
                return
            }
        }
        owed = debt
    }

    private func nextSlice(
        _ debt: inout (stretches: [Want.Stretch], budget: Int), _ here: Surroundings
    ) -> [[UInt8]] {
        var slice: [[UInt8]] = []
        var size = 0
        while let stretch = debt.stretches.first, debt.budget > 0,
            slice.count < Limits.entriesPerFrame
        {
            guard stretch.from <= stretch.through,
                let entry = here.logs.log(of: stretch.author)?.entry(at: stretch.from)
            else {
                debt.stretches.removeFirst()
                continue
            }
            guard slice.isEmpty || size + entry.bytes.count <= Limits.bulkSlice else { break }
            slice.append(entry.bytes)
            size += entry.bytes.count
            debt.budget -= entry.bytes.count
            debt.stretches[0].from += 1
        }
        return slice
    }

    private static func slices(_ entries: [[UInt8]]) -> [[[UInt8]]] {
        var slices: [[[UInt8]]] = []
        var size = 0
        for bytes in entries {
            if slices.isEmpty || size + bytes.count > Limits.bulkSlice
                || slices[slices.count - 1].count == Limits.entriesPerFrame
            {
                slices.append([])
                size = 0
            }
            slices[slices.count - 1].append(bytes)
            size += bytes.count
        }
        return slices
    }
}
