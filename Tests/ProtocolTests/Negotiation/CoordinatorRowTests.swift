// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The table of docs/protocol.md section 16 again, each row with all that it does and the moment at
/// which it does it.
@Suite struct CoordinatorRowTests {
    // MARK: Offered

    @Test func aReadyIsToldOfOnceAndItsHeadIsTheLast() throws {
        var (desk, contract) = Desk.offered(3)
        #expect(desk.say(try desk.ready(contract, 1), from: 1).all == "say ready")
        #expect(desk.say(try desk.ready(contract, 1), from: 1).all == "")
        desk.travellers[1].chat("later")
        #expect(desk.say(try desk.ready(contract, 1), from: 1).all == "")
        let effects = desk.say(try desk.ready(contract, 2), from: 2)
        guard case .message(.prepare(let prepare), let to)? = effects.sends.first else {
            Issue.record("no PREPARE")
            return
        }
        #expect(prepare.heads == contract.parties.map(desk.head))
        #expect(to == [desk.key(1), desk.key(2)] && prepare.contract == contract.bytes)
        #expect(desk.swaps.nextDeadline == desk.now.instant + Limits.voteTime)
    }

    @Test func theMachineCountsNoStranger() throws {
        var desk = Desk(4, me: 0)
        let contract = desk.ring([0, 1, 2])
        _ = desk.put(.propose(contract.legs, note: "", expires: nil))
        let made = desk.swaps.records[0].contract
        let facts = facts(desk, made)
        var machine = Coordinator(desk.swaps.records[0], deadline: .zero + .seconds(9))
        // Not a party, this agent itself, a party under another's name, another contract.
        for (party, id, head) in [
            (3, made.id, 3), (0, made.id, 0), (1, made.id, 2), (1, contract.id, 1),
        ] {
            let event = Coordinator.Event.ready(desk.key(party), id, desk.head(desk.key(head)))
            #expect(machine.handle(event, facts, at: desk.now).all == "")
            #expect(machine.state == .offered(.init(deadline: .zero + .seconds(9))))
        }
    }

    @Test func theMachineTakesNoCounterOfAnotherRing() throws {
        var (desk, contract) = Desk.offered(3)
        let facts = facts(desk, contract)
        let pair = desk.ring([0, 1], nonce: 3)
        let turned = desk.ring([1, 0, 2], nonce: 3)
        let same = desk.ring([0, 2, 1], nonce: 3)
        desk.travellers.append(Traveller(77))
        var machine = Coordinator(desk.swaps.records[0], deadline: .zero + .seconds(9))
        for (party, other, revision) in [
            (1, pair, 2), (1, turned, 2), (3, same, 2), (1, same, 1), (1, same, 3),
        ] {
            let event = Coordinator.Event.counter(
                desk.key(party), other, revision: revision, note: "")
            #expect(machine.handle(event, facts, at: desk.now).all == "")
            #expect(machine.state == .offered(.init(deadline: .zero + .seconds(9))))
        }
        let event = Coordinator.Event.counter(desk.key(1), same, revision: 2, note: "")
        #expect(machine.handle(event, facts, at: desk.now).all == "row countered 1; say countered")
    }

    private func facts(_ desk: Desk, _ contract: Contract) -> Coordinator.Facts {
        Coordinator.Facts(
            me: desk.key(0), tally: Tally(contract, me: desk.key(0), desk.context), fault: nil,
            logs: desk.logs, canAppend: true, isCertifiable: false, pause: .seconds(2),
            linked: [desk.key(1)])
    }

    @Test func itWaitsForHeadsAndForTheOwnLog() throws {
        var (desk, contract) = Desk.offered(3)
        desk.travellers[1].chat("not here yet")
        desk.missing = [1: 3]
        _ = desk.say(try desk.ready(contract, 1), from: 1)
        let waits = desk.say(try desk.ready(contract, 2), from: 2)
        #expect(waits.all == "say ready; want 1")
        #expect(waits.wants == [SwapWant(from: desk.key(1), head: desk.head(desk.key(1)))])
        desk.missing = [:]
        desk.canAppend = false
        #expect(desk.put(.logsChanged).all == "")
        desk.canAppend = true
        #expect(desk.put(.logsChanged).all == "row preparing 1; say binding; send prepare 2")
    }

    @Test func afterACollisionItWaitsUntilThen() throws {
        var (desk, contract) = Desk.offered(3)
        let free = desk.travellers[2]
        _ = desk.say(try desk.ready(contract, 2), from: 2)
        desk.travellers[2].yes(desk.ring([0, 2], nonce: 8))
        #expect(desk.say(try desk.ready(contract, 1), from: 1).all == "say ready")
        let until = try #require(desk.swaps.nextDeadline)
        #expect(
            until > desk.now.instant && until <= desk.now.instant + Limits.retryAfter.upperBound)
        desk.travellers[2] = free
        desk.now.instant = Instant(nanoseconds: until.nanoseconds - 1)
        #expect(desk.put(.logsChanged).all == "" && desk.put(.tick).all == "")
        desk.now.instant = until
        var other = desk
        let asked = "row preparing 1; say binding; send prepare 2"
        #expect(desk.put(.logsChanged).all == asked && other.put(.tick).all == asked)
        #expect(desk.swaps.records[0].tries == 1)
    }

    /// The wait is over, and somebody is not ready any more: no deadline of the past stays.
    @Test func theEndOfAWaitIsNoDeadlineTwice() throws {
        var (desk, contract) = Desk.offered(3)
        desk.travellers[2].yes(desk.ring([0, 2], nonce: 8))
        for party in 1...2 { _ = desk.say(try desk.ready(contract, party), from: party) }
        let until = try #require(desk.swaps.nextDeadline)
        let thread = desk.swaps.records[0].thread
        #expect(desk.say(.withdraw(Withdraw(thread: thread, reason: .lapsed)), from: 2).all == "")
        desk.now.instant = until
        #expect(desk.put(.tick).all == "")
        #expect(try #require(desk.swaps.nextDeadline) == .zero + .seconds(100))
    }

    @Test func aFaultThatStaysEndsIt() throws {
        for (fault, spoil) in [
            (VoteFault.window, { (desk: inout Desk) in desk.window = .closed(since: 1) }),
            (.notHeld(Desk(3, me: 0).slots[1].token), { $0.travellers[1].retract($0.slots[1]) }),
        ] {
            var (desk, contract) = Desk.offered()
            spoil(&desk)
            let effects = desk.say(try desk.ready(contract, 1), from: 1)
            #expect(
                effects.all
                    == "row withdrawn 1; say ready; say aborted by a check; send withdraw failed 1")
            #expect(effects.whats.last == .aborted(.check(fault)))
        }
    }

    @Test func declinesOfThisRevisionEndIt() throws {
        var (desk, _) = Desk.offered(3)
        let thread = desk.swaps.records[0].thread
        func decline(_ revision: Int) -> SwapMessage {
            .decline(Decline(thread: thread, revision: revision, note: "no"))
        }
        #expect(desk.say(decline(2), from: 1).all == "" && desk.stage() == .offered)
        desk.now.utc = UTCTime(seconds: 1005)
        #expect(
            desk.say(decline(1), from: 1).all
                == "row declined 1; say declined; send withdraw failed 2")
        #expect(desk.swaps.records[0].ending == "no")
        #expect(desk.swaps.records[0].updated.seconds == 1005)
        #expect(desk.swaps.nextDeadline == nil)
    }

    @Test func cancelledByItsAuthor() throws {
        var (desk, _) = Desk.offered()
        #expect(
            desk.put(.cancel(1)).all == "row withdrawn 1; say withdrawn; send withdraw cancelled 1")
        var (other, _) = try Desk.countered()
        #expect(
            other.put(.cancel(1)).all == "row withdrawn 1; say withdrawn; send withdraw cancelled 1"
        )
    }

    @Test func itLapsesAtTheEndOfItsTime() throws {
        let lapsed = "row expired 1; say expired; send withdraw expired 1"
        for make in [{ Desk.offered() }, { try Desk.countered() }] {
            var (desk, _) = try make()
            #expect(desk.swaps.nextDeadline == .zero + .seconds(100))
            desk.now.instant = Instant(nanoseconds: 100_000_000_000 - 1)
            #expect(desk.put(.tick).all == "")
            desk.now.instant = .zero + .seconds(100)
            #expect(desk.put(.tick).all == lapsed)
        }
    }

    // MARK: Countered

    @Test func anAdoptedCounterIsAskedOfAll() throws {
        var (desk, other) = try Desk.countered(3)
        #expect(desk.put(.accept(1, override: false)).all == "row offered 3; send propose 3 2")
        let record = desk.swaps.records[0]
        #expect(record.contract == other && record.counter == nil && record.counteredBy == nil)
        #expect(record.ending.isEmpty && desk.swaps.nextDeadline == .zero + .seconds(100))
    }

    @Test func aRejectedCounterEndsIt() throws {
        var (desk, _) = try Desk.countered(3)
        var silent = desk
        let effects = desk.put(.decline(1, note: "no"))
        #expect(
            effects.all == "row declined 1; say declined; send decline 1; send withdraw failed 2")
        guard case .message(.decline(let decline), let to)? = effects.sends.first else {
            Issue.record("no DECLINE")
            return
        }
        #expect(to == [desk.key(1)] && decline.note == "no" && decline.revision == 1)
        #expect(
            silent.put(.decline(1, note: "")).all
                == "row declined 1; say declined; send withdraw cancelled 2")
        #expect(silent.swaps.records[0].ending.isEmpty)
    }

    @Test func aSecondCounterTakesThePlaceOfTheFirst() throws {
        var (desk, _) = try Desk.countered()
        let third = desk.ring([0, 1], nonce: 12)
        #expect(
            desk.say(try desk.counter(third), from: 1).all == "row countered 1; say countered")
        #expect(desk.swaps.records[0].counter == third)
    }

    // MARK: Preparing and after

    @Test func theCommitPointIsOneTurn() throws {
        var (desk, contract) = try Desk.preparing(3)
        desk.travellers[1].yes(contract)
        #expect(desk.put(.logsChanged).all == "")
        desk.travellers[2].yes(contract)
        desk.canAppend = false
        #expect(desk.put(.logsChanged).all == "" && desk.stage() == .preparing)
        desk.canAppend = true
        desk.now.utc = UTCTime(seconds: 1002)
        #expect(
            desk.put(.logsChanged).all
                == "log yes; log commit; lock 1; unlock 1; row committed 1; say committed; "
                + "send certificate 2")
        #expect(desk.swaps.locks.isEmpty && desk.swaps.nextDeadline == nil)
        #expect(desk.swaps.records[0].updated.seconds == 1002)
        #expect(
            desk.put(.linked(desk.key(2))).sends == [.certificate(contract.id, to: [desk.key(2)])])
    }

    /// One of two sessions ended, or one opened: what was under way may be lost.
    @Test func aNewSessionGetsPrepareAgain() throws {
        var (desk, contract) = try Desk.preparing(3)
        let first = SwapMessage.prepare(
            Prepare(
                thread: desk.swaps.records[0].thread, contract: contract.bytes,
                heads: contract.parties.map { desk.head($0) }))
        #expect(
            desk.put(.linked(desk.key(2))).sends == [.message(first, to: [desk.key(2)])])
        desk.restart()
        desk.canAppend = false
        // What was said before a restart is not known any more, and is about to end.
        _ = desk.put(.recovered)
        #expect(desk.put(.linked(desk.key(2))).all == "" && desk.stage() == .preparing)
    }

    @Test func votesThatComeAtTheLastMomentCount() throws {
        var (desk, contract) = try Desk.preparing()
        desk.travellers[1].yes(contract)
        desk.now.instant = Instant(nanoseconds: Limits.voteTime.nanoseconds - 1)
        #expect(desk.put(.tick).kinds == ["certificate 1"])
        var (late, other) = try Desk.preparing()
        late.travellers[1].yes(other)
        late.now.instant = .zero + Limits.voteTime
        #expect(late.put(.tick).all == "log no; row aborted 1; say aborted by silence; send vote 1")
    }

    @Test func withoutItsLogItWaitsAndThenSaysNo() throws {
        for spoil in [{ (desk: inout Desk) in _ = desk.put(.cancel(1)) }, { _ in }] {
            var (desk, _) = try Desk.preparing()
            desk.canAppend = false
            spoil(&desk)
            #expect(desk.wait(5).all == "" && desk.stage() == .preparing)
            #expect(desk.swaps.nextDeadline == desk.now.instant + Limits.voteTime)
        }
    }

    /// An old copy of the disk was put back, and the own log came back from others.
    @Test func theOwnVoteFoundInTheLogStands() throws {
        var (no, refused) = try Desk.preparing()
        no.travellers[0].no(refused)
        no.restart()
        #expect(no.put(.recovered).all == "row aborted 1; say aborted by a restart; send vote 1")
        var (yes, contract) = try Desk.preparing()
        yes.travellers[0].yes(contract)
        yes.restart()
        // The other vote is not known yet.
        #expect(yes.put(.recovered).all == "" && yes.stage() == .preparing)
        #expect(yes.swaps.nextDeadline == yes.now.instant + Limits.voteTime)
        yes.travellers[1].yes(contract)
        yes.canAppend = false
        #expect(yes.put(.logsChanged).all == "" && yes.stage() == .preparing)
        yes.canAppend = true
        #expect(
            yes.put(.logsChanged).all
                == "log commit; row committed 1; say committed; send certificate 1")
    }

    /// The row says that it was only asked; the log, taken from others, says how it ended.
    @Test func theLogKnowsMoreThanTheRow() throws {
        for make in [{ Desk.offered() }, { (try Desk.countered().0, Desk.offered().1) }] {
            var (desk, contract) = try make()
            guard desk.swaps.records[0].contract == contract else { continue }
            var refused = desk
            refused.travellers[0].no(contract)
            #expect(
                refused.put(.recovered).all
                    == "row aborted 1; say aborted by a restart; send vote 1")
            desk.travellers[1].yes(contract)
            desk.travellers[0].yes(contract)
            var whole = desk
            let context = whole.context
            let made = try #require(contract.certificate(context.fold, context.logs))
            whole.travellers[0].commit(made)
            whole.canAppend = false
            #expect(
                whole.put(.logsChanged).all
                    == "row committed 1; say committed; send certificate 1")
            // Its end may still come: nobody takes it back, and no deadline of the past stays.
            desk.canAppend = false
            desk.now.instant = .zero + .seconds(100)
            #expect(desk.put(.tick).all == "" && desk.put(.cancel(1)).all == "")
            #expect(try #require(desk.swaps.nextDeadline) > desk.now.instant)
            desk.canAppend = true
            #expect(
                desk.put(.recovered).all
                    == "log commit; row committed 1; say committed; send certificate 1")
        }
    }

    @Test func whoeverAsksAfterTheEndHearsOfIt() throws {
        func ended(_ act: (inout Desk, Contract) throws -> Void) throws -> (Desk, Contract) {
            var (desk, contract) = Desk.offered()
            try act(&desk, contract)
            return (desk, contract)
        }
        let thread = Desk.offered().0.swaps.records[0].thread
        for (word, act) in [
            ("cancelled", { (desk: inout Desk, _: Contract) in _ = desk.put(.cancel(1)) }),
            (
                "failed",
                { desk, _ in
                    _ = desk.say(.decline(Decline(thread: thread, revision: 1, note: "x")), from: 1)
                }
            ),
        ] {
            var (desk, contract) = try ended(act)
            #expect(desk.put(.linked(desk.key(1))).all == "send withdraw \(word) 1")
            #expect(desk.say(try desk.ready(contract, 1), from: 1).all == "send withdraw \(word) 1")
            // Nobody thinks that it goes on once its time is over.
            desk.now.utc = UTCTime(seconds: 1099)
            #expect(desk.put(.linked(desk.key(1))).all == "send withdraw \(word) 1")
            desk.now.utc = UTCTime(seconds: 1100)
            #expect(desk.put(.linked(desk.key(1))).all == "")
        }
        var (aborted, contract) = try Desk.preparing()
        _ = aborted.put(.cancel(1))
        #expect(aborted.put(.linked(aborted.key(1))).all == "")
        #expect(
            aborted.say(try aborted.ready(contract, 1), from: 1).all == "send withdraw failed 1")
        // The clock was set back after it lapsed: that is what is said, and not that it failed.
        var (expired, other) = Desk.offered()
        expired.now.instant = .zero + .seconds(100)
        _ = expired.put(.tick)
        #expect(expired.say(try expired.ready(other, 1), from: 1).all == "send withdraw expired 1")
    }

    @Test func finalIsSaidOnceAndKept() throws {
        var (desk, contract) = try Desk.preparing()
        desk.travellers[1].yes(contract)
        _ = desk.put(.logsChanged)
        desk.acknowledged = desk.travellers[0].log.count
        desk.now.utc = UTCTime(seconds: 1044)
        #expect(desk.put(.logsChanged).all == "row committed 1; say final")
        #expect(desk.swaps.records[0].isFinal && desk.swaps.records[0].updated.seconds == 1044)
        #expect(desk.put(.logsChanged).all == "")
        desk.restart()
        #expect(desk.put(.logsChanged).all == "" && desk.swaps.records[0].isFinal)
    }

    @Test func afterARestartTheTimeLeftIsKept() throws {
        var (desk, contract) = Desk.offered()
        _ = desk.wait(40)
        desk.restart()
        #expect(desk.swaps.nextDeadline == desk.now.instant + .seconds(60))
        desk.now.utc = UTCTime(seconds: 5000)
        desk.restart()
        #expect(desk.swaps.nextDeadline == desk.now.instant)
        var (again, _) = try Desk.countered()
        again.restart()
        #expect(again.stage() == .countered)
        #expect(again.put(.accept(1, override: false)).all == "row offered 3; send propose 3 1")
        var (asked, same) = try Desk.preparing()
        asked.restart()
        #expect(asked.swaps.nextDeadline == asked.now.instant + Limits.voteTime)
        #expect(same.parties.count == 2 && contract.parties.count == 2)
    }

    @Test func aProposalTellsTheTimeLeft() throws {
        var (desk, _) = Desk.offered()
        _ = desk.wait(40)
        guard
            case .message(.propose(let proposal), _)? = desk.put(.linked(desk.key(1))).sends.first
        else {
            Issue.record("no PROPOSE")
            return
        }
        #expect(proposal.expires == 60 && proposal.note == "please" && proposal.revision == 1)
    }
}
