// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Testing

@testable import Text
@testable import Venues

@Suite("Opening hours")
struct OpeningHoursTests {
    private func fault(_ hours: JSON) -> String { VenueFiles.fault(["hours": hours]) }

    private func venue(_ more: [String: JSON]) throws -> Venue {
        try Venue(json: VenueFiles.least.adding(more))
    }

    private func words(_ venue: Venue, _ time: String) throws -> String {
        let now = try VenueFiles.at(time)
        return VenueDays(venue).state(at: now).words(today: now.date)
    }

    @Test("However days are written, there is one form")
    func forms() throws {
        let one = try venue([
            "hours": ["Mo,Tu,We,Th,Fr": "08:00-12:00,13:00-22:00", "Su,Sa": "10:00-26:00"]
        ])
        let other = try venue([
            "hours": [
                "Mo-We": "08:00-12:00,13:00-22:00", "Sa-Su": "10:00-26:00",
                "Th,Fr": "08:00-12:00,13:00-22:00",
            ]
        ])
        #expect(one == other && one.bytes == other.bytes)
        #expect(one.hours.text == "Mo-Fr 08:00-12:00,13:00-22:00; Sa,Su 10:00-26:00")
        #expect(
            try venue(["hours": ["Mo,We-Fr,Su": "00:00-24:00"]]).hours.text
                == "Mo,We-Fr,Su 00:00-24:00")
    }

    @Test("What is no day or no hours is refused where it stands")
    func faults() {
        for days in ["mo", "Mo-", "Fr-Mo", "Mo–Fr", "Mon", "", "Mo-Tu-We"] {
            #expect(fault([days: "08:00-22:00"]).contains("days are Mo Tu"), "\(days)")
        }
        for hours in [
            "8:00-22:00", "08:00", "08:00-22:60", "", "08:00-22:00,", "+8:00-22:00", "ab:cd-ef:gh",
        ] {
            #expect(fault(["Mo": .string(hours)]).contains("hours as 08:00-22:00"), "\(hours)")
        }
        #expect(fault(["Mo": "24:00-25:00"]).contains("begin before 24:00"))
        #expect(fault(["Mo": "20:00-30:01"]).contains("at 30:00 at the latest"))
        #expect(fault(["Mo": "20:00-30:00"]) == "" && fault(["Mo": "22:00-22:00"]) != "")
        #expect(
            fault(["Mo": "08:00-12:00,11:00-13:00"]).contains("11:00-13:00 does not begin after"))
        #expect(
            fault(["Mo-Fr": "08:00-22:00", "We": "09:00-10:00"]).contains("We stands there twice"))
        #expect(
            fault(["Mo": "20:00-26:00", "Tu": "01:00-03:00"])
                == "hours: Mo ends at 26:00, after the next day begins")
        #expect(fault(["Su": "20:00-26:00", "Mo": "02:00-03:00"]) == "")
        #expect(fault([:]).contains("are wanted") && fault(3).contains("an object"))
        let many = Array(repeating: "08:00-09:00", count: 7).joined(separator: ",")
        #expect(fault(["Mo": .string(many)]).contains("more than 6 spans"))
    }

    @Test("Special dates have a date, hours or off, and a reason")
    func specialFaults() {
        func closed(_ day: String, _ text: String) -> String {
            VenueFiles.fault(["closed": .object([day: .string(text)])])
        }
        #expect(closed("2026-12-25", "off: Christmas") == "" && closed("2026-12-25", "off") == "")
        #expect(closed("2026-12-25", "12:00-13:00: cleaning") == "")
        #expect(closed("25 Dec", "off").contains("a date as 2026-12-25"))
        #expect(closed("2026-02-29", "off").contains("a date as"))
        #expect(closed("2026-12-25", "Christmas").contains("or off"))
        #expect(closed("2026-12-25", "off:  ").contains("a reason of 1 to 60"))
        #expect(VenueFiles.fault(["open": ["2026-12-25": "off"]]).contains("stands in closed"))
        let both: [String: JSON] = [
            "open": ["2026-12-25": "10:00-12:00"], "closed": ["2026-12-25": "off"],
        ]
        #expect(VenueFiles.fault(both) == "open: 2026-12-25 is closed all day")
    }

    @Test("Open until, and when it opens again")
    func states() throws {
        let study = try VenueFiles.venue(.study)
        // A Friday.
        #expect(try words(study, "2026-11-27T08:29") == "closed; opens at 08:30")
        #expect(try words(study, "2026-11-27T08:30") == "open until 22:00")
        #expect(try words(study, "2026-11-27T21:59") == "open until 22:00")
        #expect(try words(study, "2026-11-27T22:00") == "closed; opens tomorrow at 10:00")
        let law = VenueDays(study.places[1], of: study)
        let now = try VenueFiles.at("2026-11-27T20:00")
        #expect(law.state(at: now).words(today: now.date) == "closed; opens Mo 2026-11-30 at 09:00")
        #expect(law.state(at: try VenueFiles.at("2026-11-27T19:00")).isOpen)
    }

    @Test("Hours past midnight belong to the day that began")
    func nights() throws {
        let bar = try venue(["hours": ["Fr,Sa": "20:00-26:00"]])
        #expect(try words(bar, "2026-11-27T20:00") == "open until 02:00")
        #expect(try words(bar, "2026-11-28T01:59") == "open until 02:00")
        #expect(try words(bar, "2026-11-28T02:00") == "closed; opens at 20:00")
        #expect(try words(bar, "2026-11-29T03:00") == "closed; opens Fr 2026-12-04 at 20:00")
        // Closed on Saturday ends nothing that began on Friday.
        let closed = try venue(["hours": ["Fr,Sa": "20:00-26:00"], "closed": ["2026-11-28": "off"]])
        #expect(try words(closed, "2026-11-28T01:00") == "open until 02:00")
        #expect(try words(closed, "2026-11-28T21:00") == "closed; opens Fr 2026-12-04 at 20:00")
    }

    @Test("Spans that touch at midnight are one")
    func always() throws {
        let parking = try VenueFiles.venue(.parking)
        #expect(try words(parking, "2026-11-27T00:00") == "open day and night")
        let week = try venue(["hours": ["Mo-Fr": "00:00-24:00"]])
        #expect(try words(week, "2026-11-27T12:00") == "open until midnight")
        #expect(try words(week, "2026-11-24T12:00") == "open until Sa 2026-11-28 at 00:00")
        #expect(try words(week, "2026-11-28T12:00") == "closed; opens Mo 2026-11-30 at 00:00")
    }

    @Test("Blackouts cut, special days replace, and both say why")
    func special() throws {
        let hall = try venue([
            "closed": ["2026-12-24": "12:00-14:00: cleaning", "2026-12-25": "off: Christmas"],
            "open": ["2026-12-31": "10:00-12:00: New Year's Eve", "2026-12-24": "09:00-16:00"],
        ])
        let days = VenueDays(hall)
        func spans(_ date: String) throws -> [String] {
            days.spans(on: try #require(FlightDate(date))).map(\.text)
        }
        #expect(try spans("2026-12-23") == ["08:00-22:00"])
        #expect(try spans("2026-12-24") == ["09:00-12:00", "14:00-16:00"])
        #expect(try spans("2026-12-25") == [])
        #expect(try spans("2026-12-31") == ["10:00-12:00"])
        #expect(days.reason(on: try #require(FlightDate("2026-12-25"))) == "Christmas")
        #expect(days.reason(on: try #require(FlightDate("2026-12-23"))) == nil)
        #expect(try words(hall, "2026-12-24T16:00") == "closed; opens Sa 2026-12-26 at 08:00")
        #expect(try words(hall, "2026-12-24T12:30") == "closed; opens at 14:00")
    }

    @Test("What clocks there show comes from the zone, on both days of the change")
    func zones() throws {
        let zone = try #require(TimeZoneRules.named("Europe/Amsterdam"))
        func clock(_ time: String) throws -> String? {
            zone.clock(at: try #require(Stamp(text: time).time))?.text
        }
        #expect(try clock("2026-11-27T07:30:59Z") == "2026-11-27T08:30")
        #expect(try clock("2026-10-25T00:30:00Z") == "2026-10-25T02:30")
        #expect(try clock("2026-10-25T01:30:00Z") == "2026-10-25T02:30")
        #expect(try clock("2026-03-29T01:00:00Z") == "2026-03-29T03:00")
    }
}
