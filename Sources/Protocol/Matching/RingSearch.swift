// SPDX-License-Identifier: Apache-2.0
/// The common search: who could change seats in rings, so that nobody is worse off. Whoever has the
/// same logs finds the same rings.
package struct RingSearch: Sendable {
    /// Rings with nobody in common, the best first.
    package let rings: [MatchProposal]
    /// Whether no set of rings is worth more; not said where the steps were used up.
    package let isBest: Bool
    /// What it took.
    package let steps: MatchSteps

    /// The rings of a common scene.
    package init(_ scene: MatchScene, steps limit: Int = MatchSteps.rings) {
        var steps = MatchSteps(limit: limit)
        let pool = RingPool(scene, MatchOrders(scene), &steps)
        var packing = RingPacking(pool, scene)
        // What the listing took is not taken from the choice.
        var more = MatchSteps(limit: limit)
        packing.improve(&more)
        isBest = pool.isWhole && packing.prove(&more)
        steps.take(more.taken)
        self.steps = steps
        rings = packing.chosen.map { ring in
            let next = ring.people.dropFirst() + ring.people.prefix(1)
            return MatchProposal(
                zip(ring.people, next).map { (from: $0, to: $1) }, scene, safe: 0, Together([]))
        }
        .sorted { $0.standing > $1.standing }
    }
}

/// Who proposes a ring that all of them found.
package enum RingTurns {
    /// The parties of `legs` in the order in which they propose: by SHA-256 of the tokens, sorted,
    /// and the key, so that nobody is first everywhere.
    package static func order(_ legs: [Leg], _ primitives: any Primitives) -> [PeerKey] {
        let tokens = legs.map(\.token).sorted().flatMap(\.bytes)
        return legs.map(\.to).sortedOnce(by: <)
            .map { (turn: primitives.sha256(tokens + $0.bytes), key: $0) }
            .sorted { ($0.turn, $0.key) < ($1.turn, $1.key) }.map(\.key)
    }
}
