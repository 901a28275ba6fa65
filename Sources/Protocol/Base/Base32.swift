/// Lower-case base32 of RFC 4648 without padding: key tags and cabin codes.
package enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

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
}
