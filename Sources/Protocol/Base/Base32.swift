// SPDX-License-Identifier: Apache-2.0
/// Lower-case base32 of RFC 4648 without padding: key tags, whole keys and cabin codes.
package enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// The character for the low five bits of `value`, in ASCII.
    static func digit(_ value: Int) -> UInt8 { alphabet[value & 31] }

    /// The value of one character, 0 to 31; `nil` for a character outside the alphabet.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x61...0x7A: digit - 0x61
        case 0x32...0x37: digit - 0x32 + 26
        default: nil
        }
    }

    /// The base32 text of `bytes`.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        func put(_ index: UInt32) {
            text.unicodeScalars.append(Unicode.Scalar(alphabet[Int(index & 31)]))
        }
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                put(buffer >> (bits - 5))
                bits -= 5
            }
            buffer &= (1 << bits) - 1
        }
        if bits > 0 { put(buffer << (5 - bits)) }
        return text
    }

    /// The bytes of base32 `text` in ASCII; `nil` for another character, and for any text that
    /// `encode` does not make: a character too many, or bits left over that are not zero.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for digit in text {
            guard let value = value(of: digit) else { return nil }
            buffer = buffer << 5 | UInt32(value)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
                buffer &= (1 << bits) - 1
            }
        }
        return bits < 5 && buffer == 0 ? bytes : nil
    }
}
