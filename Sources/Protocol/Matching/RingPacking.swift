// SPDX-License-Identifier: Apache-2.0
/// The heaviest set of rings that have nobody in common: exchanges until none helps.
struct RingPacking {
    private let rings: [RingPool.Ring]
    /// For each holder the rings that they are in.
    private let ringsOf: [[Int]]
    /// For each ring its holders.
    private let units: [[Int]]
    /// For each holder the ring that was chosen, -1 for none.
    private var owner: [Int]

    /// Nothing chosen yet.
    init(_ pool: RingPool, _ scene: MatchScene) {
        rings = pool.rings
        let count = (scene.people.map(\.unit).max() ?? -1) + 1
        units = rings.map { ring in ring.people.map { scene.people[$0].unit } }
        var ringsOf: [[Int]] = Array(repeating: [], count: count)
        for (index, units) in units.enumerated() {
            for unit in units { ringsOf[unit].append(index) }
        }
        self.ringsOf = ringsOf
        owner = Array(repeating: -1, count: count)
    }

    /// The rings that were chosen.
    var chosen: [RingPool.Ring] { chosenIndexes.map { rings[$0] } }

    private var chosenIndexes: [Int] { Set(owner).subtracting([-1]).sorted() }

    /// Chooses until no exchange helps or the steps are used up.
    mutating func improve(_ steps: inout MatchSteps) {
        var isBetter = true
        while isBetter, !steps.isOver {
            isBetter = false
            for ring in rings.indices where !steps.isOver && isHeavier(ring, &steps) {
                choose(ring)
                isBetter = true
            }
            for ring in chosenIndexes where !steps.isOver {
                if split(ring, &steps) { isBetter = true }
            }
        }
    }

    private func isChosen(_ ring: Int) -> Bool { owner[units[ring][0]] == ring }

    /// Rings that were chosen and have somebody of `ring`.
    private func rivals(of ring: Int) -> [Int] {
        var rivals: [Int] = []
        for unit in units[ring] where owner[unit] >= 0 && !rivals.contains(owner[unit]) {
            rivals.append(owner[unit])
        }
        return rivals
    }

    /// Whether it is worth more than all that it takes the place of.
    private func isHeavier(_ ring: Int, _ steps: inout MatchSteps) -> Bool {
        steps.take()
        guard !isChosen(ring) else { return false }
        return rivals(of: ring).reduce(0) { $0 + rings[$1].weight } < rings[ring].weight
    }

    private mutating func choose(_ ring: Int) {
        for rival in rivals(of: ring) { drop(rival) }
        for unit in units[ring] { owner[unit] = ring }
    }

    private mutating func drop(_ ring: Int) {
        for unit in units[ring] { owner[unit] = -1 }
    }

    /// Takes two rings in the place of one, or of one and another, if they are worth more.
    private mutating func split(_ ring: Int, _ steps: inout MatchSteps) -> Bool {
        guard isChosen(ring) else { return false }
        let candidates = Array(Set(units[ring].flatMap { ringsOf[$0] })).sorted()
            .filter { $0 != ring }
        steps.take(candidates.count)
        // What each takes the place of beside this one.
        let costs = candidates.map { candidate in
            rivals(of: candidate).reduce(0) { $1 == ring ? $0 : $0 + rings[$1].weight }
        }
        let useful = candidates.indices.filter { rings[candidates[$0]].weight > costs[$0] }
            .prefix(64)
        for one in useful {
            steps.take()
            guard !steps.isOver else { return false }
            for other in useful where one < other {
                let (left, right) = (candidates[one], candidates[other])
                guard !units[left].contains(where: units[right].contains),
                    rings[left].weight + rings[right].weight
                        > rings[ring].weight + costs[one] + costs[other]
                else { continue }
                choose(left)
                choose(right)
                return true
            }
        }
        return false
    }

    // MARK: Exact

    /// Looks for a heavier set by branch and bound, component by component, where all rings are
    /// listed.
    mutating func prove(_ steps: inout MatchSteps) -> Bool {
        var isProven = true
        for component in components() {
            var exact = ExactPacking(component, rings, units, ringsOf)
            let own = component.filter(isChosen)
            let share = MatchSteps(limit: max(steps.limit - steps.taken, 0) / 2)
            let (best, proven, taken) = exact.best(over: own, share)
            steps.take(taken)
            isProven = isProven && proven
            for ring in own { drop(ring) }
            for ring in best { choose(ring) }
        }
        return isProven
    }

    /// Rings that hang together by people that they have in common, sorted. Each holder is looked
    /// at once, so this takes as long as a look at each ring.
    private func components() -> [[Int]] {
        var seen = Array(repeating: false, count: rings.count)
        var isDone = Array(repeating: false, count: ringsOf.count)
        var components: [[Int]] = []
        for start in rings.indices where !seen[start] {
            var component = [start]
            seen[start] = true
            var next = 0
            while next < component.count {
                for unit in units[component[next]] where !isDone[unit] {
                    isDone[unit] = true
                    for ring in ringsOf[unit] where !seen[ring] {
                        seen[ring] = true
                        component.append(ring)
                    }
                }
                next += 1
            }
            components.append(component.sorted())
        }
        return components
    }
}
