// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// One passenger asks one other: ASK, and whoever is asked votes last.
@Suite struct AskTests {
    @Test func anAskerWhoTakesMyYesAndVanishesLeavesMySeatFree() throws {
        var (desk, _) = try Desk.requested(3)
        #expect(
            desk.put(.accept(1, override: false)).all
                == "row preparing 1; say binding; send prepare 1")
        #expect(desk.swaps.locks.isEmpty && desk.yeses == 0)
        desk.away = [0]
        #expect(
            desk.wait(5).all == "log no; row aborted 1; say aborted by silence; send vote 1")
        #expect(desk.swaps.locks.isEmpty && desk.context.fold.openVotes.isEmpty)
        // The seat goes to somebody else at once.
        #expect(
            desk.put(.ask(desk.pair(1, asks: 2).legs, note: "", expires: nil)).reply
                == .success(2))
    }

    /// The checks before PREPARE go by what this yes says, not by what was said before it.
    @Test func aKnowingYesToADisputedSeatGoesOn() throws {
        var (desk, _) = try Desk.requested(3)
        _ = desk.travellers[2].claim("1A")
        #expect(
            desk.put(.accept(1, override: true)).all
                == "row preparing 1; say binding; send prepare 1")
    }

    /// The asker's consent ended while this machine slept: nobody is asked for a vote.
    @Test func aYesWhoseTimeIsUpAsksForNoVote() throws {
        var (desk, contract) = try Desk.requested()
        desk.away = [0]
        #expect(desk.put(.accept(1, override: false)).all == "row agreed 1; say ready")
        desk.now.instant = desk.now.instant + .seconds(600)
        desk.now.utc = UTCTime(seconds: desk.now.utc.seconds + 600)
        desk.away = []
        let again = desk.say(try desk.ask(contract, from: 0, expires: 600), from: 0)
        #expect(again.all == "row expired 1; say expired")
    }

    /// The same for the asker's own consent, where logs come that a PREPARE waited for.
    @Test func anAskWhoseTimeIsUpIsNotSigned() throws {
        var (desk, contract) = try Desk.asking()
        let thread = desk.swaps.records[0].thread
        desk.travellers[1].chat("not here yet")
        desk.missing = [1: 3]
        #expect(desk.say(try desk.prepare(contract, of: thread), from: 1).all == "want 1")
        desk.missing = [:]
        var early = desk
        #expect(early.put(.logsChanged).kinds == ["vote 1"] && early.yeses == 1)
        desk.now.instant = desk.now.instant + .seconds(600)
        desk.now.utc = UTCTime(seconds: desk.now.utc.seconds + 600)
        #expect(
            desk.put(.logsChanged).all == "row expired 1; say expired; send withdraw expired 1")
        #expect(desk.yeses == 0)
    }

    /// More than one other is asked by PROPOSE.
    @Test func anAskIsOfOneOther() {
        var desk = Desk(4, me: 0)
        for ring in [[0, 1, 2], [1, 2]] {
            let effects = desk.put(.ask(desk.ring(ring).legs, note: "", expires: 600))
            #expect(effects.reply == .failure(.badContract) && effects.all == "")
        }
    }

    @Test func aYesWaitsForASession() throws {
        var (desk, contract) = try Desk.requested()
        desk.away = [0]
        #expect(desk.put(.accept(1, override: false)).all == "row agreed 1; say ready")
        #expect(desk.wait(130).all == "")
        desk.restart()
        #expect(desk.put(.recovered).all == "")
        #expect(desk.stage() == .agreed)
        // A session alone is not enough: the asker says that they still want it.
        desk.away = []
        #expect(desk.put(.linked(desk.key(0))).all == "")
        #expect(
            desk.say(try desk.ask(contract, from: 0), from: 0).all
                == "row preparing 1; say binding; send prepare 1")
    }

    @Test func aYesWaitsNoLongerThanTheAskStands() throws {
        var (desk, contract) = try Desk.requested(expires: 60)
        desk.away = [0]
        _ = desk.put(.accept(1, override: false))
        #expect(desk.wait(60).all == "row expired 1; say expired")
        desk.away = []
        #expect(desk.say(try desk.ask(contract, from: 0), from: 0).all == "")
    }

    @Test func whatTheAskerTakesBackIsOver() throws {
        for (reason, all) in [
            (Withdraw.Reason.cancelled, "row withdrawn 1; say withdrawn"),
            (.expired, "row expired 1; say expired"), (.lapsed, ""), (.failed, ""),
        ] {
            var (desk, _) = try Desk.requested()
            let thread = desk.swaps.records[0].thread
            let withdraw = SwapMessage.withdraw(Withdraw(thread: thread, reason: reason))
            #expect(desk.say(withdraw, from: 0).all == all)
        }
    }

    @Test func aNoWithoutANoteIsSilence() throws {
        var (desk, contract) = try Desk.requested()
        #expect(desk.put(.decline(1, note: "")).all == "row declined 1; say declined")
        #expect(desk.put(.linked(desk.key(0))).all == "")
        #expect(desk.say(try desk.ask(contract, from: 0), from: 0).all == "")
        (desk, contract) = try Desk.requested()
        #expect(
            desk.put(.decline(1, note: "no")).all == "row declined 1; say declined; send decline 1")
        #expect(desk.say(try desk.ask(contract, from: 0), from: 0).kinds == ["decline 1"])
    }

    @Test func aCounterOfTheAskedNeedsReady() throws {
        var (desk, _) = try Desk.requested()
        let other = desk.travellers[1].claim("9F")
        desk.slots[1] = other
        let legs = desk.pair(0, asks: 1).legs
        #expect(
            desk.put(.counter(1, legs, note: "this one")).all
                == "row offered 2; send propose 2 1")
        let contract = desk.swaps.records[0].contract
        #expect(contract.coordinator == desk.key(1))
        #expect(desk.say(try desk.ready(contract, 0), from: 0).kinds == ["prepare 1"])
    }

    @Test func aCounterEndsTheConsentOfTheAsker() throws {
        var (desk, contract) = try Desk.asking()
        let thread = desk.swaps.records[0].thread
        let other = desk.pair(0, asks: 1, nonce: 7)
        let proposal = SwapMessage.propose(
            Proposal(
                thread: thread, revision: 2, contract: other.bytes, note: "", expires: 60))
        #expect(desk.say(proposal, from: 1).all == "row invited 2; say countered")
        #expect(desk.say(try desk.prepare(contract, of: thread), from: 1).all == "")
        #expect(desk.say(try desk.prepare(other, of: thread), from: 1).all == "")
        #expect(desk.put(.accept(1, override: false)).kinds == ["ready 1"])
        #expect(desk.say(try desk.prepare(other, of: thread), from: 1).kinds == ["vote 1"])
        #expect(desk.yeses == 1)
    }

    @Test func anAskStandsThroughARestartAndIsSaidAgain() throws {
        var (desk, contract) = try Desk.asking()
        desk.restart()
        // Not before a yes could be appended: whoever agreed would wait for it in vain.
        desk.canAppend = false
        #expect(desk.put(.linked(desk.key(1))).all == "")
        desk.canAppend = true
        #expect(desk.put(.recovered).kinds == ["ask 1"])
        #expect(desk.put(.linked(desk.key(1))).kinds == ["ask 1"])
        let thread = desk.swaps.records[0].thread
        #expect(
            desk.say(try desk.prepare(contract, of: thread), from: 1).all
                == "log yes; lock 1; row prepared 1; say binding; send vote 1")
    }

    @Test func anAskEndsByItsTimeOrByWishAndIsToldAgain() throws {
        var (desk, _) = try Desk.asking()
        var late = desk
        #expect(late.wait(600).all == "row expired 1; say expired; send withdraw expired 1")
        #expect(
            desk.put(.cancel(1)).all == "row withdrawn 1; say withdrawn; send withdraw cancelled 1")
        #expect(desk.put(.linked(desk.key(1))).kinds == ["withdraw cancelled 1"])
        _ = desk.wait(600)
        #expect(desk.put(.linked(desk.key(1))).all == "")
    }

    @Test func theAskerSaysYesToTheFirstPrepareOnly() throws {
        var (desk, first) = try Desk.asking(3)
        _ = desk.put(.ask(desk.pair(0, asks: 2).legs, note: "", expires: nil))
        let second = desk.swaps.records[1].contract
        let threads = desk.swaps.records.map(\.thread)
        // The yes, and the end of the other request, in one transaction.
        #expect(
            desk.say(try desk.prepare(second, of: threads[1]), from: 2).all
                == "log yes; lock 1; row prepared 1; row withdrawn 1; say binding; "
                + "say withdrawn; send vote 1; send withdraw cancelled 1")
        #expect(desk.stage(1) == .withdrawn && desk.stage(2) == .prepared)
        #expect(desk.swaps.records.map(\.instead) == [2, 0])
        #expect(
            desk.say(try desk.prepare(first, of: threads[0]), from: 1).all
                == "log no; row aborted 1; say aborted by a check; send vote 1")
        #expect(desk.yeses == 1 && desk.noes == 1)
    }

    /// Of two with the same legs the one stands whose coordinator has the smaller key.
    @Test(arguments: [0, 1]) func twoWhoAskEachOtherEndInOneSwap(me: Int) throws {
        var desk = Desk(2, me: me)
        let other = 1 - me
        _ = desk.put(.ask(desk.pair(me, asks: other).legs, note: "", expires: nil))
        let theirs = desk.pair(other, asks: me, nonce: 9)
        let effects = desk.say(try desk.ask(theirs, from: other), from: other)
        if desk.key(me) < desk.key(other) {
            #expect(
                effects.all == "row agreed 1; row withdrawn 1; row preparing 1; say withdrawn; "
                    + "say binding; send withdraw cancelled 1; send prepare 1")
            #expect(desk.stage(1) == .withdrawn && desk.stage(2) == .preparing)
            #expect(desk.swaps.records[0].instead == 2)
        } else {
            #expect(effects.all == "row requested 1")
            // A yes to it is a yes to the own one.
            let yes = desk.put(.accept(2, override: false))
            #expect(yes.reply == .success(1) && yes.all == "send ask 1")
            let thread = desk.swaps.records[0].thread
            let mine = desk.swaps.records[0].contract
            #expect(
                desk.say(try desk.prepare(mine, of: thread), from: other).kinds == ["vote 1"])
        }
    }

    @Test func whoAsksForWhatTheyAreAskedForSaysYes() throws {
        var (desk, _) = try Desk.requested()
        let effects = desk.put(.ask(desk.pair(1, asks: 0).legs, note: "", expires: nil))
        #expect(effects.reply == .success(1) && effects.kinds == ["prepare 1"])
        #expect(desk.swaps.records.count == 1)
    }

    @Test func whoeverMayNotAskIsNotHeard() throws {
        var desk = Desk(3, me: 1)
        let contract = desk.pair(0, asks: 1)
        // Not the receiver, not between two, not their own, a head of another, blocked.
        #expect(desk.say(try desk.ask(desk.ring([0, 1]), from: 0), from: 0).all == "")
        #expect(desk.say(try desk.ask(desk.ring([1, 0, 2]), from: 0), from: 0).all == "")
        #expect(desk.say(try desk.ask(contract, from: 2), from: 2).all == "")
        #expect(desk.say(try desk.ask(contract, from: 2), from: 0).all == "")
        desk.blocked = [desk.key(0)]
        #expect(desk.say(try desk.ask(contract, from: 0), from: 0).all == "")
        desk.blocked = []
        for nonce in 1...9 {
            let ask = try desk.ask(
                desk.pair(0, asks: 1, nonce: UInt8(nonce)), from: 0, thread: UInt8(nonce))
            _ = desk.say(ask, from: 0)
        }
        #expect(desk.swaps.records.count == Limits.requestsPerPeer)
    }

    /// Keys that cost nothing ask for votes on what the user never saw: not one entry.
    @Test func fourHundredAndEightyPreparesAddNoEntries() throws {
        var desk = Desk(61, me: 0)
        let before = desk.travellers[0].log.count
        var number: UInt8 = 0
        for stranger in 1...60 {
            for nonce in 1...8 {
                number = number &+ 1
                var thread = [UInt8](repeating: UInt8(stranger), count: 16)
                thread[0] = UInt8(nonce)
                let id = try #require(ThreadID(thread))
                let contract = desk.ring([stranger, 0], nonce: UInt8(nonce))
                let swaps = desk.context
                let proposal = Proposal(
                    thread: id, revision: 1, contract: contract.bytes, note: "", expires: 600)
                let heads = contract.parties.map(desk.head)
                for message: SwapMessage in [
                    .propose(proposal),
                    .prepare(Prepare(thread: id, contract: contract.bytes, heads: heads)),
                    .query(contract.id),
                ] {
                    let effects = desk.swaps.handle(
                        .message(message, from: desk.key(stranger)), swaps, at: desk.now,
                        random: &desk.random)
                    #expect(effects.appends.isEmpty)
                }
            }
        }
        #expect(desk.travellers[0].log.count == before && desk.swaps.records.count > 200)
    }

    /// Where a third passenger said yes, a no sets them free although the coordinator be gone; so
    /// many and no more, whoever asks.
    @Test func aNoThatFreesAThirdHasALimitAcrossKeys() throws {
        var desk = Desk(3, me: 2)
        for nonce in 1...(Limits.noesForStrangers + 4) {
            let contract = desk.ring([0, 1, 2], nonce: UInt8(nonce))
            let thread = UInt8(nonce)
            _ = desk.say(try desk.proposal(contract, thread: thread), from: 0)
            // Before the third said yes it serves nobody.
            #expect(desk.say(try desk.prepare(contract, thread: thread), from: 0).appends.isEmpty)
            desk.travellers[1].yes(contract)
            let effects = desk.say(.query(contract.id), from: 1)
            #expect(effects.appends.isEmpty == (nonce > Limits.noesForStrangers))
            _ = desk.put(.decline(nonce, note: ""))
            _ = desk.wait(Limits.requestSpan)
        }
        #expect(desk.noes == Limits.noesForStrangers)
    }
}

extension Desk {
    /// Traveller 0 asked traveller 1, at whose desk this is.
    static func requested(_ count: Int = 2, expires: Int = 600) throws -> (Desk, Contract) {
        var desk = Desk(count, me: 1)
        let contract = desk.pair(0, asks: 1)
        #expect(
            desk.say(try desk.ask(contract, from: 0, expires: expires), from: 0).all
                == "row requested 1; say requested")
        return (desk, contract)
    }

    /// This agent, traveller 0, asks traveller 1.
    static func asking(_ count: Int = 2) throws -> (Desk, Contract) {
        var desk = Desk(count, me: 0)
        let legs = desk.pair(0, asks: 1).legs
        #expect(desk.put(.ask(legs, note: "", expires: 600)).all == "row asking 1; send ask 1")
        let contract = desk.swaps.records[0].contract
        #expect(contract.coordinator == desk.key(1))
        return (desk, contract)
    }

    /// Traveller `one` asks traveller `other`, who coordinates.
    func pair(_ one: Int, asks other: Int, nonce: UInt8 = 0) -> Contract {
        ring([other, one], nonce: nonce)
    }

    /// ASK of a traveller, with their whole head.
    func ask(
        _ contract: Contract, from asker: Int, thread: UInt8 = 9, expires: Int = 600
    ) throws -> SwapMessage {
        .ask(
            Ask(
                thread: try require(ThreadID(Array(repeating: thread, count: 16))),
                contract: contract.bytes, note: "", expires: expires, head: head(key(asker))))
    }

    /// PREPARE in a thread that this agent began.
    func prepare(_ contract: Contract, of thread: ThreadID) throws -> SwapMessage {
        .prepare(
            Prepare(
                thread: thread, contract: contract.bytes, heads: contract.parties.map(head)))
    }
}
