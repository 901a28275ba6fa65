// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Whose agent runs on whose computer (docs/protocol.md section 8).
@Suite("Hosts and guests")
struct HostingTests {
    private var world = World()

    init() throws {
        for name in ["1A", "2A", "3A"] { try world.add(name) }
        world.run(seconds: 1)
    }

    /// What everybody reads of who is whose guest.
    private func hosts(of guest: Int) -> [Int?] {
        world.hosts.map { host in
            host.node.host(of: world.key(guest)).flatMap { key in
                world.hosts.indices.first { world.key($0) == key }
            }
        }
    }

    @Test("A guest is shown where both say so, until one takes it back, and over a restart")
    mutating func bothSaySo() throws {
        world.wish(1, .hosting(Hosting(.guest, world.key(0))))
        world.run(seconds: 2)
        #expect(hosts(of: 1) == [nil, nil, nil])
        world.wish(0, .hosting(Hosting(.host, world.key(1))))
        world.run(seconds: 2)
        #expect(hosts(of: 1) == [0, 0, 0])
        #expect(world.hosts[0].node.guests == [world.key(1)])
        #expect(
            world.hosts[2].node.passengers.filter { $0.host != nil }.map(\.key) == [world.key(1)])
        // Nothing is said twice, or taken back before it was said.
        #expect(world.wish(0, .hosting(Hosting(.host, world.key(1))))?.refusal == .alreadySo)
        let taken = Hosting(.host, world.key(2), holds: false)
        #expect(world.wish(0, .hosting(taken))?.refusal == .alreadySo)
        let own = Hosting(.host, world.key(0))
        #expect(world.wish(0, .hosting(own))?.refusal == .alreadySo)
        world.kill(2)
        world.restart(2)
        world.run(seconds: 6)
        #expect(hosts(of: 1) == [0, 0, 0])
        world.wish(0, .hosting(Hosting(.host, world.key(1), holds: false)))
        world.run(seconds: 2)
        #expect(hosts(of: 1) == [nil, nil, nil])
        #expect(world.hosts[0].node.guests.isEmpty)
    }

    @Test("Nobody puts others on their computer, or themselves on somebody else's")
    mutating func oneSideIsNothing() throws {
        world.wish(2, .hosting(Hosting(.host, world.key(1))))
        world.wish(2, .hosting(Hosting(.guest, world.key(0))))
        world.run(seconds: 2)
        #expect(hosts(of: 1) == [nil, nil, nil])
        #expect(hosts(of: 2) == [nil, nil, nil])
    }

    @Test("A guest who moves to another computer has that host alone")
    mutating func theLastHostCounts() throws {
        for host in [0, 2] { world.wish(host, .hosting(Hosting(.host, world.key(1)))) }
        world.wish(1, .hosting(Hosting(.guest, world.key(0))))
        world.wish(1, .hosting(Hosting(.guest, world.key(2))))
        world.run(seconds: 2)
        #expect(hosts(of: 1) == [2, 2, 2])
        #expect(world.hosts[0].node.guests.isEmpty)
        // That it is not the first one's guest takes nothing else back.
        let first = Hosting(.guest, world.key(0), holds: false)
        #expect(world.wish(1, .hosting(first))?.refusal == .alreadySo)
        world.wish(1, .hosting(Hosting(.guest, world.key(2), holds: false)))
        world.run(seconds: 2)
        #expect(hosts(of: 1) == [nil, nil, nil])
    }
}
