// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Each case in which one more entry has everything folded again: with that left out, the fold
/// would be another one than that of all logs.
@Suite struct RunningFoldAgainTests {
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
        follower.follow(p, q, z, d)
    }

    private func pair(
        _ a: Traveller, _ x: Slot, _ b: Traveller, _ y: Slot, nonce: UInt8 = 0
    ) -> Contract {
        Contract.of([(x, from: a, to: b), (y, from: b, to: a)], nonce: nonce)
    }

    private var fold: SeatFold { follower.running.fold }

    // MARK: Other logs than before

    @Test mutating func aProofThatComes() throws {
        var twin = p
        p.chat("one")
        twin.chat("two")
        follower.follow(p, q, z, d)
        let proof = try #require(ForkProof(p.log[2], twin.log[2]))
        #expect(follower.follow(p, q, z, d, proofs: [proof]) == .whole)
        #expect(fold.isForked(p.key))
        // What they say from there on does not count.
        _ = p.claim("1B")
        #expect(follower.follow(p, q, z, d, proofs: [proof]) == .whole)
        #expect(follower.follow(p, q, z, d) == .whole, "one that goes")
        #expect(!fold.isForked(p.key))
    }

    @Test mutating func anotherBranch() {
        var twin = p
        p.retract(sp)
        #expect(follower.follow(p, q, z, d) == .onward)
        twin.chat("another")
        twin.chat("and longer")
        #expect(follower.follow(twin, q, z, d) == .whole)
        #expect(fold.token(sp.token)?.ended == false)
    }

    @Test mutating func logsThatShrink() {
        p.retract(sp)
        #expect(follower.follow(p, q, z, d) == .onward)
        #expect(follower.follow(p.branch(at: 2), q, z, d) == .whole)
        #expect(fold.token(sp.token)?.ended == false)
    }

    @Test mutating func anAuthorWhoIsGone() {
        #expect(follower.follow(p, q, z) == .whole)
        #expect(fold.token(sd.token) == nil)
        follower.follow(p, q, z, d)
        #expect(follower.follow(q, z, d) == .whole)
        #expect(fold.token(sp.token) == nil)
    }

    /// Nothing about seats is new, but the end of a chain is.
    @Test mutating func aGapThatAChatLineCloses() {
        let short = p
        p.chat("withheld")
        let contract = pair(p, sp, q, sq)
        q.commit(contract.certificate([p.yes(contract), q.yes(contract)], claims: p.log + q.log))
        #expect(follower.follow(short, q, z, d) == .whole, "a vote that stands in no log")
        #expect(fold.contract(contract.id)?.certificate != nil && !fold.complete(contract))
        _ = z.claim("3B")
        #expect(follower.follow(short, q, z, d) == .whole, "the gap is still there")
        #expect(follower.follow(p.branch(at: 3), q, z, d) == .whole)
        #expect(fold.complete(contract), "by the vote in the certificate")
        #expect(follower.follow(p, q, z, d) == .whole)
        z.chat("no gap any more")
        #expect(follower.follow(p, q, z, d) == .onward)
    }

    // MARK: Tokens

    @Test mutating func aClaimOfWhatWasRetractedBefore() {
        for isFollowed in [true, false] {
            var (p, q, follower) = (p, q, Follower())
            if isFollowed { follower.follow(p, z, d) }
            p.retract(sq)
            let again = p.claim("2A")
            if isFollowed {
                #expect(follower.follow(p, z, d) == .onward)
            } else {
                #expect(follower.follow(p, z, d) == .whole)
            }
            #expect(follower.running.fold.token(again.token)?.reminted == false)
            q.chat("here I am")
            #expect(follower.follow(p, q, z, d) == .whole)
            #expect(follower.running.fold.token(again.token)?.reminted == true)
        }
    }

    // MARK: Votes

    @Test mutating func aYesAndANo() {
        let contract = pair(p, sp, q, sq)
        p.yes(contract)
        #expect(follower.follow(p, q, z, d) == .onward)
        p.no(contract)
        #expect(follower.follow(p, q, z, d) == .whole)
        #expect(follower.running.misdeeds.map(\.kind) == [.contradiction])
        q.yes(contract)
        #expect(follower.follow(p, q, z, d) == .onward, "another's vote")
        #expect(follower.running.misdeeds.map(\.kind) == [.contradiction])
    }

    @Test mutating func twoPromisesOfOneSlot() {
        let one = pair(p, sp, q, sq, nonce: 1)
        let two = pair(p, sp, z, sz, nonce: 2)
        p.yes(one)
        #expect(follower.follow(p, q, z, d) == .onward)
        q.yes(one)
        z.yes(two)
        #expect(follower.follow(p, q, z, d) == .onward, "other slots")
        p.yes(two)
        #expect(follower.follow(p, q, z, d) == .whole)
        #expect(follower.running.misdeeds.map(\.kind) == [.overlap])
    }

    @Test mutating func anAbandon() {
        let contract = pair(p, sp, q, sq)
        p.yes(contract)
        let no = q.no(contract)
        #expect(follower.follow(p, q, z, d) == .onward)
        p.abandon(contract, no)
        #expect(follower.follow(p, q, z, d) == .whole)
        #expect(fold.departures.map(\.author) == [p.key])
    }

    // MARK: Certificates

    /// Two certificates of one contract: that of the first author is shown,
    /// and the first yes counts.
    @Test mutating func anotherCertificate() {
        let contract = pair(p, sp, q, sq)
        let votes = [p.yes(contract), p.yes(contract), q.yes(contract)]
        follower.follow(p, q, z, d)
        q.commit(contract.certificate([votes[0], votes[2]], claims: p.log + q.log))
        #expect(follower.follow(p, q, z, d) == .onward)
        p.commit(contract.certificate([votes[1], votes[2]], claims: p.log + q.log))
        #expect(follower.follow(p, q, z, d) == .whole)
        #expect(fold.contract(contract.id)?.certificate?.votes.first == votes[1])
    }

    @Test mutating func aCertificateOfAStranger() {
        let contract = pair(p, sp, q, sq)
        let votes = [p.yes(contract), q.yes(contract)]
        let certificate = contract.certificate(votes, claims: p.log + q.log)
        z.commit(certificate)
        #expect(follower.follow(p, q, z, d) == .whole)
        #expect(!fold.complete(contract) && fold.contract(contract.id)?.contract == contract)
        q.commit(certificate)
        #expect(follower.follow(p, q, z, d) == .onward)
        #expect(fold.applied(contract))
    }

    /// p left before anybody here knew whose contract it is.
    @Test mutating func aCertificateOfWhatSomebodyLeft() {
        let contract = pair(p, sp, q, sq)
        let yes = p.yes(contract)
        p.abandon(contract, q.no(contract))
        let certificate = contract.certificate([yes, q.yes(contract)], claims: p.log + q.log)
        #expect(follower.follow(p, q, z, d) == .whole)
        #expect(!fold.dead(contract) && fold.departures.count == 1)
        let other = pair(z, sz, d, sd, nonce: 1)
        z.commit(
            other.certificate([z.yes(other), d.yes(other)], claims: z.log + d.log))
        #expect(follower.follow(p, q, z, d) == .onward, "nobody left that one")
        q.commit(certificate)
        #expect(follower.follow(p, q, z, d) == .whole)
        #expect(fold.dead(contract) && !fold.applied(contract))
        d.no(contract)
        #expect(follower.follow(p, q, z, d) == .onward, "no party's word")
        #expect(fold.dead(contract))
    }

    @Test mutating func aSlotSpentTwice() {
        let one = pair(p, sp, q, sq, nonce: 1)
        let two = pair(p, sp, z, sz, nonce: 2)
        let ones = [p.yes(one), q.yes(one)]
        let twos = [p.yes(two), z.yes(two)]
        follower.follow(p, q, z, d)
        z.commit(two.certificate(twos, claims: p.log + z.log))
        #expect(follower.follow(p, q, z, d) == .onward)
        #expect(fold.applied(two))
        q.commit(one.certificate(ones, claims: p.log + q.log))
        #expect(follower.follow(p, q, z, d) == .whole)
        #expect(fold.applied(one) && fold.beaten(two))
        d.no(two)
        #expect(follower.follow(p, q, z, d) == .onward, "no party's word")
        #expect(fold.beaten(two))
    }

    /// p claimed it on a branch that nobody has, behind the end of the log that they show.
    @Test mutating func aClaimThatStandsInNoLog() {
        var hidden = p
        for line in ["one", "two", "three"] { hidden.chat(line) }
        let contract = pair(p, hidden.claim("1B"), q, sq)
        let votes = [p.yes(contract), q.yes(contract)]
        #expect(follower.follow(p, q, z, d) == .onward)
        q.commit(contract.certificate(votes, claims: hidden.log + q.log))
        #expect(follower.follow(p, q, z, d) == .whole)
        #expect(fold.applied(contract))
    }

    @Test mutating func aVoteOfSomebodyWithoutALog() {
        var alone = Follower()
        alone.follow(q, z, d)
        let contract = pair(p, sp, q, sq)
        q.commit(contract.certificate([p.yes(contract), q.yes(contract)], claims: p.log + q.log))
        #expect(alone.follow(q, z, d) == .whole)
        #expect(!alone.running.fold.complete(contract))
        #expect(alone.follow(p, q, z, d) == .whole)
        #expect(alone.running.fold.applied(contract))
    }

    @Test mutating func aContractOnWhichAnotherRests() {
        let first = pair(p, sp, q, sq)
        let next = pair(q, first.next(sp), z, sz, nonce: 1)
        let votes = [p.yes(first), q.yes(first)]
        z.commit(
            next.certificate([q.yes(next), z.yes(next)], claims: z.log))
        #expect(follower.follow(p, q, z, d) == .onward)
        #expect(!fold.applied(next))
        p.commit(first.certificate(votes, claims: p.log + q.log))
        #expect(follower.follow(p, q, z, d) == .whole)
        #expect(fold.applied(first) && fold.applied(next) && fold.holder(sp) == z.key)
    }
}
