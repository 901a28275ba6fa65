// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Rendezvous
@testable import SeatAgent
@testable import Text

/// Cards at a meeting point: those that count, those that do not, and bytes that are none
/// (docs/meet.md section 3).
struct MeetCardVectors {
    private let people: MeetVectors
    private let names = MeetVectors.names
    private let flight = VectorFlight.key.id

    /// When all were made that say nothing else.
    static let made = UTCTime(seconds: 20_780 * 86_400 + 50_000)
    /// Ada's stamp of the day: 20 zero bits and no more.
    static let stamp: UInt64 = 2_240_295

    init(_ people: MeetVectors) { self.people = people }

    func json() throws -> JSON {
        [
            "note": "docs/meet.md section 3: cards, judged at a time in an epoch of a flight",
            "f_auth": .hex(VectorFlight.key.auth.bytes), "flight_id": .hex(flight.bytes),
            "epoch": .int(Int(names.epoch.number)), "group": .string(names.group),
            "stamp_bits": .int(MeetLimits.stampBits), "judged": .array(judged()),
            "accepted": .array(accepted()), "refused": .array(refused()),
            "replaced": .array(replaced()),
        ]
    }

    // MARK: Cards

    /// A good one, of Ada's.
    func card() -> MeetCard {
        MeetCard(
            flight: flight, author: people.ada.key, boxKey: primitives.sha256([1]),
            made: Self.made, until: UTCTime(seconds: Self.made.seconds + 100_000), length: 2,
            head8: 0x0102_0304_0506_0708, parts: 1, logs: primitives.sha256([2]), items: [],
            stamp: Self.stamp.bytes)
    }

    /// One that witnesses for 64 others.
    func full() -> MeetCard {
        var card = card()
        card.items = items(64)
        return card
    }

    private let primitives = MeetVectors.primitives

    private func items(_ count: Int) -> [FrontierItem] {
        (0..<count).map { number in
            let author = PeerKey(primitives.sha256([3, UInt8(number)]))
            return FrontierItem(
                author: author, seq: number * 64, head8: UInt64(number), fork: number & 1)
        }
        .sorted { $0.author < $1.author }
    }

    func signed(_ card: MeetCard) -> SignedCard { SignedCard(card, by: people.ada.identity) }

    private func changed(_ change: (inout MeetCard) -> Void) -> MeetCard {
        var card = card()
        change(&card)
        return card
    }

    // MARK: Judged

    private struct Case {
        var why: String
        var card: MeetCard
        var signature: [UInt8]
        var at = MeetCardVectors.made
        var box: MeetBox?
    }

    private func judged() -> [JSON] {
        (times() + stamps() + signatures()).map { one in
            let body = one.card.encoded
            let box = one.box ?? MeetVectors.keys.box(of: one.card.author, in: names.epoch)
            return [
                "why": .string(one.why), "at": .int(Int(one.at.seconds)), "body": .hex(body),
                "diagnostic": .string(VectorText.diagnostic(body)), "box": .string(box.text),
                "signature": .hex(one.signature), "good": .bool(isGood(one, body, box)),
            ]
        }
    }

    private func isGood(_ one: Case, _ body: [UInt8], _ box: MeetBox) -> Bool {
        var writer = CBORWriter(capacity: 512)
        writer.array(4)
        writer.uint(1)
        writer.bytes(body)
        writer.bytes(one.signature)
        writer.bytes([])
        guard case .card(let signed)? = try? MeetPlain(decoding: writer.bytes) else { return false }
        return signed.isGood(for: flight, in: names, at: one.at, primitives: primitives)
            && MeetVectors.keys.box(of: signed.card.author, in: names.epoch) == box
    }

    private func one(_ why: String, at: Int64 = 0, _ change: (inout MeetCard) -> Void) -> Case {
        let card = changed(change)
        return Case(
            why: why, card: card, signature: signed(card).signature,
            at: UTCTime(seconds: Self.made.seconds + at))
    }

    private func times() -> [Case] {
        let longest = Self.made.seconds + MeetLimits.longestStay
        return [
            one("good") { _ in }, one("64 items") { $0 = full() },
            one("no entries yet") { ($0.length, $0.head8, $0.parts) = (0, 0, 0) },
            one("4096 entries in four parts") { ($0.length, $0.parts) = (4096, 4) },
            one("made 600 s ahead", at: -600) { _ in }, one("made 601 s ahead", at: -601) { _ in },
            one("in the last second", at: 99_999) { _ in }, one("over", at: 100_000) { _ in },
            one("for 96 hours") { $0.until = UTCTime(seconds: longest) },
            one("for longer") { $0.until = UTCTime(seconds: longest + 1) },
            one("old, and not over", at: 90_000) { _ in },
            one("at the end of time") {
                $0.made = UTCTime(seconds: .max - 1)
                $0.until = UTCTime(seconds: .max)
            },
            one("of another flight") { $0.flight = FlightID(primitives.sha256([9])) },
        ]
    }

    private func stamps() -> [Case] {
        func stamp(_ why: String, _ number: UInt64) -> Case {
            one(why) { $0.stamp = number.bytes }
        }
        let turned = Array(Self.stamp.bytes.reversed())
        return [
            stamp("no stamp", 0), stamp("19 zero bits", 379_181),
            stamp("of the next day", 2_181_375), stamp("of somebody else", 580_390),
            one("the lowest byte first") { $0.stamp = turned },
        ]
    }

    private func signatures() -> [Case] {
        let card = card()
        let body = card.encoded
        let right = signed(card).signature
        let text = MeetCard.toBeSigned(body, flight: flight)
        let sign = people.ada.identity.sign
        var bent = right
        bent[40] ^= 1
        var whole = CBORWriter(capacity: 512)
        whole.array(3)
        whole.text("seatswap/1 card")
        whole.value(flight)
        whole.raw(body)
        let other = MeetCard.toBeSigned(body, flight: FlightID(primitives.sha256([9])))
        let statement = VenueStatement.toBeSigned(gathering: flight, body: body)
        let elsewhere = MeetVectors.keys.box(of: people.bo.key, in: names.epoch)
        let yesterday = MeetVectors.keys.box(of: people.ada.key, in: names.epoch.previous)
        return [
            Case(why: "a wrong signature", card: card, signature: bent),
            Case(why: "by somebody else", card: card, signature: people.bo.identity.sign(text)),
            Case(why: "of the body alone", card: card, signature: sign(body)),
            Case(why: "of another flight", card: card, signature: sign(other)),
            Case(why: "of the body as it is", card: card, signature: sign(whole.bytes)),
            Case(why: "of a statement", card: card, signature: sign(statement)),
            Case(why: "S above the order", card: card, signature: Self.raised(right)),
            Case(why: "in another box", card: card, signature: right, box: elsewhere),
            Case(why: "in a box of the day before", card: card, signature: right, box: yesterday),
        ]
    }

    /// The same signature with the group's order added to S, which some libraries take.
    private static func raised(_ signature: [UInt8]) -> [UInt8] {
        let order: [UInt8] =
            [
                0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9,
                0xDE, 0x14,
            ] + [UInt8](repeating: 0, count: 15) + [0x10]
        var out = signature
        var carry = 0
        for place in 0..<32 {
            let sum = Int(out[32 + place]) + Int(order[place]) + carry
            out[32 + place] = UInt8(sum & 255)
            carry = sum >> 8
        }
        return out
    }

    // MARK: Bytes

    private func accepted() -> [JSON] {
        var zero = items(1)
        zero[0] = FrontierItem(author: zero[0].author, seq: 0, head8: 0, fork: 0)
        let most = [FrontierItem(author: zero[0].author, seq: 4096, head8: .max, fork: 4096)]
        return [changed { $0.items = zero }, changed { $0.items = most }, full()].map { card in
            [
                "body": .hex(card.encoded),
                "diagnostic": .string(VectorText.diagnostic(card.encoded)),
            ]
        }
    }

    private func refused() -> [JSON] {
        (wrongValues() + wrongForms()).map { why, body in
            [
                "why": .string(why), "body": .hex(body),
                "error": MeetPlainForms.error { try MeetCard(decoding: body) },
            ]
        }
    }

    private func wrongValues() -> [(String, [UInt8])] {
        let two = items(2)
        let bad = [FrontierItem(author: two[0].author, seq: 4097, head8: 0, fork: 0)]
        let forked = [FrontierItem(author: two[0].author, seq: 1, head8: 0, fork: 4097)]
        let cards: [(String, MeetCard)] = [
            ("items unsorted", changed { $0.items = two.reversed() }),
            ("an author twice", changed { $0.items = [two[0], two[0]] }),
            ("65 items", changed { $0.items = items(65) }),
            ("an item of seq 4097", changed { $0.items = bad }),
            ("a fork at 4097", changed { $0.items = forked }),
            ("length 4097", changed { $0.length = 4097 }), ("five parts", changed { $0.parts = 5 }),
            ("a head of no entry", changed { ($0.length, $0.parts) = (0, 0) }),
            ("parts of no entry", changed { ($0.length, $0.head8) = (0, 0) }),
            ("until when it was made", changed { $0.until = $0.made }),
            ("until before", changed { $0.until = UTCTime(seconds: $0.made.seconds - 1) }),
            ("a stamp of 7 bytes", changed { $0.stamp.removeLast() }),
            ("a stamp of 9 bytes", changed { $0.stamp.append(0) }),
        ]
        return cards.map { ($0.0, $0.1.encoded) }
    }

    private func wrongForms() -> [(String, [UInt8])] {
        let good = card().encoded
        // Flight, author and box key have 34 bytes each behind the first one.
        let flight = Array(good[1..<35])
        let rest = Array(good[35...])
        return [
            ("nothing", []), ("ten items", [0x8A] + good[1...]),
            ("twelve items", [0x8C] + good[1...] + [0]), ("bytes behind it", good + [0]),
            ("a flight of 31 bytes", [0x8B, 0x58, 31] + flight[3...] + rest),
            ("a flight that is text", [0x8B, 0x78, 32] + flight[2...] + rest),
            ("cut short", Array(good.dropLast())),
            ("a negative time", [0x8B] + flight + rest[..<68] + [0x20] + rest[73...]),
            (
                "a time beyond all",
                [0x8B] + flight + rest[..<68] + [0x1B, 0x80, 0, 0, 0, 0, 0, 0, 0] + rest[73...]
            ),
            ("an item of 43 bytes", item(43)), ("an item of 45 bytes", item(45)),
        ]
    }

    /// A card with one item of so many bytes.
    private func item(_ count: Int) -> [UInt8] {
        let good = card().encoded
        var writer = CBORWriter(capacity: 512)
        // An empty list and a stamp stand at the end.
        writer.raw(good.dropLast(10))
        writer.array(1)
        writer.bytes([UInt8](repeating: 0, count: count))
        writer.raw(good.suffix(9))
        return writer.bytes
    }

    /// Which of two cards of one author counts: the times they were made, and whether the second
    /// replaces the first.
    private func replaced() -> [JSON] {
        ([-1, 0, 1] as [Int64]).map { later in
            var next = card()
            next.made = UTCTime(seconds: Self.made.seconds + later)
            return [
                "first": .int(Int(Self.made.seconds)), "second": .int(Int(next.made.seconds)),
                "replaces": .bool(next.replaces(card())),
            ]
        }
    }
}
