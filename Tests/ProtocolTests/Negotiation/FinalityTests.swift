// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// When people may move (docs/protocol.md section 17): each condition taken away alone.
@Suite struct FinalityTests {
    /// Travellers 0 and 1 swapped, both logged the certificate, and another holds all of it.
    private func swapped() throws -> (Desk, Contract) {
        var desk = Desk(3, me: 0)
        let contract = desk.ring([0, 1])
        try commit(&desk, contract)
        return (desk, contract)
    }

    private func commit(_ desk: inout Desk, _ contract: Contract) throws {
        for party in contract.parties {
            let index = try #require(desk.travellers.firstIndex { $0.key == party })
            desk.travellers[index].yes(contract)
        }
        let made = try #require(contract.certificate(desk.context.fold, desk.logs))
        for party in contract.parties {
            let index = try #require(desk.travellers.firstIndex { $0.key == party })
            desk.travellers[index].commit(made)
        }
        desk.acknowledged = desk.travellers[0].log.count
    }

    private func isFinal(_ desk: Desk, _ contract: Contract) -> Bool {
        Finality.isFinal(contract, me: desk.key(0), desk.context)
    }

    @Test func allOfItTogether() throws {
        let (desk, contract) = try swapped()
        #expect(desk.context.fold.applied(contract) && isFinal(desk, contract))
        #expect(!isFinal(desk, desk.ring([0, 1], nonce: 3)))
    }

    @Test func aVoteThatOnlyTheCertificateShowsIsNotEnough() throws {
        var (desk, contract) = try swapped()
        desk.missing = [1: 3]
        #expect(desk.context.fold.applied(contract) && !isFinal(desk, contract))
        desk.missing = [1: 4]
        #expect(isFinal(desk, contract))
    }

    @Test func anEarlierPromiseOfTheSameSeatStandsAgainstIt() throws {
        var desk = Desk(3, me: 0)
        let contract = desk.ring([0, 1])
        // Of another seat, of the same by somebody else, and of the same by its giver.
        for (giver, slot, isFinal) in [(1, 2, true), (2, 1, true), (1, 1, false)] {
            var desk = desk
            let other = desk.ring([1, 2], nonce: 6)
            desk.travellers[giver].append(.vote(.yes(other.id, slots: [desk.slots[slot]])))
            try commit(&desk, contract)
            #expect(desk.context.fold.applied(contract))
            #expect(self.isFinal(desk, contract) == isFinal, "\(giver) \(slot)")
        }
        // A later one loses, and changes nothing.
        try commit(&desk, contract)
        desk.travellers[1].yes(desk.ring([1, 2], nonce: 6))
        #expect(isFinal(desk, contract))
    }

    @Test func aForkInItOrBeforeItUnsettlesIt() throws {
        var (desk, first) = try swapped()
        // A right came through whoever took part in a contract of its history, however early.
        func seats(_ traveller: Int) -> [String] {
            desk.context.fold.tokens(through: [desk.key(traveller)]).map(\.seat.text).sorted()
        }
        #expect(seats(0) == ["1A", "2A"] && seats(1) == seats(0) && seats(2).isEmpty)
        desk.slots[0] = first.next(desk.slots[0])
        // Seat 1A is traveller 1's now, who gives it to traveller 2 for 3A, and 2 gives it to 0.
        let second = Contract.of([
            (desk.slots[0], from: desk.travellers[1], to: desk.travellers[2]),
            (desk.slots[2], from: desk.travellers[2], to: desk.travellers[1]),
        ])
        try commit(&desk, second)
        let third = Contract.of([
            (second.next(desk.slots[0]), from: desk.travellers[2], to: desk.travellers[0]),
            (first.next(desk.slots[1]), from: desk.travellers[0], to: desk.travellers[2]),
        ])
        try commit(&desk, third)
        #expect(isFinal(desk, first) && isFinal(desk, third))
        let fold = desk.context.fold
        #expect(fold.ancestors(of: third).map(\.id) == [first.id, second.id].sorted())
        #expect(seats(2) == ["1A", "2A", "3A"] && seats(0) == seats(2) && seats(1) == seats(2))
        // Forked behind everything: nothing is undone, and nothing is sure.
        for (forked, finals) in [(2, [true, false]), (1, [false, false]), (0, [false, false])] {
            var fork = desk
            let twin = fork.travellers[forked].log.count
            fork.travellers[forked].chat("one")
            var other = fork.travellers[forked].branch(at: twin)
            other.chat("two")
            let proof = try #require(ForkProof(fork.travellers[forked].log[twin], other.log[twin]))
            var context = fork.context
            _ = context.logs.insert(proof: proof)
            context.fold = Fold.fold(context.logs)
            let found = [first, third].map {
                Finality.isFinal($0, me: fork.key(0), context)
            }
            #expect(context.fold.applied(third) && found == finals, "\(forked)")
        }
    }

    @Test func anotherHoldsTheOwnCommit() throws {
        var (desk, contract) = try swapped()
        desk.travellers[0].chat("later")
        desk.acknowledged = 4
        #expect(desk.travellers[0].log[3].seq == 4 && isFinal(desk, contract))
        desk.acknowledged = 3
        #expect(!isFinal(desk, contract))
        // The commit of an earlier swap is not this one's.
        let next = Contract.of(
            [
                (contract.next(desk.slots[1]), from: desk.travellers[0], to: desk.travellers[2]),
                (desk.slots[2], from: desk.travellers[2], to: desk.travellers[0]),
            ], nonce: 4)
        try commit(&desk, next)
        desk.acknowledged -= 1
        #expect(isFinal(desk, contract) && !isFinal(desk, next))
    }
}
