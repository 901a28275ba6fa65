// SPDX-License-Identifier: Apache-2.0
/// A closed list of words of the control socket.
package protocol Vocabulary: RawRepresentable, CaseIterable, Hashable, Sendable
where RawValue == String {}

/// A word of a closed list, as the other side wrote it.
///
/// Lists only grow, so a client may get a word that it does not know. The word is kept as it came,
/// and whoever switches over it decides how to treat it. Words of a newer agent enter here and
/// nowhere else.
package enum Word<Known: Vocabulary>: Hashable, Sendable {
    /// A word of the list.
    case known(Known)
    /// Any other word, from a newer program.
    case other(String)

    /// A word of the list.
    package init(_ known: Known) { self = .known(known) }

    /// A word as it came.
    package init(text: String) { self = Known(rawValue: text).map(Word.known) ?? .other(text) }

    /// The word of the list; `nil` for any other.
    package var known: Known? {
        switch self {
        case .known(let known): known
        case .other: nil
        }
    }

    /// As it is written.
    package var text: String {
        switch self {
        case .known(let known): known.rawValue
        case .other(let text): text
        }
    }

    /// Whether it is this word of the list.
    package static func == (word: Word, known: Known) -> Bool { word.known == known }
    /// Whether it is another word.
    package static func != (word: Word, known: Known) -> Bool { word.known != known }
}

extension Word: Codable, JSONKinded {
    package static var kind: JSONKind {
        .word(JSONObject.name(of: Known.self), Known.allCases.map(\.rawValue))
    }

    package init(from decoder: any Decoder) throws {
        self.init(text: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
