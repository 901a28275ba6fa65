// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Text

/// How far logs are known, from their entries to the digests of all of it and of each part
/// (docs/protocol.md section 11).
enum FrontierVectors {
    static func json() throws -> JSON {
        [
            "note": "heads as in docs/protocol.md section 11, and the digests of FRONTIER, SUMMARY",
            "frontiers": [
                try frontier("nobody is known", 0),
                try frontier("all that a list tells", Limits.shortFrontier),
                try frontier("more than that: parts", Limits.shortFrontier + 36),
            ],
        ]
    }

    /// Passengers who wrote one, two or three entries; the third one forked.
    private static func frontier(_ why: String, _ count: Int) throws -> JSON {
        var logs = LogSet()
        for number in 0..<count {
            var scribe = try Scribe("ada", UInt8(10 + number))
            try scribe.write(.genesis(name: "ada", agent: "vectors 1"))
            var other = scribe
            for line in 0..<number % 3 {
                try scribe.write(.chat(text: "line \(line)", replyTo: nil))
            }
            if number == 2 { try other.write(.chat(text: "another line", replyTo: nil)) }
            for entry in scribe.log + other.log.dropFirst() {
                _ = logs.insert(
                    entry.bytes, flight: VectorFlight.key.id, codec: VectorFlight.codec)
            }
        }
        let frontier = Frontier(logs, primitives: VectorFlight.primitives)
        return [
            "why": .string(why),
            "heads": .array(
                logs.logs.map { log in
                    [
                        "author": .hex(log.author.raw.bytes), "entries": .int(log.seq),
                        "id": .hex(log.head.id.raw.bytes), "fork": .int(log.fork ?? 0),
                    ]
                }),
            "items": .array(frontier.items.map { .hex($0.packed) }),
            "logs": .hex(frontier.digest.bytes),
            "parts": .hex(
                frontier.buckets.flatMap { word in
                    stride(from: 56, through: 0, by: -8).map { UInt8(word >> UInt64($0) & 255) }
                }),
        ]
    }
}
