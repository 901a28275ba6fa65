// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Aviation
@testable import CivilTime
@testable import SeatAgent

@Suite("Boarding dates")
struct FlightDateTests {
    private func date(_ text: String) throws -> FlightDate { try #require(FlightDate(text)) }

    private func flight(
        _ day: Int, on reference: String, issued: String? = nil, after earlier: String? = nil
    ) throws -> String? {
        try FlightDate.flight(
            day, issued: issued.map { try date($0) }, reference: date(reference),
            earlier: earlier.map { try date($0) })?.text
    }

    @Test("Dates are read and written")
    func texts() throws {
        for text in ["1970-01-01", "2000-02-29", "2026-12-31", "9900-01-01"] {
            #expect(try date(text).text == text)
        }
        for text in ["", "2026-02-29", "2026-3-05", "2026-03-05T", "1969-12-31", "9901-01-01"] {
            #expect(FlightDate(text) == nil, "\(text)")
        }
        #expect(FlightDate(year: 2026, day: 366) == nil)
        #expect(FlightDate(year: 2028, day: 366)?.text == "2028-12-31")
    }

    @Test("Without a date of issue: the first such day, from two days ago on")
    func fromReference() throws {
        #expect(try flight(64, on: "2026-03-07") == "2026-03-05")
        #expect(try flight(64, on: "2026-03-08") == "2027-03-05")
        #expect(try flight(365, on: "2027-01-02") == "2026-12-31")
        #expect(try flight(3, on: "2026-12-29") == "2027-01-03")
    }

    @Test("Day 366 is one of leap years only, and days beyond are none")
    func leapDay() throws {
        #expect(try flight(366, on: "2028-06-01") == "2028-12-31")
        #expect(try flight(366, on: "2029-01-02") == "2028-12-31")
        #expect(try flight(366, on: "2026-06-01") == nil)
        #expect(try flight(366, on: "2027-06-01") == nil)
        #expect(try flight(0, on: "2026-06-01") == nil)
        #expect(try flight(419, on: "2026-06-01") == nil)
    }

    @Test("With a date of issue: the first such day from the day before it on")
    func fromIssue() throws {
        #expect(try flight(34, on: "2018-04-02", issued: "2017-02-03") == "2017-02-03")
        #expect(try flight(33, on: "2018-04-02", issued: "2017-02-03") == "2017-02-02")
        #expect(try flight(32, on: "2018-04-02", issued: "2017-02-03") == "2018-02-01")
    }

    @Test("A later flight of a pass is not before an earlier one")
    func later() throws {
        #expect(try flight(1, on: "2026-12-29", after: "2026-12-31") == "2027-01-01")
        #expect(try flight(364, on: "2026-12-29", after: "2026-12-31") == "2027-12-30")
    }

    @Test("The date of issue: the latest such year that is not after the day it is looked at")
    func issue() throws {
        func issue(_ text: String, on reference: String) throws -> String? {
            let bytes = Array(text.utf8)
            return FlightDate.issue(bytes, bytes.indices, reference: try date(reference))?.text
        }
        #expect(try issue("6060", on: "2026-03-01") == "2026-03-01")
        #expect(try issue("6062", on: "2026-03-01") == "2026-03-03")
        #expect(try issue("6063", on: "2026-03-01") == "2016-03-03")
        #expect(try issue("7001", on: "2026-12-31") == "2027-01-01")
        #expect(try issue("7001", on: "2026-12-29") == "2017-01-01")
        #expect(try issue("6366", on: "2027-01-01") == nil)
        #expect(try issue("6000", on: "2027-01-01") == nil)
        #expect(try issue(" 014", on: "2027-01-01") == nil)
        #expect(try issue("    ", on: "2027-01-01") == nil)
    }
}
