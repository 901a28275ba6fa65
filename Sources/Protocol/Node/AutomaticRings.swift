// SPDX-License-Identifier: Apache-2.0
/// When an agent looks for rings that serve its user's wish, and proposes them without another word
/// of theirs (docs/protocol.md section 16).
///
/// Everybody who looks finds the same rings. So of each the parties propose in one order, and who
/// comes later finds it proposed.
package struct AutomaticRings: Hashable, Sendable {
    /// A ring that may be proposed for the user.
    package struct Ring: Hashable, Sendable {
        /// What it moves.
        package let legs: [Leg]
        /// How many of its parties propose before the user.
        package let turn: Int
    }

    /// A ring that waits for its turn.
    private struct Waiting: Hashable {
        let ring: Ring
        let due: Instant
    }

    /// Whether there may be others than when it was looked last.
    private var isStale = true
    private var looked: Instant?
    private var waiting: [Waiting] = []

    /// Nothing was looked for.
    package init() {}

    /// Seats or wishes are others than before.
    package mutating func change() { isStale = true }

    /// When something is due; `nil` if nothing is.
    package var next: Instant? {
        let look = isStale ? looked.map { $0 + Limits.ringPause } ?? .zero : nil
        return ([look] + waiting.map(\.due)).compactMap(\.self).min()
    }

    /// Whether to look now, which is noted.
    package mutating func looks(at now: Instant) -> Bool {
        guard isStale, looked.map({ $0 + Limits.ringPause <= now }) ?? true else { return false }
        (isStale, looked) = (false, now)
        return true
    }

    /// What a search found, the best first. What was found before keeps its turn.
    package mutating func found(_ rings: [Ring], at now: Instant) {
        let before = waiting
        waiting = rings.prefix(Matcher.most).map { ring in
            let turn = Limits.ringTurn.nanoseconds * Int64(ring.turn)
            return before.first { $0.ring == ring }
                ?? Waiting(ring: ring, due: now + TimeSpan(nanoseconds: turn))
        }
    }

    /// The rings whose turn it is; at most so many that, with `open` requests of the user's, there
    /// are ``Limits/automaticRings``. Those that find no room are looked for again.
    package mutating func take(at now: Instant, open: Int) -> [Ring] {
        let due = waiting.filter { $0.due <= now }.map(\.ring)
        guard !due.isEmpty else { return [] }
        waiting.removeAll { $0.due <= now }
        let room = max(Limits.automaticRings - open, 0)
        if due.count > room { isStale = true }
        return Array(due.prefix(room))
    }
}

extension Node {
    /// Those of what a search found that the agent may propose for its user: their wish is served,
    /// nobody is asked for a favour, and nobody learns of a wish that is not public but whom the
    /// user verified or travels with. Between two, whoever is asked votes last: more than a claim
    /// has to speak for them.
    package func automaticRings(_ proposals: [MatchProposal]) -> [AutomaticRings.Ring] {
        let isPublic = isWishPublic
        return proposals.compactMap { proposal in
            let legs = proposal.legs
            let mine = proposal.moves.filter { $0.holder == me }
            let others = legs.map(\.from).sortedOnce(by: <).filter { $0 != me }
            guard proposal.standing.favours == 0, !mine.isEmpty,
                mine.allSatisfy({ if case .wish = $0.reason { true } else { false } }),
                isOffered(legs), isPublic || others.allSatisfy(isTrusted),
                others.count > 1 || others.allSatisfy({ assurance(of: $0) != .claimed }),
                !swaps.records.contains(where: { $0.contract.legs == legs })
            else { return nil }
            let order = RingTurns.order(legs, setup.primitives)
            return AutomaticRings.Ring(legs: legs, turn: order.firstIndex(of: me) ?? order.count)
        }
    }

    /// Whether others were told what the user wishes now.
    var isWishPublic: Bool {
        guard !wishes.own.isPrivate, let ranks = wishes.own.ranks, !ranks.isEmpty,
            let said = talk.history.said(by: me)
        else { return false }
        return said.ranks == ranks
    }

    /// Whether the user gives nothing of these but what they offer.
    func isOffered(_ legs: [Leg]) -> Bool {
        legs.allSatisfy { $0.from != me || wishes.own.offered.contains($0.token) }
    }

    /// Whether the user verified somebody or travels with them.
    func isTrusted(_ key: PeerKey) -> Bool {
        switch assurance(of: key) {
        case .verified, .party: true
        case .claimed, .vouched: false
        }
    }
}
