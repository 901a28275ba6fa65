// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Glibc
import Profile
import Protocol
import Testing

@testable import Bookings
@testable import Text
@testable import Trips
@testable import Venues

@Suite("R7: the user's own bookings")
struct BookingHistoryTests {
    private let scene: BookingScene

    init() throws { scene = try BookingScene(.courts) }

    private func id(_ number: Int) throws -> Bytes32 {
        let bytes = (0..<32).map { UInt8(truncatingIfNeeded: (number &* 40_503) >> ($0 % 3 * 8)) }
        return try #require(Bytes32(bytes))
    }

    private func item(
        _ line: String = "tennis 2 sat 18-20", ask: Int? = nil, token: Int? = nil, since: Int64 = 0,
        state: BookingItem.State = .booked, due: Int? = nil
    ) throws -> BookingItem {
        let spot = try scene.spot(line)
        let span = scene.offered.clock.span(spot.period)
        return BookingItem(
            venue: "rec", venueName: "Northwest Rec Center", ask: try ask.map(id),
            token: try token.map { Token(try id($0)) }, spot: spot,
            since: UTCTime(seconds: scene.now.seconds + since), begin: span.begin, end: span.end,
            state: state, due: due.map { Grant.Due(currency: "USD", amount: $0) })
    }

    @Test("The newest stands first, and what is known of one booking comes together")
    func order() throws {
        var history = BookingHistory()
        #expect(history.note(try item(ask: 1, since: 10, state: .asked)) == 1)
        #expect(history.note(try item("basketball sat 18:00", token: 2, since: 20)) == 2)
        // The ask was granted: its number stays.
        var granted = try item(ask: 1, token: 3, since: 10)
        #expect(history.note(granted) == 1)
        granted.ask = nil
        granted.state = .cancelled
        #expect(history.note(granted) == 1)
        #expect(history.items.map(\.number) == [2, 1] && history.next == 3)
        #expect(try history.items[1].ask == id(1))
        #expect(history.items[1].state == .cancelled)
        #expect(history.live(at: scene.now).map(\.number) == [2])
        #expect(history.upcoming(at: scene.now)?.number == 2)
        #expect(history.upcoming(at: UTCTime(seconds: scene.now.seconds + 999_999)) == nil)
    }

    @Test("An ask and a token that were told of one by one become one booking")
    func joined() throws {
        var history = BookingHistory()
        history.note(try item(ask: 1, since: 1, state: .asked))
        history.note(try item(token: 3, since: 2))
        history.note(try item(ask: 1, token: 3, since: 1))
        #expect(history.items.map(\.number) == [2])
    }

    @Test("The list has an end: the oldest that is over goes first")
    func full() throws {
        var history = BookingHistory()
        history.note(try item(token: 1, since: -1000))
        for number in 2...501 {
            history.note(try item(token: number, since: Int64(number), state: .cancelled))
        }
        #expect(history.items.count == BookingHistory.limit)
        #expect(history.items.last?.number == 1 && history.items.first?.number == 501)
        #expect(!history.items.contains { $0.number == 2 })
        for number in 502...1002 { history.note(try item(token: number, since: Int64(number))) }
        #expect(history.items.count == BookingHistory.limit && history.next == 1003)
    }

    @Test("It is found by its number and its code")
    func found() throws {
        var history = BookingHistory()
        history.note(try item(token: 1, since: 1))
        history.note(try item(token: 2, since: 2))
        history.note(try item(ask: 3, since: 3, state: .asked))
        #expect(try history.find("2").token == Token(try id(2)))
        let code = BookingCode(Token(try id(1))).text
        #expect(try history.find(code).number == 1)
        #expect(try history.find(code.lowercased()).number == 1)
        for word in ["4", "0", "99999", "AAAA2222", "x", ""] {
            do throws(UserError) {
                _ = try history.find(word)
                Issue.record("\(word) was found")
            } catch {
                #expect(error.code == .noSuchBooking)
            }
        }
    }

    @Test("What is stored reads as the same, and nothing else is read")
    func stored() throws {
        var history = BookingHistory()
        var full = try item(ask: 1, token: 2, since: 5, due: 2000)
        full.paid = 500
        full.calendar = Trip.CalendarMark(uid: "ab", sequence: 3, digest: "cd")
        history.note(full)
        var waiting = try item("badminton a sat 18:00 90m", ask: 4, since: 6, state: .waiting)
        waiting.place = 3
        history.note(waiting)
        var refused = try item(ask: 5, since: 7, state: .refused)
        refused.reason = .full
        history.note(refused)
        #expect(BookingList.state(refused) == "refused: others have it")
        let json = history.json
        #expect(try BookingHistory(json: json) == history)
        #expect(try BookingHistory(json: JSON(line: Array(json.line.utf8))) == history)
        let items = try #require(json["bookings"]?.list)
        func reads(_ change: [String: JSON], _ at: Int = 0) -> Bool {
            var changed = items
            changed[at] = items[at].adding(change)
            return (try? BookingHistory(json: json.adding(["bookings": .array(changed)]))) != nil
        }
        #expect(reads([:]))
        #expect(reads(["reason": 31]) && !reads(["reason": 32]))
        for change in [
            ["number": 4], ["number": 0], ["more": 1], ["venue": ""], ["token": "ab"], ["day": "x"],
            ["from": 1440], ["minutes": 0], ["count": 0], ["state": "gone"], ["begin": "x"],
            ["end": "2026-01-01T00:00:00Z"], ["currency": "usd"], ["amount": -1], ["paid": -1],
            ["calendar": 1], ["since": 5], ["name": "\u{1B}"], ["id": 4096],
        ] as [[String: JSON]] { #expect(!reads(change), "\(change)") }
        #expect(!reads(["token": .null, "ask": .null]) && !reads(["currency": .null], 2))
        #expect((try? BookingHistory(json: json.adding(["next": 3]))) == nil)
        #expect((try? BookingHistory(json: json.adding(["version": 2]))) == nil)
        let twice = json.adding(["bookings": .array([items[0], items[0]]), "next": 9])
        #expect((try? BookingHistory(json: twice)) == nil)
        let many = JSON.array([JSON](repeating: items[0], count: 501))
        #expect((try? BookingHistory(json: json.adding(["bookings": many]))) == nil)
    }

    @Test("It is a private file of the profile")
    func file() throws {
        var name = Array("/tmp/seatagent-bookings.XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&name).map { String(cString: $0) })
        let place = try ProfilePlace(
            profile: .standard, environment: ["HOME": folder, "XDG_DATA_HOME": folder])
        defer {
            for file in ["bookings.json", "bookings.lock"] {
                unlink("\(place.dataDirectory)/\(file)")
            }
            for path in [place.dataDirectory, "\(folder)/seatagent", folder] { rmdir(path) }
        }
        let one = try item(token: 1)
        try BookingHistory.change(place) { $0.note(one) }
        #expect(try BookingHistory.read(place).items.count == 1)
        #expect(PrivateFiles.sealable.contains(BookingHistory.file))
    }

    @Test("Lines have number, mark, code and state")
    func lines() throws {
        var history = BookingHistory()
        history.note(try item(token: 1, since: 1, due: 2000))
        history.note(try item("basketball tomorrow 9:00", token: 2, since: 2, state: .noShow))
        var waiting = try item("tennis 1 sat 18:00", ask: 3, since: 3, state: .waiting)
        waiting.place = 2
        history.note(waiting)
        let codes = try [1, 2].map { BookingCode(Token(try id($0))).text }
        #expect(
            BookingList(history.items, today: scene.reader.today).lines == [
                "3     Tennis 1, Sat 5 Dec 18:00-19:00              number 2 on the waiting list",
                "2     Basketball, Wed 2 Dec 09:00-10:00  \(codes[1])  ended, as you did not come",
                "1  !  Tennis 2, Sat 5 Dec 18:00-20:00    \(codes[0])  booked, due 20.00 USD",
            ])
        #expect(BookingList([], today: nil).lines.count == 1)
        var paid = try item(token: 1, due: 2000)
        paid.paid = 500
        #expect(BookingList.state(paid) == "booked, due 15.00 USD")
        paid.paid = 2000
        #expect(BookingList.state(paid) == "booked, paid" && !paid.isUnpaid)
        for state in BookingItem.State.allCases {
            #expect(!BookingList.state(try item(token: 1, state: state)).isEmpty)
        }
    }

    // MARK: Calendar

    private func events(_ item: BookingItem, _ venue: Venue? = nil) -> (String, Trip.CalendarMark)?
    {
        BookingCalendar(item, of: venue).entry(uid: "u") { $0 }
            .map { (CalendarFile.text([$0.entry], stamp: scene.now), $0.mark) }
    }

    @Test("R9: a booking is an event with a reminder, and one that was cancelled says so")
    func calendar() throws {
        var one = try item(token: 1, due: 2000)
        let (text, mark) = try #require(events(one, scene.venue))
        #expect(text.contains("DTSTART:20261206T000000Z\r\nDTEND:20261206T020000Z\r\n"))
        #expect(text.contains("SUMMARY:Tennis 2 at Northwest Rec Center\r\n"))
        #expect(text.contains("TRIGGER:-PT1H\r\n") && text.contains("STATUS:CONFIRMED\r\n"))
        let whole = text.split(separator: "\r\n ").joined()
        #expect(whole.contains("\\nCode ") && whole.contains("\\nDue 20.00 USD\\nTimes by"))
        #expect(mark.sequence == 0)
        one.calendar = mark
        let (again, same) = try #require(events(one, scene.venue))
        #expect(same == mark && again == text)
        one.state = .cancelled
        let (off, next) = try #require(events(one, scene.venue))
        #expect(off.contains("STATUS:CANCELLED\r\n") && off.contains("SEQUENCE:1\r\n"))
        #expect(!off.contains("VALARM") && next.uid == mark.uid && next.sequence == 1)
        // Who did not come had the court all the same.
        one.state = .noShow
        #expect(events(one, scene.venue)?.0.contains("STATUS:CONFIRMED") == true)
    }

    @Test("What is not booked, or ended before it was written, is no event")
    func noEvents() throws {
        #expect(events(try item(ask: 1, state: .asked)) == nil)
        #expect(events(try item(token: 1, state: .cancelled)) == nil)
        #expect(events(try item(ask: 1, state: .waiting)) == nil)
    }

    @Test("What is had by the day takes whole days")
    func days() throws {
        let rental = try BookingScene(.rental)
        let spot = try rental.spot("xl 12-14 jun")
        let span = rental.offered.clock.span(spot.period)
        let item = BookingItem(
            venue: "dreamland/gent", venueName: "DreamLand Gent", token: try token(7), spot: spot,
            since: rental.now, begin: span.begin, end: span.end, state: .booked)
        let (text, _) = try #require(events(item, rental.venue))
        #expect(text.contains("DTSTART;VALUE=DATE:20270612\r\nDTEND;VALUE=DATE:20270615\r\n"))
        #expect(text.contains("TRIGGER:-PT12H\r\n") && text.contains("TRANSP:TRANSPARENT"))
    }
}
