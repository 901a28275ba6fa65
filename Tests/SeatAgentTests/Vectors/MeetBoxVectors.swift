// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Rendezvous
@testable import Text

/// How logs are divided, where a flight lives, and lists of letters (docs/meet.md sections 3 to 5).
enum MeetBoxVectors {
    static func json() throws -> JSON {
        [
            "note": "docs/meet.md sections 3 to 5: parts, new entries, letters, homes",
            "logs": .array(logs()), "letters": .array(lists()),
            "refused_letters": .array(refusedLists()),
            "ends": .array(MeetLetterVectors.ends()),
            "refused_standing": .array(MeetLetterVectors.refusedStanding()),
            "pools": .array(try pools()),
            "refused_brokers": .array(refusedBrokers()),
        ]
    }

    // MARK: Logs

    /// Sizes of entries with how often each comes, and how many entries each part and each live
    /// message has.
    private static func logs() -> [JSON] {
        let all: [(String, [(size: Int, times: Int)])] = [
            ("nothing", []), ("one", [(200, 1)]), ("64 small ones", [(23, 64)]),
            ("65 small ones", [(23, 65)]), ("three that fill a part", [(5117, 12)]),
            ("one byte more", [(5118, 1), (5117, 12)]), ("one byte less", [(5116, 1), (5117, 12)]),
            ("small ones count three bytes too", [(21, 700)]),
            (
                "does not go back to fill a gap",
                [(15_000, 1), (400, 1), (14_000, 1), (300, 2)]
            ),
            ("as long as can be left", [(15_000, 4), (10, 1)]),
            ("one that is too long", [(100, 1), (15_001, 1), (100, 1)]),
            ("too long at the start", [(15_001, 1), (1, 1)]),
            ("more than four parts", [(300, 250)]),
            ("more than four parts, and a small one", [(15_000, 5), (1, 1)]),
        ]
        return all.map { name, runs in
            let log = runs.flatMap { run in
                [[UInt8]](repeating: [UInt8](repeating: 1, count: run.size), count: run.times)
            }
            return [
                "name": .string(name),
                "sizes": .array(runs.map { .array([.int($0.size), .int($0.times)]) }),
                "parts": .array(OwnBox.parts(of: log).map { .int($0.count) }),
                "live": .array(OwnBox.live(log).map { .int($0.count) }),
            ]
        }
    }

    // MARK: Letters

    private static func letters(_ count: Int, _ size: Int = 1) -> [MeetLetter] {
        (0..<count).map { number in
            let kind = MeetLetter.Kind.allCases[number % MeetLetter.Kind.allCases.count]
            return MeetLetter(kind, [UInt8](repeating: UInt8(number), count: size))
        }
    }

    private static func lists() -> [JSON] {
        [letters(1), letters(6), letters(8), letters(1, 4096), letters(3, 4096)].map { list in
            [
                "list": .hex(MeetLetter.encode(list)),
                "letters": .array(
                    list.map { ["kind": .int($0.kind.rawValue), "payload": .hex($0.payload)] }),
            ]
        }
    }

    private static func refusedLists() -> [JSON] {
        let good = MeetLetter.encode(letters(1))
        let numbers = [26, 32, 34, 36, 38, 44, 46, 0, 43, 100, 102, 304]
        var kinds: [(String, [UInt8])] = numbers.map { number in ("kind \(number)", one(number)) }
        kinds += [
            ("no letters", [0x80]), ("nine letters", MeetLetter.encode(letters(9))),
            ("an empty letter", MeetLetter.encode(letters(1, 0))),
            ("a letter of 4097 bytes", MeetLetter.encode(letters(1, 4097))),
            ("a letter of three", [0x81, 0x83, 0x18, 24, 0x41, 1, 0]),
            ("a letter of one", [0x81, 0x81, 0x18, 24]), ("bytes behind it", good + [0]),
            ("cut short", Array(good.dropLast())), ("no list", [0x18, 24]), ("nothing", []),
            ("a kind of three bytes", [0x81, 0x82, 0x19, 0, 24, 0x41, 1]),
            ("a letter that is text", [0x81, 0x82, 0x18, 24, 0x61, 0x61]),
        ]
        return kinds.map { why, list in
            [
                "why": .string(why), "list": .hex(list),
                "error": MeetPlainForms.error { try MeetLetter.decode(list) },
            ]
        }
    }

    /// A letter of any kind.
    private static func one(_ kind: Int) -> [UInt8] {
        var writer = CBORWriter(capacity: 16)
        writer.array(1)
        writer.array(2)
        writer.uint(kind)
        writer.bytes([1])
        return writer.bytes
    }

    // MARK: Pools

    private static func pools() throws -> [JSON] {
        let three = ["m1.example.org", "m2.example.org", "m3.example.org"].map { ($0, 8883) }
        let many = (0..<150).map { ("m\($0).example.org", 8883) }
        let pools: [(String, [(String, Int)])] = [
            ("nobody", []), ("one", [("meet.example.org", 8883)]), ("two", Array(three.prefix(2))),
            ("three", three), ("three in another order", three.reversed()),
            ("five", three + [("m4.example.org", 8883), ("m5.example.org", 443)]),
            ("one host, many ports", (0..<8).map { ("meet.example.org", 1000 + $0 * 900) }),
            ("capitals and a dot", [("M1.Example.ORG.", 8883)] + three.suffix(2)),
            ("one twice", [("m1.example.org", 8883), ("M1.example.org.", 8883)]),
            ("more than 64", many), ("more than 64, turned", many.reversed()),
        ]
        let flights = ["XX1/2000-01-01/XXX", "XY9A/2026-11-22/DUB"]
        let keys = try flights.map { text in
            guard let name = FlightName(text),
                let key = FlightKey(name, primitives: MeetVectors.primitives)
            else { throw DecodeError(.badValue) }
            return MeetKeys(key, primitives: MeetVectors.primitives)
        }
        return try pools.map { name, pool in
            let brokers = try pool.map { host, port in
                guard let broker = MeetBroker(host: host, port: UInt16(port)) else {
                    throw DecodeError(.badValue)
                }
                return broker
            }
            return [
                "name": .string(name), "brokers": .array(pool.map { [.string($0), .int($1)] }),
                "flights": .array(
                    keys.map { keys in
                        let homes = MeetPool.homes(
                            of: keys.pool, among: brokers, primitives: MeetVectors.primitives)
                        return [
                            "pool": .string(keys.pool),
                            "homes": .array(homes.map { [.string($0.host), .int(Int($0.port))] }),
                        ]
                    }),
            ]
        }
    }

    private static func refusedBrokers() -> [JSON] {
        let long = String(repeating: "a", count: 254)
        let all: [(String, String, Int)] = [
            ("no name", "", 1), ("a dot", ".", 1), ("port 0", "a", 0), ("254 characters", long, 1),
            ("a letter that is not ASCII", "m\u{e9}t.example", 1), ("a blank", "a b", 1),
            ("a line end", "a\n", 1),
        ]
        return all.map { why, host, port in
            let broker = MeetBroker(host: host, port: UInt16(port))
            return [
                "why": .string(why), "host": .string(host), "port": .int(port),
                "taken": .bool(broker != nil),
            ]
        }
    }
}
