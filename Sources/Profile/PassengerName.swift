// SPDX-License-Identifier: Apache-2.0
import Protocol
package import Text

/// A passenger's own name.
package enum PassengerName {
    /// The name of a passenger who gave none.
    package static let standard = "passenger"

    /// The name without surrounding white space. Throws `usage` if it is empty, longer than 48
    /// bytes or contains something invisible, and `name-refused` if it alarms.
    package static func check(_ text: String, advice: String) throws(UserError) -> String {
        let trimmed = String(
            text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        guard !trimmed.isEmpty else {
            throw UserError(.emptyText, "the name is empty", advice: advice)
        }
        guard trimmed.utf8.count <= Limits.name else {
            throw UserError(
                .tooLong, "the name is too long",
                why: "it has \(trimmed.utf8.count) bytes, \(Limits.name) are allowed",
                advice: advice)
        }
        guard trimmed.unicodeScalars.allSatisfy(\.isSafeToPrint) else {
            throw UserError(
                .usage, "the name has characters that cannot be seen",
                why: "others could not tell it from another name", advice: advice)
        }
        if ReservedName.isReserved(trimmed) {
            throw UserError(
                .nameRefused, "nobody here is called \(visible(trimmed))",
                why: Seat(trimmed) == nil
                    ? "it is a word that means somebody else already" : "it is a seat, and no name",
                advice: advice)
        }
        if let word = AlarmingName.word(in: trimmed) {
            throw UserError(
                .nameRefused, "nobody here is called \(visible(trimmed))",
                why: "\"\(word)\" in a name claims an office or frightens people",
                advice: advice)
        }
        return trimmed
    }
}
