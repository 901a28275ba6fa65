// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The certificate is made of the votes that make it, whatever else their authors signed.
@Suite struct CertificateAssemblyTests {
    @Test func votesThatNameOtherSlotsAreNotTaken() throws {
        var desk = Desk(3, me: 0)
        let contract = desk.ring([0, 1, 2])
        // Two promise what is another's first, and then what is theirs.
        desk.travellers[0].append(.vote(.yes(contract.id, slots: [desk.slots[1]])))
        desk.travellers[1].append(.vote(.yes(contract.id, slots: [desk.slots[2]])))
        for index in 0..<3 { desk.travellers[index].yes(contract) }
        let context = desk.context
        let made = try #require(contract.certificate(context.fold, context.logs))
        #expect(made.votes.map(\.author) == contract.parties)
        #expect(made.votes.map(\.seq) == [4, 4, 3])
    }

    @Test func theOwnVoteCountsBeforeTheFoldHasSeenIt() throws {
        var desk = Desk(2, me: 0)
        let contract = desk.ring([0, 1])
        desk.travellers[1].yes(contract)
        let context = desk.context
        #expect(contract.certificate(context.fold, context.logs) == nil)
        // A yes to another contract over the same seat is none to this one, nor is a no.
        let other = desk.travellers[0].yes(desk.ring([0, 1], nonce: 3))
        let no = desk.travellers[0].no(contract)
        for entry in [other, no, desk.travellers[0].log[1]] {
            #expect(contract.certificate(context.fold, context.logs, own: entry) == nil)
        }
        let yes = desk.travellers[0].yes(contract)
        let made = contract.certificate(context.fold, context.logs, own: yes)
        #expect(made?.votes.map(\.id) == [yes.id, desk.travellers[1].log[2].id])
    }

    @Test func withoutAClaimThereIsNone() throws {
        var desk = Desk(2, me: 0)
        let contract = desk.ring([0, 1])
        for index in 0..<2 { desk.travellers[index].yes(contract) }
        let whole = desk.context
        var logs = LogSet()
        for entry in desk.travellers[0].log { logs.restore(entry) }
        #expect(contract.certificate(whole.fold, logs) == nil)
        let made = try #require(contract.certificate(whole.fold, whole.logs))
        // What somebody logged is taken as it is.
        desk.travellers[1].commit(made)
        #expect(contract.certificate(desk.context.fold, logs) == made)
    }
}
