// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import SeatAgent
@testable import Text

/// Our widths against those of the C library, which is what ncurses, tmux and most terminals go by.
@Suite("Cells of a scalar, as the C library counts them")
struct WidthTests {
    private typealias Width = @convention(c) (Int32) -> Int32

    /// Vowel signs that were marks until Unicode 15 and are letters since.
    private static let moved: Set<UInt32> = [0x1171E]

    @Test("The same for every scalar that it knows, but for those listed")
    func everyScalar() throws {
        // The `wchar.h` that Swift sees has no wcwidth.
        let symbol = try #require(dlsym(nil, "wcwidth"))
        let width = unsafeBitCast(symbol, to: Width.self)
        let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
        let before = uselocale(locale)
        defer {
            uselocale(before)
            freelocale(locale)
        }
        var different: [String] = []
        var unknown = 0
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.isSafeToPrint else { continue }
            let ours = cellWidth(String(scalar))
            let theirs = Int(width(Int32(bitPattern: value)))
            if theirs < 0 {
                // Only what is younger than this library: it knows Unicode 14 and older.
                unknown += 1
                let age = scalar.properties.age
                if age.map({ $0.major < 15 }) ?? true { different.append("unknown \(value)") }
            } else if ours != theirs, !Self.moved.contains(value) {
                different.append("\(String(value, radix: 16)): \(ours), not \(theirs)")
            }
        }
        #expect(different == [])
        #expect(unknown < 16_000)
    }

    @Test("A text is as wide as its scalars", arguments: ["座席を交換", "안녕하세요", "naïve café", "✈ 12A"])
    func texts(text: String) {
        let padded = padded(text, to: 20)
        #expect(cellWidth(padded) == 20)
        #expect(padded.hasPrefix(text))
    }
}
