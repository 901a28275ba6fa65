// SPDX-License-Identifier: Apache-2.0
/// The logs of all authors of one flight, sorted by author, with every fork that they show.
///
/// Any two entries of one author at one place that ever came here, alone or embedded in an anchor,
/// have become a proof: the fold takes forks from proofs alone.
package struct LogSet: Hashable, Sendable {
    /// Sorted by author, each author once.
    package private(set) var logs: [AuthorLog] = []
    /// Entries known from anchors, by author and seq: compared with whatever comes later.
    private var anchored: [PeerKey: [Int: Entry]] = [:]

    /// Entries of one's own store that stand behind one that was damaged there, by author and seq.
    private var parked: [PeerKey: [Int: Entry]] = [:]
    /// Parked entries that joined their logs since ``takeRejoined()`` was last called.
    private var rejoined: [Entry] = []

    /// Proofs found since ``takeFreshProofs()`` was last called, oldest first.
    private var fresh: [ForkProof] = []

    /// No logs.
    package init() {}

    /// Returns the proofs found since the last call, to be stored and reported.
    package mutating func takeFreshProofs() -> [ForkProof] {
        defer { fresh = [] }
        return fresh
    }

    /// The log of `author`; `nil` for an unknown one. O(log n).
    package func log(of author: PeerKey) -> AuthorLog? {
        let index = position(of: author)
        return index < logs.count && logs[index].author == author ? logs[index] : nil
    }

    /// The length of `author`'s log; 0 for an unknown author. O(log n).
    package func seq(of author: PeerKey) -> Int {
        let index = position(of: author)
        return index < logs.count && logs[index].author == author ? logs[index].seq : 0
    }

    /// The head of `author`'s log; seq 0 for an unknown author.
    package func head(of author: PeerKey) -> LogHead {
        log(of: author)?.head ?? LogHead(author: author, seq: 0, id: EntryID(.zero))
    }

    /// Whether everything up to `head` is known here.
    package func reaches(_ head: LogHead) -> Bool {
        head.seq == 0 || log(of: head.author)?.entry(at: head.seq)?.id == head.id
    }

    /// The strongest proof per author, sorted by author.
    package var proofs: [ForkProof] { logs.compactMap(\.proof) }

    /// Judges and takes an entry as it came from a peer. Costs a signature check per new entry.
    ///
    /// `admits` is asked about an author who has no log here, with the number of those who have
    /// one; `takes` about each entry that would be added, before its signature is checked, but for
    /// those of ledgers.
    package mutating func insert(
        _ bytes: [UInt8], flight: FlightID, codec: EntryCodec,
        admits: (PeerKey, Int) -> Bool = { _, _ in true }, takes: (Entry) -> Bool = { _ in true }
    ) -> Insertion {
        let check = EntryCheck(codec: codec, flight: flight)
        do throws(EntryFault) {
            let entry = try check.decode(bytes)
            return try insert(entry, check, admits, takes)
        } catch {
            return .refused(error)
        }
    }

    private mutating func insert(
        _ entry: Entry, _ check: EntryCheck, _ admits: (PeerKey, Int) -> Bool,
        _ takes: (Entry) -> Bool
    ) throws(EntryFault) -> Insertion {
        // Judged apart, so that no copy of the log is held while it grows.
        let verdict = try judge(entry, check, admits, takes)
        switch verdict {
        case .added: break
        case .fork(let proof):
            return insert(proof: proof) ? verdict : .known(entry.author, entry.seq)
        case .known, .gap, .branches, .delayed, .leftOut, .refused: return verdict
        }
        update(entry.author) { $0.append(entry) }
        anchor(entry)
        rejoined += rejoin(entry.author)
        return .added(entry)
    }

    /// Judges the entry without changing anything.
    private func judge(
        _ entry: Entry, _ check: EntryCheck, _ admits: (PeerKey, Int) -> Bool,
        _ takes: (Entry) -> Bool
    ) throws(EntryFault) -> Insertion {
        // By its place: a log that may be there is copied at each look.
        let place = logs.position(of: entry.author, by: \.author)
        guard place != nil || logs.count < Limits.authors else { throw .authors }
        let log = place.map { logs[$0] } ?? AuthorLog(author: entry.author)
        if let fork = log.fork, entry.seq >= fork { return try beyondFork(entry, log) }
        if let ours = log.entry(at: entry.seq) {
            guard let proof = ForkProof(ours, entry) else {
                return .known(entry.author, entry.seq)
            }
            try check.signatures(entry, known: holds)
            return .fork(proof)
        }
        guard entry.seq == log.seq + 1 else { return .gap(entry.author, entry.seq) }
        guard entry.previous == log.entries.last?.id else {
            return .branches(entry.author, entry.seq)
        }
        try check.caps(entry, after: log)
        try check.body(entry, after: log)
        guard place != nil || admits(entry.author, logs.count) else {
            return .delayed(entry.author, entry.seq)
        }
        // What a ledger says is needed by all, and bounded by its caps.
        guard log.isLedger || takes(entry) else { return .leftOut(entry) }
        let other = anchored[entry.author]?[entry.seq]
        try check.signatures(entry) { $0 === entry ? other == entry : holds($0) }
        if let other, let proof = ForkProof(other, entry) { return .fork(proof) }
        return .added(entry)
    }

    /// Whether these very bytes, signature included, are in their author's log or in an accepted
    /// anchor. Their signature was then checked when they came, or is our own.
    private func holds(_ entry: Entry) -> Bool {
        log(of: entry.author)?.entry(at: entry.seq) == entry
            || anchored[entry.author]?[entry.seq] == entry
    }

    /// Nothing at or after a fork is kept. An entry before the proof's place may sharpen it: that
    /// case is met above, where the log still reaches.
    private func beyondFork(_ entry: Entry, _ log: AuthorLog) throws(EntryFault) -> Insertion {
        guard let proof = log.proof, entry.id == proof.first.id || entry.id == proof.second.id
        else { throw .muted }
        return .known(entry.author, entry.seq)
    }

    /// Takes an entry that was judged before: from one's own store, in the order in which they
    /// came. An entry behind a gap, left by a damaged row, waits until the gap is filled.
    package mutating func restore(_ entry: Entry) {
        guard continues(entry) else {
            let log = log(of: entry.author)
            guard entry.seq > (log?.seq ?? 0), entry.seq < log?.fork ?? .max else { return }
            parked[entry.author, default: [:]][entry.seq] = entry
            return
        }
        update(entry.author) { $0.append(entry) }
        anchor(entry)
        _ = rejoin(entry.author)
    }

    /// Entries that waited for one before them and have joined their logs since the last call: they
    /// are on the disk already.
    package mutating func takeRejoined() -> [Entry] {
        defer { rejoined = [] }
        return rejoined
    }

    /// Takes entries that waited for the log of `author` to reach its present length.
    private mutating func rejoin(_ author: PeerKey) -> [Entry] {
        guard var waiting = parked[author] else { return [] }
        var joined: [Entry] = []
        while let next = waiting.removeValue(forKey: seq(of: author) + 1), continues(next) {
            update(author) { $0.append(next) }
            anchor(next)
            joined.append(next)
        }
        parked[author] = waiting.isEmpty ? nil : waiting
        return joined
    }

    /// Whether it is the next entry of its author's log, before a fork of theirs.
    private func continues(_ entry: Entry) -> Bool {
        guard let log = log(of: entry.author) else { return entry.seq == 1 }
        if let fork = log.fork, entry.seq >= fork { return false }
        return entry.seq == log.seq + 1 && entry.previous == log.entries.last?.id
    }

    /// Takes a proof whose signatures were checked. Returns whether it is new or stronger.
    package mutating func insert(proof: ForkProof) -> Bool {
        guard log(of: proof.author) != nil || logs.count < Limits.authors else { return false }
        guard update(proof.author, { $0.take(proof) }) else { return false }
        fresh.append(proof)
        return true
    }

    /// Judges and takes a proof as it came from a peer; `admits` as for an entry.
    package mutating func insertProof(
        _ first: [UInt8], _ second: [UInt8], flight: FlightID, codec: EntryCodec,
        admits: (PeerKey, Int) -> Bool = { _, _ in true }
    ) -> Insertion {
        let check = EntryCheck(codec: codec, flight: flight)
        do throws(EntryFault) {
            let one = try check.decode(first)
            let other = try check.decode(second)
            guard let proof = ForkProof(one, other) else { throw .body }
            if let held = log(of: proof.author)?.proof, !proof.isStronger(than: held) {
                return .known(proof.author, proof.seq)
            }
            guard log(of: proof.author) != nil || admits(proof.author, logs.count) else {
                return .delayed(proof.author, proof.seq)
            }
            for entry in [one, other] where !codec.isSigned(entry) { throw EntryFault.signature }
            return insert(proof: proof) ? .fork(proof) : .known(proof.author, proof.seq)
        } catch {
            return .refused(error)
        }
    }

    /// Signs the next entry of the signer's log and takes it. Throws when others would refuse it.
    package mutating func appendOwn(
        _ body: EntryBody, flight: FlightID, signer: any Signer, codec: EntryCodec
    ) throws(EntryFault) -> Entry {
        // Signed apart, so that no copy of the log is held while it grows.
        let entry = try next(body, flight: flight, signer: signer, codec: codec)
        update(signer.key) { $0.append(entry) }
        anchor(entry)
        return entry
    }

    /// Signs the next entry of the signer's log, and judges it as others would.
    private func next(
        _ body: EntryBody, flight: FlightID, signer: any Signer, codec: EntryCodec
    ) throws(EntryFault) -> Entry {
        let log = log(of: signer.key) ?? AuthorLog(author: signer.key)
        guard log.seq < codec.rules.entries else { throw .caps }
        guard log.fork == nil else { throw .muted }
        let entry: Entry
        do throws(DecodeError) {
            entry = try codec.sign(
                body, flight: flight, seq: log.seq + 1, previous: log.entries.last?.id,
                by: signer)
        } catch {
            throw .form(error)
        }
        let check = EntryCheck(codec: codec, flight: flight)
        try check.caps(entry, after: log)
        try check.body(entry, after: log)
        guard codec.isWitnessed(entry) else { throw .signature }
        return entry
    }

    /// Remembers what an anchor carries and finds the forks that it shows.
    private mutating func anchor(_ entry: Entry) {
        for one in entry.embedded {
            if let known = log(of: one.author)?.entry(at: one.seq)
                ?? anchored[one.author]?[one.seq],
                known.id != one.id
            {
                _ = forked(known, one)
            } else {
                anchored[one.author, default: [:]][one.seq] = one
            }
        }
    }

    private mutating func forked(_ one: Entry, _ other: Entry) -> Insertion? {
        // Anchors may name authors whom nobody let in: they never take the
        // places kept for the met ones.
        let isKnown = log(of: one.author) != nil
        guard isKnown || logs.count < Limits.authors - Limits.authorsKept,
            let proof = ForkProof(one, other), insert(proof: proof)
        else { return nil }
        return .fork(proof)
    }

    /// Whether an anchor carries a later entry of the same author: then any entry of theirs, a chat
    /// line too, may close the gap before it and so change the fold.
    func isBeforeAnchored(_ entry: Entry) -> Bool {
        anchored[entry.author]?.keys.contains { $0 > entry.seq } ?? false
    }

    /// Changes the log of `author`, creating it if needed.
    private mutating func update<T>(_ author: PeerKey, _ change: (inout AuthorLog) -> T) -> T {
        let index = position(of: author)
        if index == logs.count || logs[index].author != author {
            logs.insert(AuthorLog(author: author), at: index)
        }
        return change(&logs[index])
    }

    private func position(of author: PeerKey) -> Int { logs.place(of: author, by: \.author) }
}
