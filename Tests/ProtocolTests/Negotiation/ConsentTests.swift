// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// A yes is to what its user saw, from the one they saw, for as long as they said (docs/protocol.md
/// section 16).
@Suite struct ConsentTests {
    /// One passenger with several claims to one seat could sell it as often, and keep it.
    @Test func aSecondTokenOfTheSameHolderIsADispute() throws {
        var desk = Desk(3, me: 0)
        let token = desk.slots[1].token
        _ = desk.put(.ask(desk.pair(0, asks: 1).legs, note: "", expires: 600))
        _ = desk.travellers[1].claim("2A")
        // Before the consent it is refused, and seats named by people find nobody to ask.
        let again = desk.put(.ask(desk.pair(0, asks: 1, nonce: 1).legs, note: "", expires: 600))
        #expect(again.reply == .failure(.check(.disputed(token))))
        let seat = try #require(Seat("2A"))
        #expect(
            desk.context.fold.tradable(seat) == .failure(.disputed(seat, [desk.key(1)])))
        // After it the vote is a no.
        let record = desk.swaps.records[0]
        let effects = desk.say(try desk.prepare(record.contract, of: record.thread), from: 1)
        #expect(effects.whats == [.aborted(.check(.disputed(token)))])
    }

    /// Somebody verified gives a token that another claimed, and keeps their own.
    @Test func aTokenThatWeighsLessThanItsHoldersOwnIsADispute() throws {
        var desk = Desk(3, me: 0)
        desk.trust = Trust(me: desk.key(0), verified: [desk.key(1)])
        let liars = desk.travellers[2].claim("2A")
        let theirs = desk.ring([1, 2], nonce: 4)
        desk.slots[2] = liars
        let sale = desk.ring([2, 1], nonce: 5)
        #expect(theirs.id != sale.id)
        let votes = [desk.travellers[1].yes(sale), desk.travellers[2].yes(sale)]
        desk.travellers[2].commit(sale.certificate(votes, claims: desk.travellers.flatMap(\.log)))
        let state = try #require(desk.context.fold.token(liars.token))
        #expect(state.holder == desk.key(1))
        desk.slots[1] = state.slot
        let effects = desk.put(.ask(desk.pair(0, asks: 1).legs, note: "", expires: 600))
        #expect(effects.reply == .failure(.check(.disputed(liars.token))))
    }

    @Test func aYesThatWaitedForTheLogIsToWhatWasShown() throws {
        var desk = Desk(3, me: 1)
        let shown = desk.ring([0, 1, 2])
        let other = desk.ring([0, 2, 1])
        _ = desk.say(try desk.proposal(shown), from: 0)
        _ = desk.say(try desk.proposal(other, revision: 2), from: 0)
        let late = desk.put(.accept(1, override: true, of: shown.id))
        #expect(late.reply == .failure(.check(.otherContract)))
        #expect(late.kinds.isEmpty && desk.stage() == .invited)
        #expect(desk.put(.accept(1, override: false, of: other.id)).kinds == ["ready 1"])
    }

    @Test func aRevisionHasTheSameParties() throws {
        var desk = Desk(3, me: 1)
        _ = desk.say(try desk.proposal(desk.ring([0, 1, 2])), from: 0)
        let less = try desk.proposal(desk.ring([0, 1], nonce: 1), revision: 2)
        #expect(desk.say(less, from: 0) == SwapEffects())
        #expect(desk.swaps.records[0].contract.parties.count == 3)
    }

    /// The second question was not asked, because more than a claim stood
    /// behind whoever votes last.
    @Test(arguments: [false, true]) func anAskToWhoIsNoLongerVerifiedEnds(isRing: Bool) throws {
        let me = isRing ? 1 : 0
        var desk = Desk(3, me: me)
        desk.trust = Trust(me: desk.key(me), verified: [desk.key(1 - me)])
        if isRing {
            _ = desk.say(try desk.proposal(desk.ring([0, 1, 2])), from: 0)
            _ = desk.put(.accept(1, override: false))
        } else {
            _ = desk.put(.ask(desk.pair(0, asks: 1).legs, note: "", expires: 600))
        }
        var stays = desk
        let record = desk.swaps.records[0]
        let prepare = try desk.prepare(record.contract, of: record.thread)
        #expect(stays.say(prepare, from: 1 - me).whats == [.binding])
        // They took another name: the verification is void.
        desk.trust = Trust(me: desk.key(me))
        #expect(
            desk.say(prepare, from: 1 - me).whats
                == [.aborted(.check(.unverified(desk.key(1 - me))))])
        #expect(desk.yeses == 0)
    }

    @Test func twoWhoAskEachOtherConsentForTheShorterTime() throws {
        var probe = Desk(2, me: 0)
        let me = probe.key(0) < probe.key(1) ? 0 : 1
        probe = Desk(2, me: me)
        var desk = probe
        _ = desk.put(.ask(desk.pair(me, asks: 1 - me).legs, note: "", expires: 60))
        desk.missing[1 - me] = 1
        var late = try desk.ask(
            desk.pair(1 - me, asks: me, nonce: 9), from: 1 - me, expires: 86400)
        desk.missing = [:]
        if case .ask(var ask) = late {
            // A head that is not here yet: the yes waits.
            ask.head = LogHead(author: ask.head.author, seq: ask.head.seq + 1, id: ask.head.id)
            late = .ask(ask)
        }
        _ = desk.say(late, from: 1 - me)
        #expect(desk.stage(1) == .withdrawn && desk.stage(2) == .agreed)
        #expect(desk.wait(61).whats == [.expired])
    }

    /// A second connection to the asker that comes or goes takes nothing
    /// away; only the last one does.
    @Test func aSecondLinkKeepsWhatWasAsked() throws {
        var desk = Desk(2, me: 1)
        _ = desk.say(try desk.ask(desk.pair(0, asks: 1), from: 0), from: 0)
        _ = desk.put(.linked(desk.key(0)))
        var other = desk
        #expect(desk.put(.accept(1, override: false)).kinds == ["prepare 1"])
        _ = other.put(.unlinked(other.key(0)))
        #expect(other.put(.accept(1, override: false)).kinds.isEmpty)
        #expect(other.stage() == .agreed)
    }

    /// Whose vote a yes waits for too long votes last in no second one, unless the user knows.
    @Test func whoStrandedMeIsNotAskedAgainUnknowingly() throws {
        var desk = Desk(2, me: 0)
        let seat = desk.travellers[0].claim("7C")
        _ = desk.put(.ask(desk.pair(0, asks: 1).legs, note: "", expires: 600))
        let record = desk.swaps.records[0]
        _ = desk.say(try desk.prepare(record.contract, of: record.thread), from: 1)
        _ = desk.wait(Int64(Limits.strandedAfter.wholeSeconds))
        desk.slots[0] = seat
        desk.slots[1] = desk.travellers[1].claim("8C")
        let legs = desk.pair(0, asks: 1, nonce: 3).legs
        let refused = desk.put(.ask(legs, note: "", expires: 600))
        #expect(refused.reply == .failure(.strandedWith(desk.key(1))))
        // Where they ask, this user votes last.
        _ = desk.say(try desk.ask(desk.pair(1, asks: 0, nonce: 4), from: 1), from: 1)
        #expect(desk.put(.accept(2, override: false)).kinds == ["prepare 1"])
        // What that yes gives is offered to nobody else; another seat is free.
        let given = desk.put(.ask(legs, note: "", expires: 600, override: true))
        #expect(given.reply == .failure(.given(desk.swaps.records[1])))
        desk.slots[0] = desk.travellers[0].claim("9C")
        let more = desk.pair(0, asks: 1, nonce: 5).legs
        let unknowing = desk.put(.ask(more, note: "", expires: 600))
        #expect(unknowing.reply == .failure(.strandedWith(desk.key(1))))
        let knowing = desk.put(.ask(more, note: "", expires: 600, override: true))
        #expect(knowing.reply == .success(3))
    }

    /// Requests of others that came to nothing are forgotten, on disk too;
    /// no swap that was made is.
    @Test func closedRequestsPushNoSwapOut() throws {
        var desk = Desk(2, me: 1)
        let first = desk.pair(0, asks: 1)
        _ = desk.say(try desk.ask(first, from: 0), from: 0)
        _ = desk.put(.accept(1, override: false))
        desk.travellers[0].yes(first)
        _ = desk.put(.logsChanged)
        #expect(desk.stage() == .committed)
        desk.slots = desk.slots.map { slot in
            desk.context.fold.token(slot.token)?.slot ?? slot
        }
        desk.slots.swapAt(0, 1)
        var forgotten: [Int] = []
        for round in 1...Limits.swaps + 20 {
            desk.now.utc = UTCTime(seconds: desk.now.utc.seconds + Limits.requestSpan)
            let nonce = UInt8(round % 251)
            var ask = try desk.ask(
                desk.ring([1, 0], nonce: nonce), from: 0, thread: UInt8(round % 256))
            if case .ask(var one) = ask {
                var bytes = Array(repeating: UInt8(0), count: 16)
                bytes[0] = UInt8(round / 256 + 1)
                bytes[1] = UInt8(round % 256)
                one.thread = try #require(ThreadID(bytes))
                one.contract = try desk.contract(bytes).bytes
                ask = .ask(one)
                forgotten += desk.say(ask, from: 0).forgotten.map(\.number)
                let gone = Withdraw(thread: one.thread, reason: .cancelled)
                forgotten += desk.say(.withdraw(gone), from: 0).forgotten.map(\.number)
            }
        }
        #expect(desk.stage() == .committed)
        #expect(desk.swaps.records.count == Limits.swaps + 1)
        #expect(forgotten == Array(2..<22))
    }
}

extension Desk {
    /// Traveller 0 asks traveller 1, with that nonce.
    fileprivate func contract(_ nonce: [UInt8]) throws -> Contract {
        let legs = ring([1, 0]).legs
        return try require(
            Contract(
                flight: Traveller.flight, coordinator: key(1),
                nonce: try require(ThreadID(nonce)), legs: legs,
                primitives: Traveller.primitives))
    }
}
