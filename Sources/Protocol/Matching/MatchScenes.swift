// SPDX-License-Identifier: Apache-2.0
/// What searches look at: the scene that everybody sees, and the one that this user does.
package struct MatchScenes: Hashable, Sendable {
    /// Of public wishes only: equal logs give equal ones on all machines.
    package let common: MatchScene
    /// With what this user knows.
    package let own: MatchScene
    /// Whether there were more people than a search looks at.
    package let isCut: Bool

    /// The scenes of `fold` and `wishes`, for a user who knows `facts` and sits in `cabin`.
    package init(
        _ fold: SeatFold, _ wishes: [StatedWish], _ facts: MatchFacts, trust: Trust = .none,
        cabin: MatchCabin
    ) {
        let all = MatchScene.own(fold, wishes, facts, trust: trust, cabin: cabin)
        common = MatchScene.common(fold, wishes).limited
        own = all.limited
        isCut = own.people.count < all.people.count
    }
}

extension MatchScene {
    /// No more people than a search looks at: the own party, then the others by seat, so that equal
    /// scenes lose the same.
    var limited: MatchScene {
        guard people.count > Limits.matched else { return self }
        let others = people.filter { !$0.isOwn }.prefix(max(Limits.matched - own.count, 0))
        return MatchScene(people.filter(\.isOwn) + others)
    }
}
