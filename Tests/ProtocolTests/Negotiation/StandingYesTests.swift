// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Several yeses of one user that give the same seat away (docs/protocol.md section 16): the first
/// PREPARE takes it.
@Suite struct StandingYesTests {
    /// Traveller 1 said yes to traveller 0's ring and to traveller 3's; both give their seat.
    private func two() throws -> (desk: Desk, first: Contract, second: Contract) {
        var desk = Desk(5, me: 1)
        let (first, second) = (desk.ring([0, 1, 2]), desk.ring([3, 1, 4]))
        _ = desk.say(try desk.proposal(first), from: 0)
        _ = desk.say(try desk.proposal(second, thread: 8), from: 3)
        for number in [1, 2] {
            #expect(desk.put(.accept(number, override: false)).reply == .success(number))
        }
        #expect(desk.stage(1) == .ready && desk.stage(2) == .ready)
        return (desk, first, second)
    }

    /// For one seat, all of them.
    @Test func eightConsentsAtOnce() throws {
        var desk = Desk(10, me: 9)
        for asker in 0..<9 {
            _ = desk.say(
                try desk.proposal(desk.ring([asker, 9]), thread: UInt8(asker)), from: asker)
        }
        for number in 1...8 {
            #expect(desk.put(.accept(number, override: false)).reply == .success(number))
        }
        #expect(desk.put(.accept(9, override: false)).reply == .failure(.tooManyReady))
        // One is taken back, and there is room for another.
        _ = desk.put(.cancel(3))
        #expect(desk.put(.accept(9, override: false)).reply == .success(9))
    }

    @Test func theFirstTakesTheSeatAndTheOtherSaysWhy() throws {
        var (desk, first, _) = try two()
        #expect(desk.say(try desk.prepare(first), from: 0).kinds == ["vote 2"])
        #expect(desk.stage(2) == .ready)
        desk.travellers[2].yes(first)
        desk.travellers[0].yes(first)
        let done = desk.put(.logsChanged)
        #expect(done.whats == [.committed] && desk.stage(2) == .ready)
        // The core looks again once the commit is logged.
        #expect(desk.put(.logsChanged).whats.contains(.withdrawn))
        #expect(desk.stage(2) == .withdrawn)
        let lost = desk.swaps.records.first { $0.number == 2 }?.lost
        #expect(lost == LostSeat(token: desk.slots[1].token, why: .swapped))
        #expect(desk.yeses == 1 && desk.noes == 0)
    }

    /// Votes are asked for both at once: one yes, and a no that frees the others.
    @Test func aSecondPrepareWhileTheFirstIsOpenIsANo() throws {
        var (desk, first, second) = try two()
        _ = desk.say(try desk.prepare(first), from: 0)
        let no = desk.say(try desk.prepare(second, thread: 8), from: 3)
        #expect(no.whats == [.aborted(.check(.busy))] && no.kinds == ["vote 2"])
        #expect(desk.yeses == 1 && desk.noes == 1)
    }

    /// What the first came to decides nothing about the other: its yes stands.
    @Test func theOtherStandsWhereTheFirstFails() throws {
        var (desk, first, second) = try two()
        _ = desk.say(try desk.prepare(first), from: 0)
        _ = desk.wait(120)
        desk.travellers[2].no(first)
        #expect(desk.put(.logsChanged).unlocks.count == 1 && desk.stage(1) == .aborted)
        #expect(desk.stage(2) == .ready)
        #expect(desk.say(try desk.prepare(second, thread: 8), from: 3).kinds == ["vote 2"])
        #expect(desk.stage(2) == .prepared && desk.yeses == 2)
    }

    /// A yes is to one contract.
    @Test func aRevisionIsAskedAnew() throws {
        var (desk, _, _) = try two()
        let other = desk.ring([0, 2, 1])
        let revised = desk.say(try desk.proposal(other, revision: 2), from: 0)
        #expect(revised.all == "row invited 2; say countered" && desk.stage(2) == .ready)
        #expect(desk.say(try desk.prepare(other), from: 0).appends.isEmpty)
        #expect(desk.yeses == 0)
    }

    /// Whoever is blocked, or whoever gives nothing any more, gets no vote for a yes of before.
    @Test func theChecksAreThoseOfNow() throws {
        let spoils: [(inout Desk) -> Void] = [
            { desk in desk.blocked = [desk.key(2)] },
            { desk in desk.window = .closed(since: 1) },
            { desk in
                let rival = desk.ring([1, 4], nonce: 7)
                desk.travellers[1].yes(rival)
            },
        ]
        for spoil in spoils {
            var (desk, first, _) = try two()
            spoil(&desk)
            _ = desk.say(try desk.prepare(first), from: 0)
            let votes = desk.travellers[1].log.compactMap(\.vote)
            #expect(!votes.contains { $0.yes && $0.contract == first.id })
        }
    }

    /// A machine that slept reads a PREPARE before it looks at the clock: the time of the yes was
    /// up before.
    @Test func aYesWhoseTimeIsUpIsNotSigned() throws {
        var (desk, first, _) = try two()
        desk.now.instant = desk.now.instant + .seconds(600)
        desk.now.utc = UTCTime(seconds: desk.now.utc.seconds + 600)
        let late = desk.say(try desk.prepare(first), from: 0)
        #expect(late.all == "row expired 1; say expired" && desk.yeses == 0)
        #expect(desk.stage(1) == .expired && desk.stage(2) == .ready)
        #expect(desk.wait(0).all == "row expired 1; say expired" && desk.stage(2) == .expired)
    }

    /// The last READY is read before the clock, by a machine that slept: nobody is asked to vote.
    @Test func anOfferWhoseTimeIsUpAsksForNoVotes() throws {
        var (desk, contract) = Desk.offered(3)
        #expect(desk.say(try desk.ready(contract, 1), from: 1).all == "say ready")
        desk.now.instant = desk.now.instant + .seconds(100)
        desk.now.utc = UTCTime(seconds: desk.now.utc.seconds + 100)
        #expect(
            desk.say(try desk.ready(contract, 2), from: 2).all
                == "row expired 1; say ready; say expired; send withdraw expired 2")
    }

    /// A yes twice is one yes.
    @Test func saidTwice() throws {
        var (desk, _, _) = try two()
        guard case .failure(.alreadyAnswered) = desk.put(.accept(1, override: true)).reply else {
            Issue.record("a second yes was taken")
            return
        }
        #expect(!desk.swaps.records[0].override)
    }

    /// All are to be READY at one moment: who is out of reach then could not vote.
    @Test func aReadyEndsWithItsSession() throws {
        var (desk, contract) = Desk.offered(3)
        #expect(desk.say(try desk.ready(contract, 1), from: 1).all == "say ready")
        #expect(desk.swaps.consented(to: 1) == [desk.key(1)])
        #expect(desk.put(.unlinked(desk.key(2))).all == "")
        #expect(desk.swaps.consented(to: 1) == [desk.key(1)])
        #expect(desk.put(.unlinked(desk.key(1))).all == "")
        #expect(desk.swaps.consented(to: 1).isEmpty && desk.swaps.consented(to: 2).isEmpty)
        #expect(desk.say(try desk.ready(contract, 2), from: 2).all == "say ready")
        #expect(desk.put(.linked(desk.key(1))).all == "send propose 1 1")
        #expect(
            desk.say(try desk.ready(contract, 1), from: 1).all
                == "row preparing 1; say ready; say binding; send prepare 2")
        // Votes are asked for: what was promised on disk is not lost with a link.
        #expect(desk.put(.unlinked(desk.key(1))).all == "" && desk.stage() == .preparing)
    }
}
