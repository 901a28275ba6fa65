// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import Protocol

/// One item of CBOR as a value, read by a schema that allows every shape the protocol has.
indirect enum Tree: Hashable {
    case number(Int)
    case bytes([UInt8])
    case text(String)
    case array([Tree])
    /// Keys are small numbers in ascending order, as in HELLO.
    case map([Int: Tree])
    case bool(Bool)
    case null

    /// Nesting that is read.
    static let depthLimit = 12
    /// The longest string and the largest count.
    static let longest = 0...4096

    /// Reads the next item of `reader`, which reads `bytes`.
    init(_ reader: inout CBORReader, _ bytes: [UInt8], depth: Int = 0) throws(DecodeError) {
        guard depth < Self.depthLimit else { throw DecodeError(.tooManyItems) }
        if try reader.takeNull() {
            self = .null
            return
        }
        // There is a byte, or `takeNull` would have thrown.
        switch bytes[reader.offset] >> 5 {
        case 0: self = .number(try reader.uint())
        case 2: self = .bytes(try reader.bytes(Self.longest))
        case 3: self = .text(try reader.text(max: Self.longest.upperBound))
        case 4:
            var elements: [Tree] = []
            for _ in 0..<(try reader.array(Self.longest)) {
                elements.append(try Tree(&reader, bytes, depth: depth + 1))
            }
            self = .array(elements)
        case 5:
            var members: [Int: Tree] = [:]
            var last = -1
            for _ in 0..<(try reader.map(Self.longest)) {
                // A key is known before it is read: here it is the number that stands there.
                let start = reader.offset
                var ahead = CBORReader(bytes.span.bytes.extracting(start..<bytes.count))
                let key = try ahead.uint()
                guard key > last else { throw DecodeError(.keyOrder, at: start) }
                try reader.key(key)
                last = key
                members[key] = try Tree(&reader, bytes, depth: depth + 1)
            }
            self = .map(members)
        default: self = .bool(try reader.bool())
        }
    }

    /// Reads `bytes` as one whole item.
    static func read(_ bytes: [UInt8], items: Int = Limits.cborItems) throws(DecodeError) -> Tree {
        var reader = CBORReader(bytes.span.bytes, items: items)
        let tree = try Tree(&reader, bytes)
        try reader.finish()
        return tree
    }

    /// Writes it.
    func write(to writer: inout CBORWriter) {
        switch self {
        case .number(let value): writer.uint(value)
        case .bytes(let value): writer.bytes(value)
        case .text(let value): writer.text(value)
        case .array(let elements):
            writer.array(elements.count)
            for element in elements { element.write(to: &writer) }
        case .map(let members):
            writer.map(members.count)
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                writer.uint(key)
                value.write(to: &writer)
            }
        case .bool(let value): writer.bool(value)
        case .null: writer.null()
        }
    }

    /// Its bytes.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Items in it, keys of maps among them.
    var items: Int {
        switch self {
        case .number, .bytes, .text, .bool, .null: 1
        case .array(let elements): elements.reduce(1) { $0 + $1.items }
        case .map(let members): members.values.reduce(1) { $0 + 1 + $1.items }
        }
    }
}

/// What the strict reader takes is the one encoding of its value, and whole.
///
/// Input: one byte that chooses a prefix, the item.
enum CBORTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        guard let first = input.first else { return .refused }
        let bytes = Array(input.dropFirst())
        let tree: Tree
        do throws(DecodeError) {
            tree = try Tree.read(bytes)
        } catch {
            hold((0...bytes.count).contains(error.offset), "refused outside of the bytes")
            return .refused
        }
        hold(tree.encoded == bytes, "two encodings of one value")
        let items = tree.items
        hold(items <= Limits.cborItems, "more items than allowed")
        hold((try? Tree.read(bytes, items: items)) == tree, "items are counted wrong")
        hold(code(bytes, items: items - 1) == .tooManyItems, "an item was not counted")
        hold(code(bytes + [first]) == .leftover, "bytes after the end")
        let part = Array(bytes.prefix(Int(first) % bytes.count))
        hold(code(part) == .truncated, "a part was taken for the whole")
        return .accepted
    }

    private static func code(
        _ bytes: [UInt8], items: Int = Limits.cborItems
    ) -> DecodeError.Code? {
        do throws(DecodeError) {
            _ = try Tree.read(bytes, items: items)
            return nil
        } catch {
            return error.code
        }
    }
}
