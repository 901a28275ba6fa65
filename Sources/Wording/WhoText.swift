// SPDX-License-Identifier: Apache-2.0
package import Text

/// Passengers in words, from the objects of the control socket. Every name is made harmless here.
package enum WhoText {
    /// Cells that a name may take in a line.
    private static let nameCells = 24

    /// `bo`; `bo #c2d9 (look-alike)` when another passenger has the same name or one that looks
    /// like it; `#c2d9` when no name is known.
    package static func short(_ who: JSON?) -> String {
        let tag = visible(who?["tag"]?.text ?? "#?", cells: 16)
        let name = visible(who?["name"]?.text ?? "", cells: nameCells)
        if name.allSatisfy(\.isWhitespace) { return tag }
        let mark = mark(who)
        return who?["ambiguous"] == true || !mark.isEmpty ? "\(name) \(tag)\(mark)" : name
    }

    /// `bo #c2d9`.
    package static func tagged(_ who: JSON?) -> String {
        let tag = visible(who?["tag"]?.text ?? "#?", cells: 16)
        let name = visible(who?["name"]?.text ?? "", cells: nameCells)
        return (name.allSatisfy(\.isWhitespace) ? tag : "\(name) \(tag)") + mark(who)
            + assurance(who)
    }

    /// A warning about the name: it looks like another passenger's, or claims what no passenger is.
    private static func mark(_ who: JSON?) -> String {
        if who?["alarming"] == true || who?["reserved"] == true { return " (a passenger)" }
        return who?["confusable"] == true ? " (look-alike)" : ""
    }

    /// ` verified`, ` of your party`, ` vouched by 2`; nothing for what is only claimed.
    private static func assurance(_ who: JSON?) -> String {
        if who?["evidence"]?["verified"] == true { return " verified" }
        if who?["evidence"]?["party"] == true { return " of your party" }
        if let count = who?["evidence"]?["vouched"]?.number { return " vouched by \(count)" }
        return ""
    }

    /// `bo (12A)`, for lines of talk.
    package static func seated(_ who: JSON?) -> String { short(who) + inBrackets(who) }

    /// `bo #c2d9 (12A)`, for whatever binds.
    package static func full(_ who: JSON?) -> String { tagged(who) + inBrackets(who) }

    private static func inBrackets(_ who: JSON?) -> String {
        let seats = seats(who)
        return seats.isEmpty ? "" : " (\(seats))"
    }

    /// `12A` or `12A, 12B`; empty for none.
    package static func seats(_ who: JSON?) -> String {
        (who?["seats"]?.list ?? []).compactMap(\.text).map { visible($0, cells: 4) }
            .joined(separator: ", ")
    }

    /// Whether this is the passenger whose agent answers.
    package static func isMe(_ who: JSON?) -> Bool { who?["me"] == true }
}
