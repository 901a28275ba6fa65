// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What a layout says about one seat. It all comes from the blocks of the row and not from the
/// letter: F is a window seat in one aeroplane and a middle seat in another.
package struct SeatPlace: Hashable, Sendable {
    /// Whether the layout has the seat; if not, nothing else is known.
    var exists = false
    /// At the wall.
    package var window = false
    /// Beside an aisle; a seat at the wall may be that too.
    package var aisle = false
    /// Neither.
    var middle = false
    /// On the way from an exit to the aisle, so for fit adults only.
    var exit = false
    /// At the wall, but without a window.
    var noWindow = false
    /// More room for the legs.
    var extraLegroom = false
    /// Near a toilet.
    var nearToilet = false
    /// Behind a wall.
    var bulkhead = false
    /// What is sold there.
    var compartment: Compartment?
    /// The block, 0 for the leftmost.
    var block: Int?

    /// `window`, `middle` or `aisle`; `nil` if unknown. The wall takes precedence.
    package var word: String? {
        if window { return "window" }
        if aisle { return "aisle" }
        return middle ? "middle" : nil
    }

    /// What else people want to know about the seat before they take it.
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
        // Whoever sits beside an exit seat is on the way to it.
        place.exit = neighbours(of: seat).contains { has(.exit, $0) }
        return place
    }

    private func has(_ feature: Feature, _ seat: Seat) -> Bool {
        features[feature]?.contains(seat) ?? false
    }
}
