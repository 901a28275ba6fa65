// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

/// A stranger's connection before and after HELLO: nothing is delivered to us, and hardly anything
/// told to them, before they have proven to be of the flight.
///
/// Input: choices of what they send and when.
enum HelloTarget {
    private static let exporter = FakePrimitives().sha256([1])
    private static let me = FakeSigner(1)
    private static let stranger = FakeSigner(2)
    private static let other = FlightKey(
        auth: FakePrimitives().sha256([9]), primitives: FakePrimitives())

    /// One connection, and what is true of it so far.
    private struct Line {
        var session: Session
        let role: FlightKey.Role
        var now = Instant.zero
        var isProven = false
        var isOpen = false
        var isClosed = false
        var sent = 0
        var output = FrameDecoder(limit: Limits.frame)

        mutating func feed(_ event: SessionEvent) {
            let effects = session.handle(event, at: now)
            if isClosed { hold(effects == SessionEffects(), "a closed session acts") }
            if effects.opened != nil {
                hold(isProven && !isOpen, "opened without a proof, or twice")
                isOpen = true
            }
            hold(isOpen || effects.messages.isEmpty, "delivered before HELLO")
            hold(isOpen || !session.isOpen, "open in secret")
            sent += effects.bytes.count
            hold(isOpen || sent <= 512, "a stranger is told too much")
            output.append(effects.bytes)
            while let frame = try? output.next() {
                hold((try? Message.decode(frame)) != nil, "sent what nobody reads")
            }
            hold(output.waiting == 0, "sent half a frame")
            if effects.closed != nil { isClosed = true }
            if !isClosed {
                let most = (isOpen ? Limits.frame : Limits.frameBeforeHello) + 4
                hold(session.decoder.waiting < most, "keeps more than a frame")
            }
            hold(isClosed == (session.nextDeadline == nil), "waits for nothing")
        }
    }

    static func run(_ input: [UInt8]) -> Verdict {
        var choices = Choices(input)
        let setting = choices.byte()
        let role: FlightKey.Role = setting & 1 == 0 ? .initiator : .responder
        let config = SessionConfig(
            me: me.key, boot: 7, connection: 1, port: 1,
            flights: setting & 2 == 0 ? [testFlight] : [other, testFlight],
            primitives: FakePrimitives(), isOnDemand: setting & 4 != 0)
        var line = Line(
            session: Session(
                config, role: role, peer: stranger.key, exporter: exporter, at: .zero),
            role: role)
        if setting & 8 == 0 { line.feed(.started) }
        for _ in 0..<48 where !choices.isEmpty { step(&line, &choices) }
        return line.isOpen ? .accepted : .refused
    }

    private static func step(_ line: inout Line, _ choices: inout Choices) {
        switch choices.below(12) {
        case 0: line.feed(.received(choices.take(choices.below(64))))
        case 1: say(.hello(hello(line.role, &choices)), &line, &choices)
        case 2:
            let matched = choices.below(4)
            say(
                .helloAck(HelloAck(minor: choices.below(4) / 3, matched: matched / 2)), &line,
                &choices)
        case 3: say(.ping(choices.below(4)), &line, &choices)
        case 4: say(.pong(choices.below(4)), &line, &choices)
        case 5:
            let frame = Frame(type: choices.byte(), payload: choices.take(choices.below(40)))
            line.feed(.received(frame.bytes))
        case 6:
            line.now = line.now + .milliseconds(Int64(choices.wide()))
            line.feed(.tick)
        case 7: line.feed(.drained(pending: choices.wide() &* 4))
        case 8: line.feed(.probe)
        case 9: line.feed(.send(.query(ContractID(.zero))))
        case 10:
            let entries = [[UInt8]](repeating: [1], count: choices.below(64))
            say(.entries(EntryBatch(kind: .push, entries: entries)), &line, &choices)
        default:
            if choices.once(in: 4) { line.feed(.close(.leaving, "bye")) }
            if choices.once(in: 8) { say(.close(code: choices.wide(), text: ""), &line, &choices) }
        }
    }

    /// A message in one or two pieces, sometimes with a wrong byte.
    private static func say(_ message: Message, _ line: inout Line, _ choices: inout Choices) {
        var bytes = message.encode()
        let manner = choices.byte()
        if manner >= 0xF0 { bytes[Int(choices.byte()) % bytes.count] ^= 1 << (manner & 7) }
        // Whatever was sent before, this is the only way in which a right proof gets there.
        if case .hello = message { line.isProven = true }
        let cut = Int(manner) % (bytes.count + 1)
        line.feed(.received(Array(bytes[..<cut])))
        line.feed(.received(Array(bytes[cut...])))
    }

    /// A HELLO of the stranger: right in most, wrong in some of its parts.
    private static func hello(_ ours: FlightKey.Role, _ choices: inout Choices) -> Hello {
        let theirs: FlightKey.Role = ours == .initiator ? .responder : .initiator
        let wrong = choices.byte()
        let flight = wrong & 1 == 0 ? testFlight : other
        let proof = flight.proof(
            role: wrong & 2 == 0 ? theirs : ours, exporter: wrong & 4 == 0 ? exporter : .zero,
            initiator: ours == .initiator ? me.key : stranger.key,
            responder: ours == .initiator ? stranger.key : me.key,
            primitives: FakePrimitives())
        let none = [UInt8](repeating: 3, count: 16)
        let proofs = [[proof], [none, proof], [none], [none, none, none, proof]][Int(wrong >> 6)]
        return Hello(
            minors: wrong & 8 == 0 ? 0...0 : 1...2, foldVersion: wrong & 16 == 0 ? 2 : 1,
            boot: 9, connection: choices.below(4), maxFrame: Limits.frame, port: 1,
            proofs: proofs, features: choices.below(4))
    }
}
