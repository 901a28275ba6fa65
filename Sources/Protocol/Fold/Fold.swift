// SPDX-License-Identifier: Apache-2.0
/// The rules that turn a set of logs into who holds which seat (docs/protocol.md section 13).
///
/// A pure function of the set: no clock, no arrival order. Steps 4 to 6 decide every contract from
/// votes and places in logs only, never from whether another contract applies; so step 7 is a plain
/// walk over contracts in the order of their producers, and there is always exactly one answer.
package struct Fold {
    /// What the fold finds out about one contract.
    struct Case {
        let id: ContractID
        var contract: Contract?
        var certificate: Commit?
        /// How good `certificate` is: 2 completes the contract, 1 counts but
        /// is not settled, 0 neither.
        var rank = -1
        /// Step 4: for each party the smallest seq of its yes over all completing certificates.
        var yes: [Int] = []
        var complete = false
        var dead = false
        var beaten = false
        var applied = false
    }

    let evidence: Evidence
    /// Sorted by id.
    var cases: [Case]
    /// Effective abandons, sorted.
    private(set) var departures: [SeatFold.Departure] = []
    /// Applied legs as (slot, index of the case), sorted by slot.
    private var moves: [(slot: Slot, index: Int)] = []

    /// Folds `logs`. O(n log n) in the number of entries, those in anchors included.
    package static func fold(_ logs: LogSet) -> SeatFold { fold(logs.logs) }

    /// Folds logs sorted by author.
    static func fold(_ logs: [AuthorLog]) -> SeatFold { fold(Evidence(logs)) }

    /// Folds the logs of a venue whose book is known: that of the same logs.
    package static func fold(_ logs: LogSet, _ book: Book) -> SeatFold {
        fold(Evidence(logs.logs, book: book))
    }

    static func fold(_ evidence: Evidence) -> SeatFold {
        var fold = Fold(evidence)
        fold.complete()
        fold.bury()
        fold.beat()
        fold.apply()
        fold.move()
        return fold.result()
    }

    private init(_ evidence: Evidence) {
        self.evidence = evidence
        let named =
            evidence.votes.compactMap { $0.vote?.contract } + evidence.abandoned
            + evidence.commits.map(\.commit.contract.id)
        cases = named.sortedOnce(by: <).map { Case(id: $0) }
    }

    func index(of id: ContractID) -> Int? { cases.position(of: id, by: \.id) }

    /// The contract that produced a tenure; `nil` for a claim or an unknown one.
    func index(of producer: Producer) -> Int? { index(of: ContractID(producer.raw)) }

    // MARK: Step 4

    /// A contract is complete when a party logged, before its fork, a certificate of settled votes.
    private mutating func complete() {
        for logged in evidence.commits {
            guard let index = index(of: logged.commit.contract.id) else { continue }
            cases[index].contract = logged.commit.contract
            let completes = logged.counts && evidence.isSettled(logged.commit)
            let rank = completes ? 2 : logged.counts ? 1 : 0
            if rank > cases[index].rank {
                cases[index].rank = rank
                cases[index].certificate = logged.commit
            }
            guard completes else { continue }
            let seqs = logged.commit.votes.map(\.seq)
            cases[index].yes =
                cases[index].complete ? zip(cases[index].yes, seqs).map(min) : seqs
            cases[index].complete = true
        }
    }

    // MARK: Step 5

    /// A contract is dead when a party logged an effective abandon before its fork.
    ///
    /// It is effective if the no is by *another* party and the branch of that no holds no yes of
    /// that party. A party cannot leave a yes on its own no, since it could invent one far behind
    /// the end of its log. While the contract is unknown, nobody can tell its parties and nothing
    /// is dead; the departure is noted as if both were parties.
    private mutating func bury() {
        let branches = Branches(evidence)
        for abandon in evidence.abandons {
            guard abandon.no.author != abandon.author, branches.isClean(abandon.no),
                let index = index(of: abandon.contract)
            else { continue }
            if let parties = cases[index].contract?.parties {
                guard parties.contains(abandon.author), parties.contains(abandon.no.author)
                else { continue }
                cases[index].dead = true
            }
            departures.append(
                SeatFold.Departure(
                    author: abandon.author, contract: abandon.contract, seq: abandon.seq))
        }
        departures.sort()
    }

    /// The smallest seq after `seq` at which `author` effectively left
    /// `contract`; `Int.max` for none.
    func departure(of author: PeerKey, from contract: ContractID, after seq: Int) -> Int {
        let wanted = SeatFold.Departure(author: author, contract: contract, seq: seq + 1)
        let index = departures.lowerBound(of: wanted) { $0 }
        guard index < departures.count, departures[index].author == author,
            departures[index].contract == contract
        else { return Int.max }
        return departures[index].seq
    }

    // MARK: Step 7

    /// A contract applies when it is complete, neither dead nor beaten, and every leg's giver holds
    /// their slot by a counted claim or an applied contract.
    ///
    /// Contracts are looked at when the last of their producers was decided, so the depth of the
    /// ancestry costs no stack and a circle, which hashes do not allow, would stay unapplied.
    private mutating func apply() {
        var waiting = Array(repeating: 0, count: cases.count)
        var heirs: [(producer: Int, heir: Int)] = []
        var ready: [Int] = []
        for index in cases.indices where cases[index].complete {
            for leg in cases[index].contract?.legs ?? [] {
                guard leg.producer != Producer(claim: leg.token),
                    let producer = self.index(of: leg.producer), cases[producer].complete
                else { continue }
                heirs.append((producer, index))
                waiting[index] += 1
            }
            if waiting[index] == 0 { ready.append(index) }
        }
        heirs.sort { ($0.producer, $0.heir) < ($1.producer, $1.heir) }
        var done = 0
        while done < ready.count {
            let index = ready[done]
            done += 1
            cases[index].applied = holds(cases[index])
            var next = heirs.lowerBound(of: index, by: \.producer)
            while next < heirs.count, heirs[next].producer == index {
                waiting[heirs[next].heir] -= 1
                if waiting[heirs[next].heir] == 0 { ready.append(heirs[next].heir) }
                next += 1
            }
        }
    }

    private func holds(_ candidate: Case) -> Bool {
        guard candidate.complete, !candidate.dead, !candidate.beaten,
            let contract = candidate.contract, evidence.book?.allows(contract) ?? true
        else { return false }
        return contract.legs.allSatisfy { leg in
            guard owner(of: leg.slot) == leg.from else { return false }
            guard leg.producer != Producer(claim: leg.token) else { return true }
            return index(of: leg.producer).map { cases[$0].applied } ?? false
        }
    }

    /// Who held it first, if it is minted, or the receiver in the producer; `nil` if unknown.
    func owner(of slot: Slot) -> PeerKey? {
        if slot.producer == Producer(claim: slot.token) {
            return evidence.firstHolder(of: slot.token)
        }
        return index(of: slot.producer).flatMap { cases[$0].contract?.leg(of: slot.token)?.to }
    }

    // MARK: Step 8

    private mutating func move() {
        for index in cases.indices where cases[index].applied {
            for leg in cases[index].contract?.legs ?? [] { moves.append((leg.slot, index)) }
        }
        moves.sort { ($0.slot, $0.index) < ($1.slot, $1.index) }
    }

    private func result() -> SeatFold {
        let retracts = Retracts(evidence)
        let states = votesByCase()
        return SeatFold(
            tokens: evidence.claims.compactMap { token($0, retracts) },
            contracts: states, forks: evidence.forks, departures: departures,
            venue: evidence.book.map { BookTenures(book: $0, moved: moved(of: $0)) })
    }

    /// Bookings that contracts moved, sorted by token.
    private func moved(of book: Book) -> [BookFold.Booking] {
        var found: [BookFold.Booking] = []
        for move in moves where found.last?.mint.token != move.slot.token {
            guard let mint = book.mint(move.slot.token) else { continue }
            let last = tenure(of: mint.token, heldBy: mint.grant.holder)
            found.append(
                BookFold.Booking(
                    mint: mint, holder: last.holder, producer: last.slot.producer,
                    lineage: last.lineage))
        }
        return found
    }

    /// Who holds a token in the end, and by what: follows applied contracts from the first tenure.
    private func tenure(
        of token: Token, heldBy first: PeerKey
    ) -> (holder: PeerKey, slot: Slot, lineage: [ContractID]) {
        var slot = Slot(token: token, producer: Producer(claim: token))
        var holder = first
        var lineage: [ContractID] = []
        // A producer never comes back, so there are at most as many steps as applied contracts.
        while let move = moves.position(of: slot, by: \.slot), lineage.count < cases.count,
            let leg = cases[moves[move].index].contract?.leg(of: slot.token)
        {
            let id = cases[moves[move].index].id
            lineage.append(id)
            holder = leg.to
            slot = Slot(token: slot.token, producer: Producer(contract: id))
        }
        return (holder, slot, lineage)
    }

    private func token(_ claim: Entry, _ retracts: Retracts) -> TokenState? {
        guard case .claim(let seat, let dependant) = claim.body else { return nil }
        let last = tenure(of: claim.id.token, heldBy: claim.author)
        return TokenState(
            token: claim.id.token, seat: seat, author: claim.author, dependant: dependant,
            holder: last.holder, producer: last.slot.producer,
            ended: retracts.end(last.slot, of: last.holder),
            reminted: retracts.precede(claim, seat), lineage: last.lineage)
    }

    private func votesByCase() -> [ContractState] {
        var from = 0
        return cases.map { known in
            let start = from
            while from < evidence.votes.count, evidence.votes[from].vote?.contract == known.id {
                from += 1
            }
            return ContractState(
                id: known.id, contract: known.contract, complete: known.complete,
                dead: known.dead, beaten: known.beaten, applied: known.applied,
                votes: Array(evidence.votes[start..<from]), certificate: known.certificate)
        }
    }
}

extension Contract {
    /// The move of `token`; `nil` if it does not move. O(log n).
    func leg(of token: Token) -> Leg? {
        legs.position(of: token, by: \.token).map { legs[$0] }
    }
}
