// SPDX-License-Identifier: Apache-2.0
/// What searches look at: the scene that everybody sees, and the one that this user does.
package struct MatchScenes: Hashable, Sendable {
    /// Of public wishes only: equal logs give equal ones on all machines.
    package let common: MatchScene
    /// With what this user knows.
    package let own: MatchScene

    /// The scenes of `fold` and `wishes`, for a user who knows `facts` and sits in `cabin`.
    package init(
        _ fold: SeatFold, _ wishes: [StatedWish], _ facts: MatchFacts, trust: Trust = .none,
        cabin: MatchCabin
    ) {
        common = MatchScene.common(fold, wishes)
        own = MatchScene.own(fold, wishes, facts, trust: trust, cabin: cabin)
    }
}
