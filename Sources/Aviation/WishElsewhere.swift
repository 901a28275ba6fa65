// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Wishes in a cabin with other seats.
extension WishChoice {
    /// What of `choices` says something in any cabin, and the words that name seats or rows of one
    /// cabin. A choice of nothing else is none any more.
    package static func elsewhere(
        _ choices: [WishChoice]
    ) -> (kept: [WishChoice], leftOut: [String]) {
        var kept: [WishChoice] = []
        var leftOut: [String] = []
        for choice in choices {
            var alternatives: [[Part]] = []
            for parts in choice.alternatives {
                let stay = parts.filter { !$0.term.namesSeats }
                leftOut += parts.filter(\.term.namesSeats).map {
                    WishWords.text(WishChoice(alternatives: [[$0]]))
                }
                if !stay.isEmpty, !alternatives.contains(stay) { alternatives.append(stay) }
            }
            let rest = WishChoice(alternatives: alternatives)
            if !alternatives.isEmpty, !kept.contains(rest) { kept.append(rest) }
        }
        return (kept, leftOut)
    }
}

extension WishChoice.Term {
    /// Whether it names seats or rows of one cabin.
    fileprivate var namesSeats: Bool {
        switch self {
        case .block, .rows, .near(.seat), .beside(.seat): true
        case .any, .window, .aisle, .middle, .front, .back, .near(.person), .beside(.person),
            .exit, .legroom, .toilets:
            false
        }
    }
}
