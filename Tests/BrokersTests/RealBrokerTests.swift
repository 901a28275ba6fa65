// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Rendezvous
import System
import Testing
import Text

@testable import Brokers

/// One connection to the program mosquitto.
@Suite("Connections to a broker") struct RealBrokerTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test func whatIsSaidAndKeptComesBack() throws {
        let real = try RealBroker(in: folder)
        let probe = try PoolProbe("mqtt://localhost:\(real.port)", in: folder)
        let broker = try probe.broker()
        try probe.connect()
        // The door is gone as soon as the library came through.
        #expect(
            ProgramOutput.of(["/bin/ls", folder.path], deadline: .zero + .seconds(1 << 32))
                .map { !String(decoding: $0, as: UTF8.self).contains("door") } == true)
        let large = [UInt8](repeating: 9, count: 16_384)
        try probe.ask(.subscribe("sa1/a/+", 1))
        try probe.ask(.publish(topic: "sa1/a/b", payload: large, stay: 100, 2))
        try probe.ask(.publish(topic: "sa1/a/c", payload: [2], stay: nil, 3))
        try probe.wait("all") { $0.events.count == 7 }
        #expect(probe.count(.subscribed(broker, 1)) == 1)
        #expect(probe.count(.stored(broker, 2)) == 1 && probe.count(.stored(broker, 3)) == 1)
        #expect(probe.count(.came(broker, topic: "sa1/a/b", payload: large)) == 1)
        #expect(probe.count(.came(broker, topic: "sa1/a/c", payload: [2])) == 1)

        // Somebody who comes later gets what is kept, until it is taken away.
        let later = try PoolProbe("mqtt://localhost:\(real.port)", in: folder)
        try later.connect()
        try later.ask(.subscribe("sa1/a/+", 1))
        try later.wait("kept") { $0.count(.came(broker, topic: "sa1/a/b", payload: large)) == 1 }
        try later.ask(.publish(topic: "sa1/a/b", payload: [], stay: 0, 2))
        try later.wait("cleared") { $0.count(.came(broker, topic: "sa1/a/b", payload: [])) == 1 }
        #expect(!later.events.contains(.came(broker, topic: "sa1/a/c", payload: [2])))
        try probe.ask(.unsubscribe("sa1/a/+"))
        try probe.ask(.disconnect)
        try probe.ask(.publish(topic: "sa1/a/b", payload: [1], stay: nil, 9))
        for _ in 0..<5 { probe.loop.turn(waitingAtMost: .milliseconds(5)) }
        #expect(!probe.events.contains(.down(broker)) && probe.loop.watchCount == 0)
    }

    /// No Local: else each card would come back to who left it, and cost as much again.
    @Test func ownMessagesComeOnlyWhereTheyAreWanted() throws {
        let real = try RealBroker(in: folder)
        let probe = try PoolProbe("mqtt://localhost:\(real.port)", in: folder)
        let broker = try probe.broker()
        try probe.connect()
        try probe.ask(.subscribe("sa1/c/+", 1, withOwn: false))
        try probe.ask(.subscribe("sa1/t/a", 2))
        try probe.ask(.publish(topic: "sa1/c/a", payload: [1], stay: 100, 3))
        try probe.ask(.publish(topic: "sa1/t/a", payload: [2], stay: nil, 4))
        try probe.wait("a mark") { $0.count(.came(broker, topic: "sa1/t/a", payload: [2])) == 1 }
        #expect(probe.count(.came(broker, topic: "sa1/c/a", payload: [1])) == 0)

        let other = try PoolProbe("mqtt://localhost:\(real.port)", in: folder)
        try other.connect()
        try other.ask(.publish(topic: "sa1/c/a", payload: [5], stay: 100, 1))
        try other.wait("stored") { $0.count(.stored(broker, 1)) == 1 }
        try probe.wait("damage") { $0.count(.came(broker, topic: "sa1/c/a", payload: [5])) == 1 }
    }

    @Test func whatIsKeptExpires() throws {
        let real = try RealBroker(in: folder)
        let probe = try PoolProbe("mqtt://localhost:\(real.port)", in: folder)
        let broker = try probe.broker()
        try probe.connect()
        try probe.ask(.publish(topic: "sa1/a", payload: [1], stay: 1, 1))
        try probe.ask(.publish(topic: "sa1/b", payload: [1], stay: 100, 2))
        try probe.wait("stored") { $0.count(.stored(broker, 2)) == 1 }
        usleep(2_100_000)
        try probe.ask(.subscribe("sa1/+", 3))
        try probe.wait("one") { $0.count(.came(broker, topic: "sa1/b", payload: [1])) == 1 }
        #expect(probe.count(.came(broker, topic: "sa1/a", payload: [1])) == 0)
    }

    @Test func theWaitForTheNextTurnIsShort() throws {
        let real = try RealBroker(in: folder)
        let probe = try PoolProbe("mqtt://localhost:\(real.port)", in: folder)
        let broker = try probe.broker()
        try probe.connect()
        try probe.ask(.subscribe("sa1/a", 1))
        for number in 2..<400 {
            try probe.ask(.publish(topic: "sa1/a", payload: [7], stay: nil, number))
        }
        try probe.wait("all") { $0.count(.came(broker, topic: "sa1/a", payload: [7])) == 398 }
        try probe.wait("stored") { $0.count(.stored(broker, 399)) == 1 }
    }

    @Test func aKilledBrokerIsDownAtOnceAndUpAgain() throws {
        let real = try RealBroker(in: folder)
        let probe = try PoolProbe("mqtt://localhost:\(real.port)", in: folder)
        let broker = try probe.broker()
        try probe.connect()
        real.kill()
        try probe.wait("down", seconds: 2) { $0.count(.down(broker)) == 1 }
        #expect(probe.pool.troubles[broker] == .closed)
        try probe.ask(.connect)
        try probe.wait("refused") { $0.count(.down(broker)) == 2 }
        #expect(probe.pool.troubles[broker] == .refused && probe.loop.watchCount == 0)
        try real.start()
        try probe.ask(.connect)
        try probe.wait("up") { $0.count(.up(broker)) == 2 }
        #expect(probe.pool.troubles.isEmpty)
    }

    /// The library counts no keep-alive below five seconds.
    @Test(.enabled(if: PoolProbe.isSoak)) func aFrozenBrokerIsFound() throws {
        let real = try RealBroker(in: folder)
        var limits = BrokerLimits()
        limits.keepAlive = 5
        let probe = try PoolProbe("mqtt://localhost:\(real.port)", in: folder, limits: limits)
        let broker = try probe.broker()
        try probe.connect()
        real.freeze()
        let start = SystemClock.now()
        try probe.wait("down", seconds: 20) { $0.count(.down(broker)) == 1 }
        #expect(SystemClock.now() - start < .seconds(13))
        #expect(probe.pool.troubles[broker] == .silent)
    }

    @Test func aUserNameIsAskedFor() throws {
        try folder.write("passwords", "")
        let words = ["-b", "\(folder.path)/passwords", "ada", "open sesame"]
        let made = ProgramOutput.of(
            ["/usr/bin/mosquitto_passwd"] + words, deadline: SystemClock.now() + .seconds(10))
        try #require(made != nil)
        let real = try RealBroker(
            in: folder, ["allow_anonymous false", "password_file \(folder.path)/passwords"])
        let url = "mqtt://localhost:\(real.port)"
        #expect(try PoolProbe(url, in: folder).failure() == .login)
        #expect(try PoolProbe(url, in: folder, user: "ada", password: "x").failure() == .login)
        try PoolProbe(url, in: folder, user: "ada", password: "open sesame").connect()
    }

    @Test func whatABrokerForbidsIsSaidAndTheLinkStays() throws {
        try folder.write("rights", "topic readwrite sa1/a\ntopic readwrite sa1/b\n")
        let real = try RealBroker(in: folder, ["acl_file \(folder.path)/rights"])
        let probe = try PoolProbe("mqtt://localhost:\(real.port)", in: folder)
        let broker = try probe.broker()
        try probe.connect()
        try probe.ask(.publish(topic: "sa1/c", payload: [1], stay: nil, 1))
        try probe.ask(.publish(topic: "sa1/a", payload: [1], stay: nil, 2))
        try probe.wait("stored") { $0.count(.stored(broker, 2)) == 1 }
        #expect(probe.count(.stored(broker, 1)) == 0)
        #expect(probe.pool.troubles[broker] == .messageRefused(0x87))
    }

    @Test func aBrokerWithoutWhatIsNeededIsTold() throws {
        let real = try RealBroker(in: folder, ["retain_available false"])
        let url = "mqtt://localhost:\(real.port)"
        #expect(try PoolProbe(url, in: folder).failure() == .lacks(.retain))
    }
}
