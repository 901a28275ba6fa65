// SPDX-License-Identifier: Apache-2.0
/// A grant of an earlier desk that the one after it did not know: it mints nothing
/// (docs/protocol.md section 32).
package struct LostGrant: Hashable, Sendable {
    /// Who wrote it.
    package let desk: PeerKey
    /// The entry that it is.
    package let id: EntryID
    /// What it would have given out.
    package let grant: Grant

    /// All of them that the logs have and that no later entry there ends; sorted by desk and page.
    /// O(n) over what does not count.
    static func all(in logs: LogSet, _ ledgers: [CountedLedger]) -> [LostGrant] {
        let last = ledgers.last { $0.standing == .counts }?.epoch ?? 0
        return ledgers.flatMap { ledger -> [LostGrant] in
            // The last one counts as far as it is known, and what a rival grants is told as such.
            guard ledger.epoch < last, let log = logs.log(of: ledger.author), log.seq > ledger.seq
            else { return [] }
            let behind = log.entries[ledger.seq...]
            let closed = behind.compactMap { entry -> Token? in
                if case .close(let close)? = entry.ledger { close.token } else { nil }
            }
            let ended = Set(closed)
            return behind.compactMap { entry in
                guard case .grant(let grant)? = entry.ledger, !ended.contains(entry.id.token)
                else { return nil }
                return LostGrant(desk: ledger.author, id: entry.id, grant: grant)
            }
        }
    }

    /// Those of which no booking of `book` that has not ended gives the same to the same holder.
    static func open(_ all: [LostGrant], in book: Book) -> [LostGrant] {
        guard !all.isEmpty else { return [] }
        let live = Set(book.mints.filter { $0.end == nil }.map { Same($0.grant) })
        return all.filter { !live.contains(Same($0.grant)) }
    }

    /// What makes two grants the same to people.
    private struct Same: Hashable {
        let holder: PeerKey
        let place: Int
        let period: Period

        init(_ grant: Grant) { (holder, place, period) = (grant.holder, grant.place, grant.period) }
    }
}
