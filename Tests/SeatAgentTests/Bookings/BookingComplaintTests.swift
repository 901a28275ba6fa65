// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Testing

@testable import Bookings
@testable import Text
@testable import Venues

@Suite("R4: complaints about a booking")
struct BookingComplaintTests {
    /// A line, the error and a part of what is said.
    static let lines: [(String, ErrorCode, String)] = [
        ("sat 18:00", .usage, "the place is missing"),
        ("tennis 2 18:00", .usage, "the day is missing"),
        ("tennis 2 sat", .usage, "the time is missing"),
        ("tennis 2", .usage, "the day and the time are missing"),
        ("2h", .usage, "the place, the day and the time are missing"),
        ("tennis 2 sat 18:00 twice", .usage, "\"twice\" is no place of Northwest Rec Center"),
        ("tenis 2 sat 18:00", .usage, "the nearest is tennis"),
        ("tennis 2 saturdey 18:00", .usage, "the nearest is saturday"),
        ("t sat 18:00", .usage, "there are Tennis, Basketball, Badminton"),
        ("b sat 18:00", .usage, "is no place"),
        ("ba sat 18:00", .ambiguous, "#10 Basketball, #11 Badminton A"),
        ("tennis 2 31 feb 18:00", .usage, "there is no such day"),
        ("tennis 2 sun 5 dec 18:00", .usage, "5 Dec 2026 is no such day; it is a Saturday"),
        ("tennis 2 sat 18-18", .usage, "it ends before it begins"),
        ("tennis 2 sat 18-20 3h", .usage, "two lengths"),
        ("tennis 2 sat sun 18:00", .usage, "\"sun\" is no place"),
        ("tennis 2 sat 18:00 40d", .usage, "for so long"),
        ("x2 sat 18:00 x3", .usage, "x3 belongs to no place"),
        ("tennis 2 x0 sat 18:00", .usage, "x0 belongs to no place"),
        ("tennis 2 x1001 sat 18:00", .usage, "x1001 belongs to no place"),
        ("tennis 2 sat 25:00", .usage, "\"25:00\" is no place"),
        ("'pool' sat 18:00", .usage, "\"pool\" is no place"),
    ]

    @Test(
        "What is missing, ambiguous or unknown is named, with a line that works", arguments: lines)
    func complaints(_ line: String, _ code: ErrorCode, _ part: String) throws {
        let scene = try BookingScene(.courts)
        let error = try scene.fault(line)
        #expect(error.code == code)
        #expect("\(error.what); \(error.why ?? "")".contains(part), "\(error)")
        try scene.works(error)
    }

    @Test("The line to try keeps what was said")
    func kept() throws {
        let scene = try BookingScene(.courts)
        func advice(_ line: String) throws -> String? { try scene.fault(line).advice }
        #expect(try advice("tennis 2 sat 2h") == "seatagent book 'Tennis 2' 5 dec 12:00 2h")
        #expect(try advice("tennis 2 18:00") == "seatagent book 'Tennis 2' 1 dec 18:00 1h")
        #expect(try advice("sat 18:00 2h") == "seatagent book 'Tennis 1' 5 dec 18:00 2h")
        #expect(try advice("tennis 2 sat 9:00 twice") == "seatagent book 'Tennis 2' 5 dec 10:00 1h")
        // Late in the evening it is the next morning.
        let late = try BookingScene(.courts, at: "2026-12-01T21:30")
        #expect(try late.fault("basketball").advice == "seatagent book Basketball 2 dec 06:00 1h")
        // What is taken is not proposed.
        var reader = scene.reader
        reader.isFree = { place, _ in place.id == 12 }
        #expect(reader.line(scene.venue.places).contains("'Badminton B'"))
    }

    @Test("What is had by the day wants no time, and what nobody books is said")
    func kinds() throws {
        let rental = try BookingScene(.rental)
        let time = try rental.fault("Piraat 12 jun 18:00")
        #expect(time.what == "Piraat is had by the day")
        try rental.works(time)
        #expect(try rental.fault("Piraat 12 jun 4h").what == "Piraat is had by the day")
        let missing = try rental.fault("Piraat")
        #expect(missing.what == "the day is missing")
        try rental.works(missing)
        #expect(try rental.fault("14-12 jun xl").what.hasPrefix("it ends before it begins"))
        let study = try BookingScene(.study)
        let counted = try study.fault("singel sat 18:00")
        #expect(counted.code == .noSuchPlace && counted.what == "nobody books UB Singel")
        #expect(counted.why?.contains("seatagent checkin 'UB Singel'") == true)
        // Nothing can be booked there, so there is no such line.
        #expect(counted.advice == "seatagent venue show uva")
    }

    @Test("Lines and words are limited")
    func limits() throws {
        let scene = try BookingScene(.courts)
        let long = try scene.fault(String(repeating: "a", count: 401))
        #expect(long.code == .tooLong)
        try scene.works(long)
        let many = try scene.fault(String(repeating: "a ", count: 65))
        #expect(many.code == .tooLong && many.why == "64 words are read")
        let places = try scene.fault(String(repeating: "tennis ", count: 9) + "sat 18:00")
        #expect(places.code == .tooLong && places.why == "8 are booked at once")
    }

    @Test("What people type acts on no terminal")
    func hostile() throws {
        let scene = try BookingScene(.courts)
        let error = try scene.fault("tennis\u{1B}[31m sat 18:00")
        for line in error.lines {
            let isSafe = line.unicodeScalars.allSatisfy(\.isSafeToPrint)
            #expect(isSafe)
        }
        #expect(error.advice?.contains("\u{1B}") == false)
    }
}
