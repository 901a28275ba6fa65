// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// How much is read at once, and what counts as read (docs/meet.md section 3).
@Suite("Limits of reading boxes") struct BoxLimitsTests {
    private let now = Instant.zero + .seconds(1)
    private let keys = MeetWorld(brokers: 1).keys
    private let day = MeetEpoch(number: 7)

    private func box(_ number: UInt8) -> MeetBox { keys.box(of: FakeSigner(number).key, in: day) }

    private func step(_ day: UInt32, _ filter: MeetFilter = .live) -> BoxReading.Step {
        BoxReading.Step(filter: filter, epoch: MeetEpoch(number: day))
    }

    private func own(_ day: UInt32) -> BoxReading.Step {
        var step = step(day)
        step.isOwn = true
        return step
    }

    /// Asks for all that may be asked for now; the numbers go on from `first`.
    private func ask(
        _ reading: inout BoxReading, from first: Int = 1, after wait: TimeSpan = .zero
    ) -> [BoxReading.Step] {
        var asked: [BoxReading.Step] = []
        while let step = reading.nextStep(at: now + wait) {
            reading.starts(as: first + asked.count, at: now + wait)
            asked.append(step)
        }
        return asked
    }

    private func begun(_ steps: [BoxReading.Step]) -> BoxReading {
        var reading = BoxReading()
        reading.begin(steps, at: now)
        return reading
    }

    @Test func onlyWhatReadsTheSameIsTheSame() {
        let one = step(1)
        var next = one
        next.isNext = true
        #expect(one.isSame(as: one) && one.isSame(as: next))
        let changes: [(inout BoxReading.Step) -> Void] = [
            { $0.filter = .cards(MeetBucket(0)) }, { $0.epoch = MeetEpoch(number: 2) },
            { $0.stays = true }, { $0.isOwn = true }, { $0.isAgain = true },
        ]
        for (number, change) in changes.enumerated() {
            var other = one
            change(&other)
            #expect(!one.isSame(as: other), "\(number)")
        }
    }

    // MARK: What waits

    /// What was asked for does not wait any more; the own box is read in any case.
    @Test func fiveHundredAndTwelveWaitAndTheOwnBoxBesideThem() {
        var reading = begun((0..<511).map { step($0) })
        for day in 511...513 as ClosedRange<UInt32> { reading.add(step(day)) }
        for (first, last) in [(1, 4), (5, 9)] {
            for token in first..<last { reading.starts(as: token, at: now) }
            // There is space for one more box where 508 wait.
            #expect(!reading.hasSpace)
            reading.starts(as: last, at: now)
            #expect(reading.hasSpace)
            for day in 600...604 as ClosedRange<UInt32> { reading.add(step(day)) }
            reading.add(own(1))
        }
    }

    @Test func oneBoxGoesAheadOfEverybodysAndBehindTheOwnOne() {
        var reading = begun([step(0), own(1), step(2)])
        reading.starts(as: 1, at: now)
        reading.add(step(3), isNext: true)
        reading.add(step(4), isNext: true)
        var order: [UInt32] = []
        for token in 1...5 {
            reading.finished(token)
            order += reading.ended(at: now).map(\.epoch.number)
            if reading.nextStep(at: now) != nil { reading.starts(as: token + 1, at: now) }
        }
        #expect(order == [0, 1, 3, 4, 2] && reading.isOver)
    }

    @Test func whatWasReadIsReadAgainIfThatIsWanted() {
        var reading = begun([step(0)])
        for (token, day) in [(1, 0), (2, 1), (3, 0)] as [(Int, UInt32)] {
            #expect(ask(&reading, from: token) == [step(day)])
            reading.finished(token)
            #expect(reading.ended(at: now) == [step(day)] && reading.isOver)
            reading.add(step(1 - day))
        }
    }

    // MARK: How much is asked for

    /// 256 of each bucket of logs, as long as no cards tell how many there are, and 4 of one log.
    @Test func eightHundredMessagesMayBeUnderWay() {
        var reading = begun(
            (0..<3).map { step(7, .logs(MeetBucket($0))) } + (0..<9).map { step($0, .log(box(1))) })
        #expect(ask(&reading).count == 11)
    }

    private enum Sign {
        case mark
        case end
        case refusal
    }

    /// How much is asked for behind so many cards: the logs of their bucket, and one more log.
    private func asked(_ cards: Int, _ sign: Sign) -> Int {
        let bucket = box(1).bucket
        var reading = begun([step(7, .cards(bucket))])
        #expect(ask(&reading).count == 1)
        for _ in 0..<cards { reading.heard(.card(box(1)), in: day, at: now) }
        reading.says([4, 1])
        switch sign {
        case .mark: reading.came([4, 1])
        case .end: reading.finished(1)
        case .refusal:
            reading.refused(1)
            reading.finished(1)
        }
        _ = reading.ended(at: now)
        reading.add(step(7, .logs(bucket)))
        reading.add(step(7, .log(box(1))))
        return ask(&reading, from: 2).count
    }

    /// What may be more than 800 goes alone.
    @Test func cardsTellHowManyLogsABucketHas() {
        for sign in [Sign.mark, .end] {
            #expect([199, 200, 201].map { asked($0, sign) } == [2, 1, 1])
        }
        // Of one whose cards were refused nobody knows it; they are asked for again.
        #expect(asked(300, .refusal) == 3)
    }

    @Test func aHundredAndFiftyAreAskedForAtOnceAndThenOneAfterTheOther() {
        var reading = begun((0..<200).map { step($0) })
        #expect(ask(&reading).count == 150)
        let pause = TimeSpan.milliseconds(70)
        #expect(reading.nextDeadline == now + pause)
        #expect(ask(&reading, from: 151, after: pause).count == 1)
        #expect(reading.nextDeadline == now + pause + pause)
        #expect(ask(&reading, from: 152, after: .seconds(19)).count == 49)
        // Nothing waits for the pace any more.
        #expect(reading.nextDeadline == now + .seconds(20))
    }

    @Test func ofNineMarksTheFirstIsForgotten() {
        var reading = begun([own(1), step(2)])
        #expect(ask(&reading) == [own(1)])
        for number in 1...9 as ClosedRange<UInt8> { reading.says([4, number]) }
        reading.came([4, 1])
        #expect(ask(&reading).isEmpty)
        reading.came([4, 2])
        #expect(ask(&reading, from: 2) == [step(2)])
    }

    @Test func aMarkTellsNothingOfWhatWasAskedForBehindIt() {
        var reading = begun([own(1)])
        #expect(ask(&reading).count == 1)
        reading.says([4, 1])
        reading.add(own(2))
        reading.add(step(3))
        #expect(ask(&reading, from: 2) == [own(2)])
        reading.says([4, 2])
        reading.came([4, 1])
        #expect(ask(&reading, from: 3).isEmpty)
        reading.came([4, 2])
        #expect(ask(&reading, from: 3) == [step(3)])
    }

    // MARK: When it is read

    @Test func onlyWhatAFilterNamesKeepsItFromBeingRead() {
        let wanted = step(7, .card(box(1)))
        var reading = begun([wanted])
        #expect(ask(&reading) == [wanted])
        func hear(_ number: UInt8, _ epoch: UInt32, after milliseconds: Int64) -> Instant? {
            reading.heard(
                .card(box(number)), in: MeetEpoch(number: epoch),
                at: now + .milliseconds(milliseconds))
            return reading.nextDeadline
        }
        // The broker has not taken the subscription yet.
        #expect(hear(1, 7, after: 1000) == now + .seconds(20))
        reading.acknowledged(1, at: now + .seconds(2))
        #expect(hear(2, 7, after: 2100) == now + .milliseconds(2250))
        #expect(hear(1, 8, after: 2100) == now + .milliseconds(2250))
        #expect(hear(1, 7, after: 2100) == now + .milliseconds(2350))
        // However much still comes.
        #expect(hear(1, 7, after: 19_900) == now + .seconds(20))
        #expect(reading.ended(at: now + .milliseconds(19_999)).isEmpty)
        #expect(reading.ended(at: now + .seconds(20)) == [wanted])
    }

    @Test func aThousandMessagesAreEnough() {
        let wanted = step(7, .card(box(1)))
        var reading = begun([wanted])
        #expect(ask(&reading) == [wanted])
        for _ in 0..<999 { reading.heard(.card(box(1)), in: day, at: now) }
        #expect(reading.ended(at: now).isEmpty && !reading.isOver)
        reading.heard(.card(box(1)), in: day, at: now)
        #expect(reading.ended(at: now) == [wanted] && reading.isOver)
    }

    @Test func theSecondOfTwoIsReadFirstIfItIsTakenFirst() {
        var reading = begun([step(0), step(1)])
        #expect(ask(&reading).count == 2)
        reading.acknowledged(2, at: now)
        #expect(reading.ended(at: now + .milliseconds(250)) == [step(1)])
        #expect(reading.ended(at: now + .seconds(20)) == [step(0)] && reading.isOver)
    }

    @Test func whatIsRefusedIsAskedForOnceMore() {
        var reading = begun([step(0), step(1)])
        #expect(ask(&reading).count == 2)
        reading.refused(2)
        for token in 1...2 { reading.finished(token) }
        #expect(reading.ended(at: now) == [step(0)])
        var again = step(1)
        again.isAgain = true
        #expect(ask(&reading, from: 3) == [again])
        reading.refused(3)
        reading.finished(3)
        #expect(reading.ended(at: now).isEmpty && reading.isOver)
    }
}
