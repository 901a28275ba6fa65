// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let near = LinkID(1)
private let far = Relay.Link(id: LinkID(2), peer: FakeSigner(2).key, room: Limits.bulkQueue)
private let opener = FakeSigner(1).key
private let t0 = Instant.zero

@Suite struct RelayTests {
    private func open() -> Relay {
        var relay = Relay()
        _ = relay.open(1, by: opener, on: near, to: far, farNumber: 2, at: t0)
        _ = relay.take(.ready(2), on: far.id, links: [far], at: t0)
        return relay
    }

    private func data(_ count: Int) -> RelayMessage { .data(1, Array(repeating: 7, count: count)) }

    @Test func bytesGoThroughAsTheyAre() {
        var relay = open()
        let output = relay.take(.data(1, [1, 2, 3]), on: near, links: [far], at: t0)
        #expect(output.messages.map(\.link) == [far.id])
        #expect(output.messages.map(\.message) == [.data(2, [1, 2, 3])])
        let back = relay.take(.took(2, 3), on: far.id, links: [far], at: t0)
        #expect(back.messages.map(\.message) == [.took(1, 3)])
    }

    @Test func moreThanTheWindowIsAFault() {
        var relay = open()
        for _ in 0..<4 {
            #expect(relay.take(data(16384), on: near, links: [far], at: t0).faults.isEmpty)
        }
        #expect(relay.take(data(1), on: near, links: [far], at: t0).faults == [near])
        // What was taken may be sent again, to the byte.
        _ = relay.take(.took(2, 1), on: far.id, links: [far], at: t0)
        #expect(relay.take(data(1), on: near, links: [far], at: t0).faults.isEmpty)
        #expect(relay.take(data(1), on: near, links: [far], at: t0).faults == [near])
    }

    @Test func takingWhatWasNotSentIsAFault() {
        var relay = open()
        _ = relay.take(data(5), on: near, links: [far], at: t0)
        #expect(relay.take(.took(2, 6), on: far.id, links: [far], at: t0).faults == [far.id])
        #expect(relay.take(.took(1, 1), on: near, links: [far], at: t0).faults == [near])
    }

    @Test func dataBeforeReadyIsAFault() {
        var relay = Relay()
        _ = relay.open(1, by: opener, on: near, to: far, farNumber: 2, at: t0)
        #expect(relay.take(data(1), on: near, links: [far], at: t0).faults == [near])
        #expect(relay.take(.ready(1), on: near, links: [far], at: t0).faults == [near])
    }

    @Test func circuitsBytesAndTimeAreLimited() {
        var relay = Relay()
        for number in 0..<Limits.circuitsPerPeer {
            let output = relay.open(
                2 * number + 1, by: opener, on: near, to: far, farNumber: 2 * number, at: t0)
            #expect(output.messages.map(\.link) == [far.id])
        }
        let third = relay.open(99, by: opener, on: near, to: far, farNumber: 98, at: t0)
        #expect(third.messages.map(\.message) == [.end(99, .full)])
        for peer in 10..<40 {
            _ = relay.open(
                1, by: FakeSigner(UInt8(peer)).key, on: LinkID(peer), to: far,
                farNumber: 2 * peer, at: t0)
        }
        #expect(relay.count == Limits.circuits)
        #expect(relay.tick(at: t0 + Limits.circuitOpening).messages.count == 2 * Limits.circuits)
        #expect(relay.count == 0)
        var busy = open()
        var carried = 0
        var ended = false
        while !ended, carried < 2 * Limits.circuitBytes {
            let output = busy.take(data(16384), on: near, links: [far], at: t0)
            ended = output.messages.contains { $0.message == .end(1, .spent) }
            carried += ended ? 0 : 16384
            _ = busy.take(.took(2, 16384), on: far.id, links: [far], at: t0)
        }
        #expect(carried == Limits.circuitBytes)
        var idle = open()
        #expect(idle.tick(at: t0 + .milliseconds(119_999)).messages.isEmpty)
        #expect(idle.tick(at: t0 + Limits.circuitIdle).messages.count == 2)
    }

    @Test func aFarEndWithoutRoomEndsTheCircuitInsteadOfQueueing() {
        var relay = open()
        let full = Relay.Link(id: far.id, peer: far.peer, room: Limits.bulkSlice)
        let output = relay.take(data(1000), on: near, links: [full], at: t0)
        #expect(output.messages.map(\.message) == [.end(1, .spent), .end(2, .spent)])
        #expect(relay.count == 0)
    }

    @Test func anEndKeepsItsWindowToo() throws {
        var circuits = Circuits()
        _ = circuits.open(to: far.peer, on: near, relay: opener, number: 3, at: t0)
        let begun = circuits.take(.ready(3), on: near)
        guard case .begin(let id, .initiator)? = begun.orders.first else {
            Issue.record("TLS does not begin")
            return
        }
        let sent = circuits.sealed(id, Array(repeating: 1, count: 3 * Limits.circuitWindow))
        #expect(sent.messages.count == Limits.circuitWindow / Limits.bulkSlice)
        #expect(sent.orders == [.took(id, Limits.circuitWindow)])
        #expect(circuits.take(.took(3, 10), on: near).messages.count == 1)
        // Never more than were on their way.
        _ = circuits.take(.took(3, Limits.circuitWindow), on: near)
        _ = circuits.take(.took(3, Limits.circuitWindow), on: near)
        _ = circuits.take(.took(3, Limits.circuitWindow - 10), on: near)
        #expect(circuits.take(.took(3, 11), on: near).faults == [near])
    }
}

@Suite struct AddressBookTests {
    private func hint(_ key: UInt8, linked: Bool = false) -> PeerHint {
        PeerHint(
            key: FakeSigner(key).key, address: PeerAddress(host: "10.0.0.\(key)", port: 9),
            isLinked: linked)
    }

    @Test func oneTalkerFillsOnlyTheirShare() {
        var book = AddressBook()
        let talker = FakeSigner(200).key
        var all: [PeerHint] = []
        for number in 0..<600 {
            let key = PeerKey(
                Array(FakePrimitives().sha256([UInt8(number & 255), UInt8(number >> 8)]).bytes))
            if let key {
                all.append(
                    PeerHint(key: key, address: PeerAddress(host: "h", port: 1), isLinked: false))
            }
        }
        for start in stride(from: 0, to: all.count, by: Limits.hints) {
            book.took(
                Array(all[start...].prefix(Limits.hints)), from: talker, me: FakeSigner(1).key,
                at: t0)
        }
        #expect(book.keys.count == Limits.hintsPerPeer)
        book.took([hint(3)], from: FakeSigner(201).key, me: FakeSigner(1).key, at: t0)
        #expect(book.keys.contains(FakeSigner(3).key))
        book.expire(at: t0 + Limits.hintTime)
        #expect(book.keys.isEmpty)
    }

    /// Links that nobody took back are said again by each change, whoever has nothing to say too.
    @Test func changesTakeBackWhatTheyName() {
        var book = AddressBook()
        let bo = FakeSigner(2).key
        let me = FakeSigner(1).key
        let gone = PeerHint(
            key: FakeSigner(3).key, address: PeerAddress(host: "", port: 0), isLinked: false)
        book.took([hint(3, linked: true), hint(4, linked: true)], from: bo, me: me, at: t0)
        book.changed([gone, hint(5, linked: true)], from: bo, me: me, at: t0 + .seconds(300))
        #expect(book.relays(to: FakeSigner(3).key).isEmpty)
        #expect(book.relays(to: FakeSigner(4).key) == [bo])
        #expect(book.relays(to: FakeSigner(5).key) == [bo])
        book.changed([], from: bo, me: me, at: t0 + .seconds(800))
        book.expire(at: t0 + .seconds(1000))
        #expect(book.keys == [FakeSigner(4).key, FakeSigner(5).key].sorted())
        book.expire(at: t0 + .seconds(1400))
        #expect(book.keys.isEmpty)
    }

    @Test func waysAreWhatTheLastListSays() {
        var book = AddressBook()
        let bo = FakeSigner(2).key
        let me = FakeSigner(1).key
        book.took([hint(3, linked: true), hint(4)], from: bo, me: me, at: t0)
        #expect(book.relays(to: FakeSigner(3).key) == [bo])
        #expect(book.relays(to: FakeSigner(4).key).isEmpty)
        book.took([hint(4, linked: true)], from: bo, me: me, at: t0)
        #expect(book.relays(to: FakeSigner(3).key).isEmpty)
        book.unlinked(bo)
        #expect(book.relays(to: FakeSigner(4).key).isEmpty)
        #expect(book.addresses(of: FakeSigner(4).key).map(\.host) == ["10.0.0.4"])
    }

    @Test func nobodyIsSentToLoopbackOrToALinkOfHisOwn() {
        let here = PeerAddress(host: "127.0.0.1", port: 9)
        let there = PeerAddress(host: "10.0.0.1", port: 9)
        #expect(!here.isUsable(from: there) && !there.isUsable(from: here))
        #expect(here.isUsable(from: here) && there.isUsable(from: there))
        for host in ["fe80::1%3", "fe80::1", "169.254.1.1", ""] {
            #expect(!PeerAddress(host: host, port: 9).isUsable(from: there))
        }
        #expect(!PeerAddress(host: "10.0.0.2", port: 0).isUsable(from: there))
    }
}
