// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Brokers

/// What of a broker's bytes comes to the library.
@Suite("Packets of a broker") struct PacketGateTests {
    static let connack: [UInt8] = [0x20, 3, 0, 0, 0]

    /// Whether all pass, in pieces of this size.
    private func passes(_ bytes: [UInt8], piece: Int = 1) -> Bool {
        var gate = PacketGate()
        for start in stride(from: 0, to: bytes.count, by: piece) {
            let part = Array(bytes[start..<min(start + piece, bytes.count)])
            guard part.withUnsafeBytes({ gate.passes($0) }) else { return false }
        }
        return true
    }

    @Test(arguments: [1, 2, 7, 100_000]) func whatABrokerSendsPasses(piece: Int) {
        var bytes = Self.connack
        bytes += [0x90, 4, 0, 1, 0, 1]
        // The largest packet: 19 996 bytes behind a head of four.
        bytes += [0x32, 0x9C, 0x9C, 0x01] + [UInt8](repeating: 7, count: 19_996)
        bytes += [0x31, 5, 0, 1, 0x61, 0, 9] + [0x3A, 7, 0, 1, 0x61, 0, 1, 0, 9]
        bytes += [0x40, 2, 0, 1] + [0xB0, 4, 0, 2, 0, 0] + [0xD0, 0] + [0xE0, 0]
        #expect(passes(bytes, piece: piece))
    }

    @Test(
        arguments: [
            [0x32, 0x9D, 0x9C, 0x01],  // 20 001 bytes
            [0x32, 0xFF, 0xFF, 0xFF, 0x7F], [0x32, 0x80, 0x80, 0x80, 0x80],
            [0x90, 0x84, 0x00], [0xD0, 0x80, 0x00],  // not the shortest length
            [0x20, 3, 0, 0, 0],  // a second greeting
            [0x34, 6], [0x36, 6], [0x38, 6],  // quality 2 and 3; a repetition of quality 0
            [0x31, 3], [0x32, 5], [0x40, 1], [0x90, 3], [0xB0, 0], [0xD0, 1],
            [0x10, 0], [0x82, 4], [0x50, 2], [0x62, 2], [0x70, 2], [0xC0, 0], [0xF0, 0], [0x00, 0],
            [0x41, 2], [0x91, 4], [0xD1, 0],
        ] as [[UInt8]])
    func whatNobodyAskedForDoesNot(bytes: [UInt8]) {
        #expect(!passes(Self.connack + bytes))
        #expect(!passes(Self.connack + bytes, piece: 100))
    }

    @Test func theGreetingComesFirst() {
        #expect(passes(Self.connack) && passes([0x20, 2, 0, 1]))
        #expect(!passes([0xD0, 0]) && !passes([0x48, 0x54, 0x54, 0x50]) && !passes([0x20, 1]))
    }

    @Test(
        arguments: [
            (Greeting(), nil), (Greeting(code: 0x86), .login), (Greeting(code: 0x87), .login),
            (Greeting(code: 0x84), .lacks(.protocol5)), (Greeting(code: 0x97), .turnedAway(0x97)),
            (Greeting(hasSession: true), .malformed),
            (Greeting(retain: 0), .lacks(.retain)), (Greeting(retain: 1), nil),
            (Greeting(quality: 0), .lacks(.quality1)), (Greeting(quality: 1), nil),
            (Greeting(wildcards: 0), .lacks(.wildcards)),
            (Greeting(packet: 16_599), .lacks(.packetSize(16_599))),
            (Greeting(packet: 16_600), nil),
            (Greeting(keepAlive: 0), .lacks(.keepAlive(0))), (Greeting(keepAlive: 60), nil),
            (Greeting(keepAlive: 3600), .lacks(.keepAlive(3600))),
        ] as [(Greeting, BrokerTrouble?)])
    func aBrokerMustBeAbleToDoWhatIsNeeded(greeting: Greeting, trouble: BrokerTrouble?) {
        #expect(greeting.trouble == trouble)
    }

    @Test func peopleAreToldWhatIsLacking() {
        #expect(
            BrokerTrouble.lacks(.retain).text(of: "meet.test")
                == "meet.test keeps no messages (retain unavailable)")
        #expect(
            BrokerTrouble.login.text(of: "meet.test")
                == "meet.test wants a user name, or another one")
    }
}
