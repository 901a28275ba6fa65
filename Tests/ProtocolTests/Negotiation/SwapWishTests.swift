// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What the user may wish for in each stage, and the limits, each at its edge.
@Suite struct SwapWishTests {
    /// Traveller 1 is asked by traveller 0.
    private func invited(_ parties: Int = 2, revision: Int = 1) throws -> (Desk, Contract) {
        var desk = Desk(parties, me: 1)
        let contract = desk.ring(Array(0..<parties))
        _ = desk.say(try desk.proposal(contract, revision: revision), from: 0)
        return (desk, contract)
    }

    private func prepared() throws -> (Desk, Contract) {
        var (desk, contract) = try invited()
        _ = desk.put(.accept(1, override: false))
        _ = desk.say(try desk.prepare(contract), from: 0)
        return (desk, contract)
    }

    /// Traveller 0 asks traveller 1.
    private func offered() -> Desk {
        var desk = Desk(2, me: 0)
        _ = desk.put(.propose(desk.ring([0, 1]).legs, note: "", expires: nil))
        return desk
    }

    private func refusal(_ desk: Desk, _ event: SwapEvent) -> SwapRefusal? {
        var desk = desk
        // Yeses that the fold shows by now are seen at any event, also at one that is refused.
        _ = desk.put(.tick)
        let before = desk.swaps
        guard case .failure(let refusal) = desk.put(event).reply else { return nil }
        #expect(desk.swaps == before, "refused, and yet something changed")
        return refusal
    }

    @Test func whoAskedCannotAnswer() throws {
        let desk = offered()
        let record = desk.swaps.records[0]
        for wish in [
            SwapEvent.accept(1, override: false), .decline(1, note: ""),
            .counter(1, record.contract.legs, note: ""),
        ] {
            #expect(refusal(desk, wish) == .notYours(record), "\(wish)")
        }
        var preparing = desk
        _ = preparing.say(try preparing.ready(record.contract, 1), from: 1)
        let asked = preparing.swaps.records[0]
        #expect(asked.stage == .preparing)
        for wish in [SwapEvent.accept(1, override: false), .decline(1, note: "")] {
            #expect(refusal(preparing, wish) == .notYours(asked))
        }
    }

    @Test func whoWasAskedCannotTakeItBack() throws {
        var (desk, _) = try invited()
        #expect(refusal(desk, .cancel(1)) == .notYours(desk.swaps.records[0]))
        _ = desk.put(.counter(1, desk.ring([0, 1], nonce: 2).legs, note: ""))
        let record = desk.swaps.records[0]
        #expect(refusal(desk, .cancel(1)) == .notYours(record))
        #expect(refusal(desk, .accept(1, override: false)) == .alreadyAnswered(record))
        // A second counter-offer takes the place of the first.
        #expect(
            desk.put(.counter(1, desk.ring([0, 1], nonce: 3).legs, note: "")).reply == .success(1))
        #expect(desk.put(.decline(1, note: "")).reply == .success(1))
    }

    @Test func nothingIsTakenBackOnceSigned() throws {
        let (desk, _) = try prepared()
        let record = desk.swaps.records[0]
        #expect(refusal(desk, .cancel(1)) == .alreadyAnswered(record))
        #expect(refusal(desk, .accept(1, override: true)) == .alreadyAnswered(record))
        #expect(refusal(desk, .decline(1, note: "")) == .notYours(record))
        let legs = desk.ring([0, 1], nonce: 4).legs
        #expect(refusal(desk, .counter(1, legs, note: "")) == .alreadyAnswered(record))
        #expect(refusal(desk, .force(1)) == .notStranded(record))
    }

    @Test func aCounterOfferIsTheSamePeopleTheSameSeatsOrNone() throws {
        var (desk, _) = try invited(3)
        let pair = desk.ring([0, 1], nonce: 2).legs
        #expect(refusal(desk, .counter(1, pair, note: "")) == .badContract)
        #expect(refusal(desk, .counter(1, [], note: "")) == .badContract)
        let ring = desk.ring([0, 2, 1], nonce: 2).legs
        desk.window = .early(opensIn: 7)
        #expect(refusal(desk, .counter(1, ring, note: "")) == .windowEarly(7))
        desk.window = .closed(since: 8)
        #expect(refusal(desk, .counter(1, ring, note: "")) == .windowClosed(8))
        desk.window = .open(closesIn: 60)
        desk.blocked = [desk.key(2)]
        #expect(refusal(desk, .counter(1, ring, note: "")) == .blocked(desk.key(2)))
        desk.blocked = []
        let seat = desk.slots[2]
        desk.travellers[2].retract(seat)
        #expect(refusal(desk, .counter(1, ring, note: "")) == .check(.notHeld(seat.token)))
    }

    /// The coordinator's answer takes one more revision than the counter-offer.
    @Test func revisionsEnd() throws {
        let (last, _) = try invited(revision: Limits.revisions - 2)
        let legs = last.ring([0, 1], nonce: 2).legs
        #expect(refusal(last, .counter(1, legs, note: "")) == nil)
        let (over, _) = try invited(revision: Limits.revisions - 1)
        #expect(refusal(over, .counter(1, legs, note: "")) == .tooMany)
    }

    @Test func acceptingIsCheckedAnew() throws {
        var (desk, _) = try invited()
        desk.window = .closed(since: 5)
        #expect(refusal(desk, .accept(1, override: true)) == .windowClosed(5))
        desk.window = nil
        desk.blocked = [desk.key(0)]
        #expect(refusal(desk, .accept(1, override: true)) == .blocked(desk.key(0)))
        desk.blocked = []
        let seat = desk.slots[0]
        desk.travellers[0].retract(seat)
        #expect(refusal(desk, .accept(1, override: true)) == .check(.notHeld(seat.token)))
    }

    @Test func adoptingIsCheckedToo() throws {
        var desk = offered()
        desk.slots[1] = desk.travellers[1].claim("9F")
        let other = desk.ring([0, 1], nonce: 4)
        let thread = desk.swaps.records[0].thread
        let proposal = Proposal(
            thread: thread, revision: 2, contract: other.bytes, note: "", expires: 60)
        _ = desk.say(.propose(proposal), from: 1)
        desk.window = .early(opensIn: 3)
        #expect(refusal(desk, .accept(1, override: false)) == .windowEarly(3))
        desk.window = nil
        var gone = desk
        gone.travellers[1].retract(gone.slots[1])
        #expect(refusal(gone, .accept(1, override: false)) == .check(.notHeld(desk.slots[1].token)))
        #expect(refusal(desk, .accept(1, override: false)) == nil)
    }

    @Test func aRequestLastsAsLongAsMayBe() throws {
        let most = Int(Limits.offerTimeMax.wholeSeconds)
        for (wished, given) in [
            (nil, Int(Limits.offerTime.wholeSeconds)), (0, 1), (-5, 1), (1, 1), (most, most),
            (most + 1, most),
        ] {
            var desk = Desk(2, me: 0)
            let legs = desk.ring([0, 1]).legs
            let effects = desk.put(.propose(legs, note: "", expires: wished))
            let record = desk.swaps.records[0]
            #expect(record.expires.seconds == 1000 + Int64(given))
            #expect(record.created.seconds == 1000)
            #expect(desk.swaps.nextDeadline == .zero + .seconds(Int64(given)))
            guard case .message(.propose(let proposal), _)? = effects.sends.first else {
                Issue.record("no PROPOSE")
                continue
            }
            #expect(proposal.expires == given)
        }
    }

    @Test func aRequestForASeatThatIsPromisedIsRefused() throws {
        let (desk, _) = try prepared()
        let legs = desk.ring([1, 0], nonce: 9).legs
        #expect(refusal(desk, .propose(legs, note: "", expires: nil)) == .promised)
    }

    @Test func soManyNegotiationsAndNoMore() throws {
        var desk = Desk(Limits.ownRequests + 2, me: 0)
        for number in 1...Limits.ownRequests {
            let legs = desk.ring([0, number]).legs
            #expect(desk.put(.propose(legs, note: "", expires: nil)).reply == .success(number))
        }
        let legs = desk.ring([0, Limits.ownRequests + 1]).legs
        #expect(refusal(desk, .propose(legs, note: "", expires: nil)) == .tooMany)
        // Others have room of their own.
        let asked = desk.ring([1, 0], nonce: 77)
        #expect(desk.say(try desk.proposal(asked), from: 1).whats == [.requested])
        _ = desk.put(.cancel(5))
        #expect(refusal(desk, .propose(legs, note: "", expires: nil)) == nil)
    }

    @Test func ofThoseThatAreOverTheOldestAreForgotten() throws {
        var desk = Desk(3, me: 0)
        for number in 1...Limits.swaps + 1 {
            let legs = desk.ring([0, number == 1 ? 2 : 1]).legs
            _ = desk.put(.propose(legs, note: "", expires: nil))
            if number != 1 { _ = desk.put(.cancel(number)) }
        }
        #expect(desk.swaps.records.count == Limits.swaps)
        #expect(desk.swaps.records.map(\.number).prefix(2) == [1, 3])
    }

    /// Never the retract without the claim: behind the last place for a claim nothing is forced.
    @Test func forcingNeedsRoomForTheClaim() throws {
        for (claims, isRefused) in [
            (Limits.claimsPerAuthor - 1, false), (Limits.claimsPerAuthor, true),
        ] {
            var desk = Desk(2, me: 1)
            let seats = ["A", "B", "C", "D", "E", "F"]
            while desk.travellers[1].log.count - 1 < claims {
                let number = desk.travellers[1].log.count
                _ = desk.travellers[1].claim("\(20 + number / 6)\(seats[number % 6])")
            }
            let contract = desk.ring([0, 1])
            _ = desk.say(try desk.proposal(contract), from: 0)
            _ = desk.put(.accept(1, override: false))
            _ = desk.say(try desk.prepare(contract), from: 0)
            desk.now.instant = .zero + Limits.strandedAfter
            #expect(desk.put(.tick).whats == [.stranded])
            var shut = desk
            shut.canAppend = false
            #expect(refusal(shut, .force(1)) == .logClosed)
            #expect(refusal(desk, .force(1)) == (isRefused ? .logClosed : nil))
        }
    }

    /// Grief is a stuck swap with one of the same people, and only while it is stuck.
    @Test func griefIsForgottenWithItsSwap() throws {
        var desk = Desk(3, me: 1)
        let seat = desk.travellers[1].claim("7C")
        let contract = desk.ring([0, 1])
        _ = desk.say(try desk.proposal(contract), from: 0)
        _ = desk.put(.accept(1, override: false))
        _ = desk.say(try desk.prepare(contract), from: 0)
        desk.slots[1] = seat
        let again = desk.travellers[0].claim("8C")
        desk.slots[0] = again
        _ = desk.say(try desk.proposal(desk.ring([0, 1], nonce: 3), thread: 5), from: 0)
        // In doubt, and not yet for long.
        #expect(refusal(desk, .accept(2, override: false)) == nil)
        desk.now.instant = .zero + Limits.strandedAfter
        _ = desk.put(.tick)
        #expect(refusal(desk, .accept(2, override: false)) == .strandedWith(desk.key(0)))
        // Another passenger has nothing to do with it.
        _ = desk.say(try desk.proposal(desk.ring([2, 1], nonce: 3), thread: 6), from: 2)
        #expect(refusal(desk, .accept(3, override: false)) == nil)
        desk.travellers[0].no(contract)
        _ = desk.put(.logsChanged)
        #expect(refusal(desk, .accept(2, override: false)) == nil)
    }

    // MARK: What peers say

    @Test func twelveRequestsAnHourBesideThoseThatBecameSwaps() throws {
        var desk = Desk(2, me: 1)
        let asked = desk.ring([0, 1], nonce: 50)
        _ = desk.say(try desk.proposal(asked, thread: 50), from: 0)
        _ = desk.put(.accept(1, override: false))
        _ = desk.say(try desk.prepare(asked, thread: 50), from: 0)
        desk.travellers[0].yes(asked)
        _ = desk.put(.logsChanged)
        #expect(desk.stage(1) == .committed)
        desk.slots = desk.slots.reversed().map(asked.next)
        for number in 0..<Limits.requestsPerHour {
            let contract = desk.ring([0, 1], nonce: UInt8(number))
            let effects = desk.say(
                try desk.proposal(contract, thread: UInt8(number)), from: 0)
            #expect(effects.whats == [.requested])
            _ = desk.put(.decline(number + 2, note: ""))
        }
        let more = desk.ring([0, 1], nonce: 90)
        #expect(desk.say(try desk.proposal(more, thread: 90), from: 0) == SwapEffects())
        // Own requests are not the other's.
        #expect(desk.swaps.records.count == 1 + Limits.requestsPerHour)
    }

    @Test func aProposalForAnotherFlightOrFromAnotherCoordinatorIsNothing() throws {
        var (desk, contract) = try invited(3)
        let nonce = try #require(ThreadID(Array(repeating: 1, count: 16)))
        let foreign = try #require(
            Contract(
                flight: FlightID(.zero), coordinator: desk.key(0), nonce: nonce,
                legs: contract.legs, primitives: Traveller.primitives))
        #expect(desk.say(try desk.proposal(foreign, thread: 3), from: 0) == SwapEffects())
        // The thread is known: another coordinator does not take it over.
        let taken = desk.ring([2, 0, 1], nonce: 4)
        #expect(desk.say(try desk.proposal(taken, revision: 2), from: 2) == SwapEffects())
        // A party asks nobody in the coordinator's name.
        let named = desk.ring([0, 1, 2], nonce: 9)
        #expect(desk.say(try desk.proposal(named, thread: 6), from: 2) == SwapEffects())
        // A party that is not the coordinator revises nothing.
        let same = desk.ring([0, 2, 1], nonce: 4)
        #expect(desk.say(try desk.proposal(same, revision: 2), from: 2) == SwapEffects())
        #expect(desk.swaps.records.map(\.contract) == [contract])
    }

    @Test func aCertificateAsksForItsVotesOnly() throws {
        var (desk, contract) = try invited()
        var other = desk.travellers[0]
        let yes = other.yes(contract)
        let foreign = try EntryCodec(Traveller.primitives).sign(
            .vote(.no(contract.id)), flight: FlightID(.zero), seq: 2,
            previous: desk.travellers[0].log[0].id, by: desk.travellers[0].signer)
        let certificate = Certificate(
            contract: contract.bytes, votes: [yes.bytes, foreign.bytes, [1, 2, 3]], claims: [])
        let effects = desk.say(.certificate(certificate), from: 0)
        #expect(effects.all == "want 1")
        #expect(
            effects.wants
                == [
                    SwapWant(
                        from: desk.key(0),
                        head: LogHead(author: yes.author, seq: yes.seq, id: yes.id))
                ])
    }

    @Test func aQueryIsForTheParties() throws {
        var (desk, contract) = try invited(3)
        #expect(desk.say(.query(contract.id), from: 2).all == "send status 1")
        desk.travellers.append(Traveller(99))
        #expect(desk.say(.query(contract.id), from: 3).all == "")
        // A contract that this agent has nothing to do with, known from the logs.
        let pair = desk.ring([0, 2], nonce: 8)
        let votes = [desk.travellers[0].yes(pair), desk.travellers[2].yes(pair)]
        desk.travellers[0].commit(
            pair.certificate(votes, claims: desk.travellers[0].log + desk.travellers[2].log))
        #expect(desk.say(.query(pair.id), from: 2).all == "")
        #expect(desk.say(.query(ContractID(.zero)), from: 2).all == "")
    }

    /// A consent needs no link: who coordinates asks for it again in the next session.
    @Test func noLinkMeansAnythingToAConsent() throws {
        var (desk, _) = try invited(3)
        _ = desk.put(.accept(1, override: false))
        for peer in [2, 0] {
            for event in [SwapEvent.unlinked(desk.key(peer)), .linked(desk.key(peer))] {
                #expect(desk.put(event).all == "")
                #expect(desk.swaps.nextDeadline == Instant.zero + Limits.readyTime)
            }
        }
    }
}
