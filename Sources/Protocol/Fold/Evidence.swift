// SPDX-License-Identifier: Apache-2.0
/// Everything that a set of logs says about seats, gathered and sorted, with what counts of it
/// (docs/protocol.md section 12).
///
/// Two peers who know the same fork of an author may hold different branches behind it for ever,
/// since a muted author is not replicated. So the steps after the first read of a log only what
/// stands before k(author), and of the rest only what an anchor before k(its author) embeds: it
/// makes no difference whether a log was cut at its fork or goes on with one branch.
struct Evidence {
    /// A certificate as somebody logged it.
    struct LoggedCommit {
        let author: PeerKey
        let seq: Int
        let commit: Commit
        /// By a party, before its fork: it may complete the contract.
        let counts: Bool
    }

    /// An abandon as somebody logged it before their fork.
    struct LoggedAbandon {
        let author: PeerKey
        let seq: Int
        let contract: ContractID
        let no: Entry
    }

    /// A retract logged before the fork of its author.
    struct LoggedRetract {
        let author: PeerKey
        let seq: Int
        let slot: Slot
    }

    /// An entry found inside an anchor.
    struct Embedded {
        let entry: Entry
        /// Who logged the anchor, and where.
        let anchor: (author: PeerKey, seq: Int)
        /// The author's log as held here has the very same entry.
        let isInLog: Bool
    }

    /// Sorted by author, each author once.
    let logs: [AuthorLog]
    /// Their entries that say anything about seats, by author, then seq.
    /// Other entries are never read.
    let entries: [Entry]
    /// k of every author who forked, sorted by author.
    private(set) var forks: [SeatFold.Fork] = []
    /// The strongest proof of every fork that the evidence itself shows, sorted by author.
    private(set) var proofs: [ForkProof] = []
    /// Claims that count, sorted by id, each once.
    private(set) var claims: [Entry] = []
    /// What mints tokens in a venue; `nil` on a flight, where claims do.
    let book: Book?
    /// Retracts that count, by author, then seq.
    private(set) var retracts: [LoggedRetract] = []
    /// All commits, by author, then seq.
    private(set) var commits: [LoggedCommit] = []
    /// Abandons before the fork of their author, by author, then seq.
    private(set) var abandons: [LoggedAbandon] = []
    /// Contracts that any abandon names, also one that does not count.
    private(set) var abandoned: [ContractID] = []
    /// All votes known from anywhere, sorted by contract, then as ``ContractState/votes``.
    private(set) var votes: [Entry] = []
    /// What stands inside anchors.
    private(set) var embedded: [Embedded] = []

    /// The evidence of these logs; in a venue `book` is what their ledgers come to.
    init(_ logs: [AuthorLog], book: Book? = nil) {
        self.logs = logs
        self.book = book
        entries = logs.flatMap(\.mattering)
        expand()
        findForks()
        countAnchors()
        countUnilateral()
        gatherVotes()
    }

    /// k(author): the smallest forked seq known; `Int.max` for none.
    func fork(of author: PeerKey) -> Int {
        guard let index = forks.position(of: author, by: \.author) else { return Int.max }
        return forks[index].seq
    }

    /// Who held a token first: by a claim on a flight, by a grant in a venue; `nil` for no token.
    func firstHolder(of token: Token) -> PeerKey? {
        if let book { return book.mint(token)?.grant.holder }
        return claims.position(of: token, by: \.id.token).map { claims[$0].author }
    }

    /// The log of `author`; `nil` for an unknown one.
    func log(of author: PeerKey) -> AuthorLog? {
        logs.position(of: author, by: \.author).map { logs[$0] }
    }

    /// Whether `entry` stands in its author's log as held here, before their fork.
    func isInCountedLog(_ entry: Entry) -> Bool {
        entry.seq < fork(of: entry.author)
            && log(of: entry.author)?.entry(at: entry.seq)?.id == entry.id
    }

    /// Step 3 for all votes of a certificate.
    func isSettled(_ commit: Commit) -> Bool {
        commit.votes.allSatisfy { isSettled($0, in: commit) }
    }

    /// Step 3: the author's chain 1...seq is known, or they forked at or before it.
    ///
    /// The end of the chain may stand in the certificate itself, because the yes of a
    /// coordinator that died after sending it is nowhere else. Other certificates do not fill a
    /// gap: they might cease to count.
    private func isSettled(_ vote: Entry, in commit: Commit) -> Bool {
        if fork(of: vote.author) <= vote.seq { return true }
        guard let log = log(of: vote.author) else { return false }
        var earliest = vote
        while earliest.seq > log.seq + 1 {
            let before = (commit.claims + commit.votes).first {
                $0.id == earliest.previous && $0.author == vote.author
                    && $0.seq == earliest.seq - 1
            }
            guard let before else { return false }
            earliest = before
        }
        // Before a fork, what the log holds at that place is the entry itself.
        return earliest.seq <= log.seq || log.entry(at: log.seq)?.id == earliest.previous
    }

    // MARK: Gathering

    /// Step 1: entries embedded in anchors are evidence too.
    private mutating func expand() {
        for entry in entries {
            switch entry.body {
            case .commit(let commit):
                for inner in commit.votes + commit.claims { embed(inner, by: entry) }
            case .abandon(_, let no):
                if no.flight == entry.flight { embed(no, by: entry) }
            case .genesis, .profile, .claim, .retract, .vote, .chat, .wish, .sealed, .seated,
                .hosting,
                .unknown, .vouch, .ledger, .end:
                break
            }
        }
    }

    private mutating func embed(_ inner: Entry, by anchor: Entry) {
        let known = log(of: inner.author)?.entry(at: inner.seq)
        embedded.append(
            Embedded(
                entry: inner, anchor: (anchor.author, anchor.seq),
                isInLog: known?.id == inner.id))
    }

    /// k from everything: proofs, and two ids at one place of a log wherever they were found.
    private mutating func findForks() {
        var found: [ForkProof] = logs.compactMap(\.proof)
        var outside: [Entry] = []
        for item in embedded where !item.isInLog {
            let known = log(of: item.entry.author)?.entry(at: item.entry.seq)
            if let known, let proof = ForkProof(known, item.entry) { found.append(proof) }
            outside.append(item.entry)
        }
        outside.sort { ($0.author, $0.seq, $0.id) < ($1.author, $1.seq, $1.id) }
        for (one, other) in zip(outside, outside.dropFirst()) {
            if let proof = ForkProof(one, other) { found.append(proof) }
        }
        found.sort { $0.author != $1.author ? $0.author < $1.author : $0.isStronger(than: $1) }
        for proof in found where proofs.last?.author != proof.author {
            proofs.append(proof)
            forks.append(SeatFold.Fork(author: proof.author, seq: proof.seq))
        }
    }

    private mutating func countAnchors() {
        for entry in entries {
            switch entry.body {
            case .commit(let commit):
                let isParty = commit.contract.parties.contains(entry.author)
                commits.append(
                    LoggedCommit(
                        author: entry.author, seq: entry.seq, commit: commit,
                        counts: isParty && entry.seq < fork(of: entry.author)))
            case .abandon(let contract, let no):
                abandoned.append(contract)
                guard entry.seq < fork(of: entry.author), no.flight == entry.flight else {
                    continue
                }
                abandons.append(
                    LoggedAbandon(
                        author: entry.author, seq: entry.seq, contract: contract, no: no))
            case .genesis, .profile, .claim, .retract, .vote, .chat, .wish, .sealed, .seated,
                .hosting,
                .unknown, .vouch, .ledger, .end:
                break
            }
        }
    }

    /// Step 2. A claim inside a certificate counts even after the fork of its author, because
    /// somebody innocent relied on it.
    private mutating func countUnilateral() {
        for entry in entries where entry.seq < fork(of: entry.author) {
            switch entry.body {
            case .claim: claims.append(entry)
            case .retract(let slot):
                retracts.append(
                    LoggedRetract(author: entry.author, seq: entry.seq, slot: slot))
            case .genesis, .profile, .vote, .commit, .abandon, .chat, .wish, .sealed, .seated,
                .hosting,
                .unknown, .vouch, .ledger, .end:
                break
            }
        }
        for logged in commits where logged.counts {
            claims += logged.commit.claims.filter { !isInCountedLog($0) }
        }
        claims = claims.sortedOnce { $0.id < $1.id }
    }

    private mutating func gatherVotes() {
        var found: [(order: VoteOrder, entry: Entry)] = []
        func gather(_ entry: Entry) {
            guard let vote = entry.vote else { return }
            found.append((VoteOrder(vote, entry, number: found.count), entry))
        }
        for entry in entries { gather(entry) }
        for log in logs {
            if let proof = log.proof { for entry in [proof.first, proof.second] { gather(entry) } }
        }
        for item in embedded where !item.isInLog { gather(item.entry) }
        found.sort { $0.order < $1.order }
        votes.reserveCapacity(found.count)
        for item in found where votes.last?.id != item.entry.id { votes.append(item.entry) }
    }
}

/// Orders votes by contract, author, yes before no, seq, id. Of an entry
/// found twice the first stays.
private struct VoteOrder: Comparable {
    let contract: ContractID
    let author: PeerKey
    let isNo: Int
    let seq: Int
    let id: EntryID
    let number: Int

    init(_ vote: Vote, _ entry: Entry, number: Int) {
        contract = vote.contract
        author = entry.author
        isNo = vote.yes ? 0 : 1
        seq = entry.seq
        id = entry.id
        self.number = number
    }

    static func < (left: VoteOrder, right: VoteOrder) -> Bool {
        if left.contract != right.contract { return left.contract < right.contract }
        if left.author != right.author { return left.author < right.author }
        return (left.isNo, left.seq, left.id, left.number)
            < (right.isNo, right.seq, right.id, right.number)
    }
}

extension Entry {
    /// The vote that this entry is; `nil` for any other.
    package var vote: Vote? {
        if case .vote(let vote) = body { vote } else { nil }
    }
}

extension Array {
    /// Sorted by `before`. Of equal elements only the first given stays.
    func sortedOnce(by before: (Element, Element) -> Bool) -> [Element] {
        // Offsets make the order total, so that the result does not depend on the sort's stability.
        let order = indices.sorted {
            before(self[$0], self[$1]) || (!before(self[$1], self[$0]) && $0 < $1)
        }
        var out: [Element] = []
        out.reserveCapacity(count)
        for index in order {
            if let last = out.last, !before(last, self[index]) { continue }
            out.append(self[index])
        }
        return out
    }

    /// The index of the first element not before `key` in an array sorted by `path`. O(log n).
    func lowerBound<Key: Comparable>(of key: Key, by path: (Element) -> Key) -> Int {
        partitionPoint { path($0) < key }
    }

    /// The index of the first element with `key` in an array sorted by `path`. O(log n).
    func position<Key: Comparable>(of key: Key, by path: (Element) -> Key) -> Int? {
        let index = lowerBound(of: key, by: path)
        return index < count && path(self[index]) == key ? index : nil
    }
}
