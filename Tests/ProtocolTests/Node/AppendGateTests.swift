// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Protocol

/// When the own log may be written to after a start (docs/protocol.md section 10).
@Suite struct AppendGateTests {
    private func seconds(_ count: Int64) -> Instant { .zero + .seconds(count) }

    @Test func aNewKeyWritesAtOnceAndAnotherAfterFiveSeconds() {
        #expect(AppendGate(fresh: true, at: .zero).isOpen)
        var gate = AppendGate(fresh: false, at: .zero)
        #expect(!gate.isOpen && gate.isCatchingUp && gate.nextDeadline == seconds(5))
        let early = gate.tick(at: Instant(nanoseconds: 4_999_999_999), seq: 3, signed: 3)
        #expect(!early && !gate.isOpen)
        let opens = gate.tick(at: seconds(5), seq: 3, signed: 3)
        #expect(opens && gate.isOpen && !gate.isCatchingUp && gate.nextDeadline == nil)
        let again = gate.tick(at: seconds(9), seq: 3, signed: 3)
        #expect(!again)
    }

    @Test func anOldCopyWaitsForSomebody() {
        var gate = AppendGate(fresh: false, restored: true, at: .zero)
        let alone = gate.tick(at: seconds(500), seq: 3, signed: 0)
        #expect(!alone && gate.nextDeadline == nil)
        gate.heard(at: seconds(600))
        gate.heard(at: seconds(603))
        #expect(gate.nextDeadline == seconds(605))
        let opens = gate.tick(at: seconds(605), seq: 3, signed: 0)
        #expect(opens)
    }

    /// Also where whoever said it hung up since; but a liar costs half a minute and no more.
    @Test func whoSaysThatThereIsMoreIsWaitedForHalfAMinute() {
        var gate = AppendGate(fresh: false, at: .zero)
        gate.told(of: 7)
        gate.told(of: 2)
        for second in 5...29 as ClosedRange<Int64> {
            let opens = gate.tick(at: seconds(second), seq: 3, signed: 0)
            #expect(!opens)
            #expect(gate.nextDeadline == seconds(second + 1))
        }
        var fetched = gate
        let complete = fetched.tick(at: seconds(30), seq: 7, signed: 0)
        let late = gate.tick(at: seconds(30), seq: 3, signed: 0)
        #expect(complete && late)
    }

    /// An entry of ours behind the end of the log is no hearsay: what stands before it must come
    /// first. Whoever waits to write is told after half a minute.
    @Test func whatWasSignedIsWaitedForHoweverLong() {
        var gate = AppendGate(fresh: false, at: .zero)
        for second in [5, 29, 30, 31, 4000] as [Int64] {
            let opens = gate.tick(at: seconds(second), seq: 3, signed: 5)
            #expect(!opens && gate.isCatchingUp && gate.isSoonKnown == (second < 30))
            #expect(gate.nextDeadline == seconds(second + 1))
        }
        #expect(gate.state == .behind(signed: 5, until: seconds(4001)))
    }

    /// What comes so late may come in parts: the rest is waited for as after a start.
    @Test func whatCameLateMayNotBeAll() {
        var gate = AppendGate(fresh: false, at: .zero)
        for second in [5, 30] as [Int64] {
            _ = gate.tick(at: seconds(second), seq: 3, signed: 5)
        }
        gate.told(of: 7)
        for second in 31...60 as ClosedRange<Int64> {
            let opens = gate.tick(at: seconds(second), seq: 5, signed: 5)
            #expect(!opens && gate.isSoonKnown)
        }
        var fetched = gate
        let complete = fetched.tick(at: seconds(61), seq: 7, signed: 5)
        let late = gate.tick(at: seconds(61), seq: 5, signed: 5)
        #expect(complete && late)
    }

    @Test func shutIsForGood() {
        var gate = AppendGate(fresh: true, at: .zero)
        let first = gate.shut(.keyRunsTwice)
        let second = gate.shut(.forked)
        #expect(first && !second && gate.state == .shut(.keyRunsTwice))
        let opens = gate.tick(at: seconds(99), seq: 1, signed: 1)
        gate.heard(at: seconds(99))
        #expect(!opens && !gate.isOpen && !gate.isCatchingUp)
    }
}
