// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Rendezvous
@testable import SeatAgent
@testable import Text

/// What the vectors of the meeting point say of good and bad is what their makers meant.
@Suite("Vectors of the meeting point") struct MeetVectorTests {
    private static let files = Dictionary(
        uniqueKeysWithValues: (try? MeetVectors.files()) ?? [])

    private func list(_ file: String, _ member: String) throws -> [JSON] {
        let found = try #require(Self.files[file]?[member]?.list)
        #expect(found.count > 2, "\(file) \(member)")
        return found
    }

    private func bytes(_ item: JSON, _ member: String) throws -> [UInt8] {
        try #require(item[member]?.text.flatMap { Protocol.bytes(hexadecimal: $0) })
    }

    @Test("What must be refused is refused, each for a reason")
    func refusals() throws {
        let lists = [
            ("meet-payloads", "refused"), ("meet-payloads", "refused_padding"),
            ("meet-cards", "refused"), ("meet-boxes", "refused_letters"),
            ("meet-boxes", "refused_standing"),
            ("meet-tunnels", "refused_bodies"),
        ]
        for (file, member) in lists {
            for item in try list(file, member) {
                #expect(item["error"]?.text != nil, "\(file): \(item["why"]?.text ?? "")")
            }
        }
        for item in try list("meet-names", "refused_topics") {
            let text = try #require(item["topic"]?.text)
            #expect(MeetTopic(text, in: MeetVectors.names) == nil, "\(text)")
        }
        for item in try list("meet-names", "refused_boxes") {
            #expect(MeetBox(try #require(item.text)) == nil)
        }
        for item in try list("meet-boxes", "refused_brokers") {
            #expect(item["taken"] == .bool(false), "\(item["why"]?.text ?? "")")
        }
    }

    @Test("What is taken is written back as the same bytes")
    func acceptances() throws {
        for item in try list("meet-payloads", "accepted") {
            _ = try MeetPlain(decoding: try bytes(item, "plain"))
        }
        for item in try list("meet-cards", "accepted") {
            let body = try bytes(item, "body")
            #expect(try MeetCard(decoding: body).encoded == body)
        }
        for item in try list("meet-names", "topics") {
            let text = try #require(item["topic"]?.text)
            #expect(MeetTopic(text, in: MeetVectors.names)?.text(in: MeetVectors.names) == text)
            #expect(text.utf8.count <= MeetTopic.longest)
        }
        for item in try list("meet-payloads", "payloads") {
            let topic = try #require(
                item["topic"]?.text.flatMap { MeetTopic($0, in: MeetVectors.names) })
            let payload = try bytes(item, "payload")
            let plain = try #require(
                SealedPayload.open(
                    payload, from: topic, in: MeetVectors.names,
                    primitives: MeetVectors.primitives))
            #expect(try MeetPlain(decoding: plain).encoded == plain)
        }
    }

    @Test("Just these cards count")
    func cards() throws {
        let good = try list("meet-cards", "judged").filter { $0["good"] == .bool(true) }
        #expect(
            good.compactMap { $0["why"]?.text } == [
                "good", "64 items", "no entries yet", "4096 entries in four parts",
                "made 600 s ahead", "in the last second", "for 96 hours", "old, and not over",
            ])
    }

    @Test("Runs of tunnels end as they were meant to")
    func runs() throws {
        var ends: [String: String] = [:]
        for run in try list("meet-tunnel-runs", "runs") {
            let said = (run["steps"]?.list ?? []).flatMap { $0["does"]?.list ?? [] }
            let over = said.compactMap(\.text).filter { $0.hasPrefix("over") }
            ends[try #require(run["name"]?.text)] = over.joined(separator: ", ")
        }
        #expect(ends["in order"] == "" && ends["256 are early"] == "")
        #expect(ends["257 are early"] == "over 5" && ends["a gap of 5 s"] == "over 5")
        #expect(ends["nobody answers"] == "over 1" && ends["120 s without data"] == "over 4")
        #expect(ends["4 MiB that came"] == "over 4" && ends["READY twice"] == "over 5")
        let gates = try list("meet-tunnel-runs", "gates")
        let taken = gates.map { ($0["steps"]?.list ?? []).compactMap { $0["taken"]?.number } }
        #expect(
            taken == [
                [1], [1], [0], [1], [0], [0], [1, 0, 0, 0, 0], [1, 0, 0], [1, 0], [1, 0, 1, 0],
                [512, 0, 1],
            ])
    }

    @Test("Payloads of the six sizes are there")
    func sizes() throws {
        let sizes = try list("meet-payloads", "payloads").compactMap { $0["size"]?.number }
        #expect(Set(sizes) == Set(MeetLimits.payloadSizes))
    }
}
