// SPDX-License-Identifier: Apache-2.0
extension Decodable {
    /// What a peer of the control socket wrote, read with patience: a member that is
    /// missing or `null` is `false`, 0, an empty text or list, since an agent of before
    /// does not know it; members that are not known here are ignored. Throws ``JSONFault``
    /// for a value of another kind.
    package init(told json: JSON) throws(JSONFault) {
        self = try JSONDecoding.read(json, .empty)
    }

    /// What somebody asks, read strictly: texts, numbers and objects must be there; flags and lists
    /// may be left out. Members that are not known are ignored. Throws ``JSONFault``.
    package init(asked json: JSON) throws(JSONFault) {
        self = try JSONDecoding.read(json, .refused)
    }

    /// The members that this type reads, each with its path: `moves`, `moves.seat`.
    package static func members() throws(JSONFault) -> [JSONMember] {
        try sampled().members
    }

    /// This type and those of its members, as objects of JSON; its own members come first.
    package static func objects() throws(JSONFault) -> [JSONObject] {
        try sampled().objects
    }

    private static func sampled() throws(JSONFault) -> JSONRecord {
        let record = JSONRecord()
        record.begin(JSONObject.name(of: Self.self))
        let _: Self = try JSONDecoding.read(.null, .sampled(record))
        return record
    }
}

/// A position in a list.
struct JSONPosition: CodingKey {
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }
    init(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { return nil }
}

/// Reads a value, or what stands for one that is not there.
struct JSONDecoding: Decoder {
    /// What a missing value is.
    enum Missing {
        /// A fault, unless its type says otherwise.
        case refused
        /// False, 0 or empty.
        case empty
        /// One of each kind, so that all of a type is read.
        case sampled(JSONRecord)
    }

    /// `nil` for nothing.
    let value: JSON?
    let missing: Missing
    let codingPath: [any CodingKey]
    /// The name of the object whose members are read; for a sample.
    var owner = ""
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func read<T: Decodable>(_ json: JSON, _ missing: Missing) throws(JSONFault) -> T {
        do {
            var decoding = JSONDecoding(value: json, missing: missing, codingPath: [])
            if case .sampled = missing { decoding.owner = JSONObject.name(of: T.self) }
            return try T(from: decoding)
        } catch let fault as JSONFault {
            throw fault
        } catch {
            throw JSONFault(path: [], wanted: "what its type reads")
        }
    }

    func fault(_ wanted: String) -> JSONFault {
        JSONFault(path: codingPath.map(JSONName.of), wanted: wanted)
    }

    /// Whether nothing is there and something stands for it.
    private var isReplaced: Bool {
        switch missing {
        case .refused: value == nil
        case .empty, .sampled: value == nil || value == .null
        }
    }

    var isSample: Bool {
        if case .sampled = missing { return true }
        return false
    }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        if isReplaced { return KeyedDecodingContainer(MemberReader(decoding: self, members: [:])) }
        guard let members = value?.members else { throw fault("an object") }
        return KeyedDecodingContainer(MemberReader(decoding: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        if isReplaced {
            return ElementReader(decoding: self, elements: isSample ? [.null] : [])
        }
        guard let elements = value?.list else { throw fault("a list") }
        return ElementReader(decoding: self, elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { ValueReader(decoding: self) }

    func at(_ key: some CodingKey, _ value: JSON?) -> JSONDecoding {
        JSONDecoding(value: value, missing: missing, codingPath: codingPath + [key], owner: owner)
    }

    // MARK: Kinds

    func bool() throws -> Bool {
        if isReplaced { return isSample }
        guard let flag = value?.flag else { throw fault("true or false") }
        return flag
    }

    func string() throws -> String {
        // A seat is a text like any other.
        if isReplaced { return isSample ? "1A" : "" }
        guard let text = value?.text else { throw fault("a string") }
        return text
    }

    func int() throws -> Int {
        if isReplaced { return isSample ? 1 : 0 }
        guard let number = value?.number else { throw fault("a whole number") }
        return number
    }

    func double() throws -> Double {
        if isReplaced { return 0 }
        if case .double(let number) = value { return number }
        return Double(try int())
    }

    func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        guard let number = T(exactly: try int()) else { throw fault("a whole number") }
        return number
    }

    /// A value of any type at this place.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if case .sampled(let record) = missing { return try sampled(type, record) }
        if case .refused = missing, value == nil || value == .null {
            guard T.self is any JSONOmissible.Type else {
                throw fault(Self.kind(of: type))
            }
            let nothing = JSONDecoding(value: nil, missing: .empty, codingPath: codingPath)
            return try T(from: nothing)
        }
        return try T(from: self)
    }

    private func sampled<T: Decodable>(_ type: T.Type, _ record: JSONRecord) throws -> T {
        let kind = JSONKind(of: type)
        if let last = codingPath.last, last.intValue == nil {
            record.note(owner, JSONName.of(last), kind)
        }
        record.note(codingPath.filter { $0.intValue == nil }.map(JSONName.of), kind.words)
        return try T(from: entering(kind))
    }

    /// Inside an object, members are its own.
    func entering(_ kind: @autoclosure () -> JSONKind) -> JSONDecoding {
        guard case .sampled(let record) = missing, case .object(let name) = kind() else {
            return self
        }
        record.begin(name)
        var inner = self
        inner.owner = name
        return inner
    }

    private static func kind(of type: Any.Type) -> String {
        switch JSONKind(of: type) {
        case .text, .word, .form: "a string"
        case .number: "a whole number"
        case .flag, .any, .object, .list, .byWord, .orNull, .ifTrue: "an object"
        }
    }
}

private struct MemberReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoding: JSONDecoding
    let members: [String: JSON]
    private let areWords = JSONName.isWord(Key.self)

    init(decoding: JSONDecoding, members: [String: JSON]) {
        self.decoding = decoding
        self.members = members
    }

    var codingPath: [any CodingKey] { decoding.codingPath }
    var allKeys: [Key] { members.keys.sorted().compactMap { Key(stringValue: $0) } }

    private func value(_ key: Key) -> JSON? {
        members[areWords ? key.stringValue : memberName(key.stringValue)]
    }

    private func at(_ key: Key) -> JSONDecoding { decoding.at(key, value(key)) }

    func contains(_ key: Key) -> Bool {
        guard case .sampled(let record) = decoding.missing else { return value(key) != nil }
        // Whoever asks can do without it.
        record.mayLack(decoding.owner, memberName(key.stringValue))
        return true
    }

    func decodeNil(forKey key: Key) -> Bool { !decoding.isSample && value(key) == .null }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try at(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try at(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try at(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoding }
    func superDecoder(forKey key: Key) throws -> any Decoder { at(key) }
}

private struct ElementReader: UnkeyedDecodingContainer {
    let decoding: JSONDecoding
    let elements: [JSON]
    private(set) var currentIndex = 0

    init(decoding: JSONDecoding, elements: [JSON]) {
        self.decoding = decoding
        self.elements = elements
    }

    var codingPath: [any CodingKey] { decoding.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private mutating func next() throws -> JSONDecoding {
        let place = decoding.at(
            JSONPosition(intValue: currentIndex), isAtEnd ? nil : elements[currentIndex])
        guard !isAtEnd else { throw place.fault("there") }
        currentIndex += 1
        return place
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct ValueReader: SingleValueDecodingContainer {
    let decoding: JSONDecoding

    var codingPath: [any CodingKey] { decoding.codingPath }

    func decodeNil() -> Bool {
        !decoding.isSample && (decoding.value == nil || decoding.value == .null)
    }

    func decode(_ type: Bool.Type) throws -> Bool { try decoding.bool() }
    func decode(_ type: String.Type) throws -> String { try decoding.string() }
    func decode(_ type: Double.Type) throws -> Double { try decoding.double() }
    func decode(_ type: Float.Type) throws -> Float { Float(try decoding.double()) }
    func decode(_ type: Int.Type) throws -> Int { try decoding.int() }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoding.integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoding.integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoding.integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoding.integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try decoding.integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoding.integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoding.integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoding.integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoding.integer(type) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try T(from: decoding.entering(JSONKind(of: type)))
    }
}
