// SPDX-License-Identifier: Apache-2.0
import Foundation
import Protocol
import Testing

@testable import SeatAgent
@testable import Text

/// The vectors in `docs/vectors` are what the code makes of fixed seeds, byte for byte.
///
/// `SEATAGENT_VECTORS=write swift test --filter VectorTests` writes them anew.
@Suite("Vectors")
struct VectorTests {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/vectors")

    /// Every file, made in memory.
    static func files() throws -> [(name: String, json: JSON)] {
        let entries = try EntryVectors()
        var files: [(name: String, json: JSON)] = [
            ("keys", try KeyVectors.keys()), ("flights", KeyVectors.flights()),
            ("hello", try KeyVectors.hello()), ("frames", try FrameVectors().json()),
            ("frontiers", try FrontierVectors.json()),
            ("verification", try VerificationVectors.json()),
            ("entries", try entries.json()), ("contracts", entries.contracts()),
            ("session", SessionText.json(try SessionScene())),
            ("receipts", try ReceiptVectors.json()), ("parties", try PartyVectors.json()),
            ("statements", try StatementVectors().json()),
            ("venue-frames", VenueFrameVectors().json()), ("asks", try AskVectors().json()),
            ("venue-files", try VenueFileVectors().json()),
            ("book-forms", BookVectors.forms()), ("book-scenes", try BookVectors().scenes()),
            ("book-random", try BookVectors().random()),
        ]
        files += try MeetVectors.files()
        for scene in try Scene.all() {
            let words = scene.name.split { !$0.isLetter && !$0.isNumber }
            files.append(
                ("bundle-" + words.joined(separator: "-"), try BundleVectors.json(scene)))
        }
        return files
    }

    @Test("The files are what the code makes")
    func filesAreCurrent() throws {
        let isWriting = ProcessInfo.processInfo.environment["SEATAGENT_VECTORS"] == "write"
        var names: [String] = []
        for file in try Self.files() {
            let url = Self.folder.appending(path: file.name + ".json")
            let text = VectorText.pretty(file.json) + "\n"
            if isWriting { try Data(text.utf8).write(to: url) }
            let found = try String(contentsOf: url, encoding: .utf8)
            #expect(found == text, "\(file.name).json is not what the code makes")
            names.append(file.name + ".json")
        }
        let there = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let others = try Self.madeElsewhere()
        #expect(there.filter { $0.hasSuffix(".json") }.sorted() == (names + others).sorted())
    }

    /// Bundles that others made: random histories, and those of `Tests/EndToEnd/fold_scenes.py`.
    private static func madeElsewhere() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasPrefix("bundle-random-") || $0.hasPrefix("bundle-rule-")
        }
    }

    @Test("Of bundles that others made the fold finds exactly what they expect")
    func bundlesMadeElsewhere() throws {
        let names = try Self.madeElsewhere()
        #expect(names.count > 40)
        for name in names {
            let url = Self.folder.appending(path: name)
            let text = try String(contentsOf: url, encoding: .utf8)
            let vector = try JSON(line: text)
            #expect(VectorText.pretty(vector) + "\n" == text, "\(name): the house form")
            let items = (vector["items"]?.list ?? []).compactMap(\.text)
                .compactMap { Protocol.bytes(hexadecimal: $0) }
            let reading = try Bundle.read(items.flatMap { $0 }, codec: VectorFlight.codec)
            let found = BundleVectors.expected(reading)
            for member in ["departures", "frontier", "refused", "contracts", "tokens", "forks"] {
                #expect(found[member] == vector["expected"]?[member], "\(name): \(member)")
            }
            #expect(found == vector["expected"], "\(name)")
            #expect(Invariants.violations(of: Fold.fold(reading.logs)).isEmpty, "\(name)")
            let back = try Bundle.read(items.reversed().flatMap { $0 }, codec: VectorFlight.codec)
            #expect(.hex(Fold.fold(back.logs).mapBytes) == vector["expected"]?["map"], "\(name)")
        }
    }

    @Test("The page that explains a session has the bytes of one")
    func transcript() throws {
        let url = Self.folder.deletingLastPathComponent().appending(path: "transcript.md")
        let scene = try SessionScene()
        let text = SessionText.page(scene)
        if ProcessInfo.processInfo.environment["SEATAGENT_VECTORS"] == "write" {
            try Data(text.utf8).write(to: url)
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == text)
        // Every frame is one that the decoder takes, and the swap was made.
        for frame in scene.sent {
            var decoder = FrameDecoder(limit: Limits.frame)
            decoder.append(frame.bytes)
            let decoded = try #require(try decoder.next())
            #expect(try Message.decode(decoded)?.encode() == frame.bytes)
        }
        let names = scene.sent.map(\.name)
        for name in ["HELLO", "HELLO_ACK", "FRONTIER", "ENTRIES", "ASK", "VOTE", "DM", "CLOSE"] {
            #expect(names.contains(name), "\(name)")
        }
        #expect(names.last == "CLOSE")
    }

    @Test("What must be refused is refused")
    func refusals() throws {
        let entries = try EntryVectors()
        for item in try entries.json()["refused"]?.list ?? [] {
            let bytes = try Self.bytes(item, "entry")
            var logs = LogSet()
            let insertion = logs.insert(
                bytes, flight: VectorFlight.key.id, codec: VectorFlight.codec)
            guard case .refused = insertion else {
                Issue.record("accepted: \(item["why"]?.text ?? "") \(insertion)")
                continue
            }
        }
        for item in entries.contracts()["refused"]?.list ?? [] {
            let bytes = try Self.bytes(item, "contract")
            #expect(throws: DecodeError.self, "\(item["why"]?.text ?? "")") {
                try Contract(bytes, primitives: VectorFlight.primitives)
            }
        }
    }

    @Test("Frames that end an open connection, and those that are ignored")
    func frames() throws {
        let json = try FrameVectors().json()
        for item in json["refused"]?.list ?? [] {
            let wire = try Self.bytes(item, "frame")
            let code = item["close"]?.number
            #expect(
                OpenSession.fault(of: wire, in: VectorFlight.key) == code,
                "\(item["why"]?.text ?? "")")
        }
        for item in json["ignored"]?.list ?? [] {
            let wire = try Self.bytes(item, "frame")
            #expect(OpenSession.fault(of: wire, in: VectorFlight.key) == nil)
        }
        for item in json["frames"]?.list ?? [] {
            let wire = try Self.bytes(item, "frame")
            var decoder = FrameDecoder(limit: Limits.frame)
            decoder.append(wire)
            let frame = try #require(try decoder.next())
            let message = try #require(try Message.decode(frame))
            #expect(message.encode() == wire)
        }
    }

    private static func bytes(_ item: JSON, _ member: String) throws -> [UInt8] {
        try #require(item[member]?.text.flatMap { Protocol.bytes(hexadecimal: $0) })
    }

    @Test("Bundles read back with real signatures, in any order")
    func bundles() throws {
        for scene in try Scene.all() {
            let json = try BundleVectors.json(scene)
            let items = (json["items"]?.list ?? []).compactMap(\.text)
                .compactMap { Protocol.bytes(hexadecimal: $0) }
            let reversed = try Bundle.read(
                items.reversed().flatMap { $0 }, codec: VectorFlight.codec)
            let fold = Fold.fold(reversed.logs)
            #expect(.hex(fold.mapBytes) == json["expected"]?["map"], "\(scene.name)")
            #expect(Invariants.violations(of: fold).isEmpty)
        }
    }
}
