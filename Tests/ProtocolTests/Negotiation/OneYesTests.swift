// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// One exchange between two has one yes of each: whoever takes theirs back has none left
/// (docs/protocol.md section 16).
@Suite struct OneYesTests {
    /// Whoever took back one of the two would think that nothing is left.
    @Test func aCounterAndARequestForTheSameAreNotBothOpen() throws {
        for countersFirst in [true, false] {
            var (desk, _) = try Desk.requested()
            desk.slots[1] = desk.travellers[1].claim("9F")
            let wishes: [SwapEvent] = [
                .counter(1, desk.pair(0, asks: 1).legs, note: ""),
                .ask(desk.pair(1, asks: 0).legs, note: "", expires: nil),
            ]
            _ = desk.put(wishes[countersFirst ? 0 : 1])
            let second = desk.put(wishes[countersFirst ? 1 : 0])
            let first = desk.swaps.records[countersFirst ? 0 : 1]
            #expect(second.reply == .failure(.askedAlready(first)) && second.all == "")
            _ = desk.put(.cancel(first.number))
            #expect(desk.put(wishes[1]).reply == .success(desk.swaps.records.count))
        }
    }

    /// They asked for that already, so a yes to it is what is meant.
    @Test func aCounterForWhatIsAskedForIsRefused() throws {
        var (desk, _) = try Desk.requested()
        desk.slots[1] = desk.travellers[1].claim("9F")
        let ask = try desk.ask(desk.pair(0, asks: 1, nonce: 9), from: 0, thread: 10)
        #expect(desk.say(ask, from: 0).all == "row requested 1; say requested")
        let counter = desk.put(.counter(1, desk.pair(0, asks: 1).legs, note: ""))
        #expect(counter.reply == .failure(.askedAlready(desk.swaps.records[1])))
        #expect(counter.all == "")
    }

    /// Of the two that crossed one stands, and the user has said yes to it.
    @Test func anAskThatCrossesTheSameCounterIsAgreed() throws {
        var (desk, _) = try Desk.requested()
        desk.slots[1] = desk.travellers[1].claim("9F")
        _ = desk.put(.counter(1, desk.pair(0, asks: 1).legs, note: ""))
        let ask = try desk.ask(desk.pair(0, asks: 1, nonce: 9), from: 0, thread: 10)
        #expect(
            desk.say(ask, from: 0).all
                == "row agreed 1; row withdrawn 2; row preparing 1; say withdrawn; say binding; "
                + "send withdraw cancelled 1; send prepare 1")
        #expect(desk.swaps.records.map(\.instead) == [2, 0])
    }

    /// The same where the counter-offer went to whoever coordinates: it is taken back unsaid.
    @Test func anAskThatCrossesTheSameCounterOfTheAskerIsAgreed() throws {
        var (desk, _) = try Desk.asking()
        let thread = desk.swaps.records[0].thread
        let theirs = desk.pair(0, asks: 1, nonce: 7)
        let proposal = SwapMessage.propose(
            Proposal(thread: thread, revision: 2, contract: theirs.bytes, note: "", expires: 60))
        _ = desk.say(proposal, from: 1)
        desk.slots[0] = desk.travellers[0].claim("8F")
        _ = desk.put(.counter(1, desk.pair(0, asks: 1).legs, note: ""))
        #expect(desk.stage(1) == .counterSent)
        let ask = try desk.ask(desk.pair(1, asks: 0, nonce: 9), from: 1, thread: 10)
        #expect(
            desk.say(ask, from: 1).all
                == "row agreed 1; row invited 2; row preparing 1; say binding; send prepare 1")
        #expect(desk.stage(1) == .invited && desk.stage(2) == .preparing)

        // It may come back, from a second agent with their key: the user is asked, and a no to
        // that is none to the request that they have been told they said yes to.
        let same = desk.pair(0, asks: 1, nonce: 11)
        #expect(same.legs == desk.swaps.records[1].contract.legs)
        _ = desk.say(
            .propose(
                Proposal(thread: thread, revision: 4, contract: same.bytes, note: "", expires: 60)),
            from: 1)
        #expect(desk.stage(1) == .invited && desk.swaps.records[0].contract.id == same.id)
        _ = desk.put(.decline(1, note: ""))
        #expect(desk.stage(1) == .declined && desk.stage(2) == .preparing)
    }

    /// Whoever is asked for it too says yes by their counter-offer, and reads the request again.
    @Test func aYesToACounterGoesToAnOwnRequestForTheSame() throws {
        var (desk, _) = try Desk.requested()
        let thread = desk.swaps.records[0].thread
        desk.slots[1] = desk.travellers[1].claim("9F")
        _ = desk.put(.counter(1, desk.pair(0, asks: 1).legs, note: ""))
        desk.slots[0] = desk.travellers[0].claim("8F")
        _ = desk.put(.ask(desk.pair(1, asks: 0).legs, note: "", expires: nil))
        let theirs = desk.pair(0, asks: 1, nonce: 8)
        let proposal = SwapMessage.propose(
            Proposal(thread: thread, revision: 3, contract: theirs.bytes, note: "", expires: 60))
        _ = desk.say(proposal, from: 0)
        #expect(desk.stage(1) == .countered && desk.stage(2) == .asking)
        let yes = desk.put(.accept(1, override: true))
        #expect(yes.reply == .success(2) && desk.swaps.records[1].override)
        #expect(yes.kinds == ["ask 1", "withdraw cancelled 1"] && desk.stage(1) == .withdrawn)
    }

    /// The same where an ASK of one's own crossed a counter-offer.
    @Test func aYesToACounterOfTheAskedGoesToAnOwnRequestToo() throws {
        var (desk, _) = try Desk.asking()
        let thread = desk.swaps.records[0].thread
        desk.slots[1] = desk.travellers[1].claim("9F")
        let theirs = desk.pair(0, asks: 1, nonce: 7)
        _ = desk.put(.ask(theirs.legs, note: "", expires: nil))
        let proposal = SwapMessage.propose(
            Proposal(thread: thread, revision: 2, contract: theirs.bytes, note: "", expires: 60))
        _ = desk.say(proposal, from: 1)
        #expect(desk.stage(1) == .invited && desk.stage(2) == .asking)
        let yes = desk.put(.accept(1, override: false))
        #expect(yes.reply == .success(2) && yes.kinds == ["ask 1"])
        #expect(desk.stage(1) == .invited && desk.stage(2) == .asking)
    }

    /// Two counter-offers for the same crossed: the one stands whose coordinator has the smaller
    /// key, or each would end what the other said yes to.
    @Test(arguments: [0, 1]) func ofTwoCountersForTheSameOneStands(me: Int) throws {
        let other = 1 - me
        var desk = Desk(2, me: me)
        _ = desk.say(try desk.ask(desk.pair(other, asks: me), from: other), from: other)
        desk.slots[other] = desk.travellers[other].claim("9F")
        _ = desk.put(.ask(desk.pair(me, asks: other).legs, note: "", expires: nil))
        desk.slots[me] = desk.travellers[me].claim("8F")
        let same = desk.pair(me, asks: other, nonce: 7)
        _ = desk.put(.counter(1, same.legs, note: ""))
        let proposal = SwapMessage.propose(
            Proposal(
                thread: desk.swaps.records[1].thread, revision: 2, contract: same.bytes, note: "",
                expires: 60))
        _ = desk.say(proposal, from: other)
        #expect(desk.stage(1) == .offered && desk.stage(2) == .invited)
        let yes = desk.put(.accept(2, override: false))
        if desk.key(me) < desk.key(other) {
            #expect(yes.reply == .success(1) && yes.kinds == ["propose 2 1"])
            #expect(desk.stage(1) == .offered && desk.stage(2) == .invited)
        } else {
            #expect(yes.reply == .success(2))
            #expect(yes.kinds == ["ready 1", "withdraw cancelled 1"])
            #expect(desk.stage(1) == .withdrawn && desk.stage(2) == .ready)
        }
    }

    /// A counter-offer whose time is up says nothing any more.
    @Test func anAskBehindACounterThatIsOverIsAskedOfTheUser() throws {
        var (desk, _) = try Desk.requested(expires: 60)
        desk.slots[1] = desk.travellers[1].claim("9F")
        _ = desk.put(.counter(1, desk.pair(0, asks: 1).legs, note: ""))
        desk.now.instant = desk.now.instant + .seconds(60)
        desk.now.utc = UTCTime(seconds: desk.now.utc.seconds + 60)
        let ask = try desk.ask(desk.pair(0, asks: 1, nonce: 9), from: 0, thread: 10)
        #expect(desk.say(ask, from: 0).all == "row requested 1; say requested")
    }

    /// They offered it in one thread, and asked for it in another.
    @Test func aYesToACounterGoesOverToTheirRequestForIt() throws {
        var (desk, _) = try Desk.asking()
        let thread = desk.swaps.records[0].thread
        desk.slots[1] = desk.travellers[1].claim("9F")
        let theirs = desk.pair(0, asks: 1, nonce: 7)
        let proposal = SwapMessage.propose(
            Proposal(thread: thread, revision: 2, contract: theirs.bytes, note: "", expires: 60))
        _ = desk.say(proposal, from: 1)
        #expect(desk.put(.accept(1, override: false)).kinds == ["ready 1"])
        _ = desk.say(try desk.ask(desk.pair(1, asks: 0, nonce: 9), from: 1, thread: 10), from: 1)
        #expect(desk.stage(2) == .requested)
        let yes = desk.put(.accept(2, override: false))
        #expect(yes.kinds == ["withdraw lapsed 1", "prepare 1"])
        #expect(desk.stage(1) == .invited && desk.stage(2) == .preparing)
    }

    /// They asked twice, as after a restart: a yes to both would outlive a `cancel` of the first.
    @Test func whoSaidYesSaysItToNoSecondRequestForTheSame() throws {
        var (desk, _) = try Desk.requested()
        let again = try desk.ask(desk.pair(0, asks: 1, nonce: 9), from: 0, thread: 10)
        #expect(desk.say(again, from: 0).all == "row requested 1; say requested")
        let wish = SwapEvent.ask(desk.pair(1, asks: 0).legs, note: "", expires: nil)
        #expect(desk.put(wish).reply == .success(2) && desk.stage(2) == .preparing)
        let second = desk.put(wish)
        #expect(second.reply == .failure(.given(desk.swaps.records[1])) && second.all == "")
        _ = desk.put(.cancel(2))
        #expect(desk.stage(2) == .aborted && desk.stage(1) == .requested)
        #expect(desk.put(wish).reply == .success(1) && desk.stage(1) == .preparing)
    }

    /// They lost the first request, as with a new disk: no yes to it comes to anything.
    @Test func aYesThatWaitsGoesOverToTheSameRequestAskedAgain() throws {
        var (desk, _) = try Desk.requested()
        desk.away = [0]
        let wish = SwapEvent.ask(desk.pair(1, asks: 0).legs, note: "", expires: nil)
        #expect(desk.put(wish).reply == .success(1) && desk.stage(1) == .agreed)
        desk.away = []
        let again = try desk.ask(desk.pair(0, asks: 1, nonce: 9), from: 0, thread: 10)
        _ = desk.say(again, from: 0)
        #expect(desk.put(wish).reply == .success(2))
        #expect(desk.stage(1) == .requested && desk.stage(2) == .preparing)
    }

    @Test func aYesByNumberGoesOverToo() throws {
        var (desk, _) = try Desk.requested()
        desk.away = [0]
        _ = desk.put(.accept(1, override: false))
        desk.away = []
        _ = desk.say(
            try desk.ask(desk.pair(0, asks: 1, nonce: 9), from: 0, thread: 10), from: 0)
        #expect(desk.put(.accept(2, override: false)).reply == .success(2))
        #expect(desk.stage(1) == .requested && desk.stage(2) == .preparing)
        let first = desk.put(.accept(1, override: false))
        #expect(first.reply == .failure(.given(desk.swaps.records[1])) && first.all == "")
    }
}
