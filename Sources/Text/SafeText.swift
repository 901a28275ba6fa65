// SPDX-License-Identifier: Apache-2.0
/// What one Unicode scalar would do to a terminal.
///
/// Every string that came from a passenger goes through ``visible(_:cells:)`` before it reaches a
/// terminal, a title or a notification.
package enum ScalarShape: Hashable, Sendable {
    /// Takes one or two cells.
    case shown(cells: Int)
    /// Stands over or under the scalar before it, in no cell of its own.
    case mark
    /// Would break or move the line: shown as one space.
    case space
    /// Only chooses between two pictures of the scalar before it, or joins two: left out.
    case dropped
    /// A control, an invisible or a meaningless scalar: shown as U+FFFD, so that it is seen.
    case hidden

    /// The shape of `scalar`.
    package init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20...0x7E: self = .shown(cells: 1)
        case 0x09...0x0D, 0x85: self = .space
        case 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: self = .dropped
        // Vowels and final consonants of Hangul stand in the cell of the first consonant.
        case 0x1161...0x11FF, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB: self = .mark
        default: self.init(properties: scalar)
        }
    }

    private init(properties scalar: Unicode.Scalar) {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: self = .hidden
        case .lineSeparator, .paragraphSeparator: self = .space
        case .nonspacingMark, .enclosingMark:
            self = scalar.properties.isDefaultIgnorableCodePoint ? .hidden : .mark
        default:
            // Hangul fillers are letters that nobody sees.
            self =
                scalar.properties.isDefaultIgnorableCodePoint
                ? .hidden : .shown(cells: scalar.isWide ? 2 : 1)
        }
    }
}

extension Unicode.Scalar {
    /// Whether a terminal shows it and does nothing else.
    package var isSafeToPrint: Bool {
        switch ScalarShape(self) {
        case .shown, .mark: true
        case .space, .dropped, .hidden: false
        }
    }

    /// Two cells: East Asian wide and fullwidth (UAX #11), and pictures shown in colour by default.
    fileprivate var isWide: Bool {
        guard value >= 0x1100 else { return false }
        // Flags are pairs of letters; a single one takes one cell.
        if 0x1F1E6...0x1F1FF ~= value { return false }
        return properties.isEmojiPresentation || wideRanges.contains { $0 ~= value }
    }
}

private let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F265, 0x1F300...0x1F320, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
]

/// More marks than this on one letter would smear over other lines.
private let marksPerLetter = 3

/// `text` made safe for a terminal: one line, no control characters, nothing invisible, at most
/// `limit` cells. A longer text ends in `…`.
package func visible(_ text: String, cells limit: Int = Int.max) -> String {
    var out: [Unicode.Scalar] = []
    var cells = 0
    var marks = 0
    // The longest beginning after which one cell is left for the `…`.
    var cut = 0
    for scalar in text.unicodeScalars {
        let shown: Unicode.Scalar
        var width = 1
        switch ScalarShape(scalar) {
        case .shown(let cells): (shown, width) = (scalar, cells)
        case .space: shown = " "
        case .hidden: shown = "\u{FFFD}"
        case .dropped: continue
        case .mark:
            marks += 1
            // A mark needs a letter to stand on, else it would change what stands before the text.
            if cells > 0, marks <= marksPerLetter { out.append(scalar) }
            continue
        }
        marks = 0
        if cells < limit { cut = out.count }
        guard cells + width <= limit else {
            return joined(out.prefix(cut)) + (limit > 0 ? "…" : "")
        }
        out.append(shown)
        cells += width
    }
    return joined(out)
}

private func joined(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
}

/// How many cells a terminal needs for `text`, which has been through ``visible(_:cells:)``.
package func cellWidth(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { sum, scalar in
        switch ScalarShape(scalar) {
        case .shown(let cells): sum + cells
        case .space, .hidden: sum + 1
        case .mark, .dropped: sum
        }
    }
}

/// `text` with spaces after it up to `cells` cells, or cut to that many.
package func padded(_ text: String, to cells: Int) -> String {
    let cut = visible(text, cells: cells)
    return cut + String(repeating: " ", count: max(cells - cellWidth(cut), 0))
}
