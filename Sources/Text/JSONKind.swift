// SPDX-License-Identifier: Apache-2.0
/// What kind of value stands at a member, for the manual of the control socket.
package indirect enum JSONKind: Hashable, Sendable {
    case flag, number, text
    /// Any value.
    case any
    /// A text of this form: `date`.
    case form(String)
    /// A word of the closed list with this name.
    case word(String, [String])
    /// An object of this name.
    case object(String)
    /// A list of these.
    case list(JSONKind)
    /// An object whose keys are words, and whose values are these.
    case byWord(JSONKind)
    /// One of these, or `null`.
    case orNull(JSONKind)
    /// `true` where it is there.
    case ifTrue

    /// The kind of `type`: what it says of itself, else an object of its name.
    package init(of type: Any.Type) {
        self = (type as? any JSONKinded.Type)?.kind ?? .object(JSONObject.name(of: type))
    }

    /// The words that may stand there; empty for anything.
    package var words: [String] {
        switch self {
        case .word(_, let words): words
        case .list(let kind), .byWord(let kind), .orNull(let kind): kind.words
        case .flag, .number, .text, .any, .form, .object, .ifTrue: []
        }
    }
}

/// A type that is no object of its own.
package protocol JSONKinded {
    /// What it is written as.
    static var kind: JSONKind { get }
}

extension Bool: JSONKinded { package static var kind: JSONKind { .flag } }
extension Int: JSONKinded { package static var kind: JSONKind { .number } }
extension UInt16: JSONKinded { package static var kind: JSONKind { .number } }
extension String: JSONKinded { package static var kind: JSONKind { .text } }
extension JSON: JSONKinded { package static var kind: JSONKind { .any } }
extension IfTrue: JSONKinded { package static var kind: JSONKind { .ifTrue } }
extension OrNull: JSONKinded {
    package static var kind: JSONKind { .orNull(JSONKind(of: Value.self)) }
}
extension Array: JSONKinded where Element: Decodable {
    package static var kind: JSONKind { .list(JSONKind(of: Element.self)) }
}
extension Dictionary: JSONKinded where Key == String, Value: Codable {
    package static var kind: JSONKind { .byWord(JSONKind(of: Value.self)) }
}

/// A member of an object, as its type reads it.
package struct JSONMember: Hashable, Sendable {
    /// The names that lead to it: `["moves", "seat"]`.
    package let path: [String]
    /// The words that may stand there; empty for anything.
    package let words: [String]
}

/// An object, as its type reads it.
package struct JSONObject: Hashable, Sendable {
    /// A member of it.
    package struct Member: Hashable, Sendable {
        /// Its name.
        package let name: String
        /// What stands there.
        package let kind: JSONKind
        /// Whether it may be missing.
        package let mayLack: Bool
    }

    /// The type, without its module: `SeatNeeds.Person`.
    package let name: String
    /// In the order in which they are declared.
    package fileprivate(set) var members: [Member] = []

    /// The name of a type, without its module.
    static func name(of type: Any.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
    }
}

/// What a type was seen to read.
final class JSONRecord {
    private(set) var members: [JSONMember] = []
    private(set) var objects: [JSONObject] = []
    private var optional: Set<[String]> = []

    /// Begins an object, if it is not known.
    func begin(_ name: String) {
        if !objects.contains(where: { $0.name == name }) { objects.append(JSONObject(name: name)) }
    }

    func note(_ path: [String], _ words: [String]) {
        let member = JSONMember(path: path, words: words)
        if !members.contains(member) { members.append(member) }
    }

    /// The object `owner` can do without its member.
    func mayLack(_ owner: String, _ name: String) { optional.insert([owner, name]) }

    func note(_ owner: String, _ name: String, _ kind: JSONKind) {
        guard let index = objects.firstIndex(where: { $0.name == owner }) else { return }
        let mayLack = kind == .ifTrue || optional.contains([owner, name])
        let member = JSONObject.Member(name: name, kind: kind, mayLack: mayLack)
        if !objects[index].members.contains(member) { objects[index].members.append(member) }
    }
}
