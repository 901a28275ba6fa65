// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What a layout says of one seat. Everything comes from the blocks of its row, nothing from the
/// letter: F is a window seat here and a middle seat there.
package struct SeatPlace: Hashable, Sendable {
    /// Whether the layout has it; else nothing else is known.
    var exists = false
    /// At the wall.
    package var window = false
    /// Beside an aisle; a seat at the wall may be that too.
    package var aisle = false
    /// Neither.
    var middle = false
    /// In the way from an exit to the aisle: fit grown-ups only.
    var exit = false
    /// At the wall, and no window there.
    var noWindow = false
    /// More room for the legs.
    var extraLegroom = false
    /// Near a toilet.
    var nearToilet = false
    /// Behind a wall.
    var bulkhead = false
    /// What is sold there.
    var compartment: Compartment?
    /// Between which aisles or walls; 0 for the leftmost block.
    var block: Int?

    /// `window`, `middle` or `aisle`; `nil` where that is not known. At the wall wins.
    package var word: String? {
        if window { return "window" }
        if aisle { return "aisle" }
        return middle ? "middle" : nil
    }

    /// What else people want to know of it before they take it.
    var extras: [String] {
        [
            window && aisle ? "on the aisle too" : nil, noWindow ? "no window there" : nil,
            exit ? "exit row" : nil, extraLegroom ? "extra legroom" : nil,
            bulkhead ? "behind a wall" : nil, nearToilet ? "near a toilet" : nil,
            compartment.flatMap { $0 == .economy ? nil : $0.words },
        ].compactMap(\.self)
    }

    /// `window, exit row`; `nil` for a seat that the layout does not have.
    package var words: String? {
        let all = [word].compactMap(\.self) + extras
        return all.isEmpty ? nil : all.joined(separator: ", ")
    }
}

extension CabinLayout {
    /// What the layout says of `seat`.
    package func kind(of seat: Seat) -> SeatPlace {
        var place = SeatPlace()
        guard let row = row(of: seat),
            let block = row.blocks.firstIndex(where: { $0.contains(seat.column) })
        else { return place }
        place.exists = true
        place.block = block
        place.compartment = row.compartment
        place.window = row.walls.contains(seat.column)
        // Nobody sits between it and the aisle, though a seat may be missing there.
        let isLeftEdge = row.blocks[block].first == seat.column
        let isRightEdge = row.blocks[block].last == seat.column
        place.aisle = isRightEdge && block < row.blocks.count - 1 || isLeftEdge && block > 0
        place.middle = !place.window && !place.aisle
        place.noWindow = has(.noWindow, seat)
        place.extraLegroom = has(.extraLegroom, seat)
        place.nearToilet = has(.nearToilet, seat)
        place.bulkhead = has(.bulkhead, seat)
        // Whoever sits beside an exit seat is in the way to it.
        place.exit = neighbours(of: seat).contains { has(.exit, $0) }
        return place
    }

    private func has(_ feature: Feature, _ seat: Seat) -> Bool {
        features[feature]?.contains(seat) ?? false
    }
}
