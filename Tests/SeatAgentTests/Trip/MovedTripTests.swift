// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Testing

@testable import Aviation
@testable import Text
@testable import Trips

@Suite("A flight that takes the place of another")
struct MovedTripTests {
    private let now = UTCTime(seconds: 1_760_000_000)
    private let secret = PartySecret([UInt8](repeating: 7, count: PartySecret.count))

    private func words(_ text: String) throws -> (from: String, to: String) {
        let read = try MoveReading(text.split(separator: " ").map(String.init), now: now)
        return (read.from, read.to.joined(separator: " "))
    }

    @Test(
        "The second flight begins where it can be read as one",
        arguments: [
            ("FR202", "FR204 2026-12-06 DUB"), ("FR 202", "FR 204 2026-12-06 DUB STN"),
            ("FR202/2026-12-05", "EI123/2026-12-06/DUB"), ("U2 8724", "U2 8724 2026-12-06 LGW"),
            ("FR 202 2026-12-05 DUB", "FR 204 2026-12-06 DUB STN"),
        ])
    func split(_ from: String, _ to: String) throws {
        let read = try words(from + " " + to)
        #expect(read.from == from && read.to == to)
    }

    @Test("One flight alone, and none, are refused with a line that can be read")
    func halves() throws {
        for text in ["", "FR202", "FR 202 2026-12-05 DUB", "nonsense"] {
            let error = try #require(throws: UserError.self) { try words(text) }
            #expect(error.code == .usage)
            let line = try #require(error.advice?.split(separator: " ").map(String.init))
            #expect(try !MoveReading(Array(line.dropFirst(3)), now: now).to.isEmpty)
        }
    }

    @Test("Where the old one went, the new one goes; the same flight is none")
    func reading() throws {
        var before = try trip("FR202/2026-12-05/DUB")
        before.to = "STN"
        func read(_ to: String, _ values: [String: [String]] = [:]) throws -> Trip {
            let words = ("FR202 " + to).split(separator: " ").map(String.init)
            return try MoveReading(words, now: now).reading(
                after: before, values, today: { _ in FlightDate("2026-12-01") }, now: now
            ).trip
        }
        #expect(try read("FR204 2026-12-06 DUB").to == "STN")
        #expect(try read("FR204 2026-12-06 DUB LGW").to == "LGW")
        #expect(try read("FR204 2026-12-06 DUB", ["to": ["LGW"]]).to == "LGW")
        #expect(try read("FR204 2026-12-06 STN DUB").to == "DUB")
        #expect(try read("FR204 2026-12-06 STN").to == nil)
        let error = try #require(throws: UserError.self) { try read("FR202 2026-12-05 DUB") }
        #expect(error.code == .alreadySo)
    }

    @Test("Seats, cabin, class, times and aliases stay behind; the calendar's event goes along")
    func taken() throws {
        var before = try trip("FR202/2026-12-05/DUB", departs: "06:30", seats: "17A,17B")
        before.waiting = before.seats
        before.cabin = "ryanair-738"
        before.compartment = "Y"
        before.opensBefore = 3600
        before.aliases = [try #require(FlightName("LH7/2026-12-05/DUB"))]
        before.calendar = Trip.CalendarMark(uid: "u", sequence: 2, digest: "00", opens: nil)
        let moved = MovedTrip(from: before.flight, party: secret)
        var expected = try trip("FR204/2026-12-06/DUB")
        expected.opensBefore = 3600
        expected.calendar = before.calendar
        expected.moved = moved
        #expect(before.replaced(by: try trip("FR204/2026-12-06/DUB"), with: moved) == expected)
        let other = before.replaced(by: try trip("EI204/2026-12-06/DUB"), with: moved)
        #expect(other.opensBefore == nil)
    }

    @Test("The list has either the old or the new one, and knows which was before")
    func book() throws {
        let (old, other) = (try trip("FR202/2026-12-05/DUB"), try trip("U21/2026-12-05/LGW"))
        var book = TripBook(trips: [old, other])
        var error = #expect(throws: UserError.self) {
            try book.move(old.flight, to: other)
        }
        #expect(error?.code == .alreadySo)
        #expect(book == TripBook(trips: [old, other]))
        let new = old.replaced(
            by: try trip("FR204/2026-12-06/DUB"), with: MovedTrip(from: old.flight, party: secret))
        try book.move(old.flight, to: new)
        #expect(book == TripBook(trips: [new, other]))
        #expect(book.successor(of: "FR202", at: new.flight) == new)
        #expect(book.successor(of: "FR202/2026-12-04", at: new.flight) == nil)
        #expect(book.successor(of: "FR202", at: other.flight) == nil)
        error = #expect(throws: UserError.self) { try book.move(old.flight, to: new) }
        #expect(error?.code == .noSuchFlight)
        book.settle(new.flight) { $0.party = nil }
        #expect(book[new.flight]?.moved == nil)
    }

    @Test("The file keeps what goes along, and scripts do not see it")
    func file() throws {
        var new = try trip("FR204/2026-12-06/DUB")
        var moved = MovedTrip(from: try trip("FR202/2026-12-05/DUB").flight, party: secret)
        var wish = MovedWish()
        wish.words = "window, next to bo"
        (wish.stays, wish.isPrivate, wish.offers) = (true, true, true)
        (wish.asks, wish.note, wish.said) = (.nothing, "please", "\nwindow")
        moved.wish = wish
        new.moved = moved
        #expect(try Trip(json: new.json) == new)
        let shown = new.shown.line
        #expect(shown.contains("\"moved\":{\"from\":\"FR202/2026-12-05/DUB\""))
        for secret in [try #require(secret).code, "window", "please"] {
            #expect(new.json.line.contains(secret) && !shown.contains(secret))
        }
        new.moved?.wish?.words = String(repeating: "a", count: 1025)
        #expect(throws: TripFault.self) { try Trip(json: new.json) }
    }

    @Test("A flight that is over is remembered without what went along")
    func past() throws {
        var new = try trip("FR204/2026-12-06/DUB")
        new.moved = MovedTrip(from: new.flight, party: secret)
        var book = TripBook(trips: [new])
        book.tidy(at: UTCTime(seconds: 1_800_000_000))
        guard case .flown(let flown) = try #require(book.history.first).what else {
            Issue.record("it is no flight")
            return
        }
        #expect(flown.moved == nil)
    }
}
