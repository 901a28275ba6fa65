// SPDX-License-Identifier: Apache-2.0
/// A picture of black dots on white paper, and its file: PNG (ISO/IEC 15948) with a bit for each
/// dot, without compression, so that it needs no library.
struct DotPicture: Hashable, Sendable {
    let width, height: Int
    /// Row after row, eight dots a byte, the leftmost one the highest bit; 1 is white.
    private var bits: [UInt8]

    private var stride: Int { (width + 7) / 8 }

    /// White paper.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        bits = [UInt8](repeating: 0xFF, count: (width + 7) / 8 * height)
    }

    /// Makes a square black; what lies outside of the picture is left out.
    mutating func fill(_ left: Int, _ top: Int, _ side: Int) {
        for y in max(0, top)..<max(0, min(height, top + side)) {
            for x in max(0, left)..<max(0, min(width, left + side)) {
                bits[y * stride + x / 8] &= ~(0x80 >> UInt8(x % 8))
            }
        }
    }

    /// The file.
    var png: [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            // Each row says how it was filtered: not at all.
            rows += [0] + bits[y * stride..<(y + 1) * stride]
        }
        let head = Self.big(UInt32(width)) + Self.big(UInt32(height)) + [1, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + Self.chunk("IHDR", head) + Self.chunk("IDAT", Self.stored(rows))
            + Self.chunk("IEND", [])
    }

    private static func chunk(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        let part = Array(kind.utf8) + body
        return big(UInt32(body.count)) + part + big(checksum(part))
    }

    /// A stream of zlib (RFC 1950) whose blocks are stored as they are (RFC 1951 section 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(65_535)
            let count = UInt16(block.count)
            for value in [count, ~count] {
                out += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
            }
            out.insert(rest.isEmpty ? 1 : 0, at: out.count - 4)
            out += block
        } while !rest.isEmpty
        // Adler-32.
        var (low, high) = (UInt32(1), UInt32(0))
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return out + big(high << 16 | low)
    }

    /// CRC-32 of ISO/IEC 15948 annex D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
        return ~sum
    }

    private static let table: [UInt32] = (0..<256).map { start in
        (0..<8).reduce(UInt32(start)) { sum, _ in
            sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1
        }
    }

    private static func big(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }
    }
}
