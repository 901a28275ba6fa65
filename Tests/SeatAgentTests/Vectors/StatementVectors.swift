// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import SeatAgent
@testable import Text
@testable import Transport

/// Venues: names, days, statements with what must be refused, and books of stays.
struct StatementVectors {
    private static let primitives = VectorFlight.primitives
    /// A volume of a made-up venue, its key made as that of the practice flight.
    static let gathering = FlightKey(
        auth: VectorFlight.key.auth, foldVersion: FlightKey.venueFoldVersion,
        primitives: primitives)

    private let ada: Scribe
    private let bo: Scribe

    init() throws {
        ada = try Scribe("ada", 1)
        bo = try Scribe("bo", 2)
    }

    func json() throws -> JSON {
        [
            "note": "section 31: names and volumes of venues, statements, books of stays",
            "names": .array(try names()), "refused_names": .array(refusedNames()),
            "volumes": .array(try volumes()),
            "refused_volumes": .array(Self.wrongVolumes.map { .string($0) }),
            "flight_id": .hex(Self.gathering.id.bytes),
            "statements": .array(try statements()), "refused": .array(refused()),
            "books": .array(try StatementBooks().json()),
            "answers": try StatementAnswers().json(),
            "messages": try VenueMessageVectors().messages(),
            "refused_messages": try VenueMessageVectors().refused(),
            "words": try VenueMessageVectors().words(),
            "tags": try VenueMessageVectors().tags(),
        ]
    }

    // MARK: Names

    private func names() throws -> [JSON] {
        let key = OperatorKey(ada.key.raw).text
        let texts: [(String, String?)] = [
            ("rec/2026-12/\(key)", nil), ("dreamland/gent/2026/\(key)", nil),
            ("uva/2026-12-05/\(key)", "k7q2m5"),
            ("abcdefghijk-/0123456789z/2026-W49/\(key)", nil),
        ]
        return try texts.map { text, code in
            guard let name = VenueName(text), let gathering = GatheringName(text),
                let made = FlightKey(gathering, code: code, primitives: Self.primitives)
            else { throw DecodeError(.badValue) }
            return [
                "name": .string(text), "operator": .hex(name.runBy.bytes),
                "slug": .string(name.slug), "volume": .string(name.volume.text),
                "canonical": .string(name.canonical), "code": code.map { .string($0) } ?? .null,
                "f_auth": .hex(made.auth.bytes), "flight_id": .hex(made.id.bytes),
            ]
        }
    }

    private func refusedNames() -> [JSON] {
        let key = OperatorKey(ada.key.raw).text
        let texts: [(String, String)] = [
            ("a capital", "Rec/2026-12/\(key)"),
            ("the key in capitals", "rec/2026-12/\(key.uppercased())"),
            ("a key too short", "rec/2026-12/\(key.dropLast())"),
            ("bits left over in the key", "rec/2026-12/\(key.dropLast())b"),
            ("no name", "2026-12/\(key)"), ("an empty branch", "rec//2026-12/\(key)"),
            ("two branches", "a/b/c/2026-12/\(key)"),
            ("25 characters", "abcdefghijkl/nopqrstuvwxy/2026-12/\(key)"),
            ("no volume", "rec/\(key)"), ("a volume that is none", "rec/2026-13/\(key)"),
            ("a character that no name has", "r_c/2026-12/\(key)"),
            ("something behind it", "rec/2026-12/\(key)/"),
        ]
        return texts.map { ["why": .string($0.0), "name": .string($0.1)] }
    }

    private func volumes() throws -> [JSON] {
        let texts = [
            "2000-01-01", "2000-02-29", "2026-12-05", "2100-03-01", "2179-06-06", "2000-W01",
            "2020-W53", "2026-W01", "2026-W49", "2179-W22", "2000-01", "2028-02", "2100-02",
            "2026-12", "2179-05", "2000-Q1", "2026-Q4", "2000", "2100", "2178",
        ]
        return try texts.map { text in
            guard let volume = Volume(text) else { throw DecodeError(.badValue) }
            return [
                "volume": .string(text), "kind": .string(volume.kind.rawValue),
                "first": .int(volume.first.number), "last": .int(volume.last.number),
            ]
        }
    }

    private static let wrongVolumes = [
        "", "1999-12-31", "2179-06-07", "2179", "2179-06", "2179-Q2", "2026-02-29", "2100-02-29",
        "2026-00", "2026-13", "2026-1", "2026-Q0", "2026-Q5", "2026-q1", "2026-W00", "2026-W54",
        "2026-W1", "2021-W53", "1999-W52", "2026-12-00", "2026-12-5", "2026/12/05", "26-12-05",
        " 2026", "2026-12-05T00",
    ]

    // MARK: Statements

    private func statements() throws -> [JSON] {
        let token = Token(Self.primitives.sha256(Array("a booking".utf8)))
        let tag = ThreadID(Array(0x10...0x1F as ClosedRange<UInt8>))
        let stays: [(Scribe, Int, Stay?)] = [
            (ada, 1, Stay(place: 1, since: UTCTime(seconds: 0))),
            (ada, 2, Stay(place: 1, since: UTCTime(seconds: 24), until: UTCTime(seconds: 24))),
            (
                bo, 4_294_967_295,
                Stay(
                    place: 4095, booking: token, since: UTCTime(seconds: 1_796_457_600),
                    until: UTCTime(seconds: .max), tag: tag)
            ),
        ]
        let made = try stays.map { who, revision, stay -> VenueStatement in
            guard let stay,
                let made = VenueStatement(
                    stay, revision: revision, gathering: Self.gathering.id, by: who.identity)
            else { throw DecodeError(.badValue) }
            return made
        }
        let later = try [
            [0x81, 0], [0x82, 2, 0x82, 0xF4, 0x43, 1, 2, 3],
            [0x83, 0x18, 31, 0xA1, 5, 6, 0x61, 0x61],
        ].map { try VenueStatement(decoding: written($0)) }
        return (made + later).map(item)
    }

    private func item(_ statement: VenueStatement) -> JSON {
        let text = VenueStatement.toBeSigned(gathering: Self.gathering.id, body: statement.body)
        return [
            "statement": .hex(statement.encoded), "author": .hex(statement.author.bytes),
            "diagnostic": .string(VectorText.diagnostic(statement.body)),
            "says": Self.says(statement).map { .string($0) } ?? .null,
            "id": .hex(statement.id(Self.primitives).bytes),
            "signed_sha256": .hex(Self.primitives.sha256(text).bytes),
        ]
    }

    private static func says(_ statement: VenueStatement) -> String? {
        switch statement.content {
        case .stay: "stay"
        case .ask: "ask"
        case .answer: "answer"
        case .later: nil
        }
    }

    /// A statement with any body, rightly signed.
    private func written(_ body: [UInt8]) -> [UInt8] {
        let text = VenueStatement.toBeSigned(gathering: Self.gathering.id, body: body)
        return Self.whole(ada.key.bytes, body, ada.identity.sign(text))
    }

    private static func whole(
        _ author: [UInt8], _ body: [UInt8], _ signature: [UInt8]
    ) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        for part in [author, body, signature] { writer.bytes(part) }
        return writer.bytes
    }

    /// A good body, with its parts at 2 and from 4 on.
    private static let good: [UInt8] = [0x83, 1, 1, 0x85, 7, 0xF6, 5, 0xF6, 0xF6]

    /// The good body with other bytes in the place of one.
    private func swap(_ place: Int, _ bytes: [UInt8], _ ones: Int = 0) -> [UInt8] {
        let more = Array(repeating: 1 as UInt8, count: ones)
        return written(Array(Self.good[..<place]) + bytes + more + Self.good[(place + 1)...])
    }

    private func refused() -> [JSON] {
        (wrongStays() + wrongBodies() + wrongSignatures()).map {
            ["why": .string($0.0), "statement": .hex($0.1)]
        }
    }

    private func wrongStays() -> [(String, [UInt8])] {
        [
            ("revision 0", swap(2, [0])),
            ("revision 4294967296", swap(2, [0x1B, 0, 0, 0, 1, 0, 0, 0, 0])),
            ("place 0", swap(4, [0])), ("place 4096", swap(4, [0x19, 0x10, 0])),
            ("a number that is not the shortest", swap(4, [0x18, 7])),
            ("a booking of 31 bytes", swap(5, [0x58, 31], 31)),
            ("a booking that is false", swap(5, [0xF4])), ("no begin", swap(6, [0xF6])),
            ("a begin before 1970", swap(6, [0x20])), ("an end before the begin", swap(7, [4])),
            ("a tag of 15 bytes", swap(8, [0x4F], 15)), ("a tag of 17 bytes", swap(8, [0x51], 17)),
            ("a stay of four", swap(3, [0x84])),
        ]
    }

    private func wrongBodies() -> [(String, [UInt8])] {
        let good = Self.good
        let deep = Array(repeating: 0x81 as UInt8, count: 8)
        let long = Array(repeating: 1 as UInt8, count: 508)
        let bodies: [(String, [UInt8])] = [
            ("a stay without an item", Array(good.dropLast())),
            ("bytes behind the stay", good + [0]),
            ("a body of four", [0x84] + good[1...] + [0]), ("a body of two", [0x82, 1, 1]),
            ("a body that is no array", [1]), ("an empty array", [0x80]),
            ("a kind that is text", [0x81, 0x61, 0x61]),
            ("an array without end", [0x9F] + good[1...] + [0xFF]),
            ("a float in a later kind", [0x82, 2, 0xF9, 0, 0]),
            ("nine arrays in a later kind", [0x82, 2] + deep + [0]),
            ("bytes behind a later kind", [0x81, 2, 0]), ("no body", []),
            ("a body of 513 bytes", [0x82, 2, 0x59, 1, 0xFC] + long),
        ]
        return bodies.map { ($0.0, written($0.1)) }
    }

    private func wrongSignatures() -> [(String, [UInt8])] {
        let (good, key) = (Self.good, ada.key.bytes)
        let sign = ada.identity.sign
        let right = sign(VenueStatement.toBeSigned(gathering: Self.gathering.id, body: good))
        let flight = VenueStatement.toBeSigned(gathering: VectorFlight.key.id, body: good)
        let layout = LayoutSuggestion.toBeSigned(
            flight: Self.gathering.id, revision: 1, layout: good)
        var bent = right
        bent[40] ^= 1
        let whole = Self.whole(key, good, right)
        return [
            ("a key of 31 bytes", Self.whole(Array(key.dropLast()), good, right)),
            ("a signature of 63 bytes", Self.whole(key, good, Array(right.dropLast()))),
            ("bytes behind it", whole + [0]), ("four items", [0x84] + whole[1...] + [0]),
            ("a wrong signature", Self.whole(key, good, bent)),
            ("somebody else's", Self.whole(bo.key.bytes, good, right)),
            ("of another gathering", Self.whole(key, good, sign(flight))),
            ("of a suggested layout", Self.whole(key, good, sign(layout))),
            ("of the body alone", Self.whole(key, good, sign(good))),
        ]
    }
}
