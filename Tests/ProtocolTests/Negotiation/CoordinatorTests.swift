// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The table of docs/protocol.md section 16, row by row, seen from traveller 0 who asks.
@Suite struct CoordinatorTests {
    private func offered(_ parties: Int = 2) throws -> (Desk, Contract) {
        var desk = Desk(parties, me: 0)
        let legs = desk.ring(Array(0..<parties)).legs
        let effects = desk.put(.propose(legs, note: "please", expires: nil))
        #expect(effects.reply == .success(1) && effects.records.map(\.stage) == [.offered])
        #expect(effects.kinds == ["propose 1 \(parties - 1)"] && effects.appends.isEmpty)
        return (desk, desk.swaps.records[0].contract)
    }

    private func preparing(_ parties: Int = 2) throws -> (Desk, Contract) {
        var (desk, contract) = try offered(parties)
        for party in 1..<parties {
            let effects = desk.say(try desk.ready(contract, party), from: party)
            let isLast = party == parties - 1
            #expect(effects.kinds == (isLast ? ["prepare \(parties - 1)"] : []))
            #expect(effects.records.map(\.stage) == (isLast ? [.preparing] : []))
            #expect(effects.appends.isEmpty && effects.locks.isEmpty)
        }
        return (desk, contract)
    }

    @Test func allReadyAsksForVotes() throws {
        _ = try preparing()
        _ = try preparing(3)
    }

    @Test func theOwnYesIsTheCommitPoint() throws {
        var (desk, contract) = try preparing(3)
        desk.travellers[1].yes(contract)
        #expect(desk.put(.logsChanged) == SwapEffects())
        desk.travellers[2].yes(contract)
        let effects = desk.put(.logsChanged)
        #expect(effects.appends == [.vote(.yes(contract.id, slots: [desk.slots[0]]))])
        #expect(effects.commits == [contract] && effects.locks.count == 1)
        #expect(effects.kinds == ["certificate 2"] && desk.stage() == .committed)
        #expect(desk.context.fold.applied(contract))
    }

    @Test func aReadyForSomethingElseOrTakenBackDoesNotCount() throws {
        var (desk, contract) = try offered(3)
        let other = desk.ring([0, 1, 2], nonce: 9)
        _ = desk.say(try desk.ready(other, 1), from: 1)
        #expect(desk.say(try desk.ready(contract, 2), from: 2).kinds.isEmpty)
        _ = desk.say(
            .withdraw(Withdraw(thread: desk.swaps.records[0].thread, reason: .lapsed)), from: 2)
        #expect(desk.say(try desk.ready(contract, 1), from: 1).kinds.isEmpty)
        // A READY with another's head is nobody's.
        #expect(desk.say(try desk.ready(contract, 1), from: 2).kinds.isEmpty)
        #expect(desk.say(try desk.ready(contract, 2), from: 2).kinds == ["prepare 2"])
    }

    @Test func aDeclineEndsItForAll() throws {
        var (desk, _) = try offered(3)
        let thread = desk.swaps.records[0].thread
        let effects = desk.say(
            .decline(Decline(thread: thread, revision: 1, note: "no")), from: 1)
        #expect(effects.whats == [.declined(desk.key(1))] && desk.stage() == .declined)
        #expect(effects.kinds == ["withdraw failed 2"] && effects.appends.isEmpty)
    }

    @Test func cancelledAndExpired() throws {
        var (one, _) = try offered()
        #expect(one.put(.cancel(1)).kinds == ["withdraw cancelled 1"])
        #expect(one.stage() == .withdrawn)
        var (two, contract) = try offered()
        #expect(two.wait(30 * 60 - 1) == SwapEffects())
        #expect(two.wait(1).kinds == ["withdraw expired 1"] && two.stage() == .expired)
        // A READY that comes too late hears of the end.
        #expect(two.say(try two.ready(contract, 1), from: 1).appends.isEmpty)
        #expect(two.stage() == .expired)
    }

    @Test func aCounterOfferIsTheUsersToDecide() throws {
        var (desk, _) = try offered()
        desk.slots[1] = desk.travellers[1].claim("9F")
        let other = desk.ring([0, 1], nonce: 4)
        let thread = desk.swaps.records[0].thread
        func counter(_ revision: Int) -> SwapMessage {
            .propose(
                Proposal(
                    thread: thread, revision: revision, contract: other.bytes, note: "",
                    expires: 60))
        }
        #expect(desk.say(counter(3), from: 1) == SwapEffects())
        #expect(desk.say(counter(2), from: 1).whats == [.countered])
        #expect(desk.stage() == .countered)
        var declining = desk
        #expect(
            declining.put(.decline(1, note: "no")).kinds == ["decline 1", "withdraw failed 1"])
        // Without a word it looks as if the request was taken back, later too.
        declining = desk
        #expect(declining.put(.decline(1, note: "")).kinds == ["withdraw cancelled 1"])
        #expect(declining.put(.linked(declining.key(1))).kinds == ["withdraw cancelled 1"])
        #expect(desk.put(.accept(1, override: false)).kinds == ["propose 3 1"])
        #expect(desk.swaps.records[0].contract.bytes == other.bytes)
        #expect(desk.say(try desk.ready(other, 1), from: 1).kinds == ["prepare 1"])
    }

    @Test func aNoSilenceACheckAWishAndARestartAbort() throws {
        func expectNo(
            _ failure: SwapFailure, _ act: (inout Desk, Contract) -> SwapEffects
        ) throws {
            var (desk, contract) = try preparing(3)
            let effects = act(&desk, contract)
            #expect(effects.appends == [.vote(.no(contract.id))] && effects.locks.isEmpty)
            #expect(effects.kinds == ["vote 2"] && effects.whats == [.aborted(failure)])
            #expect(desk.stage() == .aborted && effects.commits.isEmpty)
            desk.travellers[1].yes(contract)
            desk.travellers[2].yes(contract)
            #expect(desk.put(.logsChanged).appends.isEmpty && desk.yeses == 0)
        }
        try expectNo(.refused(Desk(3, me: 0).key(2))) { desk, contract in
            desk.travellers[2].no(contract)
            return desk.put(.logsChanged)
        }
        try expectNo(.silence) { desk, _ in desk.wait(5) }
        try expectNo(.cancelled) { desk, _ in desk.put(.cancel(1)) }
        try expectNo(.restart) { desk, _ in
            desk.restart()
            return desk.put(.recovered)
        }
        try expectNo(.check(.window)) { desk, contract in
            desk.travellers[1].yes(contract)
            desk.travellers[2].yes(contract)
            desk.window = .closed(since: 1)
            return desk.put(.logsChanged)
        }
    }

    /// Between a start and the moment when the own log is known the votes of all come, and the
    /// user takes it back.
    @Test func whatWasTakenBackBeforeTheOwnLogIsKnownIsNotSigned() throws {
        for takesBack in [true, false] {
            var (desk, contract) = try preparing()
            desk.restart()
            desk.canAppend = false
            desk.travellers[1].yes(contract)
            #expect(desk.put(.logsChanged).all == "" && desk.stage() == .preparing)
            if takesBack { #expect(desk.put(.cancel(1)).reply == .success(1)) }
            desk.canAppend = true
            let effects = desk.put(.logsChanged)
            #expect(effects.appends == [.vote(.no(contract.id))] && effects.commits.isEmpty)
            #expect(effects.whats == [.aborted(.restart)] && desk.stage() == .aborted)
        }
    }

    /// An old copy of the disk: the row says preparing, the log, taken from
    /// others, holds the own yes.
    @Test func anOwnYesFoundIsCompletedFromTheVotes() throws {
        var (desk, contract) = try preparing()
        desk.travellers[1].yes(contract)
        desk.travellers[0].yes(contract)
        desk.restart()
        let effects = desk.put(.recovered)
        #expect(effects.appends.isEmpty && effects.commits == [contract])
        #expect(effects.kinds == ["certificate 1"] && desk.yeses == 1)
        #expect(desk.context.fold.applied(contract))
    }

    /// A deadline that stays in the past would turn the one timer into a busy loop.
    @Test func noDeadlineStaysInThePast() throws {
        var (shut, _) = try preparing()
        shut.canAppend = false
        _ = shut.wait(5)
        #expect(shut.stage() == .preparing)
        #expect(try #require(shut.swaps.nextDeadline) > shut.now.instant)
        shut.canAppend = true
        #expect(shut.wait(5).kinds == ["vote 1"])
        // After a collision, with a READY that lapsed meanwhile.
        var (busy, contract) = try offered(3)
        let rival = busy.ring([0, 2], nonce: 8)
        busy.travellers[2].yes(rival)
        _ = busy.say(try busy.ready(contract, 1), from: 1)
        #expect(busy.say(try busy.ready(contract, 2), from: 2).kinds.isEmpty)
        #expect(busy.swaps.records[0].tries == 1)
        _ = busy.say(
            .withdraw(Withdraw(thread: busy.swaps.records[0].thread, reason: .lapsed)), from: 2)
        _ = busy.wait(5)
        #expect(busy.stage() == .offered)
        #expect(try #require(busy.swaps.nextDeadline) > busy.now.instant)
    }

    @Test func aCollisionIsTriedThreeTimesMore() throws {
        var (desk, contract) = try offered()
        desk.travellers[1].yes(desk.ring([1, 0], nonce: 8))
        _ = desk.say(try desk.ready(contract, 1), from: 1)
        var rounds = 0
        while desk.stage() == .offered, rounds < 10 {
            _ = desk.wait(5)
            rounds += 1
        }
        #expect(rounds == 3 && desk.stage() == .withdrawn)
        #expect(desk.yeses == 0 && desk.noes == 0)
    }

    @Test func whoeverComesBackHearsWhereItStands() throws {
        var (open, _) = try offered()
        #expect(open.put(.linked(open.key(1))).kinds == ["propose 1 1"])
        open.restart()
        #expect(open.put(.linked(open.key(1))).kinds == ["propose 1 1"])
        _ = open.put(.cancel(1))
        #expect(open.put(.linked(open.key(1))).kinds == ["withdraw cancelled 1"])
        var (done, contract) = try preparing()
        done.travellers[1].yes(contract)
        _ = done.put(.logsChanged)
        done.restart()
        #expect(done.put(.linked(done.key(1))).kinds == ["certificate 1"])
        #expect(done.say(.query(contract.id), from: 1).kinds == ["certificate 1"])
    }

    @Test func aQueryIsAnsweredToPartiesInAnyState() throws {
        var (desk, contract) = try offered(3)
        #expect(desk.say(.query(contract.id), from: 1).kinds == ["status 1"])
        let (desk2, _) = try preparing(3)
        desk = desk2
        let pair = desk.ring([0, 1], nonce: 6)
        #expect(desk.say(.query(pair.id), from: 1).kinds.isEmpty)
        #expect(desk.say(.query(desk.swaps.records[0].contract.id), from: 2).kinds == ["status 1"])
    }
}
