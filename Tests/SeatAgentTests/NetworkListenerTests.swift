import Glibc
import Protocol
import Testing

@testable import SeatAgent

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
            try Listener(port: first.port, interface: "lo", in: environment) { _ in }
        }
    }

    @Test func anInterfaceThatIsNotThere() throws {
        let environment = try harness.environment(3)
        #expect(throws: ListenError.noAddress(interface: "nosuchif0")) {
            try Listener(port: 0, interface: "nosuchif0", in: environment) { _ in }
        }
    }

    @Test func theAddressesOfAnInterface() throws {
        harness.syscalls.addresses = { name in
            name == "eth7" ? [Address(host: .v4(0x7f00_0002), port: 0)] : []
        }
        let listener = try Listener(
            port: 0, interface: "eth7", in: harness.environment(3), onLink: { _ in })
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

    @Test func strangersFromOneAddressAreLimited() throws {
        let listener = try harness.listen()
        let four = try strangers(4, listener)
        try #require(harness.turn { harness.accepted.count == 4 })
        let fifth = try silentClient(of: listener)
        var byte: UInt8 = 0
        // The fifth is sent away: its socket reports a reset.
        try #require(harness.turn { recv(fifth, &byte, 1, 0) < 0 && errno != EAGAIN })
        #expect(harness.accepted.count == 4)
        // One proves itself, and there is room again.
        harness.accepted[0].isProven = true
        let sixth = try silentClient(of: listener)
        try #require(harness.turn { harness.accepted.count == 5 })
        // One goes away, and there is room again.
        close(four[1])
        try #require(harness.turn { harness.end(harness.accepted[1]) == .cut })
        let seventh = try silentClient(of: listener)
        try #require(harness.turn { harness.accepted.count == 6 })
        for descriptor in [four[0], four[2], four[3], fifth, sixth, seventh] { close(descriptor) }
    }

    @Test func theGateCountsHostsAndAll() {
        var gate = AcceptGate(perAddress: 2, total: 3)
        let (one, two, other) = (Address.Host.v4(1), Address.Host.v4(2), Address.Host.v4(3))
        func admit(_ hosts: Address.Host...) -> [Bool] { hosts.map { gate.admit($0) } }
        #expect(admit(one, one, one) == [true, true, false])
        #expect(admit(two, two) == [true, false])
        gate.release(one)
        #expect(admit(two, one) == [true, false])
        gate.release(other)
        #expect(admit(other) == [false])
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
