// SPDX-License-Identifier: Apache-2.0
import Text

/// The role of a cell, which decides how it looks. Its letter carries the meaning; the style only
/// helps the eye.
package enum Style: UInt8, CaseIterable, Hashable, Sendable {
    case plain, bold, dim, reverse
    /// The first line of the screen.
    case bar
    /// Something waits for an answer.
    case alert
    /// It belongs to the user.
    case own
    /// Somebody is there, or was and has gone.
    case active, inactive
    /// It may be had, or somebody asks for such a thing.
    case available, wanted
    /// Nobody knows which of several answers is right.
    case doubtful
}

/// A screen of cells, drawn in memory. Whoever fills it knows nothing of terminals, and whoever
/// paints it does not know what it shows.
///
/// `put` replaces every character that could act on a terminal, and there is no other way to the
/// screen.
package struct Grid: Hashable, Sendable {
    /// One cell: a letter with its marks; empty text for the second half of a wide letter.
    struct Cell: Hashable, Sendable {
        var text: String
        var style: Style
    }

    /// A place on the screen, from 0.
    package struct Point: Hashable, Sendable {
        /// Column.
        package var x: Int
        /// Line.
        package var y: Int

        /// The place in column `x` of line `y`, both from 0.
        package init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    /// Columns.
    package let width: Int
    /// Lines.
    package let height: Int
    /// Row by row.
    private(set) var cells: [Cell]
    /// Where the terminal's own cursor stands; `nil` hides it.
    package var caret: Point?

    /// An empty screen.
    package init(width: Int, height: Int) {
        self.width = max(width, 1)
        self.height = max(height, 1)
        cells = Array(
            repeating: Cell(text: " ", style: .plain), count: self.width * self.height)
    }

    /// The cells of a line.
    func row(_ y: Int) -> ArraySlice<Cell> { cells[y * width..<(y + 1) * width] }

    /// Writes `text` from (`x`, `y`) on, at most up to column `end`; returns the column after it.
    ///
    /// Cuts a text that is too long, and leaves out a wide letter that does not fit. A control
    /// character becomes U+FFFD and a line end a blank, as in ``visible(_:cells:)``.
    @discardableResult
    package mutating func put(
        _ text: String, x: Int, y: Int, style: Style = .plain, end: Int? = nil
    ) -> Int {
        guard 0..<height ~= y, x >= 0 else { return x }
        let limit = min(end ?? width, width)
        var column = x
        var marks = 0
        for scalar in text.unicodeScalars {
            var shown = scalar
            var cellCount = 1
            switch ScalarShape(scalar) {
            case .shown(let cells): cellCount = cells
            case .space: shown = " "
            case .hidden: shown = "\u{FFFD}"
            case .dropped: continue
            case .mark:
                marks += 1
                addMark(scalar, count: marks, before: column, from: x, y: y)
                continue
            }
            marks = 0
            guard column + cellCount <= limit else { break }
            set(column, y, String(Character(shown)), style)
            if cellCount == 2 { set(column + 1, y, "", style) }
            column += cellCount
        }
        return column
    }

    /// Puts a mark on the letter before `column`; more than three would smear over other lines.
    private mutating func addMark(
        _ scalar: Unicode.Scalar, count: Int, before column: Int, from x: Int, y: Int
    ) {
        guard column > x, count <= 3 else { return }
        var index = y * width + column - 1
        if cells[index].text.isEmpty, column - 1 > x { index -= 1 }
        guard !cells[index].text.isEmpty else { return }
        cells[index].text.unicodeScalars.append(scalar)
    }

    private mutating func set(_ x: Int, _ y: Int, _ text: String, _ style: Style) {
        let index = y * width + x
        // Overwriting half of a wide letter also clears its other half.
        if cells[index].text.isEmpty, x > 0 { cells[index - 1].text = " " }
        if x + 1 < width, cells[index + 1].text.isEmpty, !text.isEmpty {
            cells[index + 1].text = " "
        }
        cells[index] = Cell(text: text, style: style)
    }

    /// Gives a whole line one style, blanks included.
    package mutating func paint(line y: Int, _ style: Style) {
        guard 0..<height ~= y else { return }
        for index in y * width..<(y + 1) * width { cells[index].style = style }
    }

    /// A straight line made of one letter.
    package mutating func rule(_ letter: String, x: Int, y: Int, count: Int, style: Style = .dim) {
        guard count > 0 else { return }
        put(String(repeating: letter, count: count), x: x, y: y, style: style)
    }

    /// Replaces the signs that this program draws by ASCII letters.
    package mutating func useASCII() {
        let signs = ["…": ".", "⏎": "|", "✓": "+", "·": ".", "─": "-", "│": "|", "\u{FFFD}": "?"]
        for index in cells.indices {
            if let letter = signs[cells[index].text] { cells[index].text = letter }
        }
    }

    /// The screen as text, without blanks at the ends of lines.
    var lines: [String] {
        (0..<height).map { y in
            var line = row(y).map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
