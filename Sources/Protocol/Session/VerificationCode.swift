// SPDX-License-Identifier: Apache-2.0
/// What both sides of a verification by voice hash: who, in which flight, in which attempt
/// (docs/protocol.md section 25).
///
/// It contains whole keys, never ids of keys: an id that means two things
/// would break the comparison.
package struct VerificationTranscript: Hashable, Sendable {
    /// The flight.
    package let flight: FlightID
    /// The attempt's number, 16 bytes.
    package let attempt: ThreadID
    /// Who sent SAS_START.
    package let initiator: PeerKey
    /// Who answered.
    package let responder: PeerKey

    /// The only method: three numbers of four decimal digits.
    package static let method = 1

    /// What both sides put into the code of that attempt.
    package init(
        flight: FlightID, attempt: ThreadID, initiator: PeerKey, responder: PeerKey
    ) {
        self.flight = flight
        self.attempt = attempt
        self.initiator = initiator
        self.responder = responder
    }

    /// `T0`, deterministic CBOR.
    var bytes: [UInt8] {
        var writer = CBORWriter(capacity: 160)
        writer.array(6)
        writer.text("seatswap-sas-v1")
        writer.value(flight)
        writer.bytes(attempt.bytes)
        writer.value(initiator)
        writer.value(responder)
        writer.uint(Self.method)
        return writer.bytes
    }

    /// What the initiator commits to before they know the other's nonce.
    package func commitment(to nonce: Bytes32, primitives: any Primitives) -> Bytes32 {
        primitives.sha256(
            Array("seatswap/sas/commit/v1".utf8) + primitives.sha256(bytes).bytes + nonce.bytes)
    }

    /// The code and the key of the last message, from all that was said on this TLS session.
    ///
    /// The payloads of SAS_START, SAS_NONCE and SAS_OPEN go in as bytes.
    package func secret(
        exporter: Bytes32, initiatorNonce: Bytes32, responderNonce: Bytes32,
        primitives: any Primitives
    ) -> VerificationSecret {
        let commitment = commitment(to: initiatorNonce, primitives: primitives)
        let said: [VerifyMessage] = [
            .start(attempt, method: Self.method, commitment: commitment),
            .nonce(attempt, responderNonce), .open(attempt, initiatorNonce),
        ]
        let salt = primitives.sha256(bytes + said.flatMap(\.payload)).bytes
        return VerificationSecret(
            primitives.hkdfSHA256(
                salt: salt, material: exporter.bytes + initiatorNonce.bytes + responderNonce.bytes,
                info: Array("seatswap/sas/v1".utf8), count: 37))
    }

    /// The proof that `party`'s user said "they match".
    package func proof(
        of party: PeerKey, _ secret: VerificationSecret, primitives: any Primitives
    ) -> Bytes32 {
        let isInitiator = party == initiator
        let role: FlightKey.Role = isInitiator ? .initiator : .responder
        let other = isInitiator ? responder : initiator
        return primitives.hmacSHA256(
            key: secret.key,
            [role.rawValue] + party.bytes + other.bytes + Array("match".utf8))
    }
}

/// 37 bytes that both sides have if and only if nobody stands between them.
public struct VerificationSecret: Hashable, Sendable {
    /// Three numbers from 1000 to 9191, 39 bits: what people compare.
    public let code: [Int]
    /// Key of SAS_MAC, 32 bytes.
    let key: [UInt8]

    init(_ bytes: [UInt8]) {
        let bits = bytes.prefix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        code = [27, 14, 1].map { 1000 + Int(bits >> UInt64($0) & 0x1FFF) }
        key = Array(bytes.dropFirst(5))
    }

    /// `4821 - 1093 - 7746`.
    public var text: String { code.map(String.init).joined(separator: " - ") }
}

extension VerifyMessage {
    /// The payload of its frame.
    package var payload: [UInt8] {
        var writer = CBORWriter(capacity: 64)
        write(to: &writer)
        return writer.bytes
    }
}
