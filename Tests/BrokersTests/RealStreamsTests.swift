// SPDX-License-Identifier: Apache-2.0
import Glibc
import Profile
import Protocol
import Rendezvous
import System
import Testing

@testable import Brokers

/// Connections to the program nats-server (docs/meet.md section 10).
@Suite("Streams of a NATS server") struct RealStreamsTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private static let group = "sa1/3a/" + String(repeating: "g", count: 26)
    private static let filter = "\(group)/c/5/+"
    private static func box(_ letter: String) -> String {
        "\(group)/c/5/" + String(repeating: letter, count: 13)
    }

    private func probe(_ real: RealStreams) throws -> PoolProbe {
        try PoolProbe("nats://localhost:\(real.port)", in: folder)
    }

    @Test func whatIsSaidAndKeptComesBack() throws {
        let real = try RealStreams(in: folder)
        let probe = try probe(real)
        let broker = try probe.broker()
        try probe.connect()
        let large = (0..<16_384).map { _ in UInt8.random(in: 0...255) }
        try probe.ask(.subscribe(Self.filter, 1))
        try probe.wait("empty") { $0.count(.given(broker, 1)) == 1 }
        try probe.ask(.publish(topic: Self.box("a"), payload: large, stay: 100, 2))
        try probe.ask(.subscribe("\(Self.group)/e", 3))
        try probe.ask(.publish(topic: "\(Self.group)/e", payload: [2], stay: nil, 4))
        try probe.wait("all") {
            $0.count(.stored(broker, 2)) == 1 && $0.count(.stored(broker, 4)) == 1
                && $0.topics.count == 2
        }
        #expect(probe.count(.came(broker, topic: Self.box("a"), payload: large)) == 1)
        #expect(probe.count(.subscribed(broker, 3)) == 1 && probe.count(.given(broker, 3)) == 0)

        // Somebody who comes later gets the last of what is kept, until it is taken away.
        for (letter, payload) in [("b", [1]), ("b", [2]), ("c", [3]), ("c", [])] as [(_, [UInt8])] {
            try probe.ask(.publish(topic: Self.box(letter), payload: payload, stay: 100, 5))
        }
        try probe.wait("stored") { $0.count(.stored(broker, 5)) == 4 }
        let later = try self.probe(real)
        try later.connect()
        try later.ask(.subscribe(Self.filter, 1))
        try later.wait("given") { $0.count(.given(broker, 1)) == 1 }
        #expect(later.topics == [Self.box("a"), Self.box("b")])
        #expect(later.count(.came(broker, topic: Self.box("b"), payload: [2])) == 1)
        #expect(later.count(.came(broker, topic: Self.box("b"), payload: [1])) == 0)
        try later.ask(.publish(topic: Self.box("a"), payload: [], stay: 0, 2))
        try later.wait("cleared") {
            $0.count(.came(broker, topic: Self.box("a"), payload: [])) == 1
        }
        try probe.ask(.disconnect)
        for _ in 0..<5 { probe.loop.turn(waitingAtMost: .milliseconds(5)) }
        #expect(!probe.events.contains(.down(broker)) && probe.loop.watchCount == 0)
    }

    @Test func aServerWithoutStreamsIsNoHome() throws {
        let real = try RealStreams(in: folder, hasStreams: false)
        #expect(try probe(real).failure() == .lacks(.streams))
    }

    @Test func aServerThatDiedIsConnectedToAgainAndHasWhatItHad() throws {
        let real = try RealStreams(in: folder)
        let probe = try probe(real)
        let broker = try probe.broker()
        try probe.connect()
        try probe.ask(.publish(topic: Self.box("a"), payload: [7], stay: 100, 1))
        try probe.wait("stored") { $0.count(.stored(broker, 1)) == 1 }
        real.kill()
        try probe.wait("down", seconds: 5) { $0.count(.down(broker)) == 1 }
        #expect(probe.pool.troubles[broker] == .closed)
        try probe.ask(.connect)
        try probe.wait("refused") { $0.count(.down(broker)) == 2 }
        #expect(probe.pool.troubles[broker] == .refused)
        try real.start()
        try probe.ask(.connect)
        try probe.wait("up again") { $0.count(.up(broker)) == 2 }
        try probe.ask(.subscribe(Self.filter, 2))
        try probe.wait("given") { $0.count(.given(broker, 2)) == 1 }
        #expect(probe.count(.came(broker, topic: Self.box("a"), payload: [7])) == 1)
    }

    /// What is said live comes when what was left before it can be read.
    @Test func aLiveMessageComesBehindWhatWasLeftBeforeIt() throws {
        let real = try RealStreams(in: folder)
        let (writer, reader) = (try probe(real), try probe(real))
        let broker = try writer.broker()
        try writer.connect()
        try reader.connect()
        try reader.ask(.subscribe("\(Self.group)/e", 1))
        try reader.wait("subscribed") { $0.count(.subscribed(broker, 1)) == 1 }
        for number in 0..<50 {
            let payload = [UInt8](repeating: UInt8(number), count: 16_384)
            try writer.ask(.publish(topic: Self.box("a"), payload: payload, stay: 60, 2))
        }
        try writer.ask(.publish(topic: "\(Self.group)/e", payload: [9], stay: nil, 3))
        try writer.wait("said") { $0.count(.stored(broker, 3)) == 1 }
        let stored = writer.events.firstIndex(of: .stored(broker, 3))
        #expect(stored == writer.events.count - 1 && writer.count(.stored(broker, 2)) == 50)
        try reader.wait("heard") { $0.topics.contains("\(Self.group)/e") }
        try reader.ask(.subscribe(Self.filter, 4))
        try reader.wait("given") { $0.count(.given(broker, 4)) == 1 }
        let last = [UInt8](repeating: 49, count: 16_384)
        #expect(reader.count(.came(broker, topic: Self.box("a"), payload: last)) == 1)
    }

    @Test func twoMeetingsReadEachOtherThroughStreams() throws {
        let real = try RealStreams(in: folder)
        let hall = try MeetingHall(
            "nats://localhost:\(real.port)", in: folder, questions: PoolProbe.here)
        _ = (try hall.join(), try hall.join())
        try hall.waitUntilAllKnowAll()
    }
}
