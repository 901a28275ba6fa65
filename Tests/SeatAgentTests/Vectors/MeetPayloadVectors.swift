// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Rendezvous
@testable import SeatAgent
@testable import Text

/// What is sealed at a meeting point, in every size, and what must not open or not be read
/// (docs/meet.md section 2).
struct MeetPayloadVectors {
    private let people: MeetVectors
    private let names = MeetVectors.names
    private let keys = MeetVectors.keys
    private let primitives = MeetVectors.primitives

    init(_ people: MeetVectors) { self.people = people }

    func json() throws -> JSON {
        [
            "note": "docs/meet.md section 2: what is sealed, opened and read",
            "epoch": .int(Int(names.epoch.number)), "group": .string(names.group),
            "seal": .hex(names.seal.bytes), "payloads": .array(try payloads()),
            "unopened": .array(try unopened()), "accepted": .array(MeetPlainForms.accepted()),
            "refused": .array(MeetPlainForms.refused()),
            "padding": .array(padding()), "refused_padding": .array(refusedPadding()),
        ]
    }

    // MARK: Payloads

    private func box(_ who: Scribe) -> MeetBox { keys.box(of: who.key, in: names.epoch) }

    private static func nonce(_ number: Int) -> [UInt8] {
        (0..<24).map { UInt8(truncatingIfNeeded: 16 * number + $0) }
    }

    /// Made-up entries of these sizes: what is in them nobody reads here.
    private static func entries(_ sizes: [Int]) -> [[UInt8]] {
        sizes.enumerated().map { [UInt8](repeating: UInt8($0.offset + 1), count: $0.element) }
    }

    private func letters(_ count: Int) -> MeetLetters {
        MeetLetters(
            sender: people.ada.key, made: MeetCardVectors.made,
            until: UTCTime(seconds: MeetCardVectors.made.seconds + 7200),
            sealed: [UInt8](repeating: 0xA5, count: count))
    }

    private func payloads() throws -> [JSON] {
        let ada = box(people.ada)
        var log = people.ada
        _ = try log.board("12A")
        let lane = keys.lane(from: people.ada.key, to: people.bo.key, in: names.epoch)
        let inbox = keys.inbox(of: people.bo.key, in: names.epoch)
        let lanes = MeetTopic.letters(inbox: inbox, lane: lane)
        let real = log.log.map(\.bytes)
        let cards = MeetCardVectors(people)
        func part(_ number: Int, _ sizes: [Int]) -> MeetPlain {
            .part(author: people.ada.key, number: number, entries: Self.entries(sizes))
        }
        let all: [(String, MeetTopic, MeetPlain)] = [
            ("a card", .card(ada), .card(cards.signed(cards.card()))),
            ("a card with 64 items", .card(ada), .card(cards.signed(cards.full()))),
            ("two entries", .part(ada, 0), .part(author: people.ada.key, number: 0, entries: real)),
            ("a part of 2048", .part(ada, 1), part(1, [300, 400, 800])),
            ("a part that is full", .part(ada, 3), part(3, [15_000, 354])),
            ("one new entry", .live, .live([real[1]])),
            ("a gap of 25 bytes", .live, .live(Self.entries([440]))),
            ("a gap of 258 bytes", .live, .live(Self.entries([208]))),
            ("8192", .live, .live(Self.entries([2000, 3000]))),
            ("letters", lanes, .letters(letters(60))),
            ("long letters", lanes, .letters(letters(3900))),
        ]
        return try all.enumerated().map { number, one in
            try item(one.0, one.1, one.2, Self.nonce(number))
        }
    }

    private func item(
        _ name: String, _ topic: MeetTopic, _ plain: MeetPlain, _ nonce: [UInt8]
    ) throws -> JSON {
        guard let bytes = plain.encoded,
            let payload = SealedPayload.seal(
                bytes, for: topic, in: names, nonce: nonce, primitives: primitives)
        else { throw DecodeError(.badValue) }
        return [
            "name": .string(name), "topic": .string(topic.text(in: names)), "nonce": .hex(nonce),
            "size": .int(payload.count), "says": Self.says(plain), "payload": .hex(payload),
        ]
    }

    private static func says(_ plain: MeetPlain) -> JSON {
        switch plain {
        case .card(let card):
            return ["kind": 1, "body": .hex(card.body), "signature": .hex(card.signature)]
        case .part(let author, let number, let entries):
            return [
                "kind": 2, "author": .hex(author.bytes), "number": .int(number),
                "entries": .array(entries.map { .hex($0) }),
            ]
        case .live(let entries):
            return ["kind": 3, "entries": .array(entries.map { .hex($0) })]
        case .letters(let letters):
            return [
                "kind": 4, "sender": .hex(letters.sender.bytes),
                "made": .int(Int(letters.made.seconds)), "until": .int(Int(letters.until.seconds)),
                "sealed": .hex(letters.sealed),
            ]
        }
    }

    // MARK: What does not open

    /// Seals as nobody may: any size, any version, any data bound to it, any key.
    private func seal(
        _ count: Int, version: UInt8 = 1, _ data: [UInt8], _ key: Bytes32? = nil
    ) -> [UInt8] {
        let nonce = Self.nonce(3)
        let plain = [UInt8](repeating: 0, count: count)
        let sealed = primitives.seal(plain, with: data, key: key ?? names.seal, nonce: nonce)
        return [version] + nonce + (sealed ?? [])
    }

    private func unopened() throws -> [JSON] {
        let topic = MeetTopic.card(box(people.ada))
        let text = topic.text(in: names)
        let data = Array(text.utf8)
        let tail = Array("c/\(box(people.ada).bucket.text)/\(box(people.ada).text)".utf8)
        let good = seal(471, data)
        func bent(_ place: Int) -> [UInt8] {
            var bytes = good
            bytes[place] ^= 1
            return bytes
        }
        let all: [(String, [UInt8])] = [
            ("nothing", []), ("version 0", seal(471, version: 0, data)),
            ("version 2", seal(471, version: 2, data)), ("a nonce bent", bent(24)),
            ("a byte bent", bent(25)), ("the tag bent", bent(511)),
            ("one byte less", Array(good.dropLast())), ("one byte more", good + [0]),
            ("sealed with one byte less", seal(470, data)),
            ("sealed to 768 bytes", seal(727, data)), ("sealed to 256 bytes", seal(215, data)),
            (
                "of another box",
                seal(471, Array(MeetTopic.card(box(people.bo)).text(in: names).utf8))
            ),
            ("of another kind", seal(471, Array(MeetTopic.live.text(in: names).utf8))),
            ("bound to nothing", seal(471, [])),
            ("bound to the topic without its group", seal(471, tail)),
            ("by the key of the next day", seal(471, data, keys.names(in: names.epoch.next).seal)),
            ("by the flight's own key", seal(471, data, VectorFlight.key.auth)),
        ]
        // The good one opens, or the others would prove nothing.
        guard SealedPayload.open(good, from: topic, in: names, primitives: primitives) != nil,
            all.allSatisfy({
                SealedPayload.open($0.1, from: topic, in: names, primitives: primitives) == nil
            })
        else { throw DecodeError(.badValue) }
        return all.map { ["why": .string($0.0), "topic": .string(text), "payload": .hex($0.1)] }
    }

    // MARK: Padding

    /// Bytes before the padding, and bytes of the whole.
    private func padding() -> [JSON] {
        let edges = SealedPayload.plainSizes.flatMap { size in
            [0, 1, 2, 24, 25, 26, 27, 257, 258, 259, 260].map { size - $0 }
        }
        return ([1, 100] + edges).map { count in
            var writer = CBORWriter(capacity: count)
            writer.raw([UInt8](repeating: 0, count: count))
            let whole = MeetPadding.close(writer)
            return ["before": .int(count), "plain": whole.map { .int($0.count) } ?? .null]
        }
    }

    private func refusedPadding() -> [JSON] {
        let all: [(String, [UInt8])] = [
            ("not zero", [0x42, 0, 1]), ("not zero in front", [0x42, 1, 0]), ("a text", [0x61, 0]),
            ("a number", [0]), ("no bytes", [0xF6]), ("a longer head", [0x58, 1, 0]),
            ("cut short", [0x42, 0]), ("nothing", []), ("more behind it", [0x41, 0, 0]),
            ("without end", [0x5F, 0x41, 0, 0xFF]),
        ]
        return all.map { why, pad in
            let plain: [UInt8] = [0x83, 3, 0x81, 0x41, 7] + pad
            return MeetPlainForms.refusal(why, plain)
        }
    }
}
