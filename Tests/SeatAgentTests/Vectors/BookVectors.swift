// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

@testable import Keys
@testable import Text

/// Ledgers: what they say, and what books become of them.
struct BookVectors {
    private let venue: LedgerVenue
    /// Eight keys that grow with their numbers, and those of random sets.
    private let signers: [any Signer]
    private let others: [any Signer]

    init() throws {
        let people = try (30...46).map { try Scribe("p\($0)", UInt8($0)).identity }
        venue = LedgerVenue(
            gathering: StatementVectors.gathering.id, runBy: people[16],
            primitives: VectorFlight.primitives)
        signers = people[..<8].sorted { $0.key < $1.key }
        others = Array(people[..<16])
    }

    static func forms() -> JSON { BookForms().json(VectorFlight.primitives) }

    func scenes() throws -> JSON {
        let scenes = try BookScenes(in: venue, signers: signers).all()
        return file(
            "section 32: scenes of ledgers, and the book that they come to",
            try scenes.map { try book($0.name, $0.entries) })
    }

    /// Sets in which each desk says what it likes.
    func random() throws -> JSON {
        let sets = try (1...8 as ClosedRange<UInt64>).map { seed in
            let set = try RandomLedgers(seed: seed, size: 24, in: venue) { others[$0] }
            return try book("random set \(seed)", set.entries)
        }
        return file("section 32: random sets of ledgers", sets)
    }

    private func file(_ note: String, _ books: [JSON]) -> JSON {
        [
            "note": .string(note), "operator": .hex(venue.runBy.key.bytes),
            "gathering": .hex(venue.gathering.bytes), "books": .array(books),
        ]
    }

    private func book(_ name: String, _ entries: [Entry]) throws -> JSON {
        let reading = try Bundle.read(entries.flatMap(\.bytes), codec: venue.codec)
        return [
            "name": .string(name), "items": .array(entries.map { .hex($0.bytes) }),
            "refused": .array(reading.refused.map { .int($0.place) }),
            "expected": .array(
                bookLines(venue.fold(reading.logs), venue.primitives).map { .string($0) }),
        ]
    }
}
