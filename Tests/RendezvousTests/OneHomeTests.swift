// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// What one agent remembers of one broker, and when it is connected to it (docs/meet.md section 5).
@Suite("One home") struct OneHomeTests {
    private let now = Instant.zero + .seconds(1000)
    private let epoch = MeetEpoch(number: 7)
    private let peer = FakeSigner(2).key
    private let box: MeetBox
    private let own: OwnRecords

    init() {
        box = MeetWorld(brokers: 1).keys.box(of: FakeSigner(1).key, in: MeetEpoch(number: 7))
        var own = OwnRecords()
        own.wrote([[1]], head8: 1, at: .zero)
        own.renew(Self.card, at: .zero)
        self.own = own
    }

    private static var card: SignedCard { SignedCard(MeetFormTests.card(), by: FakeSigner(1)) }

    private func home() throws -> MeetHome {
        MeetHome(try require(MeetBroker(host: "m0.test", port: 8883)))
    }

    private func random() -> SeededRandom { SeededRandom(seed: FakePrimitives().sha256([1])) }

    private func stored(_ tokens: [Int], _ home: inout MeetHome) -> [Bool] {
        tokens.map { home.stored($0, at: Moment(instant: now, utc: MeetWorld.start)) }
    }

    /// A connection on which all of the own box was stored.
    private func full() throws -> MeetHome {
        var home = try home()
        home.up(reading: [], at: now)
        home.readOwnBox()
        home.sends(part: 0, count: 1, as: 1)
        home.sends(card: own.cardVersion, as: 2)
        #expect(stored([1, 2, 3], &home) == [true, true, false] && home.isStored(own))
        return home
    }

    // MARK: The connection

    /// Up to twice the wait: agents that lost one broker do not come back at once.
    @Test(arguments: [(false, 60), (true, 900)] as [(Bool, Int64)])
    func eachTryWaitsTwiceAsLong(_ isOld: Bool, _ longest: Int64) throws {
        var (home, random) = (try home(), random())
        if isOld { home.leavesAt = now + .seconds(1_000_000) }
        var (time, wait) = (now, 1 as Int64)
        for _ in 0..<13 {
            #expect(home.attend(isNeeded: true, at: time, random: &random) == .connect)
            home.down(at: time)
            let due = try require(home.nextDeadline(isLasting: true, isOnly: false))
            #expect(due >= time + .seconds(wait) && due < time + .seconds(2 * wait), "\(wait)")
            let before = Instant(nanoseconds: due.nanoseconds - 1)
            #expect(home.attend(isNeeded: true, at: before, random: &random) == nil)
            (time, wait) = (due, min(2 * wait, longest))
        }
    }

    @Test func aConnectionIsWaitedForForTwoMinutes() throws {
        var (home, random) = (try home(), random())
        #expect(home.attend(isNeeded: true, at: now, random: &random) == .connect)
        let due = now + .seconds(120)
        #expect(home.nextDeadline(isLasting: true, isOnly: true) == due)
        home.compare(with: own, hasMail: true, at: now + .milliseconds(119_999))
        #expect(home.isWanted && !home.isUp)
        var other = home
        home.compare(with: own, hasMail: true, at: due)
        #expect(!home.isWanted)
        // One that came about is not given up.
        other.up(reading: [], at: now)
        other.compare(with: own, hasMail: true, at: due)
        #expect(other.isUp)
    }

    @Test(arguments: [false, true])
    func whatWasSaidOnAConnectionIsForgottenWithIt(_ isLetGo: Bool) throws {
        var (home, random) = (try home(), random())
        home.up(reading: [BoxReading.Step(filter: .live, epoch: epoch)], at: now)
        #expect(home.isUp && home.owesLast && !home.reading.isOver)
        (home.reads, home.looksBehind) = (epoch, true)
        (home.followed, home.tunnelled, home.lettered) = ([epoch], [epoch], [epoch])
        home.readOwnBox()
        home.sends(part: 0, count: 1, as: 1)
        home.sends(card: 1, as: 2)
        home.mail.sends(1, to: peer, as: 3)
        home.mail.lays(
            OwnMail.Lane(letters: [], made: MeetWorld.start, version: 1, due: now, isRipe: true),
            for: peer, in: epoch, at: now)
        home.found(.card(box), of: epoch)
        home.damaged(at: now)
        #expect(!home.lacks(part: 0, count: 1) && !home.lacks(card: 1))
        if isLetGo {
            #expect(home.attend(isNeeded: false, at: now, random: &random) == .disconnect)
        } else {
            home.down(at: now)
        }
        #expect(!home.isUp && !home.isWanted)
        #expect(home.reading.isOver && home.reads == nil && !home.looksBehind)
        #expect(home.followed.isEmpty && home.tunnelled.isEmpty && home.lettered.isEmpty)
        #expect(!home.knowsOwnBox && home.over.isEmpty && home.repairAt == nil)
        #expect(home.lacks(part: 0, count: 1) && home.lacks(card: 1))
        #expect(home.mail.lanes.isEmpty && !home.mail.isWaiting)
        #expect(stored([1, 2, 3], &home) == [false, false, false])
    }

    @Test func whatWasReadWholeIsKnownOfItsDay() throws {
        var home = try home()
        home.hasRead()
        #expect(home.wasRead == nil)
        home.reads = epoch
        for _ in 0..<2 {
            home.hasRead()
            #expect(home.wasRead == epoch && home.reads == nil)
        }
    }

    // MARK: Visits

    @Test func aVisitIsDueAQuarterOfAnHourAfterTheLastOne() throws {
        var home = try home()
        #expect(home.isVisited(at: .zero))
        home.up(reading: [], at: now)
        #expect(!home.isVisited(at: now + .seconds(5000)))
        #expect(!home.isMissing(at: now + .seconds(5000)))
        home.down(at: now)
        #expect(!home.isVisited(at: now + .seconds(899)))
        #expect(home.isVisited(at: now + .seconds(900)))
        #expect(!home.isMissing(at: now + .seconds(959)))
        #expect(home.isMissing(at: now + .seconds(960)))
    }

    @Test func aVisitLastsWhileAnythingIsUnderWay() throws {
        var home = try home()
        home.up(reading: [], at: now)
        #expect(!home.isVisited(at: now) && home.isVisitOver)
        let steps = [BoxReading.Step(filter: .live, epoch: epoch)]
        let changes: [(inout MeetHome) -> Void] = [
            { $0.reading.begin(steps, at: now) }, { $0.sends(part: 0, count: 1, as: 1) },
            { $0.mail.sends(1, to: peer, as: 1) },
            { $0.compare(with: own, hasMail: true, at: now) },
        ]
        for (number, change) in changes.enumerated() {
            var other = home
            change(&other)
            #expect(other.isVisited(at: now) && !other.isVisitOver, "\(number)")
        }
        home.down(at: now)
        #expect(!home.isVisitOver)
    }

    @Test func ownChangesAreCollectedForAMinuteOnceAllWasStored() throws {
        var home = try home()
        home.up(reading: [], at: now)
        home.down(at: now)
        // Before a card there is nothing to leave.
        home.compare(with: OwnRecords(), hasMail: false, at: now)
        #expect(!home.isVisited(at: now))
        home.compare(with: own, hasMail: true, at: now)
        #expect(!home.isVisited(at: now + .milliseconds(-1)) && home.isVisited(at: now))
        home = try full()
        home.down(at: now)
        home.compare(with: own, hasMail: true, at: now)
        #expect(!home.isVisited(at: now + .seconds(899)))
        var lacking = home
        for seconds in [10, 20] as [Int64] {
            lacking.compare(with: own, hasMail: false, at: now + .seconds(seconds))
        }
        #expect(!lacking.isVisited(at: now + .seconds(69)))
        #expect(lacking.isVisited(at: now + .seconds(70)))
        var newer = own
        newer.renew(Self.card, at: now)
        home.compare(with: newer, hasMail: true, at: now + .seconds(10))
        #expect(!home.isVisited(at: now + .seconds(69)))
        #expect(home.isVisited(at: now + .seconds(70)))
    }

    // MARK: The own box

    @Test(arguments: [[true, true], [true, false], [false, true]])
    func whatDidNotStandThereIsNotStored(_ isThere: [Bool]) throws {
        var home = try full()
        home.down(at: now)
        home.up(reading: [], at: now)
        home.saw(.part(box, 0), isOurs: isThere[0])
        home.saw(.card(box), isOurs: isThere[1])
        // It is looked at once.
        for _ in 0..<2 {
            home.readOwnBox()
            #expect(home.knowsOwnBox && home.isStored(own) == (isThere == [true, true]))
            #expect(home.lacks(part: 0, count: 1) == !isThere[0])
            #expect(home.lacks(card: own.cardVersion) == !isThere[1])
        }
    }

    @Test func aDamagedBoxIsWrittenAgainAfterLongerAndLongerWaits() throws {
        var (home, time) = (try home(), now)
        for wait in [5, 10, 20, 40, 80, 160, 320, 600, 600] as [Int64] {
            home.damaged(at: time)
            home.damaged(at: time + .seconds(1))
            #expect(home.repairAt == time + .seconds(wait))
            home.repair()
            #expect(home.repairAt == nil)
            time = time + .seconds(1700)
        }
        // The last one is 1700 s ago: that counts, and one of 1800 s ago does not.
        time = time + .seconds(99)
        home.damaged(at: time)
        #expect(home.repairAt == time + .seconds(600))
        home.repair()
        time = time + .seconds(1800)
        home.damaged(at: time)
        #expect(home.repairAt == time + .seconds(5))
    }

    @Test func afterARepairNothingIsThere() throws {
        for isCard in [false, true] {
            var home = try full()
            home.sends(part: 1, count: 2, as: 3)
            home.repair()
            #expect(!home.isStored(own) && stored([3], &home) == [false])
            #expect(home.lacks(part: 0, count: 1) && home.lacks(card: own.cardVersion))
            // One of both is not all.
            if isCard {
                home.sends(card: own.cardVersion, as: 4)
            } else {
                home.sends(part: 0, count: 1, as: 4)
            }
            #expect(stored([4], &home) == [true] && !home.isStored(own))
        }
    }

    @Test func sixHashesOfATopicAreRemembered() throws {
        var home = try home()
        for hash in 1...7 as ClosedRange<UInt64> { home.leaves(hash, under: .card(box)) }
        #expect(home.isNewest(7, under: .card(box)) && !home.isNewest(6, under: .card(box)))
        // Nothing is on its way.
        #expect(!home.isEcho(2, under: .card(box)))
        home.sends(card: 1, as: 1)
        let isEcho = (1...8).map { home.isEcho(UInt64($0), under: .card(box)) }
        #expect(isEcho == [false, true, true, true, true, true, true, false])
        #expect(!home.isEcho(2, under: .part(box, 0)))
    }

    @Test func aLetterThatIsRefusedIsNotWaitedFor() throws {
        var home = try home()
        home.mail.sends(1, to: peer, as: 4)
        #expect(home.mail.isWaiting)
        home.refused(4, at: now)
        #expect(!home.mail.isWaiting && home.repairAt == nil && home.mail.stored.isEmpty)
    }
}
