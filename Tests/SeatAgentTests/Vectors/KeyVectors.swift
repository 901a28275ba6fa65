// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import SeatAgent
@testable import Text
@testable import Transport

/// Keys, flights, the exporter and HELLO proofs.
enum KeyVectors {
    static func keys() throws -> JSON {
        let people = [
            try Scribe("ada", 1), try Scribe("bo", 2), try Scribe("cy", 3), try Scribe("dee", 4),
            try Scribe("mal", 5),
        ]
        return [
            "note": "Ed25519 seeds (RFC 8032), public keys, and how people see them",
            "keys": .array(
                people.map { who in
                    [
                        "name": .string(who.name), "seed": .hex(who.seed),
                        "key": .hex(who.key.bytes), "tag": .string(who.key.tag),
                        "spelled": .string(who.key.spelled),
                        "certificate": certificate(who),
                        "short_tag": .string(who.key.shortTag),
                    ]
                }),
        ]
    }

    private static func certificate(_ who: Scribe) -> JSON {
        (try? Certificate.make(seed: who.seed)).map { .hex($0.der) } ?? .null
    }

    static func flights() -> JSON {
        func flight(_ text: String, code: String? = nil) -> JSON {
            guard let name = FlightName(text),
                let key = FlightKey(name, code: code, primitives: VectorFlight.primitives)
            else { return .null }
            return [
                "typed": .string(text), "canonical": .string(name.canonical),
                "code": code.map { .string($0) } ?? .null, "f_auth": .hex(key.auth.bytes),
                "flight_id": .hex(key.id.bytes),
            ]
        }
        return [
            "note": "F_auth is Argon2id; flight_id is SHA-256 of it with the fold version",
            "flights": [
                flight("XX1/2000-01-01/XXX"), flight("xy0123/2026-11-22/dub"),
                flight("XY9A/2026-11-22/DUB", code: "k7q2m5"),
            ],
        ]
    }

    static func hello() throws -> JSON {
        let ada = try Scribe("ada", 1)
        let bo = try Scribe("bo", 2)
        let master = VectorFlight.primitives.sha256(Array("exporter_master_secret".utf8))
        let exporter = exporter(master.bytes)
        guard let exporter32 = Bytes32(exporter) else { throw DecodeError(.badValue) }
        func proof(_ role: FlightKey.Role) -> JSON {
            .hex(
                VectorFlight.key.proof(
                    role: role, exporter: exporter32, initiator: ada.key, responder: bo.key,
                    primitives: VectorFlight.primitives))
        }
        return [
            "note": "ada dialled bo; both TLS suites hash with SHA-256",
            "exporter_master_secret": .hex(master.bytes), "exporter": .hex(exporter),
            "f_auth": .hex(VectorFlight.key.auth.bytes), "initiator": .hex(ada.key.bytes),
            "responder": .hex(bo.key.bytes), "proof_initiator": proof(.initiator),
            "proof_responder": proof(.responder),
        ]
    }

    /// RFC 8446 sections 7.1 and 7.5, for an exporter without context.
    private static func exporter(_ master: [UInt8]) -> [UInt8] {
        let empty = VectorFlight.primitives.sha256([]).bytes
        let secret = expand(master, "EXPORTER-seatswap-v1", empty)
        return expand(secret, "exporter", empty)
    }

    /// HKDF-Expand-Label for 32 bytes: one block.
    private static func expand(_ secret: [UInt8], _ label: String, _ context: [UInt8]) -> [UInt8] {
        let full = Array("tls13 ".utf8) + Array(label.utf8)
        let info =
            [0, 32, UInt8(full.count)] + full + [UInt8(context.count)] + context
        return VectorFlight.primitives.hmacSHA256(key: secret, info + [1]).bytes
    }
}
