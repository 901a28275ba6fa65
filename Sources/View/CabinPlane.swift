// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import Terminal
import Wording

/// The cabin as cells of the screen.
struct CabinPlane {
    let layout: ScreenLayout
    var ascii = false

    /// The cells, with what `mark` says of each seat, and row numbers and letters beside them.
    func plane(
        chosen: Seat? = nil, _ mark: (Seat) -> (letter: String, style: Style)
    ) -> PlaneOfCells<Seat> {
        var plane = PlaneOfCells<Seat>()
        switch layout.map {
        case .none, .places, .courts: return plane
        case .lying: addLyingWords(&plane)
        case .upright: addUprightWords(&plane)
        }
        for row in layout.cabin.rows[layout.shown] {
            for column in row.columns {
                guard let seat = Seat(row: row.number, column: Int(column)),
                    let point = layout.point(of: seat)
                else { continue }
                let item = mark(seat)
                plane.add(seat, at: point, item.letter, item.style)
            }
        }
        plane.chosen = chosen
        return plane
    }

    /// Row numbers above, letters at the left with the nose there too; exits in the aisles.
    private func addLyingWords(_ plane: inout PlaneOfCells<Seat>) {
        let first = layout.shown.lowerBound
        var end = 0
        for row in layout.shown {
            let number = layout.cabin.rows[row].number
            guard row == 0 || number % 5 == 0 || row == first,
                let point = layout.point(row: row, column: 0)
            else { continue }
            let text = "\(number)"
            let x = point.x - text.count + 1
            // A blank between rows if some are missing.
            guard x > end else { continue }
            end = x + text.count
            plane.label(text, x: x, y: 1)
        }
        for (column, item) in layout.cabin.columns.enumerated() {
            let point = layout.point(row: first, column: column)
            if let point { plane.label(String(item.letter), x: 2, y: point.y, style: .plain) }
        }
        for y in layout.aisleLines {
            let isMarked = layout.shown.prefix(2).contains { isExit($0) }
            plane.label(first == 0 && !isMarked ? "<front" : "<", x: 2, y: y)
            let aisle = SeatPicture.aisle(layout.shown.map { isExit($0) })
            for (offset, letter) in aisle.enumerated() where letter != " " {
                plane.label(String(letter), x: ScreenLayout.firstSeat + offset, y: y)
            }
            if layout.shown.upperBound < layout.cabin.rows.count {
                plane.label(">", x: layout.size.x - 1, y: y)
            }
        }
    }

    private func isExit(_ row: Int) -> Bool { layout.cabin.isExit(row: layout.cabin.rows[row]) }

    /// Letters above, row numbers at the left, a word at the exits.
    private func addUprightWords(_ plane: inout PlaneOfCells<Seat>) {
        for (column, item) in layout.cabin.columns.enumerated() {
            let point = layout.point(row: layout.shown.lowerBound, column: column)
            if let point { plane.label(String(item.letter), x: point.x, y: 1) }
        }
        for row in layout.shown {
            let text = "\(layout.cabin.rows[row].number)"
            guard let point = layout.point(row: row, column: 0) else { continue }
            plane.label(text, x: 3 - text.count, y: point.y)
            let last = layout.point(row: row, column: layout.cabin.columns.count - 1)
            if let last, isExit(row) { plane.label("exit", x: last.x + 3, y: last.y) }
        }
        let line = ascii ? "|" : "│"
        for y in 1..<max(layout.size.y - 2, 1) { plane.label(line, x: layout.chatLeft - 1, y: y) }
    }
}
