// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// When somebody is asked for what is lacking, and when for a tunnel (docs/meet.md sections 8 and
/// 9).
@Suite("Questions of the meeting point") struct MeetQuestionTests {
    private let now = Instant.zero + .seconds(1000)
    private let keys = (1...12).map { FakeSigner(UInt8($0)).key }
    private var ada: PeerKey { keys[0] }
    private var bo: PeerKey { keys[1] }

    private func after(_ seconds: Int64) -> Instant { now + .seconds(seconds) }

    private func before(_ time: Instant) -> Instant {
        Instant(nanoseconds: time.nanoseconds - 1)
    }

    // MARK: What cards show

    private func shown(_ seq: Int, known: Int) -> MeetWitnesses {
        var witnesses = MeetWitnesses()
        witnesses.shows(seq, of: ada, by: ada, known: known, at: now)
        return witnesses
    }

    @Test func whatIsHereIsNotLacking() {
        #expect(shown(3, known: 3).authors.isEmpty)
        #expect(shown(4, known: 3).authors == [ada])
        var witnesses = shown(4, known: 3)
        witnesses.compare(at: now) { _ in 4 }
        #expect(witnesses.authors.isEmpty)
    }

    @Test func ofOneCardEightClaimsCount() {
        var witnesses = MeetWitnesses()
        for key in keys.prefix(9) { witnesses.shows(5, of: key, by: ada, known: 0, at: now) }
        #expect(witnesses.authors == Array(keys.prefix(8)))
        witnesses.shows(5, of: keys[10], by: bo, known: 0, at: now)
        #expect(witnesses.authors == keys.prefix(8) + [keys[10]])
        // More of somebody who is named already takes no place.
        witnesses.shows(6, of: keys[7], by: bo, known: 0, at: now)
        #expect(witnesses.authors.count == 9)
    }

    @Test func itIsAskedForAfterLongerAndLongerWaitsAndForgottenAfterSixHours() {
        var witnesses = shown(9, known: 3)
        var times: [Int64] = []
        while let due = witnesses.nextDeadline, times.count < 20 {
            #expect(witnesses.due(at: before(due)) { _ in true } == nil)
            guard witnesses.due(at: due, { _ in true }) == ada else { break }
            times.append((due - now).wholeSeconds)
        }
        #expect(times == [60, 120, 240, 480, 960, 1920, 3840, 7440, 11_040, 14_640, 18_240])
        #expect(witnesses.authors.isEmpty && witnesses.nextDeadline == nil)
        var other = shown(9, known: 3)
        _ = other.due(at: before(after(6 * 3600))) { _ in false }
        #expect(other.authors == [ada])
        _ = other.due(at: after(6 * 3600)) { _ in false }
        #expect(other.authors.isEmpty)
    }

    @Test func whatComesBeginsTheWaitAnew() {
        var witnesses = shown(9, known: 3)
        #expect(witnesses.due(at: after(60)) { _ in true } == ada)
        #expect(witnesses.due(at: after(120)) { _ in true } == ada)
        // Nothing came.
        witnesses.compare(at: after(130)) { _ in 3 }
        #expect(witnesses.nextDeadline == after(240))
        #expect(witnesses.behind(at: before(after(600)), isFull: false) == 0)
        #expect(witnesses.behind(at: after(600), isFull: false) == 1)
        witnesses.compare(at: after(150)) { _ in 4 }
        witnesses.compare(at: after(160)) { _ in 4 }
        #expect(witnesses.nextDeadline == after(210))
        #expect(witnesses.behind(at: after(749), isFull: false) == 0)
        #expect(witnesses.behind(at: after(750), isFull: false) == 1)
        #expect(witnesses.due(at: after(210)) { _ in true } == ada)
        #expect(witnesses.nextDeadline == after(270))
    }

    @Test func betweenTwoQuestionsIsAMinute() {
        var witnesses = shown(9, known: 3)
        witnesses.shows(9, of: bo, by: bo, known: 3, at: after(30))
        let (ada, bo) = (ada, bo)
        #expect(witnesses.due(at: after(60)) { _ in true } == ada)
        #expect(witnesses.nextDeadline == after(120))
        #expect(witnesses.due(at: before(after(120))) { $0 == bo } == nil)
        #expect(witnesses.due(at: after(120)) { $0 == bo } == bo)
    }

    // MARK: Audits and errands

    @Test func anAuditIsDueInTenToThirtyMinutes() throws {
        var (audit, random) = (MeetAudit(), SeededRandom(seed: 7))
        let isFirst = audit.isDue(at: now, &random)
        #expect(!isFirst)
        var (time, waits) = (now, Set<Int64>())
        for _ in 0..<20 {
            let due = try require(audit.due)
            #expect(due >= time + .seconds(600) && due < time + .seconds(1800))
            let isDue = [before(due), due].map { audit.isDue(at: $0, &random) }
            #expect(isDue == [false, true] && audit.due != due)
            waits.insert((due - time).nanoseconds)
            time = due
        }
        #expect(waits.count == 20)
    }

    @Test func anErrandIsWantedForTwentyFiveSeconds() {
        var errands = MeetErrands()
        errands.add(ada, at: now)
        errands.add(ada, at: after(10))
        errands.needed = [bo, ada]
        #expect(errands.all == [bo, ada])
        errands.needed = [bo]
        #expect(errands.all == [bo, ada] && errands.nextDeadline == after(25))
        var other = errands
        other.reached(bo)
        #expect(other.all == [bo, ada])
        other.reached(ada)
        #expect(other.all == [bo])
        errands.expire(at: before(after(25)))
        #expect(errands.all == [bo, ada])
        errands.expire(at: after(25))
        #expect(errands.all == [bo] && errands.nextDeadline == nil)
    }

    // MARK: Whom a tunnel is opened to

    @Test func oneIsTriedAfterLongerAndLongerWaits() {
        var needs = TunnelNeeds()
        needs.set([ada, ada], at: now)
        for (number, seconds) in ([0, 2, 6, 14, 30, 62, 122, 182] as [Int64]).enumerated() {
            #expect(needs.nextDeadline { _ in false } == after(seconds))
            #expect(needs.due(at: before(after(seconds))) { _ in false } == nil)
            #expect(needs.due(at: after(seconds)) { _ in false } == ada)
            #expect(needs.tries(ada) == number + 1)
            // Who is needed still keeps the wait.
            needs.set([bo, ada], at: after(seconds))
            needs.set([ada], at: after(seconds))
        }
        needs.reached(bo)
        #expect(needs.due(at: after(242)) { _ in false } == ada)
        #expect(needs.nextDeadline { _ in false } == after(302))
        needs.reached(ada)
        #expect(needs.due(at: after(302)) { _ in false } == ada)
        #expect(needs.nextDeadline { _ in false } == after(304))
        needs.set([], at: after(303))
        #expect(needs.nextDeadline { _ in false } == nil && needs.tries(ada) == 0)
    }

    @Test func oneASecondIsTriedInAll() {
        var needs = TunnelNeeds()
        let (ada, bo) = (ada, bo)
        needs.set([ada, bo], at: now)
        #expect(needs.due(at: now) { $0 == ada } == bo)
        #expect(needs.nextDeadline { $0 == bo } == after(1))
        #expect(needs.due(at: before(after(1))) { _ in false } == nil)
        #expect(needs.due(at: after(1)) { $0 == ada } == nil)
        #expect(needs.due(at: after(1)) { _ in false } == ada)
        #expect(needs.nextDeadline { $0 == ada || $0 == bo } == nil)
    }

    // MARK: Who opens one to this agent

    private let primitives = FakePrimitives()

    private func opening(_ number: Int, from peer: Int = 0, made: Int64 = 1000) throws
        -> TunnelOpening
    {
        let pair = FakeAgreement(seed: primitives.sha256([1]))
        let ends = TunnelOpening.Ends(from: keys[peer], own: pair, to: keys[11], boxKey: pair.key)
        let id = UInt64(number).bytes + UInt64(0).bytes
        return try require(
            TunnelOpening.make(
                try require(TunnelID(id)), ends, fresh: pair, at: UTCTime(seconds: made),
                primitives)
        ).opening
    }

    private func moment(_ seconds: Int64, _ clock: Int64) -> Moment {
        Moment(instant: after(seconds), utc: UTCTime(seconds: clock))
    }

    @Test func fortyOpensAreLookedAtAtOnceAndThenTwentyASecond() {
        var gate = OpeningGate(at: now)
        let looks = (0..<41).map { _ in gate.looks(at: now) }
        #expect(looks == [Bool](repeating: true, count: 40) + [false])
        let more = [49, 50, 50].map { gate.looks(at: now + .milliseconds($0)) }
        #expect(more == [false, true, false])
    }

    @Test func oneASecondIsTakenOfOnePassenger() throws {
        var gate = OpeningGate(at: now)
        let almost = Moment(instant: before(after(1)), utc: UTCTime(seconds: 1000))
        let answers = try [
            gate.answer(opening(1), at: moment(0, 1000)),
            gate.answer(opening(2), at: almost),
            gate.answer(opening(3, from: 1), at: moment(0, 1000)),
            gate.answer(opening(2), at: moment(1, 1000)),
            gate.answer(opening(1), at: moment(9, 1000)),
        ]
        #expect(answers == [.taken, .dropped, .taken, .taken, .dropped])
    }

    @Test func aClockMayBeAMinuteAway() throws {
        for (clock, answer) in [
            (940, .taken), (939, .clock(61)), (1060, .taken), (1061, .clock(-61)),
        ] as [(Int64, OpeningGate.Answer)] {
            var gate = OpeningGate(at: now)
            let first = gate.answer(try opening(1), at: moment(0, clock))
            let again = gate.answer(try opening(1), at: moment(5, 1000))
            #expect(first == answer && again == .dropped, "\(clock)")
        }
    }

    @Test func fiveHundredAndTwelveAreRememberedForTheirTime() throws {
        var gate = OpeningGate(at: now)
        for number in 0..<511 {
            _ = gate.answer(try opening(number), at: moment(Int64(number), 1000))
        }
        let first = try opening(0)
        let answers = try [
            gate.answer(opening(511), at: moment(511, 1000)),
            gate.answer(opening(512, made: 1030), at: moment(600, 1060)),
            gate.answer(first, at: moment(601, 1061)),
            gate.answer(opening(513, made: 1030), at: moment(602, 1061)),
            gate.answer(first, at: moment(603, 1061)),
        ]
        #expect(answers == [.taken, .dropped, .dropped, .taken, .clock(-61)])
    }
}
