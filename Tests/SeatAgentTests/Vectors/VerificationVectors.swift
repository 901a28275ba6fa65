// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import SeatAgent
@testable import Text
@testable import Transport

/// Verification by voice: what goes in and what both screens show.
enum VerificationVectors {
    static func json() throws -> JSON {
        let ada = try Scribe("ada", 1)
        let bo = try Scribe("bo", 2)
        return [
            "note": "from the exporter of one TLS session and both nonces to code and proofs",
            "attempts": .array(
                try (1...4).map { round in
                    try attempt(UInt8(round), round % 2 == 0 ? (ada, bo) : (bo, ada))
                }),
        ]
    }

    private static func attempt(
        _ round: UInt8, _ sides: (initiator: Scribe, responder: Scribe)
    ) throws -> JSON {
        let primitives = VectorFlight.primitives
        func made(_ what: UInt8) -> Bytes32 { primitives.sha256([round, what]) }
        guard let number = ThreadID(Array(made(0).bytes.prefix(16))) else {
            throw DecodeError(.badValue)
        }
        let transcript = VerificationTranscript(
            flight: VectorFlight.key.id, attempt: number, initiator: sides.initiator.key,
            responder: sides.responder.key)
        let commitment = transcript.commitment(to: made(1), primitives: primitives)
        let secret = transcript.secret(
            exporter: made(3), initiatorNonce: made(1), responderNonce: made(2),
            primitives: primitives)
        func proof(_ who: Scribe) -> JSON {
            .hex(transcript.proof(of: who.key, secret, primitives: primitives).bytes)
        }
        let start = VerifyMessage.start(
            number, method: VerificationTranscript.method, commitment: commitment)
        return [
            "flight_id": .hex(VectorFlight.key.id.bytes), "attempt": .hex(number.bytes),
            "initiator": .hex(sides.initiator.key.bytes),
            "responder": .hex(sides.responder.key.bytes), "exporter": .hex(made(3).bytes),
            "nonce_initiator": .hex(made(1).bytes), "nonce_responder": .hex(made(2).bytes),
            "commitment": .hex(commitment.bytes), "start": .hex(start.payload),
            "nonce": .hex(VerifyMessage.nonce(number, made(2)).payload),
            "open": .hex(VerifyMessage.open(number, made(1)).payload),
            "code": .string(secret.text), "mac_initiator": proof(sides.initiator),
            "mac_responder": proof(sides.responder),
        ]
    }
}
