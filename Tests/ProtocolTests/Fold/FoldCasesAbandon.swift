// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The directed library: leaving a yes, and three old errors of the rules (docs/protocol.md section
/// 26, A5, A5b).
@Suite struct FoldCasesAbandon {
    var p = Traveller(1)
    var q = Traveller(2)
    var z = Traveller(3)
    var d = Traveller(4)
    let sp: Slot
    let sq: Slot
    let sz: Slot
    let sd: Slot
    /// p, q and z in a ring.
    let ring: Contract

    init() {
        sp = p.claim("1A")
        sq = q.claim("2A")
        sz = z.claim("3A")
        sd = d.claim("4A")
        ring = Contract.of([
            (sp, from: p, to: q), (sq, from: q, to: z), (sz, from: z, to: p),
        ])
    }

    func certificate(_ votes: [Entry]) -> Commit {
        ring.certificate(votes, claims: p.log + q.log + z.log)
    }

    @Test mutating func abandonWithANoFreesTheSlot() throws {
        p.yes(ring)
        p.abandon(ring, z.no(ring))
        let next = swap(&p, sp, &d, sd, nonce: 1)
        let logs = Known(of: p, q, z, d)
        let fold = Fold.fold(logs)
        #expect(fold.applied(next))
        #expect(fold.departures.map(\.author) == [p.key])
        #expect(Fold.misdeeds(logs).isEmpty)
        #expect(fold.openVotes.isEmpty)
    }

    @Test mutating func a5NoToOneYesToTheOther() throws {
        let votes = [p.yes(ring), q.yes(ring)]
        var liar = z
        let no = z.no(ring)
        let yes = liar.yes(ring)
        q.commit(certificate(votes + [yes]))
        let before = Fold.fold(Known(of: p, q, liar, d))
        #expect(before.applied(ring))
        p.abandon(ring, no)
        let next = swap(&p, sp, &d, sd, nonce: 1)
        let logs = Known(of: p, q, liar, d)
        let fold = Fold.fold(logs)
        #expect(fold.dead(ring) && !fold.applied(ring) && fold.applied(next))
        #expect(fold.holder(sq) == q.key)
        #expect(Fold.misdeeds(logs).map(\.author) == [z.key])
        #expect(Invariants.violations(from: before, to: fold, blamed: [z.key]).isEmpty)
    }

    @Test mutating func a5bAndErrorC_AnAbandonDoesNotWaitForTheWholeBranch() throws {
        let votes = [p.yes(ring), q.yes(ring)]
        var hidden = z
        hidden.chat("only p saw this")
        let no = hidden.no(ring)
        p.abandon(ring, no)
        let next = swap(&p, sp, &d, sd, nonce: 1)
        // z's log ends before the No: its branch has a gap, and the abandon counts all the same.
        let before = Fold.fold(Known(of: p, q, z, d))
        #expect(before.applied(next))
        let yes = z.yes(ring)
        q.commit(certificate(votes + [yes]))
        let logs = Known(of: p, q, z, d)
        let fold = Fold.fold(logs)
        #expect(fold.complete(ring) && fold.dead(ring) && fold.applied(next))
        #expect(fold.holder(sp) == d.key)
        #expect(Fold.misdeeds(logs).map(\.author) == [z.key])
        #expect(Invariants.violations(from: before, to: fold, blamed: []).isEmpty)
    }

    @Test mutating func errorA_AGapIsNotHeldAgainstTheVoter() throws {
        let votes = [p.yes(ring), q.yes(ring)]
        let known = p
        p.abandon(ring, z.no(ring))
        let next = swap(&p, sp, &d, sd, nonce: 1)
        // z lies to q; somebody knows both certificates, but p's log only up to their first yes.
        var liar = z.branch(at: 2)
        q.commit(certificate(votes + [liar.yes(ring)]))
        let early = Known(of: known, q, liar, d)
        let before = Fold.fold(early)
        #expect(!before.complete(next) && !before.beaten(next))
        #expect(before.contract(next.id)?.isDecided == false)
        #expect(Fold.misdeeds(early).isEmpty, "p is honest, and z's No is not known yet")
        let logs = Known(of: p, q, liar, d)
        let fold = Fold.fold(logs)
        #expect(fold.applied(next) && fold.dead(ring))
        #expect(Fold.misdeeds(logs).map(\.author) == [z.key])
        #expect(Invariants.violations(from: before, to: fold, blamed: [z.key]).isEmpty)
    }

    @Test mutating func errorB_AnAbandonWithoutEffectExcusesNoSecondYes() throws {
        let votes = [p.yes(ring), q.yes(ring), z.yes(ring)]
        p.abandon(ring, z.no(ring))
        let next = swap(&p, sp, &d, sd, nonce: 1)
        q.commit(certificate(votes))
        let logs = Known(of: p, q, z, d)
        let fold = Fold.fold(logs)
        #expect(!fold.dead(ring) && fold.applied(ring) && fold.beaten(next))
        #expect(fold.departures.isEmpty)
        #expect(Invariants.violations(of: fold).isEmpty)
        #expect(Fold.misdeeds(logs).map(\.author) == [p.key, z.key])
    }

    @Test mutating func aYesOnTheHiddenBranchItselfUndoesTheAbandon() throws {
        // z says yes and no on one hidden branch; the yes becomes known in a certificate.
        let votes = [p.yes(ring), q.yes(ring)]
        var hidden = z
        let yes = hidden.yes(ring)
        let no = hidden.no(ring)
        p.abandon(ring, no)
        z.chat("the branch for all")
        #expect(Fold.fold(Known(of: p, q, z)).dead(ring) == false, "parties are unknown")
        #expect(Fold.fold(Known(of: p, q, z)).departures.count == 1)
        q.commit(certificate(votes + [yes]))
        let fold = Fold.fold(Known(of: p, q, z))
        #expect(!fold.dead(ring) && fold.applied(ring) && fold.departures.isEmpty)
    }

    @Test mutating func aLinkInAnotherCertificateClosesTheGap() throws {
        // yes, a vote on another contract, no: the middle one is known from that other certificate.
        let votes = [p.yes(ring), q.yes(ring)]
        var hidden = z
        let yes = hidden.yes(ring)
        let other = agree(&hidden, sz, &d, sd, nonce: 5)
        let no = hidden.no(ring)
        p.abandon(ring, no)
        q.commit(certificate(votes + [yes]))
        #expect(Fold.fold(Known(of: p, q, z, d)).dead(ring), "the gap reads for the abandoner")
        d.commit(other.certificate)
        let fold = Fold.fold(Known(of: p, q, z, d))
        #expect(!fold.dead(ring) && fold.departures.isEmpty)
    }

    @Test mutating func aChainThatReachesTheLogIsWalkedToItsStart() throws {
        // yes in the log shown, then two entries that only anchors hold: a
        // vote elsewhere, and the no.
        let votes = [p.yes(ring), q.yes(ring), z.yes(ring)]
        var hidden = z
        let other = agree(&hidden, sz, &d, sd, nonce: 5)
        p.abandon(ring, hidden.no(ring))
        q.commit(certificate(votes))
        #expect(Fold.fold(Known(of: p, q, z, d)).dead(ring), "a gap")
        d.commit(other.certificate)
        #expect(!Fold.fold(Known(of: p, q, z, d)).dead(ring))
    }

    /// Of the two branches either may have the smaller id: some of these rings give each order.
    @Test(arguments: 1...8) func aYesOnASideBranchHidesNoneBelow(nonce: UInt8) throws {
        // From one hidden yes two branches go on: with a second yes, and with the no.
        var (p, q, z) = (p, q, z)
        let ring = Contract.of(
            [(sp, from: p, to: q), (sq, from: q, to: z), (sz, from: z, to: p)], nonce: nonce)
        let claims = p.log + q.log + z.log
        let votes = [p.yes(ring), q.yes(ring)]
        let yes = z.yes(ring)
        var side = z
        q.commit(ring.certificate(votes + [yes], claims: claims))
        q.commit(ring.certificate(votes + [side.yes(ring)], claims: claims))
        p.abandon(ring, z.no(ring))
        #expect(!Fold.fold(Known(of: p, q, z.branch(at: 2))).dead(ring))
    }

    @Test mutating func leavingOneContractDoesNotFreeFromAnother() throws {
        let first = agree(&p, sp, &d, sd, nonce: 7)
        p.yes(ring)
        p.abandon(ring, z.no(ring))
        var e = Traveller(5)
        let se = e.claim("5A")
        let last = swap(&p, sp, &e, se, nonce: 8)
        d.commit(first.certificate)
        // z lies, so that the ring is complete too.
        var liar = z.branch(at: 2)
        let yes = [p.log[3], q.yes(ring), liar.yes(ring)]
        q.commit(certificate(yes))
        let fold = Fold.fold(Known(of: p, q, liar, d, e))
        #expect(fold.applied(first.contract) && fold.dead(ring))
        #expect(fold.beaten(ring) && fold.beaten(last))
    }

    @Test mutating func onlyAnotherPartysNoFrees() throws {
        let votes = [p.yes(ring), q.yes(ring), z.yes(ring)]
        q.commit(certificate(votes))
        // A No of one's own, far behind the log so that its branch has a gap.
        let own = p.sign(.vote(.no(ring.id)), seq: 100, previous: p.log[1].id)
        var alone = p
        alone.abandon(ring, own)
        #expect(Fold.fold(Known(of: alone, q, z)).applied(ring))
        // A No of somebody who is no party.
        var stranger = p
        stranger.abandon(ring, d.no(ring))
        let fold = Fold.fold(Known(of: stranger, q, z, d))
        #expect(fold.applied(ring) && fold.departures.isEmpty)
        // An abandon by somebody who is no party.
        let no = z.branch(at: 2).sign(
            .vote(.no(ring.id)), seq: 3, previous: z.log[1].id)
        d.abandon(ring, no)
        #expect(!Fold.fold(Known(of: p, q, z, d)).dead(ring))
    }

    @Test mutating func a10NoOfAnotherFlightIsNothing() throws {
        let votes = [p.yes(ring), q.yes(ring), z.yes(ring)]
        q.commit(certificate(votes))
        let foreign = try EntryCodec(Traveller.primitives).sign(
            .vote(.no(ring.id)), flight: FlightID(.zero), seq: 2, previous: z.log[0].id,
            by: z.signer)
        p.abandon(ring, foreign)
        let fold = Fold.fold(Known(of: p, q, z))
        #expect(fold.applied(ring) && fold.forks.isEmpty)
    }

    @Test mutating func anAbandonBeforeTheYesExcusesNothing() throws {
        p.abandon(ring, z.no(ring))
        var liar = z.branch(at: 2)
        let votes = [p.yes(ring), q.yes(ring), liar.yes(ring)]
        q.commit(certificate(votes))
        let next = swap(&p, sp, &d, sd, nonce: 1)
        let fold = Fold.fold(Known(of: p, q, z, d))
        #expect(fold.dead(ring) && fold.beaten(next))
        #expect(fold.openVotes.contains { $0.author == p.key && $0.contract == ring.id })
    }
}
