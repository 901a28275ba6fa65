// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Testing

@testable import Bookings
@testable import Text
@testable import Venues

@Suite("Offered periods")
struct OfferedPeriodsTests {
    private func refusal(_ scene: BookingScene, _ line: String) throws -> DeskReason? {
        let spot = try scene.spot(line)
        let place = try #require(scene.venue.place(spot.place))
        return scene.offered.refusal(of: place, spot.period, at: scene.now)
    }

    @Test("By hours, steps, lengths, and how far ahead")
    func reasons() throws {
        let scene = try BookingScene(.courts)
        let lines: [(String, DeskReason?)] = [
            ("tennis 2 sat 18-20", nil), ("tennis 2 sat 10:00", nil), ("tennis 2 sat 19-20", nil),
            ("tennis 2 sat 9:00", .hours), ("tennis 2 sat 19-21", .hours),
            ("tennis 2 sat 18:30", .grain), ("tennis 2 sat 12:00 90m", .length),
            ("tennis 2 sat 12:00 4h", nil), ("tennis 2 sat 12:00 5h", .length),
            ("tennis 2 today 10:00", .tooSoon), ("tennis 2 today 11:00", nil),
            ("tennis 2 15 dec 18:00", nil), ("tennis 2 16 dec 18:00", .tooFar),
            ("tennis 2 25 dec 18:00", .hours),
        ]
        for (line, reason) in lines { #expect(try refusal(scene, line) == reason, "\(line)") }
    }

    @Test("A notice, a night and a day without an end")
    func nights() throws {
        let night = try BookingScene([
            "hours": ["Mo-Su": "20:00-26:00"], "places": [VenueFiles.court(["max": 360])],
            "rules": ["join": "open", "notice": 120],
        ])
        #expect(try refusal(night, "court fri 22-02") == nil)
        #expect(try refusal(night, "court fri 01-02") == nil)
        #expect(try refusal(night, "court fri 01-03") == .hours)
        #expect(try refusal(night, "court fri 03-04") == .hours)
        let late = try BookingScene(night.venue, at: "2026-12-01T20:30")
        #expect(try refusal(late, "court today 22-23") == .tooSoon)
        #expect(try refusal(late, "court today 23-24") == nil)
        // The page of a day goes on in its night.
        let day = try venueDay("2026-12-04")
        let court = night.venue.places[0]
        let starts = night.offered.periods(of: court, on: day, at: night.now)
        #expect(starts.map(\.from) == [1200, 1260, 1320, 1380, 0, 60])
        #expect(starts.map(\.day.number) == [0, 0, 0, 0, 1, 1].map { day.number + $0 })
        let bays = try BookingScene(.parking)
        #expect(try refusal(bays, "bays today 23:59 1d") == nil)
        #expect(try refusal(bays, "bays 3 dec 12:00 1d") == .tooFar)
        #expect(try refusal(bays, "bays today 12:00 2h") == .length)
    }

    @Test("What is had by the day is fetched on a day on which it is open")
    func days() throws {
        let scene = try BookingScene(.rental)
        #expect(try refusal(scene, "piraat sat 2 days") == nil)
        #expect(try refusal(scene, "piraat sun") == .hours)
        #expect(try refusal(scene, "piraat sat 4 days") == .length)
        #expect(try refusal(scene, "piraat today") == .tooSoon)
        let days = (0..<7).compactMap { try? venueDay("2026-12-05").adding($0) }
        let periods = days.flatMap {
            scene.offered.periods(of: scene.venue.places[0], on: $0, at: scene.now)
        }
        #expect(periods.map(\.from) == [0, 0, 0, 0, 0, 0] && periods.map(\.minutes)[0] == 1440)
    }

    @Test("The nearest free periods, earlier ones too")
    func nearest() throws {
        let scene = try BookingScene(.courts)
        let courts = scene.venue.places.filter { $0.group == "tennis" }
        func near(
            _ line: String, _ places: [VenuePlace], _ isFree: (VenuePlace, Period) -> Bool
        ) throws -> [String] {
            let spot = try scene.spot(line)
            return scene.offered.nearest(
                to: spot.period.start, minutes: spot.period.minutes, of: places, at: scene.now,
                isFree: isFree
            ).map { scene.reader.words(BookingSpot($0.place, $0.period)) }
        }
        // All of the evening is taken on the first court.
        let taken = { (place: VenuePlace, period: Period) in
            place.id == 2
                || period.start + period.minutes <= scene.today * 1440 + 4 * 1440 + 17 * 60
        }
        #expect(
            try near("tennis 2 sat 18-20", [courts[0]], taken) == [
                "Tennis 1, Sat 5 Dec 15:00-17:00", "Tennis 1, Sat 5 Dec 14:00-16:00",
                "Tennis 1, Sat 5 Dec 13:00-15:00",
            ])
        #expect(
            try near("tennis 2 sat 18-20", courts, taken) == [
                "Tennis 2, Sat 5 Dec 18:00-20:00", "Tennis 2, Sat 5 Dec 17:00-19:00",
                "Tennis 2, Sat 5 Dec 16:00-18:00",
            ])
        #expect(try near("tennis 2 sat 18-20", courts) { _, _ in false } == [])
        // Far away, over days on which it is closed.
        let rental = try BookingScene(.rental)
        let spot = try rental.spot("xl 12 jun")
        let free = rental.offered.nearest(
            to: spot.period.start, minutes: 1440, of: rental.venue.places, at: rental.now
        ) { _, period in abs(period.day.number - spot.period.day.number) > 20 }
        #expect(
            free.map { rental.reader.words(BookingSpot($0.place, $0.period)) } == [
                "Piraat, Sat 22 May", "Kasteel XL, Sat 22 May", "Piraat, Sat 3 Jul",
            ])
    }

    @Test("The desk's policy of a volume refuses the same")
    func policy() throws {
        for (example, month) in [
            (VenueExample.courts, "2026-12"), (.parking, "2026-12"), (.rental, "2026"),
        ] {
            let scene = try BookingScene(example)
            let volume = try bookVolume(month)
            let policy = scene.venue.deskPolicy(for: volume)
            let zone = try #require(TimeZoneRules.named(scene.venue.zone))
            let clock = try #require(VenueClock(zone, of: volume))
            var random = SeededRandom(seed: 5)
            for _ in 0..<3000 {
                let place = scene.venue.places[
                    Int.random(in: scene.venue.places.indices, using: &random)]
                let day = try #require(
                    venueDay("2026-12-01").adding(Int.random(in: 0..<31, using: &random)))
                let grain = try #require(place.periods?.grain)
                let minutes = Int.random(in: 1...5, using: &random) * max(grain, 30)
                let from = Int.random(in: 0..<48, using: &random) * 30
                let period = try #require(Period(day: day, from: from, minutes: minutes))
                // Neither the horizon nor what has begun is a matter of the place.
                let early = UTCTime(seconds: scene.now.seconds - 30 * 86_400)
                let own = scene.offered.refusal(of: place, period, at: early)
                // What goes on in the next volume is two bookings.
                guard period.end <= volume.minutes.upperBound else { continue }
                let offer = try #require(policy.place(place.id))
                let desk = offer.refusal(of: period, in: volume.minutes, clock)
                #expect(desk == (own == .tooFar ? nil : own), "\(place.name) \(period)")
            }
        }
    }

    @Test("A policy has what the file says")
    func terms() throws {
        let volume = try bookVolume("2026-12")
        let policy = try VenueFiles.venue(.courts).deskPolicy(for: volume)
        #expect(policy.places.map(\.number) == [1, 2, 10, 11, 12])
        #expect(policy.prices == [nil, .hour(1000)] && policy.currency == "USD")
        #expect(policy.payBy == -30 && policy.ahead == 14 && policy.cancel == 120)
        #expect(policy.arrive == 15 && policy.waiting && policy.together == 1)
        #expect(policy.notice == 0 && policy.join == .form)
        #expect(policy.places[0].hours.count == 32)
        // The night of the last day before reaches into it, that of its last one beyond it.
        let night = try Venue(
            json: VenueFiles.least.adding([
                "volume": "month", "hours": ["Mo-Su": "20:00-26:00"],
                "places": [VenueFiles.court(["classes": ["all"]])],
            ]))
        let place = try #require(night.deskPolicy(for: volume).place(2))
        let first = volume.first.number * 1440
        #expect(place.hours.first == first - 240..<first + 120 && place.classes == [0])
        #expect(place.hours.last?.upperBound == (volume.last.number + 2) * 1440 + 120)
    }

    @Test("A rental over the border of volumes is one in each, a night too")
    func parts() throws {
        func parts(_ date: String, _ from: Int, _ minutes: Int, _ kind: Protocol.Volume.Kind)
            throws -> [[Int]]
        {
            let first = try venueDay("2026-12-01").number
            let period = try #require(Period(day: try venueDay(date), from: from, minutes: minutes))
            return period.parts(kind).map { [$0.day.number - first + 1, $0.from, $0.minutes] }
        }
        #expect(try parts("2026-12-30", 0, 4320, .year) == [[30, 0, 2880], [32, 0, 1440]])
        #expect(try parts("2026-12-30", 0, 2880, .year) == [[30, 0, 2880]])
        #expect(try parts("2026-12-31", 1320, 120, .month) == [[31, 1320, 120]])
        #expect(try parts("2026-12-31", 1320, 480, .month) == [[31, 1320, 120], [32, 0, 360]])
        #expect(try parts("2026-12-05", 600, 4320, .day).map { $0[2] } == [840, 1440, 1440, 600])
        #expect(try parts("2026-12-05", 600, 60, .week) == [[5, 600, 60]])
        for kind in Protocol.Volume.Kind.allCases {
            let period = try #require(
                Period(day: try venueDay("2026-11-20"), from: 77, minutes: 44_640))
            let parts = period.parts(kind)
            #expect(parts.first?.start == period.start && parts.last?.end == period.end)
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.end == $1.start })
        }
    }
}

extension BookingScene {
    /// The number of the day of now.
    var today: Int { offered.clock.minute(at: now) / 1440 }
}
