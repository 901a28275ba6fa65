// SPDX-License-Identifier: Apache-2.0
/// Base64 (RFC 4648 section 4), for bytes inside JSON and in the text of a receipt.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text of `bytes`, padded.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            var word: UInt32 = 0
            for byte in group { word = word << 8 | UInt32(byte) }
            word <<= UInt32(8 * (3 - group.count))
            for index in 0..<4 {
                let digit = alphabet[Int(word >> UInt32(18 - 6 * index) & 63)]
                out.append(index <= group.count ? digit : UInt8(ascii: "="))
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The bytes of `text`; `nil` unless it is what ``encode(_:)`` writes for them.
    package static func decode(_ text: String) -> [UInt8]? {
        let units = Array(text.utf8)
        guard units.count % 4 == 0 else { return nil }
        let padding = units.suffix(2).count { $0 == UInt8(ascii: "=") }
        var out: [UInt8] = []
        out.reserveCapacity(units.count / 4 * 3)
        var word: UInt32 = 0
        for (index, unit) in units.enumerated() {
            let isPadding = unit == UInt8(ascii: "=") && index >= units.count - padding
            guard let digit = isPadding ? 0 : digit(unit) else { return nil }
            word = word << 6 | digit
            if index % 4 == 3 {
                for shift in [16, 8, 0] as [UInt32] {
                    out.append(UInt8(truncatingIfNeeded: word >> shift))
                }
                word = 0
            }
        }
        out.removeLast(padding)
        return encode(out) == text ? out : nil
    }

    private static func digit(_ unit: UInt8) -> UInt32? {
        switch unit {
        case 65...90: UInt32(unit) - 65
        case 97...122: UInt32(unit) - 71
        case 48...57: UInt32(unit) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
