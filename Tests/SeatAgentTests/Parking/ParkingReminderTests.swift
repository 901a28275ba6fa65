// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Parking
@testable import Text
@testable import Trips

@Suite("Reminders of parked cars")
struct ParkingReminderTests {
    private static func record(_ number: Int, since: Int64, hours: Int = 1) -> ParkingRecord {
        ParkingRecord(
            number: number, since: UTCTime(seconds: since), building: "B7K2Q", hours: hours,
            plate: "AB12CDE", suite: "12B", street: "12 Main St, rear")
    }

    private static func at(_ seconds: Int64) -> UTCTime { UTCTime(seconds: seconds) }

    @Test("P6: one comes 15 minutes before the end, one at the end, each once")
    func moments() {
        let records = [Self.record(1, since: 0)]
        var reminder = ParkingReminder(from: Self.at(0))
        var said: [Int64: String] = [:]
        for second in Int64(0)...4000 {
            for notice in reminder.due(records, at: Self.at(second)) { said[second] = notice.text }
        }
        #expect(said.keys.sorted() == [2700, 3600])
        #expect(said[2700]?.hasPrefix("AB12CDE at B7K2Q: 15 minutes left, until ") == true)
        #expect(said[3600]?.hasPrefix("AB12CDE at B7K2Q: the time is up since ") == true)
        #expect(reminder.next(records, after: Self.at(4000)) == nil)
    }

    @Test("P6: the next moment is known, so that nothing has to look all the time")
    func next() {
        let records = [Self.record(2, since: 100, hours: 4), Self.record(1, since: 0)]
        var reminder = ParkingReminder(from: Self.at(0))
        #expect(reminder.next(records, after: Self.at(0)) == Self.at(2700))
        #expect(reminder.due(records, at: Self.at(2700)).map(\.number) == [1])
        #expect(reminder.next(records, after: Self.at(2700)) == Self.at(3600))
        #expect(reminder.due(records, at: Self.at(3600)).map(\.number) == [1])
        #expect(reminder.next(records, after: Self.at(3600)) == Self.at(100 + 13_500))
    }

    @Test("P6: after a sleep the minutes are those that are left, and what was over is old")
    func late() {
        let records = [Self.record(1, since: 0)]
        var reminder = ParkingReminder(from: Self.at(10))
        #expect(reminder.due(records, at: Self.at(3541))[0].text.contains("1 minute left"))
        #expect(reminder.due(records, at: Self.at(9000))[0].text.contains("is up since"))
        var later = ParkingReminder(from: Self.at(3600))
        #expect(later.due(records, at: Self.at(9000)).isEmpty)
        #expect(later.next(records, after: Self.at(3600)) == nil)
    }

    @Test("P6: more hours are a new time, and a removed car is forgotten")
    func changed() {
        var record = Self.record(1, since: 0)
        var reminder = ParkingReminder(from: Self.at(0))
        #expect(reminder.due([record], at: Self.at(3600)).count == 1)
        record.hours = 4
        #expect(reminder.next([record], after: Self.at(3600)) == Self.at(13_500))
        #expect(reminder.due([record], at: Self.at(3601)).isEmpty)
        #expect(reminder.due([record], at: Self.at(13_500)).count == 1)
        #expect(reminder.due([], at: Self.at(14_400)).isEmpty)
        #expect(reminder.next([], after: Self.at(13_500)) == nil)
    }

    @Test("P6: the calendar has the car with two reminders, and a change is the next in sequence")
    func calendar() throws {
        var record = Self.record(1, since: 1_800_000_000)
        let first = record.calendarEntry(uid: "u1") { $0 }
        record.calendar = first.mark
        let text = CalendarFile.text([first.entry], stamp: Self.at(0))
        for line in [
            "UID:u1-parked@seatagent.invalid", "DTSTART:20270115T080000Z",
            "DTEND:20270115T090000Z", "SUMMARY:Parked: AB12CDE at B7K2Q", "SEQUENCE:0",
            "LOCATION:12 Main St\\, rear", "TRIGGER;RELATED=END:-PT15M",
            "TRIGGER;RELATED=END:PT0S", "TRANSP:TRANSPARENT",
        ] {
            #expect(text.contains(line + "\r\n"), "\(line) in \(text)")
        }
        #expect(record.calendarEntry(uid: "u2") { $0 }.mark == first.mark)
        record.hours = 4
        let second = record.calendarEntry(uid: "u2") { $0 }
        #expect(second.mark.uid == "u1" && second.mark.sequence == 1)
        record.calendar = second.mark
        var book = ParkingBook()
        try book.add { _ in record }
        #expect(try ParkingBook(json: book.json).records == [record])
        #expect(record.json["calendar"] == nil, "for the file alone")
    }
}
