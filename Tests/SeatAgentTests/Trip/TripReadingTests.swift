// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import CivilTime
@testable import SeatAgent
@testable import Text
@testable import Trips

@Suite("A flight that is added to the list")
struct TripReadingTests {
    /// 2026-11-21T12:00:00Z.
    private static let now = UTCTime(seconds: 1_795_262_400)

    private func read(
        _ text: String, _ values: [String: [String]] = [:], today: String = "2026-11-21"
    ) throws(UserError) -> TripReading {
        try TripReading.read(
            text.split(separator: " ").map(String.init), values, today: { _ in FlightDate(today) },
            now: Self.now)
    }

    private func why(
        _ text: String, _ values: [String: [String]] = [:], today: String = "2026-11-21"
    ) -> String? {
        refusal { () throws(UserError) in _ = try read(text, values, today: today) }?.why
    }

    @Test(
        "Every way to type it is the same flight",
        arguments: [
            "FR 202 2026-12-05 DUB STN", "fr202 2026-12-05 dub stn", "FR202/2026-12-05/DUB STN",
            "FR202/2026-12-05/DUB/STN", "RYR0202 2026-12-05 DUB STN",
        ])
    func spellings(_ text: String) throws {
        let reading = try read(
            text, ["departs": ["06:30"], "arrives": ["7:45"], "seat": ["17A,17b", "17A"]])
        #expect(reading.trip.flight.text == "FR202/2026-12-05/DUB")
        #expect(reading.trip.to == "STN")
        #expect(reading.trip.departs?.text == "2026-12-05T06:30")
        #expect(reading.trip.arrives?.text == "2026-12-05T07:45")
        #expect(reading.trip.seats.map(\.text) == ["17A", "17B"])
        #expect(reading.trip.added == Self.now)
        #expect(
            reading.trip.summary == "FR 202 on 2026-12-05 from DUB to STN, 06:30 to 07:45")
    }

    @Test("Each refusal says which part is wrong")
    func refusals() {
        #expect(why("") == "the flight number is empty")
        #expect(why("11 123 2026-12-05 DUB")?.hasPrefix("the airline's designator") == true)
        #expect(why("INV999 2026-12-05 DUB")?.hasPrefix("the airline INV is unknown") == true)
        #expect(why("EZY84FX 2026-12-05 LGW")?.contains("radio call sign") == true)
        #expect(why("FR202")?.contains("comes its date") == true)
        #expect(why("FR202 2026-02-30 DUB")?.contains("\"2026-02-30\"") == true)
        #expect(why("FR202 05.12.2026 DUB")?.hasPrefix("the date is a day") == true)
        #expect(why("FR202 2026-12-05")?.contains("airport of departure") == true)
        #expect(why("FR202 2026-12-05 DUBLIN")?.contains("three letters") == true)
        #expect(why("FR202 2026-12-05 DUB D1B")?.contains("\"D1B\"") == true)
        #expect(why("FR202 2026-12-05 DUB DUB") == "it departs from and arrives at DUB")
        #expect(why("FR202 2026-12-05 DUB STN BGY")?.contains("one other") == true)
        #expect(why("FR202 2026-12-05 DUB", ["departs": ["6.30"]])?.contains("06:30") == true)
        #expect(why("FR202 2026-12-05 DUB", ["departs": ["06:30+1"]])?.contains("another") == true)
        #expect(why("FR202 2026-12-05 DUB", ["opens-before": ["soon"]])?.contains("24h") == true)
        #expect(why("FR202 2026-12-05 DUB", ["seat": ["17Ä"]]) != nil)
    }

    @Test("Unknown airlines pass with a remark")
    func unknown() throws {
        let reading = try read("IV999 2026-12-05 DUB")
        #expect(reading.trip.flight.text == "IV999/2026-12-05/DUB")
        #expect(reading.remarks == ["The airline IV is not in the table."])
    }

    @Test("From today to two years ahead, to the day")
    func dates() throws {
        #expect(try read("FR1 2026-11-21 DUB").trip.flight.date == "2026-11-21")
        #expect(why("FR1 2026-11-20 DUB") == "today is 2026-11-21")
        #expect(try read("FR1 2028-11-21 DUB").trip.flight.date == "2028-11-21")
        #expect(why("FR1 2028-11-22 DUB") == "the list goes two years ahead, to 2028-11-21")
        let over = refusal { () throws(UserError) in _ = try read("FR1 2026-11-20 DUB") }
        #expect(over?.advice == TripReading.line(at: Self.now))
        #expect(over?.advice?.contains(" 2026-12-05 ") == true)
        #expect(why("FR1 2030-03-01 DUB", today: "2028-02-29")?.hasSuffix("2030-02-28") == true)
    }

    @Test("A flight of yesterday that is in the air is not over")
    func inTheAir() throws {
        let times = ["departs": ["22:30"], "arrives": ["14:00+1"]]
        #expect(try read("DL1 2026-11-20 JFK LHR", times).trip.flight.date == "2026-11-20")
        let landed = ["departs": ["22:30"], "arrives": ["10:00+1"]]
        #expect(why("DL1 2026-11-20 JFK LHR", landed) == "today is 2026-11-21")
    }

    @Test("An arrival in another month or year is a slip")
    func slips() {
        for arrives in ["2062-12-05T07:45", "2026-12-09T07:45", "2026-12-03T07:45", "07:45+9"] {
            #expect(why("FR1 2026-12-05 DUB STN", ["arrives": [arrives]]) != nil, "\(arrives)")
        }
    }

    @Test("The day of arrival follows from the airports' clocks")
    func arrivals() throws {
        func arrives(_ text: String, _ departs: String, _ arrives: String) throws -> String? {
            try read(text, ["departs": [departs], "arrives": [arrives]]).trip.arrives?.text
        }
        #expect(try arrives("FR1 2026-12-05 DUB STN", "22:50", "00:10") == "2026-12-06T00:10")
        // Sydney to Los Angeles lands before it left, by the clocks.
        #expect(try arrives("QF11 2026-12-05 SYD LAX", "10:30", "06:00") == "2026-12-05T06:00")
        // Auckland to Honolulu lands on the day before.
        #expect(try arrives("NZ10 2026-12-05 AKL HNL", "00:30", "10:00") == "2026-12-04T10:00")
        #expect(try arrives("QF12 2026-12-05 LAX SYD", "22:30", "08:30") == "2026-12-07T08:30")
        #expect(try arrives("FR1 2026-12-05 DUB STN", "06:30", "07:45+1") == "2026-12-06T07:45")
        #expect(
            try arrives("FR1 2026-12-05 DUB STN", "06:30", "2026-12-05T07:45")
                == "2026-12-05T07:45")
        // Of airports that no table has the clocks alone are known.
        #expect(try arrives("FR1 2026-12-05 QQQ QQX", "22:50", "00:10") == "2026-12-06T00:10")
        #expect(
            why("FR1 2026-12-05 DUB STN", ["departs": ["06:30"], "arrives": ["05:00+0"]]) != nil)
    }

    @Test("An empty value takes back what was known; what is not given stays")
    func changes() throws {
        var reading = try read(
            "FR1 2026-12-05 DUB STN",
            ["departs": ["06:30"], "opens-before": ["24h"], "seat": ["17A"]])
        try reading.set(["opens-before": [""], "seat": [""]])
        #expect(reading.trip.opensBefore == nil)
        #expect(reading.trip.seats.isEmpty)
        #expect(reading.trip.departs?.clock == "06:30")
        #expect(reading.trip.to == "STN")
        try reading.set(["to": ["bgy"]])
        #expect(reading.trip.to == "BGY")
    }

    @Test("A party is as large as it is")
    func party() throws {
        let seats = (1...20).map { "\($0)A" }.joined(separator: ",")
        #expect(try read("FR1 2026-12-05 DUB", ["seat": [seats]]).trip.seats.count == 20)
    }

    @Test("Partners' numbers are of the same day and airport, three at most")
    func aliases() throws {
        let reading = try read("UA8839 2026-12-05 FRA", ["alias": ["lh 440", "AC9,LH440"]])
        #expect(
            reading.trip.aliases.map(\.text) == ["LH440/2026-12-05/FRA", "AC9/2026-12-05/FRA"])
        func refused(_ alias: String) -> String? {
            why("UA8839 2026-12-05 FRA", ["alias": [alias]])
        }
        #expect(refused("LH440/2026-12-06")?.contains("same day") == true)
        #expect(refused("LH440/2026-12-05/MUC")?.contains("same day") == true)
        #expect(refused("UA 8839") == "it is the flight's own number")
        #expect(refused("LH1,LH2,LH3,LH4")?.contains("3 besides") == true)
        #expect(refused("nonsense") != nil)
    }
}
