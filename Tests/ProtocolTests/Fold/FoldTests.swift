// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Plain swaps of honest people.
@Suite struct FoldTests {
    @Test func aClaimHoldsASeatAndARetractEndsIt() throws {
        var anna = Traveller(1)
        let slot = anna.claim("12A", dependant: true)
        var state = try #require(Fold.fold(Known(of: anna)).token(slot.token))
        #expect(state.holder == anna.key)
        #expect(state.slot == slot)
        #expect(state.seat == Seat("12A"))
        #expect(state.dependant && !state.ended && !state.reminted && state.lineage.isEmpty)
        anna.retract(slot)
        state = try #require(Fold.fold(Known(of: anna)).token(slot.token))
        #expect(state.ended)
    }

    @Test(arguments: 2...8) func aRingOfPartiesMovesWhole(count: Int) throws {
        var ring = (1...count).map { Traveller(UInt8($0)) }
        var slots: [Slot] = []
        for index in ring.indices { slots.append(ring[index].claim("\(index + 1)A")) }
        let contract = Contract.of(
            ring.indices.map { (slots[$0], from: ring[$0], to: ring[($0 + 1) % count]) })
        var votes: [Entry] = []
        for index in ring.indices { votes.append(ring[index].yes(contract)) }
        let before = Known(ring.map(\.log))
        #expect(Fold.fold(before).contract(contract.id)?.complete == false)
        #expect(Fold.fold(before).contract(contract.id)?.contract == nil)
        let claims = ring.flatMap(\.log)
        ring[0].commit(contract.certificate(votes, claims: claims))
        let fold = Fold.fold(Known(ring.map(\.log)))
        let state = try #require(fold.contract(contract.id))
        #expect(state.applied && state.complete && !state.dead && !state.beaten)
        #expect(state.votes.map(\.id) == votes.map(\.id))
        for index in ring.indices {
            let token = try #require(fold.token(slots[index].token))
            #expect(token.holder == ring[(index + 1) % count].key)
            #expect(token.slot == contract.next(slots[index]))
            #expect(token.lineage == [contract.id])
        }
    }
}
