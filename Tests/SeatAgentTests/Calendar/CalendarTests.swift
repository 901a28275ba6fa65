// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CivilTime
@testable import Protocol
@testable import SeatAgent
@testable import Text
@testable import Trips

/// Calendar files, line by line; other programs read them in the end-to-end tests.
@Suite struct CalendarTests {
    private static func trip() throws -> Trip {
        var trip = try TripTimesTests.trip(
            "FR202/2026-03-05/DUB", to: "STN", departs: "2026-03-05T06:30",
            arrives: "2026-03-05T07:50")
        trip.seats = [try #require(Seat("17A"))]
        return trip
    }

    /// The file of `trip`, unfolded.
    private static func lines(_ trip: Trip) -> [String] {
        let entry = trip.calendarEntry(TripTimes(trip), uid: "u1") { _ in "d" }.entry
        let text = CalendarFile.text([entry], stamp: UTCTime(seconds: 0))
        var lines: [String] = []
        for line in text.utf8.split(separator: 10) {
            #expect(line.count <= 76 && line.last == 13, "\(line)")
            let words = String(decoding: line.dropLast(), as: UTF8.self)
            if words.hasPrefix(" ") {
                lines[lines.count - 1] += words.dropFirst()
            } else {
                lines.append(words)
            }
        }
        return lines
    }

    @Test func aFlightAndWhatOpens() throws {
        let lines = Self.lines(try Self.trip())
        #expect(
            lines == [
                "BEGIN:VCALENDAR", "VERSION:2.0",
                "PRODID:-//seatagent//seatagent \(Version.text)//EN",
                "CALSCALE:GREGORIAN", "BEGIN:VEVENT", "UID:u1@seatagent.invalid",
                "DTSTAMP:19700101T000000Z", "SEQUENCE:0", "DTSTART:20260305T063000Z",
                "DTEND:20260305T075000Z", "SUMMARY:Flight FR202 DUB-STN\\, seat 17A",
                "LOCATION:Dublin Airport (DUB)",
                "DESCRIPTION:Departs Dublin Airport (DUB): 2026-03-05 06:30 (GMT)\\n"
                    + "Arrives London Stansted Airport (STN): 2026-03-05 07:50 (GMT)\\n"
                    + "Seats: 17A\\nSeats can be chosen from 24 h before departure: Ryanair\\, as "
                    + "of 2026-11\\, stated by help.ryanair.com\\; buzzair.com\\, article 6.2.2.\\n"
                    + "That is 2026-03-04 06:30 (GMT).\\n"
                    + "Times are as clocks show them at the airport.",
                "STATUS:CONFIRMED", "TRANSP:OPAQUE", "BEGIN:VALARM", "ACTION:DISPLAY",
                "DESCRIPTION:Seats open on FR202 now", "TRIGGER:-PT24H", "END:VALARM", "END:VEVENT",
                "BEGIN:VEVENT", "UID:u1-opens@seatagent.invalid", "DTSTAMP:19700101T000000Z",
                "SEQUENCE:0", "DTSTART:20260304T063000Z", "DTEND:20260304T064500Z",
                "SUMMARY:Seats open on FR202: DUB-STN",
                "DESCRIPTION:From now on seats can be chosen: 24 h before departure: Ryanair\\, as "
                    + "of 2026-11\\, stated by help.ryanair.com\\; buzzair.com\\, article 6.2.2.\\n"
                    + "Choose yours with the airline. Then\\, on a network with other passengers: "
                    + "seatagent up FR202/2026-03-05/DUB",
                "STATUS:CONFIRMED", "TRANSP:TRANSPARENT", "BEGIN:VALARM", "ACTION:DISPLAY",
                "DESCRIPTION:Seats open on FR202 now", "TRIGGER:PT0S", "END:VALARM", "END:VEVENT",
                "END:VCALENDAR",
            ])
    }

    @Test func withoutATimeItIsTheDay() throws {
        let trip = try TripTimesTests.trip("FR202/2026-02-28/DUB")
        let lines = Self.lines(trip)
        #expect(lines.contains("DTSTART;VALUE=DATE:20260228"))
        #expect(lines.contains("DTEND;VALUE=DATE:20260301"))
        #expect(lines.contains("SUMMARY:Flight FR202 DUB"))
        #expect(!lines.contains("BEGIN:VALARM"))
        #expect(lines.count { $0 == "BEGIN:VEVENT" } == 1)
    }

    @Test func anArrivalThatIsNotKnownIsLeftOut() throws {
        var trip = try Self.trip()
        trip.arrives = nil
        #expect(!Self.lines(trip).contains { $0.hasPrefix("DTEND:20260305") })
    }

    @Test func whatOpensIsCalledOffWhereItIsNotKnownAnyMore() throws {
        var trip = try Self.trip()
        func write() -> [[String]] {
            let made = trip.calendarEntry(TripTimes(trip), uid: "u1") { $0 }
            trip.calendar = made.mark
            return made.entry.events.map { event in
                event.lines(sequence: made.entry.sequence, stamp: UTCTime(seconds: 0)).map(\.text)
            }
        }
        let opening = try #require(write().last)
        let departs = trip.departs
        trip.departs = nil
        // Also in every file after that: a calendar may have missed one.
        for _ in 0..<2 {
            let events = write()
            #expect(events.count == 2)
            let off = try #require(events.last)
            let kept = ["UID:", "DTSTART", "DTEND"]
            for line in opening where kept.contains(where: line.hasPrefix) {
                #expect(off.contains(line))
            }
            #expect(off.contains("STATUS:CANCELLED\r\n") && off.contains("SEQUENCE:1\r\n"))
            #expect(!off.contains("BEGIN:VALARM\r\n"))
            #expect(events[0].contains("STATUS:CONFIRMED\r\n"))
        }
        trip.departs = departs
        #expect(write().last?.contains("STATUS:CONFIRMED\r\n") == true)
        #expect(trip.calendar?.sequence == 2)
        var never = try TripTimesTests.trip("FR202/2026-02-28/DUB")
        never.calendar = Trip.CalendarMark(uid: "u2", sequence: 0, digest: "")
        #expect(never.calendarEntry(TripTimes(never), uid: "u2") { $0 }.entry.events.count == 1)
    }

    @Test func eachChangeIsTheNextInSequence() throws {
        var trip = try Self.trip()
        func write() -> Trip.CalendarMark {
            let made = trip.calendarEntry(TripTimes(trip), uid: "other") { $0 }
            #expect(made.entry.sequence == made.mark.sequence)
            trip.calendar = made.mark
            return made.mark
        }
        let first = trip.calendarEntry(TripTimes(trip), uid: "u1") { $0 }.mark
        #expect(first.sequence == 0)
        #expect(first.uid == "u1")
        trip.calendar = first
        #expect(write() == first)
        // A swap gave another seat.
        trip.seats = [try #require(Seat("12C"))]
        #expect(write().sequence == 1)
        #expect(write().sequence == 1)
        trip.departs = LocalMinute("2026-03-05T06:40")
        #expect(write().sequence == 2)
        #expect(trip.calendar?.uid == "u1")
    }
}

/// One line of a file.
@Suite struct ContentLineTests {
    @Test(arguments: [
        ("a,b;c\\d\ne", "a\\,b\\;c\\\\d\\ne"), ("a:b\"c", "a:b\"c"), ("a\rb\u{7}c\u{7F}", "abc"),
        ("", ""),
    ])
    func texts(text: String, form: String) {
        #expect(ContentLine("X", text).text == "X:\(form)\r\n")
    }

    @Test func longLinesAreFoldedBetweenLetters() {
        for letter in ["x", "é", "€", "😀", "e\u{301}"] {
            for shift in 0..<8 {
                let value =
                    String(repeating: "y", count: shift) + String(repeating: letter, count: 90)
                let bytes = Array(ContentLine("SUMMARY", raw: value).text.utf8)
                let pieces = bytes.split(separator: 10, omittingEmptySubsequences: true)
                var whole: [UInt8] = []
                for (index, piece) in pieces.enumerated() {
                    #expect(piece.count <= 76 && piece.last == 13)
                    #expect(String(validating: piece, as: UTF8.self) != nil)
                    #expect(index == 0 || piece.first == 32)
                    whole += piece.dropLast().dropFirst(index == 0 ? 0 : 1)
                }
                #expect(String(decoding: whole, as: UTF8.self) == "SUMMARY:" + value)
            }
        }
    }

    @Test func seventyFiveFitAndSeventySixDoNot() {
        #expect(ContentLine("X", raw: String(repeating: "y", count: 73)).text.utf8.count == 77)
        let longer = ContentLine("X", raw: String(repeating: "y", count: 74)).text
        #expect(longer.hasSuffix("y\r\n y\r\n"))
    }

    @Test(
        arguments: [
            (86_400, "-PT24H"), (48 * 3600, "-PT48H"), (5400, "-PT1H30M"), (3601, "-PT1H0M1S"),
            (90, "-PT1M30S"), (60, "-PT1M"), (1, "-PT1S"), (0, "PT0S"),
        ] as [(Int64, String)])
    func triggers(before: Int64, form: String) {
        #expect(CalendarEvent.trigger(before) == form)
    }
}
