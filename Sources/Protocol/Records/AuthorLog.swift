// SPDX-License-Identifier: Apache-2.0
/// One author's log as far as it is known: entries 1...n without a gap (docs/protocol.md section
/// 8).
///
/// After a fork proof at k it holds only what lies before k. All branches agree on that part, so
/// everybody who knows the proof holds the same log (docs/protocol.md section 10).
package struct AuthorLog: Hashable, Sendable {
    /// Whose log.
    package let author: PeerKey
    /// Entry at seq n stands at index n - 1.
    package private(set) var entries: [Entry] = []
    /// Indexes in ``entries`` of the few that say anything about seats, in order.
    private var mattersAt: [Int] = []
    /// Bytes of all entries.
    package private(set) var size = 0
    /// Claims made.
    package private(set) var claims = 0
    /// Claims made minus own retracts of own claims.
    package private(set) var liveClaims = 0
    /// What the author said last of where they sit after a swap.
    private var marks: [ContractID: Bool] = [:]
    /// What the author says of hosts and guests.
    private(set) var hostings = Hostings()
    /// The strongest fork proof known.
    package private(set) var proof: ForkProof?
    /// Indexes in ``entries`` of its charters, in order.
    private var charters: [Int] = []

    /// An empty log.
    package init(author: PeerKey) { self.author = author }

    /// Length of the log.
    package var seq: Int { entries.count }

    /// The last entry's place; seq 0 and zero bytes for an empty log.
    package var head: LogHead {
        LogHead(author: author, seq: seq, id: entries.last?.id ?? EntryID(.zero))
    }

    /// k(author): the smallest sequence number known to be forked; `nil` for infinity
    /// (docs/protocol.md section 10).
    package var fork: Int? { proof?.seq }

    /// The entries that say anything about seats, in order: what a fold reads.
    var mattering: [Entry] { mattersAt.map { entries[$0] } }

    /// Whether the author closed it.
    package var isClosed: Bool {
        if case .end = entries.last?.body { return true }
        return false
    }

    /// Whether the author says that they sit where that contract put them.
    func sits(after contract: ContractID) -> Bool { marks[contract] ?? false }

    /// Whether it is a ledger of a venue: its second entry is a charter.
    package var isLedger: Bool { charters.first == 1 }

    /// The charter that stands in it last.
    var charter: Charter? {
        guard let index = charters.last, case .charter(let charter)? = entries[index].ledger
        else { return nil }
        return charter
    }

    /// The entry at `seq`, `nil` if none is known.
    package func entry(at seq: Int) -> Entry? {
        seq >= 1 && seq <= entries.count ? entries[seq - 1] : nil
    }

    /// Adds the next entry. The caller has checked that it is the next one.
    mutating func append(_ entry: Entry) {
        count(entry, 1)
        note(entry)
        if entry.body.matters { mattersAt.append(entries.count) }
        if case .charter? = entry.ledger { charters.append(entries.count) }
        entries.append(entry)
        size += entry.bytes.count
    }

    /// Takes a proof. Returns whether it is the first or a stronger one.
    mutating func take(_ new: ForkProof) -> Bool {
        if let proof, !new.isStronger(than: proof) { return false }
        proof = new
        while entries.count >= new.seq, let last = entries.popLast() {
            size -= last.bytes.count
            if mattersAt.last == entries.count { mattersAt.removeLast() }
            if charters.last == entries.count { charters.removeLast() }
            count(last, -1)
        }
        marks = [:]
        hostings = Hostings()
        for entry in entries { note(entry) }
        return true
    }

    private mutating func note(_ entry: Entry) {
        if case .seated(let contract, let sits) = entry.body { marks[contract] = sits }
        if case .hosting(let said) = entry.body { hostings.take(said) }
    }

    private mutating func count(_ entry: Entry, _ step: Int) {
        switch entry.body {
        case .claim:
            claims += step
            liveClaims += step
        case .retract(let slot) where isOwnClaim(slot): liveClaims -= step
        case .genesis, .profile, .retract, .vote, .commit, .abandon, .chat, .wish, .sealed,
            .seated, .hosting, .unknown, .vouch, .ledger, .end:
            break
        }
    }

    /// Whether the slot is the first tenure of a claim made in this log and not retracted before.
    private func isOwnClaim(_ slot: Slot) -> Bool {
        guard slot.producer == Producer(claim: slot.token) else { return false }
        var isClaimed = false
        for entry in entries {
            switch entry.body {
            case .claim where entry.id.token == slot.token: isClaimed = true
            case .retract(slot): return false
            case .genesis, .profile, .claim, .retract, .vote, .commit, .abandon, .chat, .wish,
                .sealed, .seated, .hosting, .unknown, .vouch, .ledger, .end:
                break
            }
        }
        return isClaimed
    }
}
