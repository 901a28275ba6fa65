// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let link = LinkID(3)
private let relay = FakeSigner(2).key
private let far = FakeSigner(1).key

/// The ends of circuits: what a relay may say to them, and what costs it its link.
@Suite struct CircuitTests {
    private func kinds(_ output: Circuits.Output) -> [RelayMessage] {
        output.messages.map(\.message)
    }

    @Test func soManyAndNoMore() {
        var circuits = Circuits()
        for number in 1...Limits.ownCircuits {
            let output = circuits.incoming(
                number, from: far, on: link, relay: relay, isWelcome: true, at: .zero)
            #expect(kinds(output) == [.ready(number)] && output.orders.count == 1)
        }
        let more = circuits.incoming(
            99, from: far, on: link, relay: relay, isWelcome: true, at: .zero)
        #expect(kinds(more) == [.end(99, .refused)] && more.orders.isEmpty)
        #expect(
            kinds(circuits.open(to: far, on: link, relay: relay, number: 98, at: .zero)).isEmpty)
        _ = circuits.take(.end(1, .closed), on: link)
        #expect(
            !kinds(circuits.open(to: far, on: link, relay: relay, number: 98, at: .zero)).isEmpty)
    }

    @Test func whoIsNotWelcomeIsRefused() {
        var circuits = Circuits()
        let output = circuits.incoming(
            1, from: far, on: link, relay: relay, isWelcome: false, at: .zero)
        #expect(kinds(output) == [.end(1, .refused)] && output.orders.isEmpty)
        #expect(!circuits.holds(1, on: link))
    }

    @Test func outOfTurnIsAFault() throws {
        var circuits = Circuits()
        _ = circuits.open(to: far, on: link, relay: relay, number: 5, at: .zero)
        // Bytes before it is ready; ready twice; opened again.
        #expect(circuits.take(.data(5, [1]), on: link).faults == [link])
        let ready = circuits.take(.ready(5), on: link)
        #expect(ready.faults.isEmpty && ready.orders == [.begin(CircuitID(1), .initiator)])
        #expect(circuits.take(.ready(5), on: link).faults == [link])
        #expect(circuits.take(.open(5, far, isIncoming: true), on: link).faults == [link])
        // More taken back than was sent.
        #expect(circuits.take(.took(5, 1), on: link).faults == [link])
        _ = circuits.sealed(CircuitID(1), [1, 2, 3])
        #expect(circuits.take(.took(5, 4), on: link).faults == [link])
        #expect(circuits.take(.took(5, 3), on: link).faults.isEmpty)
        // Another's link says nothing of it.
        let other = circuits.take(.data(5, [1]), on: LinkID(9))
        #expect(other.faults.isEmpty && other.orders.isEmpty && other.messages.isEmpty)
        // Whoever was asked is ready at once: a READY to them is a fault too.
        _ = circuits.incoming(6, from: far, on: link, relay: relay, isWelcome: true, at: .zero)
        #expect(circuits.take(.ready(6), on: link).faults == [link])
    }

    @Test func aSmallCabinIsAFullMeshAgain() {
        var overlay = Overlay(at: .zero)
        var random = SeededRandom(seed: 3)
        for (known, shape) in [
            (Limits.fullMesh, Overlay.Shape.full), (Limits.fullMesh + 1, .partial),
            (Limits.fullMeshAgain + 1, .partial), (Limits.fullMeshAgain, .full),
            (Limits.fullMesh, .full),
        ] {
            overlay.reshape(known: known, random: &random, at: .zero)
            #expect(overlay.shape == shape, "\(known)")
        }
    }
}
