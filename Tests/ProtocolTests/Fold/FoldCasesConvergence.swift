// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Peers who hold different branches of one author must still agree (docs/protocol.md section 10).
@Suite struct FoldCasesConvergence {
    var p = Traveller(1)
    var q = Traveller(2)
    var z = Traveller(3)
    let sp: Slot
    let sq: Slot
    let sz: Slot
    let ring: Contract

    init() {
        sp = p.claim("1A")
        sq = q.claim("2A")
        sz = z.claim("3A")
        ring = Contract.of([
            (sp, from: p, to: q), (sq, from: q, to: z), (sz, from: z, to: p),
        ])
    }

    func digest(_ logs: Known) -> Bytes32 { Fold.fold(logs).digest(Traveller.primitives) }

    @Test mutating func whatStandsBehindAForkIsReadByNobody() throws {
        // z says no on one branch after a chat there, and yes on another. Who holds the first
        // branch knows the whole way down from the No, who holds the second knows a gap.
        let votes = [p.yes(ring), q.yes(ring)]
        var first = z
        first.yes(ring)
        let no = first.no(ring)
        var second = z
        second.chat("the other branch")
        let yes = second.yes(ring)
        p.abandon(ring, no)
        q.commit(ring.certificate(votes + [yes], claims: p.log + q.log + z.log))
        let proof = try #require(ForkProof(first.log[2], second.log[2]))
        let one = Known(of: p, q, first, proofs: [proof])
        let other = Known(of: p, q, second, proofs: [proof])
        let none = Known(of: p, q, z, proofs: [proof])
        #expect(digest(one) == digest(other) && digest(one) == digest(none))
        for logs in [one, other, none] { #expect(Fold.fold(logs).dead(ring)) }
    }

    @Test mutating func claimsAndRetractsBehindAForkAreNobodys() throws {
        var first = z
        let late = first.claim("9A")
        first.retract(sz)
        var second = z
        second.chat("the other branch")
        let proof = try #require(ForkProof(first.log[2], second.log[2]))
        let one = Known(of: p, first, proofs: [proof])
        let other = Known(of: p, second, proofs: [proof])
        #expect(digest(one) == digest(other))
        #expect(Fold.fold(one).token(late.token) == nil)
    }

    @Test mutating func aForkInsideAnchorsIsSeenWithoutAProof() throws {
        var other = p
        let first = swap(&p, sp, &q, sq)
        let second = swap(&other, sp, &z, sz)
        let short = p.branch(at: 2)
        let fold = Fold.fold(Known(of: short, q, z))
        #expect(fold.forks == [SeatFold.Fork(author: p.key, seq: 3)])
        #expect(fold.beaten(first) && fold.beaten(second))
    }

    @Test mutating func aLongerProofDoesNotHideAnEarlierFork() throws {
        var other = p
        other.chat("a")
        p.chat("b")
        let early = try #require(ForkProof(p.log[2], other.log[2]))
        p.chat("c")
        other.chat("d")
        let late = try #require(ForkProof(p.log[3], other.log[3]))
        for proofs in [[early, late], [late, early]] {
            #expect(Fold.fold(Known(of: p, proofs: proofs)).forks.map(\.seq) == [3])
        }
        #expect(Fold.fold(Known(of: p, proofs: [late])).forks.map(\.seq) == [4])
    }

    @Test mutating func bytesOfTheMapAreAsDocumented() throws {
        let contract = swap(&p, sp, &q, sq)
        z.retract(sz)
        // A certificate that is not settled stands in no map.
        var hidden = z
        hidden.chat("withheld")
        swap(&hidden, sz, &q, contract.next(sp), nonce: 1)
        let bytes = Fold.fold(Known(of: p, q, z)).mapBytes
        var expected = CBORWriter()
        expected.array(3)
        expected.uint(1)
        expected.array(3)
        let produced = Producer(contract: contract.id)
        let rows = [
            (sp, 1, q.key, produced, false), (sq, 2, p.key, produced, false),
            (sz, 3, z.key, sz.producer, true),
        ]
        for (slot, row, holder, producer, ended) in rows.sorted(by: { $0.0.token < $1.0.token }) {
            expected.array(6)
            expected.value(slot.token)
            expected.uint(row)
            expected.uint(0)
            expected.value(holder)
            expected.value(producer)
            expected.bool(ended)
        }
        expected.array(1)
        expected.value(contract.id)
        #expect(bytes == expected.bytes)
        #expect(
            digest(Known(of: p, q, z))
                == Traveller.primitives.sha256(Array("seatswap/1 map".utf8) + bytes))
        #expect(SeatFold.empty.mapBytes == [0x83, 0x01, 0x80, 0x80])
    }
}
