// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Whose entries a negotiation waits for, and which ones are over for good.
@Suite struct SwapsRestTests {
    @Test func aCoordinatorWaitsForWhoSaidReady() throws {
        var desk = Desk(4, me: 0)
        #expect(!desk.swaps.awaits(desk.key(1)))
        _ = desk.put(.propose(desk.ring([0, 1, 2]).legs, note: "", expires: nil))
        let contract = desk.swaps.records[0].contract
        _ = desk.say(try desk.ready(contract, 1), from: 1)
        #expect(desk.swaps.awaits(desk.key(1)))
        #expect(!desk.swaps.awaits(desk.key(2)) && !desk.swaps.awaits(desk.key(3)))
    }

    @Test func aParticipantWaitsForTheHeadsOfPrepare() throws {
        var desk = Desk(3, me: 1)
        let contract = desk.ring([0, 1])
        _ = desk.say(try desk.proposal(contract), from: 0)
        _ = desk.put(.accept(1, override: false))
        #expect(!desk.swaps.awaits(desk.key(0)))
        desk.travellers[0].chat("later")
        desk.missing = [0: 3]
        _ = desk.say(try desk.prepare(contract), from: 0)
        #expect(desk.yeses == 0 && desk.swaps.awaits(desk.key(0)))
        #expect(!desk.swaps.awaits(desk.key(2)))
    }

    /// The own log was fetched after an old copy was put back: no yes stands in it for these.
    @Test func whatIsOverStaysOverWhenTheLogIsBack() throws {
        var asked = Desk(2, me: 1)
        _ = asked.say(try asked.proposal(asked.ring([0, 1])), from: 0)
        _ = asked.put(.decline(1, note: ""))
        #expect(asked.put(.recovered).all == "" && asked.stage() == .declined)
        var asks = Desk(2, me: 0)
        _ = asks.put(.propose(asks.ring([0, 1]).legs, note: "", expires: nil))
        _ = asks.put(.cancel(1))
        #expect(asks.put(.recovered).all == "" && asks.stage() == .withdrawn)
    }

    /// The yes of a coordinator's own commit locks nothing any more, and the fold does not show it
    /// yet: a state in which the slot is taken is not one in which it is free.
    @Test func aYesThatTheFoldDoesNotShowTellsStatesApart() throws {
        var desk = Desk(2, me: 0)
        _ = desk.put(.propose(desk.ring([0, 1]).legs, note: "", expires: nil))
        let own = desk.swaps.records[0].contract
        _ = desk.say(try desk.ready(own, 1), from: 1)
        desk.travellers[1].yes(own)
        _ = desk.put(.logsChanged)
        let taken = desk.swaps
        _ = desk.put(.logsChanged)
        let free = desk.swaps
        #expect(taken.records == free.records && taken.locks == free.locks)
        #expect(taken.taken.count == 1 && free.taken.isEmpty)
        #expect(taken != free && Set([taken, free]).count == 2)
    }
}
