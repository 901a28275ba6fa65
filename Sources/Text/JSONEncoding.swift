// SPDX-License-Identifier: Apache-2.0
extension JSON {
    /// `value` as JSON. Names of members are written with underscores: `needsAnswer` is
    /// `needs_answer`. A value that encodes nothing is left out of the object around it.
    ///
    /// The containers of this encoder take everything, so only an `encode(to:)` that throws by
    /// itself fails, and no type of this program does: the value is then `null`.
    package init(_ value: some Encodable) {
        do {
            self = try JSONEncoding.json(value, []) ?? .null
        } catch {
            self = .null
        }
    }
}

extension JSON: Codable {
    package init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? JSONDecoding else {
            throw JSONFault(path: [], wanted: "read by this program's own decoder")
        }
        self = decoder.value ?? .null
    }

    package func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? JSONEncoding else {
            throw JSONFault(path: [], wanted: "written by this program's own encoder")
        }
        encoder.slot.content = .value(self)
    }
}

/// The object's name of a member: `needsAnswer` is `needs_answer`.
func memberName(_ key: String) -> String {
    guard key.utf8.contains(where: { 65...90 ~= $0 }) else { return key }
    var name: [UInt8] = []
    for byte in key.utf8 {
        if 65...90 ~= byte { name += [95, byte + 32] } else { name.append(byte) }
    }
    return String(decoding: name, as: UTF8.self)
}

/// A place in the value that is being written.
final class JSONSlot {
    enum Content {
        case nothing
        case value(JSON)
        case members([String: JSON])
        case elements([JSON])
    }

    var content = Content.nothing
    /// Containers that were asked for and may still be written to.
    private var nested: [(name: String?, slot: JSONSlot)] = []

    func set(_ name: String, _ value: JSON) {
        var members: [String: JSON] = [:]
        if case .members(let known) = content { members = known }
        content = .nothing
        members[name] = value
        content = .members(members)
    }

    func append(_ value: JSON) {
        var elements: [JSON] = []
        if case .elements(let known) = content { elements = known }
        content = .nothing
        elements.append(value)
        content = .elements(elements)
    }

    func nest(_ name: String?) -> JSONSlot {
        let slot = JSONSlot()
        nested.append((name, slot))
        return slot
    }

    /// What was written; `nil` for nothing.
    var json: JSON? {
        for (name, slot) in nested {
            let value = slot.json ?? .null
            if let name { set(name, value) } else { append(value) }
        }
        nested = []
        return switch content {
        case .nothing: nil
        case .value(let value): value
        case .members(let members): .object(members)
        case .elements(let elements): .array(elements)
        }
    }
}

/// Writes a value into a slot.
struct JSONEncoding: Encoder {
    let slot: JSONSlot
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .nothing = slot.content { slot.content = .members([:]) }
        return KeyedEncodingContainer(MemberWriter<Key>(slot: slot, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.content = .elements([])
        return ElementWriter(slot: slot, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ValueWriter(slot: slot, codingPath: codingPath)
    }

    /// `value` alone; `nil` if it writes nothing.
    static func json(
        _ value: some Encodable, _ path: [any CodingKey]
    ) throws -> JSON? {
        if let leaf = leaf(value) { return leaf }
        let slot = JSONSlot()
        try value.encode(to: JSONEncoding(slot: slot, codingPath: path))
        return slot.json
    }

    private static func leaf(_ value: some Encodable) -> JSON? {
        if let text = value as? String { return .string(text) }
        return value as? JSON
    }

    /// A number of another type than `Int` and `Double`, whose own
    /// `encode(to:)` would come back here.
    static func number(_ value: some Encodable) -> JSON? {
        if let whole = value as? any BinaryInteger {
            return Int(exactly: whole).map(JSON.int) ?? .double(Double(whole))
        }
        return (value as? Float).map { .double(Double($0)) }
    }
}

private struct MemberWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: JSONSlot
    let codingPath: [any CodingKey]

    private let areWords = JSONName.isWord(Key.self)

    init(slot: JSONSlot, codingPath: [any CodingKey]) {
        self.slot = slot
        self.codingPath = codingPath
    }

    private func name(_ key: Key) -> String {
        areWords ? key.stringValue : memberName(key.stringValue)
    }

    private func put(_ value: JSON, _ key: Key) { slot.set(name(key), value) }

    func encodeNil(forKey key: Key) { put(.null, key) }
    func encode(_ value: Bool, forKey key: Key) { put(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) { put(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) { put(.double(value), key) }
    func encode(_ value: Int, forKey key: Key) { put(.int(value), key) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        if let json = try JSONEncoding.json(value, codingPath + [key]) { put(json, key) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { JSONEncoding(slot: slot, codingPath: codingPath) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: Key) -> JSONEncoding {
        JSONEncoding(
            slot: slot.nest(name(key)), codingPath: codingPath + [key])
    }
}

private struct ElementWriter: UnkeyedEncodingContainer {
    let slot: JSONSlot
    let codingPath: [any CodingKey]
    private(set) var count = 0

    private mutating func put(_ value: JSON) {
        slot.append(value)
        count += 1
    }

    mutating func encodeNil() { put(.null) }
    mutating func encode(_ value: Bool) { put(.bool(value)) }
    mutating func encode(_ value: String) { put(.string(value)) }
    mutating func encode(_ value: Double) { put(.double(value)) }
    mutating func encode(_ value: Int) { put(.int(value)) }

    mutating func encode(_ value: some Encodable) throws {
        put(try JSONEncoding.json(value, codingPath) ?? .null)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        nested().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { nested() }

    private mutating func nested() -> JSONEncoding {
        count += 1
        return JSONEncoding(slot: slot.nest(nil), codingPath: codingPath)
    }
}

private struct ValueWriter: SingleValueEncodingContainer {
    let slot: JSONSlot
    let codingPath: [any CodingKey]

    func encodeNil() { slot.content = .value(.null) }
    func encode(_ value: Bool) { slot.content = .value(.bool(value)) }
    func encode(_ value: String) { slot.content = .value(.string(value)) }
    func encode(_ value: Double) { slot.content = .value(.double(value)) }
    func encode(_ value: Int) { slot.content = .value(.int(value)) }
    func encode(_ value: some Encodable) throws {
        if let number = JSONEncoding.number(value) {
            slot.content = .value(number)
        } else {
            try value.encode(to: JSONEncoding(slot: slot, codingPath: codingPath))
        }
    }
}
