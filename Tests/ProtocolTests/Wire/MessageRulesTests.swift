// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Places in logs go as far as the longest log of the gathering that a session is of.
@Suite("Messages of flights and of venues") struct MessageRulesTests {
    private let key = FakeSigner(3).key
    private let other = FakeSigner(4).key

    /// Every message with a place in a log, which is `seq` there.
    private func messages(_ seq: Int) throws -> [(name: String, message: Message)] {
        let thread = try require(ThreadID([UInt8](repeating: 1, count: 16)))
        let head = LogHead(author: key, seq: seq, id: EntryID(.zero))
        let last = LogHead(author: other, seq: 1, id: EntryID(.zero))
        func frontier(_ seq: Int, _ fork: Int) -> Message {
            let item = FrontierItem(author: key, seq: seq, head8: 1, fork: fork)
            return .frontier(FrontierMessage(logs: .zero, map: .zero, items: [item]))
        }
        func want(_ from: Int) -> Message {
            let stretch = Want.Stretch(author: key, from: from, through: seq)
            return .want(Want(budget: 1, stretches: [stretch]))
        }
        return [
            ("frontier", frontier(seq, 0)), ("fork", frontier(1, seq)), ("want", want(1)),
            ("want one", want(seq)), ("have", .have([Have(author: key, seq: seq)])),
            (
                "ask",
                .ask(Ask(thread: thread, contract: [9], note: "", expires: 1, head: head))
            ), ("ready", .ready(Ready(thread: thread, contract: ContractID(.zero), head: head))),
            ("prepare", .prepare(Prepare(thread: thread, contract: [1], heads: [head, last]))),
        ]
    }

    private func reads(_ message: Message, _ rules: MessageRules) -> Bool {
        let bytes = message.encode()
        let frame = Frame(type: bytes[4], payload: Array(bytes[5...]))
        return (try? Message.decode(frame, rules: rules)) == message
    }

    @Test("4096 is the last place on a flight, 32768 in a venue")
    func places() throws {
        for (seq, isOfFlight, isOfVenue) in [
            (1, true, true), (4096, true, true), (4097, false, true), (32_768, false, true),
            (32_769, false, false), (65_535, false, false),
        ] {
            for (name, message) in try messages(seq) {
                #expect(reads(message, .flight) == isOfFlight, "\(name) \(seq) on a flight")
                #expect(reads(message, .venue) == isOfVenue, "\(name) \(seq) in a venue")
            }
        }
    }

    @Test("An agent of a flight looks at nothing of what only venues say")
    func ofVenues() throws {
        for type in FrameType.allCases where type.isOfVenues {
            let frame = Frame(type: type.rawValue, payload: [0xFF])
            #expect(try Message.decode(frame) == nil && type.rawValue % 2 == 1)
            #expect(throws: Message.Fault.self) { try Message.decode(frame, rules: .venue) }
        }
    }

    @Test("A session knows of which gathering it is before anything comes", arguments: [2, 3])
    func session(version: Int) throws {
        let gathering = version == 2 ? testFlight : MadeUpVenue.gathering
        func session(_ role: FlightKey.Role, _ me: PeerKey, _ peer: PeerKey) -> Session {
            let config = SessionConfig(
                me: me, boot: 1, connection: 1, port: 1, flights: [gathering],
                primitives: FakePrimitives())
            return Session(config, role: role, peer: peer, exporter: .zero, at: .zero)
        }
        var here = session(.initiator, key, other)
        var there = session(.responder, other, key)
        let hello = here.handle(.started, at: .zero).bytes
        let answer = there.handle(.received(hello), at: .zero).bytes
        let last = here.handle(.received(answer), at: .zero).bytes
        _ = there.handle(.received(last), at: .zero)
        #expect(there.isOpen)
        let long = Message.have([Have(author: key, seq: 4097)])
        let end = there.handle(.received(long.encode()), at: .zero).closed
        #expect(end?.code == (version == 2 ? CloseCode.badPayload.rawValue : nil))
    }

    @Test("What joins a ledger counts a tenth, and nothing else does")
    func pace() throws {
        func held(credited: Bool) -> Int {
            var bucket = TokenBucket(
                perSecond: Limits.entriesPerSecond, burst: Limits.entryBurst, at: .zero)
            var now = Instant.zero
            for _ in 0..<500 {
                if let until = bucket.take(64, at: now), !credited { now = until }
                if credited { bucket.giveBack(tenths: 9 * 64) }
                if let until = bucket.debtEnds(at: now) { now = until }
            }
            return Int(now.nanoseconds / 1_000_000)
        }
        // 32000 entries: 2000 at once, then 200 a second; or ten times as many.
        #expect(149_000...151_000 ~= held(credited: false))
        #expect(5000...7000 ~= held(credited: true))
    }

    @Test("However short the times between them, so many a second are let through")
    func parts() {
        for pause in [100, 999, 1500, 3700] as [Int64] {
            var bucket = TokenBucket(perSecond: 200, burst: 10, at: .zero)
            var (count, now) = (0, Instant.zero)
            while now < .zero + .seconds(60) {
                if bucket.left(at: now) > 0 {
                    _ = bucket.take(1, at: now)
                    count += 1
                }
                now = now + TimeSpan(nanoseconds: 1000 * pause)
            }
            #expect(12_008...12_011 ~= count, "\(pause) µs")
        }
    }

    @Test("A connection that was held for entries of a ledger is read again at once")
    func holds() throws {
        var bucket = TokenBucket(perSecond: 200, burst: 2000, at: .zero)
        _ = bucket.take(2100, at: .zero)
        #expect(bucket.debtEnds(at: .zero) != nil)
        bucket.giveBack(tenths: 9 * 2100)
        #expect(bucket.debtEnds(at: .zero) == nil && bucket.left(at: .zero) == 1790)
        bucket.giveBack(tenths: 100_000)
        #expect(bucket.left(at: .zero) == 2000)
    }
}
