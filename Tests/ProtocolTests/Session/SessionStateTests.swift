// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let t0 = Instant.zero
private let exporter = FakePrimitives().sha256([1])

private func fresh(_ role: FlightKey.Role, _ gathering: FlightKey = testFlight) -> Session {
    let me: UInt8 = role == .initiator ? 1 : 2
    let config = SessionConfig(
        me: FakeSigner(me).key, boot: UInt64(me), connection: 1, port: 1,
        flights: [gathering], primitives: FakePrimitives())
    return Session(
        config, role: role, peer: FakeSigner(3 - me).key, exporter: exporter, at: t0)
}

/// An open session of the responder, whose bytes nobody takes.
private func open(_ gathering: FlightKey = testFlight) -> Session {
    var initiator = fresh(.initiator, gathering)
    var responder = fresh(.responder, gathering)
    let first = initiator.handle(.started, at: t0)
    let second = responder.handle(.received(first.bytes), at: t0)
    let third = initiator.handle(.received(second.bytes), at: t0)
    _ = responder.handle(.received(third.bytes), at: t0)
    _ = responder.handle(.drained(pending: 0), at: t0)
    return responder
}

/// An open session that may release nothing, so that its queues fill.
private func stuck() -> Session {
    var session = open()
    _ = session.handle(.drained(pending: Limits.inFlight), at: t0)
    return session
}

private func thread(_ number: Int) throws -> ThreadID {
    try require(
        ThreadID([UInt8(number >> 8), UInt8(number & 255)] + Array(repeating: 0, count: 14)))
}

@Suite struct SessionStateTests {
    @Test func theHandshakeIsExactlyThreeSends() throws {
        var initiator = fresh(.initiator)
        var responder = fresh(.responder)
        #expect(responder.handle(.started, at: t0) == SessionEffects())
        var expected = SessionEffects()
        expected.bytes = Message.hello(initiator.ownHello()).encode()
        #expect(initiator.handle(.started, at: t0) == expected)
        let ack = Message.helloAck(HelloAck(minor: 0, matched: 0)).encode()
        let hello = responder.handle(.received(expected.bytes), at: t0)
        expected.bytes = Message.hello(fresh(.responder).ownHello()).encode() + ack
        #expect(hello == expected)
        let answer = initiator.handle(.received(hello.bytes), at: t0)
        expected.bytes = ack
        expected.opened = SessionFacts(
            minor: 0, hello: fresh(.responder).ownHello(), sameFlight: true)
        #expect(answer == expected)
        let last = responder.handle(.received(answer.bytes), at: t0)
        expected.bytes = []
        expected.opened = SessionFacts(
            minor: 0, hello: fresh(.initiator).ownHello(), sameFlight: true)
        #expect(last == expected)
    }

    /// Frames in the wrong state: after HELLO and before HELLO_ACK nothing else may come either.
    @Test func onlyGreetingsBeforeOpen() throws {
        for message in try MessageSamples.all() {
            for afterHello in [false, true] {
                var session = fresh(.responder)
                if afterHello {
                    let hello = Message.hello(fresh(.initiator).ownHello()).encode()
                    #expect(session.handle(.received(hello), at: t0).closed == nil)
                }
                let effects = session.handle(.received(message.encode()), at: t0)
                #expect(effects.messages.isEmpty && effects.opened == nil)
                switch message {
                case .close: #expect(effects.closed?.byPeer == true)
                case .hello where !afterHello:
                    #expect(effects.closed?.code == CloseCode.noCommonFlight.rawValue)
                case .helloAck where afterHello:
                    // matched: 3 is not among the one proof given.
                    #expect(effects.closed?.code == CloseCode.badPayload.rawValue)
                case _ where message.encode().count > Limits.frameBeforeHello:
                    #expect(effects.closed?.code == CloseCode.badLength.rawValue)
                default: #expect(effects.closed?.code == CloseCode.unexpected.rawValue)
                }
            }
        }
    }

    /// Every kind of message when open: delivered, handled inside, or refused.
    @Test(arguments: [testFlight, MadeUpVenue.gathering])
    func eachMessageHasItsPlaceWhenOpen(gathering: FlightKey) throws {
        for message in try MessageSamples.all() {
            var session = open(gathering)
            let effects = session.handle(.received(message.encode()), at: t0)
            switch message {
            case .hello, .helloAck:
                #expect(effects.closed?.code == CloseCode.unexpected.rawValue)
            case .ping(let number): #expect(effects.bytes == Message.pong(number).encode())
            case .pong: #expect(effects == SessionEffects())
            case .close: #expect(effects.closed?.code == 65_535)
            case .venue where gathering == testFlight: #expect(effects == SessionEffects())
            default:
                var expected = SessionEffects()
                expected.messages = [message]
                #expect(effects == expected)
            }
        }
    }

    /// What joined a ledger is paid back: a connection that was held is read again.
    @Test func entriesOfLedgersHoldNobodyUp() throws {
        var session = open(MadeUpVenue.gathering)
        let batch = EntryBatch(kind: .answer, entries: Array(repeating: [1], count: 64))
        var isHeld = false
        for number in 1...100 {
            let effects = session.handle(.received(Message.entries(batch).encode()), at: t0)
            isHeld = effects.hold ?? isHeld
            #expect(isHeld == (number > 31))
            guard number > 90 else { continue }
            // Nothing was told of the others: they are owed still.
            #expect(session.handle(.ledger(64), at: t0).hold == nil)
        }
        let free = session.handle(.ledger(64 * 90), at: t0)
        #expect(free.hold == false)
        #expect(session.handle(.ledger(64), at: t0).hold == nil)
    }

    @Test func aClosedSessionIsInert() throws {
        var session = open()
        #expect(session.handle(.close(.leaving, ""), at: t0).closed != nil)
        let message = Message.ping(1)
        for event in [
            .started, .received(message.encode()), .drained(pending: 0), .send(message), .tick,
            .probe, .ledger(9), .close(.leaving, ""),
        ] as [SessionEvent] {
            #expect(session.handle(event, at: t0 + .seconds(999)) == SessionEffects())
        }
        #expect(session.nextDeadline == nil)
    }

    @Test func nothingAfterACloseIsHeard() {
        var session = open()
        let bytes =
            Message.close(code: 777, text: "").encode() + Message.query(.init(.zero)).encode()
        let effects = session.handle(.received(bytes), at: t0)
        #expect(effects.closed == SessionEnd(code: 777, byPeer: true, isFault: false))
        #expect(effects.messages.isEmpty && effects.bytes.isEmpty)
    }

    @Test func theTextOfACloseIsCutBetweenCharacters() throws {
        for (text, kept) in [
            (String(repeating: "x", count: 129), 128), (String(repeating: "é", count: 65), 128),
            (String(repeating: "€", count: 43), 126), ("short", 5),
        ] {
            var session = open()
            let effects = session.handle(.close(.leaving, text), at: t0)
            var decoder = FrameDecoder(limit: Limits.frame)
            decoder.append(effects.bytes)
            let frame = try #require(try decoder.next())
            guard case .close(0, let sent) = try Message.decode(frame) else {
                Issue.record("no CLOSE for \(text)")
                continue
            }
            #expect(sent.utf8.count == kept && text.hasPrefix(sent))
        }
    }

    @Test func aProbeIsAnsweredByItsOwnNumberOnly() {
        var session = open()
        #expect(session.isAnswered)
        #expect(session.handle(.probe, at: t0).bytes == Message.ping(1).encode())
        #expect(!session.isAnswered)
        for number in [0, 2, Int.max] {
            _ = session.handle(.received(Message.pong(number).encode()), at: t0)
            #expect(!session.isAnswered)
        }
        _ = session.handle(.received(Message.pong(1).encode()), at: t0)
        #expect(session.isAnswered)
    }

    @Test func pingsOfAPeerThatReadsNothingEndIt() {
        var session = stuck()
        for number in 0..<Limits.controlQueue {
            let effects = session.handle(.received(Message.ping(number).encode()), at: t0)
            #expect(effects == SessionEffects())
        }
        let effects = session.handle(.received(Message.ping(0).encode()), at: t0)
        #expect(
            effects.closed
                == SessionEnd(code: CloseCode.tooSlow.rawValue, byPeer: false, isFault: false))
    }

    @Test func directMessagesWithoutRoomAreGivenBack() throws {
        var session = stuck()
        for number in 0..<Limits.messageQueue {
            let message = Message.directMessage(id: try thread(number), text: "x")
            #expect(session.handle(.send(message), at: t0) == SessionEffects())
        }
        let last = try thread(Limits.messageQueue)
        var expected = SessionEffects()
        expected.refused = [last]
        #expect(session.handle(.send(.directMessage(id: last, text: "x")), at: t0) == expected)
    }

    @Test func pushesWithoutCreditAreToldAndAnswersStillGo() {
        var session = stuck()
        func batch(_ kind: EntryBatch.Kind) -> Message {
            .entries(
                EntryBatch(
                    kind: kind, entries: [Array(repeating: 1, count: Limits.bulkSlice - 32)]))
        }
        for _ in 0..<4 { #expect(session.handle(.send(batch(.push)), at: t0) == SessionEffects()) }
        #expect(session.handle(.send(batch(.push)), at: t0).droppedPush)
        #expect(!session.handle(.send(batch(.answer)), at: t0).droppedPush)
    }

    /// One fork proof for every author of a flight: as control frames they
    /// would end the connection.
    @Test func manyForkProofsDropInsteadOfClosing() {
        var session = stuck()
        let proof = Message.forkProof(
            first: Array(repeating: 1, count: Limits.entry),
            second: Array(repeating: 2, count: Limits.entry))
        var dropped = 0
        for _ in 0..<Limits.authors {
            let effects = session.handle(.send(proof), at: t0)
            #expect(effects.closed == nil)
            if effects.droppedPush { dropped += 1 }
        }
        #expect(dropped == Limits.authors - Limits.bulkQueue / proof.encode().count)
    }

    @Test func readingIsHeldFromTheFirstEntryOverTheBurst() {
        var session = open()
        let batch = Message.entries(
            EntryBatch(kind: .answer, entries: Array(repeating: [1], count: 50))
        ).encode()
        for _ in 0..<40 { #expect(session.handle(.received(batch), at: t0).hold == nil) }
        let one = Message.entries(EntryBatch(kind: .last, entries: [[1]])).encode()
        let effects = session.handle(.received(one), at: t0)
        #expect(effects.hold == true && effects.messages.count == 1)
        #expect(session.nextDeadline == t0 + .milliseconds(6))
        #expect(session.handle(.tick, at: t0 + .milliseconds(5)).hold == nil)
        #expect(session.handle(.tick, at: t0 + .milliseconds(6)).hold == false)
        // 200 a second from then on.
        let later = t0 + .seconds(1)
        for _ in 0..<3 { #expect(session.handle(.received(batch), at: later).hold == nil) }
        #expect(session.handle(.received(batch), at: later).hold == true)
    }

    @Test func limitsOfTheClockAreExact() {
        var greeting = fresh(.initiator)
        _ = greeting.handle(.started, at: t0)
        let last = Instant(nanoseconds: 4_999_999_999)
        #expect(greeting.handle(.tick, at: last) == SessionEffects())
        #expect(greeting.handle(.tick, at: t0 + .seconds(5)).closed?.code == 10)
        var session = open()
        #expect(session.handle(.tick, at: t0 + .milliseconds(19_999)) == SessionEffects())
        #expect(session.handle(.tick, at: t0 + .seconds(20)).bytes == Message.ping(1).encode())
        #expect(session.handle(.tick, at: t0 + .milliseconds(44_999)).closed == nil)
        #expect(session.handle(.tick, at: t0 + .seconds(45)).closed?.code == 11)
    }

    /// Damaged bytes on an open session: it never traps, and after its end it says nothing.
    @Test func damagedStreamsNeverTrap() throws {
        var random = SeededRandom(seed: 11)
        let good = try MessageSamples.all().filter { $0.type != .close }.flatMap { $0.encode() }
        var ends = 0
        for _ in 0..<3000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            var session = random.next() % 2 == 0 ? open() : fresh(.responder)
            let effects = session.handle(.received(bytes), at: t0)
            if effects.closed != nil {
                ends += 1
                #expect(session.handle(.received(good), at: t0) == SessionEffects())
            }
        }
        #expect(ends > 2000)
    }
}
