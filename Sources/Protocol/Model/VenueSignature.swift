// SPDX-License-Identifier: Apache-2.0
/// The operator's signature of a venue's words (docs/protocol.md section 31).
public enum VenueSignature {
    /// What the signature covers: CBOR that begins as nothing else does that this key signs.
    /// `words` is the venue's file as one line.
    public static func toBeSigned(
        runBy: OperatorKey, revision: Int, words: [UInt8]
    ) -> [UInt8] {
        var writer = CBORWriter(capacity: words.count + 64)
        writer.array(4)
        writer.text("seatswap/1 venue")
        writer.value(runBy)
        writer.uint(revision)
        writer.bytes(words)
        return writer.bytes
    }

    /// Whether `signature` is the operator's. Costs one Ed25519 verification.
    public static func isRight(
        _ signature: [UInt8], runBy: OperatorKey, revision: Int, words: [UInt8],
        primitives: any Primitives
    ) -> Bool {
        SignatureShape.isCanonical(signature: signature, key: runBy.peerKey)
            && primitives.verify(
                signature, toBeSigned(runBy: runBy, revision: revision, words: words),
                by: runBy.peerKey)
    }
}
