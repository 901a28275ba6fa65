// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The table of docs/protocol.md section 16, row by row, seen from traveller 1 whom traveller 0
/// asks.
@Suite struct ParticipantTests {
    private func invited(_ parties: Int = 2) throws -> (Desk, Contract) {
        var desk = Desk(parties, me: 1)
        let contract = desk.ring(Array(0..<parties))
        let effects = desk.say(try desk.proposal(contract), from: 0)
        #expect(effects.records.map(\.stage) == [.invited])
        #expect(effects.whats == [.requested] && effects.sends.isEmpty)
        return (desk, contract)
    }

    private func ready(_ parties: Int = 2) throws -> (Desk, Contract) {
        var (desk, contract) = try invited(parties)
        let effects = desk.put(.accept(1, override: false))
        #expect(effects.reply == .success(1) && effects.kinds == ["ready 1"])
        #expect(effects.records.map(\.stage) == [.ready])
        #expect(effects.appends.isEmpty && effects.locks.isEmpty)
        return (desk, contract)
    }

    private func prepared(_ parties: Int = 2) throws -> (Desk, Contract) {
        var (desk, contract) = try ready(parties)
        let lock = SlotLock(slot: desk.slots[1], contract: contract.id)
        let effects = desk.say(try desk.prepare(contract), from: 0)
        #expect(effects.appends == [.vote(.yes(contract.id, slots: [desk.slots[1]]))])
        #expect(effects.locks == [lock] && effects.unlocks.isEmpty)
        #expect(effects.records.map(\.stage) == [.prepared])
        #expect(effects.kinds == ["vote \(parties - 1)"] && effects.whats == [.binding])
        #expect(desk.swaps.locks == [lock])
        return (desk, contract)
    }

    @Test func theWayToAYes() throws {
        _ = try prepared()
        _ = try prepared(3)
    }

    @Test func declines() throws {
        for (make, stages) in [(invited, "invited"), (ready, "ready")] {
            var (desk, _) = try make(2)
            var silent = desk
            // Without a note nothing is said; a READY is taken back as if its time had run out.
            #expect(
                silent.put(.decline(1, note: "")).kinds
                    == (desk.stage() == .ready ? ["withdraw lapsed 1"] : []))
            #expect(silent.stage() == .declined)
            let effects = desk.put(.decline(1, note: "no"))
            #expect(effects.kinds == ["decline 1"], "\(stages)")
            #expect(effects.records.map(\.stage) == [.declined])
            #expect(effects.appends.isEmpty)
        }
    }

    @Test func countersAndTheCountersOwnBytesAreConsentedTo() throws {
        var (desk, _) = try invited()
        desk.slots[1] = desk.travellers[1].claim("9F")
        let other = desk.ring([0, 1], nonce: 3)
        let effects = desk.put(.counter(1, other.legs, note: "mine"))
        #expect(effects.kinds == ["propose 2 1"] && desk.stage() == .counterSent)
        let sent = try #require(desk.swaps.records[0].counter)
        #expect(sent.coordinator == desk.key(0))
        let adopted = desk.say(try desk.proposal(sent, revision: 3), from: 0)
        #expect(adopted.kinds == ["ready 1"] && desk.stage() == .ready)
    }

    @Test func aHigherRevisionIsANewQuestionAndALowerOneNone() throws {
        var (desk, contract) = try ready()
        let again = desk.say(try desk.proposal(contract), from: 0)
        #expect(again.kinds == ["ready 1"] && desk.stage() == .ready)
        let other = desk.ring([0, 1], nonce: 1)
        let revised = desk.say(try desk.proposal(other, revision: 2), from: 0)
        #expect(revised.whats == [.countered] && desk.stage() == .invited)
        let old = desk.say(try desk.proposal(contract), from: 0)
        #expect(old == SwapEffects())
    }

    /// Neither time nor the loss of the link ends a yes, only the user's wish.
    @Test func aYesStandsUntilItIsTakenBack() throws {
        var (one, contract) = try ready()
        #expect(one.wait(119) == SwapEffects())
        #expect(one.wait(1).kinds == ["ready 1"] && one.stage() == .ready)
        #expect(one.put(.unlinked(one.key(0))) == SwapEffects())
        #expect(one.wait(100) == SwapEffects() && one.stage() == .ready)
        #expect(one.put(.linked(one.key(0))) == SwapEffects())
        #expect(one.say(try one.proposal(contract), from: 0).kinds == ["ready 1"])
        var other = one
        #expect(other.put(.cancel(1)).kinds == ["withdraw lapsed 1"])
        #expect(other.stage() == .invited)
        #expect(one.say(try one.prepare(contract), from: 0).kinds == ["vote 1"])
    }

    @Test func theCoordinatorTakesItBack() throws {
        for make in [invited, ready] {
            var (desk, _) = try make(2)
            let thread = desk.swaps.records[0].thread
            let effects = desk.say(
                .withdraw(Withdraw(thread: thread, reason: .cancelled)), from: 0)
            #expect(effects.whats == [.withdrawn] && desk.stage() == .withdrawn)
        }
    }

    /// Nothing is signed for what the user did not agree to, but to set a third passenger free.
    @Test func prepareWithoutAConsentGetsNothing() throws {
        var (fresh, contract) = try invited()
        #expect(fresh.say(try fresh.prepare(contract), from: 0) == SwapEffects())
        #expect(fresh.say(.query(contract.id), from: 0).appends.isEmpty)
        #expect(fresh.stage() == .invited && fresh.noes == 0)
        var (closed, other) = try invited()
        _ = closed.put(.decline(1, note: ""))
        #expect(closed.say(try closed.prepare(other), from: 0) == SwapEffects())
        #expect(closed.noes == 0 && closed.stage() == .declined)
    }

    @Test func prepareWithoutAConsentFreesAThird() throws {
        var desk = Desk(3, me: 1)
        let contract = desk.ring([0, 1, 2])
        _ = desk.say(try desk.proposal(contract), from: 0)
        while desk.travellers[1].log.count < Limits.entriesForStrangers - 1 {
            desk.travellers[1].chat("x")
        }
        desk.travellers[2].yes(contract)
        var full = desk
        full.travellers[1].chat("x")
        #expect(full.say(try full.prepare(contract), from: 0) == SwapEffects())
        #expect(desk.say(try desk.prepare(contract), from: 0).kinds == ["vote 2"])
        #expect(desk.noes == 1)
    }

    @Test func prepareOfSomethingElseNeverGetsAYes() throws {
        var (desk, _) = try ready()
        let other = desk.ring([0, 1], nonce: 1)
        #expect(desk.say(try desk.prepare(other), from: 0).appends.isEmpty)
        #expect(desk.yeses == 0)
    }

    @Test func prepareWithABusySlotIsANo() throws {
        var (desk, contract) = try prepared(3)
        let rival = desk.ring([2, 1], nonce: 7)
        _ = desk.say(try desk.proposal(rival, thread: 8), from: 2)
        let effects = desk.put(.accept(2, override: false))
        #expect(effects.reply == .failure(.promised))
        // The other way round: both consented to, then both asked for.
        var (two, first) = try ready(3)
        _ = two.say(try two.proposal(rival, thread: 8), from: 2)
        _ = two.put(.accept(2, override: false))
        _ = two.say(try two.prepare(first), from: 0)
        let refused = two.say(try two.prepare(rival, thread: 8), from: 2)
        #expect(refused.appends == [.vote(.no(rival.id))])
        #expect(refused.whats == [.aborted(.check(.busy))])
        #expect(two.yeses == 1 && two.stage(1) == .prepared && contract.id == first.id)
    }

    @Test func prepareWaitsForTheHeadsItNames() throws {
        var (desk, contract) = try ready(3)
        desk.travellers[2].chat("one more")
        let prepare = try desk.prepare(contract)
        desk.missing = [2: 3]
        let waits = desk.say(prepare, from: 0)
        #expect(waits.appends.isEmpty && waits.wants.map(\.head.author) == [desk.key(2)])
        #expect(desk.stage() == .ready)
        desk.missing = [:]
        #expect(desk.put(.logsChanged).kinds == ["vote 2"] && desk.stage() == .prepared)
    }

    @Test func aPrepareRepeatedIsAnsweredByTheSameVote() throws {
        var (desk, contract) = try prepared()
        let again = desk.say(try desk.prepare(contract), from: 0)
        #expect(again.appends.isEmpty && again.kinds == ["vote 1"] && desk.yeses == 1)
    }

    @Test func allYesesCommit() throws {
        var (desk, contract) = try prepared(3)
        desk.travellers[2].yes(contract)
        #expect(desk.put(.logsChanged).commits.isEmpty)
        desk.travellers[0].yes(contract)
        let effects = desk.put(.logsChanged)
        #expect(effects.commits == [contract] && effects.whats == [.committed])
        #expect(effects.unlocks == [SlotLock(slot: desk.slots[1], contract: contract.id)])
        #expect(desk.swaps.locks.isEmpty && desk.stage() == .committed)
        #expect(desk.context.fold.holder(desk.slots[0]) == desk.key(1))
    }

    @Test func anothersNoFreesAndOnlyACleanOne() throws {
        var (desk, contract) = try prepared(3)
        let no = desk.travellers[2].no(contract)
        var behindAGap = desk
        behindAGap.travellers[2] = desk.travellers[2]
        behindAGap.missing = [2: no.seq]
        #expect(behindAGap.put(.logsChanged).appends.isEmpty)
        let effects = desk.put(.logsChanged)
        #expect(effects.appends == [.abandon(contract.id, no: no)])
        #expect(effects.unlocks.count == 1 && desk.stage() == .aborted)
        var (other, same) = try prepared(3)
        other.travellers[2].yes(same)
        other.travellers[2].no(same)
        #expect(other.put(.logsChanged).appends.isEmpty && other.stage() == .prepared)
    }

    @Test func nothingElseLeavesAYes() throws {
        var (desk, contract) = try prepared()
        let thread = desk.swaps.records[0].thread
        _ = desk.say(.withdraw(Withdraw(thread: thread, reason: .cancelled)), from: 0)
        _ = desk.say(.decline(Decline(thread: thread, revision: 1, note: "")), from: 0)
        _ = desk.say(try desk.proposal(desk.ring([0, 1], nonce: 2), revision: 9), from: 0)
        for wish in [
            SwapEvent.cancel(1), .decline(1, note: ""), .force(1), .accept(1, override: true),
        ] {
            guard case .failure = desk.put(wish).reply else {
                Issue.record("\(wish) was taken")
                continue
            }
        }
        _ = desk.put(.unlinked(desk.key(0)))
        desk.restart()
        _ = desk.put(.recovered)
        for _ in 0..<50 { _ = desk.wait(3600) }
        #expect(desk.stage() == .prepared && desk.swaps.locks.count == 1)
        #expect(desk.travellers[1].log.count == 3 && contract.parties.count == 2)
    }

    @Test func queriesAfterOneTwoFourUpToThirty() throws {
        var (desk, _) = try prepared(3)
        var times: [Int64] = []
        for second in 1...130 where desk.wait(1).kinds.contains("query 2") {
            times.append(Int64(second))
        }
        #expect(times == [1, 2, 4, 8, 16, 32, 62, 92, 122])
        #expect(desk.swaps.records[0].isStuck && desk.stage() == .prepared)
    }

    @Test func forcedItStillTakesTheOutcome() throws {
        func stranded() throws -> (Desk, Contract) {
            var (desk, contract) = try prepared()
            _ = desk.put(.force(1))
            for _ in 0..<130 { _ = desk.wait(1) }
            let effects = desk.put(.force(1))
            let seat = try #require(Seat("2A"))
            #expect(
                effects.appends == [.retract(desk.slots[1]), .claim(seat: seat, dependant: false)])
            #expect(effects.unlocks.isEmpty && desk.stage() == .stranded)
            return (desk, contract)
        }
        var (kept, contract) = try stranded()
        kept.travellers[0].yes(contract)
        let done = kept.put(.logsChanged)
        #expect(done.commits == [contract] && kept.stage() == .committed)
        #expect(done.appends.count == 1)
        let held = kept.context.fold.held(by: kept.key(1)).map(\.seat.text)
        #expect(held == ["1A"])
        var (freed, other) = try stranded()
        freed.travellers[0].no(other)
        #expect(freed.put(.logsChanged).unlocks.count == 1 && freed.stage() == .aborted)
        #expect(freed.context.fold.held(by: freed.key(1)).map(\.seat.text) == ["2A"])
    }

    @Test func afterARestart() throws {
        var (soft, contract) = try ready()
        soft.restart()
        #expect(soft.stage() == .invited)
        // The user is told that their yes is gone, once.
        #expect(soft.put(.recovered).all == "row invited 1; say lapsed")
        #expect(soft.put(.recovered).all == "")
        var asked = try invited().0
        asked.restart()
        #expect(asked.put(.recovered).all == "")
        #expect(soft.say(try soft.prepare(contract), from: 0).appends.isEmpty)
        var (hard, same) = try prepared()
        hard.restart()
        #expect(hard.put(.recovered).appends.isEmpty && hard.stage() == .prepared)
        #expect(hard.put(.tick).kinds == ["query 1"])
        hard.travellers[0].yes(same)
        #expect(hard.put(.logsChanged).commits == [same])
    }

    /// An old copy of the disk: the row says invited, the log, taken from others, holds the yes.
    @Test func aYesFoundInTheOwnLogBinds() throws {
        var (desk, contract) = try invited()
        desk.travellers[1].yes(contract)
        desk.restart()
        let effects = desk.put(.recovered)
        #expect(effects.locks.count == 1 && desk.stage() == .prepared && desk.yeses == 1)
        desk.travellers[0].yes(contract)
        #expect(desk.put(.logsChanged).commits == [contract])
    }

    @Test func itExpires() throws {
        for make in [invited, ready] {
            var (desk, _) = try make(2)
            desk.now.instant = desk.now.instant + .seconds(600)
            #expect(desk.put(.tick).whats == [.expired] && desk.stage() == .expired)
        }
    }
}
