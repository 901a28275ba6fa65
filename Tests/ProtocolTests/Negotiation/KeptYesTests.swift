// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// A yes to a request of several that counts for what takes its place
/// (docs/protocol.md section 16).
@Suite struct KeptYesTests {
    /// Traveller 1 said yes to a ring of 0, 1 and 2, and lets that count.
    private func said() throws -> (Desk, KeptYeses) {
        let (desk, _) = try Desk.ready(3)
        var kept = KeptYeses()
        kept.said(desk.swaps.records[0], by: desk.key(1))
        return (desk, kept)
    }

    private func over(
        _ desk: inout Desk, _ kept: inout KeptYeses, _ reason: Withdraw.Reason = .failed
    ) throws {
        let thread = try require(desk.swaps.records.first).thread
        let effects = desk.say(.withdraw(Withdraw(thread: thread, reason: reason)), from: 0)
        for notice in effects.notices { kept.keep(notice) }
    }

    /// Another ring in which traveller 1 gives 2A, and gets the seat of the one before them. It
    /// stands no longer than the first would have.
    private func next(
        _ desk: inout Desk, _ ring: [Int], by thread: UInt8 = 8, longer: Int64 = 0
    ) throws {
        desk.travellers.append(Traveller(50))
        desk.slots.append(desk.travellers[3].claim("4A"))
        let other = desk.ring(ring, nonce: thread)
        let left = desk.swaps.records[0].expires.seconds - desk.now.utc.seconds + longer
        _ = desk.say(
            try desk.proposal(other, thread: thread, expires: Int(left)), from: ring[0])
    }

    private func yes(_ desk: Desk, _ kept: KeptYeses) -> KeptYeses.Yes? {
        desk.swaps.records.last.flatMap {
            kept.yes(for: $0, among: desk.swaps.records, desk.key(1), at: desk.now.utc)
        }
    }

    @Test func itCountsForTheSameOfTheSame() throws {
        var (desk, kept) = try said()
        #expect(!kept.isFree(1, at: desk.now.utc))
        try over(&desk, &kept)
        #expect(kept.isFree(1, at: desk.now.utc) && desk.swaps.records[0].hasFailed)
        // Somebody else gets what traveller 1 gives: that is not their part.
        try next(&desk, [0, 1, 3])
        let yes = try #require(self.yes(desk, kept))
        #expect(yes.number == 1 && !yes.wasKnown)
        kept.use(yes, for: 2)
        #expect(self.yes(desk, kept) == nil && kept.earlier(than: 2) == 1)
        #expect(kept.later(than: 1) == 2 && kept.later(than: 2) == nil)
        _ = desk.put(.accept(2, override: false))
        kept.used(yes, for: desk.swaps.records[1], by: desk.key(1))
        #expect(!kept.isEmpty && !kept.isFree(1, at: desk.now.utc))
    }

    @Test func notForWhatStandsLongerThanTheFirst() throws {
        var (desk, kept) = try said()
        _ = desk.wait(5)
        try over(&desk, &kept)
        try next(&desk, [0, 1, 3], longer: 1)
        #expect(desk.stage(2) == .invited && yes(desk, kept) == nil)
    }

    @Test func aNoToTheSamePartEndsIt() throws {
        var (desk, kept) = try said()
        try over(&desk, &kept)
        try next(&desk, [0, 3, 1])
        kept.refuse(desk.swaps.records[1], by: desk.key(0))
        #expect(!kept.isEmpty)
        kept.refuse(desk.swaps.records[1], by: desk.key(1))
        #expect(kept.isEmpty)
    }

    @Test func whatItCountedForIsForgottenWithItsEnd() throws {
        var (desk, kept) = try said()
        try over(&desk, &kept)
        try next(&desk, [0, 1, 3])
        kept.use(try #require(yes(desk, kept)), for: 2)
        for notice in desk.put(.accept(2, override: false)).notices { kept.keep(notice) }
        #expect(kept.earlier(than: 2) == 1)
        for notice in desk.put(.cancel(2)).notices { kept.keep(notice) }
        #expect(desk.stage(2) == .invited && kept.earlier(than: 2) == nil)
    }

    @Test func threeTimesAtMost() throws {
        var (desk, kept) = try said()
        for number in 2...5 {
            let record = desk.swaps.records[number - 2]
            let gone = Withdraw(thread: record.thread, reason: .failed)
            for notice in desk.say(.withdraw(gone), from: 0).notices { kept.keep(notice) }
            let other = desk.ring([0, 1, 2], nonce: UInt8(20 + number))
            _ = desk.say(try desk.proposal(other, thread: UInt8(20 + number)), from: 0)
            guard let yes = self.yes(desk, kept) else {
                #expect(number == 5)
                return
            }
            kept.use(yes, for: number)
            _ = desk.put(.accept(number, override: false))
            kept.used(yes, for: desk.swaps.records[number - 1], by: desk.key(1))
        }
        Issue.record("a yes counted a fourth time")
    }

    @Test func notForAnotherPartOrFromSomebodyElse() throws {
        // In the last one the part is the same, but another passenger votes last.
        for ring in [[0, 2, 1], [0, 3, 1], [2, 0, 1]] {
            var (desk, kept) = try said()
            try over(&desk, &kept)
            try next(&desk, ring)
            #expect(desk.swaps.records.count == 2 && yes(desk, kept) == nil)
        }
    }

    @Test func onlyAfterTheFirstHasEndedAndNotForWhatWasThereBefore() throws {
        var (desk, kept) = try said()
        try next(&desk, [0, 1, 3])
        #expect(yes(desk, kept) == nil)
        _ = desk.wait(5)
        try over(&desk, &kept)
        #expect(yes(desk, kept) == nil && kept.isFree(1, at: desk.now.utc))
    }

    @Test func whatTheAskerTakesBackOrTheUserEndsIt() throws {
        for reason in [Withdraw.Reason.cancelled, .expired] {
            var (desk, kept) = try said()
            try over(&desk, &kept, reason)
            #expect(kept.isEmpty)
        }
        for event in [SwapEvent.cancel(1), .decline(1, note: "no"), .decline(1, note: "")] {
            var (desk, kept) = try said()
            for notice in desk.put(event).notices { kept.keep(notice) }
            #expect(kept.isEmpty)
        }
        var (desk, kept) = try said()
        try over(&desk, &kept)
        kept.drop(1)
        try next(&desk, [0, 1, 3])
        #expect(yes(desk, kept) == nil)
    }

    @Test func aSignedNoOrALostSeatOfOthersKeepsIt() throws {
        var (desk, contract) = try Desk.prepared(3)
        var kept = KeptYeses()
        // It was said before PREPARE came.
        var (early, _) = try Desk.ready(3)
        kept.said(early.swaps.records[0], by: early.key(1))
        desk.travellers[2].no(contract)
        for notice in desk.put(.logsChanged).notices { kept.keep(notice) }
        #expect(desk.stage() == .aborted && kept.isFree(1, at: desk.now.utc))
        kept = KeptYeses()
        kept.said(early.swaps.records[0], by: early.key(1))
        early.travellers[2].append(.retract(early.slots[2]))
        for notice in early.put(.logsChanged).notices { kept.keep(notice) }
        #expect(early.stage() == .withdrawn && kept.isFree(1, at: early.now.utc))
    }

    @Test func itEndsAfterTenMinutesOrWithTheTimeOfTheRequest() throws {
        for (wait, isFree) in [(Int64(0), true), (599, true), (600, false)] {
            var (desk, kept) = try said()
            try over(&desk, &kept)
            _ = desk.wait(wait)
            #expect(kept.isFree(1, at: desk.now.utc) == isFree)
        }
        // The request would have stood for 600 s.
        var (desk, kept) = try said()
        _ = desk.wait(590)
        try over(&desk, &kept)
        #expect(kept.isFree(1, at: desk.now.utc))
        _ = desk.wait(10)
        #expect(!kept.isFree(1, at: desk.now.utc))
    }

    @Test func neverBesideAnOwnRequestWithThatSeat() throws {
        var (desk, kept) = try said()
        try over(&desk, &kept)
        _ = desk.put(.ask(desk.ring([1, 2], nonce: 30).legs, note: "", expires: nil))
        try next(&desk, [0, 1, 3])
        #expect(desk.swaps.records.count == 3 && yes(desk, kept) == nil)
        _ = desk.put(.cancel(2))
        #expect(yes(desk, kept) != nil)
    }

    @Test func notBetweenTwoNorWhereItWasSaidKnowingly() throws {
        let (pair, _) = try Desk.ready(2)
        var kept = KeptYeses()
        kept.said(pair.swaps.records[0], by: pair.key(1))
        #expect(kept.isEmpty)
        var (knowing, _) = try Desk.invited(3)
        _ = knowing.put(.accept(1, override: true))
        kept.said(knowing.swaps.records[0], by: knowing.key(1))
        #expect(kept.isEmpty)
    }
}
