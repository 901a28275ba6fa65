// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Testing

@testable import SeatAgent
@testable import System
@testable import Transport

@Suite struct NetworkListenerTests {
    private let harness: LinkHarness

    init() throws { harness = try LinkHarness() }

    @Test func onePortForBothFamilies() throws {
        let listener = try harness.listen()
        #expect(listener.port != 0)
        #expect(listener.addresses.allSatisfy { $0.port == listener.port })
        #expect(listener.addresses.first?.host == .loopback4)
        let six = Address.all(of: "lo").contains { $0.host == .loopback6 }
        #expect(listener.addresses.contains { $0.host == .loopback6 } == six)
    }

    @Test func aPortThatIsTaken() throws {
        let first = try harness.listen()
        let environment = try harness.environment(3)
        #expect(throws: ListenError.system(SystemError(code: EADDRINUSE), port: first.port)) {
            try Listener(port: first.port, interface: "lo", in: environment, seed: 1) { _ in }
        }
    }

    @Test func anInterfaceThatIsNotThere() throws {
        let environment = try harness.environment(3)
        #expect(throws: ListenError.noAddress(interface: "nosuchif0")) {
            try Listener(port: 0, interface: "nosuchif0", in: environment, seed: 1) { _ in }
        }
    }

    @Test func theAddressesOfAnInterface() throws {
        harness.syscalls.addresses = { name in
            name == "eth7" ? [Address(host: .v4(0x7f00_0002), port: 0)] : []
        }
        let listener = try Listener(
            port: 0, interface: "eth7", in: harness.environment(3), seed: 1, onLink: { _ in })
        #expect(listener.addresses.map(\.host) == [.v4(0x7f00_0002)])
    }

    @Test func aMachineWithoutIPv6() throws {
        harness.syscalls.socket = { address throws(SystemError) in
            guard address.host.bytes.count == 4 else { throw SystemError(code: EAFNOSUPPORT) }
            return try Syscalls().socket(address)
        }
        #expect(try harness.listen().addresses.map(\.host) == [.loopback4])
    }

    /// Connects and says nothing, `count` times, and gives the descriptors.
    private func strangers(_ count: Int, _ listener: Listener) throws -> [Int32] {
        try (0..<count).map { _ in try silentClient(of: listener) }
    }

    @Test func strangersOfOneAddressPayForTheirOwnNewcomers() throws {
        let listener = try harness.listen()
        let four = try strangers(4, listener)
        try #require(harness.turn { harness.accepted.count == 4 })
        let fifth = try silentClient(of: listener)
        try #require(harness.turn { harness.accepted.count == 5 })
        // One of the four was sent away: its socket reports a reset.
        func reset(_ descriptor: Int32) -> Bool {
            var byte: UInt8 = 0
            return recv(descriptor, &byte, 1, 0) < 0 && errno != EAGAIN
        }
        try #require(harness.turn { harness.accepted.contains { harness.end($0) == .replaced } })
        #expect(four.count(where: reset) == 1 && !reset(fifth))
        // One proves itself: it stays, and there is room for one more.
        let proven = try #require(harness.accepted.first { harness.end($0) == nil })
        proven.isProven = true
        let sixth = try silentClient(of: listener)
        try #require(harness.turn { harness.accepted.count == 6 })
        #expect(harness.accepted.count { harness.end($0) == .replaced } == 1)
        for descriptor in four + [fifth, sixth] { close(descriptor) }
    }

    /// Whoever connects and says nothing has a second; who begins TLS has more.
    @Test func theFirstBytesOfTLSComeWithinASecond() throws {
        let clock = HandClock()
        let harness = try LinkHarness(clock: { clock.now })
        let listener = try harness.listen()
        let silent = try silentClient(of: listener)
        let slow = try silentClient(of: listener)
        defer { for descriptor in [silent, slow] { close(descriptor) } }
        try #require(harness.turn { harness.accepted.count == 2 })
        // The head of a handshake record that stays open.
        #expect(write(slow, "\u{16}\u{3}\u{1}\u{2}", 4) == 4)
        var turns = 0
        _ = harness.turn {
            turns += 1
            return turns > 20
        }
        clock.now = clock.now + .milliseconds(1000)
        try #require(harness.turn { harness.accepted.contains { harness.end($0) != nil } })
        #expect(harness.accepted.compactMap(harness.end) == [.silent])
        clock.now = clock.now + harness.limits.handshakeTime
        try #require(harness.turn { harness.accepted.allSatisfy { harness.end($0) != nil } })
        #expect(harness.accepted.compactMap(harness.end).contains(.handshakeTimeout))
    }

    /// The attack: idle connections from so many addresses that all slots are taken, and made anew
    /// as soon as they end. An honest agent proves itself all the same.
    @Test func idleConnectionsDoNotKeepANewcomerOut() throws {
        let listener = try harness.listen()
        let address = try #require(listener.addresses.first)
        var idle: [Int32] = []
        defer { for descriptor in idle { close(descriptor) } }
        func fill(_ round: UInt32, _ count: UInt32) throws {
            for number in 0..<count {
                let host = 0x7f00_0000 | (round << 8) | (number + 2)
                idle.append(try silentClient(of: address, from: .v4(host)))
            }
        }
        try fill(1, UInt32(harness.limits.unproven))
        try #require(harness.turn { harness.accepted.count == harness.limits.unproven })
        let client = try harness.dial(address)
        // More of them come while it shakes hands.
        try fill(2, 15)
        try #require(harness.turn { harness.isEstablished(client) || harness.end(client) != nil })
        #expect(harness.isEstablished(client) && harness.end(client) == nil)
        try #require(harness.turn { harness.accepted.contains(where: harness.isEstablished) })
        let server = try #require(harness.accepted.first(where: harness.isEstablished))
        #expect(harness.end(server) == nil)
    }

    @Test func withoutDescriptorsItWaitsAndGoesOn() throws {
        let clock = HandClock()
        let harness = try LinkHarness(clock: { clock.now })
        let calls = CallCount()
        harness.syscalls.accept = { descriptor throws(SystemError) in
            calls.count += 1
            if calls.count <= 2 { throw SystemError(code: EMFILE) }
            return try Syscalls().accept(descriptor)
        }
        let listener = try harness.listen()
        let stranger = try silentClient(of: listener)
        for attempt in 1...2 {
            try #require(harness.turn { calls.count == attempt })
            // The connection still waits, but nothing is tried before the pause is over.
            for _ in 0..<20 { harness.loop.turn(waitingAtMost: .milliseconds(0)) }
            #expect(calls.count == attempt)
            clock.now = clock.now + harness.limits.acceptPause
        }
        try #require(harness.turn { harness.accepted.count == 1 })
        close(stranger)
    }

    @Test func aClosedListenerTakesNoMore() throws {
        let listener = try harness.listen()
        let stranger = try silentClient(of: listener)
        listener.close()
        for _ in 0..<5 { harness.loop.turn(waitingAtMost: .milliseconds(0)) }
        #expect(harness.accepted.isEmpty && harness.loop.watchCount == 0)
        close(stranger)
    }
}

/// Counts calls of a replaced system call; used by one thread, as everything on a loop is.
private final class CallCount: @unchecked Sendable {
    var count = 0
}
