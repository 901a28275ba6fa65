// SPDX-License-Identifier: Apache-2.0
@testable import Protocol
import ProtocolTestKit

@testable import SeatAgent
@testable import Text
@testable import Transport

/// Messages of venues, and the words that an operator signs.
struct VenueMessageVectors {
    private let ada: Scribe
    private let runBy: Scribe

    init() throws {
        ada = try Scribe("ada", 1)
        runBy = try Scribe("bo", 2)
    }

    // MARK: Messages

    /// One of each, with its value in diagnostic notation.
    func messages() throws -> JSON {
        let statement = try statement()
        let mark = StayMark(author: ada.key, revision: 1, id: digest(3))
        let all: [(String, VenueMessage)] = [
            ("VENUE_MARK", .mark(PageMark(revision: 2, hash: digest(1)))),
            ("VENUE_MARK, no words", .mark(.none)),
            ("VENUE", .page(try page(2, "{\"version\":1}"))), ("STATEMENT", .statement(statement)),
            ("STATEMENTS, digests", .digests((0..<64).map { digest(UInt8($0)) })),
            ("STATEMENTS, marks", .marks(try StayList(bucket: mark.bucket, [mark]))),
            ("STATEMENTS, an empty bucket", .marks(try StayList(bucket: 63, []))),
            (
                "STATEMENTS, as many marks as fit",
                .marks(
                    try StayList(
                        bucket: 0, last: made(511).author, (0..<512).map { made($0) }))
            ),
            (
                "STATEMENTS, the part behind it to the end of the bucket",
                .marks(try StayList(bucket: 0, after: made(511).author, [made(512), made(600)]))
            ),
            (
                "STATEMENTS, a part that ends behind its last mark",
                .marks(
                    try StayList(
                        bucket: 0, after: made(5).author, last: made(9).author, [made(6)]))
            ),
            (
                "STATEMENTS, a part of which nobody is kept",
                .marks(try StayList(bucket: 0, after: made(5).author, last: made(6).author, []))
            ),
        ]
        return .array(
            all.map { name, message in
                let bytes = Message.venue(message).encode()
                return [
                    "name": .string(name), "type": .int(Int(bytes[4])), "frame": .hex(bytes),
                    "value": .string(VectorText.diagnostic(Array(bytes[5...]))),
                ]
            })
    }

    /// A mark of bucket 0.
    private func made(_ number: UInt16) -> StayMark {
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes[30] = UInt8(number >> 8)
        bytes[31] = UInt8(truncatingIfNeeded: number)
        return StayMark(author: PeerKey(Bytes32(bytes) ?? .zero), revision: 1, id: digest(0))
    }

    /// Frames that end the connection with a payload that is wrong.
    func refused() throws -> JSON {
        func page(_ revision: Int, _ words: Int) -> [UInt8] {
            var writer = CBORWriter(capacity: 100)
            writer.array(3)
            writer.uint(revision)
            writer.bytes([UInt8](repeating: 1, count: 64))
            writer.bytes([UInt8](repeating: 32, count: words))
            return writer.bytes
        }
        func hash(_ revision: Int, _ count: Int) -> [UInt8] {
            var writer = CBORWriter(capacity: 100)
            writer.array(2)
            writer.uint(revision)
            writer.bytes([UInt8](repeating: 1, count: count))
            return writer.bytes
        }
        func digests(_ count: Int, _ length: Int) -> [UInt8] {
            var writer = CBORWriter(capacity: 100)
            writer.byteStrings(
                Array(repeating: [UInt8](repeating: 1, count: length), count: count))
            return writer.bytes
        }
        let all: [(String, FrameType, [UInt8])] = [
            ("a mark of a revision of three bytes", .venueMark, hash(65_536, 32)),
            ("a mark with a short hash", .venueMark, hash(1, 31)),
            ("a mark with a long hash", .venueMark, hash(1, 33)),
            ("words of revision 0", .venue, page(0, 2)),
            ("words of a revision of three bytes", .venue, page(65_536, 2)),
            ("one byte of words", .venue, page(1, 1)),
            ("8193 bytes of words", .venue, page(1, 8193)),
            ("63 digests", .statements, digests(63, 32)),
            ("65 digests", .statements, digests(65, 32)),
            ("3 digests", .statements, digests(3, 32)),
            ("digests of 31 bytes", .statements, digests(64, 31)),
            ("digests of 33 bytes", .statements, digests(64, 33)),
        ]
        let lists = refusedLists().map { ($0.0, FrameType.statements, $0.1) }
        return .array(
            (all + lists).map { why, type, payload in
                let frame = Frame(type: type.rawValue, payload: payload)
                precondition((try? Message.decode(frame, rules: .venue)) == nil, why)
                return ["why": .string(why), "frame": .hex(frame.bytes)]
            })
    }

    /// Lists that no agent writes.
    private func refusedLists() -> [(String, [UInt8])] {
        let mark = made(5)
        func list(
            _ bucket: Int, _ marks: [[UInt8]], after: [UInt8]? = nil, last: [UInt8]? = nil,
            count: Int = 4
        ) -> [UInt8] {
            var writer = CBORWriter(capacity: 100)
            writer.array(count)
            writer.uint(bucket)
            for key in [after, last].prefix(count - 2) {
                if let key { writer.bytes(key) } else { writer.null() }
            }
            writer.byteStrings(marks)
            return writer.bytes
        }
        func key(_ number: UInt16) -> [UInt8] { made(number).author.bytes }
        var zero = mark.bytes
        zero.replaceSubrange(32..<36, with: [0, 0, 0, 0])
        let other = [4] + [UInt8](repeating: 0, count: 31)
        return [
            ("a list that says of no part", list(0, [], count: 2)),
            ("a list that does not say where it ends", list(0, [], count: 3)),
            ("bucket 64", list(64, [])),
            ("a mark of another bucket", list(1, [mark.bytes])),
            ("marks out of order", list(0, [made(6).bytes, mark.bytes])),
            ("a mark twice", list(0, [mark.bytes, mark.bytes])),
            ("a mark of revision 0", list(0, [zero])),
            ("513 marks", list(0, (0..<513).map { made($0).bytes })),
            ("the mark that it begins behind", list(0, [mark.bytes], after: key(5))),
            ("a mark before its begin", list(0, [mark.bytes], after: key(6))),
            ("a mark behind its end", list(0, [mark.bytes], last: key(4))),
            ("an end that is its begin", list(0, [], after: key(5), last: key(5))),
            ("an end before its begin", list(0, [], after: key(5), last: key(4))),
            ("a begin in another bucket", list(0, [], after: other)),
            ("an end in another bucket", list(0, [mark.bytes], last: other)),
            ("a begin of 31 bytes", list(0, [], after: Array(key(5).dropLast()))),
            ("an end of 33 bytes", list(0, [], last: key(5) + [0])),
        ]
    }

    // MARK: Words

    /// Pages that an operator signed, which one counts, and some that they did not sign.
    func words() throws -> JSON {
        let pages = [
            try page(1, "first"), try page(7, "one"), try page(7, "two"), try page(6, "six"),
        ]
        let best = pages.dropFirst().prefix(2).min { primitives($0) < primitives($1) }
        func bytes(_ page: VenuePage) -> [UInt8] {
            let frame = Message.venue(.page(page)).encode()
            return Array(frame[5...])
        }
        func changed(_ revision: Int, _ words: String, _ signature: [UInt8]) throws -> VenuePage {
            guard
                let page = VenuePage(
                    revision: revision, signature: signature, bytes: Array(words.utf8))
            else { throw DecodeError(.badValue) }
            return page
        }
        let good = pages[1]
        let bare = VenueSignature.toBeSigned(
            runBy: OperatorKey(ada.key.raw), revision: 7, words: Array("one".utf8))
        return [
            "operator": .hex(runBy.key.bytes),
            "signed": .array(pages.map { .hex(bytes($0)) }),
            "counts": .string(String(decoding: best?.bytes ?? [], as: UTF8.self)),
            "refused": .array([
                [
                    "why": "another revision",
                    "page": .hex(bytes(try changed(8, "one", good.signature))),
                ],
                ["why": "other words", "page": .hex(bytes(try changed(7, "onf", good.signature)))],
                [
                    "why": "signed for another operator",
                    "page": .hex(bytes(try changed(7, "one", runBy.identity.sign(bare)))),
                ],
                [
                    "why": "signed by somebody else",
                    "page": .hex(
                        bytes(
                            try changed(
                                7, "one",
                                ada.identity.sign(
                                    VenueSignature.toBeSigned(
                                        runBy: OperatorKey(runBy.key.raw), revision: 7,
                                        words: good.bytes))))),
                ],
            ]),
        ]
    }

    private func primitives(_ page: VenuePage) -> Bytes32 {
        VectorFlight.primitives.sha256(page.bytes)
    }

    private func page(_ revision: Int, _ words: String) throws -> VenuePage {
        let bytes = Array(words.utf8)
        let text = VenueSignature.toBeSigned(
            runBy: OperatorKey(runBy.key.raw), revision: revision, words: bytes)
        guard
            let page = VenuePage(
                revision: revision, signature: runBy.identity.sign(text), bytes: bytes)
        else { throw DecodeError(.badValue) }
        return page
    }

    private func statement() throws -> VenueStatement {
        guard let stay = Stay(place: 1, since: UTCTime(seconds: 1_796_371_200)),
            let made = VenueStatement(
                stay, revision: 1, gathering: StatementVectors.gathering.id, by: ada.identity)
        else { throw DecodeError(.badValue) }
        return made
    }

    // MARK: Tags

    /// Tags of one address in two volumes, and of another one; `key` is what Argon2id gives.
    func tags() throws -> JSON {
        let key = OperatorKey(runBy.key.raw).text
        let wanted = [
            ("kiki@example.org", "uva/2026-12-05"), ("kiki@example.org", "uva/2026-12-06"),
            ("Bo.Li@Example.ORG", "dreamland/gent/2026"),
        ]
        let primitives = VectorFlight.primitives
        return .array(
            try wanted.map { address, days in
                guard let name = VenueName("\(days)/\(key)"),
                    let tag = ContactTag.tag(of: address, in: name, primitives: primitives)
                else { throw DecodeError(.badValue) }
                let salt = primitives.sha256(
                    Array("seatswap/venue/contact".utf8) + name.runBy.bytes
                        + Array(name.slug.utf8)
                ).bytes.prefix(16)
                let made = primitives.argon2id(
                    Array(address.lowercased().utf8), salt: Array(salt))
                return [
                    "address": .string(address), "name": .string(name.text),
                    "salt": .hex(Array(salt)), "key": .hex(made?.bytes ?? []),
                    "tag": .hex(tag.bytes),
                ]
            })
    }

    private func digest(_ number: UInt8) -> Bytes32 { VectorFlight.primitives.sha256([number]) }
}
