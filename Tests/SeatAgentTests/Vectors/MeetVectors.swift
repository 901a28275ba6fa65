// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Rendezvous
@testable import SeatAgent
@testable import Text

/// Names at a meeting point: epochs, groups, boxes, lanes, topics, and what is none (docs/meet.md
/// section 1).
struct MeetVectors {
    /// The day of all vectors, 2026-11-23, and the one behind it.
    static let epoch = MeetEpoch(number: 20_780)
    static let primitives = VectorFlight.primitives
    static let keys = MeetKeys(VectorFlight.key, primitives: primitives)
    static let names = keys.names(in: epoch)

    let ada: Scribe
    let bo: Scribe
    let cy: Scribe

    init() throws {
        ada = try Scribe("ada", 1)
        bo = try Scribe("bo", 2)
        cy = try Scribe("cy", 3)
    }

    /// All files of the meeting point.
    static func files() throws -> [(name: String, json: JSON)] {
        let people = try MeetVectors()
        return [
            ("meet-names", try people.json()),
            ("meet-payloads", try MeetPayloadVectors(people).json()),
            ("meet-cards", try MeetCardVectors(people).json()),
            ("meet-boxes", try MeetBoxVectors.json()),
            ("meet-tunnels", try MeetTunnelVectors().json()),
            ("meet-tunnel-runs", try MeetTunnelRuns().json()),
        ]
    }

    func json() throws -> JSON {
        [
            "note": "docs/meet.md section 1: names of flights, people and topics",
            "flights": .array(try flights()), "epochs": .array(Self.epochs()),
            "topics": .array(topics()), "refused_topics": .array(refusedTopics()),
            "filters": .array(filters()), "refused_boxes": .array(refusedBoxes()),
        ]
    }

    // MARK: Flights

    private func flights() throws -> [JSON] {
        let named: [(String, String?)] = [
            ("XX1/2000-01-01/XXX", nil), ("XY9A/2026-11-22/DUB", "k7q2m5"),
        ]
        return try named.map { text, code in
            guard let name = FlightName(text),
                let key = FlightKey(name, code: code, primitives: Self.primitives)
            else { throw DecodeError(.badValue) }
            let keys = MeetKeys(key, primitives: Self.primitives)
            return [
                "name": .string(text), "code": code.map { .string($0) } ?? .null,
                "f_auth": .hex(key.auth.bytes), "pool": .string(keys.pool),
                "epochs": .array(
                    [0, Self.epoch.number, 0x0102_0304, .max].map { number in
                        self.epoch(MeetEpoch(number: number), keys)
                    }),
            ]
        }
    }

    private func epoch(_ epoch: MeetEpoch, _ keys: MeetKeys) -> JSON {
        let names = keys.names(in: epoch)
        let people = [ada, bo, cy]
        return [
            "epoch": .int(Int(epoch.number)), "group": .string(names.group),
            "shard": .string(names.shard), "seal": .hex(names.seal.bytes),
            "people": .array(
                people.map { who in
                    let box = keys.box(of: who.key, in: epoch)
                    return [
                        "key": .hex(who.key.bytes), "box": .string(box.text),
                        "bucket": .string(box.bucket.text),
                        "inbox": .string(keys.inbox(of: who.key, in: epoch).text),
                    ]
                }),
            "lanes": .array(
                [(ada, bo), (bo, ada), (cy, ada)].map { from, to in
                    let lane = keys.lane(from: from.key, to: to.key, in: epoch)
                    return [
                        "from": .hex(from.key.bytes), "to": .hex(to.key.bytes),
                        "lane": .string(lane.text),
                    ]
                }),
        ]
    }

    /// Which epoch a time is of, which are followed then, and which are read.
    private static func epochs() -> [JSON] {
        let midnight: Int64 = 20_780 * 86_400
        let times: [Int64] = [
            0, 86_399, 86_400, 4 * 86_400 + 43_200, midnight - 601, midnight - 600, midnight - 1,
            midnight, midnight + 599, midnight + 600, midnight + 43_200,
        ]
        return times.map { seconds in
            let time = UTCTime(seconds: seconds)
            return [
                "at": .int(Int(seconds)), "epoch": .int(Int(MeetEpoch(at: time).number)),
                "followed": .array(MeetEpoch.followed(at: time).map { .int(Int($0.number)) }),
                "read": .array(MeetEpoch(at: time).read.map { .int(Int($0.number)) }),
            ]
        }
    }

    // MARK: Topics

    private var box: MeetBox { Self.keys.box(of: ada.key, in: Self.epoch) }
    private var inbox: MeetBox { Self.keys.inbox(of: bo.key, in: Self.epoch) }
    private var lane: MeetBox { Self.keys.lane(from: ada.key, to: bo.key, in: Self.epoch) }

    private func topics() -> [JSON] {
        let all: [(String, MeetTopic)] =
            [
                ("card", .card(box)), ("card", .card(Self.keys.box(of: cy.key, in: Self.epoch))),
                ("live", .live), ("letters", .letters(inbox: inbox, lane: lane)),
                ("tunnel", .tunnel(inbox: inbox)),
            ] + (0..<MeetLimits.parts).map { ("part", .part(box, $0)) }
        return all.map { kind, topic in
            let text = topic.text(in: Self.names)
            return [
                "kind": .string(kind), "topic": .string(text), "is_kept": .bool(topic.isKept),
            ]
        }
    }

    private func refusedTopics() -> [JSON] {
        let prefix = Self.names.prefix
        let card = MeetTopic.card(box).text(in: Self.names)
        let part = MeetTopic.part(box, 0).text(in: Self.names)
        let letters = MeetTopic.letters(inbox: inbox, lane: lane).text(in: Self.names)
        let tunnel = MeetTopic.tunnel(inbox: inbox).text(in: Self.names)
        let old = Self.keys.names(in: Self.epoch.previous)
        let bucket = box.bucket.text
        let other = MeetBucket(box.bucket.number + 1).text
        // The bits that are left over in the last character are zero in a box.
        let loose = String(box.text.dropLast()) + (box.text.hasSuffix("b") ? "d" : "b")
        let texts: [(String, String)] = [
            ("nothing", ""), ("the group alone", prefix),
            ("nothing behind the group", prefix + "/"),
            ("a slash at the end", prefix + "/e/"), ("a slash in front", "/" + card),
            ("another version", "sa2" + card.dropFirst(3)),
            ("capitals", card.uppercased()), ("of another epoch", old.prefix + "/e"),
            ("another shard", card.replacing("/\(Self.names.shard)/", with: "/zz/")),
            ("a kind that is none", prefix + "/x"),
            ("a card without a box", "\(prefix)/c/\(bucket)"),
            ("a card in another bucket", "\(prefix)/c/\(other)/\(box.text)"),
            ("a bucket of two digits", "\(prefix)/c/\(bucket)0/\(box.text)"),
            ("a card with a part", card + "/0"), ("a box of 12", String(card.dropLast())),
            ("a box of 14", card + "a"), ("bits left over", "\(prefix)/c/\(bucket)/\(loose)"),
            ("a log without a part", String(part.dropLast(2))), ("part 4", part.dropLast() + "4"),
            ("part 00", part + "0"), ("part +", part.dropLast() + "+"),
            ("a log in another bucket", "\(prefix)/l/\(other)/\(box.text)/0"),
            ("a lane of 12", String(letters.dropLast())),
            ("letters to an inbox of 12", "\(prefix)/q/\(inbox.text.dropLast())/\(lane.text)"),
            ("a tunnel to an inbox of 12", String(tunnel.dropLast())),
            ("letters without a lane", String(letters.dropLast(14))),
            ("letters with more", letters + "/0"), ("a tunnel with more", tunnel + "/0"),
            ("a tunnel to nobody", prefix + "/t"), ("live with more", prefix + "/e/0"),
        ]
        return texts.map { ["why": .string($0.0), "topic": .string($0.1)] }
    }

    private func filters() -> [JSON] {
        let all: [(String, MeetFilter)] = [
            ("cards", .cards(box.bucket)), ("logs", .logs(box.bucket)), ("card", .card(box)),
            ("log", .log(box)), ("live", .live), ("letters", .letters(inbox: inbox)),
            ("tunnels", .tunnels(inbox: inbox)),
        ]
        return all.map { kind, filter in
            ["kind": .string(kind), "filter": .string(filter.text(in: Self.names))]
        }
    }

    private func refusedBoxes() -> [JSON] {
        ["", "aaaaaaaaaaaa", "aaaaaaaaaaaaaa", "aaaaaaaaaaaab", "Aaaaaaaaaaaaa", "1aaaaaaaaaaaa"]
            .map { .string($0) }
    }
}
