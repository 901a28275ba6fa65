// SPDX-License-Identifier: Apache-2.0
/// A JSON value (RFC 8259) as the control socket speaks it.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits.
    case int(Int)
    /// Any other number.
    case double(Double)
    case string(String)
    case array([JSON])
    /// Keys are unique; written in the order of their bytes.
    case object([String: JSON])

    /// The value at `key`; `nil` if this is no object or has no such key.
    package subscript(key: String) -> JSON? {
        if case .object(let members) = self { return members[key] }
        return nil
    }

    /// The text, if this is a string.
    package var text: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    /// The number, if this is a whole one.
    package var number: Int? {
        if case .int(let value) = self { return value }
        return nil
    }

    /// The truth value, if this is one.
    package var flag: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }

    /// The elements, if this is an array.
    package var list: [JSON]? {
        if case .array(let value) = self { return value }
        return nil
    }

    /// The members, if this is an object.
    package var members: [String: JSON]? {
        if case .object(let value) = self { return value }
        return nil
    }

    /// An object of the members that have a value.
    package static func object(present members: [String: JSON?]) -> JSON {
        .object(members.compactMapValues { $0 })
    }

    /// This object with those of `more` added that are there.
    package func adding(present more: [String: JSON?]) -> JSON {
        adding(more.compactMapValues { $0 })
    }

    /// This object with `more` added; members of `more` win.
    package func adding(_ more: [String: JSON]) -> JSON {
        .object((members ?? [:]).merging(more) { _, new in new })
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .int(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

extension JSON {
    /// One line of text: sorted keys, no spaces, no line end.
    ///
    /// Every scalar that a terminal could take for a command, or that cannot be seen, is escaped:
    /// the raw text of a passenger survives, and printing the line is harmless.
    package var line: String {
        var out = ""
        write(to: &out)
        return out
    }

    private func write(to out: inout String) {
        switch self {
        case .null: out += "null"
        case .bool(let value): out += value ? "true" : "false"
        case .int(let value): out += String(value)
        case .double(let value): out += value.isFinite ? String(value) : "null"
        case .string(let value): Self.write(value, to: &out)
        case .array(let elements):
            out += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { out += "," }
                element.write(to: &out)
            }
            out += "]"
        case .object(let members):
            out += "{"
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (index, member) in sorted.enumerated() {
                if index > 0 { out += "," }
                Self.write(member.key, to: &out)
                out += ":"
                member.value.write(to: &out)
            }
            out += "}"
        }
    }

    private static func write(_ text: String, to out: inout String) {
        out += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            default:
                if scalar.isSafeToPrint {
                    out.unicodeScalars.append(scalar)
                } else {
                    for unit in String(scalar).utf16 { out += escape(unit) }
                }
            }
        }
        out += "\""
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
