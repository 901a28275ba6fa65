// SPDX-License-Identifier: Apache-2.0
import Foundation
import ProtocolTestKit
import Testing

@testable import Protocol

private let key = String(repeating: "a", count: 52)
private let operatorKey = OperatorKey(.zero)

@Suite struct VenueNameTests {
    /// Each day by the calendar of the system's library.
    @Test func daysAreThoseOfTheCalendar() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        let start = try #require(
            calendar.date(from: DateComponents(year: 2000, month: 1, day: 1)))
        for number in stride(from: 0, through: 65_535, by: 13) {
            let day = try #require(VenueDay(number: number))
            let date = start.addingTimeInterval(Double(number) * 86_400)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .weekday, .weekOfYear, .yearForWeekOfYear], from: date)
            let (year, month, dayOfMonth) = day.date
            #expect(year == parts.year && month == parts.month && dayOfMonth == parts.day)
            #expect(day.weekday == ((parts.weekday ?? 0) + 5) % 7)
            #expect(VenueDay(year: year, month: month, day: dayOfMonth) == day)
            guard let week = Volume(.week, of: day) else {
                #expect(number < 2 || number > 65_530)
                continue
            }
            let number = parts.weekOfYear ?? 0
            let name = "\(parts.yearForWeekOfYear ?? 0)-W\(number < 10 ? "0" : "")\(number)"
            #expect(week.text == name)
        }
    }

    @Test func daysThatDoNotExistAreNone() {
        #expect(VenueDay(number: -1) == nil && VenueDay(number: 65_536) == nil)
        #expect(VenueDay(year: 2100, month: 2, day: 29) == nil)
        #expect(VenueDay(year: 2000, month: 2, day: 29)?.number == 59)
        #expect(VenueDay(year: 2026, month: 12, day: 5)?.number == 9835)
        #expect(VenueDay(year: 2179, month: 6, day: 6)?.number == 65_535)
        #expect(VenueDay(year: 2179, month: 6, day: 7) == nil)
        #expect(VenueDay(year: 1999, month: 12, day: 31) == nil)
        #expect(VenueDay(number: 5)?.adding(Int.max) == nil)
        #expect(VenueDay(number: 5)?.adding(-6) == nil)
    }

    /// No day is left out and none is in two, whatever the kind.
    @Test(arguments: Volume.Kind.allCases)
    func everyDayIsInOneVolume(kind: Volume.Kind) throws {
        var volume = try #require(Volume("2001").flatMap { Volume(kind, of: $0.first) })
        for _ in 0..<700 {
            #expect(volume.first <= volume.last && Volume(volume.text) == volume)
            #expect(Volume(kind, of: volume.last) == volume)
            guard let next = volume.next else { break }
            #expect(next.first == volume.last.adding(1) && next.kind == kind)
            #expect(!next.contains(volume.last) && next.contains(next.first))
            volume = next
        }
        #expect(volume.first.date.year > 2001)
    }

    @Test(arguments: [
        ("2026-12-05", Volume.Kind.day, 9835, 9835), ("2026-W49", .week, 9830, 9836),
        ("2026-12", .month, 9831, 9861), ("2026-Q4", .quarter, 9770, 9861),
        ("2026", .year, 9497, 9861), ("2020-W53", .week, 7667, 7673),
        ("2028-02-29", .day, 10_286, 10_286), ("2000", .year, 0, 365),
    ])
    func volumesAreRead(text: String, kind: Volume.Kind, first: Int, last: Int) throws {
        let volume = try #require(Volume(text))
        #expect(volume.kind == kind && volume.text == text)
        #expect(volume.first.number == first && volume.last.number == last)
    }

    @Test(arguments: [
        "", "26", "1999", "2179", "2180", "2026-13", "2026-00", "2026-1", "2026-Q0", "2026-Q5",
        "2026-q4", "2026-W00", "2026-W54", "2025-W53", "2026-w49", "2026-W9", "2026-02-29",
        "2026-12-32", "2026-12-5", "2026/12/05", "2026-12-05 ", "+026", "２０２６", "2026-",
        "2026-W4９", "2026-12-0５",
    ])
    func otherTextsAreNoVolumes(text: String) { #expect(Volume(text) == nil) }

    @Test(arguments: ["rec", "dreamland/gent", "a", "0-0", "a-", "abcdefghijklmnopqrstuvwx"])
    func namesOfVenues(slug: String) throws {
        #expect(VenueName.isSlug(slug))
        let volume = try #require(Volume("2026-12"))
        let name = try #require(VenueName(runBy: operatorKey, slug: slug, volume: volume))
        #expect(name.canonical == "seatswap-venue-v1|\(key)|\(slug)|2026-12")
        #expect(name.text == "\(slug)/2026-12/\(key)")
        #expect(VenueName(name.text) == name && GatheringName(name.text) == .venue(name))
        #expect(FlightName(name.text) == nil)
    }

    @Test(arguments: [
        "", "/", "a/", "/a", "a/b/c", "Rec", "rec!", "r\u{E9}c", "rec|2026",
        "abcdefghijklmnopqrstuvwxy", "abcdefghijkl/nopqrstuvwxy", "re c", "-", "-rec", "rec/-a",
    ])
    func otherNamesAreNone(slug: String) throws {
        #expect(!VenueName.isSlug(slug))
        let volume = try #require(Volume("2026-12"))
        #expect(VenueName(runBy: operatorKey, slug: slug, volume: volume) == nil)
        #expect(VenueName("\(slug)/2026-12/\(key)") == nil)
    }

    @Test func aNameHasOneSpelling() {
        #expect(VenueName("rec/2026-12/\(key)") != nil)
        for text in [
            "rec/2026-12/\(key.uppercased())", "rec/2026-12/\(key)a",
            "rec/2026-12/" + key.dropLast(),
            "rec/2026-12/" + key.dropLast() + "b", "rec/2026-12", "rec/\(key)/2026-12",
            "rec/2026-12/\(key)/", "XY123/2026-11-22/DUB",
        ] { #expect(VenueName(text) == nil, "\(text)") }
    }
}

@Suite struct GatheringNameTests {
    private let primitives = FakePrimitives()

    @Test func aFlightIsNamedAsBefore() throws {
        let flight = try #require(FlightName("xy0123/2026-11-22/dub"))
        let name = GatheringName.flight(flight)
        #expect(name.text == flight.text && name.canonical == flight.canonical)
        #expect(GatheringName("xy0123/2026-11-22/dub") == name && name.foldVersion == 2)
        let one = FlightKey(flight, code: "k7q2m5", primitives: primitives)
        #expect(FlightKey(name, code: "k7q2m5", primitives: primitives) == one)
        #expect(one?.foldVersion == 2 && one?.olderIDs(primitives: primitives).count == 1)
    }

    /// Operator, name, volume and code all make another gathering; the fold version is in its id.
    @Test func aVenueIsOneByAllThatNamesIt() throws {
        let other = String(repeating: "a", count: 51) + "q"
        let names = [
            "rec/2026-12/\(key)", "rec/2026-11/\(key)", "rec/2026/\(key)", "uva/2026-12/\(key)",
            "rec/gent/2026-12/\(key)", "rec/2026-12/\(other)",
        ]
        var keys = try names.map { text in
            let name = try #require(GatheringName(text))
            #expect(name.foldVersion == 3 && name.text == text)
            return try #require(FlightKey(name, primitives: primitives))
        }
        let name = try #require(GatheringName(names[0]))
        keys.append(try #require(FlightKey(name, code: "k7q2m5", primitives: primitives)))
        #expect(Set(keys.map(\.auth)).count == keys.count)
        #expect(Set(keys.map(\.id)).count == keys.count)
        #expect(
            keys.allSatisfy { $0.foldVersion == 3 && $0.olderIDs(primitives: primitives) == [] })
        let flight = FlightKey(auth: keys[0].auth, primitives: primitives)
        #expect(flight.id != keys[0].id)
        #expect(keys[0].olderVersion(of: flight.id, primitives: primitives) == nil)
        #expect(GatheringName("") == nil && GatheringName("rec") == nil)
    }
}
