// SPDX-License-Identifier: Apache-2.0
import Protocol
import Text

/// Names that would be read as something else: a seat, a key's tag, all of them, oneself. Nobody
/// takes one; who has one by an agent of another make is shown with the tag, and meant by it only.
package enum ReservedName {
    /// Whether `name` looks like a seat, a tag or a word that means somebody already.
    package static func isReserved(_ name: String) -> Bool {
        let shown = visible(name)
        if shown.hasPrefix("#") || shown.hasPrefix("/") || shown.hasPrefix("*") { return true }
        let look = NameSkeleton(name)
        if looks.contains(look.text) { return true }
        // As it is written, and as it looks.
        return Seat(shown.filter { !$0.isWhitespace }) != nil || Seat(look.text) != nil
    }

    private static let looks = Set(
        [
            "all", "everyone", "everybody", "anyone", "anybody", "nobody", "me", "myself", "you",
            "yourself",
        ].map { NameSkeleton($0).text })
}
