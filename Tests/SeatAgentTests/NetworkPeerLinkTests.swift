// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Testing

@testable import SeatAgent
@testable import System
@testable import Transport

@Suite struct NetworkPeerLinkTests {
    private let harness: LinkHarness

    init() throws { harness = try LinkHarness() }

    @Test(arguments: [0, 1]) func bothEndsAreEstablished(family: Int) throws {
        let listener = try harness.listen()
        let address = listener.addresses[min(family, listener.addresses.count - 1)]
        let client = try harness.dial(address)
        try #require(harness.turn { harness.accepted.first.map(harness.isEstablished) ?? false })
        let server = harness.accepted[0]
        guard case .established(let serverKey, let exported) = harness.events(client).first,
            case .established(let clientKey, let sameExported) = harness.events(server).first
        else {
            Issue.record("no first event 'established'")
            return
        }
        #expect(try serverKey == Certificate.seeded(2).publicKey)
        #expect(try clientKey == Certificate.seeded(1).publicKey)
        #expect(exported == sameExported && exported.count == 32)
        #expect(client.role == .client && server.role == .server)
        #expect(client.remote == address && server.local == address)
        #expect(client.local == server.remote)
    }

    @Test func bytesGoBothWays() throws {
        let (client, server, listener) = try harness.pair()
        client.send([1, 2])
        client.send([3])
        server.send([4])
        try #require(
            harness.turn {
                harness.received(server).count == 3 && !harness.received(client).isEmpty
            })
        #expect(harness.received(server) == [1, 2, 3])
        #expect(harness.received(client) == [4])
        // Two sends of one turn are one record.
        #expect(harness.events(server).filter { $0 == .received([1, 2, 3]) }.count == 1)
        #expect(client.pending == 0)
        listener.close()
    }

    @Test func whatIsPushedLeavesAtOnceAndIsToldOnceItIsMuch() throws {
        let (client, server, listener) = try harness.pair()
        let told = harness.events(client).count
        client.send([1, 2])
        client.push()
        #expect(client.pending == 0)
        #expect(harness.events(client).count == told)
        client.send([3])
        try #require(harness.turn { harness.received(server).count == 3 })
        #expect(harness.received(server) == [1, 2, 3])
        #expect(harness.events(client).count == told)
        client.send([UInt8](repeating: 4, count: Limits.inFlight / 4))
        client.push()
        #expect(harness.events(client).count == told)
        try #require(harness.turn { harness.events(client).count > told })
        #expect(harness.events(client).dropFirst(told) == [.drained(pending: 0)])
        listener.close()
    }

    @Test func whatIsSentBeforeTheHandshakeLeavesAfterIt() throws {
        let listener = try harness.listen()
        let client = try harness.dial(listener.addresses[0])
        client.send([9])
        try #require(
            harness.turn { harness.accepted.first.map { harness.received($0) == [9] } ?? false })
    }

    @Test func aPausedReaderMakesTheSenderWait() throws {
        let (client, server, listener) = try harness.pair()
        server.pauseReading()
        let told = harness.events(client).count
        let sent = (0..<8_388_608).map { UInt8(truncatingIfNeeded: $0 / 253) }
        client.send(sent)
        for _ in 0..<50 { harness.loop.turn(waitingAtMost: .milliseconds(0)) }
        #expect(client.pending > Limits.inFlight)
        #expect(harness.received(server).isEmpty)
        server.resumeReading()
        try #require(harness.turn { harness.received(server).count == sent.count })
        #expect(harness.received(server) == sent)
        #expect(client.pending == 0)
        var last = Int.max
        for case .drained(let pending) in harness.events(client).dropFirst(told) {
            #expect(pending < last)
            last = pending
        }
        #expect(last == 0)
        listener.close()
    }

    @Test func aPeerThatTakesNothingIsSlow() throws {
        harness.limits.stallTime = .milliseconds(60)
        let (client, server, listener) = try harness.pair()
        server.pauseReading()
        client.send([UInt8](repeating: 0, count: 16_777_216))
        try #require(harness.turn { harness.end(client) != nil })
        #expect(harness.end(client) == .slow)
        #expect(harness.events(client).last == .closed(.slow))
        listener.close()
    }

    @Test func nobodyListens() throws {
        let listener = try harness.listen()
        let address = listener.addresses[0]
        listener.close()
        let client = try harness.dial(address)
        #expect(harness.events(client).isEmpty)
        try #require(harness.turn { harness.end(client) != nil })
        #expect(harness.events(client) == [.closed(.failed(SystemError(code: ECONNREFUSED)))])
    }

    @Test func aDialThatFailsAtOnceIsToldLater() throws {
        harness.syscalls.connect = { _, _ throws(SystemError) in
            throw SystemError(code: ENETUNREACH)
        }
        let client = try harness.dial(Address(host: .loopback4, port: 9))
        #expect(harness.events(client).isEmpty)
        try #require(harness.turn { harness.end(client) != nil })
        #expect(harness.end(client) == .failed(SystemError(code: ENETUNREACH)))
    }

    @Test func aHostThatNeverAnswers() throws {
        harness.limits.connectTime = .milliseconds(30)
        // A socket that never begins to connect is never writable.
        harness.syscalls.connect = { _, _ in }
        harness.syscalls.takeError = { _ in nil }
        harness.syscalls.socket = { _ throws(SystemError) in try silentDescriptor() }
        let client = try harness.dial(Address(host: .loopback4, port: 9))
        try #require(harness.turn { harness.end(client) != nil })
        #expect(harness.events(client) == [.closed(.connectTimeout)])
    }

    @Test func aSilentPeerLosesItsPlace() throws {
        harness.limits.firstBytesTime = .milliseconds(30)
        let listener = try harness.listen()
        let silent = try silentClient(of: listener)
        defer { close(silent) }
        try #require(harness.turn { harness.accepted.first.flatMap(harness.end) != nil })
        #expect(harness.events(harness.accepted[0]) == [.closed(.silent)])
    }

    @Test func garbageInsteadOfTLS() throws {
        let listener = try harness.listen()
        let rude = try silentClient(of: listener)
        defer { close(rude) }
        try #require(harness.turn { harness.accepted.count == 1 })
        #expect(write(rude, "GET / HTTP/1.1\r\n\r\n", 18) == 18)
        try #require(harness.turn { harness.end(harness.accepted[0]) != nil })
        guard case .tls = harness.end(harness.accepted[0]) else {
            Issue.record("ended as \(String(describing: harness.end(harness.accepted[0])))")
            return
        }
    }

    @Test func ourOwnKeyOnTheOtherSide() throws {
        let listener = try harness.listen(1)
        let client = try harness.dial(listener.addresses[0], 1)
        try #require(harness.turn { harness.end(client) != nil })
        #expect(harness.end(client) == .tls(.refused(.ownKey)))
        try #require(harness.turn { harness.accepted.first.flatMap(harness.end) != nil })
        #expect(harness.end(harness.accepted[0]) == .tls(.alert(42)))
    }

    @Test func aCloseFlushesFirst() throws {
        let (client, server, listener) = try harness.pair()
        let sent = [UInt8](repeating: 3, count: 300_000)
        client.send(sent)
        client.close(flushFor: .seconds(1))
        client.send([4])
        try #require(harness.turn { harness.end(client) != nil && harness.end(server) != nil })
        #expect(harness.received(server) == sent)
        #expect(harness.end(server) == .closedByPeer)
        #expect(harness.end(client) == .closedHere)
        listener.close()
    }

    @Test func aCloseDoesNotWaitForEver() throws {
        let (client, server, listener) = try harness.pair()
        server.pauseReading()
        client.send([UInt8](repeating: 3, count: 16_777_216))
        client.close(flushFor: .milliseconds(40))
        try #require(harness.turn { harness.end(client) != nil })
        #expect(harness.end(client) == .closedHere)
        listener.close()
    }

    @Test func bothCloseAtOnce() throws {
        let (client, server, listener) = try harness.pair()
        client.close()
        server.close()
        try #require(harness.turn { harness.end(client) != nil && harness.end(server) != nil })
        #expect(harness.end(client) == .closedHere && harness.end(server) == .closedHere)
        listener.close()
    }

    @Test func anAbortIsToldOnceAndLater() throws {
        let (client, server, listener) = try harness.pair()
        client.send([1])
        client.abort()
        client.abort()
        client.close()
        client.send([2])
        #expect(harness.end(client) == nil)
        try #require(harness.turn { harness.end(client) != nil && harness.end(server) != nil })
        #expect(harness.end(client) == .aborted)
        #expect(harness.end(server) == .failed(SystemError(code: ECONNRESET)))
        for _ in 0..<5 { harness.loop.turn(waitingAtMost: .milliseconds(0)) }
        let closings = harness.events(client).filter { $0 == .closed(.aborted) }
        #expect(closings.count == 1 && harness.events(client).last == .closed(.aborted))
        #expect(client.handler == nil)
        listener.close()
    }

    @Test func aHandlerMayCloseTheLinkItIsToldAbout() throws {
        harness.onEvent = { link, event in
            if case .received = event { link.abort() }
        }
        let (client, server, listener) = try harness.pair()
        client.send([1])
        try #require(harness.turn { harness.end(server) != nil })
        #expect(harness.end(server) == .aborted)
        listener.close()
    }

    @Test func aStreamThatEndsWithoutGoodbye() throws {
        let listener = try harness.listen()
        let rude = try silentClient(of: listener)
        try #require(harness.turn { harness.accepted.count == 1 })
        close(rude)
        try #require(harness.turn { harness.end(harness.accepted[0]) != nil })
        #expect(harness.end(harness.accepted[0]) == .cut)
    }

    @Test func everythingIsGivenBack() throws {
        weak var gone: PeerLink?
        do {
            let harness = try LinkHarness()
            let (client, server, listener) = try harness.pair()
            gone = server
            client.close()
            try #require(harness.turn { harness.end(client) != nil && harness.end(server) != nil })
            listener.close()
            #expect(harness.loop.watchCount == 0)
        }
        #expect(gone == nil)
    }
}

/// A TCP connection to the listener that says nothing.
func silentClient(of listener: Listener) throws -> Int32 {
    try silentClient(of: #require(listener.addresses.first))
}

/// The same to an address, and from one of this machine.
func silentClient(of address: Address, from host: Address.Host? = nil) throws -> Int32 {
    let calls = Syscalls()
    let descriptor = try calls.socket(address)
    if let host { try calls.bind(descriptor, Address(host: host, port: 0)) }
    try calls.connect(descriptor, address)
    return descriptor
}

/// A descriptor that can be watched and never becomes writable: the reading end of a pipe.
private func silentDescriptor() throws(SystemError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError.last }
    return ends[0]
}
