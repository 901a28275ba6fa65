// SPDX-License-Identifier: Apache-2.0
/// The short name of a venue: `rec`, and `dreamland/gent` for one of several branches.
package enum VenueSlug {
    /// What one is made of, for people.
    package static let rule =
        "small letters, digits and hyphens, no hyphen first, at most \(VenueLimits.slug), "
        + "one / before a branch"

    /// Whether a text is one.
    package static func isSlug(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return text.utf8.count <= VenueLimits.slug && 1...2 ~= parts.count
            && parts.allSatisfy { isKey(String($0)) }
    }

    /// Whether a text is the key of a group or a unit: small letters, digits and hyphens.
    static func isKey(_ text: String) -> Bool {
        guard let first = text.utf8.first, first != 45, text.utf8.count <= VenueLimits.slug
        else { return false }
        return text.utf8.allSatisfy { 97...122 ~= $0 || 48...57 ~= $0 || $0 == 45 }
    }
}
