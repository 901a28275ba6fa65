// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// A consent that needs no other word of the user promises the seat as any other does.
@Suite struct PromiseTests {
    /// Of travellers 0 and 1 the one with the smaller key coordinates where both ask.
    private func twins(isCoordinator: Bool) throws -> (desk: Desk, theirs: Contract, other: Int) {
        let probe = Desk(2, me: 0)
        let smaller = probe.key(0) < probe.key(1) ? 0 : 1
        let me = isCoordinator ? smaller : 1 - smaller
        var desk = Desk(3, me: me)
        _ = desk.put(.ask(desk.pair(me, asks: 2).legs, note: "", expires: nil))
        _ = desk.put(.ask(desk.pair(me, asks: 1 - me).legs, note: "", expires: nil))
        return (desk, desk.pair(1 - me, asks: me, nonce: 9), 1 - me)
    }

    @Test func whoAskedForTheSamePromisedTheirSeat() throws {
        var (desk, theirs, other) = try twins(isCoordinator: true)
        _ = desk.say(try desk.ask(theirs, from: other), from: other)
        #expect(desk.swaps.records.map(\.stage) == [.withdrawn, .withdrawn, .preparing])
        #expect(desk.swaps.records.map(\.instead) == [3, 3, 0])
    }

    @Test func askingForWhatOneIsAskedForPromisesTheSeat() throws {
        var (desk, theirs, other) = try twins(isCoordinator: false)
        _ = desk.say(try desk.ask(theirs, from: other), from: other)
        #expect(desk.swaps.records.map(\.stage) == [.asking, .asking, .requested])
        let again = desk.put(.ask(theirs.legs, note: "", expires: nil))
        #expect(again.reply == .success(2))
        #expect(desk.swaps.records.map(\.stage) == [.withdrawn, .asking, .requested])
        #expect(desk.swaps.records[0].instead == 2)
    }

    @Test func aCounterOfferThatIsAdoptedPromisesTheSeat() throws {
        var desk = Desk(4, me: 1)
        _ = desk.say(try desk.proposal(desk.ring([0, 1, 2])), from: 0)
        _ = desk.put(.counter(1, desk.ring([0, 2, 1]).legs, note: "", override: false))
        let own = try #require(desk.swaps.records[0].counter)
        _ = desk.put(.ask(desk.pair(1, asks: 3).legs, note: "", expires: nil))
        // To whoever the consent is for the seat stays offered.
        _ = desk.put(.ask(desk.pair(1, asks: 0).legs, note: "", expires: nil))
        let adopted = Proposal(
            thread: desk.swaps.records[0].thread, revision: 3, contract: own.bytes, note: "",
            expires: 600)
        #expect(
            desk.say(.propose(adopted), from: 0).kinds == ["ready 1", "withdraw cancelled 1"])
        #expect(desk.swaps.records.map(\.stage) == [.ready, .withdrawn, .asking])
        #expect(desk.swaps.records[1].instead == 1)
    }

    /// A counter-offer that the user takes up is offered anew, with their seat.
    @Test func aCounterOfferThatIsTakenUpPromisesTheSeat() throws {
        var desk = Desk(4, me: 0)
        _ = desk.put(.propose(desk.ring([0, 1, 2]).legs, note: "", expires: 600))
        _ = desk.put(.ask(desk.pair(0, asks: 3).legs, note: "", expires: nil))
        _ = desk.say(try desk.counter(desk.ring([0, 2, 1], nonce: 3)), from: 1)
        _ = desk.put(.accept(1, override: false))
        #expect(desk.swaps.records.map(\.stage) == [.offered, .withdrawn])
        #expect(desk.swaps.records[1].instead == 1)
    }

    /// A yes to one seat leaves what is asked for another one of theirs.
    @Test func anotherSeatStaysOffered() throws {
        var desk = Desk(3, me: 0)
        _ = desk.put(.ask(desk.pair(0, asks: 1).legs, note: "", expires: nil))
        desk.slots[0] = desk.travellers[0].claim("9F")
        _ = desk.say(try desk.ask(desk.pair(2, asks: 0), from: 2), from: 2)
        _ = desk.put(.accept(2, override: false))
        #expect(desk.swaps.records.map(\.stage) == [.asking, .preparing])
    }

    /// Whoever closed their log signs nothing any more: neither asks, nor is asked in a ring.
    @Test func whoeverLeftAsksNothing() throws {
        for (gone, requests) in [(nil, 2), (0, 0), (2, 1)] as [(Int?, Int)] {
            var desk = Desk(3, me: 1)
            let (pair, ring) = (desk.pair(0, asks: 1), desk.ring([0, 1, 2], nonce: 3))
            if let gone { desk.travellers[gone].append(.end) }
            _ = desk.say(try desk.ask(pair, from: 0), from: 0)
            _ = desk.say(try desk.proposal(ring, thread: 10), from: 0)
            #expect(desk.swaps.records.count == requests)
        }
    }
}
