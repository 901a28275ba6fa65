// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Text

/// What `--watch` showed last, and whether what is found now is news. A pure value.
struct MatchNews: Hashable {
    /// What is to be said of a search.
    enum Step: Hashable {
        /// The best that was found is what was shown.
        case same
        /// It is better than what was shown, or the first.
        case better(MatchPlan)
        /// It is no better, but what was shown is not possible any more.
        case instead(MatchPlan)
    }

    private var shown: MatchPlan?

    /// Takes what a search found.
    mutating func take(_ found: MatchPlans) -> Step {
        guard let best = found.plans.first else { return .same }
        let last = shown
        shown = best
        guard let last else { return .better(best) }
        if last.moves == best.moves { return .same }
        // The agent tells the best first.
        let stands = found.plans.contains { $0.moves == last.moves }
        return stands || best.isBetter(than: last) ? .better(best) : .instead(best)
    }
}

extension MatchPlan {
    /// Whether it comes before `other`, by what the agent tells of both.
    fileprivate func isBetter(than other: MatchPlan) -> Bool {
        rank.lexicographicallyPrecedes(other.rank)
    }

    /// The best is the least: how many sit together and how, who gains, who does a favour.
    private var rank: [Int] {
        let degree: Int =
            switch shape {
            case .known(.block): 0
            case .known(.row): 1
            case .known(.pairs): 2
            case .known(.near): 3
            case .known(.apart), .other: 4
            }
        return [-together, degree, -helped, favours, moves.count]
    }
}
