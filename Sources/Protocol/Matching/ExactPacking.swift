// SPDX-License-Identifier: Apache-2.0
/// The heaviest set of rings of one component, by branch and bound over its people.
struct ExactPacking {
    private let rings: [RingPool.Ring]
    private let units: [[Int]]
    private let ringsOf: [[Int]]
    /// Its people, those in few rings first.
    private let order: [Int]
    /// For each person the most that a ring with them is worth for each of its people.
    private var share: [Int]
    private var isTaken: [Bool]
    private var chosen: [Int] = []
    private var weight = 0
    private var best: [Int] = []
    private var bestWeight = 0
    private var steps = MatchSteps(limit: 0)

    init(
        _ component: [Int], _ rings: [RingPool.Ring], _ units: [[Int]], _ ringsOf: [[Int]]
    ) {
        self.rings = rings
        self.units = units
        self.ringsOf = ringsOf
        let people = component.flatMap { units[$0] }.sortedOnce(by: <)
        order = people.sorted { (ringsOf[$0].count, $0) < (ringsOf[$1].count, $1) }
        share = Array(repeating: 0, count: ringsOf.count)
        for person in people {
            share[person] = ringsOf[person].reduce(0) { most, ring in
                let size = units[ring].count
                return max(most, (rings[ring].weight + size - 1) / size)
            }
        }
        isTaken = Array(repeating: false, count: ringsOf.count)
    }

    /// A set that is heavier than `own`, or that; whether no other is heavier; and the steps that
    /// it took.
    mutating func best(
        over own: [Int], _ steps: MatchSteps
    ) -> (rings: [Int], isProven: Bool, taken: Int) {
        best = own
        bestWeight = own.reduce(0) { $0 + rings[$1].weight }
        self.steps = steps
        next(0, order.reduce(0) { $0 + share[$1] })
        return (best, !self.steps.isOver, self.steps.taken)
    }

    /// Decides about the person at `index`; `open` is what those from there on are worth at most.
    private mutating func next(_ index: Int, _ open: Int) {
        if weight > bestWeight { (best, bestWeight) = (chosen, weight) }
        var (index, open) = (index, open)
        while index < order.count, isTaken[order[index]] { index += 1 }
        guard index < order.count, weight + open > bestWeight, !steps.isOver else { return }
        let person = order[index]
        // Each of their rings is looked at.
        steps.take()
        steps.look(at: ringsOf[person].count)
        for ring in ringsOf[person] where !units[ring].contains(where: { isTaken[$0] }) {
            let freed = units[ring].reduce(0) { $0 + share[$1] }
            take(ring, true)
            next(index + 1, open - freed)
            take(ring, false)
        }
        // Nothing for them.
        isTaken[person] = true
        open -= share[person]
        next(index + 1, open)
        isTaken[person] = false
    }

    private mutating func take(_ ring: Int, _ isIn: Bool) {
        for unit in units[ring] { isTaken[unit] = isIn }
        if isIn { chosen.append(ring) } else { chosen.removeLast() }
        weight += isIn ? rings[ring].weight : -rings[ring].weight
    }
}
