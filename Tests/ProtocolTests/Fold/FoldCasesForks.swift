// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The directed library: forks and double sales (docs/protocol.md section 26, A1 to A4).
@Suite struct FoldCasesForks {
    var x = Traveller(9)
    var b = Traveller(2)
    var c = Traveller(3)
    let a: Slot
    let sb: Slot
    let sc: Slot

    init() {
        a = x.claim("1A")
        sb = b.claim("2B")
        sc = c.claim("3C")
    }

    @Test mutating func a1ForkedSaleToTwoIsVoidForBoth() throws {
        var other = x
        let first = swap(&x, a, &b, sb)
        let second = swap(&other, a, &c, sc)
        let fold = Fold.fold(Known(of: x, b, c))
        #expect(fold.beaten(first) && fold.beaten(second))
        #expect(fold.holder(a) == x.key && fold.holder(sb) == b.key && fold.holder(sc) == c.key)
        #expect(fold.forks == [SeatFold.Fork(author: x.key, seq: 3)])
    }

    @Test mutating func a1VotesBehindOneForkAtDifferentPlacesAreVoidToo() throws {
        var other = x
        other.chat("hidden")
        let first = swap(&x, a, &b, sb)
        let second = swap(&other, a, &c, sc)
        let proof = try #require(ForkProof(x.log[2], other.log[2]))
        // Without the proof nothing shows the fork: then the second vote has a gap and waits.
        let early = Fold.fold(Known(of: x, b, c))
        #expect(early.applied(first) && !early.complete(second) && early.forks.isEmpty)
        let fold = Fold.fold(Known(of: x, b, c, proofs: [proof]))
        #expect(fold.beaten(first) && fold.beaten(second))
        #expect(Fold.misdeeds(Known(of: x, b, c, proofs: [proof])).map(\.author) == [x.key])
    }

    @Test mutating func a1YesBeforeTheForkStandsAgainstOneBehindIt() throws {
        let first = swap(&x, a, &b, sb)
        var other = x
        x.chat("seen by some")
        let second = swap(&other, a, &c, sc)
        let fold = Fold.fold(Known(of: x, b, c))
        #expect(fold.isForked(x.key))
        #expect(fold.applied(first) && fold.beaten(second))
    }

    @Test mutating func a2SecondYesInOneLogLoses() throws {
        let first = swap(&x, a, &b, sb, nonce: 1)
        let second = swap(&x, a, &c, sc, nonce: 2)
        let logs = Known(of: x, b, c)
        let fold = Fold.fold(logs)
        #expect(fold.applied(first) && fold.beaten(second) && !fold.applied(second))
        #expect(fold.holder(a) == b.key && fold.holder(sc) == c.key)
        #expect(Fold.misdeeds(logs).map(\.kind) == [.overlap])
        #expect(Fold.misdeeds(logs).map(\.author) == [x.key])
    }

    @Test mutating func a2TheOrderIsThatOfTheVotesNotOfTheCertificates() throws {
        let (first, late) = agree(&x, a, &b, sb, nonce: 1)
        let second = swap(&x, a, &c, sc, nonce: 2)
        let before = Fold.fold(Known(of: x, b, c))
        #expect(before.applied(second) && !before.complete(first))
        b.commit(late)
        let logs = Known(of: x, b, c)
        let fold = Fold.fold(logs)
        #expect(fold.applied(first) && fold.beaten(second))
        #expect(
            Invariants.violations(from: before, to: fold, blamed: [x.key]).isEmpty)
        #expect(
            Invariants.violations(from: before, to: fold, blamed: []).map(\.rule) == [.stability])
    }

    @Test mutating func a3ForkWithoutAccompliceLeavesCertificates() throws {
        var other = x
        other.chat("a branch")
        let contract = swap(&x, a, &b, sb)
        let late = x.claim("9F")
        #expect(Fold.fold(Known(of: x, b, c)).token(late.token) != nil)
        let proof = try #require(ForkProof(x.log[2], other.log[2]))
        let fold = Fold.fold(Known(of: x, b, c, proofs: [proof]))
        #expect(fold.applied(contract) && fold.holder(a) == b.key)
        #expect(fold.token(late.token) == nil)
    }

    @Test mutating func a3ClaimBehindAForkCountsInsideACertificate() throws {
        var other = x
        other.chat("a branch")
        let late = x.claim("9F")
        let contract = swap(&x, late, &b, sb)
        let proof = try #require(ForkProof(x.log[2], other.log[2]))
        let fold = Fold.fold(Known(of: x, b, c, proofs: [proof]))
        #expect(fold.applied(contract) && fold.holder(late) == b.key)
        // The claim before the fork counts by itself.
        #expect(fold.holder(a) == x.key)
    }

    @Test mutating func a4LateForkRollsTheWholeConeBack() throws {
        var other = x
        let first = swap(&x, a, &b, sb, nonce: 1)
        let second = swap(&b, first.next(a), &c, sc, nonce: 2)
        let before = Fold.fold(Known(of: x, b, c))
        #expect(before.applied(first) && before.applied(second))
        #expect(before.holder(a) == c.key)
        // A sybil helps with a second certificate on the forked slot.
        var sybil = Traveller(7)
        let bait = sybil.claim("30A")
        swap(&other, a, &sybil, bait, nonce: 3)
        let logs = Known(of: x, b, c, sybil)
        let fold = Fold.fold(logs)
        #expect(!fold.applied(first) && !fold.applied(second) && !fold.beaten(second))
        #expect(fold.holder(a) == x.key && fold.holder(sb) == b.key && fold.holder(sc) == c.key)
        let blamed = Fold.misdeeds(logs).map(\.author)
        #expect(blamed == [x.key])
        #expect(Invariants.violations(from: before, to: fold, blamed: blamed).isEmpty)
    }

    @Test mutating func certificatesOfAForkedCommitterDoNotCount() throws {
        let (contract, certificate) = agree(&b, sb, &c, sc)
        var other = c
        other.chat("a branch")
        c.commit(certificate)
        let proof = try #require(ForkProof(c.log[3], other.log[3]))
        let fold = Fold.fold(Known(of: b, c, proofs: [proof]))
        #expect(!fold.complete(contract))
        #expect(fold.contract(contract.id)?.contract == contract)
        b.commit(certificate)
        #expect(Fold.fold(Known(of: b, c, proofs: [proof])).applied(contract))
    }

    @Test mutating func onlyAPartyCanComplete() throws {
        let (contract, certificate) = agree(&b, sb, &c, sc)
        x.commit(certificate)
        #expect(!Fold.fold(Known(of: x, b, c)).complete(contract))
    }

    @Test mutating func retractsAndAbandonsBehindAForkDoNotCount() throws {
        let contract = Contract.of([(a, from: x, to: b), (sb, from: b, to: x)])
        x.yes(contract)
        let no = b.no(contract)
        var other = x
        other.chat("a branch")
        x.abandon(contract, no)
        x.retract(a)
        let proof = try #require(ForkProof(x.log[3], other.log[3]))
        let fold = Fold.fold(Known(of: x, b, proofs: [proof]))
        #expect(fold.departures.isEmpty && fold.token(a.token)?.ended == false)
        #expect(Fold.fold(Known(of: x, b)).token(a.token)?.ended == true)
    }
}
