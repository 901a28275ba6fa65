// SPDX-License-Identifier: Apache-2.0
/// How much work a search may do. Steps and not seconds, so that a slow machine finds the same.
package struct MatchSteps: Hashable, Sendable {
    /// How many steps there were.
    package private(set) var taken = 0
    /// How many there may be.
    package let limit: Int

    /// What a search for plans may take.
    package static let plan = 200_000
    /// What a search for rings may take.
    package static let rings = 400_000

    /// None taken so far.
    package init(limit: Int) { self.limit = limit }

    /// Whether all are taken: what was found so far counts.
    package var isOver: Bool { taken >= limit }

    /// The same with half of what is left.
    var half: MatchSteps {
        var half = MatchSteps(limit: taken + (limit - taken) / 2)
        half.take(taken)
        return half
    }

    /// The same once `part` of it was used.
    func after(_ part: MatchSteps) -> MatchSteps {
        var rest = self
        rest.take(part.taken - taken)
        return rest
    }

    /// Takes steps.
    mutating func take(_ count: Int = 1) { taken += count }

    /// Takes what it costs to look through a list: a step for every 32 things, so that long lists
    /// are no way to make a search slow.
    mutating func look(at count: Int) { taken += count / 32 }
}

/// What a move is worth in a sum in which people helped come first, then ranks gained, then few who
/// move without a gain, then few who move. At most 1024 people move.
enum MatchWeight {
    static let helped = 1 << 36
    static let gain = 1 << 22
    static let favour = 1 << 11
    static let move = 1

    /// Less than any sum.
    static let none = Int.min / 4

    /// Of one person who gains so many ranks.
    static func of(gain ranks: Int) -> Int {
        (ranks > 0 ? helped + ranks * gain : -favour) - move
    }
}
