// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing
import Wording

@testable import SeatAgent
@testable import Text
@testable import Transport

@Suite("Exported logs")
struct BundleTests {
    @Test("What is written is read back, in any order of the items")
    func roundTrip() throws {
        var voyage = try Voyage()
        try voyage.swap([("14C", voyage.bo), ("12A", voyage.ada)])
        let bytes = Bundle.bytes(voyage.logs)
        let reading = try Bundle.read(bytes, codec: voyage.codec)
        #expect(reading.refused.isEmpty)
        #expect(reading.flight == voyage.flight.id)
        #expect(Fold.fold(reading.logs) == voyage.fold)
        let reversed = try Bundle.items(bytes).reversed().flatMap(\.bytes)
        let other = try Bundle.read(reversed, codec: voyage.codec)
        #expect(other.refused.isEmpty)
        #expect(Fold.fold(other.logs) == voyage.fold)
    }

    @Test("Pages of any size make the same bundle", arguments: [1, 300, 1000, 100_000])
    func pages(limit: Int) throws {
        var voyage = try Voyage()
        try voyage.swap([("14C", voyage.bo), ("12A", voyage.ada)])
        var bytes: [UInt8] = []
        var cursor: Bundle.Cursor?
        repeat {
            let page = Bundle.write(voyage.logs, after: cursor, limit: limit)
            bytes += page.items.flatMap(\.bytes)
            cursor = page.next
        } while cursor != nil
        #expect(bytes == Bundle.bytes(voyage.logs))
    }

    @Test("A fork proof is part of the bundle, and blames its author")
    func forks() throws {
        var voyage = try Voyage()
        let seq = voyage.logs.head(of: voyage.bo.key).seq
        let previous = voyage.logs.head(of: voyage.bo.key).id
        let one = try voyage.add(.chat(text: "one", replyTo: nil), by: voyage.bo)
        let two = try voyage.codec.sign(
            .chat(text: "two", replyTo: nil), flight: voyage.flight.id, seq: seq + 1,
            previous: previous, by: voyage.bo)
        let proof = try #require(ForkProof(one, two))
        let isNew = voyage.logs.insert(proof: proof)
        #expect(isNew)
        let reading = try Bundle.read(Bundle.bytes(voyage.logs), codec: voyage.codec)
        #expect(reading.logs.proofs == [proof])
        #expect(Fold.fold(reading.logs).isForked(voyage.bo.key))
        // Found by fuzzing: with no entry beside it to tell the flight the
        // proof was dropped in silence.
        let alone = Bundle.Item.proof(proof.first.bytes, proof.second.bytes).bytes
        let blamed = try Bundle.read(alone, codec: voyage.codec)
        #expect(blamed.logs.proofs == [proof])
        #expect(blamed.flight == voyage.flight.id)
        let nothing = Bundle.Item.proof([1], [2]).bytes
        #expect(try Bundle.read(nothing, codec: voyage.codec).refused.map(\.place) == [0])
    }

    @Test("Three entries at one place come to the same in any order, and so do two flights")
    func order() throws {
        let voyage = try Voyage()
        let head = voyage.logs.head(of: voyage.bo.key)
        func line(_ text: String, _ flight: FlightID) throws -> Bundle.Item {
            .entry(
                try voyage.codec.sign(
                    .chat(text: text, replyTo: nil), flight: flight, seq: head.seq + 1,
                    previous: head.id, by: voyage.bo
                ).bytes)
        }
        let lines = try ["one", "two", "three"].map { try line($0, voyage.flight.id) }
        let other = try line("elsewhere", FlightID(.zero))
        let rest = try Bundle.items(Bundle.bytes(voyage.logs))
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        let readings = try orders.map { order in
            let items = [other] + order.map { lines[$0] } + rest
            return (items, try Bundle.read(items.flatMap(\.bytes), codec: voyage.codec))
        }
        for (items, reading) in readings {
            #expect(reading.flight == voyage.flight.id)
            #expect(reading.logs == readings[0].1.logs && reading.logs.proofs.count == 1)
            // The one of another flight, and the third at one place.
            #expect(reading.refused.count == 2)
            let refused = reading.refused.map { items[$0.place].bytes }
            let first = readings[0].1.refused.map { readings[0].0[$0.place].bytes }
            #expect(Set(refused) == Set(first))
        }
    }

    @Test("A log of 0.1 is told from a damaged one")
    func older() throws {
        let voyage = try Voyage()
        #expect(Bundle.olderItem(Bundle.bytes(voyage.logs)) == nil)
        let chat = voyage.older([7, 0x82, 0x61, 0x61, 0xF6])
        let wish = voyage.older([8, 0x83, 0x80, 0x80, 0x60])
        let broken = voyage.older([7, 0x83, 0x61, 0x61, 0xF6, 0x00])
        for (items, place) in [([chat], 0), ([broken, wish], 1), ([broken], nil)] {
            #expect(Bundle.olderItem(items.flatMap(\.bytes)) == place)
        }
        #expect(Bundle.olderItem(Bundle.Item.proof(chat.bytes, broken.bytes).bytes) == 0)
    }

    @Test("No changed byte goes unnoticed")
    func tampering() throws {
        let voyage = try Voyage()
        let bytes = Bundle.bytes(voyage.logs)
        for index in stride(from: 0, to: bytes.count, by: 7) {
            var changed = bytes
            changed[index] ^= 1
            let reading = try? Bundle.read(changed, codec: voyage.codec)
            let isNoticed = reading.map { !$0.refused.isEmpty } ?? true
            #expect(isNoticed, "byte \(index)")
        }
    }

    @Test("What is no sequence of items is refused, at the right place")
    func broken() throws {
        let voyage = try Voyage()
        let bytes = Bundle.bytes(voyage.logs)
        #expect(try Bundle.items([]).isEmpty)
        #expect(throws: DecodeError.self) { try Bundle.items(Array(bytes.dropLast())) }
        #expect(throws: DecodeError.self) { try Bundle.items(bytes + [0x01]) }
        do throws(DecodeError) {
            _ = try Bundle.items(bytes + [0xFF])
            Issue.record("accepted")
        } catch {
            #expect(error.offset >= bytes.count)
        }
    }

    @Test("The audit names tokens, holders, contracts, forks and the digest")
    func report() throws {
        var voyage = try Voyage()
        try voyage.swap([("14C", voyage.bo), ("12A", voyage.ada)])
        try voyage.add(
            .vote(
                .no(try voyage.contract([("20F", voyage.ada), ("12A", voyage.cy)], nonce: 9).id)),
            by: voyage.cy)
        let reading = try Bundle.read(Bundle.bytes(voyage.logs), codec: voyage.codec)
        let report = AuditReport(reading, primitives: voyage.primitives)
        let json = report.json
        #expect(json["digest"] == .string(voyage.fold.digest(voyage.primitives).hex))
        #expect(json["tokens"]?.list?.count == 3)
        let states = (json["contracts"]?.list ?? []).compactMap { $0["status"]?.text }
        #expect(states.sorted() == ["applied", "open"])
        let lines = report.lines.joined(separator: "\n")
        #expect(lines.contains("12A   ada"))
        // In the order of tokens, which are hashes.
        let moves = lines.split(separator: "\n").first { $0.contains("applied  ") } ?? ""
        #expect(moves.contains("12A to ada") && moves.contains("14C to bo"))
    }
}
