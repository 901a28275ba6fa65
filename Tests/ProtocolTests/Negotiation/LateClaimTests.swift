// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Somebody claims a seat between the consent of this user and their vote
/// (docs/protocol.md section 16). The consent named the holder: a claim that weighs no
/// more ends nothing, one that weighs more does.
@Suite struct LateClaimTests {
    /// Whether the late claim is of somebody of the user's party, whom nothing
    /// but a claim stands against.
    private func lies(_ desk: inout Desk, _ seat: String, isOfMyParty: Bool) {
        let liar = desk.travellers.count - 1
        _ = desk.travellers[liar].claim(seat)
        desk.trust = Trust(me: desk.key(desk.me), party: isOfMyParty ? [desk.key(liar)] : [])
    }

    @Test(arguments: [false, true]) func afterAnAsk(isOfMyParty: Bool) throws {
        var desk = Desk(3, me: 0)
        _ = desk.put(.ask(desk.pair(0, asks: 1).legs, note: "", expires: 600))
        lies(&desk, "2A", isOfMyParty: isOfMyParty)
        #expect(desk.put(.logsChanged).all == "")
        // A new consent has to be given knowingly.
        let slot = desk.slots[1].token
        let again = desk.put(.ask(desk.pair(0, asks: 1).legs, note: "", expires: 600))
        #expect(again.reply == .failure(.check(.disputed(slot))))
        // The consent outlives the process, and so does what it named.
        desk.restart()
        _ = desk.put(.recovered)
        let record = desk.swaps.records[0]
        let effects = desk.say(try desk.prepare(record.contract, of: record.thread), from: 1)
        #expect(
            effects.all
                == (isOfMyParty
                    ? "log no; row aborted 1; say aborted by a check; send vote 1"
                    : "log yes; lock 1; row prepared 1; say binding; send vote 1"))
        #expect(effects.whats == [isOfMyParty ? .aborted(.check(.disputed(slot))) : .binding])
    }

    @Test(arguments: [false, true]) func afterAReady(isOfMyParty: Bool) throws {
        var desk = Desk(4, me: 1)
        let contract = desk.ring([0, 1, 2])
        _ = desk.say(try desk.proposal(contract), from: 0)
        #expect(desk.put(.accept(1, override: false)).kinds == ["ready 1"])
        // Of the three seats the one that comes here, and the one that goes from one to the other.
        lies(&desk, "1A", isOfMyParty: isOfMyParty)
        lies(&desk, "3A", isOfMyParty: isOfMyParty)
        #expect(desk.put(.logsChanged).all == "")
        #expect(
            desk.say(try desk.prepare(contract), from: 0).all
                == (isOfMyParty
                    ? "log no; row aborted 1; say aborted by a check; send vote 2"
                    : "log yes; lock 1; row prepared 1; say binding; send vote 2"))
    }

    /// The asked said yes while the asker was away, then PREPARE, then the asker's yes:
    /// at each of these a claim.
    @Test(arguments: [false, true]) func afterTheYesOfTheAsked(isOfMyParty: Bool) throws {
        var desk = Desk(3, me: 1)
        let contract = desk.pair(0, asks: 1)
        _ = desk.say(try desk.ask(contract, from: 0), from: 0)
        desk.away = [0]
        #expect(desk.put(.accept(1, override: false)).all == "row agreed 1; say ready")
        var late = desk
        late.away = []
        lies(&late, "1A", isOfMyParty: isOfMyParty)
        #expect(
            late.say(try desk.ask(contract, from: 0), from: 0).all
                == (isOfMyParty
                    ? "row withdrawn 1; say aborted by a check; send withdraw failed 1"
                    : "row preparing 1; say binding; send prepare 1"))
        desk.away = []
        #expect(desk.say(try desk.ask(contract, from: 0), from: 0).kinds == ["prepare 1"])
        lies(&desk, "1A", isOfMyParty: isOfMyParty)
        desk.travellers[0].yes(contract)
        _ = desk.put(.logsChanged)
        #expect(desk.stage() == (isOfMyParty ? .aborted : .committed))
    }

    /// Who asked several: their word is from when they asked.
    @Test(arguments: [false, true]) func afterAProposal(isOfMyParty: Bool) throws {
        var desk = Desk(4, me: 0)
        _ = desk.put(.propose(desk.ring([0, 1, 2]).legs, note: "", expires: 600))
        let contract = desk.swaps.records[0].contract
        lies(&desk, "3A", isOfMyParty: isOfMyParty)
        _ = desk.say(try desk.ready(contract, 1), from: 1)
        #expect(
            desk.say(try desk.ready(contract, 2), from: 2).kinds
                == [isOfMyParty ? "withdraw failed 2" : "prepare 2"])
    }

    /// Said knowingly, more evidence than the holder's ends nothing either.
    @Test func afterAConsentThatOverrides() throws {
        var desk = Desk(3, me: 0)
        lies(&desk, "2A", isOfMyParty: false)
        let legs = desk.pair(0, asks: 1).legs
        _ = desk.put(.ask(legs, note: "", expires: 600, override: true))
        desk.trust = Trust(me: desk.key(0), party: [desk.key(2)])
        let record = desk.swaps.records[0]
        #expect(
            desk.say(try desk.prepare(record.contract, of: record.thread), from: 1).kinds
                == ["vote 1"])
        #expect(desk.yeses == 1)
    }

    /// What is proposed knowingly is bound knowingly, also after a start.
    @Test func aProposalThatOverrides() throws {
        for override in [false, true] {
            var desk = Desk(4, me: 0)
            let legs = desk.ring([0, 1, 2]).legs
            _ = desk.put(.propose(legs, note: "", expires: 600, override: override))
            #expect(desk.swaps.records[0].override == override)
            lies(&desk, "3A", isOfMyParty: true)
            let contract = desk.swaps.records[0].contract
            _ = desk.say(try desk.ready(contract, 1), from: 1)
            let last = desk.say(try desk.ready(contract, 2), from: 2).kinds
            #expect(last.contains("prepare 2") == override, "\(last)")
        }
    }

    /// A counter-offer is a consent, and can be made knowingly too: by who
    /// was asked with others, ...
    @Test func aCounterOfferThatOverrides() throws {
        var desk = Desk(3, me: 1)
        _ = desk.say(try desk.proposal(desk.ring([0, 1])), from: 0)
        let seat = desk.slots[0]
        desk.slots[0] = desk.travellers[0].claim("7C")
        lies(&desk, "7C", isOfMyParty: true)
        let other = desk.ring([0, 1], nonce: 3)
        #expect(
            desk.put(.counter(1, other.legs, note: "")).reply
                == .failure(.check(.disputed(desk.slots[0].token))))
        #expect(
            desk.put(.counter(1, other.legs, note: "", override: true)).kinds
                == ["propose 2 1"])
        let made = try #require(desk.swaps.records[0].counter)
        desk.restart()
        _ = desk.put(.recovered)
        // Taken up, it is READY as it was meant, and the vote follows.
        #expect(desk.say(try desk.proposal(made, revision: 3), from: 0).kinds == ["ready 1"])
        #expect(desk.say(try desk.prepare(made), from: 0).kinds == ["vote 1"])
        #expect(desk.yeses == 1 && seat != desk.slots[0])
    }

    /// ... by who was asked alone, and by who takes one up.
    @Test func aCounterOfferToAnAskAndOneTakenUpThatOverride() throws {
        var asked = Desk(3, me: 1)
        _ = asked.say(try asked.ask(asked.pair(0, asks: 1), from: 0), from: 0)
        lies(&asked, "1A", isOfMyParty: true)
        asked.slots[1] = asked.travellers[1].claim("9F")
        let legs = asked.pair(0, asks: 1).legs
        #expect(
            asked.put(.counter(1, legs, note: "", override: true)).kinds == ["propose 2 1"])
        let made = asked.swaps.records[0].contract
        #expect(asked.say(try asked.ready(made, 0), from: 0).kinds == ["prepare 1"])

        var desk = Desk(4, me: 0)
        _ = desk.put(.propose(desk.ring([0, 1, 2]).legs, note: "", expires: 600))
        lies(&desk, "3A", isOfMyParty: true)
        let other = desk.ring([0, 2, 1], nonce: 3)
        _ = desk.say(try desk.counter(other), from: 1)
        #expect(
            desk.put(.accept(1, override: false)).reply
                == .failure(.check(.disputed(desk.slots[2].token))))
        #expect(desk.put(.accept(1, override: true)).kinds == ["propose 3 2"])
        _ = desk.say(try desk.ready(other, 1), from: 1)
        #expect(desk.say(try desk.ready(other, 2), from: 2).kinds == ["prepare 2"])
    }

    /// Whoever is asked says yes knowingly, and votes are asked for at once. A yes that is taken
    /// back takes that with it.
    @Test func aKnowingYesOfTheAskedBindsAtOnce() throws {
        var desk = Desk(3, me: 1)
        _ = desk.say(try desk.ask(desk.pair(0, asks: 1), from: 0), from: 0)
        lies(&desk, "1A", isOfMyParty: true)
        let slot = desk.slots[0].token
        #expect(desk.put(.accept(1, override: false)).reply == .failure(.check(.disputed(slot))))
        var late = desk
        #expect(desk.put(.accept(1, override: true)).kinds == ["prepare 1"])
        late.away = [0]
        #expect(late.put(.accept(1, override: true)).all == "row agreed 1; say ready")
        #expect(late.put(.cancel(1)).all == "row requested 1; say lapsed")
        #expect(late.put(.accept(1, override: false)).reply == .failure(.check(.disputed(slot))))
    }

    /// Somebody else's claim to the seat that the user gives stops nothing: they sit there.
    @Test(arguments: [false, true]) func aClaimToTheOwnSeat(isOfMyParty: Bool) throws {
        var desk = Desk(3, me: 1)
        let contract = desk.pair(0, asks: 1)
        _ = desk.say(try desk.ask(contract, from: 0), from: 0)
        lies(&desk, "2A", isOfMyParty: isOfMyParty)
        #expect(desk.put(.accept(1, override: false)).kinds == ["prepare 1"])
        desk.travellers[0].yes(contract)
        _ = desk.put(.logsChanged)
        #expect(desk.stage() == .committed)
    }

    /// An open yes of the other side may pass: it is tried again, three times and no more.
    @Test func theAskedTriesAgainThreeTimes() throws {
        var desk = Desk(3, me: 1)
        let contract = desk.pair(0, asks: 1)
        _ = desk.say(try desk.ask(contract, from: 0), from: 0)
        desk.away = [0]
        _ = desk.put(.accept(1, override: false))
        desk.travellers[0].yes(desk.ring([0, 2], nonce: 5))
        desk.away = []
        _ = desk.say(try desk.ask(contract, from: 0), from: 0)
        var tries = 0
        while desk.stage() == .agreed, tries < 9 {
            _ = desk.wait(6)
            tries += 1
        }
        #expect(tries == 3 && desk.stage() == .withdrawn)
    }

    /// Of two who ask each other one request stands: a knowing yes to the other goes to it.
    @Test func aKnowingYesGoesToTheRequestThatStands() throws {
        let me = Desk(2, me: 0).key(0) < Desk(2, me: 0).key(1) ? 1 : 0
        var desk = Desk(3, me: me)
        let other = 1 - me
        _ = desk.put(.ask(desk.pair(me, asks: other).legs, note: "", expires: nil))
        let theirs = desk.pair(other, asks: me, nonce: 9)
        _ = desk.say(try desk.ask(theirs, from: other), from: other)
        lies(&desk, "\(other + 1)A", isOfMyParty: true)
        let yes = desk.put(.accept(2, override: true))
        #expect(yes.reply == .success(1) && yes.all == "row asking 1; send ask 1")
        let record = desk.swaps.records[0]
        #expect(
            desk.say(try desk.prepare(record.contract, of: record.thread), from: other).kinds
                .first == "vote 1")
    }
}
