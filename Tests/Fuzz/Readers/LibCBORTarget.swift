// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import Protocol

#if canImport(CCBOR)
    import CCBOR
#endif

/// libcbor, which shares no line with us, as a judge: what we take it takes, with the same value;
/// what it takes and is the one encoding of a value that the protocol knows, we take.
///
/// Input: the item. Without libcbor, as in `make test`, only our own half runs.
enum LibCBORTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        let ours = try? Tree.read(input)
        if let ours { hold(ours.encoded == input, "two encodings of one value") }
        #if canImport(CCBOR)
            let theirs = Judge.read(input)
            if let ours {
                hold(theirs != nil, "libcbor refuses what we take")
                hold(theirs == .value(ours), "libcbor reads another value")
            } else if case .value(let tree)? = theirs, tree.encoded == input {
                hold(tree.items > Limits.cborItems, "we refuse a good item")
            }
        #endif
        return ours == nil ? .refused : .accepted
    }
}

#if canImport(CCBOR)
    /// An item as libcbor reads it.
    private enum Judge: Equatable {
        /// A value that the protocol could mean.
        case value(Tree)
        /// Well-formed, but never ours: tags, floats, indefinite lengths,
        /// unsorted maps, large numbers.
        case foreign

        /// `nil` where libcbor refuses, or reads less than everything.
        static func read(_ bytes: [UInt8]) -> Judge? {
            // libcbor asks for all the room that a head announces, so these it never sees.
            guard announcesWhatComes(bytes) else { return nil }
            var result = cbor_load_result()
            var item = cbor_load(bytes, bytes.count, &result)
            guard let root = item else { return nil }
            defer { cbor_decref(&item) }
            guard result.read == bytes.count else { return nil }
            return tree(root, 0).map(Judge.value) ?? .foreign
        }

        /// Whether no head announces more elements than there are bytes behind it.
        private static func announcesWhatComes(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while let head = rest.popFirst() {
                let size = 24...27 ~= head & 31 ? 1 << Int(head & 31 - 24) : 0
                let count =
                    size == 0
                    ? UInt64(head & 31) : rest.prefix(size).reduce(0) { $0 << 8 | UInt64($1) }
                rest = rest.dropFirst(size)
                // 31 is an indefinite length, whose elements are counted by what ends them.
                guard 2...5 ~= head >> 5, head & 31 < 28 else { continue }
                guard count <= rest.count else { return false }
                if head >> 5 < 4 { rest = rest.dropFirst(Int(count)) }
            }
            return true
        }

        private static func tree(_ item: UnsafeMutablePointer<cbor_item_t>, _ depth: Int) -> Tree? {
            guard depth < Tree.depthLimit else { return nil }
            switch cbor_typeof(item) {
            case CBOR_TYPE_UINT: return Int(exactly: cbor_get_int(item)).map(Tree.number)
            case CBOR_TYPE_BYTESTRING:
                guard cbor_bytestring_is_definite(item) else { return nil }
                let length = cbor_bytestring_length(item)
                guard Tree.longest ~= length else { return nil }
                return .bytes(
                    Array(UnsafeBufferPointer(start: cbor_bytestring_handle(item), count: length)))
            case CBOR_TYPE_STRING:
                guard cbor_string_is_definite(item) else { return nil }
                let length = cbor_string_length(item)
                guard Tree.longest ~= length else { return nil }
                let bytes = UnsafeBufferPointer(start: cbor_string_handle(item), count: length)
                return String(validating: bytes, as: UTF8.self).map(Tree.text)
            case CBOR_TYPE_ARRAY: return array(item, depth)
            case CBOR_TYPE_MAP: return map(item, depth)
            case CBOR_TYPE_FLOAT_CTRL:
                guard cbor_float_ctrl_is_ctrl(item) else { return nil }
                switch cbor_ctrl_value(item) {
                case 20: return .bool(false)
                case 21: return .bool(true)
                case 22: return .null
                default: return nil
                }
            default: return nil
            }
        }

        private static func array(
            _ item: UnsafeMutablePointer<cbor_item_t>, _ depth: Int
        ) -> Tree? {
            let count = cbor_array_size(item)
            guard cbor_array_is_definite(item), Tree.longest ~= count else { return nil }
            var elements: [Tree] = []
            for element in UnsafeBufferPointer(start: cbor_array_handle(item), count: count) {
                guard let element, let value = tree(element, depth + 1) else { return nil }
                elements.append(value)
            }
            return .array(elements)
        }

        private static func map(_ item: UnsafeMutablePointer<cbor_item_t>, _ depth: Int) -> Tree? {
            let count = cbor_map_size(item)
            guard cbor_map_is_definite(item), Tree.longest ~= count else { return nil }
            var members: [Int: Tree] = [:]
            for pair in UnsafeBufferPointer(start: cbor_map_handle(item), count: count) {
                guard let key = pair.key, case .number(let number)? = tree(key, depth + 1),
                    let value = pair.value.flatMap({ tree($0, depth + 1) }),
                    members.updateValue(value, forKey: number) == nil
                else { return nil }
            }
            return .map(members)
        }
    }
#endif
