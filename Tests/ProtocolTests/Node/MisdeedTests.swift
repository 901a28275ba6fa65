// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// A passenger convicted by their own entries: told once, shown, not traded with (docs/protocol.md
/// section 15).
@Suite struct MisdeedTests {
    /// Two agents in 14C and 12A; the second one's key signs beside its agent too.
    private struct Stage {
        var world = World()
        var liar = Traitor(2)

        init() throws {
            try world.add("14C")
            try world.add("12A")
            world.run(seconds: 10)
            liar.follow(world.hosts[1].node.logs)
        }

        /// Gives what the traitor signed to host 0, as if a peer had relayed it.
        mutating func reveal(_ entries: [Entry]) throws {
            let link = try require(world.hosts[0].node.peers.all.first?.id)
            let batch = Message.entries(EntryBatch(kind: .push, entries: entries.map(\.bytes)))
            world.feed(0, .received(link, batch.encode()))
            world.run(seconds: 1)
        }

        var node: Node { world.hosts[0].node }
        var troubles: [Trouble] {
            world.hosts[0].notices.compactMap { notice in
                if case .trouble(let trouble) = notice { return trouble }
                return nil
            }
        }
        var passenger: Passenger? { node.passenger(liar.key) }
    }

    private func contract(_ stage: Stage, nonce: UInt8 = 1) throws -> Contract {
        let fold = stage.node.fold
        let mine = try require(fold.held(by: stage.node.me).first)
        let his = try require(fold.held(by: stage.liar.key).first)
        let legs = [
            Leg(token: mine.token, producer: mine.producer, from: mine.holder, to: his.holder),
            Leg(token: his.token, producer: his.producer, from: his.holder, to: mine.holder),
        ]
        return try require(
            Contract(
                flight: testFlight.id, coordinator: stage.node.me,
                nonce: try require(ThreadID(Array(repeating: nonce, count: 16))), legs: legs,
                primitives: FakePrimitives()))
    }

    @Test func aYesAndANoToOneContractAreToldOnceWithBothEntries() throws {
        var stage = try Stage()
        let contract = try contract(stage)
        let yes = try stage.liar.yes(contract)
        let no = try stage.liar.write(.vote(.no(contract.id)))
        try stage.reveal([yes, no])
        let misdeed = Misdeed(author: stage.liar.key, kind: .contradiction, first: yes, second: no)
        #expect(stage.troubles == [.misdeed(misdeed)])
        #expect(stage.passenger?.misdeed == misdeed && stage.passenger?.isForked == false)
        // More of it is no news.
        try stage.reveal([try stage.liar.write(.chat(text: "what?", replyTo: nil))])
        try stage.reveal([
            try stage.liar.write(.claim(seat: require(Seat("30F")), dependant: false))
        ])
        #expect(stage.troubles.count == 1)
    }

    @Test func aSecondYesOnASlotIsToldOnceWithBothEntries() throws {
        var stage = try Stage()
        let first = try stage.liar.yes(try contract(stage, nonce: 1))
        let second = try stage.liar.yes(try contract(stage, nonce: 2))
        try stage.reveal([first, second])
        let misdeed = Misdeed(author: stage.liar.key, kind: .overlap, first: first, second: second)
        #expect(stage.troubles == [.misdeed(misdeed)])
        #expect(stage.passenger?.misdeed == misdeed)
    }

    @Test func theFoldDoesNotChangeForIt() throws {
        var stage = try Stage()
        let contract = try contract(stage)
        let before = stage.node.fold.tokens
        try stage.reveal([
            try stage.liar.yes(contract), try stage.liar.write(.vote(.no(contract.id))),
        ])
        #expect(stage.node.fold.tokens == before && stage.node.fold.forks.isEmpty)
        #expect(stage.node.fold == Fold.fold(stage.node.logs))
    }

    @Test func aLiarIsNotAskedButKnowingly() throws {
        var stage = try Stage()
        // A lie about a contract of others: it does not promise their seat.
        let elsewhere = ContractID(FakePrimitives().sha256([7]))
        let slot = try require(stage.node.fold.held(by: stage.liar.key).first).slot
        let yes = try stage.liar.write(.vote(.yes(elsewhere, slots: [slot])))
        let no = try stage.liar.write(.vote(.no(elsewhere)))
        try stage.reveal([yes, no])
        let take = try require(Seat("12A"))
        let asked = stage.world.wish(0, .swap(take: take, give: nil, note: "", expires: nil))
        #expect(asked == .failure(.swap(.check(.liar(stage.liar.key)))))
        let knowingly = stage.world.wish(
            0, .swap(take: take, give: nil, note: "", expires: nil, override: true))
        // Past the lie stands the next check: the yes that they signed is still open.
        let token = slot.token
        #expect(knowingly == .failure(.swap(.check(.encumbered(token)))))
    }

    @Test func aLiarsRequestIsAcceptedKnowinglyOnly() throws {
        var stage = try Stage()
        stage.world.wish(
            1, .swap(take: try require(Seat("14C")), give: nil, note: "", expires: nil))
        stage.world.rest()
        // A yes and a no of theirs to a contract about a seat that they no longer hold.
        let extra = try stage.liar.write(.claim(seat: require(Seat("30F")), dependant: false))
        let slot = Slot(token: extra.id.token, producer: Producer(claim: extra.id.token))
        let elsewhere = ContractID(FakePrimitives().sha256([7]))
        let yes = try stage.liar.write(.vote(.yes(elsewhere, slots: [slot])))
        let no = try stage.liar.write(.vote(.no(elsewhere)))
        try stage.reveal([extra, yes, no])
        #expect(
            stage.world.wish(0, .accept(1, override: false))
                == .failure(.swap(.check(.liar(stage.liar.key)))))
        #expect(stage.world.wish(0, .accept(1, override: true)) == .success(.request(1)))
    }

    @Test func whatWasKnownBeforeAStartIsShownAndNotToldAgain() throws {
        var stage = try Stage()
        let contract = try contract(stage)
        try stage.reveal([
            try stage.liar.yes(contract), try stage.liar.write(.vote(.no(contract.id))),
        ])
        stage.world.kill(0)
        stage.world.hosts[0].notices = []
        stage.world.restart(0)
        stage.world.run(seconds: 10)
        #expect(stage.troubles == [] && stage.passenger?.misdeed?.kind == .contradiction)
    }

    // MARK: Rules of the fold

    @Test func aBrokenRuleIsLoudAndOnce() throws {
        var stage = try Stage()
        let contract = try contract(stage)
        stage.world.isDoctored = true
        // As if the fold had once shown a swap that nothing in the logs makes.
        let fold = stage.node.fold
        let other = SeatFold(
            tokens: fold.tokens,
            contracts: [
                ContractState(
                    id: contract.id, contract: contract, complete: true, dead: false,
                    beaten: false, applied: true, votes: [], certificate: nil)
            ], forks: [])
        stage.world.hosts[0].node.folding = Folding(FakePrimitives(), from: other)
        stage.world.wish(0, .claim(try require(Seat("20C")), dependant: false))
        let violation = Invariants.Violation(rule: .stability, contract: contract.id, token: nil)
        #expect(stage.troubles == [.violation(violation)])
        stage.world.wish(0, .claim(try require(Seat("20D")), dependant: false))
        #expect(stage.troubles.count == 1)
        // It goes on: an error of ours is told, it is no trap.
        #expect(stage.world.seats(0) == ["14C", "20C", "20D"])
    }
}
