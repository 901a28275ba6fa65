// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

@Suite("Clocks of a venue") struct VenueClockTests {
    /// The two changes of 2026 in a place: seconds since 1970, and the offset from then on.
    private func clock(_ first: Int, _ changes: (Int64, Int)...) throws -> VenueClock {
        try #require(
            VenueClock(
                first: first,
                changes: changes.map {
                    VenueClock.Change(at: UTCTime(seconds: $0.0), offset: $0.1)
                }))
    }

    private func chicago() throws -> VenueClock {
        try clock(-21_600, (1_772_956_800, -18_000), (1_793_516_400, -21_600))
    }

    private func minute(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int) throws -> Int {
        1440 * (try #require(VenueDay(year: 2026, month: month, day: day))).number + 60 * hour
            + minute
    }

    @Test("Where an hour is missing its minutes are not shown; the time behind it goes on")
    func forward() throws {
        let chicago = try chicago()
        for (hour, part, isShown) in [
            (1, 59, true), (2, 0, false), (2, 59, false), (3, 0, true),
        ] { #expect(chicago.shows(try minute(3, 8, hour, part)) == isShown) }
        #expect(chicago.time(of: try minute(3, 8, 1, 59)).seconds == 1_772_956_740)
        #expect(chicago.time(of: try minute(3, 8, 3, 0)).seconds == 1_772_956_800)
        // Counted with the offset before, so it lies behind the gap.
        #expect(chicago.time(of: try minute(3, 8, 2, 30)).seconds == 1_772_958_600)
    }

    @Test("The hour that comes twice is one, of double length")
    func back() throws {
        let chicago = try chicago()
        let (one, two) = (try minute(11, 1, 1, 0), try minute(11, 1, 2, 0))
        #expect(chicago.time(of: one).seconds == 1_793_512_800)
        #expect(chicago.time(of: two).seconds - chicago.time(of: one).seconds == 7200)
        #expect(chicago.minute(at: UTCTime(seconds: 1_793_516_399)) == two - 1)
        #expect(chicago.minute(at: UTCTime(seconds: 1_793_516_400)) == one)
        #expect(chicago.shows(one) && chicago.shows(two - 1))
    }

    @Test("Half an hour, and zones ahead of UTC")
    func others() throws {
        let howe = try clock(39_600, (1_775_314_800, 37_800), (1_791_041_400, 39_600))
        for (part, isShown) in [(-1, true), (0, false), (29, false), (30, true)] {
            #expect(howe.shows(try minute(10, 4, 2, part)) == isShown)
        }
        let half = try minute(4, 5, 1, 30)
        #expect(howe.time(of: half + 30).seconds - howe.time(of: half).seconds == 3600)
        let brussels = try clock(3600, (1_774_746_000, 7200), (1_792_890_000, 3600))
        for (part, isShown) in [(-1, true), (0, false), (59, false), (60, true)] {
            #expect(brussels.shows(try minute(3, 29, 2, part)) == isShown)
        }
        let two = try minute(10, 25, 2, 0)
        #expect(brussels.time(of: two + 60).seconds - brussels.time(of: two).seconds == 7200)
    }

    @Test("Every minute of a year is found again, unless it is skipped")
    func backAgain() throws {
        let chicago = try chicago()
        var skipped = 0
        let start = try minute(1, 1, 0, 0)
        for minute in stride(from: start, to: start + 365 * 1440, by: 30) {
            let time = chicago.time(of: minute)
            if chicago.shows(minute) {
                #expect(chicago.minute(at: UTCTime(seconds: time.seconds - 1)) < minute)
            } else {
                skipped += 1
            }
        }
        #expect(skipped == 2)
    }

    @Test("What is no clock")
    func faults() {
        let change = VenueClock.Change(at: UTCTime(seconds: 10), offset: 0)
        #expect(VenueClock(first: 93_600) == nil && VenueClock(first: -93_599) != nil)
        #expect(VenueClock(first: 0, changes: [change, change]) == nil)
        #expect(VenueClock(first: 0)?.time(of: .max).seconds == .max)
    }

    @Test("T1: no period begins in the missing hour, and who is late is so by the venue's clocks")
    func periods() throws {
        let change = Int64(946_684_800 + 86_400 * 9001 + 8 * 3600)
        // At 8 on the second day clocks go to 9; at 13 on the third they go back to 12.
        let clock = try clock(
            0, (change, 3600), (946_684_800 + 86_400 * 9002 + 12 * 3600, 0))
        var played = try PlayedDesk(nil, nil, clock: clock) { $0.arrive = 15 }
        played.admit()
        #expect(played.book(DeskHall.bo, 1, 1, 8, 60) == .refused(.hours))
        let token = played.booked(DeskHall.bo, 1, 1, 9, 60)
        let double = played.booked(DeskHall.bo, 1, 2, 12, 60)
        played.pass(seconds: Int(change + 14 * 60 - played.now.utc.seconds))
        #expect(played.end(token) == nil)
        played.pass(minutes: 1)
        #expect(played.end(token)?.reason == .noShow)
        let start = clock.time(of: 1440 * 9002 + 12 * 60)
        #expect(clock.time(of: 1440 * 9002 + 13 * 60).seconds == start.seconds + 7200)
        played.want(.visit(double, .arrived))
        played.pass(seconds: Int(start.seconds + 90 * 60 - played.now.utc.seconds))
        // In its second half hour of the second hour it is not over.
        #expect(
            played.ask(DeskHall.bo, .giveBack(played.slot(double), to: nil)) == .closed(double))
    }
}
