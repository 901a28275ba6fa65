// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import SeatAgent
@testable import Text

/// How vector files are written: JSON with one member a line, and CBOR in diagnostic notation.
enum VectorText {
    /// Two spaces an indent, keys in the order of their bytes, short arrays of scalars on one line.
    static func pretty(_ value: JSON, indent: Int = 0) -> String {
        let inner = String(repeating: "  ", count: indent + 1)
        let outer = String(repeating: "  ", count: indent)
        switch value {
        case .null, .bool, .int, .double, .string: return value.line
        case .array(let elements):
            if value.line.count + 2 * indent <= 100 { return value.line }
            let lines = elements.map { inner + pretty($0, indent: indent + 1) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + outer + "]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let lines = sorted.map { key, value in
                inner + JSON.string(key).line + ": " + pretty(value, indent: indent + 1)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + outer + "}"
        }
    }

    /// Diagnostic notation (RFC 8949 section 8) of one item that our own writer made.
    static func diagnostic(_ bytes: [UInt8]) -> String {
        var rest = bytes[...]
        return item(&rest)
    }

    private static func item(_ rest: inout ArraySlice<UInt8>) -> String {
        guard let first = rest.popFirst() else { return "?" }
        switch first {
        case 0xF4: return "false"
        case 0xF5: return "true"
        case 0xF6: return "null"
        default: break
        }
        var value = Int(first & 31)
        if value >= 24 {
            let size = 1 << (value - 24)
            value = rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(size)
        }
        switch first >> 5 {
        case 0: return String(value)
        case 2:
            defer { rest = rest.dropFirst(value) }
            return "h'" + hexadecimal(rest.prefix(value)) + "'"
        case 3:
            defer { rest = rest.dropFirst(value) }
            return JSON.string(String(decoding: rest.prefix(value), as: UTF8.self)).line
        case 4: return "[" + (0..<value).map { _ in item(&rest) }.joined(separator: ", ") + "]"
        case 5:
            let pairs = (0..<value).map { _ in
                let key = item(&rest)
                return key + ": " + item(&rest)
            }
            return "{" + pairs.joined(separator: ", ") + "}"
        default: return "?"
        }
    }
}

extension JSON {
    /// Bytes as lower-case hexadecimal text.
    static func hex(_ bytes: [UInt8]) -> JSON { .string(hexadecimal(bytes)) }
}
