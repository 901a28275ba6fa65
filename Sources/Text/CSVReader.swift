// SPDX-License-Identifier: Apache-2.0
/// Takes apart comma-separated values (RFC 4180), one row after the other: fields in quotes may
/// hold commas, line ends and doubled quotes. Lines end with CR LF or LF; empty ones do not count.
package struct CSVReader: Sendable {
    /// One row, and the line on which it begins.
    package struct Row: Hashable, Sendable {
        /// Lines count from 1.
        package let line: Int
        package let fields: [String]
    }

    /// Bytes of a row, far more than names, an address and a position need.
    package static let rowLimit = 1024

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1

    /// Reads `bytes`; a mark of the byte order at the beginning does not count.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// The next row; `nil` at the end. Throws for what is not in that form, or too long.
    package mutating func next() throws(FormFault) -> Row? {
        while takesLineEnd() {}
        guard index < bytes.count else { return nil }
        let (first, start) = (line, index)
        var fields: [String] = []
        while true {
            let field =
                bytes[index...].first == UInt8(ascii: "\"")
                ? try quoted(since: start, first) : try plain(since: start)
            guard let text = String(validating: field, as: UTF8.self) else {
                throw Self.fault(first, "it is not UTF-8")
            }
            fields.append(text)
            if index < bytes.count, bytes[index] == UInt8(ascii: ",") {
                index += 1
                continue
            }
            guard index == bytes.count || takesLineEnd() else {
                throw Self.fault(line, "a comma or the end of the line is wanted after the quotes")
            }
            return Row(line: first, fields: fields)
        }
    }

    /// A fault on that line.
    package static func fault(_ line: Int, _ why: String) -> FormFault {
        FormFault(place: "line \(line)", why: why)
    }

    private mutating func takesLineEnd() -> Bool {
        var end = index
        if end < bytes.count, bytes[end] == 13 { end += 1 }
        guard end < bytes.count, bytes[end] == 10 else { return false }
        index = end + 1
        line += 1
        return true
    }

    /// A field up to a comma or the end of its line.
    private mutating func plain(since start: Int) throws(FormFault) -> [UInt8] {
        let begin = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ","), 10: return Array(bytes[begin..<index])
            case 13:
                guard index + 1 < bytes.count, bytes[index + 1] == 10 else {
                    throw Self.fault(line, "a lone carriage return ends no line")
                }
                return Array(bytes[begin..<index])
            case UInt8(ascii: "\""):
                throw Self.fault(
                    line, "a field with a quote has quotes around it, and the quote twice")
            default: index += 1
            }
            try check(start, line)
        }
        return Array(bytes[begin..<index])
    }

    /// A field between quotes, without them.
    private mutating func quoted(
        since start: Int, _ first: Int
    ) throws(FormFault) -> [UInt8] {
        var field: [UInt8] = []
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                guard index < bytes.count, bytes[index] == byte else { return field }
                index += 1
            } else if byte == 10 {
                line += 1
            }
            field.append(byte)
            try check(start, first)
        }
        throw Self.fault(first, "the quotes are never closed")
    }

    private func check(_ start: Int, _ line: Int) throws(FormFault) {
        guard index - start <= Self.rowLimit else {
            throw Self.fault(line, "it has more than \(Self.rowLimit) bytes")
        }
    }
}
