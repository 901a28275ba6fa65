// SPDX-License-Identifier: Apache-2.0
/// A passenger's raw Ed25519 public key for one flight, 32 bytes: the identity itself
/// (docs/protocol.md section 1).
public struct PeerKey: Bytes32Backed {
    /// The 32 bytes.
    public let raw: Bytes32
    /// Takes any 32 bytes.
    public init(_ raw: Bytes32) { self.raw = raw }

    /// The first 64 bits in base32, 13 characters, in groups: `k7q2-m5xa-3d4wp`.
    public var tag: String {
        let text = Array(Base32.encode(bytes.prefix(8)))
        return String(text[0..<4]) + "-" + String(text[4..<8]) + "-" + String(text[8...])
    }

    /// The first four characters of the tag with a `#`: `#k7q2`. Decoration, never a proof.
    public var shortTag: String { "#" + tag.prefix(4) }
}
