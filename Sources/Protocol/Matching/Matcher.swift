// SPDX-License-Identifier: Apache-2.0
/// What can be proposed for the own party. Pure, and bounded by steps: the same scenes give the
/// same proposals on every machine, however slow.
package struct Matcher: Sendable {
    /// At most this many are said.
    package static let most = 8

    /// Rings of everybody, the best first: of public wishes only.
    package let rings: [MatchProposal]
    /// What to propose, the best first.
    package let proposals: [MatchProposal]
    /// Whether the steps lasted: if not, these are the best that were found so far.
    package let isWhole: Bool
    /// The steps that the search for plans took, of ``MatchSteps/plan``.
    package let planSteps: Int

    /// Searches `own`, the scene as this user sees it, and `common`, as everybody does.
    package init(common: MatchScene, own: MatchScene) {
        let search = RingSearch(common)
        rings = search.rings
        var plans = PlanSearch(own)
        plans.seatParty()
        let mine = own.own.map { own.people[$0].slot.token }
        let others = search.rings.filter { ring in
            !ring.standing.tokens.contains(where: mine.contains)
        }
        // What the common rings leave.
        let left = own.freezing(others.flatMap(\.legs).map(\.slot))
        var wishes = PlanSearch(left)
        wishes.serveWishes()
        let common = search.rings.compactMap { RingVeto.pass($0, own, plans.party, plans.now) }
        var best: [MatchProposal] = []
        let all = plans.found + wishes.found + common
        for proposal in all.sorted(by: { $0.standing > $1.standing })
        where best.count < Self.most && !best.contains(where: { $0.legs == proposal.legs }) {
            best.append(proposal)
        }
        proposals = best
        isWhole = !plans.steps.isOver && !plans.isCut && !wishes.steps.isOver
        planSteps = plans.steps.taken
    }
}

/// What this user knows may keep them out of a common ring, but never changes it.
enum RingVeto {
    /// The ring as the own party sees it; `nil` if it is not theirs or they cannot take part.
    static func pass(
        _ ring: MatchProposal, _ scene: MatchScene, _ party: MatchParty,
        _ now: (safe: Int, together: Together)
    ) -> MatchProposal? {
        var moves: [(from: Int, to: Int)] = []
        for move in ring.moves {
            guard let from = scene.people.position(of: move.from, by: \.seat),
                let to = scene.people.position(of: move.to, by: \.seat),
                scene.people[from].holder == move.holder, scene.people[from].isFree,
                scene.gain(of: from, in: to) != nil
            else { return nil }
            moves.append((from, to))
        }
        let seats = party.members.map { member in
            moves.first { $0.from == member.person }?.to ?? member.person
        }
        guard seats != party.members.map(\.person) else { return nil }
        let places = seats.compactMap { scene.people[$0].place }
        guard places.count == seats.count,
            party.safe.allSatisfy({ party.isSafe($0, in: places) }),
            !party.members.indices.contains(where: { index in
                party.members[index].isFixed && seats[index] != party.members[index].person
            })
        else { return nil }
        let safe = party.charges.count { party.isSafe($0, in: places) }
        let together = Together(
            places, charges: party.charges.map { places[$0] }, isSafe: safe == party.charges.count)
        let told = MatchProposal(moves, scene, safe: safe, together)
        return told.standing.isBetter(than: now, ownHelped: told.ownHelped) ? told : nil
    }
}
