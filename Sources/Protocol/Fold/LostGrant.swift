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
        ledgers.flatMap { ledger -> [LostGrant] in
            guard isOver(ledger), let log = logs.log(of: ledger.author), log.seq > ledger.seq
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

    /// Whether a booking that has not ended gives the same to the same holder.
    func isAgain(in mint: Mint) -> Bool {
        guard mint.end == nil, mint.grant.holder == grant.holder else { return false }
        return mint.grant.place == grant.place && mint.grant.period == grant.period
    }

    /// Whether another epoch has begun after it. The last ledger counts as far as it is known, and
    /// what a rival grants is told as such.
    private static func isOver(_ ledger: CountedLedger) -> Bool {
        switch ledger.standing {
        case .counts, .unnamed: true
        case .rival, .waits: false
        }
    }
}
