// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CivilTime
@testable import Protocol
@testable import SeatAgent
@testable import Trips

/// The moments of a trip, to the second, whatever clocks do.
@Suite struct TripTimesTests {
    static func trip(
        _ flight: String, to: String? = nil, departs: String? = nil, arrives: String? = nil
    ) throws -> Trip {
        var trip = Trip(flight: try #require(FlightName(flight)), added: UTCTime(seconds: 0))
        trip.to = to
        trip.departs = try departs.map { try #require(LocalMinute($0)) }
        trip.arrives = try arrives.map { try #require(LocalMinute($0)) }
        return trip
    }

    private static func text(_ time: UTCTime?) -> String? { time.map { RFC3339.text($0) } }

    /// Ireland's clocks go forward on 29 March 2026 at 01:00 UTC and back on
    /// 25 October at 01:00 UTC.
    @Test(arguments: [
        ("2026-03-28T12:00", "2026-03-28T12:00:00Z", "2026-03-27T12:00:00Z"),
        // 24 exact hours before, clocks show 11:00 and not 12:00.
        ("2026-03-29T12:00", "2026-03-29T11:00:00Z", "2026-03-28T11:00:00Z"),
        ("2026-03-30T12:00", "2026-03-30T11:00:00Z", "2026-03-29T11:00:00Z"),
        // In the hour that is left out.
        ("2026-03-29T01:30", "2026-03-29T01:30:00Z", "2026-03-28T01:30:00Z"),
        // 24 exact hours before, clocks show 13:00.
        ("2026-10-25T12:00", "2026-10-25T12:00:00Z", "2026-10-24T12:00:00Z"),
        // In the hour that comes twice: its first time.
        ("2026-10-25T01:30", "2026-10-25T00:30:00Z", "2026-10-24T00:30:00Z"),
    ])
    func acrossAChangeOfClocks(local: String, departs: String, opens: String) throws {
        let trip = try Self.trip("FR202/\(local.prefix(10))/DUB", departs: local)
        let times = TripTimes(trip)
        #expect(Self.text(times.departs) == departs)
        #expect(Self.text(times.opens) == opens)
        let window = try #require(times.window)
        let second = try #require(RFC3339.parse(opens)).seconds
        #expect(window.state(at: UTCTime(seconds: second - 1)) == .early(opensIn: 1))
        #expect(window.state(at: UTCTime(seconds: second)) == .open(closesIn: 44 * 3600))
    }

    /// Arrives on the day before, by the clocks there.
    @Test func eastAcrossTheDateLine() throws {
        let trip = try Self.trip(
            "ZZ6/2026-03-05/AKL", to: "LAX", departs: "2026-03-05T01:00",
            arrives: "2026-03-04T16:05"
        )
        let times = TripTimes(trip)
        #expect(Self.text(times.departs) == "2026-03-04T12:00:00Z")
        #expect(Self.text(times.arrives) == "2026-03-05T00:05:00Z")
        #expect(Self.text(times.opens) == "2026-03-02T12:00:00Z")
        #expect(Self.text(times.window?.closes) == "2026-03-05T00:05:00Z")
    }

    /// Arrives two days later, by the clocks there.
    @Test func westAcrossTheDateLine() throws {
        let trip = try Self.trip(
            "ZZ5/2026-12-30/HNL", to: "APW", departs: "2026-12-30T23:50",
            arrives: "2027-01-01T06:00"
        )
        let times = TripTimes(trip)
        #expect(Self.text(times.departs) == "2026-12-31T09:50:00Z")
        #expect(Self.text(times.arrives) == "2026-12-31T17:00:00Z")
        #expect(Self.text(times.opens) == "2026-12-29T09:50:00Z")
    }

    @Test func whoeverSetsTheOpeningIsHeard() throws {
        var trip = try Self.trip("FR202/2026-03-29/DUB", departs: "2026-03-29T12:00")
        trip.opensBefore = 3600
        #expect(Self.text(TripTimes(trip).opens) == "2026-03-29T10:00:00Z")
        #expect(TripTimes(trip).opening.source == .own)
    }

    @Test func whatIsNotKnownIsNotMadeUp() throws {
        let nothing = TripTimes(try Self.trip("FR202/2026-03-29/DUB", to: "STN"))
        #expect(nothing.departure == .unknown(.time))
        #expect(nothing.window == nil)
        #expect(nothing.opens == nil)
        let station = TripTimes(
            try Self.trip("FR202/2026-03-29/XHJ", departs: "2026-03-29T12:00"))
        #expect(station.departure == .unknown(.airport("XHJ")))
        #expect(station.window == nil)
        let trip = try Self.trip(
            "FR202/2026-03-29/DUB", departs: "2026-03-29T12:00", arrives: "2026-03-29T13:00")
        #expect(TripTimes(trip).arrival == .unknown(.airport("")))
        #expect(Self.text(TripTimes(trip).window?.closes) == "2026-03-30T07:00:00Z")
        #expect(TripTimes(trip, zones: { _ in nil }).departure == .unknown(.zone("Europe/Dublin")))
    }

    /// A mistyped arrival must not close the window before departure.
    @Test func noArrivalBeforeDeparture() throws {
        let trip = try Self.trip(
            "FR202/2026-03-05/DUB", to: "STN", departs: "2026-03-05T06:30",
            arrives: "2026-03-05T06:30")
        #expect(TripTimes(trip).arrives == nil)
        #expect(Self.text(TripTimes(trip).window?.closes) == "2026-03-06T02:30:00Z")
    }

    @Test func whatClocksShow() throws {
        let trip = try Self.trip("QR1/2026-03-05/KTM", departs: "2026-03-05T06:30")
        #expect(TripTimes(trip).departure.time?.text == "2026-03-05 06:30 (UTC+5:45)")
        let dublin = try Self.trip("FR202/2026-07-05/DUB", departs: "2026-07-05T06:30")
        let time = try #require(TripTimes(dublin).departure.time)
        #expect(time.text == "2026-07-05 06:30 (IST)")
        let rules = try #require(TimeZoneRules.named("Europe/Dublin"))
        #expect(rules.local(of: time.utc) == dublin.departs)
    }
}
