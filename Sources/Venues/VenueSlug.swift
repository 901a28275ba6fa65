// SPDX-License-Identifier: Apache-2.0
import Protocol

/// The short name of a venue: `rec`, and `dreamland/gent` for one of several branches. It is part
/// of the gathering's name, whose rule it follows (``VenueName/isSlug(_:)``).
package enum VenueSlug {
    /// What one is made of, for people.
    package static let rule =
        "small letters, digits and hyphens, no hyphen first, at most \(Limits.slug), "
        + "one / before a branch"

    /// Whether a text is one.
    package static func isSlug(_ text: String) -> Bool { VenueName.isSlug(text) }

    /// Whether a text is the key of a group or a unit: small letters, digits and hyphens.
    static func isKey(_ text: String) -> Bool {
        !text.utf8.contains(UInt8(ascii: "/")) && VenueName.isSlug(text)
    }
}
