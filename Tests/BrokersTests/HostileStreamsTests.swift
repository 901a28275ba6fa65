// SPDX-License-Identifier: Apache-2.0
import Protocol
import Rendezvous
import System
import Testing
import Text

@testable import Brokers

/// Servers that speak NATS badly, or that lack what is needed: the link ends, and says why.
@Suite("Hostile NATS servers") struct HostileStreamsTests {
    private let loop: EventLoop
    private let folder: TestFolder
    private let server: FakeStreams

    init() throws {
        loop = try EventLoop()
        folder = try TestFolder()
        server = try FakeStreams(on: loop)
    }

    private func probe(_ limits: BrokerLimits = BrokerLimits()) throws -> PoolProbe {
        try PoolProbe("nats://localhost:\(server.port)", in: folder, on: loop, limits: limits)
    }

    /// Why a link to it does not come about; nothing is left of it in the loop.
    private func failure(_ limits: BrokerLimits = BrokerLimits()) throws -> BrokerTrouble? {
        let probe = try probe(limits)
        defer { probe.pool.stop() }
        let trouble = try probe.failure()
        for _ in 0..<3 { loop.turn(waitingAtMost: .milliseconds(5)) }
        #expect(loop.watchCount == 1)
        return trouble
    }

    private static let filter = "sa1/3a/" + String(repeating: "g", count: 26) + "/c/5/+"
    private static let box =
        "sa1.3a." + String(repeating: "g", count: 26) + ".c.5.bbbbbbbbbbbbb"

    private static func kept(_ reply: String, _ sequence: Int, _ data: String = "aGk=") -> String {
        FakeStreams.message(
            reply, #"{"message":{"subject":"\#(box)","seq":\#(sequence),"data":"\#(data)"}}"#)
    }

    private static let nothing = #"{"error":{"code":404,"err_code":10037}}"#

    @Test func aServerThatIsSilentAfterItsGreetingTimesOut() throws {
        server.isAlive = false
        #expect(try failure(PoolProbe.short) == .timedOut)
    }

    @Test func aServerOfSomethingElseIsNone() throws {
        for words in ["HTTP/1.1 400 no\r\n\r\n", "INFO {}\r\nPONG\r\n"] {
            let other = try RawServer(on: loop, saying: Array(words.utf8))
            let probe = try PoolProbe("nats://localhost:\(other.port)", in: folder, on: loop)
            #expect(try probe.failure() == .malformed)
            probe.pool.stop()
        }
    }

    @Test(
        arguments: [
            ("-ERR 'Authorization Violation'\r\n", BrokerTrouble.login),
            ("-ERR 'maximum connections exceeded'\r\n", .says("maximum connections exceeded")),
            ("-ERR '\u{1B}[2J'\r\n", .says("\u{FFFD}[2J")),
        ])
    func whyItHangsUpIsTold(words: String, trouble: BrokerTrouble) throws {
        server.isAlive = false
        server.afterLogin = words
        let probe = try probe()
        defer { probe.pool.stop() }
        try probe.ask(.connect)
        for _ in 0..<40 { loop.turn(waitingAtMost: .milliseconds(5)) }
        server.hangUp()
        let broker = try probe.broker()
        try probe.wait("down") { $0.events.contains(.down(broker)) }
        #expect(probe.pool.troubles[broker] == trouble)
    }

    @Test(
        arguments: [
            (#"{"error":{"code":404,"err_code":10059}}"#, BrokerTrouble.lacks(.streams)),
            (
                #"{"config":{"num_replicas":1,"max_age":0,"max_msgs_per_subject":-1}}"#,
                .lacks(.oneASubject)
            ),
            (
                #"{"config":{"num_replicas":1,"max_age":0,"max_msgs_per_subject":1,"#
                    + #""max_msg_size":100}}"#, .lacks(.packetSize(100))
            ),
            ("{", .malformed), ("[]", .malformed), ("", .malformed),
        ])
    func aStreamThatIsNoUseIsTold(words: String, trouble: BrokerTrouble) throws {
        server.answer = { _, reply, _ in FakeStreams.message(reply, words) }
        #expect(try failure() == trouble)
    }

    /// What ends a link that stands.
    @Test(
        arguments: [
            "PONG\r\n", "MSG x 1 9999999\r\n", "NONSENSE\r\n", "HMSG x 1 9 3\r\n",
        ])
    func nonsenseEndsTheLink(words: String) throws {
        let probe = try probe()
        defer { probe.pool.stop() }
        try probe.connect()
        server.say(words)
        let broker = try probe.broker()
        try probe.wait("down") { $0.events.contains(.down(broker)) }
        #expect(probe.pool.troubles[broker] == .malformed)
    }

    @Test func whatNobodyAskedForIsNothing() throws {
        let probe = try probe()
        defer { probe.pool.stop() }
        try probe.connect()
        server.say("MSG a.b 9 2\r\nhi\r\nMSG x 1 2\r\nhi\r\nMSG _INBOX.x.1 1 2\r\nhi\r\n")
        for _ in 0..<10 { loop.turn(waitingAtMost: .milliseconds(5)) }
        #expect(probe.events.count == 2)
    }

    /// A stream that goes back, or that gives what was not asked for, would be read for ever.
    @Test(arguments: [1, 2, 3])
    func aStreamThatDoesNotGoOnEndsTheLink(kind: Int) throws {
        server.answer = { subject, reply, body in
            guard subject.contains("MSG.GET") else {
                return FakeStreams.message(reply, FakeStreams.stream)
            }
            switch kind {
            case 1: return Self.kept(reply, 7)
            case 2: return Self.kept(reply, 7, "a")
            default:
                return FakeStreams.message(
                    reply, #"{"message":{"subject":"sa1.3a.x.c.5.b","seq":1,"data":"aGk="}}"#)
            }
        }
        let probe = try probe()
        defer { probe.pool.stop() }
        try probe.connect()
        try probe.ask(.subscribe(Self.filter, 1))
        let broker = try probe.broker()
        try probe.wait("down") { $0.events.contains(.down(broker)) }
        #expect(probe.pool.troubles[broker] == .malformed)
        let topic = NATSText.topic(of: Self.box) ?? ""
        #expect(
            probe.count(.came(broker, topic: topic, payload: [104, 105])) == (kind == 1 ? 1 : 0))
    }

    @Test func aStreamWithoutEndIsReadToAThousand() throws {
        server.answer = { subject, reply, body in
            guard subject.contains("MSG.GET") else {
                return FakeStreams.message(reply, FakeStreams.stream)
            }
            let next = (try? JSON(line: Array(body.utf8)))?["seq"]?.number ?? 0
            return Self.kept(reply, next)
        }
        let probe = try probe()
        defer { probe.pool.stop() }
        try probe.connect()
        let broker = try probe.broker()
        try probe.ask(.subscribe(Self.filter, 1))
        try probe.wait("all") { $0.events.contains(.given(broker, 1)) }
        #expect(probe.events.count == 2 + 1000 + 2)
    }

    /// What came live while a stream was read is newer than what the stream gives.
    @Test func aNewerMessageIsNotFollowedByAnOlderOne() throws {
        server.answer = { [server] subject, reply, body in
            guard subject.contains("MSG.GET") else {
                return FakeStreams.message(reply, FakeStreams.stream)
            }
            guard body.contains(#""seq":1,"#) || body.hasSuffix(#""seq":1}"#) else {
                return FakeStreams.message(reply, Self.nothing)
            }
            server.say("MSG \(Self.box) 2 3\r\nnew\r\n")
            return Self.kept(reply, 1)
        }
        let probe = try probe()
        defer { probe.pool.stop() }
        try probe.connect()
        let broker = try probe.broker()
        try probe.ask(.subscribe(Self.filter, 1))
        try probe.wait("all") { $0.events.contains(.given(broker, 1)) }
        let came = probe.events.compactMap { event in
            if case .came(_, _, let payload) = event { payload } else { nil }
        }
        #expect(came == [Array("new".utf8)])
    }

    @Test func aMessageThatNoAgentWritesEndsItsSubscription() throws {
        server.answer = { subject, reply, _ in
            FakeStreams.message(reply, subject.contains("GET") ? Self.nothing : FakeStreams.stream)
        }
        let probe = try probe()
        defer { probe.pool.stop() }
        try probe.connect()
        let broker = try probe.broker()
        try probe.ask(.subscribe(Self.filter, 1))
        try probe.wait("read") { $0.events.contains(.given(broker, 1)) }
        let large = String(repeating: "x", count: 16_385)
        server.say("MSG \(Self.box) 2 16385\r\n\(large)\r\nMSG \(Self.box) 2 2\r\nhi\r\n")
        try probe.wait("told") { $0.pool.troubles[broker] == .tooLarge }
        for _ in 0..<5 { loop.turn(waitingAtMost: .milliseconds(5)) }
        #expect(probe.topics.isEmpty && !probe.events.contains(.down(broker)))
    }

    @Test func aServerThatConfirmsNothingIsLeft() throws {
        let probe = try probe()
        defer { probe.pool.stop() }
        try probe.connect()
        server.answer = { _, _, _ in nil }
        let broker = try probe.broker()
        let topic = NATSText.topic(of: Self.box) ?? ""
        for number in 0...512 {
            try probe.ask(.publish(topic: topic, payload: [7], stay: 60, number))
        }
        try probe.wait("down") { $0.events.contains(.down(broker)) }
        #expect(probe.pool.troubles[broker] == .tooSlow)
    }

    @Test func aRefusedMessageAndAFilterAreToldByTheirNumber() throws {
        let probe = try probe()
        defer { probe.pool.stop() }
        try probe.connect()
        let broker = try probe.broker()
        let topic = NATSText.topic(of: Self.box) ?? ""
        server.answer = { subject, reply, _ in
            guard !subject.hasPrefix("$JS") else { return nil }
            return "-ERR 'Permissions Violation for Publish to \"\(subject)\"'\r\n"
        }
        try probe.ask(.publish(topic: topic, payload: [1], stay: 60, 5))
        try probe.wait("refused") { $0.events.contains(.refused(broker, 5)) }
        server.answer = { subject, reply, _ in
            FakeStreams.message(
                reply, #"{"error":{"code":503,"err_code":10077,"description":"full\u0007"}}"#)
        }
        try probe.ask(.publish(topic: topic, payload: [1], stay: 60, 6))
        try probe.wait("refused") { $0.events.contains(.refused(broker, 6)) }
        #expect(probe.pool.troubles[broker] == .notKept("full\u{FFFD}"))
        server.answer = { _, _, _ in nil }
        try probe.ask(.subscribe(Self.filter, 7))
        let subject = try #require(NATSText.subject(of: Self.filter))
        server.say("-ERR 'Permissions Violation for Subscription to \"\(subject)\"'\r\n")
        try probe.wait("refused") { $0.events.contains(.refused(broker, 7)) }
        #expect(!probe.events.contains(.down(broker)))
    }
}
