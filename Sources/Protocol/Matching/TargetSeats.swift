// SPDX-License-Identifier: Apache-2.0
/// Which seats a party tries: first those where they would sit best.
extension PlanSearch {
    /// Seats for all of them, until the steps are used up.
    mutating func seatParty() {
        guard 2...MatchParty.most ~= party.members.count else { return }
        let obtainable = scene.people.indices.map(isObtainable)
        rows(obtainable)
        // Of shapes over two rows there may be more than the steps are for: half are for the rest,
        // as long as there is nothing for all of them.
        let whole = steps
        steps = whole.half
        twoRows(obtainable)
        isCut = steps.isOver
        steps = whole.after(steps)
        if !isWhole { return groups(obtainable) }
        if isCut {
            twoRows(obtainable)
            isCut = steps.isOver
        }
    }

    /// Whether all of the party sit together in the best that was found.
    private var isWhole: Bool {
        (found.first?.standing.together.degree ?? now.together.degree) > .apart
            && (found.first?.standing.safe ?? now.safe) == party.charges.count
    }

    // MARK: One row

    /// Every run of seats in a row, without an aisle, then with one.
    private mutating func rows(_ obtainable: [Bool]) {
        let runs = runs(of: party.members.count, obtainable)
        for isBlock in [true, false] {
            for run in runs where isOneBlock(run) == isBlock { consider(run) }
        }
    }

    private func isOneBlock(_ run: [Int]) -> Bool {
        let blocks = run.compactMap { scene.people[$0].place?.block }
        return blocks.first == blocks.last
    }

    /// Runs of `count` seats side by side, those with most of the party first, then from the nose
    /// on.
    private func runs(of count: Int, _ obtainable: [Bool]) -> [[Int]] {
        let people = scene.people
        let line = people.indices.filter { people[$0].place != nil && obtainable[$0] }
            .sorted { one, other in
                guard let left = people[one].place, let right = people[other].place else {
                    return false
                }
                return (left.row, left.index) < (right.row, right.index)
            }
        guard line.count >= count else { return [] }
        var runs: [[Int]] = []
        for start in 0...(line.count - count) {
            let run = line[start..<start + count]
            guard let first = people[line[start]].place,
                let last = people[line[start + count - 1]].place,
                first.row == last.row, last.index - first.index == count - 1
            else { continue }
            runs.append(run.sorted())
        }
        return byOwn(runs)
    }

    /// Those with most of the party first; equals stay in order.
    private func byOwn(_ sets: [[Int]]) -> [[Int]] {
        let counts = sets.map { set in set.count { party.number[$0] >= 0 } }
        return sets.indices.sorted { (-counts[$0], $0) < (-counts[$1], $1) }.map { sets[$0] }
    }

    // MARK: Rows one before the other

    private mutating func twoRows(_ obtainable: [Bool]) {
        for degree in [Together.Degree.pairs, .near] where mayPass(party.members.count, degree) {
            clusters(obtainable, degree)
        }
    }

    /// Every set of seats that hang together over two rows, or three around a child.
    private mutating func clusters(_ obtainable: [Bool], _ degree: Together.Degree) {
        let people = scene.people
        let ownRows = party.members.compactMap { people[$0.person].place?.row }
        // Near the party first: fewer have to move.
        let order = people.indices.filter { people[$0].place != nil && obtainable[$0] }
            .map { person -> (rank: Int, person: Int) in
                let row = people[person].place?.row ?? 0
                let away = ownRows.map { abs($0 - row) }.min() ?? 0
                return (party.number[person] >= 0 ? -1 : away, person)
            }
            .sorted { ($0.rank, $0.person) < ($1.rank, $1.person) }.map(\.person)
        let growth = Growth(
            order, scene, kept: kept, most: degree == .pairs && !party.charges.isEmpty ? 2 : 1)
        // Whoever is kept is in each of the sets.
        let last = growth.kept.min() ?? order.count - 1
        guard growth.isLow([]), last >= 0 else { return }
        for start in 0...last {
            guard !steps.isOver else { return }
            grow([start], growth.near[start].filter { $0 > start }, growth, degree)
        }
    }

    /// Adds one of `next` at a time; each set is come to once.
    private mutating func grow(
        _ set: [Int], _ next: [Int], _ growth: Growth, _ degree: Together.Degree
    ) {
        guard set.count < party.members.count else {
            if growth.isShape(set, scene, degree, hasCharges: !party.charges.isEmpty) {
                consider(set.map { growth.order[$0] }.sorted())
            }
            return
        }
        steps.take()
        let missing = growth.kept.count { !set.contains($0) }
        guard !steps.isOver, set.count + missing <= party.members.count,
            mayHold(set.map { growth.order[$0] })
        else { return }
        var rest = next
        while !steps.isOver, let place = rest.popLast() {
            let grown = set + [place]
            guard growth.isLow(grown) else { continue }
            let fresh = growth.near[place].filter { other in
                other > set[0] && !set.contains(other)
                    && !set.contains { growth.near[$0].contains(other) }
            }
            grow(grown, rest + fresh, growth, degree)
        }
    }

    // MARK: Wishes of single members

    /// One seat of the party for another, so that one of them has a seat that they like better, or
    /// is beside whoever looks after them: that seat, or what another leaves.
    mutating func serveWishes() {
        guard 1...MatchParty.most ~= party.members.count, hasWishes || isUnsafe else { return }
        let own = party.members.map(\.person)
        consider(own)
        for seat in scene.people.indices where party.number[seat] < 0 && isObtainable(seat) {
            for left in own { consider((own.filter { $0 != left } + [seat]).sorted()) }
        }
    }

    /// Whether somebody is not beside whoever looks after them.
    private var isUnsafe: Bool { now.safe < party.charges.count }

    /// Whether one of the party said what they would like.
    private var hasWishes: Bool {
        party.members.contains { !scene.people[$0.person].ranks.isEmpty }
    }

    // MARK: Part of the party

    /// Twos and threes side by side anywhere, or with somebody between where only one of them
    /// has to be reached; the rest in seats of the party.
    private mutating func groups(_ obtainable: [Bool]) {
        var small = [2, 3].flatMap { runs(of: $0, obtainable).filter(isOneBlock) }
        if isUnsafe { small += reaching(obtainable) }
        let groups = byOwn(small)
        let least = isUnsafe ? 2 : max(2, now.together.count + (hasWishes ? 0 : 1))
        for size in stride(from: party.members.count, through: least, by: -1)
        where mayPass(size, .apart) {
            pick(groups[...], [], size)
        }
    }

    /// Two seats of a block that are not side by side.
    private func reaching(_ obtainable: [Bool]) -> [[Int]] {
        let people = scene.people.indices.filter { obtainable[$0] }
        return people.flatMap { one in
            people.compactMap { other in
                guard one < other, let left = scene.people[one].place,
                    let right = scene.people[other].place, left.reaches(right),
                    !left.touches(right)
                else { return nil }
                return [one, other]
            }
        }
    }

    private mutating func pick(_ groups: ArraySlice<[Int]>, _ seats: [Int], _ size: Int) {
        guard !steps.isOver else { return }
        if size == 0 { return fill(seats, party.members.map(\.person)[...]) }
        guard size > 1 else { return }
        steps.take()
        var rest = groups
        while !steps.isOver, let group = rest.popFirst() {
            guard group.count <= size, size - group.count != 1,
                !group.contains(where: seats.contains), mayHold(seats + group)
            else { continue }
            pick(rest, seats + group, size - group.count)
        }
        steps.look(at: groups.count - rest.count)
    }

    /// The rest of the party in any of their own seats.
    private mutating func fill(_ seats: [Int], _ own: ArraySlice<Int>) {
        guard seats.count < party.members.count else { return consider(seats.sorted()) }
        steps.take()
        var rest = own
        while let seat = rest.popFirst(), !steps.isOver {
            if !seats.contains(seat) { fill(seats + [seat], rest) }
        }
    }
}

/// Seats as a graph in which clusters grow.
private struct Growth {
    /// The people of the graph; all else here are indexes of this.
    let order: [Int]
    /// For each those at their side, before and behind, sorted.
    let near: [[Int]]
    /// Those who have to be in each set.
    let kept: [Int]
    private let rows: [Int]
    /// How many rows further the last may be than the first.
    private let most: Int

    init(_ order: [Int], _ scene: MatchScene, kept: [Int], most: Int) {
        self.order = order
        self.kept = kept.compactMap(order.firstIndex)
        self.most = most
        let places = order.map { scene.people[$0].place }
        rows = places.map { $0?.row ?? 0 }
        near = places.map { here in
            places.indices.filter { other in
                guard let here, let there = places[other], here != there else { return false }
                return here.isNear(there)
            }
        }
    }

    /// Whether it is not over too many rows, with those who have to be in it.
    func isLow(_ set: [Int]) -> Bool {
        let set = (set + kept).map { rows[$0] }
        return (set.max() ?? 0) - (set.min() ?? 0) <= most
    }

    /// Whether people in `set` may sit like that, with whoever is a charge where it suits.
    func isShape(
        _ set: [Int], _ scene: MatchScene, _ degree: Together.Degree, hasCharges: Bool
    ) -> Bool {
        let places = set.compactMap { scene.people[order[$0]].place }
        let plain = Together(places).degree
        guard plain < .row else { return false }
        if plain == .pairs || !hasCharges { return plain == degree }
        let around = places.contains {
            Together(places, charges: [$0], isSafe: true).degree == .pairs
        }
        return degree == .pairs ? around : plain == degree
    }
}
