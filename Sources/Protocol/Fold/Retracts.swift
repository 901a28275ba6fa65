// SPDX-License-Identifier: Apache-2.0
/// Retracts that count, to be asked by slot and by seat (docs/protocol.md section 13, step 8).
struct Retracts {
    private let bySlot: [(slot: Slot, author: PeerKey)]
    private let bySeat: [(author: PeerKey, seat: Seat, seq: Int)]

    init(_ evidence: Evidence) {
        bySlot = evidence.retracts.map { ($0.slot, $0.author) }.sorted { $0 < $1 }
        var seats: [(author: PeerKey, seat: Seat, seq: Int)] = []
        for retract in evidence.retracts {
            guard let index = evidence.claims.position(of: retract.slot.token, by: \.id.token),
                case .claim(let seat, _) = evidence.claims[index].body
            else { continue }
            seats.append((retract.author, seat, retract.seq))
        }
        bySeat = seats.sorted { $0 < $1 }
    }

    /// Whether `holder` retracted exactly this tenure.
    func end(_ slot: Slot, of holder: PeerKey) -> Bool {
        var index = bySlot.lowerBound(of: slot, by: \.slot)
        while index < bySlot.count, bySlot[index].slot == slot {
            if bySlot[index].author == holder { return true }
            index += 1
        }
        return false
    }

    /// Whether the author of `claim` retracted a token of the same seat before.
    func precede(_ claim: Entry, _ seat: Seat) -> Bool {
        let first = bySeat.partitionPoint { $0 < (claim.author, seat, 0) }
        return first < bySeat.count && bySeat[first].author == claim.author
            && bySeat[first].seat == seat && bySeat[first].seq < claim.seq
    }
}
