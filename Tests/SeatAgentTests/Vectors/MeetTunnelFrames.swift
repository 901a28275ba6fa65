// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Rendezvous
@testable import SeatAgent
@testable import Text

/// Frames of one tunnel, and what is none (docs/meet.md section 8). All are of the first OPEN.
extension MeetTunnelVectors {
    // MARK: Frames

    private static func data(_ count: Int) -> TunnelBody {
        .data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) })
    }

    func frames() throws -> [JSON] {
        let opening = try opening().opening
        let all: [(TunnelBody, UInt32, isBack: Bool)] =
            [
                (.ready, 1, true), (Self.data(1), 1, false), (Self.data(517), 2, false),
                (Self.data(TunnelLimits.piece), 3, false), (Self.data(1300), 2, true),
                (.took(1), 3, true), (.took(32_768), 256, true), (.took(65_536), 65_536, false),
                (Self.data(24), .max, false),
            ] + TunnelEnd.allCases.map { (.end($0), UInt32(4 + $0.rawValue), true) }
        return try all.map { body, seq, isBack in
            let key = isBack ? opening.keys.back : opening.keys.there
            guard
                let frame = TunnelFrame.seal(
                    body, opening.id, seq: seq, key: key, Self.primitives),
                let place = TunnelFrame.place(frame), place == (opening.id, seq),
                TunnelFrame.open(frame, seq: seq, key: key, Self.primitives) == body
            else { throw DecodeError(.badValue) }
            return [
                "back": .bool(isBack), "seq": .int(Int(seq)), "body": .hex(body.encoded),
                "frame": .hex(frame),
            ]
        }
    }

    // MARK: What is no frame

    func unread() throws -> [JSON] {
        let opening = try opening().opening
        let (there, back) = (opening.keys.there, opening.keys.back)
        let id = opening.id.bytes
        func seal(
            _ body: [UInt8], seq: [UInt8] = [0, 0, 0, 1], key: Bytes32? = nil,
            nonce: [UInt8]? = nil, bound: [UInt8]? = nil, head: [UInt8]? = nil
        ) -> [UInt8] {
            let head = head ?? [3] + id + seq
            let nonce = [UInt8](repeating: 0, count: 20) + (nonce ?? seq)
            let sealed = Self.primitives.seal(
                body, with: bound ?? head, key: key ?? there, nonce: nonce)
            return head + (sealed ?? [])
        }
        let data: [UInt8] = [0x82, 2, 0x43, 1, 2, 3]
        let good = seal(data)
        let other = try Self.id(2).bytes
        func bent(_ place: Int) -> [UInt8] {
            var bytes = good
            bytes[place] ^= 1
            return bytes
        }
        let long = Self.data(TunnelLimits.piece + 1).encoded
        let all: [(String, [UInt8])] = [
            ("nothing", []), ("a head alone", Array(good.prefix(21))),
            ("version 2", seal(data, head: [2] + id + [0, 0, 0, 1])),
            ("version 4", seal(data, head: [4] + id + [0, 0, 0, 1])),
            ("of the other direction", seal(data, key: back)),
            ("by a member of the flight", seal(data, key: MeetVectors.names.seal)),
            ("number 0", seal(data, seq: [0, 0, 0, 0])),
            ("another number than it was sealed with", seal(data, nonce: [0, 0, 0, 2])),
            ("a number with the lowest byte first", seal(data, nonce: [1, 0, 0, 0])),
            ("of another tunnel", seal(data, head: [3] + other + [0, 0, 0, 1])),
            ("bound to nothing", seal(data, bound: [])),
            ("bound to its tunnel alone", seal(data, bound: [3] + id)),
            ("the id bent", bent(1)), ("the number bent", bent(19)), ("a byte bent", bent(21)),
            ("the tag bent", bent(good.count - 1)), ("a byte less", Array(good.dropLast())),
            ("a byte more", good + [0]), ("too long", seal(long)), ("an empty body", seal([])),
            ("a body of one byte", seal([0x81])), ("no bytes of data", seal([0x82, 2, 0x40])),
            ("bytes behind the body", seal(data + [0])), ("reason 7", seal([0x82, 4, 7])),
        ]
        guard TunnelFrame.open(good, seq: 1, key: there, Self.primitives) != nil else {
            throw DecodeError(.badValue)
        }
        return all.map { why, frame in
            if let (id, seq) = TunnelFrame.place(frame), id == opening.id,
                TunnelFrame.open(frame, seq: seq, key: there, Self.primitives) != nil
            {
                preconditionFailure("it is read: \(why)")
            }
            return ["why": .string(why), "frame": .hex(frame)]
        }
    }

    // MARK: Bodies

    static func bodies() -> [JSON] {
        let all: [TunnelBody] =
            [
                .ready, data(1), data(23), data(24), data(255), data(256),
                data(TunnelLimits.piece), .took(1), .took(23), .took(24), .took(256),
                .took(65_535), .took(TunnelLimits.window),
            ] + TunnelEnd.allCases.map { .end($0) }
        return all.map { body in
            let says: JSON =
                switch body {
                case .ready: ["ready"]
                case .data(let bytes): ["data", .hex(bytes)]
                case .took(let count): ["took", .int(count)]
                case .end(let reason): ["end", .int(reason.rawValue)]
                }
            return ["says": says, "body": .hex(body.encoded)]
        }
    }

    static func refusedBodies() -> [JSON] {
        let all: [(String, [UInt8])] = [
            ("nothing", []), ("an empty array", [0x80]), ("no array", [1]), ("kind 0", [0x81, 0]),
            ("kind 0 of two", [0x82, 0, 3]), ("kind 5", [0x81, 5]),
            ("kind 5 of two", [0x82, 5, 1]), ("READY of two", [0x82, 1, 0]),
            ("READY with a byte behind it", [0x81, 1, 0]), ("DATA without data", [0x81, 2]),
            ("DATA of nothing", [0x82, 2, 0x40]), ("DATA that is text", [0x82, 2, 0x61, 0x61]),
            ("DATA of three", [0x83, 2, 0x41, 1, 0]), ("DATA cut short", [0x82, 2, 0x42, 1]),
            ("DATA with too long a head", [0x82, 2, 0x58, 1, 7]),
            ("DATA without an end", [0x82, 2, 0x5F, 0x41, 7, 0xFF]),
            ("DATA of 15361", data(TunnelLimits.piece + 1).encoded),
            ("TOOK of nothing", [0x82, 3, 0]), ("TOOK without a count", [0x81, 3]),
            ("TOOK of 65537", [0x82, 3, 0x1A, 0, 1, 0, 1]), ("TOOK below zero", [0x82, 3, 0x20]),
            ("TOOK with too long a head", [0x82, 3, 0x18, 7]), ("END without a reason", [0x81, 4]),
            ("END with reason 7", [0x82, 4, 7]), ("END below zero", [0x82, 4, 0x20]),
            ("END with a byte behind it", [0x82, 4, 0, 0]), ("a map", [0xA1, 2, 0x41, 1]),
            ("a tag", [0xC0, 0x81, 1]), ("an array without an end", [0x9F, 1, 0xFF]),
        ]
        return all.map { why, body in
            [
                "why": .string(why), "body": .hex(body),
                "error": MeetPlainForms.error { try TunnelBody(decoding: body) },
            ]
        }
    }
}
