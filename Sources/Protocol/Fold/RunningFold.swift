// SPDX-License-Identifier: Apache-2.0
/// The fold of growing logs. It keeps the last result, and a new entry changes only what it names,
/// if that can be decided without looking at everything else.
///
/// Always equal to ``Fold/judge(_:)`` of the same logs, while an entry that is there stays the same
/// object of the same bytes. It goes on only while nobody forked and all that
/// anchors carry stands in the logs: then everything counts, every vote is settled, and a further
/// entry says nothing about what others said before. What is left are the few ways in which two
/// entries meet, and each of them has everything folded again.
package struct RunningFold: Sendable {
    /// The fold of the logs that were followed last.
    package private(set) var fold = SeatFold.empty
    /// Who is convicted by them, as ``Fold/judge(_:)`` tells it.
    package private(set) var misdeeds: [Misdeed] = []
    /// How far they reached, sorted by author.
    private var heads: [LogHead] = []
    /// Whether nobody forked and all that anchors carry stands in the logs.
    private var isPlain = false
    /// Tokens with a retract but no claim so far.
    private var unclaimed: [Token] = []

    /// With more new entries than this at once, folding everything is as fast.
    private static let most = 64
    /// With more entries of a voter than this to compare a vote with,
    /// folding everything is as fast.
    private static let longest = 256

    /// The fold of nothing.
    package init() {}

    /// Updates the fold to `logs`. Returns whether it had to fold all of them again.
    ///
    /// In a venue, whose `book` is that of the same logs, contracts are folded again each time:
    /// what depends on the number of bookings is the book's, which runs by itself.
    @discardableResult
    package mutating func follow(_ logs: LogSet, book: Book? = nil) -> Bool {
        follow(logs.logs, book: book)
    }

    /// The same for logs sorted by author.
    @discardableResult
    mutating func follow(_ logs: [AuthorLog], book: Book? = nil) -> Bool {
        let goesOn = book == nil && goesOn(to: logs)
        if !goesOn { judge(logs, book) }
        heads = logs.map(\.head)
        return !goesOn
    }

    private mutating func judge(_ logs: [AuthorLog], _ book: Book?) {
        let evidence = Evidence(logs, book: book)
        fold = Fold.fold(evidence)
        misdeeds = Fold.misdeeds(evidence, fold)
        isPlain = fold.forks.isEmpty && evidence.embedded.allSatisfy(\.isInLog)
        unclaimed = evidence.retracts.map(\.slot.token).filter { fold.token($0) == nil }
    }

    private mutating func goesOn(to logs: [AuthorLog]) -> Bool {
        guard isPlain, let fresh = fresh(in: logs), fresh.count <= Self.most else { return false }
        // Tokens first: a certificate may stand before the claims that it moves.
        for entry in fresh where !takeToken(entry, logs) { return false }
        for entry in fresh where !takeContract(entry, logs) { return false }
        return true
    }

    /// The new entries about seats at the ends of `logs`, by author, then seq; `nil` if
    /// anything but the ends changed.
    private func fresh(in logs: [AuthorLog]) -> [Entry]? {
        var fresh: [Entry] = []
        var known = 0
        // By index: copies of all logs would cost more than what is looked for.
        for index in logs.indices {
            guard logs[index].proof == nil else { return nil }
            var end = 0
            if known < heads.count, heads[known].author == logs[index].author {
                let head = heads[known]
                known += 1
                guard logs[index].entry(at: head.seq)?.id ?? EntryID(.zero) == head.id else {
                    return nil
                }
                end = head.seq
            }
            guard end < logs[index].seq else { continue }
            fresh += logs[index].entries[end...].filter(\.body.matters)
        }
        return known == heads.count ? fresh : nil
    }

    // MARK: Claims and retracts

    /// Whether `entry` is no claim and no retract, or one that changes its token alone.
    private mutating func takeToken(_ entry: Entry, _ logs: [AuthorLog]) -> Bool {
        switch entry.body {
        case .claim(let seat, let dependant):
            // Whoever retracted it before may have claimed the same seat
            // since: that is a re-mint now.
            guard !unclaimed.contains(entry.id.token) else { return false }
            mint(entry, seat, dependant, logs)
        case .retract(let slot): end(slot, by: entry.author)
        case .genesis, .profile, .vote, .commit, .abandon, .chat, .wish, .sealed, .seated, .hosting,
            .unknown,
            .vouch, .ledger, .end:
            break
        }
        return true
    }

    private mutating func mint(
        _ claim: Entry, _ seat: Seat, _ dependant: Bool, _ logs: [AuthorLog]
    ) {
        let before = logs.mattering(of: claim.author).prefix { $0 !== claim }
        let isReminted = before.contains { entry in
            if case .retract(let slot) = entry.body {
                fold.token(slot.token)?.seat == seat
            } else {
                false
            }
        }
        let token = claim.id.token
        var tokens = fold.tokens
        tokens.insert(
            TokenState(
                token: token, seat: seat, author: claim.author, dependant: dependant,
                holder: claim.author, producer: Producer(claim: token), ended: false,
                reminted: isReminted, lineage: []),
            at: tokens.lowerBound(of: token, by: \.token))
        replace(tokens: tokens)
    }

    private mutating func end(_ slot: Slot, by author: PeerKey) {
        var tokens = fold.tokens
        guard let index = tokens.position(of: slot.token, by: \.token) else {
            unclaimed.append(slot.token)
            return
        }
        let token = tokens[index]
        guard token.slot == slot, token.holder == author else { return }
        tokens[index] = TokenState(
            token: token.token, seat: token.seat, author: token.author,
            dependant: token.dependant, holder: token.holder, producer: token.producer,
            ended: true, reminted: token.reminted, lineage: token.lineage)
        replace(tokens: tokens)
    }

    // MARK: Votes and certificates

    /// Whether `entry` is about no contract, or changes that one and its tokens alone.
    private mutating func takeContract(_ entry: Entry, _ logs: [AuthorLog]) -> Bool {
        switch entry.body {
        case .vote(let vote): note(vote, entry, logs)
        case .commit(let commit): note(commit, by: entry.author, logs)
        // It may excuse votes, and kill what applied.
        case .abandon: false
        case .genesis, .profile, .claim, .retract, .chat, .wish, .sealed, .seated, .hosting,
            .unknown, .vouch,
            .ledger,
            .end:
            true
        }
    }

    /// Notes a vote whose author said nothing else about the contract or the slots.
    private mutating func note(_ vote: Vote, _ entry: Entry, _ logs: [AuthorLog]) -> Bool {
        let said = logs.mattering(of: entry.author)
        guard said.count <= Self.longest else { return false }
        for other in said where other !== entry {
            guard let earlier = other.vote else { continue }
            if earlier.contract == vote.contract { return false }
            if earlier.slots.contains(where: vote.slots.contains) { return false }
        }
        let known = fold.contract(vote.contract)
        var votes = known?.votes ?? []
        votes.insert(entry, at: votes.lowerBound(of: entry.author, by: \.author))
        put(
            ContractState(
                id: vote.contract, contract: known?.contract, complete: known?.complete ?? false,
                dead: known?.dead ?? false, beaten: known?.beaten ?? false,
                applied: known?.applied ?? false, votes: votes, certificate: known?.certificate))
        return true
    }

    /// Notes the first certificate of a contract, which completes it if no
    /// other contract is involved.
    private mutating func note(
        _ commit: Commit, by author: PeerKey, _ logs: [AuthorLog]
    ) -> Bool {
        let contract = commit.contract
        let known = fold.contract(contract.id)
        // What the next party logs is mostly the same certificate.
        if let known, known.complete { return known.certificate == commit }
        guard contract.parties.contains(author), logs.hold(commit.votes + commit.claims),
            // Of who left it, those count who are its parties.
            !fold.departures.contains(where: { $0.contract == contract.id }), isAlone(contract)
        else { return false }
        let applies = contract.legs.allSatisfy { leg in
            fold.token(leg.token).map { $0.slot == leg.slot && $0.holder == leg.from } ?? false
        }
        put(
            ContractState(
                id: contract.id, contract: contract, complete: true, dead: false, beaten: false,
                applied: applies, votes: known?.votes ?? [], certificate: commit))
        if applies { move(contract, logs) }
        return true
    }

    /// Whether no complete contract spends a slot that `contract` spends, or one that it makes.
    private func isAlone(_ contract: Contract) -> Bool {
        let producer = Producer(contract: contract.id)
        return fold.contracts.allSatisfy { other in
            guard other.complete, let legs = other.contract?.legs else { return true }
            return legs.allSatisfy { leg in
                leg.producer != producer && contract.leg(of: leg.token)?.slot != leg.slot
            }
        }
    }

    private mutating func move(_ contract: Contract, _ logs: [AuthorLog]) {
        var tokens = fold.tokens
        for leg in contract.legs {
            guard let index = tokens.position(of: leg.token, by: \.token) else { continue }
            let token = tokens[index]
            let producer = Producer(contract: contract.id)
            // Whoever gets it may have given it back already.
            let slot = Slot(token: token.token, producer: producer)
            tokens[index] = TokenState(
                token: token.token, seat: token.seat, author: token.author,
                dependant: token.dependant, holder: leg.to, producer: producer,
                ended: logs.mattering(of: leg.to).contains { $0.body == .retract(slot) },
                reminted: token.reminted, lineage: token.lineage + [contract.id])
        }
        replace(tokens: tokens)
    }

    // MARK: Parts of the fold

    private mutating func put(_ state: ContractState) {
        var contracts = fold.contracts
        let index = contracts.lowerBound(of: state.id, by: \.id)
        if index < contracts.count, contracts[index].id == state.id {
            contracts[index] = state
        } else {
            contracts.insert(state, at: index)
        }
        fold = SeatFold(
            tokens: fold.tokens, contracts: contracts, forks: fold.forks,
            departures: fold.departures)
    }

    private mutating func replace(tokens: [TokenState]) {
        fold = SeatFold(
            tokens: tokens, contracts: fold.contracts, forks: fold.forks,
            departures: fold.departures)
    }
}

extension [AuthorLog] {
    /// What `author` said about seats, in order.
    fileprivate func mattering(of author: PeerKey) -> [Entry] {
        position(of: author, by: \.author).map { self[$0].mattering } ?? []
    }

    /// Whether each of `entries` stands in its author's log.
    fileprivate func hold(_ entries: [Entry]) -> Bool {
        entries.allSatisfy { entry in
            position(of: entry.author, by: \.author)
                .map { self[$0].entry(at: entry.seq)?.id == entry.id } ?? false
        }
    }
}
