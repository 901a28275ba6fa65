// SPDX-License-Identifier: Apache-2.0
/// Rings of two to four people in which somebody is better off and nobody worse: all of them where
/// they are few, else some for each person.
struct RingPool {
    /// People who move each into the seat of the next, and the last into that of the first.
    struct Ring: Hashable {
        /// Their indexes; the first is the smallest.
        let people: [Int]
        /// What it is worth.
        let weight: Int
    }

    /// The longest.
    static let longest = 4
    /// More than this are not listed.
    static let most = 20_000
    /// How many of one length are listed for one person where not all are.
    static let share = 24

    /// What is worth most first.
    private(set) var rings: [Ring] = []
    /// Whether these are all.
    private(set) var isWhole = true

    private let scene: MatchScene
    private let wants: [[MatchOrders.Want]]
    /// For each person and each other, what the move is worth; 0 for none.
    private let worth: [Int]
    private let count: Int

    init(_ scene: MatchScene, _ orders: MatchOrders, _ steps: inout MatchSteps) {
        self.scene = scene
        count = scene.people.count
        wants = orders.wants
        var worth = Array(repeating: 0, count: count * count)
        for person in 0..<count {
            for want in wants[person] { worth[person * count + want.to] = want.weight }
        }
        self.worth = worth
        for start in 0..<count where isWhole {
            extend([start], 0, &steps) { Self.most - $0 }
            if rings.count >= Self.most || steps.isOver { isWhole = false }
        }
        if !isWhole { listShares(&steps) }
        rings = rings.sortedOnce {
            ($1.weight, $0.people.count) == ($0.weight, $1.people.count)
                ? $0.people.lexicographicallyPrecedes($1.people)
                : ($1.weight, $0.people.count) < ($0.weight, $1.people.count)
        }
    }

    /// Adds the rings that begin with `path`, whose first is the smallest.
    private mutating func extend(
        _ path: [Int], _ weight: Int, _ steps: inout MatchSteps, room: (Int) -> Int
    ) {
        let (first, last) = (path[0], path[path.count - 1])
        steps.take()
        steps.look(at: wants[last].count)
        for want in wants[last] {
            guard !steps.isOver, room(rings.count) > 0 else { return }
            if want.to == first, path.count > 1 {
                add(path, weight + want.weight)
            } else if want.to > first, path.count < Self.longest, isNew(want.to, path) {
                extend(path + [want.to], weight + want.weight, &steps, room: room)
            }
        }
    }

    private mutating func add(_ path: [Int], _ weight: Int) {
        if weight > 0 { rings.append(Ring(people: path, weight: weight)) }
    }

    /// Whether nobody of that holder is in the ring yet.
    private func isNew(_ person: Int, _ path: [Int]) -> Bool {
        let unit = scene.people[person].unit
        return !path.contains { scene.people[$0].unit == unit }
    }

    // MARK: Some for each

    /// For each person the first few of each length, looked for from another place each time.
    private mutating func listShares(_ steps: inout MatchSteps) {
        rings = []
        // Whatever the listing of all took is not taken from this.
        var own = MatchSteps(limit: steps.limit)
        for person in 0..<count {
            for length in 2...Self.longest {
                var left = Self.share
                var patience = MatchSteps(limit: own.taken + own.limit / max(count * 3, 1))
                patience.take(own.taken)
                walk([person], 0, length, &left, &patience)
                own.take(patience.taken - own.taken)
            }
        }
        steps.take(own.taken)
    }

    private mutating func walk(
        _ path: [Int], _ weight: Int, _ length: Int, _ left: inout Int, _ steps: inout MatchSteps
    ) {
        steps.take()
        let (first, last) = (path[0], path[path.count - 1])
        guard path.count < length else {
            let back = worth[last * count + first]
            if back != 0, weight + back > 0 {
                left -= 1
                add(turned(path), weight + back)
            }
            return
        }
        let list = wants[last]
        // Those who gain come first in the list; of them, each person begins with another.
        let gaining = list.partitionPoint { $0.weight > 0 }
        for index in list.indices {
            guard left > 0, !steps.isOver else { return }
            let place = index < gaining ? (index + first) % gaining : index
            guard isNew(list[place].to, path) else { continue }
            walk(path + [list[place].to], weight + list[place].weight, length, &left, &steps)
        }
    }

    /// The same ring from its smallest member on.
    private func turned(_ path: [Int]) -> [Int] {
        let start = path.indices.min { path[$0] < path[$1] } ?? 0
        return Array(path[start...] + path[..<start])
    }
}
