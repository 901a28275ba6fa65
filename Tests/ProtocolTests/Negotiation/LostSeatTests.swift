// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Requests whose seats went elsewhere end at once and know why; what is promised
/// is offered to nobody else.
@Suite struct LostSeatTests {
    /// Traveller 1 is to give a seat; traveller 3 is no party.
    private func desk(at stage: SwapRecord.Stage) throws -> Desk {
        let isAsker = [.asking, .offered, .countered].contains(stage)
        var desk = Desk(4, me: isAsker ? 0 : 1)
        switch stage {
        case .asking: _ = desk.put(.ask(desk.pair(0, asks: 1).legs, note: "", expires: 600))
        case .requested, .agreed:
            _ = desk.say(try desk.ask(desk.pair(0, asks: 1), from: 0), from: 0)
            desk.away = [0]
            if stage == .agreed { _ = desk.put(.accept(1, override: false)) }
        case .offered, .countered:
            _ = desk.put(.propose(desk.ring([0, 1, 2]).legs, note: "", expires: 600))
            guard stage == .countered else { break }
            desk.slots[1] = desk.travellers[1].claim("9F")
            _ = desk.say(try desk.counter(desk.ring([0, 1, 2], nonce: 4)), from: 1)
        case .invited, .ready:
            _ = desk.say(try desk.proposal(desk.ring([0, 1, 2])), from: 0)
            if stage == .ready { _ = desk.put(.accept(1, override: false)) }
        case .counterSent, .preparing, .prepared, .stranded, .committed, .aborted, .declined,
            .withdrawn, .expired:
            break
        }
        #expect(desk.stage() == stage)
        #expect(desk.put(.logsChanged).all == "")
        return desk
    }

    private static let soft: [SwapRecord.Stage] = [
        .asking, .requested, .agreed, .offered, .countered, .invited, .ready,
    ]

    @Test(arguments: soft, LostSeat.Why.allCases)
    func whatCanComeToNothingEnds(stage: SwapRecord.Stage, why: LostSeat.Why) throws {
        var desk = try desk(at: stage)
        desk.lose(1, why)
        // Of a counter-offer only its two sides know: the others do not read in
        // the logs that it is over.
        let told = stage == .countered ? "; send withdraw failed 2" : ""
        #expect(desk.put(.logsChanged).all == "row withdrawn 1; say withdrawn" + told)
        let seat = LostSeat(token: desk.slots[1].token, why: why)
        #expect(desk.swaps.records[0].lost == seat)
        // All others read it in the same logs.
        desk.away = []
        desk.restart()
        #expect(desk.put(.recovered).all == "")
        for other in [0, 1, 2] where other != desk.me {
            #expect(desk.put(.linked(desk.key(other))).all == "")
        }
        #expect(desk.swaps.records[0].lost == seat && desk.yeses + desk.noes <= 1)
    }

    /// Whoever neither asked nor was to give the seat reads it in the same logs.
    @Test(arguments: [SwapRecord.Stage.invited, .ready], LostSeat.Why.allCases)
    func aThirdOfARingReadsItToo(stage: SwapRecord.Stage, why: LostSeat.Why) throws {
        var desk = Desk(4, me: 2)
        _ = desk.say(try desk.proposal(desk.ring([0, 1, 2])), from: 0)
        if stage == .ready { _ = desk.put(.accept(1, override: false)) }
        #expect(desk.stage() == stage)
        desk.lose(1, why)
        #expect(desk.put(.logsChanged).all == "row withdrawn 1; say withdrawn")
        #expect(
            desk.swaps.records[0].lost == LostSeat(token: desk.slots[1].token, why: why))
    }

    @Test func aStartEndsWhatTheLastOneDidNotComeTo() throws {
        var desk = try desk(at: .requested)
        desk.lose(1, .givenUp)
        desk.restart()
        #expect(desk.put(.recovered).all == "row withdrawn 1; say withdrawn")
    }

    /// A yes that is signed is left by nothing but section 16.
    @Test func nothingThatBindsEnds() throws {
        for parties in [2, 3] {
            var (desk, _) = try Desk.prepared(parties)
            desk.travellers[0].retract(desk.slots[0])
            #expect(desk.put(.logsChanged).all == "")
            #expect(desk.stage() == .prepared)
            (desk, _) = try Desk.preparing(parties)
            desk.travellers[1].retract(desk.slots[1])
            #expect(desk.put(.logsChanged).all == "")
            #expect(desk.stage() == .preparing)
        }
    }

    /// PREPARE came, and waits for a log: the signed no of the check frees the
    /// others, silence would not.
    @Test func whatIsBeingBoundIsLeftToItsCheck() throws {
        for isAsker in [false, true] {
            var desk = try desk(at: isAsker ? .asking : .ready)
            let (record, late) = (desk.swaps.records[0], isAsker ? 1 : 2)
            desk.missing[late] = desk.travellers[late].log.count + 1
            desk.travellers[late].chat("wait")
            let prepare = try desk.prepare(record.contract, of: record.thread)
            #expect(desk.say(prepare, from: isAsker ? 1 : 0).all == "want 1")
            desk.travellers[0].retract(desk.slots[0])
            #expect(desk.put(.logsChanged).all == "want 1")
            #expect(desk.stage() == record.stage)
            desk.missing = [:]
            let others = record.contract.parties.count - 1
            #expect(
                desk.put(.logsChanged).all
                    == "log no; row aborted 1; say aborted by a check; send vote \(others)")
            #expect(desk.swaps.records[0].lost == nil)
        }
    }

    /// What the logs here do not show yet says nothing.
    @Test func whatIsNotKnownEndsNothing() throws {
        var desk = try desk(at: .requested)
        desk.missing[0] = 2
        #expect(desk.put(.logsChanged).all == "")
        let leg = desk.ring([0, 1]).legs[0]
        let later = Leg(
            token: leg.token, producer: Producer(contract: desk.ring([2, 3]).id), from: leg.from,
            to: leg.to)
        #expect(desk.context.lost([later]) == nil)
    }

    @Test func aConsentToWhatIsOverIsAnswered() throws {
        var desk = try desk(at: .offered)
        desk.lose(1, .swapped)
        _ = desk.put(.logsChanged)
        let contract = desk.swaps.records[0].contract
        #expect(desk.say(try desk.ready(contract, 2), from: 2).kinds == ["withdraw cancelled 1"])
    }

    @Test func theSameIsNotAskedTwice() throws {
        for isRing in [false, true] {
            var desk = Desk(3, me: 0)
            let legs = isRing ? desk.ring([0, 1, 2]).legs : desk.pair(0, asks: 1).legs
            func again() -> SwapEvent {
                isRing
                    ? .propose(legs, note: "please", expires: nil)
                    : .ask(legs, note: "please", expires: nil)
            }
            #expect(desk.put(again()).reply == .success(1))
            let second = desk.put(again())
            #expect(second.reply == .failure(.askedAlready(desk.swaps.records[0])))
            #expect(second.all == "" && desk.swaps.records.count == 1)
            _ = desk.put(.cancel(1))
            #expect(desk.put(again()).reply == .success(2))
        }
    }

    @Test func whatIsPromisedIsOfferedToNobodyElse() throws {
        var desk = Desk(4, me: 1)
        _ = desk.put(.ask(desk.pair(1, asks: 2).legs, note: "", expires: 600))
        _ = desk.put(.propose(desk.ring([1, 2, 3]).legs, note: "", expires: 600))
        _ = desk.say(try desk.ask(desk.pair(0, asks: 1), from: 0), from: 0)
        desk.away = [0]
        #expect(
            desk.put(.accept(3, override: false)).all
                == "row agreed 1; row withdrawn 1; row withdrawn 1; say ready; say withdrawn; "
                + "say withdrawn; send withdraw cancelled 1; send withdraw cancelled 2")
        #expect(desk.swaps.records.map(\.instead) == [3, 3, 0])
        let promise = desk.swaps.records[2]
        for wish: SwapEvent in [
            .ask(desk.pair(1, asks: 3).legs, note: "", expires: nil),
            .propose(desk.ring([1, 3, 2]).legs, note: "", expires: nil),
        ] {
            #expect(desk.put(wish).reply == .failure(.given(promise)))
        }
        // Another seat is free, and this one too once the yes is taken back.
        let legs = desk.pair(1, asks: 3).legs
        desk.slots[1] = desk.travellers[1].claim("9F")
        #expect(
            desk.put(.ask(desk.pair(1, asks: 3).legs, note: "", expires: nil)).reply == .success(4))
        _ = desk.put(.cancel(3))
        #expect(desk.put(.ask(legs, note: "", expires: nil)).reply == .success(5))
    }

    /// READY ends own offers too, but none to whoever gets it: two who consent to each
    /// other's at once would end both.
    @Test func aConsentOfSeveralEndsOwnOffersToOthers() throws {
        var desk = Desk(4, me: 1)
        _ = desk.put(.ask(desk.pair(1, asks: 2).legs, note: "", expires: 600))
        _ = desk.put(.propose(desk.ring([1, 2, 3]).legs, note: "", expires: 600))
        _ = desk.put(.ask(desk.pair(1, asks: 0).legs, note: "", expires: 600))
        let ring = desk.ring([0, 1, 3], nonce: 9)
        _ = desk.say(try desk.proposal(ring), from: 0)
        _ = desk.put(.accept(4, override: false))
        #expect(desk.swaps.records.map(\.stage) == [.withdrawn, .withdrawn, .asking, .ready])
        // The yes that is signed ends that one too.
        _ = desk.say(try desk.prepare(ring), from: 0)
        #expect(desk.stage(4) == .prepared && desk.stage(3) == .withdrawn)
    }

    /// The own counter-offer gives the seat without another question: not while
    /// it is promised elsewhere.
    @Test func aCounterOfferOfWhatIsPromisedAsksAnew() throws {
        for isPromised in [false, true] {
            var desk = Desk(4, me: 1)
            let offer = desk.ring([0, 1, 2])
            _ = desk.say(try desk.proposal(offer), from: 0)
            _ = desk.put(.counter(1, desk.ring([0, 2, 1]).legs, note: "", override: false))
            let own = desk.swaps.records[0].counter
            _ = desk.say(try desk.ask(desk.pair(3, asks: 1), from: 3, thread: 10), from: 3)
            desk.away = [3]
            if isPromised { _ = desk.put(.accept(2, override: false)) }
            let adopted = Proposal(
                thread: desk.swaps.records[0].thread, revision: 3,
                contract: try #require(own).bytes, note: "", expires: 600)
            _ = desk.say(.propose(adopted), from: 0)
            #expect(desk.stage() == (isPromised ? .invited : .ready))
        }
    }

    /// WITHDRAW is faster than the entries that tell why it was sent.
    @Test func theReasonOfAWithdrawalComesWithTheLogs() throws {
        for seconds in [1, 61] as [Int64] {
            var desk = try desk(at: .requested)
            let thread = desk.swaps.records[0].thread
            let withdraw = SwapMessage.withdraw(Withdraw(thread: thread, reason: .cancelled))
            #expect(desk.say(withdraw, from: 0).all == "row withdrawn 1; say withdrawn")
            _ = desk.wait(seconds)
            desk.lose(0, .swapped)
            #expect(desk.put(.logsChanged).all == (seconds == 1 ? "row withdrawn 1" : ""))
            #expect((desk.swaps.records[0].lost?.why == .swapped) == (seconds == 1))
            #expect(desk.put(.logsChanged).all == "")
        }
    }

    @Test func theReasonIsKeptAndOlderRowsAreRead() throws {
        var desk = try desk(at: .asking)
        let open = desk.swaps.records[0]
        desk.lose(1, .left)
        _ = desk.put(.logsChanged)
        for record in [open, desk.swaps.records[0]] {
            let read = try SwapRecord(record.encode(), primitives: Traveller.primitives)
            #expect(read == record)
        }
        // The last items are those of the reason, and whether WITHDRAW `failed` ended it.
        let bytes = open.encode()
        #expect(bytes[0] == 0x97 && Array(bytes.suffix(3)) == [0x00, 0x40, 0xF4])
        for (count, left) in [(UInt8(0x96), 1), (0x94, 3)] {
            let older = [count] + bytes.dropFirst().dropLast(left)
            #expect(try SwapRecord(older, primitives: Traveller.primitives) == open)
        }
        var failed = open
        failed.hasFailed = true
        #expect(try SwapRecord(failed.encode(), primitives: Traveller.primitives) == failed)
    }
}

extension Desk {
    /// The seat of a traveller goes elsewhere.
    fileprivate mutating func lose(_ index: Int, _ why: LostSeat.Why) {
        switch why {
        case .givenUp: travellers[index].retract(slots[index])
        case .left:
            travellers[index].retract(slots[index])
            travellers[index].append(.end)
        case .swapped:
            let contract = ring([index, 3], nonce: 77)
            travellers[index].yes(contract)
            travellers[3].yes(contract)
            let context = context
            guard let made = contract.certificate(context.fold, context.logs) else {
                Issue.record("no certificate")
                return
            }
            travellers[3].commit(made)
            travellers[index].commit(made)
        }
    }
}
