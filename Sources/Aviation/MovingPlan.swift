// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// In which order the passengers of a swap stand up and sit down, with as few of them in the aisle
/// at a time as possible.
///
/// Each round of a swap needs one passenger who waits in the aisle: then a seat is free, and one
/// after the other moves into the seat that is free now. Who waits decides how many of the others
/// have to stand up to let somebody pass. Only seats of the swap are looked at: who else sits there
/// is not known.
package struct MovingPlan: Hashable, Sendable {
    /// What one passenger does.
    package enum Step: Hashable, Sendable {
        /// Stands up and waits.
        case waits(from: Seat)
        /// Moves into the free seat.
        case moves(from: Seat, to: Seat)
        /// Who waited sits down.
        case sits(from: Seat, to: Seat)
    }

    /// One after another.
    package private(set) var steps: [Step] = []
    /// The most passengers of the swap who are in the aisle at a time.
    package private(set) var most = 0

    /// The plan for `places`: where the passenger of each seat goes. Empty if that is not a seat
    /// for each of them.
    package init(_ places: [Seat: Seat], cabin: CabinLayout) {
        guard Set(places.values) == Set(places.keys) else { return }
        let from = Dictionary(
            places.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        var left = places.filter { $0.key != $0.value }.keys.sorted()
        while let first = left.first {
            var round = [first]
            while let next = from[round[round.count - 1]], next != first { round.append(next) }
            left.removeAll(where: round.contains)
            let turns = round.indices.map { start in
                Turn(Array(round[start...] + round[..<start]), places, cabin)
            }
            guard let best = turns.min(by: { $0.cost < $1.cost }) else { continue }
            steps += best.steps
            most = max(most, best.most)
        }
    }

    /// One round, begun by one of its passengers.
    private struct Turn {
        var steps: [Step] = []
        var most = 0
        /// How often somebody stands up to let another one pass.
        var passes = 0
        let start: Seat

        /// The least first; of equal ones, the one that begins at the lowest seat.
        var cost: (Int, Int, Seat) { (most, passes, start) }

        /// `round` has the seat that is left first, then the one whose passenger goes there, and
        /// so on.
        init(_ round: [Seat], _ places: [Seat: Seat], _ cabin: CabinLayout) {
            start = round[0]
            var taken = Set(places.keys)
            func between(_ seat: Seat) -> Int { Self.between(seat, taken, cabin) }
            taken.remove(start)
            count(1, between(start))
            steps.append(.waits(from: start))
            var free = start
            for seat in round.dropFirst() {
                taken.remove(seat)
                count(2, between(seat))
                count(2, between(free))
                taken.insert(free)
                steps.append(.moves(from: seat, to: free))
                free = seat
            }
            count(1, between(free))
            steps.append(.sits(from: start, to: free))
        }

        private mutating func count(_ standing: Int, _ passed: Int) {
            most = max(most, standing + passed)
            passes += passed
        }

        /// How many who sit have to stand up between a seat and the nearest aisle.
        private static func between(
            _ seat: Seat, _ taken: Set<Seat>, _ cabin: CabinLayout
        ) -> Int {
            let ways = cabin.ways(from: seat)
            return ways.map { $0.count(where: taken.contains) }.min() ?? 0
        }
    }
}

extension CabinLayout {
    /// The seats between a seat and each aisle that its block is beside; none for a seat that does
    /// not exist.
    fileprivate func ways(from seat: Seat) -> [[Seat]] {
        guard let row = row(of: seat),
            let block = row.blocks.firstIndex(where: { $0.contains(seat.column) }),
            let place = row.blocks[block].firstIndex(of: seat.column)
        else { return [] }
        let seats = neighbours(of: seat)
        var ways: [[Seat]] = []
        if block > 0 { ways.append(Array(seats[..<place])) }
        if block < row.blocks.count - 1 { ways.append(Array(seats[(place + 1)...])) }
        return ways
    }
}
