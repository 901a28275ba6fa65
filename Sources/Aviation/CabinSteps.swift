// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Moving around in a cabin, seat by seat.
extension CabinLayout {
    /// The nearest seat one row behind (`by` is 1) or ahead (-1) with the same letter, over rows
    /// that lack it. If no row has it, the nearest seat in the next row. The same seat at the end
    /// of the cabin.
    package func seat(_ seat: Seat, rowsOn by: Int) -> Seat {
        guard let index = nearestRow(seat) else { return seat }
        let others = by > 0 ? Array(rows[(index + 1)...]) : rows[..<index].reversed()
        for row in others {
            if row.columns.contains(seat.column), let found = at(row, seat.column) { return found }
        }
        guard let row = others.first, let column = nearest(seat.column, in: row) else {
            return seat
        }
        return at(row, column) ?? seat
    }

    /// The next seat of the row to the right (`by` is 1) or left (-1), across aisles and gaps; the
    /// same seat at the wall.
    package func seat(_ seat: Seat, columnsOn by: Int) -> Seat {
        guard let row = row(of: seat) else { return seat }
        let next =
            by > 0
            ? row.columns.first { $0 > seat.column } : row.columns.last { $0 < seat.column }
        return next.flatMap { at(row, $0) } ?? seat
    }

    /// `seat`, or the seat next to where it would be.
    package func nearest(to seat: Seat) -> Seat? {
        if contains(seat) { return seat }
        guard let index = nearestRow(seat), let column = nearest(seat.column, in: rows[index])
        else { return nil }
        return at(rows[index], column)
    }

    private func nearestRow(_ seat: Seat) -> Int? {
        index(ofRow: Int(seat.row))
            ?? rows.lastIndex { $0.number <= Int(seat.row) } ?? rows.indices.first
    }

    private func nearest(_ column: UInt8, in row: Row) -> UInt8? {
        row.columns.min { abs(Int($0) - Int(column)) < abs(Int($1) - Int(column)) }
    }

    private func at(_ row: Row, _ column: UInt8) -> Seat? {
        Seat(row: row.number, column: Int(column))
    }
}
