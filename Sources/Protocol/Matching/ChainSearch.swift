// SPDX-License-Identifier: Apache-2.0
/// Where others go when the own party takes their seats: from each seat that the party enters a
/// chain of at most three people to a seat that it leaves, none of them twice. Exact, by branch and
/// bound.
struct ChainSearch {
    /// With the party itself a chain is a cycle of four.
    static let longest = 3

    /// Chains that were found.
    struct Found {
        /// Who goes where, as indexes among people.
        let moves: [(from: Int, to: Int)]
        /// What the moves are worth.
        let weight: Int
    }

    /// A move that may lead to a seat of the party.
    private struct Step {
        let want: MatchOrders.Want
        /// What a chain that begins with it is worth at most.
        let most: Int
    }

    private let scene: MatchScene
    private let party: MatchParty
    /// For chains of up to 1, 2, 3 people: what the best from a person to a member's seat is worth
    /// at most, at `person * members + member`.
    private let reach: [[Int]]
    /// For each person those moves that may lead to a seat of the party, what may be worth most
    /// first.
    private let ways: [[Step]]
    /// For each person the members whose seat a chain from them may end in, by how many it takes at
    /// least: 1, 2 or 3 people, and fewer.
    private let ends: [[UInt32]]

    // What is being tried.
    private var entered: [Int] = []
    private var left: UInt32 = 0
    private var cap = 0
    private var moves: [(from: Int, to: Int)] = []
    private var weight = 0
    /// From each index of ``entered`` on: what the rest is worth at most.
    private var rest: [Int] = []
    private var floor = 0
    private var best: Found?

    init(_ scene: MatchScene, _ orders: MatchOrders, _ party: MatchParty) {
        self.scene = scene
        self.party = party
        let width = party.members.count
        var reach: [[Int]] = []
        let nowhere = Array(repeating: MatchWeight.none, count: width * scene.people.count)
        for length in 0..<Self.longest {
            var table = reach.last ?? nowhere
            for person in scene.people.indices {
                for want in orders.wants[person] {
                    let member = party.number[want.to]
                    if member >= 0, length == 0 {
                        table[person * width + member] = want.weight
                    } else if member < 0, length > 0 {
                        for member in 0..<width {
                            let on = reach[length - 1][want.to * width + member]
                            guard on > MatchWeight.none else { continue }
                            let index = person * width + member
                            table[index] = max(table[index], want.weight + on)
                        }
                    }
                }
            }
            reach.append(table)
        }
        self.reach = reach
        ways = Self.ways(orders, party, reach[Self.longest - 2])
        ends = reach.map { Self.ends($0, width, scene.people.count) }
    }

    /// The moves that may lead to a seat of the party, with what the rest is worth at most.
    private static func ways(
        _ orders: MatchOrders, _ party: MatchParty, _ reach: [Int]
    ) -> [[Step]] {
        let width = party.members.count
        let most = orders.wants.indices.map { person in
            reach[person * width..<(person + 1) * width].max() ?? MatchWeight.none
        }
        return orders.wants.map { wants in
            wants.compactMap { want in
                if party.number[want.to] >= 0 { return Step(want: want, most: want.weight) }
                guard most[want.to] > MatchWeight.none else { return nil }
                return Step(want: want, most: want.weight + most[want.to])
            }
            .sorted { ($1.most, $0.want.to) < ($0.most, $1.want.to) }
        }
    }

    private static func ends(_ reach: [Int], _ width: Int, _ count: Int) -> [UInt32] {
        (0..<count).map { person in
            (0..<width).reduce(0) { set, member in
                reach[person * width + member] > MatchWeight.none
                    ? set | 1 << UInt32(member) : set
            }
        }
    }

    /// The members whose seat somebody would come to.
    var wanted: UInt32 { ends[Self.longest - 1].reduce(0, |) }

    /// Whether each of `entered` may come to a seat of another of `members`, if each went alone.
    func fits(_ entered: [Int], _ members: UInt32) -> Bool {
        var owner = Array(repeating: -1, count: party.members.count)
        for index in entered.indices {
            var seen: UInt32 = 0
            guard place(index, entered, members, &seen, &owner) else { return false }
        }
        return true
    }

    /// Gives one of `entered` a member's seat; whoever had it gets another.
    private func place(
        _ index: Int, _ entered: [Int], _ members: UInt32, _ seen: inout UInt32,
        _ owner: inout [Int]
    ) -> Bool {
        let open = ends[Self.longest - 1][entered[index]] & members
        for member in owner.indices where open & ~seen & 1 << UInt32(member) != 0 {
            seen |= 1 << UInt32(member)
            if owner[member] < 0 || place(owner[member], entered, members, &seen, &owner) {
                owner[member] = index
                return true
            }
        }
        return false
    }

    /// How many people chains from `entered` to `members` take at least.
    func least(_ entered: [Int], _ members: UInt32) -> Int {
        entered.reduce(0) { sum, person in
            let shorter = ends.count { $0[person] & members == 0 }
            return sum + shorter + 1
        }
    }

    /// What the best chain of at most `length` people from `person` to one of `members` is worth at
    /// most.
    func reach(_ person: Int, _ members: UInt32, length: Int = longest) -> Int {
        let width = party.members.count
        var most = MatchWeight.none
        for member in 0..<width where members & 1 << UInt32(member) != 0 {
            most = max(most, reach[length - 1][person * width + member])
        }
        return most
    }

    /// The best chains from each of `entered` to the seats of members `vacated`, with at most `cap`
    /// people, that are worth more than `floor`; `nil` if there are none.
    mutating func best(
        entered: [Int], vacated: UInt32, cap: Int, over floor: Int, _ steps: inout MatchSteps
    ) -> Found? {
        guard entered.count <= cap else { return nil }
        let reaches = entered.map { reach($0, vacated) }
        guard reaches.allSatisfy({ $0 > MatchWeight.none }) else { return nil }
        // Whoever has few seats to go to is asked first.
        let open = entered.map { (ends[0][$0] & vacated).nonzeroBitCount }
        let order = entered.indices.sorted { (open[$0], $0) < (open[$1], $1) }
        self.entered = order.map { entered[$0] }
        rest = Array(repeating: 0, count: entered.count + 1)
        for index in entered.indices.reversed() {
            rest[index] = rest[index + 1] + reaches[order[index]]
        }
        self.cap = cap
        self.floor = floor
        (left, moves, weight, best) = (vacated, [], 0, nil)
        next(0, &steps)
        return best
    }

    private mutating func next(_ index: Int, _ steps: inout MatchSteps) {
        guard index < entered.count else {
            guard weight > floor else { return }
            floor = weight
            best = Found(moves: moves, weight: weight)
            return
        }
        guard weight + rest[index] > floor else { return }
        extend(entered[index], 1, index, &steps)
    }

    /// Looks for a seat for `person`, the `depth`-th of the chain that begins at `index`.
    private mutating func extend(
        _ person: Int, _ depth: Int, _ index: Int, _ steps: inout MatchSteps
    ) {
        steps.take()
        let waiting = entered.count - index - 1
        for (looked, way) in ways[person].enumerated() {
            // What comes later in the list is worth no more.
            guard !steps.isOver, weight + way.most + rest[index + 1] > floor else {
                return steps.look(at: looked)
            }
            let want = way.want
            let member = party.number[want.to]
            let worth = weight + want.weight + rest[index + 1]
            if member >= 0 {
                guard left & 1 << UInt32(member) != 0, worth > floor else { continue }
                left &= ~(1 << UInt32(member))
                push(person, want)
                next(index + 1, &steps)
                pop(want)
                left |= 1 << UInt32(member)
            } else if depth < Self.longest, moves.count + 2 + waiting <= cap {
                let on = reach(want.to, left, length: Self.longest - depth)
                guard on > MatchWeight.none, worth + on > floor, !isUsed(want.to) else {
                    continue
                }
                push(person, want)
                extend(want.to, depth + 1, index, &steps)
                pop(want)
            }
        }
        steps.look(at: ways[person].count)
    }

    /// Whether a person of the same holder takes part already: wishes are for any one of the seats
    /// that somebody offers.
    private func isUsed(_ person: Int) -> Bool {
        let unit = scene.people[person].unit
        return entered.contains { scene.people[$0].unit == unit }
            || moves.contains { scene.people[$0.from].unit == unit }
    }

    private mutating func push(_ person: Int, _ want: MatchOrders.Want) {
        moves.append((person, want.to))
        weight += want.weight
    }

    private mutating func pop(_ want: MatchOrders.Want) {
        moves.removeLast()
        weight -= want.weight
    }
}
