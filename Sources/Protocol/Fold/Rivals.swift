// SPDX-License-Identifier: Apache-2.0
extension Fold {
    /// A complete contract that spends a slot with the yes of its owner.
    private struct Rival {
        let slot: Slot
        let owner: PeerKey
        /// y(C, owner).
        let yes: Int
        let index: Int
    }

    /// Step 6: two complete contracts on one slot.
    ///
    /// The order of the owner's own yes votes decides; a fork before both makes both void. An owner
    /// who left the first by an effective abandon before they said yes to the second is excused.
    mutating func beat() {
        var rivals: [Rival] = []
        for index in cases.indices where cases[index].complete {
            guard let contract = cases[index].contract else { continue }
            for leg in contract.legs where owner(of: leg.slot) == leg.from {
                guard let party = contract.parties.position(of: leg.from, by: { $0 }),
                    party < cases[index].yes.count
                else { continue }
                rivals.append(
                    Rival(
                        slot: leg.slot, owner: leg.from, yes: cases[index].yes[party],
                        index: index))
            }
        }
        // Cases are sorted by contract id, so the index stands for the id.
        rivals.sort { ($0.slot, $0.yes, $0.index) < ($1.slot, $1.yes, $1.index) }
        var start = 0
        while start < rivals.count {
            var end = start + 1
            while end < rivals.count, rivals[end].slot == rivals[start].slot { end += 1 }
            if end - start > 1 { decide(rivals[start..<end]) }
            start = end
        }
    }

    /// Decides among all contracts on one slot, sorted by the owner's yes. O(n
    /// log n), not pair by pair.
    private mutating func decide(_ rivals: ArraySlice<Rival>) {
        guard let owner = rivals.first?.owner else { return }
        let fork = evidence.fork(of: owner)
        let forked = rivals.count { $0.yes >= fork }
        // Up to this seq of the owner a rival before still stands against a later yes.
        var stands = 0
        for rival in rivals {
            if rival.yes >= fork {
                if forked > 1 || rival.yes <= stands { cases[rival.index].beaten = true }
                continue
            }
            if rival.yes <= stands { cases[rival.index].beaten = true }
            stands = max(
                stands, departure(of: owner, from: cases[rival.index].id, after: rival.yes))
        }
    }
}
