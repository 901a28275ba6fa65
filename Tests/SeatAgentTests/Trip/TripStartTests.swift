// SPDX-License-Identifier: Apache-2.0
@testable import Launch
import Protocol
import Testing

@testable import CivilTime
@testable import Profile
@testable import SeatAgent
@testable import Text
@testable import Trips

@Suite("What up takes from the list")
struct TripStartTests {
    private func book() throws -> TripBook {
        var own = try trip("FR202/2026-12-05/DUB", departs: "06:30", seats: "17A,17B")
        own.to = "STN"
        own.arrives = LocalMinute("2026-12-05T07:45")
        own.aliases = [try #require(FlightName("LH7/2026-12-05/DUB"))]
        return TripBook(trips: [own, try trip("U28724/2026-12-06/LGW")])
    }

    private func fill(
        _ given: [String: [String]], _ words: [String] = []
    ) throws -> TripStart {
        let book = try book()
        return try TripStart.fill(given, words: words) { () throws(UserError) in book }
    }

    @Test(
        "Times, seats and partners' numbers; by number, day or name",
        arguments: [["FR202"], ["fr", "202"], ["FR202/2026-12-05"], ["FR202/2026-12-05/DUB"]])
    func known(_ words: [String]) throws {
        let start = try fill([:], words)
        #expect(start.values["flight"] == ["FR202/2026-12-05/DUB"])
        #expect(start.values["seat"] == ["17A"])
        #expect(start.values["alias"] == ["LH7/2026-12-05/DUB"])
        // Dublin is on UTC in winter, Ryanair gives seats 24 h before.
        #expect(start.values["departs"] == ["2026-12-05T06:30:00Z"])
        #expect(start.values["arrives"] == ["2026-12-05T07:45:00Z"])
        #expect(start.values["opens-before"] == nil)
        #expect(
            start.remarks == [
                "17B: for the agents of your party. To speak for all of them: seatagent up "
                    + "FR202/2026-12-05/DUB --party"
            ])
        let options = try AgentOptions(
            start.values,
            place: try ProfilePlace(
                profile: .standard, environment: ["HOME": "/home/ada"], uid: 1000),
            foreground: false)
        #expect(options.aliases.map(\.designator) == ["LH7"])
        #expect(options.window.map { RFC3339.text($0.opens) } == "2026-12-04T06:30:00Z")
    }

    @Test("What is typed wins")
    func typed() throws {
        let given: [String: [String]] = [
            "seat": ["20F"], "opens-before": ["2h"], "flight": ["FR202"],
        ]
        let start = try fill(given)
        #expect(start.values["seat"] == ["20F"])
        #expect(start.values["opens-before"] == ["2h"])
        #expect(start.values["departs"] == ["2026-12-05T06:30:00Z"])
        let timed = try fill(["departs": ["2026-12-05T07:00:00Z"]], ["FR202"])
        #expect(timed.values["arrives"] == nil)
    }

    @Test(
        "Under a partner's number one joins those who call the flight so",
        arguments: [
            "LH7/2026-12-05/DUB", "lh 7",
        ])
    func partner(_ word: String) throws {
        let start = try fill([:], [word])
        #expect(start.values["flight"] == ["LH7/2026-12-05/DUB"])
        #expect(start.values["alias"] == ["FR202/2026-12-05/DUB"])
        #expect(start.values["seat"] == ["17A"])
        // The airline that flies opens its seats when it does.
        #expect(start.values["opens-before"] == ["86400s"])
        #expect(
            start.remarks.first
                == "FR 202 of your list, as LH 7: you meet those who call it so.")
    }

    @Test("A seat that was swapped away is not claimed again, unless it came back")
    func away() throws {
        var book = try book()
        let flight = book.trips[0].flight
        func swap(_ gave: String, _ got: String, _ at: Int64) throws {
            let note = SwapNote(
                contract: "\(at)", gave: [try #require(Seat(gave))],
                got: [try #require(Seat(got))], with: [], namesEnd: UTCTime(seconds: 0))
            // The list keeps the old seat, as an old pass read again would have it.
            book.record(
                note, on: flight, at: UTCTime(seconds: at), held: [], claimed: [])
            var trip = try #require(book[flight])
            trip.seats = ["17A", "12A"].compactMap { Seat($0) }
            book.put(trip)
        }
        func claimed() throws -> [String]? {
            let book = book
            return try TripStart.fill([:], words: ["FR202"]) { () throws(UserError) in book }
                .values["seat"]
        }
        try swap("17A", "12A", 1)
        #expect(try claimed() == ["12A"])
        try swap("12A", "17A", 2)
        #expect(try claimed() == ["17A"])
    }

    @Test("A word behind a whole name is not passed over: it may be a seat, or a day")
    func stray() throws {
        for word in ["17A", "tomorrow", "STN/LGW"] {
            let error = #expect(throws: UserError.self) {
                try fill([:], ["FR202", "2026-12-05", "DUB", word])
            }
            let last = word.split(separator: "/").last ?? ""
            #expect(error?.why == "\"\(last)\" is neither its date nor an airport of it")
            #expect(error?.advice == "seatagent up FR202/2026-12-05/DUB")
        }
    }

    @Test("A whole name need not be listed, nor the list be readable; a short one must")
    func unlisted() throws {
        #expect(try fill(["seat": ["1A"]]).values == ["seat": ["1A"]])
        let other = try fill(["flight": ["ryr 1/2026-12-05/DUB"]])
        #expect(other.values == ["flight": ["ryr 1/2026-12-05/DUB"]])
        let broken = UserError(.file, "broken")
        let start = try TripStart.fill([:], words: ["FR1", "2026-12-05", "DUB"]) {
            () throws(UserError) in throw broken
        }
        #expect(start.values["flight"] == ["FR1/2026-12-05/DUB"])
        #expect(start.remarks.count == 1)
        func code(_ words: [String], _ given: [String: [String]] = [:]) -> ErrorCode? {
            refusal { () throws(UserError) in
                _ = try TripStart.fill(given, words: words) { () throws(UserError) in TripBook() }
            }?.code
        }
        #expect(code(["FR202"]) == .noSuchFlight)
        #expect(code(["QQQ1/2026-12-05/DUB"]) == .usage)
        #expect(code(["FR202"], ["flight": ["FR202"]]) == .usage)
    }

    @Test("Without a time swaps are always open, which is said; nine seats are an agent's")
    func remarks() throws {
        #expect(try fill([:], ["U28724"]).remarks.first?.contains("--departs") == true)
        let nowhere = TripBook(trips: [try trip("FR3/2026-12-05/QQQ", departs: "06:30")])
        let odd = try TripStart.fill([:], words: ["FR3"]) { () throws(UserError) in nowhere }
        #expect(odd.remarks.first?.hasPrefix("The clock at QQQ is not known") == true)
        var large = try trip("FR1/2026-12-05/DUB", departs: "06:30")
        large.seats = (1...11).compactMap { Seat(row: $0, column: 0) }
        let book = TripBook(trips: [large])
        let start = try TripStart.fill([:], words: ["FR1"], party: true) {
            () throws(UserError) in book
        }
        #expect(start.values["seat"]?.count == 9)
        #expect(start.remarks.last?.hasSuffix("can speak for 10A, 11A.") == true)
    }
}
