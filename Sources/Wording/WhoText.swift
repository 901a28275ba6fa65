// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Protocol
import Text

/// The words for passengers. Makes every name safe to print.
package enum WhoText {
    /// Cells that a name may take in a line.
    private static let nameCells = 24

    /// `bo`; `bo #c2d9 (look-alike)` if another passenger has the same name or one that looks like
    /// it; `#c2d9` if no name is known.
    package static func short(_ who: Person?) -> String {
        guard let who else { return "#?" }
        let name = visible(who.name, cells: nameCells)
        if name.allSatisfy(\.isWhitespace) { return tag(who) }
        let mark = mark(who)
        return who.ambiguous || !mark.isEmpty ? "\(name) \(tag(who))\(mark)" : name
    }

    /// `bo #c2d9`.
    package static func tagged(_ who: Person?) -> String {
        guard let who else { return "#?" }
        let name = visible(who.name, cells: nameCells)
        return (name.allSatisfy(\.isWhitespace) ? tag(who) : "\(name) \(tag(who))") + mark(who)
            + assurance(who)
    }

    /// `#c2d9`.
    package static func tag(_ who: Person) -> String {
        visible(who.tag.isEmpty ? "#?" : who.tag, cells: 16)
    }

    /// A warning about the name: it looks like another passenger's, or claims what no passenger is.
    private static func mark(_ who: Person) -> String {
        if who.alarming || who.reserved { return " (a passenger)" }
        return who.confusable ? " (look-alike)" : ""
    }

    /// ` verified`, ` of your party`, ` vouched by 2`; empty for a mere claim.
    private static func assurance(_ who: Person) -> String {
        switch who.evidence {
        case .verified: " verified"
        case .party: " of your party"
        case .vouched(let count): " vouched by \(count)"
        case .own, .other, nil: ""
        }
    }

    /// `bo (12A)`, for chat.
    package static func seated(_ who: Person?) -> String { short(who) + inBrackets(who) }

    /// `bo #c2d9 (12A)`, or `mia #7k3x (14B, on ada's laptop)`, for everything that binds.
    package static func full(_ who: Person?) -> String {
        tagged(who) + inBrackets([seats(who), host(who)])
    }

    private static func inBrackets(_ who: Person?) -> String { inBrackets([seats(who)]) }

    private static func inBrackets(_ facts: [String]) -> String {
        let said = facts.filter { !$0.isEmpty }
        return said.isEmpty ? "" : " (\(said.joined(separator: ", ")))"
    }

    /// `on ada's laptop`, where a passenger's agent runs on the computer of another one; else
    /// empty.
    package static func host(_ who: Person?) -> String {
        guard let host = who?.host else { return "" }
        if host.me { return "on your laptop" }
        let person = Person(
            key: host.key, tag: host.tag, name: host.name, seats: [], ambiguous: host.ambiguous)
        return "on \(short(person))'s laptop"
    }

    /// `12A` or `12A, 12B`; empty for none.
    package static func seats(_ who: Person?) -> String {
        (who?.seats ?? []).map(\.text).joined(separator: ", ")
    }

    /// Whether this is the user, whose agent answers.
    package static func isMe(_ who: Person?) -> Bool { who?.me == true }
}
