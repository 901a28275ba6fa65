// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The rows of docs/protocol.md section 16 behind a yes: in doubt, forced, decided, and after a
/// restart.
@Suite struct ParticipantDoubtRowTests {
    @Test func inDoubtItWaitsForTheOwnLogToo() throws {
        var (desk, contract) = try Desk.prepared()
        desk.travellers[0].yes(contract)
        desk.canAppend = false
        #expect(desk.put(.logsChanged).all == "" && desk.stage() == .prepared)
        #expect(desk.swaps.locks.count == 1)
        desk.canAppend = true
        desk.now.utc = UTCTime(seconds: 1004)
        #expect(
            desk.put(.logsChanged).all
                == "log commit; unlock 1; row committed 1; say committed")
        #expect(desk.swaps.records[0].updated.seconds == 1004 && desk.swaps.nextDeadline == nil)
        #expect(desk.say(try desk.prepare(contract), from: 0).all == "send vote 1")
    }

    @Test func freedByANo() throws {
        var (desk, contract) = try Desk.prepared(3)
        desk.travellers[0].no(contract)
        let effects = desk.put(.logsChanged)
        #expect(effects.all == "log abandon; unlock 1; row aborted 1; say refused")
        #expect(effects.whats == [.aborted(.refused(desk.key(0)))])
        #expect(desk.say(try desk.prepare(contract), from: 0).all == "send vote 1")
    }

    @Test func inDoubtItAsksAndTellsOnce() throws {
        var (desk, contract) = try Desk.prepared(3)
        #expect(desk.swaps.nextDeadline == .zero + .seconds(1))
        desk.now.instant = Instant(nanoseconds: 999_999_999)
        #expect(desk.put(.tick).all == "")
        var said: [String] = []
        for second in 1...200 {
            desk.now.instant = .zero + .seconds(Int64(second))
            let effects = desk.put(.tick)
            if effects.all != "" { said.append("\(second): \(effects.all)") }
            if case .message(.query(let id), let to)? = effects.sends.first {
                #expect(id == contract.id && to == [desk.key(0), desk.key(2)])
            }
        }
        let query = "send query 2"
        #expect(
            said == [1, 2, 4, 8, 16, 32, 62, 92].map { "\($0): \(query)" }
                + ["122: row prepared 1; say stranded; \(query)", "152: \(query)", "182: \(query)"])
        // The coordinator comes back and is asked at once, and nobody else is.
        let asked = desk.put(.linked(desk.key(0)))
        #expect(asked.sends == [.message(.query(contract.id), to: [desk.key(0)])])
        #expect(
            desk.put(.linked(desk.key(2))).all == "" && desk.put(.unlinked(desk.key(0))).all == "")
        #expect(desk.stage() == .prepared)
    }

    /// Told at the first question from the 120th second on, not before.
    @Test func strandedFromThe120thSecond() throws {
        for (delay, isTold) in [(Int64(119), false), (120, true)] {
            var (desk, _) = try Desk.prepared()
            desk.now.instant = .zero + .seconds(delay)
            #expect(desk.put(.tick).whats == (isTold ? [.stranded] : []))
        }
    }

    @Test func forcedItGoesOnAsking() throws {
        var (desk, contract) = try Desk.prepared()
        desk.now.instant = .zero + .seconds(120)
        _ = desk.put(.tick)
        let effects = desk.put(.force(1))
        #expect(effects.all == "log retract; log claim 2A; row stranded 1")
        #expect(desk.put(.linked(desk.key(0))).all == "send query 1" && desk.stage() == .stranded)
        desk.now.instant = desk.now.instant + .seconds(30)
        #expect(desk.put(.tick).all == "send query 1" && desk.stage() == .stranded)
        guard case .failure(.notStranded) = desk.put(.force(1)).reply else {
            Issue.record("forced twice")
            return
        }
        #expect(desk.say(try desk.prepare(contract), from: 0).all == "send vote 1")
        var restarted = desk
        restarted.restart()
        #expect(restarted.put(.tick).all == "send query 1" && restarted.stage() == .stranded)
        for (desk, isFreed) in [(desk, false), (restarted, true)] {
            var desk = desk
            if isFreed { desk.travellers[0].no(contract) } else { desk.travellers[0].yes(contract) }
            #expect(
                desk.put(.logsChanged).all
                    == (isFreed
                        ? "log abandon; unlock 1; row aborted 1; say refused"
                        : "log retract; log commit; unlock 1; row committed 1; say committed"))
        }
    }

    /// The contract completes after all: the own re-mint goes, and nothing else that looks like it.
    @Test func onlyTheOwnRemintIsGivenBack() throws {
        var (desk, contract) = try Desk.prepared(3)
        desk.now.instant = .zero + .seconds(120)
        _ = desk.put(.tick)
        _ = desk.put(.force(1))
        // It was given back by hand, and claimed once more.
        let first = try #require(desk.context.fold.held(by: desk.key(1)).first).slot
        desk.travellers[1].retract(first)
        let again = desk.travellers[1].claim("2A")
        // Others claimed that seat twice too, and one of these came here by another swap.
        for other in [0, 2] {
            desk.travellers[other].retract(desk.travellers[other].claim("2A"))
        }
        let (theirs, own) = (desk.travellers[0].claim("2A"), desk.travellers[1].claim("7C"))
        _ = desk.travellers[2].claim("2A")
        swap(&desk.travellers, 0, theirs, 1, own)
        for other in [0, 2] { desk.travellers[other].yes(contract) }
        let effects = desk.put(.logsChanged)
        #expect(effects.appends == [.retract(again)] && effects.commits == [contract])
    }

    /// An old copy of the disk was put back: the row knows less than the log.
    @Test func theOwnVoteFoundInTheLogStands() throws {
        var (no, refused) = try Desk.invited()
        no.travellers[1].no(refused)
        let effects = no.put(.recovered)
        #expect(effects.all == "row aborted 1; say refused")
        #expect(effects.whats == [.aborted(.refused(no.key(1)))])
        var (yes, contract) = try Desk.invited()
        yes.travellers[1].yes(contract)
        #expect(yes.put(.logsChanged).all == "lock 1; row prepared 1")
        #expect(yes.swaps.nextDeadline == yes.now.instant)
        var (both, same) = try Desk.invited()
        both.travellers[0].yes(same)
        both.travellers[1].yes(same)
        #expect(
            both.put(.recovered).all
                == "log commit; lock 1; unlock 1; row prepared 1; row committed 1; say committed")
        #expect(both.swaps.locks.isEmpty)
        // Its consent is in memory, and then the vote is found.
        var (late, again) = try Desk.ready()
        late.travellers[1].yes(again)
        #expect(
            late.say(try late.prepare(again), from: 0).all
                == "lock 1; row prepared 1; send vote 1")
        #expect(late.say(try late.prepare(again), from: 0).all == "send vote 1")
    }

    /// Seed 207780058097: the log of the old copy holds a yes, how it was left, and
    /// the next yes on that seat.
    @Test func whatTheLogSaysCameAfterTheYesIsNotDoneAgain() throws {
        var (left, contract) = try Desk.invited(3)
        let next = left.ring([2, 1], nonce: 7)
        _ = left.say(try left.proposal(next, thread: 8), from: 2)
        left.travellers[1].yes(contract)
        left.travellers[1].abandon(contract, left.travellers[2].no(contract))
        left.travellers[1].yes(next)
        left.restart()
        let effects = left.put(.recovered)
        #expect(effects.all == "lock 1; row aborted 1; row prepared 1; say refused")
        #expect(effects.whats == [.aborted(.refused(left.key(2)))])
        #expect(left.swaps.locks == [SlotLock(slot: left.slots[1], contract: next.id)])
        // The row knew of the yes, and had its lock.
        var (bound, same) = try Desk.prepared(3)
        bound.travellers[1].abandon(same, bound.travellers[2].no(same))
        bound.restart()
        #expect(bound.put(.recovered).all == "unlock 1; row aborted 1; say refused")
        for make in [Desk.invited, Desk.prepared] {
            var (done, contract) = try make(2)
            if done.yeses == 0 { done.travellers[1].yes(contract) }
            done.travellers[0].yes(contract)
            let context = done.context
            let made = try #require(contract.certificate(context.fold, context.logs))
            done.travellers[1].commit(made)
            let isBound = !done.swaps.locks.isEmpty
            done.restart()
            #expect(
                done.put(.recovered).all
                    == (isBound ? "unlock 1; " : "") + "row committed 1; say committed")
            #expect(done.swaps.locks.isEmpty)
        }
    }

    /// The re-mint too is known from the log only: it is given back all the same.
    @Test func aRemintThatOnlyTheLogKnowsIsGivenBack() throws {
        var (desk, contract) = try Desk.invited()
        desk.travellers[1].yes(contract)
        desk.travellers[1].retract(desk.slots[1])
        let again = desk.travellers[1].claim("2A")
        desk.restart()
        #expect(desk.put(.recovered).all == "lock 1; row prepared 1")
        desk.travellers[0].yes(contract)
        let effects = desk.put(.logsChanged)
        #expect(effects.appends == [.retract(again)] && effects.commits == [contract])
        // What the contract itself gives is no such re-mint.
        var own = Desk(2, me: 1)
        own.travellers[1].retract(own.slots[1])
        own.slots[1] = own.travellers[1].claim("2A")
        let pair = own.ring([0, 1])
        _ = own.say(try own.proposal(pair), from: 0)
        _ = own.put(.accept(1, override: true))
        _ = own.say(try own.prepare(pair), from: 0)
        own.travellers[0].yes(pair)
        #expect(own.put(.logsChanged).appends.isEmpty && own.stage() == .committed)
    }

    /// While more of the log may come, a yes in it is neither held nor answered for.
    @Test func aFoundYesWaitsForTheRestOfTheLog() throws {
        for make in [Desk.invited, Desk.ready] {
            var (desk, contract) = try make(2)
            desk.travellers[1].yes(contract)
            desk.canAppend = false
            #expect(desk.put(.logsChanged).all == "" && desk.swaps.locks.isEmpty)
            desk.now.instant = .zero + .seconds(700)
            #expect(desk.put(.tick).all == "" && desk.put(.decline(1, note: "no")).all == "")
            #expect(try #require(desk.swaps.nextDeadline) > desk.now.instant)
            desk.canAppend = true
            #expect(desk.put(.recovered).all == "lock 1; row prepared 1")
        }
    }

    /// Its yes is in its log, and the row does not know it: no fault brings a no behind it.
    @Test func noNoComesBehindAYes() throws {
        for make in [Desk.invited, Desk.ready] {
            for spoil in [
                { (desk: inout Desk) in desk.window = .closed(since: 1) },
                { $0.blocked = [$0.key(0)] },
            ] {
                var (desk, contract) = try make(3)
                desk.travellers[1].yes(contract)
                spoil(&desk)
                #expect(
                    desk.say(try desk.prepare(contract), from: 0).all
                        == "lock 1; row prepared 1; send vote 1")
                #expect(desk.say(try desk.prepare(contract), from: 0).all == "send vote 1")
                let heads = Array(contract.parties.map(desk.head).reversed())
                let wrong = Prepare(
                    thread: desk.swaps.records[0].thread, contract: contract.bytes, heads: heads)
                #expect(desk.say(.prepare(wrong), from: 0).all == "send vote 1")
                #expect(desk.yeses == 1 && desk.noes == 0)
            }
        }
    }

    @Test func finalIsSaidOnceAndKept() throws {
        var (desk, contract) = try Desk.prepared()
        desk.travellers[0].yes(contract)
        _ = desk.put(.logsChanged)
        desk.acknowledged = desk.travellers[1].log.count
        desk.now.utc = UTCTime(seconds: 1044)
        #expect(desk.put(.logsChanged).all == "row committed 1; say final")
        #expect(desk.swaps.records[0].isFinal && desk.swaps.records[0].updated.seconds == 1044)
        #expect(desk.put(.logsChanged).all == "")
    }

    @Test func afterARestart() throws {
        var (soft, _) = try Desk.ready()
        _ = soft.wait(40)
        soft.restart()
        #expect(soft.stage() == .invited)
        #expect(soft.swaps.nextDeadline == soft.now.instant + .seconds(560))
        #expect(soft.put(.accept(1, override: false)).all == "row ready 1; say ready; send ready 1")
        var (hard, contract) = try Desk.prepared()
        hard.restart()
        #expect(hard.swaps.locks.count == 1 && hard.swaps.nextDeadline == hard.now.instant)
        hard.travellers[0].yes(contract)
        #expect(hard.put(.recovered).kinds.isEmpty && hard.stage() == .committed)
    }
}
