// SPDX-License-Identifier: Apache-2.0
/// The budget for what others write: for whom the user did something, and who is over their share.
extension Node {
    /// How many passengers are over their share, so that not everything of theirs was
    /// taken: logs, then messages.
    package var leftOut: (logs: Int, messages: Int) {
        (records.leftOut, talk.leftOut)
    }

    /// Looks at who is favoured, at most every two seconds and where it matters. Tells whether
    /// somebody may have room who had none.
    @discardableResult
    mutating func weigh(at now: Instant) -> Bool {
        guard records.isTight || talk.isTight, records.mayWeigh(at: now) else { return false }
        let favoured = favoured
        let linked = Set(peers.all.openKeys)
        talk.weigh(favoured: favoured, isLinked: linked.contains)
        return records.weigh(
            favoured: favoured, needed: neededPlaces, isLinked: linked.contains, at: now)
    }

    /// The same, and whoever has room now is asked for.
    mutating func weighAgain(_ effects: inout Effects, at now: Moment) {
        guard weigh(at: now.instant) else { return }
        records.handle(.roused, at: now.instant)
        for id in records.links { pull(id, &effects, at: now) }
    }

    /// For whom the user did something: they compared numbers with them, are of one party with
    /// them, or agreed to a swap with them.
    private var favoured: Set<PeerKey> {
        var keys: Set<PeerKey> = [me]
        keys.formUnion(ownParty)
        for known in verified { keys.insert(known.key) }
        for record in swaps.records where record.isOwnWish {
            keys.formUnion(record.contract.parties)
        }
        for state in folding.fold.contracts {
            guard let contract = state.contract, contract.parties.contains(me) else { continue }
            let isAgreed = state.votes.contains { $0.author == me && $0.vote?.yes == true }
            if isAgreed { keys.formUnion(contract.parties) }
        }
        return keys
    }

    /// Of each author the last place that a certificate here needs.
    private var neededPlaces: [PeerKey: Int] {
        var places: [PeerKey: Int] = [:]
        for state in folding.fold.contracts where state.certificate != nil {
            for vote in state.certificate?.votes ?? [] {
                places[vote.author] = max(places[vote.author] ?? 0, vote.seq)
            }
        }
        return places
    }
}

extension SwapRecord {
    /// Whether this user asked or consented, and it may still come to something: what
    /// anybody may send is not it.
    fileprivate var isOwnWish: Bool {
        switch stage {
        case .offered, .countered, .counterSent, .ready, .asking, .agreed, .preparing, .prepared,
            .stranded:
            true
        case .invited, .requested, .committed, .aborted, .declined, .withdrawn, .expired: false
        }
    }
}
