// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// What an agent remembers of other passengers, and where that ends (docs/meet.md sections 3 and
/// 5).
@Suite("Memory of the meeting point") struct MeetMemoryTests {
    private let primitives = FakePrimitives()
    private let now = Instant.zero + .seconds(1000)
    private let epoch = MeetEpoch(number: 7)
    private let keys = (1...9).map { FakeSigner(UInt8($0)).key }

    private func moment(after seconds: Int64 = 0) -> Moment {
        Moment(instant: now + .seconds(seconds), utc: UTCTime(seconds: 1500 + seconds))
    }

    private func card(of author: PeerKey, _ change: (inout MeetCard) -> Void = { _ in }) -> MeetCard
    {
        MeetFormTests.card { card in
            card.author = author
            change(&card)
        }
    }

    /// As many passengers as a flight has, and one more.
    private func crowd() -> [PeerKey] {
        (0...Limits.authors).map { PeerKey(primitives.sha256(UInt64($0).bytes)) }
    }

    // MARK: Cards

    @Test func whatACardWitnessesOfOthersIsNotKept() {
        var passengers = MeetPassengers()
        let item = FrontierItem(author: keys[1], seq: 1, head8: 1, fork: 0)
        for made: Int64 in [1000, 1001] {
            let read = card(of: keys[0]) {
                ($0.made, $0.items) = (UTCTime(seconds: made), [item])
            }
            _ = passengers.take(read, in: epoch, at: moment())
            #expect(passengers.card(of: keys[0])?.made.seconds == made)
            #expect(passengers.card(of: keys[0])?.items.isEmpty == true)
        }
        #expect(passengers.card(of: keys[1]) == nil && !passengers.knows(keys[1]))
    }

    @Test func eightWhoseClocksAreAheadAreRemembered() {
        var passengers = MeetPassengers()
        for (number, key) in keys.enumerated() {
            passengers.sees(early: key, made: UTCTime(seconds: Int64(number)))
        }
        #expect(Set(passengers.early.keys) == Set(keys.prefix(8)))
        passengers.sees(early: keys[0], made: UTCTime(seconds: 99))
        #expect(passengers.early[keys[0]]?.seconds == 99)
        // Their time has come.
        _ = passengers.take(card(of: keys[0]), in: epoch, at: moment())
        #expect(Set(passengers.early.keys) == Set(keys[1..<8]))
    }

    // MARK: Looks

    @Test func behindAFirstCardTheLogHasFiveSeconds() {
        var passengers = MeetPassengers()
        _ = passengers.take(card(of: keys[0]), in: epoch, at: moment())
        #expect(passengers.nextLook([keys[0]]) == now + .seconds(5))
        // One that was looked at before waits as long as it did.
        _ = passengers.asks(for: keys[1], known: 0, at: now)
        _ = passengers.asks(for: keys[1], known: 0, at: now + .seconds(5))
        _ = passengers.take(card(of: keys[1]), in: epoch, at: moment(after: 6))
        #expect(passengers.nextLook([keys[1]]) == now + .seconds(15))
    }

    @Test func aBoxIsLookedAtAfterLongerAndLongerWaits() throws {
        var passengers = MeetPassengers()
        func asks(_ known: Int, at time: Instant) -> Bool {
            passengers.asks(for: keys[0], known: known, at: time)
        }
        var time = now
        #expect(asks(3, at: time))
        for wait in [5, 10, 20, 40, 80, 160, 320, 600, 600] as [Int64] {
            let due = time + .seconds(wait)
            #expect(!asks(3, at: Instant(nanoseconds: due.nanoseconds - 1)))
            #expect(passengers.nextLook([keys[0]]) == due)
            #expect(asks(3, at: due))
            time = due
        }
        // More is here than at the last look.
        #expect(asks(4, at: time) && !asks(4, at: time + .seconds(4)))
        #expect(asks(4, at: time + .seconds(5)))
    }

    @Test func noMoreBoxesAreLookedAtThanAFlightHasPassengers() {
        let all = crowd()
        let (last, late) = (all[Limits.authors - 1], all[Limits.authors])
        var passengers = MeetPassengers()
        for key in all.dropLast(2) { _ = passengers.asks(for: key, known: 0, at: now) }
        #expect(passengers.nextLook([last]) == .zero)
        var other = passengers
        _ = other.take(card(of: last), in: epoch, at: moment())
        #expect(other.nextLook([last]) == now + .seconds(5))
        _ = passengers.asks(for: last, known: 0, at: now)
        #expect(passengers.nextLook([last]) == now + .seconds(5))
        let later = now + .seconds(5)
        let isLooked = [late, last].map { passengers.asks(for: $0, known: 0, at: later) }
        #expect(isLooked == [false, true])
        #expect(passengers.dueLooks([late], first: [], at: later).isEmpty)
        #expect(passengers.take(card(of: late), in: epoch, at: moment()).isFirst)
        #expect(passengers.nextLook([late]) == nil)
    }

    @Test func aStrangerIsLookedForOnceAMinuteAndSixtyFourAre() {
        var passengers = MeetPassengers()
        func asks(_ key: PeerKey, after milliseconds: Int64) -> Bool {
            passengers.asks(forStranger: key, at: now + .milliseconds(milliseconds))
        }
        #expect(asks(keys[0], after: 0) && !asks(keys[0], after: 0))
        let others = crowd().prefix(64).map { asks($0, after: 1) }
        #expect(others == [Bool](repeating: true, count: 63) + [false])
        #expect(!asks(keys[0], after: 59_999) && asks(keys[0], after: 60_000))
        // The others' minute is not over.
        #expect(!asks(keys[1], after: 60_000) && asks(keys[1], after: 60_001))
    }

    // MARK: Live messages

    @Test func fortyMessagesAreTakenAtOnceAndThenNoneForAMinute() {
        var intake = LiveIntake(at: now)
        let taken = (0..<41).map { _ in intake.takes(1, at: now) }
        #expect(taken == [Bool](repeating: true, count: 40) + [false])
        #expect(intake.restsUntil == now + .seconds(60))
        let isAwake = [
            intake.takes(1, at: now + .seconds(59)), intake.wakes(at: now + .milliseconds(59_999)),
            intake.wakes(at: now + .seconds(60)), intake.takes(1, at: now + .seconds(60)),
            intake.wakes(at: now + .seconds(200)),
        ]
        #expect(isAwake == [false, false, true, true, false] && intake.restsUntil == nil)
    }

    @Test func eightHundredEntriesAreTakenAtOnce() {
        for (counts, expected) in [
            ([800], [true]), ([801], [false]), ([400, 400, 1], [true, true, false]),
        ] {
            var intake = LiveIntake(at: now)
            let taken = counts.map { intake.takes($0, at: now) }
            #expect(taken == expected, "\(counts)")
        }
    }

    // MARK: Frontier

    /// Sorted by author.
    private func items(_ count: Int) -> [FrontierItem] {
        crowd().prefix(count).sorted().map {
            FrontierItem(author: $0, seq: 1, head8: 1, fork: 0)
        }
    }

    @Test func aCardNamesThoseWhoChangedLast() {
        var frontier = MeetFrontier()
        var items = items(65)
        frontier.learn(.zero, items)
        #expect(frontier.witnessed { _ in true } == Array(items.prefix(64)))
        items[64].seq = 2
        frontier.learn(primitives.sha256([1]), items)
        #expect(frontier.digest == primitives.sha256([1]))
        #expect(frontier.witnessed { _ in true } == Array(items.prefix(63)) + [items[64]])
        // Of those who are listed.
        let (first, last) = (items[0].author, items[64].author)
        #expect(frontier.witnessed { $0 != first }.map(\.author) == items[1...].map(\.author))
        #expect(frontier.witnessed { $0 == last } == [items[64]])
    }

    @Test func whoIsNotAmongTheLogsHasNone() {
        var frontier = MeetFrontier()
        let all = items(5)
        #expect(frontier.item(of: all[0].author) == nil)
        frontier.learn(.zero, [all[1], all[3]])
        #expect(all.map { frontier.seq(of: $0.author) } == [0, 1, 0, 1, 0])
        #expect(frontier.item(of: all[3].author) == all[3])
    }

    // MARK: Stamps and brokers

    @Test func aStampOfJustSoManyBitsIsGood() throws {
        let author = keys[0]
        func isGood(_ stamp: [UInt8], _ bits: Int) -> Bool {
            MeetStamp.isGood(stamp, of: author, group: "g", bits: bits, primitives: primitives)
        }
        // One of two has no more bits than it needs.
        let stamp = try require(
            (0..<64 as Range<UInt64>).lazy.compactMap { number in
                MeetStamp.find(
                    of: author, group: "g", from: number, tries: 1, bits: 2,
                    primitives: primitives)
            }
            .first { !isGood($0, 3) })
        #expect(isGood(stamp, 2) && isGood(stamp, 1))
    }

    @Test func brokersAreSortedByNameAndThenByPort() throws {
        let sorted = try [("a", 2), ("a", 3), ("b", 1)].map { host, port in
            try require(MeetBroker(host: host, port: UInt16(port)))
        }
        for (one, left) in sorted.enumerated() {
            for (other, right) in sorted.enumerated() {
                #expect((left < right) == (one < other))
            }
        }
        let longest = String(repeating: "a", count: 253)
        #expect(MeetBroker(host: longest, port: 1)?.host == longest)
        #expect(MeetBroker(host: "a", port: 65_535)?.port == 65_535)
    }
}
