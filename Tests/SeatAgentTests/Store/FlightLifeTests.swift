// SPDX-License-Identifier: Apache-2.0
@testable import Launch
import Protocol
import Testing

@testable import CivilTime
@testable import SeatAgent
@testable import Store
@testable import Text
@testable import Profile

@Suite("Life of a flight") struct FlightLifeTests {
    private let flight = FlightName("XY123/2026-11-22/DUB") ?? .practice

    @Test("It ends with its window, else with its date everywhere; practice never ends")
    func ends() throws {
        let departs = try #require(RFC3339.parse("2026-11-22T14:05:00Z"))
        let arrives = try #require(RFC3339.parse("2026-11-22T16:25:00Z"))
        let window = SelectionWindow(departs: departs, lead: 100, arrives: arrives)
        #expect(FlightLife.end(of: flight, window: window) == window.closes)
        let date = try #require(RFC3339.parse("2026-11-23T12:00:00Z"))
        #expect(FlightLife.end(of: flight, window: nil) == date)
        #expect(FlightLife.end(of: .practice, window: window) == nil)
    }

    @Test("It goes three days later to the second, and never by a clock that stands before it")
    func goes() {
        let end = UTCTime(seconds: 1_000_000)
        #expect(!FlightLife.isOver(end, now: UTCTime(seconds: 1_000_000 + 259_200)))
        #expect(FlightLife.isOver(end, now: UTCTime(seconds: 1_000_000 + 259_201)))
        #expect(!FlightLife.isOver(end, now: UTCTime(seconds: 0)))
        #expect(!FlightLife.isOver(nil, now: UTCTime(seconds: .max)))
    }

    @Test("An old copy and a file from elsewhere are foreign; new files and crashes are not")
    func copies() {
        func mirror(_ first: String, _ second: String, _ head: Int) -> CopyMirror.Facts {
            CopyMirror.Facts(generations: [first, second], head: head)
        }
        func isForeign(_ generation: String?, _ head: Int, _ facts: CopyMirror.Facts?) -> Bool {
            CopyMirror.isForeign(generation: generation, head: head, mirror: facts)
        }
        #expect(!isForeign(nil, 0, nil))
        #expect(!isForeign("b", 5, mirror("b", "b", 5)))
        // The mirror lags behind after a crash.
        #expect(!isForeign("b", 6, mirror("b", "b", 5)))
        // A crash between the two writes at a start.
        #expect(!isForeign("a", 5, mirror("a", "b", 5)) && !isForeign("b", 5, mirror("a", "b", 5)))
        // Copied while it ran and put back before the next start.
        #expect(isForeign("b", 4, mirror("b", "b", 5)))
        #expect(isForeign("a", 5, mirror("b", "b", 5)))
        #expect(isForeign("b", 5, nil))
    }

    @Test("A cabin code is six or more base32 characters, however it is written")
    func codes() throws {
        #expect(try CabinCode.check("K7Q2-m5 ") == "k7q2m5")
        for wrong in ["k7q2m", "", "k7q2m1", "k7q2m\u{E9}", String(repeating: "a", count: 65)] {
            #expect(throws: UserError.self) { try CabinCode.check(wrong) }
        }
    }
}
