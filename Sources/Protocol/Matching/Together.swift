// SPDX-License-Identifier: Apache-2.0
/// How well a party sits together.
package struct Together: Hashable, Comparable, Sendable {
    /// The shape in which all of a party sit; each is worth more than any number of lesser gains.
    package enum Degree: Int, Hashable, Comparable, Sendable {
        /// At least one of them sits away from the others.
        case apart
        /// In two rows, one before the other.
        case near
        /// Two and two: nobody without a companion at their side. Or every child beside a
        /// grown-up, and the rest in the row before or behind.
        case pairs
        /// Side by side but for the aisle.
        case row
        /// Side by side, with nobody and no aisle between.
        case block

        /// Orders by how good it is.
        package static func < (left: Degree, right: Degree) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// How many sit together: all of the party, or those with a companion at their side.
    package let count: Int
    /// How.
    package let degree: Degree

    /// How a party in `places` sits; `isSafe` says that each of those who are cared for, who sit
    /// in `charges`, has whoever looks after them in reach. O(n²).
    init(_ places: [MatchCabin.Place], charges: [MatchCabin.Place] = [], isSafe: Bool = false) {
        degree = Self.degree(places, isSafe ? charges : [])
        count = degree > .apart ? places.count : places.count(where: places.hasNeighbour)
    }

    private static func degree(
        _ places: [MatchCabin.Place], _ charges: [MatchCabin.Place]
    ) -> Degree {
        guard places.count > 1, let first = places.map(\.row).min(),
            let last = places.map(\.row).max()
        else { return .apart }
        guard last - first <= 2, hangTogether(places) else { return .apart }
        if first == last {
            return places.allSatisfy { $0.block == places[0].block } ? .block : .row
        }
        if last - first == 1, places.allSatisfy(places.hasNeighbour) { return .pairs }
        if let row = charges.first?.row, charges.allSatisfy({ $0.row == row }),
            row - first <= 1, last - row <= 1
        {
            return .pairs
        }
        return last - first == 1 ? .near : .apart
    }

    /// Whether each is reached from each by steps from one place to the next.
    private static func hangTogether(_ places: [MatchCabin.Place]) -> Bool {
        var reached = [places[0]]
        var left = Array(places.dropFirst())
        var next = 0
        while next < reached.count {
            let here = reached[next]
            reached += left.filter(here.isNear)
            left.removeAll(where: here.isNear)
            next += 1
        }
        return left.isEmpty
    }

    /// Orders by how many, then how.
    package static func < (left: Together, right: Together) -> Bool {
        (left.count, left.degree) < (right.count, right.degree)
    }
}

extension [MatchCabin.Place] {
    /// Whether one of them is right at the side of `place`.
    fileprivate func hasNeighbour(_ place: MatchCabin.Place) -> Bool {
        contains(where: place.touches)
    }
}
