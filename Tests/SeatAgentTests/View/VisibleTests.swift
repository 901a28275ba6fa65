// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import SeatAgent
@testable import Text

/// What ``visible(_:cells:)`` promises, over every scalar that Unicode has or may have.
@Suite("Every scalar of Unicode on a terminal")
struct VisibleTests {
    /// By number, so that this stays true whatever Unicode the program knows.
    private func acts(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F: true  // C0, DEL, C1
        case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // direction
        case 0x200B...0x200D, 0x2060...0x2065, 0xFEFF, 0x00AD, 0x180E: true  // no width
        case 0x034F, 0x115F...0x1160, 0x17B4...0x17B5, 0x3164, 0xFFA0: true  // no width
        case 0x2028...0x2029: true  // line and paragraph
        case 0xFE00...0xFE0F, 0xE0000...0xE0FFF: true  // variation selectors, tags
        case 0xFFF9...0xFFFB, 0x206A...0x206F: true  // annotation, old format characters
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
                .paragraphSeparator:
                true
            default: false
            }
        }
    }

    /// Planes, so that they are walked side by side. Of those behind the second, where nearly all
    /// is unassigned or for private use, `make soak` looks at every scalar.
    static let planes: [ClosedRange<UInt32>] = [
        0...0x7FFF, 0x8000...0xFFFF, 0x1_0000...0x1_FFFF, 0x2_0000...0x10_FFFF,
    ]

    @Test("Nothing that acts gets out; once is enough; never a cell too many", arguments: planes)
    func everyScalar(plane: ClosedRange<UInt32>) {
        var bad: [String] = []
        let step = plane.lowerBound < 0x2_0000 || getenv("SEATAGENT_SOAK") != nil ? 1 : 17
        for value in stride(from: plane.lowerBound, through: plane.upperBound, by: step)
        where bad.count < 20 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let it = String(scalar)
            if !isShownRightly(it) {
                bad.append("U+" + String(value, radix: 16, uppercase: true))
            }
        }
        #expect(bad == [])
    }

    private func isHarmless(_ text: String) -> Bool {
        !text.unicodeScalars.contains(where: acts)
    }

    /// Alone, after a letter, doubled, between wide letters and in a text.
    private func isShownRightly(_ it: String) -> Bool {
        let shown = visible(it)
        if shown == "\u{FFFD}", it != shown {
            return visible("a" + it + it + " b") == "a\u{FFFD}\u{FFFD} b"
        }
        return isHarmless(shown) && isRightIn("a" + it) && isRightIn("座" + it + it + "席 b")
    }

    private func isRightIn(_ text: String) -> Bool {
        let whole = visible(text)
        let width = cellWidth(whole)
        return isHarmless(whole) && sameScalars(visible(whole), whole)
            && [width, width - 1, 1].allSatisfy { limit in
                isRightCut(visible(text, cells: limit), of: whole, width, limit)
            }
    }

    /// A cut is the longest beginning that leaves a cell for the `…`; what fits is whole.
    private func isRightCut(_ cut: String, of whole: String, _ width: Int, _ limit: Int) -> Bool {
        if width <= limit { return sameScalars(cut, whole) }
        if limit == 0 { return cut.isEmpty }
        guard cut.unicodeScalars.last == "…", cellWidth(cut) <= limit else { return false }
        let kept = Array(cut.unicodeScalars.dropLast())
        let all = Array(whole.unicodeScalars)
        guard all.starts(with: kept) else { return false }
        // The next letter would not have left the cell, and its marks go with the one before.
        let next = all.dropFirst(kept.count).first.map { cellWidth(String($0)) } ?? 0
        return next > 0 && cellWidth(cut) + next > limit
    }

    private func sameScalars(_ one: String, _ other: String) -> Bool {
        one.unicodeScalars.elementsEqual(other.unicodeScalars)
    }

    @Test(
        "A column has its width, whatever stands in it", arguments: ["座", "e\u{301}", "\u{7}", "x"])
    func columns(it: String) {
        for count in 0...9 {
            for width in 0...12 {
                let text = String(repeating: it, count: count)
                #expect(cellWidth(padded(text, to: width)) == width)
            }
        }
    }

    @Test("Ten thousand marks and ten thousand letters stay in their cells", arguments: [0, 1, 24])
    func many(limit: Int) {
        for piece in ["\u{301}", "a\u{301}", "座", "x", "\u{202E}", "\u{1B}[2J", "\u{200D}"] {
            let text = "a" + String(repeating: piece, count: 10_000)
            let shown = visible(text, cells: limit)
            #expect(cellWidth(shown) <= limit)
            // One letter and three marks a cell.
            #expect(shown.unicodeScalars.count <= 4 * limit)
            #expect(shown.utf8.count <= 16 * limit)
        }
        let marks = visible("a" + String(repeating: "\u{301}", count: 10_000))
        #expect(marks.unicodeScalars.count == 4)
    }
}
