// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Testing

@testable import Rendezvous

/// How the own log is divided, and what is remembered of it (docs/meet.md section 3).
@Suite("The own box") struct OwnBoxTests {
    private let primitives = FakePrimitives()
    private let now = Instant.zero + .seconds(1000)

    private func entry(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }

    private func sizes(_ messages: [[[UInt8]]]) -> [[Int]] { messages.map { $0.map(\.count) } }

    private func parts(_ counts: [Int]) -> [[Int]] { sizes(OwnBox.parts(of: counts.map(entry))) }

    private func live(_ counts: [Int]) -> [[Int]] { sizes(OwnBox.live(counts.map(entry))) }

    // MARK: Parts

    /// With three bytes of head each.
    @Test func aPartIsFilledToTheLastByte() {
        #expect(parts([]) == [])
        #expect(parts([15_000, 354]) == [[15_000, 354]])
        #expect(parts([15_000, 355]) == [[15_000], [355]])
        #expect(parts([7000, 7000, 1000, 348]) == [[7000, 7000, 1000, 348]])
        #expect(parts([7000, 7000, 1000, 349]) == [[7000, 7000, 1000], [349]])
        #expect(parts([7000, 7000, 1000, 340, 5]) == [[7000, 7000, 1000, 340, 5]])
    }

    @Test func whatIsBehindAnEntryThatIsTooLongIsNotLeft() {
        #expect(parts([1, 15_001, 2]) == [[1]])
        #expect(parts([15_001, 2]) == [])
        #expect(parts([15_000, 15_000, 15_000, 15_000, 15_000, 1]).map(\.count) == [1, 1, 1, 1])
    }

    @Test func newEntriesAreSaidInMessagesOfSixtyFour() {
        #expect(live([]) == [])
        #expect(live([Int](repeating: 1, count: 64)).map(\.count) == [64])
        #expect(live([Int](repeating: 1, count: 129)).map(\.count) == [64, 64, 1])
        #expect(live([15_000, 354, 1]) == [[15_000, 354], [1]])
        #expect(live([15_000, 355, 1]) == [[15_000], [355, 1]])
        // What is too long is left out, and the rest is said.
        #expect(live([1, 15_001, 2]) == [[1, 2]])
    }

    // MARK: Records

    private func renewed() -> OwnRecords {
        var own = OwnRecords()
        own.wrote([[1], [2]], head8: 1, at: .zero)
        own.look(for: FakeSigner(1).key, group: "g", bits: 0, primitives)
        own.renew(SignedCard(MeetFormTests.card(), by: FakeSigner(1)), at: now)
        return own
    }

    @Test func aChangeMakesACardDueSoonAndNothingElseDoes() {
        var own = renewed()
        #expect(own.cardVersion == 1 && own.lastMade.seconds == 1000)
        #expect(own.cardDue == now + .seconds(600))
        own.wrote([[1], [2]], head8: 1, at: now)
        #expect(own.cardDue == now + .seconds(600))
        own.wrote([[1], [2], [3]], head8: 5, at: now + .seconds(1))
        #expect(own.cardDue == now + .milliseconds(1200) && own.head8 == 5)
        #expect(own.parts == [[[1], [2], [3]]] && own.log.count == 3)
        // The first change does not wait for the second one.
        own.wrote([[1], [2], [3], [4]], head8: 6, at: now + .seconds(2))
        #expect(own.cardDue == now + .milliseconds(1200))
        own.lastMade = UTCTime(seconds: 2000)
        own.renew(SignedCard(MeetFormTests.card(), by: FakeSigner(1)), at: now)
        #expect(own.cardVersion == 2 && own.lastMade.seconds == 2000)
    }

    @Test func onlyWhatFollowsTheLogIsSaid() {
        var own = renewed()
        #expect(own.takeUnsaid() == [[2]])
        #expect(own.takeUnsaid().isEmpty)
        for other: [[UInt8]] in [[[1], [3]], [[1]], [[9], [2], [3]], [[9], [2]]] {
            own.wrote(other, head8: 1, at: now)
            #expect(own.log == other && own.unsaid.isEmpty)
        }
        own.wrote([[9], [2], [4], [5]], head8: 1, at: now)
        #expect(own.unsaid == [[4], [5]])
    }

    @Test func ofALogThatIsNotLeftNothingIsSaid() {
        var own = OwnRecords()
        own.isLeft = false
        for log: [[UInt8]] in [[[1]], [[1], [2]]] {
            own.wrote(log, head8: 3, at: now)
            #expect(own.log == log && own.head8 == 3 && own.isLookingForStamp)
            #expect(own.parts.isEmpty && own.unsaid.isEmpty && own.partsTold == 0)
        }
        // It was left before: nothing of that is said any more.
        var before = renewed()
        before.isLeft = false
        before.wrote([[1]], head8: 3, at: now)
        #expect(before.parts.isEmpty && before.unsaid.isEmpty)
    }

    @Test func anotherDayNeedsAnotherStampAndAnotherCard() throws {
        let author = FakeSigner(1).key
        var own = renewed()
        #expect(!own.isLookingForStamp && OwnRecords().isLookingForStamp == false)
        own.moveAt = now
        #expect(own.nextDeadline == now)
        own.moved(to: MeetEpoch(number: 8))
        #expect(own.epoch == MeetEpoch(number: 8) && own.moveAt == nil && own.card == nil)
        #expect(own.stamp == nil && own.isLookingForStamp && own.nextDeadline == nil)
        #expect(own.cardVersion == 2 && own.cardDue == .zero)
        own.moveAt = now
        #expect(own.nextDeadline == now)
        // From the first number again.
        let first = try require(
            MeetStamp.find(
                of: author, group: "h", from: 0, tries: OwnRecords.stampTries, bits: 6,
                primitives: primitives))
        own.look(for: author, group: "h", bits: 6, primitives)
        #expect(own.stamp == first && own.nextDeadline == .zero)
    }
}
