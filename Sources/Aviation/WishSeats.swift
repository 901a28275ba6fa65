// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What the words of a wish come to in a cabin, as others see it.
package struct WishSeats {
    /// The layout by which seats have kinds.
    package let cabin: CabinLayout
    /// The user's own seats.
    package let mine: [Seat]
    /// The seats of somebody whom a wish names.
    package let seats: (String) -> [Seat]

    /// A cabin with the user in it.
    package init(cabin: CabinLayout, mine: [Seat], seats: @escaping (String) -> [Seat]) {
        self.cabin = cabin
        self.mine = mine
        self.seats = seats
    }

    /// Why words come to no seats.
    package enum Nothing: Error, Hashable, Sendable {
        /// No seat is like that.
        case nowhere
        /// No seat is further forward, or further back, than that one.
        case edge(Seat)
        /// Somebody has no seat now.
        case seatless(String)
        /// The layout does not say which seats have that.
        case unknown(CabinLayout.Feature)
        /// They are in so many blocks, which is too many.
        case scattered(Int)
    }

    /// The seats of one choice.
    package func set(_ choice: WishChoice) throws(Nothing) -> SeatSet {
        var all = SeatGrid.none
        var real = SeatGrid.none
        var isByCabin = false
        for alternative in choice.alternatives {
            var added: SeatGrid?
            var narrowed = SeatGrid.all
            for part in alternative {
                let (grid, needsCabin) = try self.grid(part.term)
                isByCabin = isByCabin || needsCabin
                if part.term.adds, !part.isNot {
                    added = (added ?? .none).union(grid)
                    if !needsCabin, part.term != .any { real = real.union(grid) }
                } else {
                    narrowed = narrowed.intersection(part.isNot ? grid.others : grid)
                    if case .beside = part.term, !part.isNot { real = real.union(grid) }
                }
            }
            all = all.union((added ?? .all).intersection(narrowed))
        }
        // A seat that the cabin does not have makes no block of its own.
        let blocks = all.blocks(real: isByCabin ? real.union(SeatGrid(cabin)) : .all)
        guard !blocks.isEmpty else { throw .nowhere }
        guard let set = SeatSet(blocks) else { throw .scattered(blocks.count) }
        return set
    }

    /// What of these ranks is better than sitting in each of `seats`: those before the first that
    /// has one of them.
    package static func better(_ ranks: [SeatSet], than seats: [Seat]) -> [SeatSet] {
        Array(ranks.prefix { rank in !seats.contains(where: rank.contains) })
    }

    /// The seats of one word, and whether the layout says which they are.
    private func grid(_ term: WishChoice.Term) throws(Nothing) -> (SeatGrid, Bool) {
        switch term {
        case .any: return (.all, false)
        case .window: return (SeatGrid(cabin, where: \.window), true)
        case .aisle: return (SeatGrid(cabin, where: \.aisle), true)
        case .middle: return (SeatGrid(cabin, where: \.middle), true)
        case .exit: return (try known(.exit) { $0.exit }, true)
        case .legroom: return (try known(.extraLegroom) { $0.extraLegroom }, true)
        case .toilets: return (try known(.nearToilet) { $0.nearToilet }, true)
        case .front:
            guard let first = mine.min() else { return (.all, false) }
            guard first.row > 1 else { throw .edge(first) }
            return (SeatGrid(rows: 1...(Int(first.row) - 1)), false)
        case .back:
            guard let last = mine.max() else { return (.all, false) }
            guard last.row < 255 else { throw .edge(last) }
            return (SeatGrid(rows: (Int(last.row) + 1)...255), false)
        case .rows(let rows): return (SeatGrid(rows: rows), false)
        case .block(let block):
            return (SeatGrid(rows: block.first...block.last, columns: block.columns), false)
        case .near(let place):
            let middle = try self.seats(at: place)
            let all = middle.reduce(SeatGrid.none) { grid, seat in
                let row = Int(seat.row)
                return grid.union(SeatGrid(rows: max(row - 2, 1)...min(row + 2, 255)))
            }
            return (all.intersection(SeatGrid(middle).others), false)
        case .beside(let place):
            let middle = try self.seats(at: place)
            return (SeatGrid(middle.flatMap(beside)).intersection(SeatGrid(middle).others), false)
        }
    }

    private func known(
        _ feature: CabinLayout.Feature, _ holds: (SeatPlace) -> Bool
    ) throws(Nothing) -> SeatGrid {
        guard cabin.features[feature] != nil else { throw .unknown(feature) }
        return SeatGrid(cabin, where: holds)
    }

    private func seats(at place: WishChoice.Place) throws(Nothing) -> [Seat] {
        switch place {
        case .seat(let seat): return [seat]
        case .person(let who):
            let found = seats(who)
            guard !found.isEmpty else { throw .seatless(who) }
            return found
        }
    }

    /// The seats at both sides, without an aisle between; by the letter where the layout does not
    /// have the seat.
    private func beside(_ seat: Seat) -> [Seat] {
        let block = cabin.neighbours(of: seat)
        guard let place = block.firstIndex(of: seat) else {
            return [-1, 1].compactMap { Seat(row: Int(seat.row), column: Int(seat.column) + $0) }
        }
        return [place - 1, place + 1].filter(block.indices.contains).map { block[$0] }
    }
}
