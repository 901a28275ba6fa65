// SPDX-License-Identifier: Apache-2.0
/// What the program around the core knows of seats, and others do not.
package struct KnownSeats: Hashable, Sendable {
    /// Where seats are.
    package let cabin: MatchCabin
    /// What has to be right about whoever sits in the user's seats.
    package let needs: [MatchFacts.Needs]
    /// Those of the user's seats whose passenger stays.
    package let kept: [Seat]
    /// Who said no to what the user proposed.
    package let refusers: [PeerKey]
    /// Companions who stay where they are.
    package let staying: [PeerKey]
    /// Who is out of reach here, but can be asked through a meeting point.
    package let remote: Set<PeerKey>

    /// Seats in `cabin`.
    package init(
        cabin: MatchCabin, needs: [MatchFacts.Needs] = [], kept: [Seat] = [],
        refusers: [PeerKey] = [], staying: [PeerKey] = [], remote: Set<PeerKey> = []
    ) {
        self.cabin = cabin
        self.needs = needs
        self.kept = kept
        self.refusers = refusers
        self.staying = staying
        self.remote = remote
    }
}

/// Who could change seats with whom (docs/matching.md).
extension Node {
    /// What a search looks at. The party is this agent and its companions; wishes are the last of
    /// each log, and of the user all that this device knows.
    package func scenes(_ known: KnownSeats) -> MatchScenes {
        let fold = folding.fold
        let mine = fold.held(by: me)
        let offered = mine.filter { wishes.own.offered.contains($0.token) }
        let ranks = wishes.own.ranks.map { ranks in
            (offered.isEmpty ? mine : offered).map { MatchFacts.Ranks(seat: $0.seat, ranks: ranks) }
        }
        let unreachable = unreachable(but: known.remote)
        let kept = mine.filter { known.kept.contains($0.seat) }.map(\.token)
        let facts = MatchFacts(
            party: [me] + fellows.counted, ranks: ranks ?? [], needs: known.needs,
            never: unasked(unreachable) + known.refusers, absent: unreachable + known.staying,
            stale: promised(in: swaps.records) + kept + doubtful)
        let stated = records.logs.logs.compactMap { log in
            talk.history.said(by: log.author).map { StatedWish(author: log.author, wish: $0) }
        }
        return MatchScenes(fold, stated, facts, trust: trust, cabin: known.cabin)
    }

    /// Seats that no yes of this agent would take: claimed anew while an earlier claim may come
    /// back, or got by a swap of somebody who signed two things that exclude each other
    /// (docs/protocol.md section 16).
    private var doubtful: [Token] {
        let fold = folding.fold
        let cheats = folding.misdeeds.map(\.author)
        let got = cheats.isEmpty ? [] : fold.tokens(through: cheats)
        return (fold.tokens.filter(\.reminted) + got).map(\.token)
    }

    /// Whom no exchange is proposed to: who is blocked, out of reach or gone, signed two things
    /// that exclude each other, or said no to a request.
    private func unasked(_ unreachable: [PeerKey]) -> [PeerKey] {
        let refused = swaps.records.filter { $0.role == .asker && $0.stage == .declined }
            .map { $0.partner(of: me) }
        return (unreachable + refused).sortedOnce(by: <)
    }

    /// Who cannot say yes to anything here.
    private func unreachable(but remote: Set<PeerKey>) -> [PeerKey] {
        let gone = passengers.filter {
            !$0.isMe && ($0.isAway && !remote.contains($0.key) || $0.hasLeft)
        }.map(\.key)
        return (people.blocked + folding.misdeeds.map(\.author) + gone).sortedOnce(by: <)
    }
}
