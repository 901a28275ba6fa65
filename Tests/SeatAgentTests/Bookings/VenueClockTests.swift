// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Testing

@testable import Bookings
@testable import Venues

@Suite("T1: periods on days of a change of clocks")
struct VenueClockTests {
    /// Two days of a change in one zone: when clocks skip a part of an hour, and when one comes
    /// twice.
    struct Zone: Sendable, CustomTestStringConvertible {
        let name: String
        let spring: String
        let autumn: String
        /// Minutes that are skipped, and that come twice.
        let minutes: Int
        /// The minute of the day at which the skipped part begins, and the doubled one.
        let from: Int
        let twice: Int
        /// Where the skipped part begins, and the doubled one, in UTC.
        let springAt: String
        let autumnAt: String
        var testDescription: String { name }
    }

    static let zones = [
        Zone(
            name: "America/Chicago", spring: "2027-03-14", autumn: "2026-11-01", minutes: 60,
            from: 120, twice: 60, springAt: "2027-03-14T08:00:00Z",
            autumnAt: "2026-11-01T06:00:00Z"),
        Zone(
            name: "Europe/Brussels", spring: "2027-03-28", autumn: "2026-10-25", minutes: 60,
            from: 120, twice: 120, springAt: "2027-03-28T01:00:00Z",
            autumnAt: "2026-10-25T00:00:00Z"),
        Zone(
            name: "Australia/Lord_Howe", spring: "2026-10-04", autumn: "2027-04-04", minutes: 30,
            from: 120, twice: 90, springAt: "2026-10-03T15:30:00Z",
            autumnAt: "2027-04-03T14:30:00Z"),
    ]

    private func scene(_ zone: Zone, _ date: String, grain: Int = 60) throws -> BookingScene {
        let court = VenueFiles.court([
            "grain": .int(grain), "max": .int(grain * 4), "hours": ["Mo-Su": "00:00-24:00"],
        ])
        let day = try venueDay(date)
        let before = try #require(day.adding(-2).flatMap { FlightDate($0) })
        return try BookingScene(
            ["zone": .string(zone.name), "places": [court]], at: "\(before.text)T12:00")
    }

    private func period(_ date: String, _ from: Int, _ minutes: Int) throws -> Period {
        try #require(Period(day: try venueDay(date), from: from, minutes: minutes))
    }

    private func utc(_ text: String) throws -> UTCTime { try #require(RFC3339.parse(text)) }

    @Test(
        "What begins in the skipped part is not offered, and the rest follows on", arguments: zones)
    func skipped(_ zone: Zone) throws {
        let scene = try scene(zone, zone.spring, grain: 30)
        let court = scene.venue.places[0]
        let day = try venueDay(zone.spring)
        let starts = scene.offered.periods(of: court, on: day, at: scene.now).map(\.from)
        let missing = Set(stride(from: zone.from, to: zone.from + zone.minutes, by: 30))
        #expect(Set(stride(from: 0, to: 1440, by: 30)).subtracting(starts) == missing)
        let clock = scene.offered.clock
        for minute in missing {
            let skipped = try period(zone.spring, minute, 30)
            #expect(scene.offered.refusal(of: court, skipped, at: scene.now) == .hours)
        }
        // A period up to the gap ends where the next one begins, in UTC too.
        let before = clock.span(try period(zone.spring, zone.from - 60, 60))
        #expect(before.end == (try utc(zone.springAt)))
        #expect(before.end.seconds - before.begin.seconds == 3600)
        let after = clock.span(try period(zone.spring, zone.from + zone.minutes, 60))
        #expect(after.begin == before.end)
        // One that goes over it is shorter, one that ends in it ends with it.
        let over = clock.span(try period(zone.spring, zone.from - 60, 180))
        #expect(over.end.seconds - over.begin.seconds == Int64(180 - zone.minutes) * 60)
        let into = clock.span(try period(zone.spring, zone.from - 60, 75))
        #expect(into.end == before.end)
    }

    @Test("The part that comes twice is in one period", arguments: zones)
    func doubled(_ zone: Zone) throws {
        let scene = try scene(zone, zone.autumn, grain: 30)
        let day = try venueDay(zone.autumn)
        let periods = scene.offered.periods(of: scene.venue.places[0], on: day, at: scene.now)
        #expect(periods.map(\.from) == Array(stride(from: 0, to: 1440, by: 30)))
        let clock = scene.offered.clock
        let spans = periods.map { clock.span($0) }
        for (span, next) in zip(spans, spans.dropFirst()) { #expect(span.end == next.begin) }
        let first = clock.span(try period(zone.autumn, zone.twice, zone.minutes))
        #expect(first.begin == (try utc(zone.autumnAt)))
        #expect(first.end.seconds - first.begin.seconds == Int64(2 * zone.minutes) * 60)
        let total = try #require(spans.last).end.seconds - spans[0].begin.seconds
        #expect(total == Int64(1440 + zone.minutes) * 60)
    }

    @Test("The clock of a volume is that of the zone, minute by minute around each change")
    func agrees() throws {
        for zone in Self.zones {
            let rules = try #require(TimeZoneRules.named(zone.name))
            for date in [zone.spring, zone.autumn] {
                let day = try venueDay(date)
                let month = try bookVolume(String(date.prefix(7)))
                let clock = try #require(VenueClock(rules, of: month))
                #expect(clock.changes.count == 1)
                for minute in stride(from: -1440, through: 2 * 1440, by: 7) {
                    let start = day.number * 1440 + minute
                    let civil = Int64(10_957) * 86_400 + Int64(start) * 60
                    #expect(clock.time(of: start) == rules.utc(ofCivil: civil))
                }
            }
        }
    }

    @Test("A year that has no changes, and one with two, read as the zone has them")
    func changes() throws {
        let first = try venueDay("2026-01-01")
        let last = try venueDay("2028-12-31")
        let still = try #require(TimeZoneRules.named("Asia/Tokyo"))
        #expect(VenueClock(still, from: first, through: last)?.changes == [])
        let moving = try #require(TimeZoneRules.named("Europe/Brussels"))
        let clock = try #require(VenueClock(moving, from: first, through: last))
        #expect(clock.changes.count == 6 && clock.first == 3600)
        #expect(clock.changes.map(\.offset) == [7200, 3600, 7200, 3600, 7200, 3600])
    }
}
