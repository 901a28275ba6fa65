// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The checks can fail: each is shown a fold that no rule could give.
@Suite struct InvariantsTests {
    let fold: SeatFold
    let contract: Contract

    init() {
        var p = Traveller(1)
        var q = Traveller(2)
        let (sp, sq) = (p.claim("12A"), q.claim("3C"))
        contract = swap(&p, sp, &q, sq)
        fold = Fold.fold(Known(of: p, q))
    }

    func rules(_ tokens: [TokenState], _ contracts: [ContractState]? = nil) -> [Invariants.Rule] {
        let made = SeatFold(
            tokens: tokens, contracts: contracts ?? fold.contracts, forks: [])
        return Invariants.violations(of: made).map(\.rule)
    }

    @Test func theRealFoldPasses() {
        #expect(fold.applied(contract) && Invariants.violations(of: fold).isEmpty)
    }

    @Test func aDoubledTokenIsFound() {
        #expect(rules(fold.tokens + [fold.tokens[0]]).contains(.conservation))
    }

    @Test func aLostSeatIsFound() {
        let moved = fold.tokens.map { $0.changed(holder: fold.tokens[0].holder) }
        #expect(rules(moved).contains(.conservation))
        #expect(rules(moved).contains(.authority))
    }

    @Test func aHalfAppliedContractIsFound() {
        let half = [fold.tokens[0].changed(lineage: []), fold.tokens[1]]
        #expect(rules(half).contains(.atomicity))
        let undecided = fold.contracts.map { $0.changed(applied: false) }
        #expect(rules(fold.tokens, undecided).contains(.atomicity))
    }

    @Test func aMoveWithoutAYesIsFound() {
        let silent = fold.contracts.map { $0.changed(votes: []) }
        #expect(rules(fold.tokens, silent) == [.authority, .authority])
    }

    /// Another's yes, which names the same slot, is none; nor is the holder's no.
    @Test func aMoveByAnothersYesIsFound() throws {
        var (p, q) = (Traveller(1), Traveller(2))
        let (sp, sq) = (p.claim("12A"), q.claim("3C"))
        let state = try #require(fold.contract(contract.id))
        let stranger = q.append(.vote(.yes(contract.id, slots: [sp, sq].sorted())))
        let no = p.no(contract)
        #expect(state.votes.contains { $0.author == p.key })
        let others = [no, stranger] + state.votes.filter { $0.author == q.key }
        let made = fold.contracts.map { $0.changed(votes: others) }
        #expect(rules(fold.tokens, made) == [.authority])
    }

    @Test func aTokenThatEndsElsewhereIsFound() {
        let elsewhere = [fold.tokens[0].changed(producer: fold.tokens[1].producer), fold.tokens[1]]
        #expect(fold.tokens[0].producer == fold.tokens[1].producer)
        #expect(rules(elsewhere).isEmpty)
        let back = Producer(claim: fold.tokens[0].token)
        #expect(rules([fold.tokens[0].changed(producer: back), fold.tokens[1]]) == [.authority])
    }

    /// Who is blamed must be of the contract itself, or of a complete one
    /// that shares a seat with it.
    @Test func onlyRivalsExcuseAResurrection() throws {
        var (x, b, c) = (Traveller(9), Traveller(2), Traveller(3))
        let (sx, sb, sc) = (x.claim("1A"), b.claim("2B"), c.claim("3C"))
        var (d, e) = (Traveller(4), Traveller(5))
        let (sd, se) = (d.claim("4D"), e.claim("5E"))
        swap(&x, sx, &b, sb, nonce: 1)
        let beaten = swap(&x, sx, &c, sc, nonce: 2)
        swap(&d, sd, &e, se, nonce: 3)
        let old = Fold.fold(Known(of: x, b, c, d, e))
        #expect(old.beaten(beaten))
        func found(_ blamed: PeerKey...) -> [Invariants.Rule] {
            let kept = SeatFold(
                tokens: old.tokens,
                contracts: old.contracts.map { $0.changed(beaten: false) }, forks: [])
            return Invariants.violations(from: old, to: kept, blamed: blamed.sorted()).map(\.rule)
        }
        #expect(found() == [.resurrection] && found(d.key, e.key) == [.resurrection])
        #expect(found(b.key).isEmpty && found(x.key).isEmpty && found(c.key).isEmpty)
    }

    @Test func resurrectionIsFoundAndMisdeedsExcuseIt() {
        let dead = SeatFold(
            tokens: [], contracts: fold.contracts.map { $0.changed(applied: false, dead: true) },
            forks: [])
        let blamed = [contract.parties[0]]
        #expect(
            Invariants.violations(from: dead, to: fold, blamed: []).map(\.rule) == [.resurrection])
        #expect(Invariants.violations(from: dead, to: fold, blamed: blamed).isEmpty)
        #expect(
            Invariants.violations(from: fold, to: dead, blamed: []).map(\.rule) == [.stability])
        #expect(Invariants.violations(from: fold, to: .empty, blamed: blamed).isEmpty)
    }
}

extension TokenState {
    fileprivate func changed(
        holder: PeerKey? = nil, producer: Producer? = nil, lineage: [ContractID]? = nil
    ) -> TokenState {
        TokenState(
            token: token, seat: seat, author: author, dependant: dependant,
            holder: holder ?? self.holder, producer: producer ?? self.producer, ended: ended,
            reminted: reminted,
            lineage: lineage ?? self.lineage)
    }
}

extension ContractState {
    fileprivate func changed(
        applied: Bool? = nil, dead: Bool? = nil, beaten: Bool? = nil, votes: [Entry]? = nil
    ) -> ContractState {
        ContractState(
            id: id, contract: contract, complete: complete, dead: dead ?? self.dead,
            beaten: beaten ?? self.beaten, applied: applied ?? self.applied,
            votes: votes ?? self.votes,
            certificate: certificate)
    }
}
