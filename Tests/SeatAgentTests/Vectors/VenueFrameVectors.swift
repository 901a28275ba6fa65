// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

@testable import Text

/// Frames, and the code with which an open session of a flight and one of a venue end on each: they
/// differ in how far logs go, and in what only venues say.
struct VenueFrameVectors {
    private typealias Part = BookForms.Part

    private let key = BookForms.some(7)
    private let last = BookForms.some(8)
    private let hash = BookForms.some(9)
    private let thread = BookForms.some(1, 16)

    func json() -> JSON {
        [
            "note": "close codes of open sessions; null: it stays",
            "frames": .array(
                (places + ofVenues + others).map { name, frame in
                    func code(_ gathering: FlightKey) -> JSON {
                        OpenSession.fault(of: frame.bytes, in: gathering).map { .int($0) } ?? .null
                    }
                    return [
                        "name": .string(name), "frame": .hex(frame.bytes),
                        "flight": code(VectorFlight.key),
                        "venue": code(StatementVectors.gathering),
                    ]
                }),
        ]
    }

    private func frame(_ type: FrameType, _ payload: Part) -> Frame {
        Frame(type: type.rawValue, payload: payload.encoded)
    }

    /// Every message with a place in a log, at the longest logs and one beyond.
    private var places: [(String, Frame)] {
        [4096, 4097, 32_768, 32_769].flatMap { seq in
            let number = Part.number(seq)
            let head = Part.list([.bytes(key), number, .bytes(hash)])
            let other = Part.list([.bytes(last), .number(1), .bytes(hash)])
            func row(_ seq: Int, _ fork: Int) -> Part {
                func two(_ number: Int) -> [UInt8] {
                    [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
                }
                let bytes = key + two(seq) + BookForms.some(3, 8) + two(fork)
                return .list([.bytes(hash), .bytes(hash), .list([.bytes(bytes)]), .number(0)])
            }
            func want(_ from: Part) -> Part {
                .list([.number(1), .list([.list([.bytes(key), from, number])])])
            }
            let all: [(String, FrameType, Part)] = [
                ("FRONTIER, a log", .frontier, row(seq, 0)),
                ("FRONTIER, a fork", .frontier, row(1, seq)),
                ("WANT, through", .want, want(.number(1))), ("WANT, from", .want, want(number)),
                ("HAVE", .have, .list([.list([.bytes(key), number])])),
                (
                    "ASK, the head", .ask,
                    .list([.bytes(thread), .bytes([9]), .text(""), .number(1), head])
                ), ("READY, the head", .ready, .list([.bytes(thread), .bytes(hash), head])),
                (
                    "PREPARE, the first head", .prepare,
                    .list([.bytes(thread), .bytes([1]), .list([head, other])])
                ),
            ]
            return all.map { ("\($0) \(seq)", frame($1, $2)) }
        }
    }

    /// A right and a wrong one of each that only venues say.
    private var ofVenues: [(String, Frame)] {
        let form = Part.list([.bytes(thread), .number(1), .list([])])
        let acked = Part.list([.bytes(thread), .number(0), .text("")])
        let list = Part.list([.number(0), .null, .null, .list([])])
        let mark = Part.list([.number(0), .bytes(hash)])
        let page = Part.list([.number(1), .bytes(BookForms.some(5, 64)), .text("{}")])
        let right: [(String, FrameType, Part)] = [
            ("FORM", .form, form), ("FORM_ACK", .formAck, acked), ("VENUE_MARK", .venueMark, mark),
            ("STATEMENTS", .statements, list), ("ASKS", .asks, list),
        ]
        let wrong: [(String, FrameType, Part)] = [
            ("FORM without answers", .form, .list([.bytes(thread), .number(1)])),
            ("FORM_ACK without words", .formAck, .list([.bytes(thread), .number(0)])),
            ("VENUE_MARK without a hash", .venueMark, .list([.number(0)])),
            ("VENUE whose words are text", .venue, page),
            ("STATEMENT that is null", .statement, .null),
            ("STATEMENTS that is empty", .statements, .list([])),
            ("ASKS that is empty", .asks, .list([])),
        ]
        return (right + wrong).map { ($0, frame($1, $2)) }
    }

    /// What both make the same of.
    private var others: [(String, Frame)] {
        let digests = (63...64).map { count in
            Part.list([.bytes(hash), .bytes(hash), .bytes([UInt8](repeating: 0, count: 8 * count))])
        }
        return [
            ("SUMMARY with 63 digests", frame(.summary, digests[0])),
            ("SUMMARY", frame(.summary, digests[1])),
            ("PEX that is empty", frame(.peerExchange, .list([]))),
            ("PEX_CHANGE that is empty", frame(.peerChange, .list([]))),
            ("PEX_CHANGE that is null", frame(.peerChange, .null)),
            ("an unknown odd type", Frame(type: 83, payload: [0xF6])),
            ("an unknown even type", Frame(type: 66, payload: [0xF6])),
            ("PING that is null", Frame(type: FrameType.ping.rawValue, payload: [0xF6])),
        ]
    }
}

/// A session that is open.
enum OpenSession {
    /// The code with which one of that gathering ends on these bytes; `nil` when it stays.
    static func fault(of wire: [UInt8], in gathering: FlightKey) -> Int? {
        guard let ada = try? Scribe("ada", 1), let bo = try? Scribe("bo", 2) else { return -1 }
        func session(_ role: FlightKey.Role, _ me: PeerKey, _ peer: PeerKey) -> Session {
            let config = SessionConfig(
                me: me, boot: 1, connection: 1, port: 1, flights: [gathering],
                primitives: VectorFlight.primitives)
            return Session(config, role: role, peer: peer, exporter: .zero, at: .zero)
        }
        var here = session(.initiator, ada.key, bo.key)
        var there = session(.responder, bo.key, ada.key)
        let hello = here.handle(.started, at: .zero).bytes
        let answer = there.handle(.received(hello), at: .zero).bytes
        let last = here.handle(.received(answer), at: .zero).bytes
        _ = there.handle(.received(last), at: .zero)
        guard there.isOpen else { return -2 }
        return there.handle(.received(wire), at: .zero).closed?.code
    }
}
