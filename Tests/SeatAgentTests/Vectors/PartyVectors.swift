// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Text
@testable import Transport

/// Parties of companions: codes, links, tags, and what they say to each other.
enum PartyVectors {
    private static let primitives = VectorFlight.primitives

    static func json() throws -> JSON {
        let ada = try Scribe("ada", 1)
        let bo = try Scribe("bo", 2)
        let secrets = try (1...4).map { try secret(UInt8($0)) }
        return [
            "note": "section 30: codes and links, tags, new secrets, and sealed lines",
            "codes": .array(try codes(secrets)), "links": .array(try links(secrets)),
            "refused_texts": .array(try refusedTexts(secrets[0])),
            "tags": .array(
                secrets.flatMap { one in
                    [ada.key, bo.key].map { (key) -> JSON in
                        [
                            "secret": .hex(one.bytes), "flight_id": .hex(VectorFlight.key.id.bytes),
                            "key": .hex(key.bytes), "tag": .hex(keys(one).tag(of: key).bytes),
                        ]
                    }
                }),
            "proofs": [proof(secrets[0], next: secrets[1], without: bo.key)],
            "joined": .array(try joined(secrets)),
            "lines": .array(try lines(secrets[0], ada.key)),
            "refused": .array(try refused(secrets, ada.key, bo.key)),
        ]
    }

    private static func secret(_ number: UInt8) throws -> PartySecret {
        let bytes = primitives.sha256(Array("party".utf8) + [number]).bytes.prefix(10)
        guard let secret = PartySecret(Array(bytes)) else { throw DecodeError(.badValue) }
        return secret
    }

    private static func keys(_ secret: PartySecret) -> PartyKeys {
        PartyKeys(secret, flight: VectorFlight.key.id, primitives: primitives)
    }

    // MARK: Text

    private static func codes(_ secrets: [PartySecret]) throws -> [JSON] {
        let first = secrets[0]
        let digits = first.plain.replacing("o", with: "0").replacing("i", with: "1")
            .replacing("b", with: "8")
        let others: [(PartySecret, String)] = [
            (first, first.code.uppercased()), (first, first.plain),
            (first, " " + first.code.replacing("-", with: " ") + "\n"), (first, digits),
        ]
        let read = secrets.map { ($0, $0.code) } + others
        return read.map { ["secret": .hex($0.0.bytes), "code": .string($0.1)] }
    }

    private static func links(_ secrets: [PartySecret]) throws -> [JSON] {
        let flight = FlightName("XY123/2026-11-22/DUB")
        let pairs: [(PartySecret, FlightName?)] = [(secrets[0], nil), (secrets[1], flight)]
        return pairs.map { secret, flight in
            [
                "secret": .hex(secret.bytes),
                "link": .string(SeatLink.party(secret, flight: flight).text),
            ]
        }
    }

    private static func refusedTexts(_ secret: PartySecret) throws -> [JSON] {
        let link = SeatLink.party(secret, flight: nil).text
        let plain = secret.plain
        let texts: [(String, String)] = [
            ("a character is missing", String(secret.code.dropLast(3))),
            ("a character too many", secret.code + "a"),
            ("the check digit does not fit", "b" + plain.dropFirst()),
            ("a character that no code has", "9" + plain.dropFirst()),
            ("another purpose", link.replacing("party?", with: "venue?")),
            ("a later version", link.replacing("v=1", with: "v=2")),
            ("the parts in another order", "seatagent:party?k=\(plain)&v=1"),
            ("a part twice", link + "&k=\(plain)"), ("a part that is not known", link + "&x=1"),
            ("no code", "seatagent:party?v=1"), ("nothing behind a part", link + "&f="),
            ("a code in groups", "seatagent:party?v=1&k=\(secret.code)"),
            ("a code in capitals", "seatagent:party?v=1&k=\(plain.uppercased())"),
            ("another scheme", link.uppercased()),
            ("a flight that is none", link + "&f=XY123/2026-02-30/DUB"),
            ("a flight in another spelling", link + "&f=xy0123/2026-11-22/dub"),
            ("something behind it", link + " "),
        ]
        return texts.map { ["why": .string($0.0), "text": .string($0.1)] }
    }

    private static func proof(
        _ secret: PartySecret, next: PartySecret, without key: PeerKey
    ) -> JSON {
        let proof = keys(secret).proof(of: next, without: key)
        let link = SeatLink.nextParty(NextParty(secret: next, removed: key, proof: proof))
        return [
            "secret": .hex(secret.bytes), "flight_id": .hex(VectorFlight.key.id.bytes),
            "next": .hex(next.bytes), "removed": .hex(key.bytes), "proof": .hex(proof),
            "link": .string(link.text),
        ]
    }

    /// Two that were said at once, in either order.
    private static func joined(_ secrets: [PartySecret]) throws -> [JSON] {
        try [(1, 2), (2, 1)].map { one, other in
            guard let both = keys(secrets[0]).joined(secrets[one], secrets[other]) else {
                throw DecodeError(.badValue)
            }
            return [
                "secret": .hex(secrets[0].bytes), "flight_id": .hex(VectorFlight.key.id.bytes),
                "one": .hex(secrets[one].bytes), "other": .hex(secrets[other].bytes),
                "joined": .hex(both.bytes),
            ]
        }
    }

    // MARK: Lines

    private static func item(
        _ secret: PartySecret, _ author: PeerKey, _ seq: Int, _ talk: SealedTalk
    ) -> [String: JSON] {
        [
            "secret": .hex(secret.bytes), "flight_id": .hex(VectorFlight.key.id.bytes),
            "author": .hex(author.bytes), "seq": .int(seq), "nonce": .hex(talk.nonce),
            "sealed": .hex(talk.sealed),
        ]
    }

    private static func sealed(
        _ text: String, _ time: Int64, _ secret: PartySecret, _ author: PeerKey, _ seq: Int
    ) throws -> SealedTalk {
        let line = PartyText(text: text, time: UTCTime(seconds: time))
        guard let talk = keys(secret).sealed(line, by: author, at: seq) else {
            throw DecodeError(.badValue)
        }
        return talk
    }

    private static func lines(_ secret: PartySecret, _ author: PeerKey) throws -> [JSON] {
        let texts = ["", "meet me at the galley", "\u{E9}\u{5EA7}\u{5E2D}"]
        return try (texts + [String(repeating: "x", count: 2048)]).enumerated().map { at, text in
            let time = Int64(at) * 1_000_000_000
            let seq = [1, 3, 255, 4096][at]
            var one = item(secret, author, seq, try sealed(text, time, secret, author, seq))
            one["text"] = .string(text)
            one["time"] = .int(Int(time))
            return .object(one)
        }
    }

    private static func refused(
        _ secrets: [PartySecret], _ ada: PeerKey, _ bo: PeerKey
    ) throws -> [JSON] {
        let secret = secrets[0]
        let talk = try sealed("hi", 5, secret, ada, 3)
        var bytes = talk.sealed
        bytes[0] ^= 1
        let damaged = SealedTalk(nonce: talk.nonce, sealed: bytes)
        let place = VectorFlight.key.id.bytes + ada.bytes + [0, 0, 0, 0, 0, 0, 0, 3]
        let later = primitives.seal(
            [0x81, 0x01], with: place, key: key(secret), nonce: talk.nonce)
        guard let later else { throw DecodeError(.badValue) }
        let items: [(String, [String: JSON])] = [
            ("another author", item(secret, bo, 3, talk)),
            ("another place", item(secret, ada, 4, talk)),
            ("another secret", item(secrets[1], ada, 3, talk)),
            ("a byte is another", item(secret, ada, 3, damaged)),
            (
                "a line of a later agent",
                item(secret, ada, 3, SealedTalk(nonce: talk.nonce, sealed: later))
            ),
        ]
        return items.map { why, one in
            var one = one
            one["why"] = .string(why)
            return .object(one)
        }
    }

    /// The sealing key, made once more from its rule.
    private static func key(_ secret: PartySecret) -> Bytes32 {
        let key = primitives.hkdfSHA256(
            salt: [], material: secret.bytes,
            info: Array("seatswap/party/v1".utf8) + VectorFlight.key.id.bytes, count: 32)
        return primitives.hmacSHA256(key: key, Array("seatswap/party/seal/v1".utf8))
    }
}
