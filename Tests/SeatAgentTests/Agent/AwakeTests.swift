// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import Agent
@testable import Wording
import Protocol
import Testing

@testable import SeatAgent
@testable import Transport

@Suite("A computer that is kept awake, and one that slept")
struct AwakeTests {
    @Test("A sleep is what one clock counts and the other does not, from half a minute on")
    func sleeping() {
        func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }
        var watch = SleepWatch(at(1000), at(900))
        #expect(watch.slept(at(5000), at(4900)) == nil)
        #expect(watch.slept(at(5029), at(4900)) == nil)
        #expect(watch.slept(at(5059), at(4900)) == 30)
        // It is said once; a clock that goes on alone is no sleep either.
        #expect(watch.slept(at(5059), at(4900)) == nil)
        #expect(watch.slept(at(5059), at(5900)) == nil)
        #expect(watch.slept(at(8659), at(5900)) == 3600)
    }

    @Test("What is agreed keeps it awake for two minutes, what is signed for half an hour")
    func keeping() throws {
        let voyage = try Voyage()
        let contract = try voyage.contract([("14C", voyage.bo), ("12A", voyage.ada)])
        func keeps(_ stage: SwapRecord.Stage, _ age: Int64, stuck: Bool = false) -> Bool {
            var record = FakeNode.record(1, contract, role: .coordinator, stage: stage)
            record.isFinal = false
            record.isStuck = stuck
            record.updated = UTCTime(seconds: 5000)
            return record.keepsAwake(voyage.ada.key, at: UTCTime(seconds: 5000 + age))
        }
        for stage in [SwapRecord.Stage.preparing, .ready, .agreed, .committed] {
            #expect(keeps(stage, 119) && !keeps(stage, 120), "\(stage)")
        }
        #expect(keeps(.prepared, 1799) && !keeps(.prepared, 1800))
        #expect(keeps(.prepared, 1799, stuck: true) && keeps(.stranded, 1799))
        #expect(!keeps(.stranded, 1800))
        for stage in [
            SwapRecord.Stage.offered, .invited, .declined, .withdrawn, .expired, .aborted,
        ] {
            #expect(!keeps(stage, 0), "\(stage)")
        }
    }

    @Test("A yes to a swap of several keeps the agent of a view until the request ends")
    func binding() throws {
        let voyage = try Voyage()
        let contract = try voyage.contract([("14C", voyage.bo), ("12A", voyage.ada)])
        func binds(_ stage: SwapRecord.Stage, _ age: Int64) -> Bool {
            var record = FakeNode.record(1, contract, role: .participant, stage: stage)
            record.updated = UTCTime(seconds: 5000)
            record.expires = UTCTime(seconds: 6800)
            return record.bindsAgent(voyage.ada.key, at: UTCTime(seconds: 5000 + age))
        }
        #expect(binds(.ready, 0) && binds(.ready, 1799) && !binds(.ready, 1800))
        #expect(binds(.agreed, 119) && !binds(.agreed, 120))
        #expect(!binds(.invited, 0) && binds(.stranded, 5000))
    }

    @Test("Who wakes reads what waits and what binds")
    func words() throws {
        let voyage = try Voyage()
        let host = FakeHost(FakeNode(voyage))
        #expect(
            WakeText(WokeNews(host, slept: 90)).sentence
                == "this computer slept for 1 min 30 s. No request is open.")
        let stages: [SwapRecord.Stage] = [.invited, .stranded, .declined, .ready]
        for (index, stage) in stages.enumerated() {
            let contract = try voyage.contract(
                [("14C", voyage.bo), ("12A", voyage.ada)], nonce: UInt8(index + 1), by: voyage.bo)
            host.node.swapRecords.append(
                FakeNode.record(index + 1, contract, role: .participant, stage: stage))
        }
        let text = WakeText(WokeNews(host, slept: 3720))
        #expect(text.isAnythingOpen)
        #expect(
            text.sentence == "this computer slept for 1 h 2 min. Open: request 1 waits for your "
                + "answer; request 2 has no outcome yet, and your seat is locked; request 4 is "
                + "agreed and not confirmed yet.")
    }
}
