// SPDX-License-Identifier: Apache-2.0
/// Lower-case hexadecimal digits of `bytes`, two a byte.
public func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            text.unicodeScalars.append(Unicode.Scalar(digit < 10 ? 48 + digit : 87 + digit))
        }
    }
    return text
}

/// The bytes of hexadecimal `text`; `nil` for an odd count or another character.
public func bytes(hexadecimal text: some StringProtocol) -> [UInt8]? {
    var out: [UInt8] = []
    var high: UInt8?
    for unit in text.utf8 {
        guard let digit = unit.hexadecimalValue else { return nil }
        if let first = high {
            out.append(first << 4 | digit)
            high = nil
        } else {
            high = digit
        }
    }
    return high == nil ? out : nil
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit; `nil` for any other character.
    package var hexadecimalValue: UInt8? {
        switch self {
        case 48...57: self - 48
        case 97...102: self - 87
        case 65...70: self - 55
        default: nil
        }
    }
}
