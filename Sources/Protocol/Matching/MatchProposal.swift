// SPDX-License-Identifier: Apache-2.0
/// What changes for one person.
package struct MatchMove: Hashable, Sendable {
    /// Why somebody would say yes.
    package enum Reason: Hashable, Sendable {
        /// To sit with their party.
        case together
        /// A wish of theirs: 1 for the first.
        case wish(Int)
        /// As good as what they have: a favour.
        case alike
    }

    /// Whose seat it is.
    package let holder: PeerKey
    /// The seat they leave.
    package let from: Seat
    /// The seat they get.
    package let to: Seat
    /// Whether they are of the own party.
    package let isOwn: Bool
    /// Why.
    package let reason: Reason
}

/// An exchange that a search found.
package struct MatchProposal: Hashable, Sendable {
    /// Everybody who moves, sorted by the seat they leave.
    package let moves: [MatchMove]
    /// What a contract of it moves, sorted by token.
    package let legs: [Leg]
    /// How good it is.
    package let standing: MatchStanding

    /// The exchange in which each of `moves` goes from one index among people to another.
    init(
        _ moves: [(from: Int, to: Int)], _ scene: MatchScene, safe: Int, _ together: Together
    ) {
        let people = scene.people
        let sorted = moves.filter { $0.from != $0.to }.sorted { $0.from < $1.from }
        var gains: [Int] = []
        var favours = 0
        var told: [MatchMove] = []
        for move in sorted {
            let (person, target) = (people[move.from], people[move.to])
            let rank = person.rank(of: target.seat)
            let gain = max(person.rank(of: person.seat) - rank, 0)
            if gain > 0 { gains.append(gain) } else if !person.isOwn { favours += 1 }
            told.append(
                MatchMove(
                    holder: person.holder, from: person.seat, to: target.seat,
                    isOwn: person.isOwn,
                    reason: gain > 0 ? .wish(rank + 1) : person.isOwn ? .together : .alike))
        }
        self.moves = told
        legs = sorted.filter { people[$0.from].unit != people[$0.to].unit }.map { move in
            let slot = people[move.to].slot
            return Leg(
                token: slot.token, producer: slot.producer, from: people[move.to].holder,
                to: people[move.from].holder)
        }
        .sorted()
        standing = MatchStanding(
            safe: safe, together: together, helped: gains.count, gains: gains.reduce(0, +),
            favours: favours, legs: legs.count, tokens: legs.map(\.token))
    }

    /// How many of the own party come to something better by their own order.
    var ownHelped: Int {
        moves.count { move in
            if case .wish = move.reason { return move.isOwn }
            return false
        }
    }
}
