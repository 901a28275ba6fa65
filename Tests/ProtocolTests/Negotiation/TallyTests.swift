// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Which no lets whoever said yes go.
@Suite struct TallyTests {
    private let contract: Contract
    private var mine: Writer
    private var theirs: Writer

    init() throws {
        mine = try Writer.seated(1, "1A")
        theirs = try Writer.seated(2, "2B")
        func leg(_ from: Writer, _ to: Writer) -> Leg {
            let token = from.entries[1].id.token
            return Leg(
                token: token, producer: Producer(claim: token), from: from.key, to: to.key)
        }
        contract = try require(
            Contract(
                flight: testFlight.id, coordinator: theirs.key,
                nonce: try require(ThreadID(Array(repeating: 0, count: 16))),
                legs: [leg(mine, theirs), leg(theirs, mine)], primitives: FakePrimitives()))
        try mine.write(.vote(.yes(contract.id, slots: contract.slots(of: mine.key))))
    }

    private func yes(_ writer: Writer) -> EntryBody {
        .vote(.yes(contract.id, slots: contract.slots(of: writer.key)))
    }

    /// What the votes come to when these logs and this proof are known.
    private func tally(_ log: [Entry], _ proof: ForkProof? = nil) -> Tally {
        var logs = LogSet()
        for entry in mine.entries + log { logs.restore(entry) }
        if let proof { _ = logs.insert(proof: proof) }
        let context = SwapContext(
            fold: Fold.fold(logs), logs: logs, window: nil, blocked: [], canAppend: true,
            acknowledged: 0, linked: [])
        return Tally(contract, me: mine.key, context)
    }

    @Test func aNoInItsLogFrees() throws {
        var writer = theirs
        let no = try writer.write(.vote(.no(contract.id)))
        #expect(tally(writer.entries).no == no)
        #expect(tally(theirs.entries).no == nil)
    }

    @Test func aNoBehindAYesDoesNot() throws {
        var writer = theirs
        try writer.write(yes(writer))
        let no = try writer.write(.vote(.no(contract.id)))
        #expect(tally(writer.entries).no == nil)
        #expect(tally(writer.entries).refuser == no.author)
    }

    @Test func aNoAtTheForkOfItsAuthorFrees() throws {
        var one = theirs
        var other = theirs
        let no = try one.write(.vote(.no(contract.id)))
        let proof = try require(ForkProof(no, try other.write(yes(other))))
        #expect(tally(theirs.entries, proof).no == no)
    }

    @Test func aNoAtAForkBehindAYesDoesNot() throws {
        var one = theirs
        try one.write(yes(one))
        var other = one
        let no = try one.write(.vote(.no(contract.id)))
        let chat = try other.write(.chat(text: "hm", replyTo: nil))
        let proof = try require(ForkProof(no, chat))
        #expect(tally(Array(one.entries.prefix(3)), proof).no == nil)
    }

    /// Only a yes to this very contract, and before the no, takes away what the no is worth.
    @Test func whatElseTheRefuserSignedMeansNothing() throws {
        for (before, after) in [(true, false), (false, true), (true, true)] {
            var desk = Desk(3, me: 1)
            let contract = desk.ring([0, 1, 2])
            if before { desk.travellers[2].yes(desk.ring([0, 2], nonce: 5)) }
            desk.travellers[2].no(desk.ring([1, 2], nonce: 6))
            let no = desk.travellers[2].no(contract)
            if after { desk.travellers[2].yes(contract) }
            let tally = Tally(contract, me: desk.key(1), desk.context)
            #expect(tally.no?.id == no.id && tally.refuser == desk.key(2))
        }
    }
}
