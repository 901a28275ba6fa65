// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import CivilTime
@testable import Text
@testable import Venues

private func item(
    _ place: Int, _ since: Int64, until: Int64? = nil, closes: Int64? = nil, venue: String = "uva"
) -> ActivityBook.Item {
    ActivityBook.Item(
        venue: venue, place: place, name: "room \(place)", since: UTCTime(seconds: since),
        until: until.map { UTCTime(seconds: $0) }, closes: closes.map { UTCTime(seconds: $0) },
        offset: 60)
}

@Suite("Where the user was")
struct ActivityTests {
    @Test("F5: a stay ends when it is said, or when the place closes, to the second")
    func durations() {
        let open = item(1, 1000, closes: 5000)
        #expect(open.seconds(at: UTCTime(seconds: 1600)) == 600)
        #expect(open.end(at: UTCTime(seconds: 4999)) == nil)
        #expect(open.end(at: UTCTime(seconds: 5000)) == UTCTime(seconds: 5000))
        #expect(open.isClosed(at: UTCTime(seconds: 9000)))
        #expect(open.seconds(at: UTCTime(seconds: 9000)) == 4000)
        let left = item(1, 1000, until: 2000, closes: 5000)
        #expect(left.seconds(at: UTCTime(seconds: 9000)) == 1000)
        #expect(!left.isClosed(at: UTCTime(seconds: 9000)))
        // A clock that was set back makes no negative time.
        #expect(open.seconds(at: UTCTime(seconds: 10)) == 0)
    }

    @Test("The newest stands first, a stay that goes on replaces itself, and the list has an end")
    func order() {
        var book = ActivityBook()
        book.note(item(1, 100, closes: 900))
        book.note(item(2, 300, until: 400))
        book.note(item(1, 100, until: 200, closes: 900))
        #expect(book.items.map(\.place) == [2, 1] && book.items[1].until != nil)
        #expect(book.open(in: "uva", at: UTCTime(seconds: 350)) == nil)
        // Who tells of it again and knows less takes no end away.
        book.note(item(1, 100))
        #expect(book.items[1] == item(1, 100, until: 200, closes: 900))
        book.note(item(3, 500, closes: 900))
        #expect(book.open(in: "uva", at: UTCTime(seconds: 600))?.place == 3)
        #expect(book.open(in: "rec", at: UTCTime(seconds: 600)) == nil)
        for second in 0..<Int64(ActivityBook.limit) { book.note(item(4, 1000 + second)) }
        #expect(book.items.count == ActivityBook.limit && book.items.last?.place == 4)
    }

    @Test("A day is that of the venue's clocks")
    func days() throws {
        // 23:30 UTC is half past midnight there.
        let night = item(1, 84_600, until: 85_000)
        #expect(night.date?.text == "1970-01-02")
        var book = ActivityBook()
        book.note(night)
        let day = try #require(FlightDate("1970-01-02"))
        #expect(book.items(from: day, through: day) == [night])
        #expect(book.items(from: day.adding(1), through: day.adding(7)).isEmpty)
    }

    @Test("Both lists come back from their files, and nothing else is one")
    func files() throws {
        var book = ActivityBook()
        book.note(item(1, 100, until: 200, closes: 900))
        book.note(item(2, 300))
        #expect(try ActivityBook(json: book.json) == book)
        var friends = FriendBook()
        friends.isFindable = false
        friends.note("bo@example.org")
        friends.note("ada@example.org")
        friends.note("bo@example.org")
        #expect(friends.found == ["ada@example.org", "bo@example.org"])
        #expect(try FriendBook(json: friends.json) == friends)
        for text in ["{}", "[]", "{\"version\":2}", "{\"version\":1,\"stays\":[1]}"] {
            let json = try JSON(line: Array(text.utf8))
            #expect(throws: FormFault.self) { try ActivityBook(json: json) }
        }
        for text in ["{}", "{\"version\":1,\"findable\":1,\"found\":[]}", "{\"version\":3}"] {
            let json = try JSON(line: Array(text.utf8))
            #expect(throws: FormFault.self) { try FriendBook(json: json) }
        }
    }

    // MARK: Days and closings

    private func hours(_ hours: String, zone: String, volume: String) throws -> (
        Venue, StayHours, TimeZoneRules
    ) {
        let words = """
            {"version":1,"slug":"uva","name":"U","zone":"\(zone)","volume":"day",\
            "hours":\(hours),"places":[{"id":1,"name":"A","mode":"counted","count":9}],\
            "classes":[{"name":"everybody"}],"rules":{"join":"open"}}
            """
        let venue = try Venue.read(Array(words.utf8))
        let rules = try #require(TimeZoneRules.named(zone))
        let day = try #require(Volume(volume))
        return (venue, try #require(venue.stayHours(of: day, rules)), rules)
    }

    private func time(_ text: String) throws -> UTCTime { try #require(RFC3339.parse(text)) }

    @Test("T1: days of 23 and 25 hours, and a place that closes by the clocks there")
    func clockChanges() throws {
        // Clocks go forward on 29 March 2026 and back on 25 October.
        let spring = try hours(
            "{\"Mo-Su\":\"08:30-22:00\"}", zone: "Europe/Amsterdam", volume: "2026-03-29")
        let noon = try time("2026-03-29T10:00:00Z")
        #expect(spring.1.close(of: 1, after: noon) == (try time("2026-03-29T20:00:00Z")))
        #expect(spring.1.dayEnd(after: noon) == (try time("2026-03-29T22:00:00Z")))
        #expect(spring.1.dayEnd(after: try time("2026-03-28T22:59:59Z")) == nil)
        let autumn = try hours(
            "{\"Mo-Su\":\"08:30-22:00\"}", zone: "Europe/Amsterdam", volume: "2026-10-25")
        #expect(
            autumn.1.dayEnd(after: try time("2026-10-24T22:00:00Z"))
                == (try time("2026-10-25T23:00:00Z")))
        #expect(
            autumn.0.volume(at: try time("2026-10-25T22:59:00Z"), autumn.2)?.text == "2026-10-25")
    }

    @Test("T1: in a night with a change of clocks every moment is on a day that holds it")
    func nightsOfChange() throws {
        for (zone, first) in [
            ("America/Chicago", "2026-10-31"), ("America/Chicago", "2026-03-07"),
            ("Europe/Brussels", "2026-10-24"), ("Europe/Brussels", "2026-03-28"),
            ("Australia/Lord_Howe", "2026-04-04"), ("Australia/Lord_Howe", "2026-10-03"),
        ] {
            for closes in ["24:00", "26:00", "27:00", "30:00"] {
                let (venue, _, rules) = try hours(
                    "{\"Mo-Su\":\"10:00-\(closes)\"}", zone: zone, volume: first)
                let start = try time(first + "T00:00:00Z")
                for half in 0..<Int64(144) {
                    let now = UTCTime(seconds: start.seconds + 1800 * half)
                    let volume = try #require(venue.volume(at: now, rules))
                    let held = try #require(venue.stayHours(of: volume, rules))
                    #expect(held.dayEnd(after: now) != nil, "\(zone) \(closes) \(now.seconds)")
                }
            }
        }
    }

    @Test("A night belongs to the day on which it began, and spans that touch are one")
    func nights() throws {
        let (venue, hours, zone) = try hours(
            "{\"Mo-Su\":\"10:00-26:00\"}", zone: "Etc/UTC", volume: "2026-12-05")
        let late = try time("2026-12-06T01:30:00Z")
        #expect(venue.nightMinutes == 120 && venue.volume(at: late, zone)?.text == "2026-12-05")
        #expect(hours.close(of: 1, after: late) == (try time("2026-12-06T02:00:00Z")))
        #expect(venue.volume(at: try time("2026-12-06T02:00:00Z"), zone)?.text == "2026-12-06")
        let always = try self.hours(
            "{\"Mo-Su\":\"00:00-24:00\"}", zone: "Etc/UTC", volume: "2026-12-05")
        // Day and night: only the day's end ends a stay.
        #expect(
            always.1.close(of: 1, after: try time("2026-12-05T12:00:00Z"))
                == (try time("2026-12-06T00:00:00Z")))
    }
}
