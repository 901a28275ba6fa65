// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// In which order the passengers of a swap stand up and sit down, with as few of them in the aisle
/// at a time as possible.
///
/// Each round of a swap needs somebody who waits in the aisle: then a seat is free, and one after
/// the other moves into the seat that is free now. Who waits decides how many of the others have to
/// stand up to let somebody pass. Those who belong together stand up and sit down together: a child
/// is never alone. Only seats of the swap are looked at: who else sits there is not known.
package struct MovingPlan: Hashable, Sendable {
    /// What one passenger does.
    package enum Step: Hashable, Sendable {
        /// Stands up and waits.
        case waits(from: Seat)
        /// Moves into a free seat.
        case moves(from: Seat, to: Seat)
        /// Who waited sits down.
        case sits(from: Seat, to: Seat)
    }

    /// One after another; those who belong together do the same right after each other.
    package private(set) var steps: [Step] = []
    /// The most passengers of the swap who are in the aisle at a time.
    package private(set) var most = 0

    /// The plan for `places`: where the passenger of each seat goes. Those of the seats in one list
    /// of `together` move together. Empty if `places` is not a seat for each of them.
    package init(_ places: [Seat: Seat], cabin: CabinLayout, together: [[Seat]] = []) {
        guard Set(places.values) == Set(places.keys) else { return }
        let moving = places.filter { $0.key != $0.value }
        var left = Self.units(moving.keys.sorted(), together)
        while let first = left.first {
            let round = Self.round(of: first, left, places)
            left.removeAll(where: round.contains)
            let turns = round.map { Turn(round, first: $0, places, cabin) }
            guard let best = turns.min(by: { $0.cost < $1.cost }) else { continue }
            steps += best.steps
            most = max(most, best.most)
        }
    }

    /// The seats of those who move together, by their first seat.
    private static func units(_ seats: [Seat], _ together: [[Seat]]) -> [[Seat]] {
        var left = seats
        var units: [[Seat]] = []
        while let first = left.first {
            let others = together.first { $0.contains(first) } ?? []
            let unit = left.filter { $0 == first || others.contains($0) }
            left.removeAll(where: unit.contains)
            units.append(unit)
        }
        return units
    }

    /// Those of `units` who need each other's seats, directly or not.
    private static func round(
        of first: [Seat], _ units: [[Seat]], _ places: [Seat: Seat]
    ) -> [[Seat]] {
        var round = [first]
        var next = 0
        while next < round.count {
            let wanted = round[next].compactMap { places[$0] }
            round += units.filter { unit in
                !round.contains(unit) && unit.contains(where: wanted.contains)
            }
            next += 1
        }
        return units.filter(round.contains)
    }

    /// One round, in which `first` stand up first.
    private struct Turn {
        var steps: [Step] = []
        var most = 0
        /// How often somebody stands up to let another one pass.
        var passes = 0
        private let start: Seat
        private let places: [Seat: Seat]
        private let cabin: CabinLayout
        /// Where somebody of the swap sits.
        private var taken: Set<Seat>
        private var waiting: [[Seat]] = []

        /// The least first; of equal ones, the one that begins at the lowest seat.
        var cost: (Int, Int, Seat) { (most, passes, start) }

        init(
            _ round: [[Seat]], first: [Seat], _ places: [Seat: Seat], _ cabin: CabinLayout
        ) {
            (start, self.places, self.cabin) = (first[0], places, cabin)
            taken = Set(places.keys)
            var left = round.filter { $0 != first }
            wait(first)
            while !left.isEmpty || !waiting.isEmpty {
                if let place = waiting.firstIndex(where: isFree) {
                    sit(waiting[place])
                    waiting.remove(at: place)
                } else if let place = left.firstIndex(where: isFree) {
                    move(left.remove(at: place))
                } else if !left.isEmpty {
                    wait(left.removeFirst())
                } else {
                    return
                }
            }
        }

        /// Whether all seats to which `unit` goes are free, or their own.
        private func isFree(_ unit: [Seat]) -> Bool {
            unit.allSatisfy { seat in
                places[seat].map { !taken.contains($0) || unit.contains($0) } ?? false
            }
        }

        private mutating func wait(_ unit: [Seat]) {
            taken.subtract(unit)
            waiting.append(unit)
            for seat in unit {
                count(between: seat)
                steps.append(.waits(from: seat))
            }
        }

        private mutating func move(_ unit: [Seat]) {
            taken.subtract(unit)
            for seat in unit { count(between: seat, and: unit.count) }
            for seat in unit {
                guard let goal = places[seat] else { continue }
                count(between: goal, and: unit.count)
                taken.insert(goal)
                steps.append(.moves(from: seat, to: goal))
            }
        }

        private mutating func sit(_ unit: [Seat]) {
            for seat in unit {
                guard let goal = places[seat] else { continue }
                count(between: goal)
                taken.insert(goal)
                steps.append(.sits(from: seat, to: goal))
            }
        }

        /// Somebody goes between `seat` and the aisle, where others wait and `moving` more are.
        private mutating func count(between seat: Seat, and moving: Int = 0) {
            let passed = Self.between(seat, taken, cabin)
            most = max(most, waiting.joined().count + moving + passed)
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
