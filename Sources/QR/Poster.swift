// SPDX-License-Identifier: Apache-2.0
/// A page of A6 to print or to show: codes beside each other with a caption each, and lines of text
/// in blocks below. Where everything is on it, in dots; pictures are made of that.
package struct Poster: Hashable, Sendable {
    /// A code, and what it says below.
    package struct Sign: Hashable, Sendable {
        let code: QRCode
        let caption: String

        /// A code with a caption.
        package init(_ code: QRCode, _ caption: String) {
            self.code = code
            self.caption = caption
        }
    }

    /// Dots of the page: 300 to an inch.
    static let (width, height) = (1240, 1748)
    private static let margin = 60
    /// The widest code, and the widest above more than three rows of blocks.
    private static let (widest, widestAboveMuch) = (860, 640)
    /// Times that the letters of captions and of lines are larger than their font.
    private static let (captionScale, lineScale) = (4, 3)
    /// Letters of a line that fit into a column.
    package static let lettersInColumn = (width - 2 * margin) / 2 / (PosterFont.width * lineScale)
    /// Dots around a code without which readers do not find it, in modules.
    private static let quiet = 4

    /// A square of ink.
    struct Square: Hashable, Sendable {
        let x, y, side: Int
    }

    /// A line of letters; `x` and `y` are the upper left corner.
    struct Line: Hashable, Sendable {
        let x, y, scale: Int
        let text: String
    }

    /// The dark modules of all codes.
    private(set) var squares: [Square] = []
    /// The lines.
    private(set) var lines: [Line] = []

    /// A page with one or two codes, and below them blocks of lines in two columns.
    package init(_ signs: [Sign], below blocks: [[String]]) {
        let cell = (Self.width - 2 * Self.margin) / max(1, signs.count)
        let caption = PosterFont.height * Self.captionScale + Self.margin
        let widest = min(
            blocks.count > 6 ? Self.widestAboveMuch : Self.widest,
            Self.height - Self.height(of: blocks) - caption)
        /// Dots of a module of each code.
        let modules = signs.map { sign in
            max(1, min(cell, widest) / (sign.code.side + 2 * Self.quiet))
        }
        let tallest = zip(signs, modules).map { ($0.code.side + 2 * Self.quiet) * $1 }.max() ?? 0
        let text = tallest + caption
        // Above and below the same paper is left.
        let top = max(0, (Self.height - text - Self.height(of: blocks)) / 2)
        for (index, sign) in signs.enumerated() {
            let left = Self.margin + index * cell
            add(sign.code, modules[index], left + cell / 2, top + tallest / 2)
            let words = Self.cut(sign.caption, Self.captionScale, cell)
            let wide = words.unicodeScalars.count * PosterFont.width * Self.captionScale
            lines.append(
                Line(
                    x: left + (cell - wide) / 2, y: top + tallest, scale: Self.captionScale,
                    text: words))
        }
        addBlocks(blocks, from: top + text)
    }

    /// A code around a point.
    private mutating func add(_ code: QRCode, _ module: Int, _ x: Int, _ y: Int) {
        let (left, top) = (x - code.side * module / 2, y - code.side * module / 2)
        for row in 0..<code.side {
            for column in 0..<code.side where code.isDark(column, row) {
                squares.append(
                    Square(x: left + column * module, y: top + row * module, side: module))
            }
        }
    }

    /// From one line to the next.
    private static let step = PosterFont.height * lineScale + 4

    /// Two blocks beside each other are as high as the higher one, with half a line behind.
    private static func height(of blocks: [[String]]) -> Int {
        stride(from: 0, to: blocks.count, by: 2).reduce(0) { height, row in
            let pair = blocks[row..<min(row + 2, blocks.count)]
            return height + (pair.map(\.count).max() ?? 0) * step + step / 2
        }
    }

    private mutating func addBlocks(_ blocks: [[String]], from top: Int) {
        let column = (Self.width - 2 * Self.margin) / 2
        var y = top
        for row in stride(from: 0, to: blocks.count, by: 2) {
            let pair = blocks[row..<min(row + 2, blocks.count)]
            for (index, block) in pair.enumerated() {
                for (number, text) in block.enumerated() {
                    lines.append(
                        Line(
                            x: Self.margin + index * column, y: y + number * Self.step,
                            scale: Self.lineScale, text: Self.cut(text, Self.lineScale, column)))
                }
            }
            y += Self.height(of: Array(pair))
        }
    }

    /// As much of a text as fits, without what is no letter.
    private static func cut(_ text: String, _ scale: Int, _ width: Int) -> String {
        let letters = text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }
        var cut = String.UnicodeScalarView()
        cut.append(contentsOf: letters.prefix(width / (PosterFont.width * scale)))
        return String(cut)
    }
}
