// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import CivilTime
@testable import SeatAgent
@testable import Text
@testable import Trips

/// A trip of the list, in few words.
func trip(_ flight: String, departs: String? = nil, seats: String = "") throws -> Trip {
    var trip = Trip(
        flight: try #require(FlightName(flight)), added: UTCTime(seconds: 1_700_000_000))
    trip.departs = departs.flatMap { LocalMinute("\(trip.flight.date)T\($0)") }
    trip.seats = seats.split(separator: ",").compactMap { Seat($0) }
    return trip
}

/// What `body` refuses with; `nil` where it does not.
func refusal(of body: () throws(UserError) -> Void) -> UserError? {
    do throws(UserError) {
        try body()
        return nil
    } catch {
        return error
    }
}

@Suite("The list of flights")
struct TripBookTests {
    private func book(_ trips: Trip...) throws -> TripBook {
        var book = TripBook()
        for trip in trips { try book.add(trip) }
        return book
    }

    @Test("By departure; on one day those without a time last; then by name")
    func order() throws {
        let texts = [
            try trip("FR9/2026-12-04/STN"), try trip("U28/2026-12-05/DUB", departs: "06:30"),
            try trip("FR1/2026-12-05/DUB", departs: "21:00"), try trip("AA1/2026-12-05/JFK"),
            try trip("FR1/2026-12-06/DUB", departs: "00:05"),
        ]
        var book = TripBook()
        for trip in texts.reversed() { try book.add(trip) }
        #expect(book.trips == texts)
    }

    @Test("A flight is in the list once, whatever it is called; on two days it is two")
    func duplicates() throws {
        var partner = try trip("UA8839/2026-12-05/FRA")
        partner.aliases = [try #require(FlightName("LH440/2026-12-05/FRA"))]
        var book = try book(trip("FR202/2026-12-05/DUB"), partner)
        try book.add(trip("FR202/2026-12-06/DUB"))
        try book.add(trip("FR202/2026-12-05/STN"))
        let again = try trip("FR202/2026-12-05/DUB")
        let error = refusal { () throws(UserError) in try book.add(again) }
        #expect(error?.code == .alreadySo)
        #expect(error?.what == "FR 202 on 2026-12-05 from DUB is already in your list")
        #expect(error?.why == nil)
        let other = try trip("LH440/2026-12-05/FRA")
        let partners = refusal { () throws(UserError) in try book.add(other) }
        #expect(partners?.why == "LH 440 is there as UA 8839")
        #expect(book.trips.count == 4)
    }

    @Test(
        "Found by number, by number and day, by all of it, in any spelling",
        arguments: [
            "FR202/2026-12-05", "fr 202 2026-12-05", "RYR0202/2026-12-05/DUB",
            " FR 202 / 2026-12-05 / dub", "FR202 2026-12-05 DUB STN",
        ])
    func find(_ word: String) throws {
        let wanted = try trip("FR202/2026-12-05/DUB")
        let book = try book(trip("FR202/2026-12-06/DUB"), wanted, trip("U28724/2026-12-05/LGW"))
        #expect(try book.find(word) == wanted)
        #expect(try book.find("ezy 8724").flight.text == "U28724/2026-12-05/LGW")
    }

    @Test("Two that fit are named, none that fits and none that is a number are told apart")
    func findRefusals() throws {
        var own = try trip("FR202/2026-12-05/DUB")
        own.aliases = [try #require(FlightName("XY7/2026-12-05/DUB"))]
        let book = try book(own, trip("FR202/2026-12-06/DUB"))
        func error(_ word: String) -> UserError? {
            refusal { () throws(UserError) in _ = try book.find(word) }
        }
        #expect(error("FR202")?.code == .ambiguous)
        #expect(error("FR202")?.why == "FR202/2026-12-05/DUB, FR202/2026-12-06/DUB")
        #expect(error("FR203")?.code == .noSuchFlight)
        #expect(error("FR202/2026-12-07")?.why?.contains("another day") == true)
        #expect(error("FR202/2026-12-05/STN")?.code == .noSuchFlight)
        #expect(
            error("FR202 2026-12-05 DUB BGY x")?.why
                == "\"x\" is neither its date nor an airport of it")
        #expect(
            error("FR202 DUB tomorrow")?.why
                == "\"tomorrow\" is neither its date nor an airport of it")
        var there = own
        there.to = "STN"
        let flown = TripBook(trips: [there])
        #expect(try flown.find("FR202 DUB STN") == there)
        #expect(
            refusal { () throws(UserError) in _ = try flown.find("FR202 DUB BGY") }?.code
                == .noSuchFlight)
        #expect(error("DUB")?.code == .usage)
        #expect(error("")?.why == "the flight number is empty")
        #expect(try book.find("xy7") == own)
    }

    @Test("A day after its end a trip is history; its state can be looked up until then")
    func past() throws {
        var book = try book(trip("FR202/2026-12-05/DUB"), trip("FR203/2026-12-09/STN"))
        let end = try #require(book.trips[0].end)
        book.tidy(at: UTCTime(seconds: end.seconds + TripBook.shownFor))
        #expect(book.trips.count == 2)
        book.tidy(at: UTCTime(seconds: end.seconds + TripBook.shownFor + 1))
        #expect(book.trips.map(\.flight.designator) == ["FR203"])
        #expect(book.history.map(\.at) == [end])
        #expect(book.history.map(\.what) == [.flown(try trip("FR202/2026-12-05/DUB"))])
        // A clock that ran ahead takes nothing for good.
        let kept = book
        book.tidy(at: UTCTime(seconds: 1_900_000_000))
        #expect(book.trips.isEmpty)
        book.tidy(at: UTCTime(seconds: end.seconds + TripBook.shownFor + 1))
        #expect(book == kept)
    }

    @Test("After a swap the list has what the agent holds, and the seats of others of the party")
    func held() throws {
        var book = try book(trip("FR202/2026-12-05/DUB", seats: "17A,17B"))
        let flight = book.trips[0].flight
        func seats(_ text: String) -> [Seat] { text.split(separator: ",").compactMap { Seat($0) } }
        func record(_ gave: String, _ got: String, _ held: String, _ at: Int64) -> [String] {
            let note = SwapNote(
                contract: "\(at)", gave: seats(gave), got: seats(got), with: [],
                namesEnd: UTCTime(seconds: 0))
            book.record(
                note, on: flight, at: UTCTime(seconds: at), held: seats(held),
                claimed: seats("17A,12A,5C"))
            return book.trips[0].seats.map(\.text)
        }
        // The second swap becomes final before the first.
        #expect(record("12A", "5C", "5C", 2) == ["17B", "5C"])
        #expect(record("17A", "12A", "5C", 1) == ["17B", "5C"])
    }

    @Test("Whoever starts the program means the flight that is near and not over")
    func boarding() throws {
        let book = try book(
            trip("FR1/2026-12-05/DUB", departs: "06:30"), trip("FR2/2026-12-08/STN"))
        func near(_ time: String) throws -> String? {
            let now = try #require(RFC3339.parse(time))
            let today = FlightDate(time.prefix(10))
            return book.boarding(at: now, today: { _ in today })?.flight.designator
        }
        #expect(try near("2026-12-03T06:29:59Z") == nil)
        #expect(try near("2026-12-03T06:30:00Z") == "FR1")
        // Twenty hours after it left it is taken to have landed.
        #expect(try near("2026-12-06T02:29:59Z") == "FR1")
        #expect(try near("2026-12-06T02:30:00Z") == nil)
        #expect(try near("2026-12-07T00:00:00Z") == "FR2")
        #expect(try near("2026-12-08T23:00:00Z") == "FR2")
        #expect(try near("2026-12-09T00:00:00Z") == nil)
    }

    @Test("A swap is remembered once, gives the trip its seats, and loses its names")
    func swaps() throws {
        var book = try book(trip("FR202/2026-12-05/DUB", seats: "17A,17B"))
        let flight = book.trips[0].flight
        let note = SwapNote(
            contract: "3b7e01c2", gave: [try #require(Seat("17B"))],
            got: [try #require(Seat("4C"))], with: ["bo"], namesEnd: UTCTime(seconds: 2_000))
        let seats = ["17A", "4C", "17B"].compactMap { Seat($0) }
        for _ in 0..<2 {
            book.record(
                note, on: flight, at: UTCTime(seconds: 1_000), held: Array(seats.prefix(2)),
                claimed: seats)
        }
        #expect(book.history.count == 1)
        #expect(book.trips[0].seats.map(\.text) == ["17A", "4C"])
        book.tidy(at: UTCTime(seconds: 2_000))
        #expect(book.json.line.contains("bo"))
        book.tidy(at: UTCTime(seconds: 2_001))
        #expect(!book.json.line.contains("\"bo\""))
        #expect(book.history[0].flight == flight)
        let forgot = book.forget(flight)
        #expect(forgot)
        #expect(book.history.isEmpty)
        #expect(book.trips.count == 1)
    }

    @Test("Newest first, and no more than the limit")
    func limit() throws {
        let flight = try #require(FlightName("FR202/2026-12-05/DUB"))
        var book = TripBook()
        for number in 0...TripBook.historyLimit {
            let note = SwapNote(
                contract: "\(number)", gave: [], got: [], with: [], namesEnd: UTCTime(seconds: 0))
            book.record(
                note, on: flight, at: UTCTime(seconds: Int64(number)), held: [], claimed: [])
        }
        #expect(book.history.count == TripBook.historyLimit)
        #expect(book.history.first?.at.seconds == Int64(TripBook.historyLimit))
        #expect(book.history.last?.at.seconds == 1)
    }
}
