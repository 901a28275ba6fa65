// SPDX-License-Identifier: Apache-2.0
/// The long-lived Ed25519 public key of whoever runs a venue: it says which venue is meant, so a
/// false one of the same name is another (docs/protocol.md section 31).
public struct OperatorKey: Bytes32Backed {
    /// The 32 bytes.
    public let raw: Bytes32
    /// Takes any 32 bytes.
    public init(_ raw: Bytes32) { self.raw = raw }

    /// The whole key in base32: 52 characters, lower case.
    public var text: String { Base32.encode(bytes) }

    /// Reads the 52 characters; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 52, let bytes = Base32.decode(text.utf8) else { return nil }
        self.init(bytes)
    }

    /// What stands on the sign at the door, for people to compare: the first 64 bits, spelled as
    /// those of a passenger's key are (``PeerKey/tag``).
    public var tag: String { PeerKey(raw).tag }

    /// The same key, as whatever verifies signatures takes it.
    public var peerKey: PeerKey { PeerKey(raw) }
}

/// One volume of one venue: what people gather for, as a flight is (docs/protocol.md section 31).
public struct VenueName: Hashable, Sendable {
    /// Who runs the venue.
    public let runBy: OperatorKey
    /// The venue's own name, `rec` or `dreamland/gent`: see ``isSlug(_:)``.
    public let slug: String
    /// Which days.
    public let volume: Volume

    /// A venue's volume; `nil` if `slug` is none.
    public init?(runBy: OperatorKey, slug: String, volume: Volume) {
        guard Self.isSlug(slug) else { return nil }
        self.runBy = runBy
        self.slug = slug
        self.volume = volume
    }

    /// Reads `rec/2026-12/` and the 52 characters of the key; this one spelling.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard 3...4 ~= parts.count, let key = OperatorKey(parts[parts.count - 1]),
            let volume = Volume(parts[parts.count - 2])
        else { return nil }
        self.init(
            runBy: key, slug: parts.dropLast(2).joined(separator: "/"), volume: volume)
    }

    /// `rec/2026-12/k7q2m5xa...`.
    public var text: String { "\(slug)/\(volume.text)/\(runBy.text)" }

    /// The canonical text that the gathering's key is made from.
    public var canonical: String {
        "seatswap-venue-v1|\(runBy.text)|\(slug)|\(volume.text)"
    }

    /// Whether a text may be a venue's name: 1 to 24 of `a`-`z`, `0`-`9` and `-`, with a slash
    /// before the branch, if it is one of several. No hyphen is first, neither in the name nor in
    /// the branch: a command line would take it for an option.
    public static func isSlug(_ text: some StringProtocol) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return text.utf8.count <= Limits.slug && 1...2 ~= parts.count
            && parts.allSatisfy { part in
                !part.isEmpty && part.first != UInt8(ascii: "-")
                    && part.allSatisfy { byte in
                        97...122 ~= byte || 48...57 ~= byte || byte == UInt8(ascii: "-")
                    }
            }
    }
}
