// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The checks of docs/protocol.md section 16, each by itself.
@Suite struct VoteCheckTests {
    private func fault(
        _ desk: Desk, _ contract: Contract, override: Bool = false, isConsented: Bool = false,
        locks: [SlotLock] = [], proofs: [ForkProof] = []
    ) -> VoteFault? {
        var context = desk.context
        for proof in proofs { _ = context.logs.insert(proof: proof) }
        if !proofs.isEmpty { context.fold = Fold.fold(context.logs) }
        return VoteCheck(
            contract: contract, me: desk.key(desk.me), override: override,
            isConsented: isConsented, locks: locks
        ).fault(context)
    }

    @Test func nothingSpeaksAgainstIt() {
        let desk = Desk(3, me: 1)
        #expect(fault(desk, desk.ring([0, 1, 2])) == nil)
    }

    @Test func windowAndBlocked() {
        var desk = Desk(2, me: 1)
        let contract = desk.ring([0, 1])
        desk.blocked = [desk.key(0)]
        #expect(fault(desk, contract, override: true) == .blocked(desk.key(0)))
        desk.window = .early(opensIn: 1)
        #expect(fault(desk, contract, override: true) == .window)
        desk.blocked = []
        desk.window = .closed(since: 1)
        #expect(fault(desk, contract, override: true) == .window)
        desk.window = .open(closesIn: 1)
        #expect(fault(desk, contract) == nil)
    }

    @Test func busyUnlessForThisVeryContract() {
        let desk = Desk(2, me: 1)
        let contract = desk.ring([0, 1])
        let other = SlotLock(slot: desk.slots[1], contract: desk.ring([0, 1], nonce: 1).id)
        #expect(fault(desk, contract, override: true, locks: [other]) == .busy)
        let same = SlotLock(slot: desk.slots[1], contract: contract.id)
        #expect(fault(desk, contract, locks: [same]) == nil)
    }

    @Test func notHeldWhenRetractedSoldOrOfAnOldTenure() {
        var desk = Desk(3, me: 1)
        let contract = desk.ring([0, 1])
        let token = desk.slots[0].token
        var retracted = desk
        retracted.travellers[0].retract(desk.slots[0])
        #expect(fault(retracted, contract, override: true) == .notHeld(token))
        let sale = desk.ring([0, 2], nonce: 1)
        let votes = [desk.travellers[0].yes(sale), desk.travellers[2].yes(sale)]
        desk.travellers[0].commit(
            sale.certificate(votes, claims: desk.travellers.flatMap(\.log)))
        #expect(fault(desk, contract, override: true) == .notHeld(token))
        // What they have now they may give.
        desk.slots[0] = sale.next(desk.slots[2])
        #expect(fault(desk, desk.ring([0, 1], nonce: 2)) == nil)
    }

    @Test func encumberedByAnOpenYesUntilItIsAbandoned() {
        var desk = Desk(3, me: 1)
        let contract = desk.ring([0, 1])
        let rival = desk.ring([0, 2], nonce: 1)
        desk.travellers[0].yes(rival)
        #expect(fault(desk, contract, override: true) == .encumbered(desk.slots[0].token))
        let no = desk.travellers[2].no(rival)
        desk.travellers[0].abandon(rival, no)
        #expect(fault(desk, contract) == nil)
    }

    @Test func disputedAndRemintedOnlyKnowingly() {
        var desk = Desk(3, me: 1)
        var disputed = desk
        _ = disputed.travellers[2].claim("1A")
        let token = desk.slots[0].token
        #expect(fault(disputed, desk.ring([0, 1])) == .disputed(token))
        #expect(fault(disputed, desk.ring([0, 1]), override: true) == nil)
        desk.travellers[0].retract(desk.slots[0])
        desk.slots[0] = desk.travellers[0].claim("1A")
        let contract = desk.ring([0, 1])
        #expect(fault(desk, contract) == .reminted(desk.slots[0].token))
        #expect(fault(desk, contract, override: true) == nil)
    }

    /// What weighs as much is a dispute before the consent, which names the
    /// holder, and none after it.
    @Test func onceConsentedOnlyGreaterEvidenceDisputes() {
        var desk = Desk(3, me: 1)
        _ = desk.travellers[2].claim("1A")
        let contract = desk.ring([0, 1])
        let token = desk.slots[0].token
        #expect(fault(desk, contract) == .disputed(token))
        #expect(fault(desk, contract, isConsented: true) == nil)
        desk.trust = Trust(me: desk.key(1), party: [desk.key(2)])
        #expect(fault(desk, contract, isConsented: true) == .disputed(token))
        desk.trust = Trust(me: desk.key(1), verified: [desk.key(0)], party: [desk.key(2)])
        #expect(fault(desk, contract) == nil)
        // What this passenger gives is theirs, whoever else claims it.
        _ = desk.travellers[2].claim("2A")
        #expect(fault(desk, contract) == nil)
    }

    /// The old contract may still complete, and then the seat has two holders: only knowingly.
    @Test func anOwnRemintGoesWhileTheOldContractIsOpenOnlyKnowingly() {
        var desk = Desk(3, me: 1)
        let old = SlotLock(slot: desk.slots[1], contract: desk.ring([0, 1]).id)
        desk.travellers[1].retract(desk.slots[1])
        desk.slots[1] = desk.travellers[1].claim("2A")
        let contract = desk.ring([2, 1], nonce: 1)
        let token = desk.slots[1].token
        #expect(fault(desk, contract, locks: [old]) == .reminted(token))
        #expect(fault(desk, contract, override: true, locks: [old]) == nil)
        #expect(fault(desk, contract, override: true) == nil)
        // An open yes on another seat has nothing to do with it.
        let away = SlotLock(slot: desk.slots[0], contract: desk.ring([0, 1], nonce: 4).id)
        #expect(fault(desk, contract, override: true, locks: [away]) == nil)
    }

    @Test func aForkOfAPartyOrOfAnAncestorsParty() throws {
        var desk = Desk(3, me: 1)
        let sale = desk.ring([0, 2], nonce: 1)
        let votes = [desk.travellers[0].yes(sale), desk.travellers[2].yes(sale)]
        desk.travellers[0].commit(
            sale.certificate(votes, claims: desk.travellers.flatMap(\.log)))
        desk.slots = [sale.next(desk.slots[2]), desk.slots[1], sale.next(desk.slots[0])]
        desk.travellers[2].chat("one")
        let length = desk.travellers[2].log.count
        var branch = desk.travellers[2].branch(at: length - 1)
        branch.chat("two")
        let proof = try #require(
            ForkProof(desk.travellers[2].log[length - 1], branch.log[length - 1]))
        let contract = desk.ring([0, 1])
        #expect(fault(desk, contract) == nil)
        #expect(fault(desk, contract, proofs: [proof]) == .forked(desk.key(2)))
        #expect(fault(desk, contract, override: true, proofs: [proof]) == nil)
        let direct = desk.ring([0, 1, 2], nonce: 3)
        #expect(fault(desk, direct, override: true, proofs: [proof]) == .forked(desk.key(2)))
    }

    @Test func aClosedLogGivesNoYes() {
        var desk = Desk(2, me: 1)
        let contract = desk.ring([0, 1])
        #expect(fault(desk, contract) == nil)
        desk.travellers[1].append(.end)
        #expect(fault(desk, contract, override: true) == .logFull)
    }

    @Test func aLogNearlyFullGivesNoYes() {
        var desk = Desk(2, me: 1)
        let contract = desk.ring([0, 1])
        while desk.travellers[1].log.count < Limits.entriesPerAuthor - Limits.entriesPerSwap {
            desk.travellers[1].chat("x")
        }
        #expect(fault(desk, contract) == nil)
        desk.travellers[1].chat("x")
        #expect(fault(desk, contract, override: true) == .logFull)
    }
}
