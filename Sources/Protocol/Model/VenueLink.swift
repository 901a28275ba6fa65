// SPDX-License-Identifier: Apache-2.0
/// What the sign at a venue's door says to machines: which venue it is, and whose. Its words come
/// from elsewhere, signed by that key (docs/protocol.md section 31).
public struct VenueLink: Hashable, Sendable {
    /// The venue's own name.
    public let slug: String
    /// Who runs it.
    public let runBy: OperatorKey
    /// What one of its volumes covers.
    public let kind: Volume.Kind

    /// All of it; `nil` if `slug` is none (``VenueName/isSlug(_:)``).
    public init?(slug: String, runBy: OperatorKey, kind: Volume.Kind) {
        guard VenueName.isSlug(slug) else { return nil }
        self.slug = slug
        self.runBy = runBy
        self.kind = kind
    }
}
