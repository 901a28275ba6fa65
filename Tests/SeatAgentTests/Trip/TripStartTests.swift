import Protocol
import Testing

@testable import SeatAgent

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
        #expect(start.values["seat"] == ["17A", "17B"])
        #expect(start.values["alias"] == ["LH7/2026-12-05/DUB"])
        // Dublin is on UTC in winter, Ryanair gives seats 24 h before.
        #expect(start.values["departs"] == ["2026-12-05T06:30:00Z"])
        #expect(start.values["arrives"] == ["2026-12-05T07:45:00Z"])
        #expect(start.values["opens-before"] == nil)
        #expect(start.remarks.isEmpty)
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

    @Test("A partner's number of the list's flight leads to its own")
    func partner() throws {
        let start = try fill([:], ["LH7/2026-12-05/DUB"])
        #expect(start.values["flight"] == ["FR202/2026-12-05/DUB"])
        #expect(start.remarks == ["LH 7 is FR 202 in your list."])
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
        var large = try trip("FR1/2026-12-05/DUB", departs: "06:30")
        large.seats = (1...11).compactMap { Seat(row: $0, column: 0) }
        let book = TripBook(trips: [large])
        let start = try TripStart.fill([:], words: ["FR1"]) { () throws(UserError) in book }
        #expect(start.values["seat"]?.count == 9)
        #expect(start.remarks.last?.hasSuffix("can speak for 10A, 11A.") == true)
    }
}
