// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The cabin as people see it (docs/protocol.md section 15), and groups (section 8).
@Suite struct SeatViewTests {
    var p = Traveller(1)
    var q = Traveller(2)
    var z = Traveller(3)
    let sp: Slot
    let sq: Slot

    init() {
        sp = p.claim("12A")
        sq = q.claim("3C")
    }

    func place(_ seat: String, _ logs: Known) throws -> SeatView.Place {
        let seat = try #require(Seat(seat))
        return try #require(SeatView(Fold.fold(logs)).place(seat))
    }

    @Test mutating func seatsAreSortedAndHeld() throws {
        z.retract(z.claim("1A"))
        let view = SeatView(Fold.fold(Known(of: p, q, z)))
        #expect(view.places.map(\.seat.text) == ["3C", "12A"])
        #expect(view.places.map(\.holding) == [.held(q.key), .held(p.key)])
        let right = view.places[0].rights[0]
        #expect(!right.encumbered && !right.pending && !right.cheats && !right.muted)
        let retracted = try #require(Seat("1A"))
        #expect(view.place(retracted) == nil)
    }

    @Test mutating func a8ClaimOfASoldSeatIsADisputeAndNoMore() throws {
        let contract = swap(&p, sp, &q, sq)
        let rival = z.claim("12A")
        let fold = Fold.fold(Known(of: p, q, z))
        #expect(fold.applied(contract))
        let place = try place("12A", Known(of: p, q, z))
        #expect(place.holding == .disputed([q.key, z.key]))
        #expect(place.rights.map(\.token.token) == [sp.token, rival.token])
        // Two claims of one passenger are no dispute.
        _ = p.claim("3C")
        #expect(try self.place("3C", Known(of: p, q, z)).holding == .held(p.key))
    }

    @Test mutating func aForkedRivalDoesNotCount() throws {
        _ = z.claim("12A")
        var other = z
        other.chat("one")
        z.chat("two")
        let proof = try #require(ForkProof(z.log[2], other.log[2]))
        let disputed = try place("12A", Known(of: p, q, z, proofs: [proof]))
        #expect(disputed.holding == .held(p.key))
        #expect(disputed.rights.map(\.muted) == [false, true])
        let alone = try place("12A", Known(of: z, proofs: [proof]))
        #expect(alone.holding == .open && alone.rights.count == 1)
    }

    @Test mutating func anOpenYesEncumbersUntilItIsLeft() throws {
        let contract = Contract.of([(sp, from: p, to: q), (sq, from: q, to: p)])
        p.yes(contract)
        #expect(try place("12A", Known(of: p, q)).rights[0].encumbered)
        #expect(try !place("3C", Known(of: p, q)).rights[0].encumbered)
        p.abandon(contract, q.no(contract))
        #expect(try !place("12A", Known(of: p, q)).rights[0].encumbered)
    }

    @Test mutating func aStrangersYesBindsNobodyElse() throws {
        let contract = Contract.of([(sp, from: p, to: q), (sq, from: q, to: p)])
        // p promises what is q's, whose key is behind p's.
        p.append(.vote(.yes(contract.id, slots: [sq])))
        #expect(try !place("3C", Known(of: p, q)).rights[0].encumbered)
        q.yes(contract)
        #expect(try place("3C", Known(of: p, q)).rights[0].encumbered)
    }

    @Test mutating func aBeatenContractGoesOnBinding() throws {
        let sz = z.claim("30A")
        swap(&p, sp, &q, sq, nonce: 1)
        let beaten = swap(&p, sp, &z, sz, nonce: 2)
        let logs = Known(of: p, q, z)
        #expect(Fold.fold(logs).beaten(beaten))
        let bound = try place("30A", logs).rights[0]
        #expect(bound.encumbered && !bound.pending, "it binds, and nothing is waited for")
        // And so it must: the next yes of z on that slot loses too.
        var d = Traveller(4)
        let sd = d.claim("31A")
        let next = swap(&z, sz, &d, sd, nonce: 3)
        #expect(Fold.fold(Known(of: p, q, z, d)).beaten(next))
    }

    @Test mutating func undecidedCertificatesArePending() throws {
        let short = p
        p.chat("withheld")
        swap(&p, sp, &q, sq)
        let pending = try place("12A", Known(of: short, q)).rights[0]
        #expect(pending.pending && pending.encumbered && pending.token.holder == p.key)
        let done = try place("12A", Known(of: p, q)).rights[0]
        #expect(!done.pending && !done.encumbered && done.token.lineage.count == 1)
    }

    /// Either of the contracts may come first by its id.
    @Test(arguments: 1...6) func cheatsInTheAncestryShow(nonce: UInt8) throws {
        var (p, q, z) = (p, q, z)
        let sz = z.claim("30A")
        let first = swap(&p, sp, &q, sq, nonce: nonce)
        let second = swap(&q, first.next(sp), &z, sz, nonce: nonce + 10)
        var d = Traveller(4)
        let sd = d.claim("31A")
        swap(&q, second.next(sz), &d, sd, nonce: nonce + 20)
        var other = p
        other.chat("one")
        p.chat("two")
        let proof = try #require(ForkProof(p.log[3], other.log[3]))
        let clean = SeatView(Fold.fold(Known(of: p, q, z, d)))
        #expect(!clean.places.flatMap(\.rights).contains { $0.cheats })
        let fold = Fold.fold(Known(of: p, q, z, d, proofs: [proof]))
        #expect(fold.contracts.count { $0.applied } == 3)
        let view = SeatView(fold)
        // All four tokens rest on the first contract, which p signed, one at two removes.
        #expect(view.places.flatMap(\.rights).map(\.cheats) == [true, true, true, true])
        #expect(view.places.flatMap(\.rights).count { $0.muted } == 1)
    }

    @Test mutating func groupsSwapTwoForTwo() throws {
        let (p2, q2) = (p.claim("12B"), q.claim("3D"))
        let contract = Contract.of([
            (sp, from: p, to: q), (p2, from: p, to: q), (sq, from: q, to: p),
            (q2, from: q, to: p),
        ])
        let votes = [p.yes(contract), q.yes(contract)]
        q.commit(contract.certificate(votes, claims: p.log + q.log))
        let fold = Fold.fold(Known(of: p, q))
        #expect(fold.applied(contract))
        #expect(fold.held(by: p.key).map(\.seat.text) == ["3C", "3D"])
        #expect(fold.held(by: q.key).map(\.seat.text) == ["12A", "12B"])
        #expect(Invariants.violations(of: fold).isEmpty)
    }

    @Test mutating func staticRulesRefuse() throws {
        let (p2, sz) = (p.claim("12B"), z.claim("30A"))
        func leg(_ slot: Slot, _ from: Traveller, _ to: Traveller) -> Leg {
            Leg(token: slot.token, producer: slot.producer, from: from.key, to: to.key)
        }
        func make(_ legs: [Leg], by coordinator: Traveller) throws -> Contract? {
            Contract(
                flight: Traveller.flight, coordinator: coordinator.key,
                nonce: try #require(ThreadID(Array(repeating: 0, count: 16))), legs: legs,
                primitives: Traveller.primitives)
        }
        let good = [leg(sp, p, q), leg(sq, q, p)]
        #expect(try make(good, by: p) != nil)
        #expect(try make(good, by: z) == nil, "coordinator is a party")
        #expect(try make([leg(sp, p, q)], by: p) == nil, "one way")
        #expect(try make(good + [leg(sp, p, q)], by: p) == nil, "token twice")
        #expect(try make(good + [leg(p2, p, p)], by: p) == nil, "to themselves")
        #expect(try make(good + [leg(p2, p, q)], by: p) == nil, "two for one")
        #expect(
            try make([leg(sp, p, q), leg(sq, q, z), leg(sz, z, q)], by: p) == nil,
            "p ends without a seat")
        #expect(try make([leg(sp, p, q), leg(sq, q, z), leg(sz, z, p)], by: p) != nil)
    }
}
