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
