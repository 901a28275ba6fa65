// SPDX-License-Identifier: Apache-2.0
/// What one exchange is worth to the own party, as people would put it: the order of proposals.
package struct MatchStanding: Hashable, Comparable, Sendable {
    /// Children, and people who need help, beside whoever looks after them.
    package let safe: Int
    /// How the party sits.
    package let together: Together
    /// People who come to something better by their own order.
    package let helped: Int
    /// How many ranks better, of all of them.
    package let gains: Int
    /// Others who move without a gain: each is a favour.
    package let favours: Int
    /// Seats that change hands.
    package let legs: Int
    /// The tokens that move, sorted: hashes, so that nobody has the last word by choice.
    package let tokens: [Token]

    /// Whether the party sits as well, or better, and is not the same with nobody helped.
    func isBetter(than now: (safe: Int, together: Together), ownHelped: Int) -> Bool {
        guard (safe, together) >= now else { return false }
        return (safe, together) > now || ownHelped > 0
    }

    /// Orders from worse to better.
    package static func < (left: MatchStanding, right: MatchStanding) -> Bool {
        if left.safe != right.safe { return left.safe < right.safe }
        if left.together != right.together { return left.together < right.together }
        if left.helped != right.helped { return left.helped < right.helped }
        if left.gains != right.gains { return left.gains < right.gains }
        if left.favours != right.favours { return left.favours > right.favours }
        if left.legs != right.legs { return left.legs > right.legs }
        return right.tokens.lexicographicallyPrecedes(left.tokens)
    }
}

/// The same order as one number, for bounds.
enum MatchScore {
    /// What the party's own seating is worth: more than any sum of ``MatchWeight``.
    static func of(safe: Int, _ together: Together) -> Int {
        of(safe: safe, together.count, together.degree)
    }

    /// The same for so many who sit together like that.
    static func of(safe: Int, _ count: Int, _ degree: Together.Degree) -> Int {
        ((safe * 64 + count) * 8 + degree.rawValue) * shape
    }

    /// What a better shape is worth.
    static let shape = 1 << 44
}
