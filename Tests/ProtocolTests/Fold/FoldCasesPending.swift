// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The directed library: late, missing and circular evidence (docs/protocol.md section 26, A6, A7,
/// A11 to A13).
@Suite struct FoldCasesPending {
    var p = Traveller(1)
    var q = Traveller(2)
    let sp: Slot
    let sq: Slot

    init() {
        sp = p.claim("1A")
        sq = q.claim("2A")
    }

    @Test mutating func a6WithheldYesAppliesNothing() throws {
        let contract = Contract.of([(sp, from: p, to: q), (sq, from: q, to: p)])
        p.yes(contract)
        let fold = Fold.fold(Known(of: p, q))
        #expect(!fold.complete(contract) && fold.holder(sp) == p.key)
        #expect(fold.openVotes.map(\.slot) == [sp])
        p.retract(sp)
        let again = p.claim("1A")
        let after = Fold.fold(Known(of: p, q))
        #expect(after.token(sp.token)?.ended == true)
        #expect(after.token(again.token)?.reminted == true)
        #expect(after.token(sp.token)?.reminted == false)
    }

    @Test mutating func a7LateCertificateVoidsTheRetract() throws {
        let contract = Contract.of([(sp, from: p, to: q), (sq, from: q, to: p)])
        let yes = p.yes(contract)
        p.retract(sp)
        let again = p.claim("1A")
        let before = Fold.fold(Known(of: p, q))
        q.commit(contract.certificate([yes, q.yes(contract)], claims: p.log + q.log))
        let fold = Fold.fold(Known(of: p, q))
        #expect(fold.applied(contract))
        #expect(fold.holder(sp) == q.key && fold.token(sp.token)?.ended == false)
        #expect(fold.holder(sq) == p.key)
        #expect(fold.holder(again) == p.key)
        #expect(Invariants.violations(from: before, to: fold, blamed: []).isEmpty)
        p.retract(again)
        #expect(Fold.fold(Known(of: p, q)).token(again.token)?.ended == true)
    }

    @Test mutating func retractOfTheNewTenureEndsIt() throws {
        let contract = swap(&p, sp, &q, sq)
        q.retract(sp)
        #expect(Fold.fold(Known(of: p, q)).token(sp.token)?.ended == false, "not their tenure")
        q.retract(contract.next(sp))
        #expect(Fold.fold(Known(of: p, q)).token(sp.token)?.ended == true)
        p.retract(contract.next(sp))
        #expect(Fold.fold(Known(of: p, q)).token(sq.token)?.ended == false)
    }

    @Test mutating func a11UnsettledVotesWait() throws {
        let short = p
        p.chat("withheld")
        let contract = swap(&p, sp, &q, sq)
        let before = Fold.fold(Known(of: short, q))
        #expect(!before.complete(contract) && before.contract(contract.id)?.certificate != nil)
        #expect(Fold.fold(Known(of: q)).complete(contract) == false)
        let fold = Fold.fold(Known(of: p, q))
        #expect(fold.applied(contract))
    }

    @Test mutating func theCertificateItselfMayHoldTheEndOfAChain() throws {
        // The coordinator's yes is the last thing they ever said, and only the certificate has it.
        let short = p
        let contract = swap(&p, sp, &q, sq)
        #expect(Fold.fold(Known(of: short, q)).applied(contract))
        // Also a claim and the yes, one after the other; but not with a chat between them.
        var third = Traveller(3)
        let bare = third
        let st = third.claim("3A")
        let next = swap(&third, st, &q, contract.next(sp), nonce: 1)
        #expect(Fold.fold(Known(of: p, q, bare)).applied(next))
        #expect(!Fold.fold(Known(of: p, q)).complete(next), "no log, no chain")
    }

    @Test mutating func theEndOfAChainMustFitTheLog() throws {
        let first = swap(&p, sp, &q, sq)
        var shown = p
        shown.chat("what others saw")
        p.chat("what q saw")
        let back = Contract.of(
            [(first.next(sp), from: q, to: p), (first.next(sq), from: p, to: q)], nonce: 1)
        let votes = [q.yes(back), p.yes(back)]
        q.commit(back.certificate(votes, claims: []))
        #expect(Fold.fold(Known(of: p.branch(at: 4), q)).applied(back))
        // The yes comes right behind the log shown, but names another entry before it.
        let fold = Fold.fold(Known(of: shown, q))
        #expect(fold.applied(first) && !fold.complete(back) && fold.forks.isEmpty)
        shown.chat("now there are two fifth entries")
        let after = Fold.fold(Known(of: shown, q))
        #expect(after.isForked(p.key) && after.applied(back))
    }

    @Test mutating func a12UnknownProducerNeverApplies() throws {
        let ghost = Slot(token: sp.token, producer: Producer(Bytes32(repeating: 5)))
        let contract = Contract.of([(ghost, from: p, to: q), (sq, from: q, to: p)])
        let votes = [p.yes(contract), q.yes(contract)]
        q.commit(contract.certificate(votes, claims: q.log))
        let fold = Fold.fold(Known(of: p, q))
        #expect(fold.complete(contract) && !fold.applied(contract) && !fold.beaten(contract))
        // It beats q's next swap all the same: q said yes to it and never left.
        var r = Traveller(3)
        let sr = r.claim("3A")
        let next = swap(&q, sq, &r, sr, nonce: 1)
        #expect(Fold.fold(Known(of: p, q, r)).beaten(next))
        // p's first tenure was never named: it is free.
        let free = swap(&p, sp, &r, sr, nonce: 2)
        let after = Fold.fold(Known(of: p, q, r))
        #expect(after.beaten(free), "r said yes to the other first")
        #expect(after.holder(sp) == p.key)
    }

    @Test mutating func aContractCannotTakeFromWhoDoesNotHold() throws {
        let first = swap(&p, sp, &q, sq)
        // p sells the old tenure's successor, which q holds.
        var r = Traveller(3)
        let sr = r.claim("3A")
        let stolen = swap(&p, first.next(sp), &r, sr, nonce: 1)
        let fold = Fold.fold(Known(of: p, q, r))
        #expect(fold.complete(stolen) && !fold.applied(stolen) && !fold.beaten(stolen))
        #expect(fold.holder(sp) == q.key && fold.holder(sr) == r.key)
    }

    @Test mutating func a13DeepAncestryCostsNoStack() throws {
        var x = sp
        var y = sq
        var contracts: [Contract] = []
        // Each party has 4096 entries; two votes and a commit per swap and person.
        for index in 0..<1500 {
            let contract =
                index % 2 == 0
                ? Contract.of([(x, from: p, to: q), (y, from: q, to: p)])
                : Contract.of([(x, from: q, to: p), (y, from: p, to: q)])
            let votes = [p.yes(contract), q.yes(contract)]
            let claims = index == 0 ? p.log + q.log : []
            q.commit(contract.certificate(votes, claims: claims))
            (x, y) = (contract.next(x), contract.next(y))
            contracts.append(contract)
        }
        let fold = Fold.fold(Known(of: p, q))
        #expect(contracts.allSatisfy(fold.applied))
        #expect(fold.token(sp.token)?.lineage == contracts.map(\.id))
        #expect(fold.ancestors(of: contracts[1499]).count == 1499)
        #expect(
            fold.tokens(through: [p.key]).map(\.token).sorted() == [sp, sq].map(\.token).sorted())
    }

    @Test func oddCircleOfPreferencesHasOneAnswer() throws {
        // S1 spends a; S9 spends b, which S1 made; S2 spends a and what S9
        // made; S2 stands before S1.
        var o = Traveller(1)
        var u = Traveller(2)
        var v = Traveller(3)
        let a = o.claim("1A")
        let b = u.claim("2B")
        let w = v.claim("3C")
        let s1 = Contract.of([(a, from: o, to: u), (b, from: u, to: o)], nonce: 1)
        let s9 = Contract.of([(s1.next(b), from: o, to: v), (w, from: v, to: o)], nonce: 9)
        let s2 = Contract.of(
            [(a, from: o, to: v), (s9.next(s1.next(b)), from: v, to: o)], nonce: 2)
        let o2 = o.yes(s2)
        let o1 = o.yes(s1)
        let o9 = o.yes(s9)
        u.commit(s1.certificate([o1, u.yes(s1)], claims: o.log + u.log))
        v.commit(s9.certificate([o9, v.yes(s9)], claims: v.log))
        v.commit(s2.certificate([o2, v.yes(s2)], claims: o.log))
        let fold = Fold.fold(Known(of: o, u, v))
        #expect([s1, s9, s2].allSatisfy(fold.complete))
        #expect(fold.beaten(s1) && !fold.beaten(s2) && !fold.beaten(s9))
        #expect(![s1, s9, s2].contains(where: fold.applied))
        #expect(fold.tokens.allSatisfy { $0.holder == $0.author })
    }

    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
    func evenCircleIsDecidedByTheOrderOfVotes(firstOnA: Bool, firstOnQ: Bool) throws {
        // S1 and S2 on a, S5 and S6 on q; S6 needs S1, S2 needs S5.
        var o = Traveller(1)
        var m = Traveller(2)
        var u = Traveller(3)
        let a = o.claim("1A")
        let q = m.claim("2B")
        let (b, c) = (u.claim("3C"), u.claim("3D"))
        let s1 = Contract.of([(a, from: o, to: u), (b, from: u, to: o)], nonce: 1)
        let s5 = Contract.of([(q, from: m, to: u), (c, from: u, to: m)], nonce: 5)
        let s2 = Contract.of([(a, from: o, to: u), (s5.next(q), from: u, to: o)], nonce: 2)
        let s6 = Contract.of([(q, from: m, to: u), (s1.next(a), from: u, to: m)], nonce: 6)
        var votes: [Entry] = []
        for contract in firstOnA ? [s1, s2] : [s2, s1] { votes.append(o.yes(contract)) }
        for contract in firstOnQ ? [s5, s6] : [s6, s5] { votes.append(m.yes(contract)) }
        for contract in [s1, s2, s5, s6] {
            let mine = u.yes(contract)
            let its = votes.filter { $0.vote?.contract == contract.id } + [mine]
            u.commit(contract.certificate(its, claims: o.log + m.log + u.log))
        }
        let fold = Fold.fold(Known(of: o, m, u))
        #expect(fold.beaten(firstOnA ? s2 : s1) && fold.beaten(firstOnQ ? s6 : s5))
        let applied = [s1, s2, s5, s6].map(fold.applied)
        // S2 stands on S5 and S6 on S1; where both are preferred, neither has its ground.
        #expect(
            applied == [
                firstOnA, !firstOnA && firstOnQ, firstOnQ, firstOnA && !firstOnQ,
            ])
    }
}

extension Bytes32 {
    init(repeating byte: UInt8) {
        self = Bytes32(Array(repeating: byte, count: 32)) ?? .zero
    }
}
