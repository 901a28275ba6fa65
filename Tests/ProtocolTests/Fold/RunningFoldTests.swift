// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What one more entry changes, worked out alone, and each case in which
/// everything is folded again.
@Suite struct RunningFoldTests {
    var p = Traveller(1)
    var q = Traveller(2)
    var z = Traveller(3)
    var d = Traveller(4)
    let sp: Slot
    let sq: Slot
    let sz: Slot
    let sd: Slot
    var follower = Follower()

    init() {
        sp = p.claim("1A")
        sq = q.claim("2A")
        sz = z.claim("3A")
        sd = d.claim("4A")
        let way = follower.follow(p, q, z, d)
        #expect(way == .whole, "nothing was folded before")
    }

    private func pair(
        _ a: Traveller, _ x: Slot, _ b: Traveller, _ y: Slot, nonce: UInt8 = 0
    ) -> Contract {
        Contract.of([(x, from: a, to: b), (y, from: b, to: a)], nonce: nonce)
    }

    private var fold: SeatFold { follower.running.fold }

    // MARK: What goes on

    @Test(arguments: 1...8) mutating func swapsGoOn(nonce: UInt8) {
        for (turn, first) in [true, false].enumerated() {
            let slots =
                turn == 0 ? (sp, sq) : (fold.held(by: p.key)[0].slot, fold.held(by: q.key)[0].slot)
            let contract = pair(p, slots.0, q, slots.1, nonce: nonce + UInt8(20 * turn))
            var votes: [Entry] = []
            // Either may be the first: votes are sorted by author.
            for isP in [first, !first] {
                votes.append(isP ? p.yes(contract) : q.yes(contract))
                #expect(follower.follow(p, q, z, d) == .onward)
            }
            let certificate = contract.certificate(votes, claims: p.log + q.log)
            q.commit(certificate)
            #expect(follower.follow(p, q, z, d) == .onward)
            #expect(fold.applied(contract) && fold.holder(slots.0) == q.key)
            p.commit(certificate)
            #expect(follower.follow(p, q, z, d) == .onward, "the same certificate")
        }
        #expect(fold.token(sp.token)?.lineage.count == 2 && fold.holder(sp) == p.key)
    }

    @Test mutating func whatSaysNothingAboutSeatsGoesOn() {
        p.chat("hello")
        #expect(follower.follow(p, q, z, d) == .onward)
        var late = Traveller(9)
        #expect(follower.follow(p, q, z, d, late) == .onward)
        let slot = late.claim("9A", dependant: true)
        #expect(follower.follow(p, q, z, d, late) == .onward)
        #expect(fold.token(slot.token)?.dependant == true)
        // Somebody whose key stands before all others, with a claim at once.
        var early = Traveller(0)
        _ = early.claim("8A")
        #expect(follower.follow(early, p, q, z, d, late) == .onward)
    }

    @Test mutating func retractsAndNewClaimsGoOn() {
        let other = p.claim("1B")
        #expect(follower.follow(p, q, z, d) == .onward)
        q.retract(sp)
        #expect(follower.follow(p, q, z, d) == .onward, "not theirs")
        p.retract(Slot(token: sp.token, producer: sq.producer))
        #expect(follower.follow(p, q, z, d) == .onward, "no tenure of it")
        #expect(fold.token(sp.token)?.ended == false)
        p.retract(sp)
        #expect(follower.follow(p, q, z, d) == .onward)
        #expect(fold.token(sp.token)?.ended == true && fold.token(other.token)?.ended == false)
        let elsewhere = p.claim("1C")
        #expect(follower.follow(p, q, z, d) == .onward)
        #expect(fold.token(elsewhere.token)?.reminted == false)
        let again = p.claim("1A")
        #expect(follower.follow(p, q, z, d) == .onward)
        #expect(fold.token(again.token)?.reminted == true)
        let first = q.claim("5A")
        q.retract(first)
        #expect(follower.follow(p, q, z, d) == .onward, "both at once")
        #expect(
            fold.token(first.token)?.reminted == false && fold.token(first.token)?.ended == true)
        let second = q.claim("2A")
        q.retract(sq)
        #expect(follower.follow(p, q, z, d) == .onward, "the claim first, both at once")
        #expect(fold.token(second.token)?.reminted == false)
        let taken = q.claim("1A")
        #expect(follower.follow(p, q, z, d) == .onward)
        #expect(fold.token(taken.token)?.reminted == true, "they retracted a token of that seat")
    }

    @Test mutating func aSeatGivenBackBeforeItCame() {
        for (giver, nonce) in [(true, 1), (false, 2)] as [(Bool, UInt8)] {
            var (p, q, follower) = (p, q, follower)
            let contract = pair(p, sp, q, sq, nonce: nonce)
            let votes = [p.yes(contract), q.yes(contract)]
            if giver { p.retract(contract.next(sp)) } else { q.retract(contract.next(sp)) }
            #expect(follower.follow(p, q, z, d) == .onward)
            q.commit(contract.certificate(votes, claims: p.log + q.log))
            #expect(follower.follow(p, q, z, d) == .onward)
            #expect(follower.running.fold.token(sp.token)?.ended == !giver)
        }
    }

    @Test mutating func certificatesBeforeTheClaimsThatTheyMoveGoOn() {
        var alone = Follower()
        alone.follow(z, d)
        let contract = pair(p, sp, q, sq)
        let votes = [p.yes(contract), q.yes(contract)]
        p.commit(contract.certificate(votes, claims: p.log + q.log))
        #expect(alone.follow(p, q, z, d) == .onward)
        #expect(alone.running.fold.applied(contract))
    }

    @Test mutating func aStaleContractIsCompleteAndStays() {
        let first = pair(p, sp, q, sq)
        let stale = pair(p, first.next(sq), z, sz, nonce: 1)
        let votes = [p.yes(stale), z.yes(stale)]
        z.commit(stale.certificate(votes, claims: z.log))
        #expect(follower.follow(p, q, z, d) == .onward)
        #expect(fold.complete(stale) && !fold.applied(stale))
        #expect(fold.holder(sz) == z.key)
        // And one whose giver has the token, but by a tenure that never was.
        let wrong = Contract.of(
            [(sd, from: d, to: q), (Slot(token: sq.token, producer: sd.producer), from: q, to: d)],
            nonce: 2)
        let others = [q.yes(wrong), d.yes(wrong)]
        d.commit(wrong.certificate(others, claims: d.log))
        #expect(follower.follow(p, q, z, d) == .onward)
        #expect(fold.complete(wrong) && !fold.applied(wrong))
    }

    @Test mutating func whoGivesMustHold() {
        let first = pair(p, sp, q, sq)
        let votes = [p.yes(first), q.yes(first)]
        q.commit(first.certificate(votes, claims: p.log + q.log))
        #expect(follower.follow(p, q, z, d) == .onward)
        let theft = pair(z, first.next(sp), d, sd, nonce: 3)
        let others = [z.yes(theft), d.yes(theft)]
        d.commit(theft.certificate(others, claims: d.log))
        #expect(follower.follow(p, q, z, d) == .onward)
        #expect(fold.complete(theft) && !fold.applied(theft) && fold.holder(sp) == q.key)
    }

    /// The token of the one leg was claimed in a log that is not here.
    @Test mutating func aContractOfATokenThatNobodyKnowsStays() {
        let first = pair(p, sp, q, sq)
        let next = pair(q, first.next(sp), z, sz, nonce: 1)
        var alone = Follower()
        alone.follow(q, z)
        z.commit(next.certificate([q.yes(next), z.yes(next)], claims: z.log))
        #expect(alone.follow(q, z) == .onward)
        #expect(alone.running.fold.complete(next) && !alone.running.fold.applied(next))
        #expect(alone.running.fold.holder(sz) == z.key)
    }

    @Test mutating func manyOfOneAuthorAreFoldedTogether() {
        for (count, way) in [(254, .onward), (255, .whole)] as [(Int, Follower.Way)] {
            var (p, follower) = (p, follower)
            for _ in 0..<count { p.retract(sq) }
            follower.follow(p, q, z, d)
            p.yes(pair(p, sp, q, sq))
            #expect(follower.follow(p, q, z, d) == way)
        }
    }

    @Test mutating func manyAtOnceAreFoldedTogether() {
        for (count, way) in [(64, .onward), (65, .whole)] as [(Int, Follower.Way)] {
            var (p, follower) = (p, follower)
            for _ in 0..<count { p.retract(sq) }
            #expect(follower.follow(p, q, z, d) == way)
        }
    }
}
