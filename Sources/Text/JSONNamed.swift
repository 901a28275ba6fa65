// SPDX-License-Identifier: Apache-2.0
/// A dictionary by text. Its keys are words and no names of members: they are written and read as
/// they are, `Bo` as `Bo`.
protocol JSONNamed {
    init(named decoding: JSONDecoding) throws
    func json(_ path: [any CodingKey]) throws -> JSON
}

extension Dictionary: JSONNamed where Key == String, Value: Codable {
    init(named decoding: JSONDecoding) throws {
        self = [:]
        for (word, json) in try decoding.named() {
            self[word] = try decoding.at(JSONName(stringValue: word), json).decode(Value.self)
        }
    }

    func json(_ path: [any CodingKey]) throws -> JSON {
        .object(
            try reduce(into: [:]) { members, member in
                let name = JSONName(stringValue: member.key)
                members[member.key] = try JSONEncoding.json(member.value, path + [name])
            })
    }
}

/// A key that is a word.
struct JSONName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
}
