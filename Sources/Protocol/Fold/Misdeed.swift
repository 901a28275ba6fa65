// SPDX-License-Identifier: Apache-2.0
/// Two entries that prove that their author broke a rule (docs/protocol.md section 15). No honest
/// agent can be shown to have done so.
public struct Misdeed: Hashable, Sendable {
    /// What was done.
    public enum Kind: Hashable, Sendable {
        /// Two entries at one place of the log.
        case fork
        /// A yes and a no to one contract.
        case contradiction
        /// A second yes for a slot while an earlier one was open.
        case overlap
        /// A yes that promises a booking to others, and a request to the desk to end it: the desk's
        /// entry that carries the request comes first.
        case giveBack
    }

    /// Who did it.
    public let author: PeerKey
    /// What.
    public let kind: Kind
    /// The first of the two entries.
    public let first: Entry
    /// The second.
    public let second: Entry
}

extension Misdeed {
    /// A fork, from its proof.
    public init(_ proof: ForkProof) {
        self.init(author: proof.author, kind: .fork, first: proof.first, second: proof.second)
    }
}

extension Fold {
    /// Every author whose own entries in `logs` convict them, sorted, with the first proof found: a
    /// fork before a contradiction before an overlap. O(n log n).
    public static func misdeeds(_ logs: LogSet) -> [Misdeed] { misdeeds(logs.logs) }

    /// The same for logs sorted by author.
    static func misdeeds(_ logs: [AuthorLog]) -> [Misdeed] {
        let evidence = Evidence(logs)
        return misdeeds(evidence, fold(evidence))
    }

    /// The fold and who is convicted by what it was made of, the evidence
    /// gathered once. O(n log n).
    public static func judge(_ logs: LogSet) -> (fold: SeatFold, misdeeds: [Misdeed]) {
        let evidence = Evidence(logs.logs)
        let fold = fold(evidence)
        return (fold, misdeeds(evidence, fold))
    }

    static func misdeeds(_ evidence: Evidence, _ fold: SeatFold) -> [Misdeed] {
        var found = evidence.proofs.map(Misdeed.init)
        found += contradictions(evidence.votes)
        found += overlaps(evidence, fold)
        found += givenBack(evidence, fold)
        // Stable: of one author's misdeeds the one found first stays.
        return found.sortedOnce { $0.author < $1.author }
    }

    private static func contradictions(_ votes: [Entry]) -> [Misdeed] {
        zip(votes, votes.dropFirst()).compactMap { yes, no in
            // Of one author and contract the yes votes stand before the no votes.
            guard yes.author == no.author, yes.vote?.contract == no.vote?.contract,
                yes.vote?.yes == true, no.vote?.yes == false
            else { return nil }
            return Misdeed(author: yes.author, kind: .contradiction, first: yes, second: no)
        }
    }

    /// Finds two yeses on one slot without an effective abandon of the first between them.
    /// Everything between them must be known, since an abandon might stand there.
    private static func overlaps(_ evidence: Evidence, _ fold: SeatFold) -> [Misdeed] {
        var promises: [(author: PeerKey, slot: Slot, entry: Entry)] = []
        for entry in evidence.votes {
            for slot in entry.vote?.slots ?? [] { promises.append((entry.author, slot, entry)) }
        }
        promises.sort {
            ($0.author, $0.slot, $0.entry.seq, $0.entry.id)
                < ($1.author, $1.slot, $1.entry.seq, $1.entry.id)
        }
        let outside = evidence.embedded.filter { !$0.isInLog }
            .map { (author: $0.entry.author, seq: $0.entry.seq) }
            .sorted { $0 < $1 }
        return zip(promises, promises.dropFirst()).compactMap { one, other in
            guard one.author == other.author, one.slot == other.slot,
                let first = one.entry.vote?.contract, first != other.entry.vote?.contract,
                reach(of: one.author, evidence, outside) >= other.entry.seq - 1,
                !fold.departed(
                    one.author, from: first, after: one.entry.seq, before: other.entry.seq)
            else { return nil }
            return Misdeed(
                author: one.author, kind: .overlap, first: one.entry, second: other.entry)
        }
    }

    /// Finds a yes on a tenure that its author had the desk end (docs/protocol.md section 32), and
    /// that they did not leave by an effective abandon.
    private static func givenBack(_ evidence: Evidence, _ fold: SeatFold) -> [Misdeed] {
        guard let book = evidence.book else { return [] }
        return evidence.votes.compactMap { entry in
            guard let vote = entry.vote, vote.yes,
                !fold.departed(entry.author, from: vote.contract, after: entry.seq)
            else { return nil }
            for slot in vote.slots {
                guard let mint = book.mint(slot.token), mint.end?.reason == .asked,
                    let close = evidence.close(of: mint, in: book),
                    close.ledger?.isGiveBack(of: slot, by: entry.author) == true
                else { continue }
                return Misdeed(author: entry.author, kind: .giveBack, first: close, second: entry)
            }
            return nil
        }
    }

    /// Up to which seq something is known at every place of an author's log, anchors included.
    private static func reach(
        of author: PeerKey, _ evidence: Evidence, _ outside: [(author: PeerKey, seq: Int)]
    ) -> Int {
        var seq = evidence.log(of: author)?.seq ?? 0
        var index = outside.partitionPoint { $0 < (author, seq + 1) }
        while index < outside.count, outside[index].author == author,
            outside[index].seq <= seq + 1
        {
            seq = outside[index].seq
            index += 1
        }
        return seq
    }
}

extension Evidence {
    /// The entry that ended a booking. O(n).
    fileprivate func close(of mint: Mint, in book: Book) -> Entry? {
        guard let end = mint.end else { return nil }
        for ledger in book.ledgers {
            let found = log(of: ledger.author)?.entries.prefix(ledger.seq).first { $0.id == end.by }
            if let found { return found }
        }
        return nil
    }
}

extension LedgerEntry {
    /// Whether it is a close that carries the wish of `author` to give back just that tenure.
    fileprivate func isGiveBack(of slot: Slot, by author: PeerKey) -> Bool {
        guard case .close(let close) = self, let said = close.ask, said.author == author,
            case .ask(let ask) = said.content
        else { return false }
        return ask.wish == .giveBack(slot, to: nil)
    }
}
