// SPDX-License-Identifier: Apache-2.0
import Protocol
import Rendezvous
import System
import Testing

@testable import Brokers

/// Servers that are no brokers, or bad ones: the link ends, and says why.
@Suite("Hostile brokers") struct HostileBrokerTests {
    private let loop: EventLoop
    private let folder: TestFolder

    init() throws {
        loop = try EventLoop()
        folder = try TestFolder()
    }

    private static let greeting = PacketGateTests.connack

    private func failure(
        _ words: [UInt8], thenEnds: Bool = false, limits: BrokerLimits = BrokerLimits()
    ) throws -> BrokerTrouble? {
        let server = try RawServer(on: loop, saying: words, thenEnds: thenEnds)
        let probe = try PoolProbe(
            "mqtt://localhost:\(server.port)", in: folder, on: loop, limits: limits)
        defer { probe.pool.stop() }
        let trouble = try probe.failure()
        #expect(server.accepted == 1)
        // Nothing is left in the loop but the server.
        probe.pool.stop()
        #expect(loop.watchCount == 1)
        return trouble
    }

    @Test func aServerThatSaysNothingTimesOut() throws {
        #expect(try failure([], limits: PoolProbe.short) == .timedOut)
    }

    @Test func aServerThatHangsUpIsToldApart() throws {
        #expect(try failure([], thenEnds: true) == .closed)
    }

    @Test(
        arguments: [
            Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [0x20, 0x80, 0x80, 0x80, 0x01],
            [0x20, 0xFF, 0xFF, 0xFF, 0x7F], [0x20, 3, 0, 0, 5], [0x20, 4, 0, 0, 1, 0xFF],
            [0x20, 5, 0, 0, 2, 0x25, 2], [0x20, 3, 1, 0, 0], [0xD0, 0], [0x30, 0xFF, 0xFF, 0x7F],
        ] as [[UInt8]])
    func aGreetingThatIsNoneEndsTheLink(words: [UInt8]) throws {
        #expect(try failure(words) == .malformed)
    }

    @Test(
        arguments: [
            ([0x20, 3, 0, 0x87, 0], .login), ([0x20, 3, 0, 0x86, 0], .login),
            ([0x20, 2, 0, 1], .lacks(.protocol5)), ([0x20, 3, 0, 0x97, 0], .turnedAway(0x97)),
            ([0x20, 5, 0, 0, 2, 0x25, 0], .lacks(.retain)),
            ([0x20, 5, 0, 0, 2, 0x24, 0], .lacks(.quality1)),
            ([0x20, 5, 0, 0, 2, 0x28, 0], .lacks(.wildcards)),
            ([0x20, 8, 0, 0, 5, 0x27, 0, 0, 0x10, 0], .lacks(.packetSize(4096))),
            ([0x20, 6, 0, 0, 3, 0x13, 0x0E, 0x10], .lacks(.keepAlive(3600))),
        ] as [([UInt8], BrokerTrouble)])
    func aBrokerThatRefusesOrLacksSomethingIsNoHome(
        words: [UInt8], trouble: BrokerTrouble
    ) throws {
        #expect(try failure(words) == trouble)
        #expect(try failure(words, thenEnds: true) == trouble)
    }

    /// After a good greeting: the packet that ends it.
    @Test(
        arguments: [
            [0x30, 0xFF, 0xFF, 0xFF, 0x7F], [0x32, 0xA0, 0x9C, 0x02], [0x20, 3, 0, 0, 0],
            [0x34, 7, 0, 1, 0x61, 0, 1, 0, 9],  // quality 2
            [0x30, 4, 0xFF, 0xFF, 0x61, 0],  // a topic longer than the packet
            [0x30, 4, 0, 1, 0xFF, 0],  // a topic that is no UTF-8
            [0x32, 6, 0, 1, 0x61, 0, 0, 0],  // number 0
            [0x30, 7, 0, 1, 0x61, 3, 0x23, 0, 1],  // a name in place of the topic, next time
            [0x30, 4, 0, 0, 0, 9],  // no topic
            [0x90, 5, 0, 1, 5, 1, 1], [0xE0, 0], [0xE0, 2, 0x8E, 0],
        ] as [[UInt8]])
    func aBadPacketEndsTheLinkAfterAGoodGreeting(words: [UInt8]) throws {
        let server = try RawServer(on: loop, saying: Self.greeting + words)
        let probe = try PoolProbe("mqtt://localhost:\(server.port)", in: folder, on: loop)
        defer { probe.pool.stop() }
        let broker = try probe.broker()
        try probe.ask(.connect)
        try probe.wait("down") { $0.events.contains(.down(broker)) }
        #expect(probe.count(.down(broker)) == 1 && probe.count(.up(broker)) <= 1)
        #expect([.malformed, .closed].contains(probe.pool.troubles[broker]))
    }

    /// A confirmation without a code, and of what nobody asked for.
    @Test func answersToNothingAreNothing() throws {
        let words: [UInt8] = [0x90, 4, 0, 9, 0, 1] + [0x40, 2, 0, 9] + [0xB0, 4, 0, 9, 0, 0]
        let server = try RawServer(on: loop, saying: Self.greeting + words)
        let probe = try PoolProbe("mqtt://localhost:\(server.port)", in: folder, on: loop)
        defer { probe.pool.stop() }
        try probe.connect()
        for _ in 0..<20 { loop.turn(waitingAtMost: .milliseconds(5)) }
        #expect(probe.events.count == 2)
    }

    /// A broker that takes nothing: what waits for it has a bound.
    @Test func aBrokerThatConfirmsNothingIsLeft() throws {
        let server = try RawServer(on: loop, saying: Self.greeting)
        let probe = try PoolProbe("mqtt://localhost:\(server.port)", in: folder, on: loop)
        defer { probe.pool.stop() }
        try probe.connect()
        let broker = try probe.broker()
        let large = [UInt8](repeating: 7, count: 16_384)
        for number in 0..<512 {
            try probe.ask(.publish(topic: "sa1/a", payload: large, stay: nil, number))
        }
        loop.turn(waitingAtMost: .milliseconds(5))
        #expect(!probe.events.contains(.down(broker)))
        try probe.ask(.publish(topic: "sa1/a", payload: large, stay: nil, 512))
        try probe.wait("down") { $0.events.contains(.down(broker)) }
        #expect(probe.pool.troubles[broker] == .tooSlow && loop.watchCount == 1)
    }

    /// More than the boxes of a full flight, and the link is over.
    @Test func aBrokerThatSaysTooMuchIsLeft() throws {
        let message: [UInt8] = [0x30, 5, 0, 1, 0x61, 0, 9]
        let few = BrokerLimits.messages
        let words = (0..<few + 2000).flatMap { _ in message }
        let server = try RawServer(on: loop, saying: Self.greeting + words)
        let probe = try PoolProbe("mqtt://localhost:\(server.port)", in: folder, on: loop)
        defer { probe.pool.stop() }
        let broker = try probe.broker()
        try probe.ask(.connect)
        try probe.wait("down") { $0.events.contains(.down(broker)) }
        #expect(probe.pool.troubles[broker] == .tooMuch)
        let came = probe.events.count {
            if case .came = $0 { true } else { false }
        }
        #expect((few..<few + 2000).contains(came), "\(came)")
    }

    /// What came in the same turn, and the end, are no news after a disconnection.
    @Test func nothingComesAfterADisconnection() throws {
        let message: [UInt8] = [0x30, 5, 0, 1, 0x61, 0, 9]
        let server = try RawServer(
            on: loop, saying: Self.greeting + message + message, thenEnds: true)
        let probe = try PoolProbe("mqtt://localhost:\(server.port)", in: folder, on: loop)
        defer { probe.pool.stop() }
        let broker = try probe.broker()
        probe.react { [weak probe] event in
            if event == .up(broker) { try? probe?.ask(.disconnect) }
        }
        try probe.connect()
        for _ in 0..<10 { loop.turn(waitingAtMost: .milliseconds(5)) }
        #expect(probe.events == [.pool([broker]), .up(broker)] && loop.watchCount == 1)
    }

    @Test func whatNoAgentWritesIsDropped() throws {
        func message(_ topic: Int, _ payload: Int) -> [UInt8] {
            let left = 2 + topic + 1 + payload
            let length: [UInt8] = [
                UInt8(left & 0x7F | 0x80), UInt8(left >> 7 & 0x7F | 0x80), UInt8(left >> 14),
            ]
            return [0x30]
                + (left < 128
                    ? [UInt8(left)]
                    : left < 16_384
                        ? [length[0], length[1] & 0x7F] : length) + [0, UInt8(topic)]
                + [UInt8](repeating: 0x61, count: topic) + [0]
                + [UInt8](repeating: 7, count: payload)
        }
        let words = message(64, 1) + message(1, 16_385) + message(63, 1) + message(1, 16_384)
        let server = try RawServer(on: loop, saying: Self.greeting + words)
        let probe = try PoolProbe("mqtt://localhost:\(server.port)", in: folder, on: loop)
        defer { probe.pool.stop() }
        let broker = try probe.broker()
        try probe.ask(.connect)
        let long = String(repeating: "a", count: 63)
        let large = [UInt8](repeating: 7, count: 16_384)
        try probe.wait("messages") { $0.events.count == 4 }
        #expect(
            probe.events.suffix(2) == [
                .came(broker, topic: long, payload: [7]),
                .came(broker, topic: "a", payload: large),
            ])
        #expect(probe.pool.troubles[broker] == .tooLarge)
    }
}
