// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Aviation
@testable import CivilTime
@testable import SeatAgent
@testable import Text
@testable import Trips

@Suite("Flights of passes in the list")
struct BoardedFlightTests {
    private let now = UTCTime(seconds: 1_772_323_200)  // 2026-03-01T00:00Z

    private func leg(
        flight: String? = "FR202", date: String? = "2026-03-05", from: String? = "DUB",
        seat: SeatField = .seat("17A"), compartment: String? = "Y", status: Character? = nil
    ) -> BoardingLeg {
        BoardingLeg(
            from: from, to: "STN", carrier: "FR", flight: flight,
            date: date.flatMap { FlightDate($0) }, compartment: compartment, seat: seat,
            status: status?.asciiValue)
    }

    private func boarded(_ leg: BoardingLeg, departs: String? = nil) throws -> BoardedFlight {
        try BoardedFlight(leg, departs: departs.flatMap { RFC3339.parse($0) }, now: now)
    }

    private func obstacle(_ leg: BoardingLeg) -> BoardedFlight.Obstacle? {
        do throws(BoardedFlight.Obstacle) {
            _ = try BoardedFlight(leg, departs: nil, now: now)
            return nil
        } catch {
            return error
        }
    }

    @Test("Flight, date, airports, seat and class are kept")
    func kept() throws {
        let trip = try boarded(leg()).trip
        #expect(trip.flight.text == "FR202/2026-03-05/DUB" && trip.to == "STN")
        #expect(trip.seats.map(\.text) == ["17A"] && trip.compartment == "Y")
        #expect(trip.departs == nil && trip.added == now)
        #expect(try boarded(leg(seat: .infant)).trip.seats.isEmpty)
        #expect(try boarded(leg(seat: .seat("300A"))).trip.seats.isEmpty)
        #expect(try boarded(leg(flight: "EZY8724")).trip.flight.designator == "U28724")
    }

    @Test("The departure by the clock at its airport, if it is on that day")
    func departure() throws {
        let summer = leg(date: "2026-07-05")
        #expect(try boarded(summer, departs: "2026-07-05T05:30:00Z").trip.departs?.clock == "06:30")
        #expect(try boarded(summer, departs: "2026-07-05T23:30:00Z").trip.departs == nil)
        let unknown = leg(date: "2026-07-05", from: "QQQ")
        #expect(try boarded(unknown, departs: "2026-07-05T05:30:00Z").trip.departs == nil)
    }

    @Test("What cannot be added")
    func obstacles() {
        #expect(obstacle(leg(from: nil)) == .blank)
        #expect(obstacle(leg(date: nil)) == .noDate)
        #expect(obstacle(leg(flight: nil)) == .other("the pass has no flight number"))
        #expect(
            obstacle(leg(date: "2026-02-01")) == .other("it was on 2026-02-01 and is over"))
        #expect(
            obstacle(leg(date: "2028-03-05"))
                == .other("2028-03-05 is more than two years ahead"))
        #expect(obstacle(leg(flight: "QQQ12")) != nil)
    }

    @Test("A second pass of a party adds its seat, the same one nothing")
    func party() throws {
        var book = TripBook()
        #expect(try book.board(boarded(leg())) == .added)
        #expect(try book.board(boarded(leg())) == .known)
        let other = leg(seat: .seat("17B"), compartment: nil)
        let seat = try #require(Seat("17B"))
        #expect(try book.board(boarded(other)) == .seatAdded(seat))
        #expect(book.trips.map { $0.seats.map(\.text) } == [["17A", "17B"]])
        #expect(book.trips.first?.compartment == "Y")
    }

    @Test("Who is not checked in or on standby is told of it at the start, until a later pass")
    func waiting() throws {
        for (status, waits) in [("0", true), ("2", true), ("7", true), ("1", false), ("3", false)] {
            var book = TripBook()
            _ = try book.board(boarded(leg(status: Character(status))))
            let trip = try #require(book.trips.first)
            #expect(trip.waiting.map(\.text) == (waits ? ["17A"] : []))
            #expect(try Trip(json: trip.json) == trip)
            let kept = book
            let start = try TripStart.fill([:], words: ["FR202"]) { () throws(UserError) in kept }
            let hint = start.remarks.contains { $0.contains("seatagent needs 17A standby") }
            #expect(hint == waits)
            _ = try book.board(boarded(leg(status: "1")))
            #expect(book.trips.first?.waiting == [])
        }
    }

    @Test("The receipt of an itinerary is of nobody who is checked in")
    func receipt() throws {
        for (type, waits) in [("I", true), ("B", false), (" ", false)] {
            var text = Array(
                ("M1DOE/JOHN            EABC123 DUBSTNFR 0202 064Y017A0042 10C>508 W 6060\(type)")
                    .utf8)
            let pass = try BoardingPass.read(&text, on: try #require(FlightDate("2026-03-01")))
            #expect(pass.legs.first?.isWaiting == waits)
        }
    }

    @Test(
        "The cabin of a class",
        arguments: [
            ("Y", "economy"), ("J", "business"), ("F", "first class"), ("W", "premium economy"),
            ("BUSINESS", "business"), ("FIRST", "first class"), ("7", nil),
        ] as [(String, String?)])
    func cabins(word: String, cabin: String?) { #expect(BoardedFlight.cabin(word) == cabin) }

    @Test("A day that the person corrects moves the flights behind it too")
    func moved() throws {
        var pass = BoardingPass(
            legs: [
                leg(from: nil), leg(date: "2026-12-31"), leg(date: "2027-01-01"), leg(date: nil),
            ], warnings: [])
        pass.move(to: try #require(FlightDate("2025-12-31")))
        #expect(
            pass.legs.map { $0.date?.text } == ["2026-03-05", "2025-12-31", "2026-01-01", nil])
    }
}
