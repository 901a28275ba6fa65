// SPDX-License-Identifier: Apache-2.0
/// A yes that still binds its voter to a slot (docs/protocol.md section 15).
package struct OpenVote: Hashable, Comparable, Sendable {
    /// What the voter promised to give.
    package let slot: Slot
    /// Who promised.
    package let author: PeerKey
    /// Under which contract.
    package let contract: ContractID
    /// Where in the voter's log.
    package let seq: Int

    package static func < (left: OpenVote, right: OpenVote) -> Bool {
        (left.slot, left.author, left.seq, left.contract)
            < (right.slot, right.author, right.seq, right.contract)
    }
}

extension SeatFold {
    /// Every yes, known from anywhere, that its voter has not left by an effective abandon of their
    /// own and whose contract has not applied; sorted by slot, then voter, then seq.
    ///
    /// A yes to a dead or beaten contract stays open: while its voter has not left it, it beats
    /// every later yes of theirs on the same slot (docs/protocol.md section 13, step 6), so nobody
    /// should be offered that slot.
    package var openVotes: [OpenVote] {
        var open: [OpenVote] = []
        for state in contracts where !state.applied {
            for entry in state.votes {
                guard let vote = entry.vote, vote.yes,
                    !departed(entry.author, from: state.id, after: entry.seq)
                else { continue }
                for slot in vote.slots {
                    open.append(
                        OpenVote(
                            slot: slot, author: entry.author, contract: state.id, seq: entry.seq))
                }
            }
        }
        return open.sorted()
    }

    /// Whether `author` effectively left `contract` behind `seq` of their log, and before `end`.
    /// O(log n).
    package func departed(
        _ author: PeerKey, from contract: ContractID, after seq: Int, before end: Int = Int.max
    ) -> Bool {
        let index = departures.lowerBound(
            of: Departure(author: author, contract: contract, seq: seq + 1)
        ) { $0 }
        return index < departures.count && departures[index].author == author
            && departures[index].contract == contract && departures[index].seq < end
    }

    /// Every contract known that `contract` rests on, itself not, sorted by id. O(n log n).
    ///
    /// A swap is only final if none of their parties forked, because that could undo `contract`
    /// (docs/protocol.md section 17).
    package func ancestors(of contract: Contract) -> [ContractState] {
        var found = Array(repeating: false, count: contracts.count)
        var queue = contract.legs
        while let leg = queue.popLast() {
            guard leg.producer != Producer(claim: leg.token),
                let index = contracts.position(of: ContractID(leg.producer.raw), by: \.id),
                !found[index]
            else { continue }
            found[index] = true
            queue += contracts[index].contract?.legs ?? []
        }
        return contracts.indices.filter { found[$0] }.map { contracts[$0] }
    }

    /// Rights that came to their holder by a contract with one of `parties` (sorted), or by one
    /// that rests on such a contract. O(n log n), however long the chains of contracts are.
    package func tokens(through parties: [PeerKey]) -> [TokenState] {
        var isThrough = contracts.map { state in
            state.contract?.parties.contains { key in parties.position(of: key) { $0 } != nil }
                ?? false
        }
        var next: [[Int]] = Array(repeating: [], count: contracts.count)
        for (index, state) in contracts.enumerated() {
            for leg in state.contract?.legs ?? [] where leg.producer != Producer(claim: leg.token) {
                if let before = contracts.position(of: ContractID(leg.producer.raw), by: \.id) {
                    next[before].append(index)
                }
            }
        }
        var queue = contracts.indices.filter { isThrough[$0] }
        while let index = queue.popLast() {
            for later in next[index] where !isThrough[later] {
                isThrough[later] = true
                queue.append(later)
            }
        }
        return tokens.filter { token in
            token.lineage.last.flatMap { contracts.position(of: $0, by: \.id) }
                .map { isThrough[$0] } ?? false
        }
    }
}

extension ContractState {
    /// Whether the contract is applied, dead or beaten, so that nothing is pending.
    package var isDecided: Bool { applied || dead || beaten }
}

extension [OpenVote] {
    /// Whether `author` is bound to `slot`, in a sorted list. O(log n).
    package func contains(_ slot: Slot, by author: PeerKey) -> Bool {
        var index = lowerBound(of: slot, by: \.slot)
        while index < count, self[index].slot == slot {
            if self[index].author == author { return true }
            index += 1
        }
        return false
    }
}
