// SPDX-License-Identifier: Apache-2.0
/// The fold in the core: brought up to the logs when they changed, and watched over.
extension Node {
    /// Folds the logs. Reports each passenger whom their own entries convict once; one known before
    /// a start is shown but not reported again.
    mutating func refold(_ effects: inout Effects) {
        isFoldStale = false
        let isFirst = !hasFolded
        hasFolded = true
        let before = fold
        let known = misdeeds.filter { $0.kind != .fork }.map(\.author)
        frontierCache = nil
        running.follow(logs)
        (fold, misdeeds) = (running.fold, running.misdeeds)
        for misdeed in misdeeds
        where misdeed.kind != .fork && !isFirst && !known.contains(misdeed.author) {
            effects.notices.append(.trouble(.misdeed(misdeed)))
        }
        guard fold != before else { return }
        suggested.votersChanged()
        inspect(from: before, &effects)
        mapDigest = fold.digest(setup.primitives)
        effects.notices.append(.map)
    }

    /// Checks after every fold what must be true of every fold (docs/protocol.md section 13), so
    /// that a program with a wrong map says so. Reports each violation once.
    private mutating func inspect(from before: SeatFold, _ effects: inout Effects) {
        let blamed = misdeeds.map(\.author)
        let found =
            Invariants.violations(of: fold)
            + Invariants.violations(from: before, to: fold, blamed: blamed)
        for violation in found
        where !violations.contains(violation) && violations.count < Limits.violations {
            violations.append(violation)
            effects.notices.append(.trouble(.violation(violation)))
        }
    }

    /// What convicts `author`; `nil` for an honest one.
    package func misdeed(of author: PeerKey) -> Misdeed? {
        misdeeds.position(of: author, by: \.author).map { misdeeds[$0] }
    }
}
