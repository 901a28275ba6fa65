// SPDX-License-Identifier: Apache-2.0
import Terminal

/// A map as it lies on the screen: the seats of a cabin, or the places of a venue. One code draws
/// both, finds what was clicked, and says where the cursor stands.
struct PlaneOfCells<Key: Hashable & Sendable>: Hashable, Sendable {
    /// Something that can be chosen.
    struct Cell: Hashable, Sendable {
        let key: Key
        /// Where its first letter stands.
        let point: Grid.Point
        /// Its mark: one letter, or a number with signs.
        let text: String
        let style: Style
    }

    /// Words beside the cells.
    struct Label: Hashable, Sendable {
        let text: String
        let point: Grid.Point
        let style: Style
        /// The column behind the last one that it may take; `nil` for the edge of the screen.
        let end: Int?
    }

    private(set) var labels: [Label] = []
    private(set) var cells: [Cell] = []
    /// The cell in brackets.
    var chosen: Key?

    /// Adds words.
    mutating func label(
        _ text: String, x: Int, y: Int, style: Style = .dim, end: Int? = nil
    ) {
        labels.append(Label(text: text, point: Grid.Point(x: x, y: y), style: style, end: end))
    }

    /// Adds a cell.
    mutating func add(_ key: Key, at point: Grid.Point, _ text: String, _ style: Style) {
        cells.append(Cell(key: key, point: point, text: text, style: style))
    }

    /// Where a cell begins; `nil` if it is not on the screen.
    func point(of key: Key) -> Grid.Point? { cells.first { $0.key == key }?.point }

    /// What is at a point, or next to it; `nil` if there is nothing.
    func key(at point: Grid.Point) -> Key? {
        for x in [point.x, point.x - 1, point.x + 1] {
            let found = cells.first { cell in
                cell.point.y == point.y
                    && cell.point.x..<cell.point.x + max(cell.text.count, 1) ~= x
            }
            if let found { return found.key }
        }
        return nil
    }
}

extension Grid {
    /// Draws a map: words, cells over them, and brackets around the chosen one.
    mutating func draw<Key>(_ plane: PlaneOfCells<Key>) {
        for label in plane.labels {
            put(
                label.text, x: label.point.x, y: label.point.y, style: label.style,
                end: label.end)
        }
        for cell in plane.cells {
            put(cell.text, x: cell.point.x, y: cell.point.y, style: cell.style)
        }
        guard let chosen = plane.chosen, let cell = plane.cells.first(where: { $0.key == chosen })
        else { return }
        put("[", x: cell.point.x - 1, y: cell.point.y, style: .bold)
        put("]", x: cell.point.x + cell.text.count, y: cell.point.y, style: .bold)
    }
}
