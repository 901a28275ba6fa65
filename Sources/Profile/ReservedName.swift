// SPDX-License-Identifier: Apache-2.0
import Protocol
import Text

/// Names that would be read as something else: a seat, a key's tag, everybody, oneself. No
/// passenger can take one here. Whoever has one by another program is shown with their tag, and
/// only the tag means them.
package enum ReservedName {
    /// Whether `name` looks like a seat, a tag, or a word that already means somebody.
    package static func isReserved(_ name: String) -> Bool {
        let shown = visible(name)
        // `[` opens the mark of a party's lines.
        if shown.hasPrefix("#") || shown.hasPrefix("/") || shown.hasPrefix("*")
            || shown.hasPrefix("[")
        {
            return true
        }
        let look = NameSkeleton(name)
        if looks.contains(look.text) { return true }
        // As written, and as it looks.
        return Seat(shown.filter { !$0.isWhitespace }) != nil || Seat(look.text) != nil
    }

    private static let looks = Set(
        [
            "all", "everyone", "everybody", "anyone", "anybody", "nobody", "me", "myself", "you",
            "yourself", "party",
        ].map { NameSkeleton($0).text })
}
