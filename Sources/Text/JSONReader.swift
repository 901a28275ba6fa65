// SPDX-License-Identifier: Apache-2.0
/// Why a line is not JSON, and at which byte.
package struct JSONError: Error, Hashable, Sendable {
    /// What is wrong, in words.
    package let reason: String
    /// Offset in bytes from the start of the text.
    package let offset: Int
}

extension JSON {
    /// Reads one value with nothing but white space after it (RFC 8259). Throws ``JSONError``.
    ///
    /// Refuses nesting deeper than 32, a key that comes twice, bytes that are not UTF-8, and a lone
    /// surrogate.
    package init(line: some Collection<UInt8>) throws(JSONError) {
        var reader = JSONReader(bytes: Array(line))
        self = try reader.wholeText()
    }

    /// Reads one value from text.
    init(line: String) throws(JSONError) { try self.init(line: Array(line.utf8)) }
}

private struct JSONReader {
    let bytes: [UInt8]
    var offset = 0

    static let depthLimit = 32

    init(bytes: [UInt8]) { self.bytes = bytes }

    private func failed(_ reason: String) -> JSONError {
        JSONError(reason: reason, offset: offset)
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 32 || byte == 9 || byte == 10 || byte == 13 { offset += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    mutating func wholeText() throws(JSONError) -> JSON {
        let value = try value(depth: 0)
        skipSpace()
        guard offset == bytes.count else { throw failed("something stands after the value") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        guard depth < Self.depthLimit else { throw failed("nested too deep") }
        skipSpace()
        guard let byte = next else { throw failed("a value is missing") }
        switch byte {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: String, _ meaning: JSON) throws(JSONError) -> JSON {
        guard bytes[offset...].starts(with: word.utf8) else { throw failed("no such word") }
        offset += word.utf8.count
        return meaning
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        offset += 1
        var members: [String: JSON] = [:]
        skipSpace()
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failed("a key is missing") }
            let key = try string()
            skipSpace()
            guard take(":") else { throw failed("a colon is missing") }
            guard members[key] == nil else { throw failed("a key comes twice") }
            members[key] = try value(depth: depth + 1)
            skipSpace()
        } while take(",")
        guard take("}") else { throw failed("an object does not end") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        offset += 1
        var elements: [JSON] = []
        skipSpace()
        if take("]") { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipSpace()
        } while take(",")
        guard take("]") else { throw failed("an array does not end") }
        return .array(elements)
    }

    private mutating func number() throws(JSONError) -> JSON {
        let start = offset
        _ = take("-")
        let whole = digits()
        guard whole > 0 else { throw failed("not a value") }
        if whole > 1, bytes[offset - whole] == UInt8(ascii: "0") {
            throw failed("a number begins with zero")
        }
        var isWhole = true
        if take(".") {
            isWhole = false
            guard digits() > 0 else { throw failed("digits are missing") }
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("-") { _ = take("+") }
            guard digits() > 0 else { throw failed("digits are missing") }
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isWhole, let value = Int(text) { return .int(value) }
        guard let value = Double(text), value.isFinite else { throw failed("number too large") }
        return .double(value)
    }

    private mutating func digits() -> Int {
        let start = offset
        while let byte = next, 48...57 ~= byte { offset += 1 }
        return offset - start
    }

    private mutating func string() throws(JSONError) -> String {
        offset += 1
        var out: [UInt8] = []
        while let byte = next {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: out, as: UTF8.self) else {
                    throw failed("text is not UTF-8")
                }
                return text
            case UInt8(ascii: "\\"):
                out.append(contentsOf: Array(String(try escaped()).utf8))
            case 0..<32: throw failed("a control character stands in a string")
            default: out.append(byte)
            }
        }
        throw failed("a string does not end")
    }

    private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
        guard let byte = next else { throw failed("a string does not end") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try hexadecimalScalar()
        default: throw failed("no such escape")
        }
    }

    private mutating func hexadecimalScalar() throws(JSONError) -> Unicode.Scalar {
        let high = try unit()
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard 0xD800...0xDBFF ~= high, take("\\"), take("u") else { throw failed("lone surrogate") }
        let low = try unit()
        guard 0xDC00...0xDFFF ~= low else { throw failed("lone surrogate") }
        let value = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
        guard let scalar = Unicode.Scalar(value) else { throw failed("lone surrogate") }
        return scalar
    }

    private mutating func unit() throws(JSONError) -> UInt32 {
        guard offset + 4 <= bytes.count else { throw failed("four digits are missing") }
        var value: UInt32 = 0
        for byte in bytes[offset..<offset + 4] {
            guard let digit = Self.digit(byte) else { throw failed("four digits are missing") }
            value = value << 4 | digit
        }
        offset += 4
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 48...57: UInt32(byte) - 48
        case 65...70: UInt32(byte) - 55
        case 97...102: UInt32(byte) - 87
        default: nil
        }
    }
}
