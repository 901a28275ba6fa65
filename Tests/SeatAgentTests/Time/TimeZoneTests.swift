// SPDX-License-Identifier: Apache-2.0
import Foundation
import Protocol
import Testing

@testable import CivilTime
@testable import SeatAgent
@testable import Trips

/// The rules of the system's own database, which every machine with `tzdata` has.
@Suite struct TimeZoneTests {
    /// Civil seconds of `2026-03-29T01:30`.
    private static func civil(_ text: String) throws -> Int64 {
        try #require(RFC3339.parse(text + ":00Z")).seconds
    }

    private static func utc(_ zone: String, _ local: String) throws -> String {
        let rules = try #require(TimeZoneRules.named(zone), "\(zone)")
        return RFC3339.text(rules.utc(ofCivil: try civil(local)))
    }

    @Test(arguments: [
        ("Europe/Dublin", "2026-03-05T06:30", "2026-03-05T06:30:00Z"),
        ("Europe/Dublin", "2026-07-05T06:30", "2026-07-05T05:30:00Z"),
        // The hour that is left out, and the one that is there twice.
        ("Europe/Dublin", "2026-03-29T00:59", "2026-03-29T00:59:00Z"),
        ("Europe/Dublin", "2026-03-29T01:30", "2026-03-29T01:30:00Z"),
        ("Europe/Dublin", "2026-03-29T02:00", "2026-03-29T01:00:00Z"),
        ("Europe/Dublin", "2026-10-25T00:59", "2026-10-24T23:59:00Z"),
        ("Europe/Dublin", "2026-10-25T01:30", "2026-10-25T00:30:00Z"),
        ("Europe/Dublin", "2026-10-25T02:00", "2026-10-25T02:00:00Z"),
        ("America/New_York", "2026-03-08T02:30", "2026-03-08T07:30:00Z"),
        ("America/New_York", "2026-11-01T01:30", "2026-11-01T05:30:00Z"),
        // Half an hour only, in the south.
        ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:45:00Z"),
        ("Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45:00Z"),
        ("Asia/Kathmandu", "2026-03-05T06:30", "2026-03-05T00:45:00Z"),
        ("Pacific/Kiritimati", "2026-03-05T06:30", "2026-03-04T16:30:00Z"),
        ("Pacific/Pago_Pago", "2026-03-05T06:30", "2026-03-05T17:30:00Z"),
        // Samoa left a whole day out.
        ("Pacific/Apia", "2011-12-29T23:59", "2011-12-30T09:59:00Z"),
        ("Pacific/Apia", "2011-12-30T12:00", "2011-12-30T22:00:00Z"),
        ("Pacific/Apia", "2011-12-31T00:00", "2011-12-30T10:00:00Z"),
        // By the rule that stands after all listed changes.
        ("Europe/Dublin", "2060-03-28T01:30", "2060-03-28T01:30:00Z"),
        ("America/New_York", "2060-07-01T12:00", "2060-07-01T16:00:00Z"),
        ("America/Santiago", "2060-01-01T00:30", "2060-01-01T03:30:00Z"),
    ])
    func localTimesToTheSecond(zone: String, local: String, utc: String) throws {
        #expect(try Self.utc(zone, local) == utc)
    }

    @Test func whatClocksShow() throws {
        let dublin = try #require(TimeZoneRules.named("Europe/Dublin"))
        let before = try #require(RFC3339.parse("2026-03-29T00:59:59Z"))
        let after = UTCTime(seconds: before.seconds + 1)
        #expect(dublin.kind(at: before).abbreviation == "GMT")
        #expect(dublin.kind(at: after).abbreviation == "IST")
        #expect(dublin.kind(at: after).offset == 3600)
        #expect(try dublin.civil(at: after) == Self.civil("2026-03-29T02:00"))
    }

    /// Against the time zones of Foundation, which reads them with a library of its own.
    @Test func everyZoneOfAnAirportIsRead() throws {
        let names = AirportTable.all.zoneNames
        #expect(names.count > 300)
        for name in names {
            let rules = try #require(TimeZoneRules.named(name), "\(name)")
            let other = try #require(TimeZone(identifier: name), "\(name)")
            for week in 0..<110 {
                let time = UTCTime(seconds: 1_735_689_600 + Int64(week) * 604_800 + 1234)
                let date = Date(timeIntervalSince1970: Double(time.seconds))
                let offset = rules.kind(at: time).offset
                #expect(Int(offset) == other.secondsFromGMT(for: date), "\(name) \(week)")
                let civil = rules.civil(at: time)
                #expect(rules.civil(at: rules.utc(ofCivil: civil)) == civil, "\(name) \(week)")
            }
        }
    }

    @Test(arguments: [
        "", "Europe/Nowhere", "../../etc/passwd", "/etc/passwd", "Europe", "Europe//Dublin",
        "./UTC",
        "tzdata.zi", "zone.tab",
    ])
    func noOtherFileIsOpened(name: String) {
        #expect(TimeZoneRules.named(name) == nil)
    }
}

/// The table of airports.
@Suite struct AirportTests {
    @Test func knownOnes() {
        #expect(
            Airport.named("DUB")
                == Airport(
                    code: "DUB", name: "Dublin Airport", city: "Dublin", country: "IE",
                    zone: "Europe/Dublin"))
        #expect(Airport.named("AAA")?.zone == "Pacific/Tahiti")
        #expect(Airport.named("STN")?.city == "London")
        #expect(Airport.named("EGS")?.name == "Egilsstaðir Airport")
        #expect(AirportTable.all.count == 7884)
    }

    @Test(arguments: ["", "dub", "XHJ", "DU", "DUBL", "ZZZ", "\n\n\n", "\t27"])
    func othersAreNot(code: String) {
        #expect(Airport.named(code) == nil)
    }

    @Test func lastOfTheTableIsFound() {
        let table = AirportTable(Array("Europe/Rome\n\nAAA\t0\tIT\tA\tAa\nZZZ\t7\tIT\t\tZz".utf8))
        #expect(table.airport("AAA")?.zone == "Europe/Rome")
        #expect(
            table.airport("ZZZ")
                == Airport(code: "ZZZ", name: "Zz", city: "", country: "IT", zone: nil))
        #expect(AirportTable([]).airport("AAA") == nil)
        #expect(AirportTable(Array("\nAAA\t0\n".utf8)).airport("AAA") == nil)
    }
}
