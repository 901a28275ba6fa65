// SPDX-License-Identifier: Apache-2.0
/// A ledger of a venue, and how far it counts (docs/protocol.md section 32).
package struct CountedLedger: Hashable, Sendable {
    /// Why it counts so far.
    package enum Standing: String, Hashable, Sendable {
        /// It counts up to ``seq``.
        case counts
        /// A ledger of its epoch with a smaller key counts: two desks run.
        case rival
        /// The next epoch does not go on from it.
        case unnamed
        /// What it, or an epoch before it, goes on from is not known yet.
        case waits
    }

    /// Who writes it.
    package let author: PeerKey
    /// The epoch of its first charter.
    package let epoch: Int
    /// Its last entry that counts; 0 for none.
    package let seq: Int
    /// Why.
    package let standing: Standing

    /// The same ledger up to `seq`.
    func counted(to seq: Int) -> CountedLedger {
        CountedLedger(author: author, epoch: epoch, seq: seq, standing: standing)
    }

    /// All ledgers among logs that are sorted by author: by epoch, then author.
    static func all(in logs: [AuthorLog]) -> [CountedLedger] {
        let known = logs.compactMap(Known.init).sorted {
            ($0.charter.epoch, $0.log.author) < ($1.charter.epoch, $1.log.author)
        }
        // The first of each epoch leads it.
        let leads = zip([nil] + known.map { $0 as Known? }, known)
            .filter { $0?.charter.epoch != $1.charter.epoch }.map(\.1)
        let counting = leads.prefix { $0.isReady(logs) }
        return known.map { one in
            let epoch = one.charter.epoch
            guard let last = counting.last, epoch <= last.charter.epoch else {
                return one.counted(0, .waits)
            }
            guard let next = counting.first(where: { $0.charter.epoch > epoch }) else {
                let leads = one.log.author == last.log.author
                return leads ? one.counted(.max, .counts) : one.counted(0, .rival)
            }
            let named = next.charter.before.first { $0.ledger == one.log.author }
            return named.map { one.counted($0.seq, .counts) } ?? one.counted(0, .unnamed)
        }
    }

    /// A log that is a ledger.
    private struct Known {
        let log: AuthorLog
        /// The first charter: later ones change neither the epoch nor what it goes on from.
        let charter: Charter

        init?(_ log: AuthorLog) {
            guard log.isLedger, case .charter(let charter)? = log.entry(at: 2)?.ledger else {
                return nil
            }
            self.log = log
            self.charter = charter
        }

        /// Whether all that it goes on from is known that far, or up to a fork before.
        func isReady(_ logs: [AuthorLog]) -> Bool {
            charter.before.allSatisfy { before in
                guard let place = logs.position(of: before.ledger, by: \.author) else {
                    return false
                }
                let fork = logs[place].fork ?? Int.max
                return logs[place].seq >= min(before.seq, fork - 1)
            }
        }

        func counted(_ most: Int, _ standing: Standing) -> CountedLedger {
            CountedLedger(
                author: log.author, epoch: charter.epoch, seq: min(most, log.seq),
                standing: standing)
        }
    }
}

extension Book {
    /// A ledger that counts is that long now.
    mutating func count(_ head: LogHead) {
        guard let place = ledgers.firstIndex(where: { $0.author == head.author }) else { return }
        ledgers[place] = ledgers[place].counted(to: head.seq)
    }
}

extension CountedLedger {
    /// What a desk that takes over from a lost one goes on from: the next epoch, and all ledgers of
    /// the last one as far as `entries` have them, at most eight; `nil` if there is none, or no
    /// further epoch. O(n) (docs/protocol.md section 32).
    package static func takingOver(
        _ entries: [Entry]
    ) -> (epoch: Int, before: [Charter.Before])? {
        var epochs: [(author: PeerKey, epoch: Int)] = []
        var known: [PeerKey: Set<Int>] = [:]
        for entry in entries {
            known[entry.author, default: []].insert(entry.seq)
            if entry.seq == 2, case .charter(let charter)? = entry.ledger {
                epochs.append((entry.author, charter.epoch))
            }
        }
        guard let last = epochs.map(\.epoch).max(), Limits.epochs.contains(last + 1) else {
            return nil
        }
        let before = epochs.filter { $0.epoch == last }.sorted { $0.author < $1.author }
            .prefix(Limits.ledgersBefore).map { one in
                let has = known[one.author] ?? []
                // What stands behind a gap does not count.
                let length = (1...has.count).first { !has.contains($0 + 1) } ?? has.count
                return Charter.Before(ledger: one.author, seq: length)
            }
        return (last + 1, before)
    }
}
