// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The directed library: where the search among branches, forks and certificates must not slip.
/// Either of two contracts may have the smaller id, so most are tried with several.
@Suite struct FoldCasesEdges {
    var p = Traveller(1)
    var q = Traveller(2)
    var z = Traveller(3)
    var d = Traveller(4)
    let sp: Slot
    let sq: Slot
    let sz: Slot
    let sd: Slot

    init() {
        sp = p.claim("1A")
        sq = q.claim("2A")
        sz = z.claim("3A")
        sd = d.claim("4A")
    }

    /// p, q and z in a ring.
    private func ring(_ nonce: UInt8 = 0) -> Contract {
        Contract.of(
            [(sp, from: p, to: q), (sq, from: q, to: z), (sz, from: z, to: p)], nonce: nonce)
    }

    private var claims: [Entry] { p.log + q.log + z.log }

    /// An anchor at the very place where its author forked: some hold it, some the other branch.
    @Test func anAnchorAtTheForkItselfTellsNothing() throws {
        for atTheFork in [true, false] {
            var (p, q, z, d) = (p, q, z, d)
            let ring = ring()
            let votes = [p.yes(ring), q.yes(ring)]
            var hidden = z
            let yes = hidden.yes(ring)
            let other = agree(&hidden, sz, &d, sd, nonce: 5)
            p.abandon(ring, hidden.no(ring))
            q.commit(ring.certificate(votes + [yes], claims: claims))
            var twin = d
            d.commit(other.certificate)
            if !atTheFork {
                twin = d
                d.chat("later")
            }
            twin.chat("another")
            let last = d.log.count - 1
            let proof = try #require(ForkProof(d.log[last], twin.log[last]))
            for d in [d, twin] {
                let fold = Fold.fold(Known(of: p, q, z, d, proofs: [proof]))
                #expect(fold.dead(ring) == atTheFork)
            }
        }
    }

    @Test(arguments: 1...8) func aYesToAnotherContractIsNoneToThisOne(nonce: UInt8) throws {
        var (p, q, z, d) = (p, q, z, d)
        let ring = ring()
        let votes = [p.yes(ring), q.yes(ring)]
        var hidden = z
        let other = agree(&hidden, sz, &d, sd, nonce: nonce)
        p.abandon(ring, hidden.no(ring))
        d.commit(other.certificate)
        #expect(Fold.fold(Known(of: p, q, z, d)).departures.count == 1)
        var liar = z
        q.commit(ring.certificate(votes + [liar.yes(ring)], claims: claims))
        #expect(Fold.fold(Known(of: p, q, z, d)).dead(ring))
    }

    @Test(arguments: 1...8) func aNoIsJudgedByItsOwnAuthorsYes(nonce: UInt8) throws {
        var (p, q, z) = (p, q, z)
        let ring = ring(nonce)
        p.yes(ring)
        z.yes(ring)
        q.chat("later")
        p.abandon(ring, q.no(ring))
        #expect(Fold.fold(Known(of: p, q, z)).departures.map(\.author) == [p.key])
        // And that of another contract is none.
        var (one, two) = (self.p, self.q)
        let pair = Contract.of([(sp, from: one, to: two), (sq, from: two, to: one)], nonce: 3)
        one.yes(ring)
        two.yes(pair)
        one.abandon(ring, two.no(ring))
        #expect(Fold.fold(Known(of: one, two, z)).departures.map(\.author) == [one.key])
    }

    @Test(arguments: 1...8) func aYesAmongOthersIsFound(nonce: UInt8) throws {
        var (p, q, z, d) = (p, q, z, d)
        let ring = ring(nonce)
        p.yes(ring)
        d.yes(Contract.of([(sz, from: z, to: d), (sd, from: d, to: z)], nonce: nonce))
        for other in 1...4 as ClosedRange<UInt8> {
            z.yes(Contract.of([(sz, from: z, to: d), (sd, from: d, to: z)], nonce: 20 + other))
        }
        z.yes(ring)
        z.yes(Contract.of([(sz, from: z, to: d), (sd, from: d, to: z)], nonce: 40))
        p.abandon(ring, z.no(ring))
        #expect(Fold.fold(Known(of: p, q, z, d)).departures.isEmpty)
    }

    /// From one entry that only an anchor holds two branches go on: yes on
    /// the one, no on the other.
    @Test(arguments: 1...8) func aYesOnTheOtherBranchIsNotOnThisOne(nonce: UInt8) throws {
        var (p, q, z, d) = (p, q, z, d)
        let ring = ring(nonce)
        let votes = [p.yes(ring), q.yes(ring)]
        var hidden = z
        let shared = agree(&hidden, sz, &d, sd, nonce: 9)
        d.commit(shared.certificate)
        var liar = hidden
        q.commit(ring.certificate(votes + [liar.yes(ring)], claims: claims))
        p.abandon(ring, hidden.no(ring))
        let fold = Fold.fold(Known(of: p, q, z, d))
        #expect(fold.dead(ring) && fold.departures.map(\.author) == [p.key])
        // A third branch, with both: that no is no way out.
        var (third, again) = (liar, p.branch(at: p.log.count - 1))
        again.abandon(ring, third.no(ring))
        #expect(!Fold.fold(Known(of: again, q, z, d)).dead(ring))
    }

    @Test func forksAreSortedByAuthorEachOnce() throws {
        var (p, q, z) = (p, q, z)
        // z forked early and p late; p at two places, shown by certificates of another.
        var twin = z.branch(at: 1)
        twin.chat("first")
        let early = try #require(ForkProof(z.log[1], twin.log[1]))
        p.chat("one")
        var (one, two) = (p.branch(at: 2), p)
        one.chat("two")
        two.chat("three")
        let (first, second) = (agree(&one, sp, &q, sq, nonce: 1), agree(&two, sp, &q, sq, nonce: 2))
        p.chat("four")
        p.chat("five")
        q.commit(first.certificate)
        q.commit(second.certificate)
        let logs = Known(of: p, q, z, proofs: [early])
        let fold = Fold.fold(logs)
        #expect(
            fold.forks == [
                SeatFold.Fork(author: p.key, seq: 4), SeatFold.Fork(author: z.key, seq: 2),
            ])
        #expect(fold.isForked(p.key) && fold.isForked(z.key) && !fold.isForked(q.key))
        let misdeeds = Fold.misdeeds(logs)
        #expect(misdeeds.map(\.author) == [p.key, q.key, z.key])
        #expect(misdeeds.map(\.kind) == [.fork, .overlap, .fork])
    }

    /// Two certificates embed the claim that counts only there: it is one token.
    @Test func aClaimInTwoCertificatesIsOneToken() throws {
        var (p, q, d) = (p, q, d)
        var other = p
        other.chat("a branch")
        let late = p.claim("9F")
        let proof = try #require(ForkProof(p.log[2], other.log[2]))
        let (first, one) = agree(&p, late, &q, sq, nonce: 1)
        let (second, two) = agree(&p, late, &d, sd, nonce: 2)
        q.commit(one)
        d.commit(two)
        let fold = Fold.fold(Known(of: p, q, d, proofs: [proof]))
        #expect(fold.tokens.count { $0.token == late.token } == 1 && fold.tokens.count == 4)
        #expect(fold.beaten(first) && fold.beaten(second))
        #expect(Invariants.violations(of: fold).isEmpty)
    }

    /// Of several certificates the one shown is the best, and of equals the
    /// first by author and place.
    @Test func theCertificateShownIsTheBestAndThenTheFirst() throws {
        var (p, q, z, d) = (p, q, z, d)
        let ring = ring()
        let (yes, again) = (z.yes(ring), z.yes(ring))
        let votes = [p.yes(ring), q.yes(ring)]
        let one = ring.certificate(votes + [yes], claims: claims)
        let two = ring.certificate(votes + [again], claims: claims)
        var three = z.branch(at: 2)
        three.chat("unseen")
        three.chat("unseen too")
        let unsettled = ring.certificate(votes + [three.yes(ring)], claims: claims)
        func shown(_ logs: Known) -> Commit? { Fold.fold(logs).contract(ring.id)?.certificate }
        var (first, second) = (p, q)
        first.commit(one)
        second.commit(two)
        d.commit(two)
        #expect(shown(Known(of: first, second, z, d)) == one)
        #expect(shown(Known(of: p, second, z, d)) == two)
        (first, second) = (p, q)
        first.commit(unsettled)
        second.commit(two)
        #expect(shown(Known(of: first, second, z.branch(at: 3), d)) == two)
        #expect(shown(Known(of: first, q, z.branch(at: 2))) == unsettled)
        var stranger = self.d
        stranger.commit(one)
        #expect(shown(Known(of: p, q, z, stranger)) == one)
        #expect(shown(Known(of: first, q, z.branch(at: 2), stranger)) == unsettled)
    }

    /// Left in one order, named in another: every departure is found.
    @Test(arguments: 1...8) func twoContractsAreLeft(nonce: UInt8) throws {
        var (p, q, z, d) = (p, q, z, d)
        let contracts = [
            ring(nonce), ring(nonce + 100),
            Contract.of([(sp, from: p, to: d), (sd, from: d, to: p)], nonce: nonce),
        ]
        for contract in contracts { p.yes(contract) }
        for contract in contracts {
            if contract.parties.contains(q.key) { q.yes(contract) }
            let no = contract.parties.contains(z.key) ? z.no(contract) : d.no(contract)
            p.abandon(contract, no)
            if contract.parties.contains(q.key) { q.abandon(contract, no) }
        }
        let fold = Fold.fold(Known(of: p, q, z, d))
        #expect(fold.departures.count == 5 && fold.departures == fold.departures.sorted())
        #expect(!fold.openVotes.contains { $0.author == p.key })
    }

    /// Two promises that only certificates show: with a gap between them they
    /// may have left the first.
    @Test func anOverlapIsProvenWhereNothingIsMissing() throws {
        for gap in [false, true] {
            var (p, q, d) = (p, q, d)
            var hidden = p
            let (_, one) = agree(&hidden, sp, &q, sq, nonce: 1)
            if gap { hidden.chat("unseen") }
            let (_, two) = agree(&hidden, sp, &d, sd, nonce: 2)
            q.commit(one)
            d.commit(two)
            let found = Fold.misdeeds(Known(of: p, q, d))
            #expect(found.map(\.kind) == (gap ? [] : [.overlap]))
            #expect(found.map(\.author) == (gap ? [] : [p.key]))
            // One more entry of theirs, whatever it is, closes nothing before the gap.
            p = hidden.branch(at: p.log.count + 1)
            #expect(Fold.misdeeds(Known(of: p, q, d)).map(\.kind) == (gap ? [] : [.overlap]))
            #expect(Fold.misdeeds(Known(of: hidden, q, d)).map(\.kind) == [.overlap])
        }
    }

    /// They left the first before they forked: the one sale behind the fork has no rival.
    @Test func oneSaleBehindAForkStandsWhereTheFirstWasLeft() throws {
        var (p, q, z, d) = (p, q, z, d)
        let ring = ring()
        let votes = [p.yes(ring), q.yes(ring)]
        var liar = z
        p.abandon(ring, z.no(ring))
        q.commit(ring.certificate(votes + [liar.yes(ring)], claims: claims))
        var twin = p
        p.chat("one")
        twin.chat("two")
        let proof = try #require(ForkProof(p.log[p.log.count - 1], twin.log[twin.log.count - 1]))
        let next = swap(&p, sp, &d, sd, nonce: 1)
        let fold = Fold.fold(Known(of: p, q, liar, d, proofs: [proof]))
        #expect(fold.complete(ring) && fold.dead(ring) && !fold.beaten(next))
        #expect(fold.applied(next) && fold.holder(sp) == d.key)
    }
}
