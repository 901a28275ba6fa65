// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import CivilTime
@testable import SeatAgent
@testable import Store
@testable import Text
@testable import Trips
@testable import Profile

@Suite("The lines of flights and history")
struct FlightRowTests {
    private let now = RFC3339.parse("2026-12-03T06:30:00Z") ?? UTCTime(seconds: 0)
    private let today = FlightDate("2026-12-03")

    private func full() throws -> Trip {
        var full = try trip("FR202/2026-12-05/DUB", departs: "06:30", seats: "17A,17B")
        full.to = "STN"
        full.arrives = LocalMinute("2026-12-05T07:45")
        return full
    }

    private func row(_ trip: Trip) -> FlightRow {
        FlightRow(flight: trip.flight, trip: trip, records: nil, isRunning: false)
    }

    @Test("Countdown and state, through the life of a flight")
    func life() throws {
        let row = row(try full())
        func line(_ time: String) -> String? {
            RFC3339.parse(time).flatMap { row.lines(at: $0, today: today).first }
        }
        #expect(
            line("2026-12-03T06:30:00Z")
                == "FR 202    2026-12-05 06:30  DUB-STN  in 2 d          "
                + "swaps open in 1 d         17A, 17B")
        #expect(line("2026-12-04T06:29:59Z")?.contains("swaps open in 1 s") == true)
        #expect(line("2026-12-04T06:30:00Z")?.contains("swaps are open") == true)
        #expect(line("2026-12-05T07:00:00Z")?.contains("left 30 min ago") == true)
        #expect(line("2026-12-05T07:45:00Z")?.contains("swaps are over") == true)
        #expect(row.json(at: now)["state"] == "early")
        #expect(row.json(at: now)["window"]?["seconds"] == 86_400)
    }

    @Test("A flight without a time is counted in days, and its state is unknown")
    func untimed() throws {
        let row = row(try trip("FR202/2026-12-05/DUB"))
        #expect(row.lines(at: now, today: today)[0].contains("in 2 d"))
        #expect(row.lines(at: now, today: FlightDate("2026-12-05"))[0].contains("today"))
        #expect(row.json(at: now)["state"] == "unknown")
        #expect(row.json(at: now)["window"] == .null)
    }

    @Test("By departure as it is, not as clocks show it; records join their trip; practice last")
    func order() throws {
        // Auckland to Los Angeles leaves after, and shows a later clock than, the next flight.
        let first = try trip("NZ6/2026-12-05/AKL", departs: "20:00")
        let second = try trip("AA1/2026-12-05/LAX", departs: "14:00")
        let book = TripBook(trips: [second, first])
        let files = [
            KeptFlight(
                path: "/d/AA1-2026-12-05-LAX.db", flight: second.flight,
                end: UTCTime(seconds: 0), size: 2000),
            KeptFlight(
                path: "/d/XX1-2000-01-01-XXX.db", flight: .practice, end: nil, size: 1),
        ]
        let rows = FlightRow.all(book, files, running: "AA1-2026-12-05-LAX.db")
        #expect(rows.map(\.flight.designator) == ["NZ6", "AA1", "XX1"])
        #expect(rows.map(\.isRunning) == [false, true, false])
        #expect(rows[1].trip == second)
        #expect(
            rows[1].lines(at: now, today: today).last
                == "  your agent is on it; records: 2 KiB, deleted after 1970-01-04T00:00:00Z")
        #expect(rows[2].json(at: now)["flight"] == "practice")
        #expect(rows[2].json(at: now)["listed"] == false)
        #expect(
            rows[2].lines(at: now, today: today)
                == ["practice", "  records: 1 KiB, kept until forgotten; not in your list"])
    }

    @Test("What is shown of one flight")
    func show() throws {
        var full = try full()
        full.aliases = [try #require(FlightName("LH7/2026-12-05/DUB"))]
        let rows = full.rows(at: now)
        #expect(
            rows.map(\.0).filter { !$0.isEmpty }.prefix(6) == [
                "Flight", "From", "To", "Departs", "Arrives", "Swaps",
            ])
        #expect(rows[0].1 == "FR 202 (Ryanair)")
        #expect(rows[1].1.hasSuffix("(DUB)") && rows[1].1.count > 5)
        #expect(rows[5].1 == "open in 1 d, at 2026-12-04 06:30 (GMT)")
        #expect(rows[6].1.hasPrefix("from 24 h before departure: Ryanair, as of "))
        #expect(rows.last?.1 == "LH 7")
    }

    @Test("History is found by number, city, day, seat and name, and by all of the words only")
    func search() throws {
        let flown = HistoryItem(
            at: UTCTime(seconds: 0), flight: try full().flight, what: .flown(try full()))
        for words in [["FR202"], ["fr 202"], ["dublin"], ["STN", "17a"], ["2026-12"], ["ryanair"]] {
            #expect(flown.fits(words), "\(words)")
        }
        #expect(!flown.fits(["FR203"]))
        #expect(!flown.fits(["dublin", "bergamo"]))
        #expect(flown.line == "2026-12-05  flight  FR 202 DUB-STN, in 17A, 17B")
        let note = SwapNote(
            contract: "3b7e01c2", gave: [try #require(Seat("17B"))],
            got: [try #require(Seat("4C"))], with: ["b\u{202E}o"], namesEnd: now)
        let swap = HistoryItem(
            at: UTCTime(seconds: 86_400 * 20_000 + 43_200), flight: flown.flight,
            what: .swapped(note))
        #expect(swap.line.hasPrefix("2024-10-04  swap    17B for 4C with b"))
        #expect(swap.line.hasSuffix(", on FR 202"))
        #expect(!swap.line.contains("\u{202E}"))
        #expect(swap.fits(["4c", "fr202", "swap"]))
        for wrong in ["c", "7b", "fr20", "3b7e01c2", "kept", "names", "flight"] {
            #expect(!swap.fits([wrong]), "\(wrong)")
        }
        #expect(swap.details[0].hasSuffix("contract 3b7e01c2"))
    }
}
