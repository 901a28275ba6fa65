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
    fileprivate func changed(holder: PeerKey? = nil, lineage: [ContractID]? = nil) -> TokenState {
        TokenState(
            token: token, seat: seat, author: author, dependant: dependant,
            holder: holder ?? self.holder, producer: producer, ended: ended, reminted: reminted,
            lineage: lineage ?? self.lineage)
    }
}

extension ContractState {
    fileprivate func changed(
        applied: Bool? = nil, dead: Bool? = nil, votes: [Entry]? = nil
    ) -> ContractState {
        ContractState(
            id: id, contract: contract, complete: complete, dead: dead ?? self.dead,
            beaten: beaten, applied: applied ?? self.applied, votes: votes ?? self.votes,
            certificate: certificate)
    }
}
