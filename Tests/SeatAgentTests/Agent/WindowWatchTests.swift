// SPDX-License-Identifier: Apache-2.0
@testable import Agent
import Testing

@testable import Protocol
@testable import SeatAgent
@testable import Text
@testable import Trips

/// What is told when the selection window opens and closes.
@Suite struct WindowWatchTests {
    /// Opens at 1000, departs at 1100, closes at 1200.
    private static let window = SelectionWindow(
        departs: UTCTime(seconds: 1100), lead: 100, arrives: UTCTime(seconds: 1200))

    private static func turns(from start: Int64, _ times: [Int64]) -> [WindowWatch.Turn?] {
        var watch = WindowWatch(window, at: UTCTime(seconds: start))
        return times.map { watch.turn(at: UTCTime(seconds: $0)) }
    }

    @Test func eachTurnComesOnceAtItsSecond() {
        #expect(
            Self.turns(from: 900, [999, 1000, 1001, 1199, 1200, 1201])
                == [nil, .opened, nil, nil, .closed, nil])
    }

    @Test func whatWasBeforeIsNoNews() {
        #expect(Self.turns(from: 1000, [1000, 1001, 1200]) == [nil, nil, .closed])
        #expect(Self.turns(from: 1200, [1200, 1300]) == [nil, nil])
    }

    @Test func aClockThatIsSetBackOpensNothingTwice() {
        #expect(Self.turns(from: 900, [1000, 900, 1000]) == [.opened, nil, nil])
    }

    @Test func aNightOfSleepBringsTheEndAlone() {
        #expect(Self.turns(from: 900, [5000]) == [.closed])
    }

    /// Seconds until it looks again, from `start`.
    private static func next(_ start: Int64) -> Int64? {
        let watch = WindowWatch(window, at: UTCTime(seconds: start))
        let now = Moment(instant: .zero, utc: UTCTime(seconds: start))
        return watch.next(after: now).map { ($0 - .zero).wholeSeconds }
    }

    @Test func itLooksAgainInTimeAndEachMinute() {
        #expect(Self.next(0) == 60)
        #expect(Self.next(970) == 30)
        #expect(Self.next(999) == 1)
        #expect(Self.next(1000) == 60)
        #expect(Self.next(1190) == 10)
        #expect(Self.next(1200) == nil)
        #expect(
            WindowWatch(nil, at: UTCTime(seconds: 0)).next(
                after: Moment(instant: .zero, utc: UTCTime(seconds: 0))) == nil)
    }

    @Test func wordsOfTheCall() throws {
        let flight = try #require(FlightName("FR202/2026-03-05/DUB"))
        #expect(
            WindowCaller.words(flight, Self.window)
                == "Seats on FR202 are open for swaps, until 1970-01-01 01:20 (IST).")
    }
}

/// Who says how long before departure seats can be chosen.
@Suite struct SeatOpeningTests {
    @Test(
        arguments: [
            (
                "FR", nil, 24 * 3600,
                "24 h before departure: Ryanair, as of 2026-11, stated by help.ryanair.com; "
                    + "buzzair.com, article 6.2.2"
            ),
            (
                "W6", nil, 24 * 3600,
                "24 h before departure: Wizz Air, as of 2026-11, but sources disagree: other pages "
                    + "say 48 h; a delay does not move the end"
            ),
            (
                "LH", nil, 23 * 3600,
                "23 h before departure: Lufthansa, as of 2026-11, by one weak source; the seat is "
                    + "given at check-in; 30 h may be newer"
            ),
            (
                "VY", nil, 7 * 86_400,
                "7 d to 24 h before departure: Vueling, as of 2026-11, stated by help.vueling.com"
            ),
            (
                "TP", nil, 48 * 3600,
                "48 h before departure, the default: nothing is known of TAP Air Portugal"
            ),
            (
                "ZZ", nil, 48 * 3600,
                "48 h before departure, the default: nothing is known of this airline"
            ),
            ("FR", 30 * 3600, 30 * 3600, "30 h before departure, as you set it"),
            ("ZZ", 5400, 5400, "1 h 30 min before departure, as you set it"),
        ] as [(String, Int64?, Int64, String)])
    func airlines(carrier: String, own: Int64?, lead: Int64, words: String) {
        let opening = SeatOpening(own: own, carrier: carrier)
        #expect(opening.lead == lead)
        #expect(opening.words == words)
    }

    @Test func whatScriptsAreTold() {
        let json = JSON(SeatOpening(own: nil, carrier: "FR").facts)
        #expect(json["source"] == "airline")
        #expect(json["airline"] == "Ryanair")
        #expect(json["as_of"] == "2026-11")
        #expect(json["sure"] == "stated")
        #expect(JSON(SeatOpening(own: 60, carrier: "FR").facts)["source"] == "own")
        #expect(JSON(SeatOpening(own: nil, carrier: "ZZ").facts)["source"] == "default")
    }
}
