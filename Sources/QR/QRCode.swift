// SPDX-License-Identifier: Apache-2.0
import CQREncode

/// A QR code of a text (ISO/IEC 18004), drawn by libqrencode.
package struct QRCode: Hashable, Sendable {
    /// Modules on each side, without the quiet zone.
    package let side: Int
    /// Row after row: whether a module is dark.
    private let dark: [Bool]

    /// Modules of light around it, without which readers do not find it.
    private static let quiet = 4

    /// The code of `text`, which a camera reads off a screen with a few damaged modules; `nil` for
    /// an empty text, one with a zero byte, and one that is too long.
    package init?(_ text: String) {
        guard !text.isEmpty, !text.utf8.contains(0),
            let made = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(made) }
        let side = Int(made.pointee.width)
        guard side > 0, let data = made.pointee.data else { return nil }
        self.side = side
        // The lowest bit of each byte is the module; the others say what it is for.
        dark = (0..<side * side).map { data[$0] & 1 == 1 }
    }

    /// Whether a module is dark; all around the code is light.
    package func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<side).contains(x) && (0..<side).contains(y) && dark[y * side + x]
    }

    /// The code in lines of text with its quiet zone: two modules a character, one above the other,
    /// in half blocks; light modules are drawn, since most terminals are dark. With `ascii`, two
    /// characters a module.
    package func lines(ascii: Bool = false) -> [String] {
        let range = -Self.quiet..<side + Self.quiet
        if ascii {
            return range.map { y in range.map { isDark($0, y) ? "  " : "##" }.joined() }
        }
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
            range.map { x in
                // Below the last row of an odd number there is nothing to draw.
                let below = y + 1 < range.upperBound && !isDark(x, y + 1)
                return switch (!isDark(x, y), below) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }
    }
}
