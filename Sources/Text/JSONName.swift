// SPDX-License-Identifier: Apache-2.0
/// How the key of a member is written: `needsAnswer` as `needs_answer`. The keys of a dictionary
/// are words and not names of members: they are written and read as they are, `Bo` as `Bo`.
enum JSONName {
    /// The standard library keeps the type of a dictionary's keys to itself, but hands it to every
    /// decoder.
    private static let ofDictionaries: ObjectIdentifier? = {
        let probe = Probe()
        _ = try? [String: Bool](from: probe)
        return probe.keys
    }()

    /// Whether keys of that type are a dictionary's.
    static func isWord(_ type: any CodingKey.Type) -> Bool {
        ObjectIdentifier(type) == ofDictionaries
    }

    /// The name of one key.
    static func of(_ key: any CodingKey) -> String {
        isWord(type(of: key)) ? key.stringValue : memberName(key.stringValue)
    }
}

/// Sees by which keys a dictionary wants to be read.
private final class Probe: Decoder {
    private(set) var keys: ObjectIdentifier?
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let nothing = JSONFault(path: [], wanted: "there")

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        keys = ObjectIdentifier(type)
        throw nothing
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw nothing }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw nothing }
}
