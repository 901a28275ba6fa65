// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// The TXT record with which the agent of a venue's operator announces the venue: `v=1`, its short
/// name `n`, the operator's key `k` and the kind of its volumes `p` (docs/protocol.md section 31).
///
/// Hostile bytes: anybody on the network can announce one, and nobody signs it.
package enum VenueRecord {
    /// The one version there is.
    private static let version = "1"
    /// The keys that have a meaning; each stands once.
    private static let keys = Array("vnkp".utf8)

    /// The record of a venue, as DNS has it: strings with their lengths (RFC 6763, section 6).
    package static func text(_ link: VenueLink) -> [UInt8] {
        let items = [
            "v=" + version, "n=" + link.slug, "k=" + link.runBy.text, "p=" + link.kind.rawValue,
        ]
        return items.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    }

    /// What a record says; `nil` for one that is longer than `DiscoveryLimits.venueText`, of
    /// another version, cut short, or in which a part is missing, twice or wrong. Keys of later
    /// versions are ignored.
    package static func link(_ text: [UInt8]) -> VenueLink? {
        guard text.count <= DiscoveryLimits.venueText else { return nil }
        var values: [UInt8: String] = [:]
        var rest = text[...]
        while let size = rest.popFirst() {
            guard rest.count >= Int(size) else { return nil }
            let item = rest.prefix(Int(size))
            rest = rest.dropFirst(Int(size))
            guard let key = key(of: item) else { continue }
            guard item.count > 1, values[key] == nil else { return nil }
            values[key] = String(decoding: item.dropFirst(2), as: UTF8.self)
        }
        guard values[keys[0]] == version, let slug = values[keys[1]],
            let runBy = values[keys[2]].flatMap({ OperatorKey($0) }),
            let kind = values[keys[3]].flatMap({ Volume.Kind(rawValue: $0) })
        else { return nil }
        return VenueLink(slug: slug, runBy: runBy, kind: kind)
    }

    /// The key of `k=...`, or of a bare `k`, if it has a meaning.
    private static func key(of item: ArraySlice<UInt8>) -> UInt8? {
        guard let first = item.first, keys.contains(first) else { return nil }
        let next = item.dropFirst().first
        return next == nil || next == UInt8(ascii: "=") ? first : nil
    }
}
