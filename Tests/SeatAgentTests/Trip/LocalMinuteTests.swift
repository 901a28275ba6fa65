// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CivilTime
@testable import SeatAgent

@Suite("A time as an airport's clock shows it")
struct LocalMinuteTests {
    @Test("What is written is read again", arguments: ["2026-03-05T06:30", "2028-02-29T00:00"])
    func roundTrip(_ text: String) {
        #expect(LocalMinute(text)?.text == text)
    }

    @Test("A blank for the T, an hour of one digit")
    func spellings() {
        #expect(LocalMinute("2026-03-05 06:30")?.text == "2026-03-05T06:30")
        #expect(LocalMinute.minute(of: "6:05") == 365)
        #expect(LocalMinute.minute(of: "23:59") == 1439)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "2026-03-05", "2026-03-05T24:00", "2026-03-05T06:60", "2026-02-29T06:30",
            "2026-03-05T06:30:00", "2026-03-05T06:30Z", "2026-03-05T 6:30", "2026-03-05X06:30",
            "2026-03-05T+6:30", "２026-03-05T06:30",
        ])
    func refusals(_ text: String) {
        #expect(LocalMinute(text) == nil)
    }

    @Test("By day, then by clock")
    func order() throws {
        let sorted = ["2026-03-05T23:00", "2026-03-06T00:10", "2026-03-06T00:11"]
        #expect(sorted.reversed().compactMap(LocalMinute.init).sorted().map(\.text) == sorted)
        let date = try #require(FlightDate("2026-03-05"))
        #expect(LocalMinute(date: date, minute: 1440) == nil)
        #expect(LocalMinute(date: date, minute: -1) == nil)
    }
}
