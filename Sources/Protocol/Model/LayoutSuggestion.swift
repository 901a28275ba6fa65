// SPDX-License-Identifier: Apache-2.0
/// A passenger's suggestion of what the cabin looks like (docs/protocol.md section 27): signed, one
/// an author, replaced by a higher revision. It changes nothing in the fold; its bytes mean nothing
/// to this module.
public struct LayoutSuggestion: Hashable, Sendable {
    /// Who suggests it.
    public let author: PeerKey
    /// 1...4294967295, growing with each change of mind.
    public let revision: Int
    /// The author's signature, 64 bytes (``toBeSigned(flight:revision:layout:)``).
    public let signature: [UInt8]
    /// At most ``Limits/layout`` bytes; none where the author takes their suggestion back.
    public let layout: [UInt8]

    /// All of it, as it came.
    public init(author: PeerKey, revision: Int, signature: [UInt8], layout: [UInt8]) {
        self.author = author
        self.revision = revision
        self.signature = signature
        self.layout = layout
    }

    /// A suggestion of the signer's own for `flight`.
    public init(
        _ layout: [UInt8], revision: Int, flight: FlightID, by signer: any Signer
    ) {
        let text = Self.toBeSigned(flight: flight, revision: revision, layout: layout)
        self.init(
            author: signer.key, revision: revision, signature: signer.sign(text), layout: layout)
    }

    /// What the signature covers: CBOR that begins as nothing else does that this key signs.
    public static func toBeSigned(
        flight: FlightID, revision: Int, layout: [UInt8]
    ) -> [UInt8] {
        var writer = CBORWriter(capacity: layout.count + 64)
        writer.array(4)
        writer.text("seatswap/1 layout")
        writer.value(flight)
        writer.uint(revision)
        writer.bytes(layout)
        return writer.bytes
    }

    /// Whether the signature is its author's, for `flight`. Costs one Ed25519 verification.
    public func isSigned(flight: FlightID, primitives: any Primitives) -> Bool {
        SignatureShape.isCanonical(signature: signature, key: author)
            && primitives.verify(
                signature, Self.toBeSigned(flight: flight, revision: revision, layout: layout),
                by: author)
    }
}

/// Identifies one suggestion of an author. Agents compare marks before they send layouts.
public struct LayoutMark: Hashable, Sendable {
    /// Who suggests.
    public var author: PeerKey
    /// The revision, 1...4294967295.
    public var revision: Int
    /// SHA-256 of the layout's bytes.
    public var hash: Bytes32

    /// Revision `revision` of the suggestion of `author`.
    public init(author: PeerKey, revision: Int, hash: Bytes32) {
        self.author = author
        self.revision = revision
        self.hash = hash
    }

    /// Whether this one replaces `other` of the same author: the higher revision, and of
    /// two with one number, which no honest author signs, the one with the smaller hash,
    /// so that all keep the same.
    public func replaces(_ other: LayoutMark) -> Bool {
        revision != other.revision ? revision > other.revision : hash < other.hash
    }
}
