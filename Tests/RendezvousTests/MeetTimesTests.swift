// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// What a meeting does at the edges of its times and numbers (docs/meet.md sections 3, 5 and 8).
@Suite("Times of a meeting") struct MeetTimesTests {
    private let primitives = FakePrimitives()
    private let peer = FakeSigner(9).key
    private let start = MeetWorld.start.seconds
    /// When what is left does not count any more.
    private let ends = MeetWorld.start.seconds + 72 * 3600

    /// One agent that has not been answered yet.
    private func meeting(
        brokers: Int = 1, _ change: (inout MeetWorld) -> Void = { _ in }
    ) -> Meeting {
        var world = MeetWorld(brokers: brokers)
        change(&world)
        _ = world.join()
        return world.agents[0].meeting
    }

    private func moment(_ seconds: Int64, after milliseconds: Int64 = 0) -> Moment {
        Moment(
            instant: .zero + .seconds(1000) + .milliseconds(milliseconds),
            utc: UTCTime(seconds: seconds))
    }

    private func card(
        of author: PeerKey? = nil, made: Int64? = nil, _ change: (inout MeetCard) -> Void = { _ in }
    ) -> MeetCard {
        MeetFormTests.card { card in
            card.author = author ?? peer
            card.made = UTCTime(seconds: made ?? start)
            card.until = UTCTime(seconds: start + 1000)
            change(&card)
        }
    }

    /// Their card was read.
    private func reads(_ card: MeetCard, _ meeting: inout Meeting) {
        _ = meeting.passengers.take(card, in: MeetEpoch(at: MeetWorld.start), at: moment(start))
    }

    // MARK: How long something counts

    @Test func whatIsLeftCountsForFourDaysOrUntilTheEnd() {
        let meeting = meeting()
        let four: Int64 = 345_600
        for (now, until) in [
            (ends - four - 1, ends - 1), (ends - four, ends), (ends - four + 1, ends),
            (ends - 2, ends), (ends - 1, ends), (ends, ends + 1), (ends + 9, ends + 10),
        ] {
            #expect(meeting.until(UTCTime(seconds: now)).seconds == until)
            #expect(meeting.stay(at: UTCTime(seconds: now)) == until - now)
        }
    }

    @Test func noNumberAndNoNonceComesTwice() {
        var meeting = meeting()
        let numbers = (0..<20).map { _ in meeting.token() }
        let nonces = (0..<20).map { _ in meeting.nonce() }
        #expect(Set(numbers).count == 20 && Set(nonces).count == 20)
        #expect(nonces.allSatisfy { $0.count == 24 })
    }

    // MARK: The own card

    /// A card from a clock that was far ahead is refused by others, and so would the next one be.
    @Test func aCardIsYoungerThanTheOneBeforeUnlessThatIsFarAhead() {
        for (before, made) in [(-9, 0), (0, 1), (600, 601), (601, 0)] as [(Int64, Int64)] {
            var meeting = meeting()
            (meeting.own.cardDue, meeting.own.lastMade) = (.zero, UTCTime(seconds: start + before))
            meeting.renewCard(at: moment(start))
            #expect(meeting.own.card?.card.made.seconds == start + made)
        }
    }

    @Test func aCardIsRenewedWhenItIsDueAndNotAfterTheEnd() {
        let due = moment(start).instant
        for (seconds, milliseconds, version) in [
            (start, -1, 1), (start, 0, 2), (ends - 1, 0, 2), (ends, 0, 1),
        ] as [(Int64, Int64, Int)] {
            var meeting = meeting()
            #expect(meeting.own.cardVersion == 1)
            meeting.own.cardDue = due
            meeting.renewCard(at: moment(seconds, after: milliseconds))
            #expect(meeting.own.cardVersion == version)
            let next = milliseconds < 0 ? due : due + .seconds(600)
            #expect(meeting.own.cardDue == next)
        }
    }

    @Test func theBoxesMoveOnInTheFirstHourOfADay() throws {
        var (meeting, effects) = (meeting(), MeetEffects())
        let today = MeetEpoch(at: MeetWorld.start)
        let midnight = today.next.begins.seconds
        meeting.move(&effects, at: moment(midnight - 1))
        #expect(meeting.own.moveAt == nil)
        meeting.move(&effects, at: moment(midnight))
        let due = try require(meeting.own.moveAt)
        let wait = (due - moment(midnight).instant).nanoseconds / 1_000_000
        #expect((0..<3_600_000).contains(wait))
        // The clock was set back before that.
        var other = meeting
        other.move(&effects, at: moment(midnight - 1))
        #expect(other.own.moveAt == nil && other.own.epoch == today)
        meeting.move(&effects, at: moment(midnight, after: wait - 1))
        #expect(meeting.own.epoch == today && meeting.own.moveAt == due)
        meeting.move(&effects, at: moment(midnight, after: wait))
        #expect(meeting.own.epoch == today.next && meeting.own.moveAt == nil)
        // Within ten minutes before midnight the next day is current by somebody's clock.
        meeting.move(&effects, at: moment(midnight - 600))
        #expect(meeting.own.epoch == today.next)
        meeting.move(&effects, at: moment(midnight - 601))
        #expect(meeting.own.epoch == today)
    }

    // MARK: Homes

    /// Until two hours after midnight, people leave things in the boxes of yesterday.
    @Test func aDayIsReadForGoodTwoHoursAfterItBegan() {
        let today = MeetEpoch(at: MeetWorld.start)
        let begins = today.begins.seconds
        var meeting = meeting()
        meeting.begin(0, at: moment(begins + 7199))
        #expect(meeting.homes[0].reads == nil && !meeting.homes[0].looksBehind)
        meeting.begin(0, at: moment(begins + 7200))
        #expect(meeting.homes[0].reads == today && !meeting.homes[0].looksBehind)
        meeting.homes[0].hasRead()
        meeting.begin(0, at: moment(begins + 9000))
        #expect(meeting.homes[0].reads == nil && meeting.homes[0].looksBehind)
        meeting.begin(0, at: moment(begins + 86_400 + 7200))
        #expect(meeting.homes[0].reads == today.next && !meeting.homes[0].looksBehind)
    }

    @Test func aHomeOfBeforeIsVisitedForSixHours() {
        var (meeting, effects) = (meeting(brokers: 9), MeetEffects())
        let names = MeetWorld(brokers: 9).brokers.map(\.name)
        let now = moment(start).instant
        let six = TimeSpan.seconds(6 * 3600)
        func pool(_ brokers: [MeetBroker], after seconds: Int64) -> [Instant?] {
            meeting.pool(brokers, &effects, at: now + .seconds(seconds))
            return meeting.homes.map(\.leavesAt)
        }
        _ = pool([], after: 0)
        meeting.homes = []
        #expect(pool([names[0]], after: 0) == [nil])
        #expect(pool([names[1]], after: 0) == [nil, now + six])
        // The one that left last comes first, and nobody stays longer for that.
        #expect(pool([names[2]], after: 9) == [nil, now + six + .seconds(9), now + six])
        #expect(meeting.homes.map(\.broker) == [names[2], names[1], names[0]])
        #expect(effects.asks.isEmpty)
        #expect(pool([names[1]], after: 20) == [nil, now + six + .seconds(20), now + six])
        var random = meeting.random
        _ = meeting.homes[2].attend(isNeeded: true, at: now, random: &random)
        meeting.forgetOldHomes(&effects, at: now + six + .milliseconds(-1))
        #expect(meeting.homes.count == 3 && effects.asks.isEmpty)
        meeting.forgetOldHomes(&effects, at: now + six)
        #expect(meeting.homes.map(\.broker) == [names[1], names[2]])
        #expect(effects.asks == [MeetAsk(names[0], .disconnect)])
        // Of more than two old ones those that left first go.
        _ = pool([names[3], names[4]], after: 30)
        _ = pool([names[5], names[6]], after: 40)
        #expect(meeting.homes.count == 4)
        #expect(Set(meeting.homes.prefix(2).map(\.broker)) == [names[5], names[6]])
        #expect(Set(meeting.homes.suffix(2).map(\.broker)) == [names[3], names[4]])
    }

    /// Two homes, and one of before; those with these numbers are connected.
    private func homes(up numbers: [Int], at now: Instant) throws -> Meeting {
        var meeting = meeting()
        meeting.homes = MeetWorld(brokers: 3).brokers.map { MeetHome($0.name) }
        meeting.homes[2].leavesAt = now + .seconds(20_000)
        for number in numbers { meeting.homes[number].up(reading: [], at: now) }
        return meeting
    }

    @Test func theNextHomeServesWhileThoseBeforeItAreGone() throws {
        for (numbers, expected) in [
            ([], [true, true, true]), ([2], [true, true, true]), ([1], [true, true, false]),
            ([0], [true, false, false]), ([0, 1, 2], [true, false, false]),
        ] as [([Int], [Bool])] {
            let meeting = try homes(up: numbers, at: moment(start).instant)
            #expect((0...2).map { meeting.isLasting($0) } == expected, "\(numbers)")
            #expect((0...2).map { meeting.isNeeded($0) } == expected)
            #expect(meeting.isReached == !numbers.isEmpty)
        }
    }

    /// A home of before tells nothing that a visit to the other home would.
    @Test func whereTheOtherHomeIsMissingOneLooksAround() throws {
        for (place, numbers, seconds, looks) in [
            (0, [0], 899, false), (0, [0], 900, true), (0, [0, 1], 900, false),
            (0, [0, 2], 900, true), (2, [2], 900, false), (1, [1], 900, true),
        ] as [(Int, [Int], Int64, Bool)] {
            var meeting = try homes(up: numbers, at: moment(start).instant)
            let now = moment(start, after: seconds * 1000)
            meeting.lookAround(place, at: now)
            #expect(meeting.homes[place].looksBehind == looks)
            #expect(meeting.homes[place].reading.isOver == !looks)
            let isDue = meeting.homes[place].isDueForAnotherLook(at: now.instant)
            #expect(isDue == (!looks && seconds > 899))
        }
    }

    /// Before that nothing would come of it, and a deadline that stays keeps a processor busy.
    @Test func aBoxIsLookedAtAgainOnceAllWasReadAtABroker() {
        let (now, later) = (moment(start), moment(start, after: 5000))
        for (isUp, isOver, wait) in [
            (false, true, 120), (true, false, 20), (true, true, 5),
        ] as [(Bool, Bool, Int64)] {
            var meeting = meeting()
            reads(card(), &meeting)
            let own = meeting.ownSteps(in: MeetEpoch(at: MeetWorld.start))
            if isUp { meeting.homes[0].up(reading: isOver ? [] : own, at: now.instant) }
            _ = meeting.handle(.tick, at: now)
            #expect(meeting.nextDeadline == now.instant + .seconds(wait))
            _ = meeting.handle(.tick, at: later)
            let next: Int64 = isUp && isOver ? 10 : 5
            #expect(meeting.passengers.nextLook([peer]) == now.instant + .seconds(next))
        }
    }

    // MARK: Who is told of what

    @Test func nothingIsReadBeforeABrokerIsThere() {
        let status = meeting().status(at: moment(start))
        #expect(!status.hasRead && !status.isReached && status.homes.map(\.isUp) == [false])
    }

    @Test func lettersReachWhoseCardCounts() {
        for (agreement, expected) in [(true, [true, false]), (false, [false, false])] {
            var meeting = meeting { $0.hasTunnels = agreement }
            #expect(!meeting.reaches(peer, at: MeetWorld.start))
            reads(card(), &meeting)
            let reaches = [999, 1000].map {
                meeting.reaches(peer, at: UTCTime(seconds: start + $0))
            }
            #expect(reaches == expected)
        }
    }

    @Test func onlyALogThatIsLongerThanWhatIsHereIsLacking() {
        let cases = [(2, 1, false), (3, 1, true), (3, 3, true), (3, 4, false)]
        for (length, parts, isLacking) in cases {
            var meeting = meeting()
            reads(card { ($0.length, $0.parts) = (length, parts) }, &meeting)
            meeting.learnt(
                .zero, [FrontierItem(author: peer, seq: 2, head8: 1, fork: 0)],
                at: moment(start).instant)
            #expect(meeting.lacking == (isLacking ? [peer] : []))
        }
    }

    /// Of a log that fills all parts a box has a part only, and one that is forked takes no more.
    @Test func aCardShowsWhatIsLackingWhereThatCanBe() {
        let third = FakeSigner(8).key
        for (parts, others, fork, expected) in [
            (3, 3, 0, [peer, third]), (4, 3, 0, [third]), (3, 4, 0, [peer]), (3, 3, 2, [peer]),
        ] {
            var meeting = meeting()
            let item = FrontierItem(author: third, seq: 9, head8: 1, fork: 0)
            reads(card(of: third) { $0.parts = others }, &meeting)
            meeting.learnt(
                .zero, [FrontierItem(author: third, seq: 3, head8: 1, fork: fork)],
                at: moment(start).instant)
            let shown = card { ($0.length, $0.parts, $0.items) = (5, parts, [item]) }
            meeting.witness(shown, at: moment(start).instant)
            #expect(meeting.witnesses.authors == expected)
            // It forks, or all comes.
            for (seq, fork) in [(3, 0), (8, 0), (9, 0), (8, 1)] {
                var later = meeting
                later.learnt(
                    .zero, [FrontierItem(author: third, seq: seq, head8: 1, fork: fork)],
                    at: moment(start).instant)
                let isOver = seq == 9 || fork > 0
                #expect(later.witnesses.authors == expected.filter { $0 != third || !isOver })
            }
        }
    }

    @Test(arguments: [895, 896])
    func whoIsTurnedAwayIsToldWhereTheFlightIsFull(_ count: Int) {
        var meeting = meeting()
        let items = (0..<count).map { number in
            FrontierItem(
                author: PeerKey(primitives.sha256(UInt64(number).bytes)), seq: 1, head8: 1, fork: 0)
        }
        .sorted { $0.author < $1.author }
        meeting.learnt(.zero, items, at: moment(start).instant)
        reads(card { $0.length = 1 }, &meeting)
        // One without a log, and one that is here.
        reads(card(of: FakeSigner(8).key) { $0.length = 0 }, &meeting)
        reads(card(of: items[3].author) { $0.length = 5 }, &meeting)
        let status = meeting.status(at: moment(start))
        #expect(status.passengers == 3 && status.turnedAway == count - 895)
    }

    @Test func aCardFromAheadTellsOfAClockUntilItsTimeComes() {
        var meeting = meeting()
        let other = FakeSigner(8).key
        for (peer, ahead) in [(other, 700), (peer, 601)] as [(PeerKey, Int64)] {
            meeting.passengers.sees(early: peer, made: UTCTime(seconds: start + ahead))
        }
        func clocks(_ later: Int64) -> [PeerKey: Int64?] {
            let clocks = meeting.status(at: moment(start + later)).clocks
            return Dictionary(uniqueKeysWithValues: clocks.map { ($0.peer, $0.ahead) })
        }
        #expect(clocks(0) == [other: 700, peer: 601])
        #expect(clocks(1) == [other: 699] && clocks(99) == [other: 601] && clocks(100).isEmpty)
    }

    /// A card cannot be from a time that its author's clock has not reached.
    @Test func whatATunnelToldOfAClockIsWeighedAgainstACard() {
        var world = MeetWorld(brokers: 1)
        world.hasTunnels = true
        world.skew[1] = 420
        for _ in 0..<2 { _ = world.join() }
        world.run(30)
        let keys = world.agents.map(\.signer.key)
        world.feed(.tunnel(.need([keys[0]])), to: 1)
        world.run(1)
        let now = world.now
        func ahead(_ number: Int, card seconds: Int64) -> [Int64?] {
            var meeting = world.agents[number].meeting
            meeting.passengers = MeetPassengers()
            let made = now.utc.seconds + seconds
            reads(card(of: keys[1 - number], made: made), &meeting)
            meeting.passengers.sees(early: keys[1 - number], made: UTCTime(seconds: made + 900))
            return meeting.status(at: now).clocks.map(\.ahead)
        }
        // The first one knows what the other one said, and the other one only that it is too much.
        #expect([479, 480].map { ahead(0, card: $0) } == [[420], [420]])
        #expect(ahead(0, card: 481) == [1381])
        #expect([60, 61].map { ahead(1, card: $0) } == [[nil], [61]])
    }

    @Test func aLetterIsLeftOnceABrokerSaidSo() {
        var world = MeetWorld(brokers: 1)
        world.hasTunnels = true
        for _ in 0..<2 { _ = world.join() }
        world.run(30)
        world.stop(1)
        let (key, thread) = (world.agents[1].signer.key, ThreadID(high: 1, low: 1))
        let letter = Letter(
            .message(.directMessage(id: thread, text: "a")),
            until: UTCTime(seconds: start + 40_000))
        func hasLeft(_ letters: [Letter], after seconds: Int64) -> [Bool] {
            world.feed(.mail([Mail(key, letters)]), to: 0)
            world.run(seconds)
            let meeting = world.agents[0].meeting
            let count = meeting.status(at: world.now).letters
            return [
                meeting.hasLeft(thread, for: key), count == 1,
                meeting.hasLeft(ThreadID(high: 1, low: 2), for: key),
            ]
        }
        #expect(hasLeft([letter], after: 1) == [false, false, false])
        #expect(hasLeft([letter], after: 10) == [true, true, false])
        #expect(hasLeft([], after: 10) == [false, false, false])
    }
}
