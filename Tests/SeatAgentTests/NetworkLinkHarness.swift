// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import SeatAgent
@testable import System
@testable import Transport

/// Two agents' links on one real loop over loopback.
final class LinkHarness {
    let loop: EventLoop
    var limits = LinkLimits()
    var syscalls = Syscalls()
    private(set) var accepted: [PeerLink] = []
    private var logs: [ObjectIdentifier: [LinkEvent]] = [:]
    private var links: [PeerLink] = []
    /// Called with every event before it is kept.
    var onEvent: (PeerLink, LinkEvent) -> Void = { _, _ in }

    init(clock: @escaping () -> Instant = SystemClock.now) throws {
        loop = try EventLoop(clock: clock)
    }

    func environment(_ seed: UInt8) throws -> LinkEnvironment {
        LinkEnvironment(
            loop: loop, context: try TLSContext(certificate: .seeded(seed)), limits: limits,
            syscalls: syscalls)
    }

    func listen(_ seed: UInt8 = 2) throws -> Listener {
        try Listener(port: 0, interface: "lo", in: environment(seed), seed: 7) { link in
            self.accepted.append(link)
            link.handler = { self.keep($0, $1) }
        }
    }

    func dial(_ address: Address, _ seed: UInt8 = 1) throws -> PeerLink {
        let link = PeerLink.dial(to: address, in: try environment(seed)) { self.keep($0, $1) }
        links.append(link)
        return link
    }

    func events(_ link: PeerLink) -> [LinkEvent] { logs[ObjectIdentifier(link), default: []] }

    func received(_ link: PeerLink) -> [UInt8] {
        events(link).flatMap { event -> [UInt8] in
            if case .received(let bytes) = event { bytes } else { [] }
        }
    }

    func end(_ link: PeerLink) -> LinkEnd? {
        for case .closed(let end) in events(link) { return end }
        return nil
    }

    func isEstablished(_ link: PeerLink) -> Bool {
        events(link).contains { if case .established = $0 { true } else { false } }
    }

    /// Turns the loop until `done`; false when that does not come within ten seconds.
    func turn(until done: () throws -> Bool) rethrows -> Bool {
        let deadline = SystemClock.now() + .seconds(10)
        while try !done() {
            guard SystemClock.now() < deadline else { return false }
            loop.turn(waitingAtMost: .milliseconds(100))
        }
        return true
    }

    /// An established pair.
    func pair() throws -> (client: PeerLink, server: PeerLink, listener: Listener) {
        let listener = try listen()
        let client = try dial(try #require(listener.addresses.first))
        try #require(turn { accepted.count == 1 && isEstablished(accepted[0]) })
        try #require(isEstablished(client))
        return (client, accepted[0], listener)
    }

    private func keep(_ link: PeerLink, _ event: LinkEvent) {
        onEvent(link, event)
        logs[ObjectIdentifier(link), default: []].append(event)
    }
}
