// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import SeatAgent
@testable import Text
@testable import Transport
@testable import Venues

/// Signed files of venues and the links on their doors, with what must be refused.
struct VenueFileVectors {
    private let ada: Scribe
    private let bo: Scribe

    init() throws {
        ada = try Scribe("ada", 1)
        bo = try Scribe("bo", 2)
    }

    func json() throws -> JSON {
        [
            "note": "section 31: signed files of venues, links to venues, and their records",
            "files": .array(try files()), "refused_files": .array(try refusedFiles()),
            "links": .array(try links()), "refused_links": .array(refusedLinks()),
            "records": .array(try VenueRecordVectors(ada).records()),
            "refused_records": .array(VenueRecordVectors(ada).refused()),
        ]
    }

    // MARK: Files

    /// The least venue: texts and numbers that are easily written in two ways.
    private static let least: JSON = [
        "version": 1, "slug": "loft/zurich", "name": "The \"Loft\" \\ Zürich 中",
        "zone": "Europe/Zurich", "volume": "week", "hours": ["Mo-Su": "08:00-22:00"],
        "at": [.double(47), .double(-0.000001)],
        "places": [["id": 1, "name": "Hall", "mode": "counted", "count": 5]],
        "classes": [["name": "all"]], "rules": ["join": "open"],
    ]

    private func signed(_ json: JSON, _ revision: Int, by who: Scribe) throws -> SignedVenue {
        let venue = try Venue(json: json)
        // What a second reader writes from the object alone has to be the line.
        guard venue.json == json,
            let signed = SignedVenue(venue, revision: revision, by: who.identity)
        else { throw DecodeError(.badValue) }
        return signed
    }

    private func files() throws -> [JSON] {
        let examples = VenueExample.allCases.compactMap { $0.venue?.json }
        let revisions = [1, 23, 24, 256, 65_535]
        return try (examples + [Self.least]).enumerated().map { index, json in
            let signed = try signed(json, revisions[index], by: index % 2 == 0 ? ada : bo)
            let line = signed.words
            let keys = ["revision", "signature", "operator", "venue", "version", "slug", "zone"]
            return [
                "file": .string(
                    index % 2 == 0 ? signed.json.line : signed.json.page(keys: keys, width: 60)),
                "line": .string(String(decoding: line, as: UTF8.self)),
                "operator": .hex(signed.runBy.bytes), "tag": .string(signed.runBy.tag),
                "revision": .int(signed.revision),
                "signed_sha256": .hex(
                    VectorFlight.primitives.sha256(
                        VenueSignature.toBeSigned(
                            runBy: signed.runBy, revision: signed.revision, words: line)
                    ).bytes),
            ]
        }
    }

    /// A file with another member, and why it is none.
    private typealias Wrong = (why: String, member: String, value: JSON)

    private func refusedFiles() throws -> [JSON] {
        let good = try signed(Self.least, 3, by: ada)
        let other = try signed(Self.least, 3, by: bo)
        let (text, base64) = (good.runBy.text, Base64.encode(good.signature))
        var wrong: [Wrong] = [
            ("another revision", "revision", 4), ("no whole number", "revision", .double(3.5)),
            ("no number", "revision", .bool(true)), ("a number as a text", "revision", "3"),
            ("another key", "operator", .string(other.runBy.text)),
            ("another key's signature", "signature", .string(Base64.encode(other.signature))),
            ("the key in capitals", "operator", .string(text.uppercased())),
            ("a key too short", "operator", .string(String(text.dropLast()))),
            ("bits left over in the key", "operator", .string(text.dropLast() + "b")),
            ("the signature without padding", "signature", .string(String(base64.dropLast(2)))),
            ("a signature with a blank", "signature", .string(base64 + " ")),
            (
                "a signature too short", "signature",
                .string(Base64.encode(good.signature.dropLast()))
            ),
            ("a member that is not known", "note", "x"), ("no venue", "venue", .null),
            ("other words", "venue", Self.least.adding(["name": "Loft"])),
        ]
        for (why, message) in messages(good) {
            let signature = Base64.encode(ada.identity.sign(message))
            wrong.append((why, "signature", .string(signature)))
        }
        // The order of the group more: the same point, in another spelling.
        let second = try twisted(good.signature)
        wrong.append(("S in another spelling", "signature", .string(Base64.encode(second))))
        var refused = wrong.map { item -> JSON in
            [
                "why": .string(item.why),
                "file": .string(good.json.adding([item.member: item.value]).line),
            ]
        }
        for revision in [0, 65_536] {
            let signature = ada.identity.sign(
                VenueSignature.toBeSigned(
                    runBy: good.runBy, revision: revision, words: good.words))
            let file = good.json.adding([
                "revision": .int(revision), "signature": .string(Base64.encode(signature)),
            ])
            refused.append(
                ["why": .string("revision \(revision)"), "file": .string(file.line)])
        }
        for member in ["venue", "operator", "revision", "signature"] {
            let left = good.json.members?.filter { $0.key != member } ?? [:]
            refused.append(
                ["why": .string("no \(member)"), "file": .string(JSON.object(left).line)])
        }
        let twice = good.json.line.dropLast() + ",\"revision\":3}"
        refused.append(["why": "a member twice", "file": .string(String(twice))])
        return refused
    }

    /// What another reader could take for what is signed.
    private func messages(_ good: SignedVenue) -> [(String, [UInt8])] {
        func message(_ first: String, _ runBy: [UInt8]?, _ isText: Bool) -> [UInt8] {
            var writer = CBORWriter()
            writer.array(runBy == nil ? 3 : 4)
            writer.text(first)
            if let runBy {
                if isText { writer.text(good.runBy.text) } else { writer.bytes(runBy) }
            }
            writer.uint(good.revision)
            writer.bytes(good.words)
            return writer.bytes
        }
        let key = good.runBy.bytes
        return [
            ("signed as something else", message("seatswap/1 charter", key, false)),
            ("signed with the key as a text", message("seatswap/1 venue", key, true)),
            ("signed without the key", message("seatswap/1 venue", nil, false)),
            ("the line alone signed", good.words),
            (
                "signed as people lay it out",
                VenueSignature.toBeSigned(
                    runBy: good.runBy, revision: good.revision, words: Array(good.venue.text.utf8))
            ),
        ]
    }

    /// A signature with the order of the group added to its S.
    private func twisted(_ signature: [UInt8]) throws -> [UInt8] {
        let order: [UInt8] = [
            0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9,
            0xDE, 0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ]
        var bytes = signature
        var carry = 0
        for index in 0..<32 {
            let sum = Int(bytes[32 + index]) + Int(order[index]) + carry
            bytes[32 + index] = UInt8(sum & 0xFF)
            carry = sum >> 8
        }
        return bytes
    }

    // MARK: Links

    private func links() throws -> [JSON] {
        let runBy = OperatorKey(ada.key.raw)
        return try Volume.Kind.allCases.map { kind in
            let slug = kind == .year ? "0-a/b-" : "rec"
            guard let link = VenueLink(slug: slug, runBy: runBy, kind: kind) else {
                throw DecodeError(.badValue)
            }
            return [
                "link": .string(SeatLink.venue(link).text), "slug": .string(slug),
                "operator": .hex(runBy.bytes), "volume": .string(kind.rawValue),
            ]
        }
    }

    private func refusedLinks() -> [JSON] {
        let key = OperatorKey(ada.key.raw).text
        let link = "seatagent:venue?n=rec&k=\(key)&p=month"
        let long = String(repeating: "a", count: 25)
        let texts: [(String, String)] = [
            ("a later version", "seatagent:venue?v=2&n=rec&k=\(key)&p=month"),
            ("a version that is not written", "seatagent:venue?v=1&n=rec&k=\(key)&p=month"),
            ("the parts in another order", "seatagent:venue?k=\(key)&n=rec&p=month"),
            ("a part twice", link + "&p=month"), ("a part that is not known", link + "&x=1"),
            ("no volume", "seatagent:venue?n=rec&k=\(key)"), ("something behind it", link + " "),
            ("another kind of volume", link.replacing("month", with: "decade")),
            ("a volume, not its kind", link.replacing("month", with: "2026-12")),
            ("another scheme", link.uppercased()),
            ("another purpose", link.replacing("venue", with: "place")),
            ("the key in capitals", link.replacing(key, with: key.uppercased())),
            ("bits left over in the key", link.replacing(key, with: key.dropLast() + "b")),
            ("a capital in the name", link.replacing("rec", with: "Rec")),
            ("a hyphen first", link.replacing("rec", with: "-rec")),
            ("a hyphen first in the branch", link.replacing("rec", with: "rec/-a")),
            ("an empty branch", link.replacing("rec", with: "rec/")),
            ("two branches", link.replacing("rec", with: "a/b/c")),
            ("25 characters", link.replacing("rec", with: long)),
            ("no name", link.replacing("rec", with: "")),
            ("a slash that is written otherwise", link.replacing("rec", with: "a%2Fb")),
        ]
        return texts.map { ["why": .string($0.0), "link": .string($0.1)] }
    }
}
