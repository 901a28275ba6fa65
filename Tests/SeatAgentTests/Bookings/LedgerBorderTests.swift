// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import ProtocolTestKit
import Testing

@testable import Bookings
@testable import Text
@testable import Venues

/// Two desks, one for each of two ledgers that follow each other, know nothing of each other. What
/// both of them give out must fit all the same.
@Suite("The border of two ledgers")
struct LedgerBorderTests {
    /// Places with everything that reaches over a border: nights, days without an end, turnovers,
    /// and a hall that is one court or two.
    private static func venue(_ volume: String, hours: String) throws -> Venue {
        func court(_ id: Int, _ more: [String: JSON]) -> JSON {
            .object(
                ["id": .int(id), "name": .string("Court \(id)"), "mode": "granted"]
                    .merging(more) { $1 })
        }
        return try Venue(
            json: VenueFiles.least.adding([
                "volume": .string(volume), "hours": ["Mo-Su": .string(hours)],
                "units": ["hall": 2],
                "places": [
                    court(1, ["grain": 60, "max": 480]),
                    court(2, ["grain": 30, "max": 720, "turnover": 90]),
                    court(3, ["grain": 1, "lengths": [60, 240, 720, 1440], "count": 2]),
                    court(4, ["grain": 60, "max": 300, "uses": ["hall": 2], "turnover": 45]),
                    court(5, ["grain": 60, "max": 300, "uses": ["hall": 1]]),
                    court(6, ["grain": 1440, "min": 1440, "max": 4320, "turnover": 1440]),
                    court(7, ["grain": 60, "min": 1440, "max": 4320]),
                ],
            ]))
    }

    private struct Ledger {
        let minutes: Range<Int>
        let policy: DeskPolicy
        let rules: BookRules
        var taken: [Int: [(span: Range<Int>, amount: Int)]] = [:]

        init(_ venue: Venue, _ volume: Protocol.Volume) throws {
            minutes = volume.minutes
            policy = venue.deskPolicy(for: volume)
            rules = try venue.bookRules(for: volume)
        }

        func peak(_ unit: Int, in span: Range<Int>) -> Int {
            let near = taken[unit, default: []].filter { $0.span.overlaps(span) }
            let starts = [span.lowerBound] + near.map(\.span.lowerBound).filter(span.contains)
            return starts.map { minute in
                near.reduce(0) { $0 + ($1.span.contains(minute) ? $1.amount : 0) }
            }.max() ?? 0
        }

        /// Grants what is offered and fits this ledger.
        mutating func grant(_ number: Int, _ period: Period, _ clock: VenueClock) -> Bool {
            guard let offer = policy.place(number), let place = rules.place(number),
                offer.refusal(of: period, in: minutes, clock) == nil, rules.contains(period)
            else { return false }
            let span = period.start..<period.end + place.turnover
            for use in place.uses {
                guard peak(use.unit, in: span) + use.amount <= rules.capacity(of: use.unit) else {
                    return false
                }
            }
            for use in place.uses { taken[use.unit, default: []].append((span, use.amount)) }
            return true
        }
    }

    @Test(
        "What two desks give out fits together at each minute",
        arguments: [
            ("month", "00:00-24:00"), ("week", "18:00-27:00"), ("day", "00:00-24:00"),
            ("quarter", "22:00-30:00"),
        ])
    func fits(_ kind: String, _ hours: String) throws {
        let venue = try Self.venue(kind, hours: hours)
        let day = try venueDay("2026-12-07")
        let volume = Protocol.Volume(Protocol.Volume.Kind(venue.volume), of: day)
        let first = try #require(volume)
        let next = try #require(first.next)
        let clock = try #require(VenueClock(first: 0))
        let border = first.minutes.upperBound
        var random = SeededRandom(seed: 11)
        var over = [0, 0]
        for _ in 0..<30 {
            var ledgers = [try Ledger(venue, first), try Ledger(venue, next)]
            for _ in 0..<300 {
                let number = Int.random(in: 1...7, using: &random)
                let step = number == 6 ? 1440 : number == 3 ? 1 : 30
                let steps = Int.random(in: -2880 / step...1440 / step, using: &random)
                let start = border + step * steps
                let lengths = [30, 60, 120, 240, 300, 480, 720, 1440, 2880]
                let length = try #require(lengths.randomElement(using: &random))
                guard let whole = OfferedPeriods.period(start, length) else { continue }
                // As `book` asks: in parts, and each part by itself too.
                let parts = whole.parts(first.kind)
                for part in parts where first.minutes.lowerBound <= part.start {
                    let which = part.start < border ? 0 : 1
                    guard ledgers.indices.contains(which),
                        ledgers[which].minutes.contains(part.start),
                        ledgers[which].grant(number, part, clock)
                    else { continue }
                    if part.end >= border - 60 && part.start < border { over[0] += 1 }
                    if part.start >= border && part.start < border + 360 { over[1] += 1 }
                }
            }
            for unit in ledgers[0].rules.units {
                let both = ledgers.flatMap { $0.taken[unit.number, default: []] }
                for minute in both.map(\.span.lowerBound) {
                    let sum = both.reduce(0) { $0 + ($1.span.contains(minute) ? $1.amount : 0) }
                    #expect(sum <= unit.capacity, "unit \(unit.number) at \(minute - border)")
                }
            }
        }
        #expect(over[0] > 50 && over[1] > 50, "\(over): too few near the border to say anything")
    }

    @Test("What is refused for a turnover over the border says from when on it can be had")
    func words() throws {
        let venue = try Self.venue("month", hours: "00:00-24:00")
        let scene = try BookingScene(venue, at: "2026-12-30T10:30")
        func why(_ line: String) throws -> String? {
            let spot = try scene.spot(line)
            return BookingRefusal(scene.reader, spot).fault.map { "\($0.what): \($0.why ?? "")" }
        }
        #expect(try why("'Court 1' 31 dec 22:00 4h") == nil)
        #expect(try why("'Court 3' 31 dec 22:00 4h") == nil)
        #expect(try why("'Court 3' 31 dec 20:00 1d") == nil)
        let words = try why("'Court 2' 1 jan 01:00 1h")
        #expect(
            words?.hasSuffix("nothing begins before Fri 1 Jan 01:30") == true, "\(words ?? "")")
        #expect(try why("'Court 2' 1 jan 01:30 1h") == nil)
        #expect(try why("'Court 5' 1 jan 00:00 1h") != nil)
        #expect(try why("'Court 6' 31 dec 1 day") == nil)
        #expect(
            try why("'Court 6' 31 dec 2 days")?.hasSuffix("before Sat 2 Jan") == true)
    }
}
