// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let t0 = Instant.zero
private func after(_ seconds: Int64) -> Instant { t0 + .seconds(seconds) }

/// Two ends of one connection, joined in memory.
private struct Pair {
    var initiator: Session
    var responder: Session
    var opened = 0
    var closed: [SessionEnd] = []
    var delivered: [Message] = []

    static func config(_ number: UInt8, flights: [FlightKey] = [testFlight]) -> SessionConfig {
        SessionConfig(
            me: FakeSigner(number).key, boot: UInt64(number), connection: 1, port: 1,
            flights: flights, primitives: FakePrimitives())
    }

    init(_ left: [FlightKey] = [testFlight], _ right: [FlightKey] = [testFlight]) {
        let exporter = FakePrimitives().sha256([1])
        initiator = Session(
            Self.config(1, flights: left), role: .initiator, peer: FakeSigner(2).key,
            exporter: exporter, at: t0)
        responder = Session(
            Self.config(2, flights: right), role: .responder, peer: FakeSigner(1).key,
            exporter: exporter, at: t0)
    }

    /// Gives an event to one end and carries bytes to and fro until both rest.
    mutating func run(_ event: SessionEvent, atInitiator: Bool = true, at now: Instant = t0) {
        var queue: [(Bool, SessionEvent)] = [(atInitiator, event)]
        while !queue.isEmpty {
            let (isInitiator, event) = queue.removeFirst()
            let effects =
                isInitiator
                ? initiator.handle(event, at: now) : responder.handle(event, at: now)
            if effects.opened != nil { opened += 1 }
            if let end = effects.closed { closed.append(end) }
            delivered += effects.messages
            if !effects.bytes.isEmpty { queue.append((!isInitiator, .received(effects.bytes))) }
        }
    }

    static func open() -> Pair {
        var pair = Pair()
        pair.run(.started)
        return pair
    }
}

extension Session {
    /// What it says first, as long as it is not open.
    func ownHello() -> Hello {
        guard case .greeting(let greeting) = state else { preconditionFailure("it has greeted") }
        return greeting.ownHello()
    }
}

@Suite struct SessionTests {
    @Test func bothSidesOpenAfterBothAcknowledged() {
        var pair = Pair.open()
        #expect(pair.opened == 2)
        #expect(pair.initiator.isOpen && pair.responder.isOpen)
        pair.run(.send(.query(ContractID(.zero))))
        #expect(pair.delivered.count == 1)
        #expect(pair.closed.isEmpty)
    }

    @Test func strangersFromAnotherFlightHearNothingButClose() {
        let other = FlightKey(auth: FakePrimitives().sha256([9]), primitives: FakePrimitives())
        var pair = Pair([other], [testFlight])
        pair.run(.started)
        #expect(pair.opened == 0)
        #expect(pair.closed.map(\.code).allSatisfy { $0 == CloseCode.noCommonFlight.rawValue })
        #expect(pair.closed.count == 2)
    }

    /// C4, as far as sessions go: an agent on a flight, which knows nothing of venues, and one in a
    /// venue on the same network say HELLO and `noCommonFlight`, whoever dials.
    @Test(arguments: [true, false])
    func c4AFlightAndAVenueSayNothingToEachOther(venueDials: Bool) throws {
        let text = "rec/2026-12/" + String(repeating: "a", count: 52)
        let name = try #require(GatheringName(text))
        let venue = try #require(FlightKey(name, primitives: FakePrimitives()))
        var pair = venueDials ? Pair([venue], [testFlight]) : Pair([testFlight], [venue])
        let said = pair.initiator.handle(.started, at: t0)
        #expect(pair.initiator.ownHello().foldVersion == (venueDials ? 3 : 2))
        let answer = pair.responder.handle(.received(said.bytes), at: t0)
        let close = Message.close(code: CloseCode.noCommonFlight.rawValue, text: "")
        #expect(answer.bytes == close.encode())
        #expect(answer.closed?.isFault == false && !pair.responder.isOpen)
        let end = pair.initiator.handle(.received(answer.bytes), at: t0)
        #expect(end.bytes.isEmpty && end.closed?.code == CloseCode.noCommonFlight.rawValue)
    }

    @Test func twoInOneVenueMeet() throws {
        let text = "rec/2026-12/" + String(repeating: "a", count: 52)
        let name = try #require(GatheringName(text))
        let venue = try #require(FlightKey(name, primitives: FakePrimitives()))
        var pair = Pair([venue], [venue])
        pair.run(.started)
        #expect(pair.opened == 2)
        // Other rules for the same gathering.
        let other = FlightKey(auth: venue.auth, primitives: FakePrimitives())
        var apart = Pair([other], [venue])
        apart.run(.started)
        #expect(apart.opened == 0 && apart.closed.count == 2)
        #expect(apart.closed.allSatisfy { $0.code == CloseCode.otherFoldVersion.rawValue })
    }

    @Test func anAliasIsEnoughAndIsTold() {
        let other = FlightKey(auth: FakePrimitives().sha256([9]), primitives: FakePrimitives())
        var pair = Pair([other, testFlight], [testFlight])
        pair.run(.started)
        #expect(pair.opened == 2)
    }

    @Test func aProofBelongsToOneSessionAndOneRole() {
        // The responder's own proof sent back to it, or one for another exporter, proves nothing.
        let hello = Pair().initiator.ownHello()
        var stranger = Session(
            Pair.config(2), role: .responder, peer: FakeSigner(1).key,
            exporter: FakePrimitives().sha256([2]), at: t0)
        let effects = stranger.handle(.received(Message.hello(hello).encode()), at: t0)
        #expect(effects.closed?.code == CloseCode.noCommonFlight.rawValue)
        var mirror = Pair().responder
        let back = mirror.ownHello()
        let reflected = mirror.handle(.received(Message.hello(back).encode()), at: t0)
        #expect(reflected.closed?.code == CloseCode.noCommonFlight.rawValue)
    }

    @Test(arguments: [
        (Message.ping(1), CloseCode.unexpected),
        (.have([Have(author: MessageSamples.key, seq: 1)]), .unexpected),
        (.helloAck(HelloAck(minor: 0, matched: 0)), .unexpected),
        (.query(ContractID(.zero)), .unexpected),
    ])
    func nothingElseBeforeHello(message: Message, code: CloseCode) {
        var pair = Pair()
        let effects = pair.responder.handle(.received(message.encode()), at: t0)
        #expect(effects.closed == SessionEnd(code: code.rawValue, byPeer: false, isFault: true))
        #expect(effects.messages.isEmpty)
    }

    @Test func otherVersionsAreTurnedAway() {
        var hello = Pair().initiator.ownHello()
        hello.foldVersion = 1
        var first = Pair()
        let fold = first.responder.handle(.received(Message.hello(hello).encode()), at: t0)
        #expect(fold.closed?.code == CloseCode.otherFoldVersion.rawValue)
        hello.foldVersion = 2
        hello.minors = 1...3
        var second = Pair()
        let minor = second.responder.handle(.received(Message.hello(hello).encode()), at: t0)
        #expect(minor.closed?.code == CloseCode.noCommonVersion.rawValue)
    }

    @Test func helloMustComeInTime() {
        var pair = Pair()
        #expect(pair.responder.nextDeadline == after(5))
        #expect(pair.responder.handle(.tick, at: after(4)).closed == nil)
        let late = pair.responder.handle(.tick, at: after(5))
        #expect(late.closed?.code == CloseCode.tooSlow.rawValue)
        #expect(pair.responder.handle(.received([0]), at: after(6)) == SessionEffects())
    }

    @Test func framesBeforeHelloAreSmall() {
        var pair = Pair()
        let long = pair.responder.handle(.received([0, 0, 0x10, 0x01]), at: t0)
        #expect(long.closed?.code == CloseCode.badLength.rawValue)
        var open = Pair.open()
        #expect(open.responder.handle(.received([0, 0, 0x10, 0x01]), at: t0).closed == nil)
        let longer = Pair.open().responder
        var other = longer
        let far = other.handle(.received([0, 1, 0, 1]), at: t0)
        #expect(far.closed?.code == CloseCode.badLength.rawValue)
    }

    @Test func helloComesOnce() {
        var pair = Pair.open()
        let again = Message.hello(Pair().initiator.ownHello()).encode()
        let effects = pair.responder.handle(.received(again), at: t0)
        #expect(effects.closed?.code == CloseCode.unexpected.rawValue)
    }

    @Test func garbageAndUnknownTypes() {
        for (bytes, code) in [
            ([0, 0, 0, 2, 4, 0xFF], CloseCode.badPayload), ([0, 0, 0, 1, 200], .unsupported),
            ([0, 0, 0, 0], .badLength), ([0, 0, 0, 2, 16, 0x80], .badPayload),
        ] as [([UInt8], CloseCode)] {
            var pair = Pair.open()
            let effects = pair.responder.handle(.received(bytes), at: t0)
            #expect(effects.closed?.code == code.rawValue)
        }
        var pair = Pair.open()
        #expect(pair.responder.handle(.received([0, 0, 0, 1, 201]), at: t0).closed == nil)
    }

    @Test func silenceIsAnsweredByPingThenByClose() {
        var pair = Pair.open()
        let ping = pair.initiator.handle(.tick, at: after(20))
        #expect(ping.bytes == Message.ping(1).encode())
        let pong = pair.responder.handle(.received(ping.bytes), at: after(20))
        #expect(pong.bytes == Message.pong(1).encode())
        _ = pair.initiator.handle(.received(pong.bytes), at: after(21))
        #expect(pair.initiator.handle(.tick, at: after(65)).closed == nil)
        let dead = pair.initiator.handle(.tick, at: after(66))
        #expect(dead.closed?.code == CloseCode.silent.rawValue)
    }

    @Test func closeIsSentAndHeard() {
        var pair = Pair.open()
        pair.run(.close(.leaving, "bye"))
        #expect(
            pair.closed == [
                SessionEnd(code: 0, byPeer: false, isFault: false),
                SessionEnd(code: 0, byPeer: true, isFault: false),
            ])
    }
}

@Suite struct QueueTests {
    @Test func controlGoesFirstAndBulkLast() throws {
        var queues = SendQueues()
        let batch = Message.entries(EntryBatch(kind: .answer, entries: [[1]]))
        let thread = try require(MessageSamples.thread)
        let talk = Message.directMessage(id: thread, text: "x")
        for message in [batch, talk, .ping(1)] { try queues.add(message) }
        #expect(queues.next() == Message.ping(1).encode())
        #expect(queues.next() == talk.encode())
        #expect(queues.next() == batch.encode())
        #expect(queues.next() == nil)
    }

    @Test func queuesEnd() throws {
        var queues = SendQueues()
        for number in 0..<Limits.controlQueue { try queues.add(.ping(number)) }
        #expect(throws: SendQueues.Refusal.overflow) { try queues.add(.ping(0)) }
        let thread = try require(MessageSamples.thread)
        for _ in 0..<Limits.messageQueue { try queues.add(.directAck(id: thread)) }
        #expect(throws: SendQueues.Refusal.message) { try queues.add(.directAck(id: thread)) }
    }

    @Test func pushesStopAtTheirCredit() throws {
        var queues = SendQueues()
        let push = Message.entries(
            EntryBatch(kind: .push, entries: [Array(repeating: 1, count: Limits.bulkSlice)]))
        let fit = Limits.pushCredit / push.encode().count
        for _ in 0..<fit { try queues.add(push) }
        #expect(throws: SendQueues.Refusal.push) { try queues.add(push) }
        _ = queues.next()
        try queues.add(push)
    }

    @Test("What others say is left out where much of it waits, and the session goes on")
    func hearsay() {
        var pair = Pair.open()
        let hearsay = Message.venue(.statement(MadeUpAsks.book(FakeSigner(4), 1)))
        let size = hearsay.encode().count
        var left = 0
        let most = (Limits.inFlight + Limits.hearsayCredit) / size + 2
        for _ in 0..<most + 5 {
            let effects = pair.initiator.handle(.passOn(hearsay, ofMember: false), at: t0)
            left += effects.leftOut ? 1 : 0
            #expect(!effects.droppedPush && effects.closed == nil)
        }
        #expect(left > 0 && left < 10)
        #expect(!pair.initiator.handle(.drained(pending: 0), at: t0).bytes.isEmpty)
        #expect(!pair.initiator.handle(.passOn(hearsay, ofMember: false), at: t0).leftOut)
    }

    @Test("However much others say, the peer can read all of it, and what concerns them besides")
    func paceOfHearsay() {
        var pair = Pair([MadeUpVenue.gathering], [MadeUpVenue.gathering])
        pair.run(.started)
        let said = Message.venue(.statement(MadeUpAsks.book(FakeSigner(4), 1)))
        var passed: [Bool: [Int]] = [:]
        for turn in 0..<6000 as Range<Int64> {
            let now = t0 + .milliseconds(10 * turn)
            // Members are silent in the first half of the minute.
            var events = Array(repeating: SessionEvent.passOn(said, ofMember: false), count: 4)
            if turn >= 3000 { events.append(.passOn(said, ofMember: true)) }
            if turn % 5 == 0 { events.append(.send(said)) }
            for event in events {
                let sent = pair.initiator.handle(event, at: now)
                _ = pair.initiator.handle(.drained(pending: 0), at: now)
                let read = pair.responder.handle(.received(sent.bytes), at: now)
                #expect(read.hold != true && read.messages.count == (sent.leftOut ? 0 : 1))
                if case .passOn(_, let isMember) = event, !sent.leftOut {
                    passed[isMember, default: [0, 0]][turn < 3000 ? 0 : 1] += 1
                }
            }
        }
        // 6400 in the first half, and then what members leave.
        #expect(passed == [false: [6398, 1801], true: [0, 3000]])
    }

    @Test func bytesInFlightAreBounded() throws {
        var pair = Pair.open()
        let answer = Message.entries(
            EntryBatch(kind: .answer, entries: [Array(repeating: 1, count: Limits.bulkSlice)]))
        var released = 0
        for _ in 0..<20 {
            released += pair.initiator.handle(.send(answer), at: t0).bytes.count
        }
        #expect(released < Limits.inFlight + answer.encode().count)
        let more = pair.initiator.handle(.drained(pending: 0), at: t0)
        #expect(more.bytes.count >= Limits.inFlight)
    }

    @Test func aBurstOfEntriesHoldsReadingAndLosesNothing() {
        var pair = Pair.open()
        let batch = Message.entries(
            EntryBatch(kind: .push, entries: Array(repeating: [1], count: 64)))
        var held: [Bool] = []
        var count = 0
        for _ in 0..<33 {
            let effects = pair.responder.handle(.received(batch.encode()), at: t0)
            count += effects.messages.count
            if let hold = effects.hold { held.append(hold) }
        }
        #expect(count == 33)
        #expect(held.first == true)
        let effects = pair.responder.handle(.tick, at: after(2))
        #expect(effects.hold == false)
    }

    @Test func requestsHaveARateOfTheirOwnAndLoseNothing() throws {
        var pair = Pair.open()
        let contract = ContractID(FakePrimitives().sha256([1]))
        let thread = try require(MessageSamples.thread)
        // A request of either kind counts, and so does each question that is asked.
        let frames: [Message] = [
            .query(contract), .withdraw(Withdraw(thread: thread, reason: .lapsed)), .ping(1),
            .propose(
                Proposal(thread: thread, revision: 1, contract: [9], note: "", expires: 60)),
            .ask(
                Ask(
                    thread: thread, contract: [9], note: "", expires: 60,
                    head: MessageSamples.head)),
        ]
        var heard = 0
        var held: [Int] = []
        for number in 1...Limits.requestBurst + 50 {
            let frame = frames[number % frames.count]
            let effects = pair.responder.handle(.received(frame.encode()), at: t0)
            heard += effects.messages.count + (effects.bytes.isEmpty ? 0 : 1)
            if effects.hold == true { held.append(number) }
        }
        #expect(heard == Limits.requestBurst + 50)
        #expect(held.first == Limits.requestBurst + 1)
        #expect(pair.responder.handle(.tick, at: after(2)).hold == false)
        // What was read in the turn of the hold costs time of reading, and no more.
        let query = Message.query(contract)
        #expect(pair.responder.handle(.received(query.encode()), at: after(3)).hold == nil)
    }

    @Test func whoeverOwesBothWaitsForTheLonger() {
        var pair = Pair.open()
        let query = Message.query(ContractID(FakePrimitives().sha256([1])))
        for _ in 0..<Limits.requestBurst + 1000 {
            _ = pair.responder.handle(.received(query.encode()), at: t0)
        }
        let batch = Message.entries(
            EntryBatch(kind: .push, entries: Array(repeating: [1], count: 64)))
        for _ in 0..<33 { _ = pair.responder.handle(.received(batch.encode()), at: t0) }
        #expect(pair.responder.handle(.tick, at: after(9)).hold == nil)
        #expect(pair.responder.handle(.tick, at: after(11)).hold == false)
    }

    /// A full outbox of one, the answers to one's own messages and what a circuit carries: an
    /// honest agent may say much of them at once.
    @Test func whatOneAskedForOrCarriesDoesNotCountAsRequests() throws {
        var pair = Pair.open()
        let thread = try require(MessageSamples.thread)
        let honest: [Message] = [
            .pong(1), .directAck(id: thread), .relay(.data(1, [1])), .relay(.took(1, 1)),
            .certificate(Certificate(contract: [1], votes: [[2], [3]], claims: [])),
        ]
        for number in 0..<1000 {
            let frame = honest[number % honest.count]
            #expect(pair.responder.handle(.received(frame.encode()), at: t0).hold == nil)
        }
        let opening = Message.relay(.open(1, FakeSigner(9).key, isIncoming: false))
        var held = 0
        for _ in 0...Limits.requestBurst {
            held += pair.responder.handle(.received(opening.encode()), at: t0).hold == true ? 1 : 0
        }
        #expect(held == 1)
    }
}
