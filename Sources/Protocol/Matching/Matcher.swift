// SPDX-License-Identifier: Apache-2.0
/// What can be proposed for the own party. Pure, and bounded by steps: the same scenes give the
/// same proposals on every machine, however slow.
package struct Matcher: Sendable {
    /// What is looked for.
    package enum Aim: Hashable, Sendable {
        /// Whatever serves the own party.
        case all
        /// Seats in which the party sits better together.
        case together
        /// What single people of the party wish.
        case wishes
    }

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
    /// How the party sits now.
    package let now: (safe: Int, together: Together)

    /// Searches `own`, the scene as this user sees it, and `common`, as everybody does. Whoever
    /// proposes an exchange takes part in it: `proposer` is somebody of the own party for whom one
    /// has to be found, if there is one. Fewer `steps` for plans and for wishes are for tests.
    package init(
        common: MatchScene, own: MatchScene, aim: Aim = .all, proposer: PeerKey? = nil,
        steps: Int = MatchSteps.plan
    ) {
        rings = aim == .together ? [] : RingSearch(common).rings
        let plans =
            aim == .wishes
            ? [] : Self.searches(own, proposer, steps) { search in search.seatParty() }
        let mine = own.own.map { own.people[$0].slot.token }
        let others = rings.filter { ring in
            !ring.standing.tokens.contains(where: mine.contains)
        }
        // What the common rings leave.
        let left = own.freezing(others.flatMap(\.legs).map(\.slot))
        let wishes =
            aim == .together
            ? [] : Self.searches(left, proposer, steps) { search in search.serveWishes() }
        let searches = plans + wishes
        let (party, now) = (searches[0].party, searches[0].now)
        let common = rings.compactMap { RingVeto.pass($0, own, party, now) }
        var best: [MatchProposal] = []
        let all = (searches.flatMap(\.found) + common).filter { $0.serves(aim, now, proposer) }
        for proposal in all.sorted(by: { $0.standing > $1.standing })
        where best.count < Self.most && !best.contains(where: { $0.legs == proposal.legs }) {
            best.append(proposal)
        }
        proposals = best
        isWhole = searches.allSatisfy { !$0.steps.isOver } && !plans.contains(where: \.isCut)
        planSteps = plans.first?.steps.taken ?? 0
        self.now = now
    }

    /// The search, and where nothing that it found can be proposed by `proposer`, another for that.
    private static func searches(
        _ scene: MatchScene, _ proposer: PeerKey?, _ limit: Int,
        _ run: (inout PlanSearch) -> Void
    ) -> [PlanSearch] {
        var first = PlanSearch(scene, steps: MatchSteps(limit: limit))
        run(&first)
        guard let proposer, !first.found.isEmpty,
            !first.found.contains(where: { $0.gives(to: proposer) })
        else { return [first] }
        var second = PlanSearch(scene, steps: MatchSteps(limit: limit), proposer: proposer)
        run(&second)
        return [first, second]
    }
}

extension MatchProposal {
    /// Whether `key` takes part.
    package func gives(to key: PeerKey) -> Bool { legs.contains { $0.to == key } }

    /// Whether it is what is looked for: of wishes, one of `proposer`, who is anybody of the party
    /// if it is `nil`.
    fileprivate func serves(
        _ aim: Matcher.Aim, _ now: (safe: Int, together: Together), _ proposer: PeerKey?
    ) -> Bool {
        switch aim {
        case .all: return true
        case .together: return (standing.safe, standing.together) > now
        case .wishes:
            return moves.contains { move in
                guard case .wish = move.reason else { return false }
                return move.isOwn && (proposer.map { $0 == move.holder } ?? true)
            }
        }
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
