// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The table of docs/protocol.md section 16 again, each row with all that it does and the moment at
/// which it does it.
@Suite struct ParticipantRowTests {
    // MARK: Invited

    @Test func onlyAHigherRevisionIsNew() throws {
        var (desk, contract) = try Desk.invited()
        #expect(desk.say(try desk.proposal(contract), from: 0).all == "")
        let other = desk.ring([0, 1], nonce: 1)
        #expect(desk.say(try desk.proposal(other), from: 0).all == "")
        #expect(desk.swaps.records[0].contract == contract)
        _ = desk.wait(50)
        let effects = desk.say(try desk.proposal(other, revision: 2), from: 0)
        #expect(effects.all == "row invited 2; say countered")
        let record = desk.swaps.records[0]
        #expect(record.contract == other && record.revision == 2)
        #expect(record.expires.seconds == 1650 && record.updated.seconds == 1050)
        #expect(desk.swaps.nextDeadline == .zero + .seconds(650))
        // Its words come with it.
        let words = Proposal(
            thread: record.thread, revision: 3, contract: desk.ring([0, 1], nonce: 5).bytes,
            note: "please", expires: 60)
        _ = desk.say(.propose(words), from: 0)
        #expect(desk.swaps.records[0].note == "please")
    }

    /// What was accepted knowingly is accepted for that contract and no other.
    @Test func aNewRevisionForgetsWhatBelongedToTheOld() throws {
        var (desk, _) = try Desk.invited()
        _ = desk.put(.accept(1, override: true))
        #expect(desk.swaps.records[0].override)
        let other = desk.ring([0, 1], nonce: 1)
        _ = desk.say(try desk.proposal(other, revision: 2), from: 0)
        #expect(!desk.swaps.records[0].override && desk.stage() == .invited)
        _ = desk.put(.counter(1, desk.ring([0, 1], nonce: 2).legs, note: "mine"))
        #expect(desk.swaps.records[0].counter != nil)
        _ = desk.say(try desk.proposal(desk.ring([0, 1], nonce: 3), revision: 4), from: 0)
        #expect(desk.swaps.records[0].counter == nil && desk.stage() == .invited)
    }

    /// Only the bytes of the counter-offer that stands are consented to unasked.
    @Test func theCountersOwnBytesAndNoOthers() throws {
        var (desk, _) = try Desk.invited()
        let effects = desk.put(.counter(1, desk.ring([0, 1], nonce: 2).legs, note: "mine"))
        #expect(effects.all == "row counterSent 1; send propose 2 1")
        guard case .message(.propose(let proposal), let to)? = effects.sends.first else {
            Issue.record("no PROPOSE")
            return
        }
        #expect(to == [desk.key(0)] && proposal.note == "mine" && proposal.expires == 600)
        let sent = try #require(desk.swaps.records[0].counter)
        var restarted = desk
        restarted.restart()
        for desk in [desk, restarted] {
            var desk = desk
            let same = desk.say(try desk.proposal(sent, revision: 3), from: 0)
            #expect(same.all == "row ready 3; say ready; send ready 1")
            #expect(desk.swaps.records[0].counter == nil)
        }
        let other = desk.ring([0, 1], nonce: 4)
        #expect(
            desk.say(try desk.proposal(other, revision: 3), from: 0).all
                == "row invited 3; say countered")
    }

    @Test func aCounterOfferSaysHowLongItStands() throws {
        for (seconds, left) in [(Int64(590), 10), (599, 1)] {
            var (desk, _) = try Desk.invited()
            _ = desk.wait(seconds)
            let effects = desk.put(.counter(1, desk.ring([0, 1], nonce: 2).legs, note: ""))
            guard case .message(.propose(let proposal), _)? = effects.sends.first else {
                Issue.record("no PROPOSE")
                continue
            }
            #expect(proposal.expires == left)
        }
    }

    @Test func theCoordinatorDeclinesTheCounter() throws {
        for accepted in [false, true] {
            var (desk, _) = try accepted ? Desk.ready() : Desk.invited()
            let thread = desk.swaps.records[0].thread
            let effects = desk.say(
                .decline(Decline(thread: thread, revision: 7, note: "no")), from: 0)
            #expect(effects.all == "row declined 1; say declined")
            #expect(effects.whats == [.declined(desk.key(0))])
            #expect(desk.swaps.records[0].ending == "no")
        }
    }

    @Test func anotherPartysDeclineIsNotForUs() throws {
        var (desk, _) = try Desk.invited(3)
        let thread = desk.swaps.records[0].thread
        let decline = SwapMessage.decline(Decline(thread: thread, revision: 1, note: "no"))
        #expect(desk.say(decline, from: 2).all == "")
        let withdraw = SwapMessage.withdraw(Withdraw(thread: thread, reason: .failed))
        #expect(desk.say(withdraw, from: 2).all == "" && desk.stage() == .invited)
    }

    @Test func whatTheCoordinatorTakesBack() throws {
        for (reason, all) in [
            (Withdraw.Reason.expired, "row expired 1; say expired"),
            (.cancelled, "row withdrawn 1; say withdrawn"),
            (.failed, "row withdrawn 1; say withdrawn"), (.lapsed, ""),
        ] {
            for make in [Desk.invited, Desk.ready] {
                var (desk, _) = try make(2)
                let thread = desk.swaps.records[0].thread
                desk.now.utc = UTCTime(seconds: 1003)
                let message = SwapMessage.withdraw(Withdraw(thread: thread, reason: reason))
                #expect(desk.say(message, from: 0).all == all)
                #expect(desk.swaps.records[0].updated.seconds == (all.isEmpty ? 1000 : 1003))
            }
        }
    }

    @Test func declinedWithWordsAndWithout() throws {
        for (make, silent) in [(Desk.invited, ""), (Desk.ready, "; send withdraw lapsed 1")] {
            var (desk, contract) = try make(2)
            var mute = desk
            #expect(mute.put(.decline(1, note: "")).all == "row declined 1; say declined" + silent)
            #expect(mute.say(try mute.proposal(contract), from: 0).all == "")
            #expect(
                desk.put(.decline(1, note: "no")).all
                    == "row declined 1; say declined; send decline 1")
            #expect(desk.swaps.records[0].ending == "no")
            // The asker did not hear it: the same question again, and no other.
            let again = desk.say(try desk.proposal(contract, revision: 1), from: 0)
            #expect(again.all == "send decline 1")
            let other = desk.ring([0, 1], nonce: 1)
            #expect(desk.say(try desk.proposal(other, revision: 2), from: 0).all == "")
        }
    }

    // MARK: Ready

    @Test func theSameQuestionAgainIsTheSameAnswer() throws {
        var (desk, contract) = try Desk.ready()
        #expect(desk.say(try desk.proposal(contract), from: 0).all == "send ready 1")
        let other = desk.ring([0, 1], nonce: 1)
        #expect(desk.say(try desk.proposal(other), from: 0).all == "" && desk.stage() == .ready)
        #expect(
            desk.say(try desk.proposal(contract, revision: 2), from: 0).all
                == "row invited 2; say countered")
    }

    @Test func aYesStandsAndIsSaidAgain() throws {
        var (desk, _) = try Desk.ready()
        desk.now.instant = Instant(nanoseconds: Limits.readyTime.nanoseconds - 1)
        #expect(desk.put(.tick).all == "")
        for round in 1...4 {
            #expect(desk.swaps.nextDeadline == .zero + .seconds(Int64(round) * 120))
            desk.travellers[1].chat("one more")
            desk.now.instant = .zero + .seconds(Int64(round) * 120)
            let effects = desk.put(.tick)
            #expect(effects.all == "send ready 1" && desk.put(.tick).all == "")
            guard case .message(.ready(let ready), _)? = effects.sends.first else {
                Issue.record("no READY")
                return
            }
            #expect(ready.head == desk.head(desk.key(1)))
        }
        #expect(desk.swaps.nextDeadline == .zero + .seconds(600))
        desk.now.instant = .zero + .seconds(600)
        #expect(desk.put(.tick).all == "row expired 1; say expired")
        // The offer's own time is up first.
        var (late, _) = try Desk.invited()
        late.now.instant = .zero + .seconds(500)
        _ = late.put(.accept(1, override: false))
        #expect(late.swaps.nextDeadline == .zero + .seconds(600))
        late.now.instant = Instant(nanoseconds: 600_000_000_000 - 1)
        #expect(late.put(.tick).all == "")
        late.now.instant = .zero + .seconds(600)
        #expect(late.put(.tick).all == "row expired 1; say expired")
        #expect(late.swaps.nextDeadline == nil)
    }

    @Test func aYesIsTakenBack() throws {
        var (desk, contract) = try Desk.ready()
        desk.now.utc = UTCTime(seconds: 1120)
        #expect(desk.put(.cancel(1)).all == "row invited 1; say lapsed; send withdraw lapsed 1")
        #expect(desk.swaps.nextDeadline == .zero + .seconds(600))
        #expect(desk.swaps.records[0].updated.seconds == 1120)
        // It stands no more: whoever asks again hears nothing, until the user says it again.
        #expect(desk.say(try desk.proposal(contract), from: 0).all == "")
        #expect(desk.put(.accept(1, override: false)).all == "row ready 1; say ready; send ready 1")
    }

    /// Asked again at any time, it is said again, and T_ready begins anew.
    @Test func askedAgainItCountsFromThen() throws {
        var (desk, contract) = try Desk.ready()
        desk.now.instant = .zero + .seconds(70)
        #expect(desk.say(try desk.proposal(contract), from: 0).all == "send ready 1")
        #expect(desk.swaps.nextDeadline == .zero + .seconds(190))
    }

    /// PREPARE that waited for logs longer than its coordinator for votes is no PREPARE any more.
    @Test func aPrepareDoesNotOutliveItsReady() throws {
        var (desk, contract) = try Desk.ready(3)
        desk.travellers[2].chat("one more")
        desk.missing = [2: 3]
        #expect(desk.say(try desk.prepare(contract), from: 0).all == "want 1")
        desk.now.instant = .zero + Limits.readyTime
        #expect(desk.put(.tick).all == "send ready 1")
        desk.missing = [:]
        #expect(desk.put(.logsChanged).all == "" && desk.yeses == 0)
        // Asked for the vote again, it is given.
        #expect(desk.say(try desk.prepare(contract), from: 0).kinds == ["vote 2"])
        #expect(desk.yeses == 1)
    }

    @Test func anInvitationExpiresAtItsTime() throws {
        var (desk, _) = try Desk.invited()
        desk.now.instant = Instant(nanoseconds: 600_000_000_000 - 1)
        #expect(desk.put(.tick).all == "")
        desk.now.instant = .zero + .seconds(600)
        #expect(desk.put(.tick).all == "row expired 1; say expired")
    }

    @Test func aPrepareWithOtherHeadsIsANo() throws {
        for change in [{ (heads: inout [LogHead]) in heads.removeLast() }, { $0.reverse() }] {
            var (desk, contract) = try Desk.ready(3)
            var heads = contract.parties.map(desk.head)
            change(&heads)
            let prepare = Prepare(
                thread: desk.swaps.records[0].thread, contract: contract.bytes, heads: heads)
            let effects = desk.say(.prepare(prepare), from: 0)
            #expect(effects.all == "log no; row aborted 1; say aborted by a check; send vote 2")
            #expect(effects.whats == [.aborted(.check(.otherContract))])
        }
    }

    @Test func aPrepareWaitsForLogsAndForTheOwn() throws {
        var (desk, contract) = try Desk.ready(3)
        desk.travellers[2].chat("one more")
        desk.missing = [2: 3]
        let waits = desk.say(try desk.prepare(contract), from: 0)
        #expect(waits.all == "want 1")
        #expect(waits.wants == [SwapWant(from: desk.key(0), head: desk.head(desk.key(2)))])
        desk.missing = [:]
        desk.canAppend = false
        #expect(desk.put(.logsChanged).all == "" && desk.stage() == .ready)
        desk.canAppend = true
        desk.now.utc = UTCTime(seconds: 1002)
        #expect(
            desk.put(.logsChanged).all
                == "log yes; lock 1; row prepared 1; say binding; send vote 2")
        #expect(desk.swaps.records[0].updated.seconds == 1002)
        // Its own head is no reason to wait: what it has not written yet, nobody can know.
        var (own, same) = try Desk.ready()
        var heads = same.parties.map(own.head)
        heads[1] = LogHead(author: own.key(1), seq: 99, id: EntryID(.zero))
        let prepare = Prepare(
            thread: own.swaps.records[0].thread, contract: same.bytes, heads: heads)
        #expect(own.say(.prepare(prepare), from: 0).kinds == ["vote 1"] && own.yeses == 1)
    }

    @Test func anotherPartysNoEndsASoftYes() throws {
        for make in [Desk.invited, Desk.ready] {
            var (desk, contract) = try make(3)
            desk.travellers[2].no(contract)
            let effects = desk.put(.logsChanged)
            #expect(effects.all == "row aborted 1; say refused")
            #expect(effects.whats == [.aborted(.refused(desk.key(2)))])
            _ = desk.say(try desk.prepare(contract), from: 0)
            #expect(desk.yeses == 0 && desk.noes == 0)
        }
    }

    @Test func aPrepareOutOfTurn() throws {
        let refused = "log no; row aborted 1; say aborted by a check; send vote 2"
        var (fresh, contract) = try Desk.invited(3)
        fresh.travellers[2].yes(contract)
        #expect(fresh.say(try fresh.prepare(fresh.ring([0, 1], nonce: 3)), from: 0).all == "")
        var shut = fresh
        shut.canAppend = false
        #expect(shut.say(try shut.prepare(contract), from: 0).all == "")
        #expect(shut.stage() == .invited)
        #expect(fresh.say(try fresh.prepare(contract), from: 0).all == refused)
        // Asked again, it says the same again, and of another contract nothing.
        #expect(fresh.say(try fresh.prepare(contract), from: 0).all == "send vote 1")
        #expect(fresh.say(try fresh.prepare(fresh.ring([0, 1], nonce: 3)), from: 0).all == "")
        #expect(fresh.noes == 1)
    }

    /// One of a ring whose request was taken back has nothing to say of it.
    @Test func onlyWhoeverAskedSaysAgainThatItIsOver() throws {
        var (desk, _) = try Desk.invited(3)
        let thread = desk.swaps.records[0].thread
        _ = desk.say(.withdraw(Withdraw(thread: thread, reason: .cancelled)), from: 0)
        #expect(desk.stage() == .withdrawn)
        #expect(desk.put(.linked(desk.key(0))).all == "")
    }
}
