// SPDX-License-Identifier: Apache-2.0
import Glibc
import Text

/// A plan of the places of a venue, drawn from their coordinates: a number for each, north at the
/// top, true to scale, with a list of the numbers beside it.
package struct VenueMap: Hashable, Sendable {
    /// One place on the plan.
    package struct Spot: Hashable, Sendable {
        /// The number on the plan: that of the place, by which it is checked in at too.
        package let number: Int
        package let place: VenuePlace
        /// Where its number stands: the column of its first digit, and the row, from the top.
        package fileprivate(set) var column = 0
        package fileprivate(set) var row = 0
        /// The number near which it would stand, if there is no room for its own.
        package fileprivate(set) var beside: Int?
    }

    /// Places with coordinates, by number.
    package let spots: [Spot]
    /// Places without.
    package let missing: [VenuePlace]
    /// Cells of the plan.
    package let columns: Int
    package let rows: Int
    /// Metres that a column stands for; a row stands for twice as many.
    package let scale: Double

    /// A metre is the least that a column stands for.
    private static let finest = 1.0
    private static let metresOfDegree = 111_320.0

    /// The plan of a venue, with room for `signs` letters behind each number; `nil` if no place of
    /// it has coordinates, or there is no room for a plan.
    package init?(_ venue: Venue, columns: Int = 44, rows: Int = 16, signs: Int = 0) {
        let known = venue.places.filter { $0.at != nil }
        guard !known.isEmpty, columns > 8 + signs, rows > 2 else { return nil }
        missing = venue.places.filter { $0.at == nil }
        self.columns = columns
        self.rows = rows
        let points = known.compactMap(\.at)
        let (east, north) = Self.metres(points)
        // The longest number has to fit behind the point.
        let longest = known.map { String($0.id).count }.max() ?? 0
        let room = Double(columns - longest - signs)
        let wide = (east.max() ?? 0) / max(room, 1)
        let high = (north.max() ?? 0) / Double(2 * (rows - 1))
        let scale = max(wide, high, Self.finest)
        self.scale = scale
        var taken = Taken(columns: columns, rows: rows)
        // In the middle of what is not needed.
        let left = (room - (east.max() ?? 0) / scale) / 2
        let below = (Double(rows - 1) - (north.max() ?? 0) / scale / 2) / 2
        var spots: [Spot] = []
        for (index, place) in known.enumerated() {
            var spot = Spot(number: place.id, place: place)
            let column = Int((left + east[index] / scale).rounded())
            let row = rows - 1 - Int((below + north[index] / scale / 2).rounded())
            let length = String(spot.number).count + signs
            if let found = taken.take(near: column, row, length: length) {
                (spot.column, spot.row) = found
            } else {
                (spot.column, spot.row) = (column, row)
                spot.beside = taken.number(near: column, row, among: spots)
            }
            spots.append(spot)
        }
        self.spots = spots
    }

    /// Metres east and north of the westernmost and southernmost point.
    private static func metres(_ points: [Venue.Point]) -> (east: [Double], north: [Double]) {
        let unit = Double(Venue.Point.unit)
        var east = points.map { Double($0.east) / unit }
        // Two sides of the line where the day changes are near each other.
        if (east.max() ?? 0) - (east.min() ?? 0) > 180 {
            east = east.map { $0 < 0 ? $0 + 360 : $0 }
        }
        let north = points.map { Double($0.north) / unit }
        let middle = ((north.max() ?? 0) + (north.min() ?? 0)) / 2
        let shrink = max(cos(middle * .pi / 180), 0)
        let (west, south) = (east.min() ?? 0, north.min() ?? 0)
        return (
            east.map { ($0 - west) * metresOfDegree * shrink },
            north.map { ($0 - south) * metresOfDegree }
        )
    }

    // MARK: Drawing

    /// The plan in a frame with its scale, and the list beside it, in `cells` cells. `state` is
    /// what the list says of a place on a line of its own: `open until 22:00`.
    package func lines(
        cells: Int = 80, ascii: Bool = false, state: (VenuePlace) -> String? = { _ in nil }
    ) -> [String] {
        let plan = framed(ascii: ascii)
        let width = columns + 2
        let list = legend(state)
        let room = cells - width - 2
        guard room >= 20 else { return plan + [""] + list }
        let beside = list.flatMap { wrapped($0, cells: room) }
        return (0..<max(plan.count, beside.count)).map { index in
            let left = index < plan.count ? plan[index] : ""
            guard index < beside.count, !beside[index].isEmpty else { return left }
            return left + String(repeating: " ", count: width - left.count + 2) + beside[index]
        }
    }

    /// A line of the list in several: those behind the first begin where its name does.
    private func wrapped(_ line: String, cells: Int) -> [String] {
        let lines = Wrapping.lines(line, cells: cells)
        guard lines.count > 1 else { return lines }
        let indent = String(repeating: " ", count: widest + 2)
        let rest = lines.dropFirst().joined(separator: " ")
        return [lines[0]]
            + Wrapping.lines(rest, cells: cells - indent.count).map { indent + $0 }
    }

    /// Digits of the longest number.
    private var widest: Int { spots.map { String($0.number).count }.max() ?? 0 }

    /// ` 1  UB Singel, Singel 425`.
    private func legend(_ state: (VenuePlace) -> String?) -> [String] {
        let width = widest
        return spots.flatMap { spot in
            let number = String(spot.number)
            let near = spot.beside.map { " (at \($0))" } ?? ""
            let address = spot.place.address.map { ", \($0)" } ?? ""
            let below = state(spot.place).map { String(repeating: " ", count: width + 2) + $0 }
            return [
                String(repeating: " ", count: width - number.count) + number
                    + "  \(spot.place.name)\(near)\(address)"
            ] + (below.map { [$0] } ?? [])
        } + (missing.isEmpty ? [] : ["", "Not on the plan:"])
            + missing.map { "  \($0.name)" }
    }

    /// The plan in a frame, north at the top, and its scale below.
    package func framed(ascii: Bool) -> [String] {
        var cells = [[Character]](
            repeating: [Character](repeating: " ", count: columns), count: rows)
        for spot in spots where spot.beside == nil {
            for (offset, digit) in String(spot.number).enumerated() {
                cells[spot.row][spot.column + offset] = digit
            }
        }
        let (side, line) = ascii ? ("|", "-") : ("│", "─")
        let corners = ascii ? ["+", "+", "+", "+"] : ["┌", "┐", "└", "┘"]
        let top = String(repeating: line, count: columns - 4) + " N " + line
        let bottom = String(repeating: line, count: columns)
        var lines = [corners[0] + top + corners[1]]
        lines += cells.map { side + String($0) + side }
        return lines + [corners[2] + bottom + corners[3], ruler]
    }

    /// `|-------| 500 m`: the longest of 1, 2, 5, 10... that a third of the plan holds.
    private var ruler: String {
        let most = scale * Double(columns) / 3
        var length = 1.0
        for index in 0..<24 {
            let step = index % 3 == 1 ? 2.5 : 2
            guard length * step <= most else { break }
            length *= step
        }
        let count = max(Int((length / scale).rounded()), 1)
        let words = length < 1000 ? "\(Int(length)) m" : "\(Int(length / 1000)) km"
        return " |" + String(repeating: "-", count: count) + "| \(words)"
    }
}

/// Which cells have a number already, with a blank between two of them.
private struct Taken {
    let columns: Int
    let rows: Int
    private var cells: Set<Int> = []

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// Steps from a point, the nearest first; a row is as high as two columns are wide.
    private static let steps: [(Int, Int)] = [
        (0, 0), (1, 0), (-1, 0), (2, 0), (-2, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (3, 0),
        (-3, 0), (2, 1), (-2, -1),
    ]

    /// The nearest free cells for so many digits, which are taken; `nil` if there are none.
    mutating func take(near column: Int, _ row: Int, length: Int) -> (Int, Int)? {
        for (right, down) in Self.steps {
            let (x, y) = (column + right, row + down)
            guard x >= 0, x + length <= columns, 0..<rows ~= y else { continue }
            let around = max(x - 1, 0)...min(x + length, columns - 1)
            guard around.allSatisfy({ !cells.contains(y * columns + $0) }) else { continue }
            for index in 0..<length { cells.insert(y * columns + x + index) }
            return (x, y)
        }
        return nil
    }

    /// The number that stands nearest.
    func number(near column: Int, _ row: Int, among spots: [VenueMap.Spot]) -> Int? {
        func distance(_ spot: VenueMap.Spot) -> Int {
            abs(spot.column - column) + 2 * abs(spot.row - row)
        }
        return spots.filter { $0.beside == nil }.min { distance($0) < distance($1) }?.number
    }
}
