// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CivilTime
@testable import Protocol
@testable import SeatAgent

@Suite("Dates and lengths of time")
struct TimeTextTests {
    @Test(
        "Known dates",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (951_868_799, "2000-02-29T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (1_795_356_300, "2026-11-22T14:05:00Z"),
            (-2_208_988_800, "1900-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func known(seconds: Int64, text: String) {
        #expect(RFC3339.text(UTCTime(seconds: seconds)) == text)
        #expect(RFC3339.parse(text) == UTCTime(seconds: seconds))
    }

    @Test("Every day of 400 years comes back, and each is the day after the one before")
    func everyDay() {
        var last = ""
        // After so many the calendar begins anew.
        for day in Int64(-73_048)..<73_049 {
            let time = UTCTime(seconds: day * 86_400 + 3661)
            let text = RFC3339.text(time)
            #expect(RFC3339.parse(text) == time)
            #expect(text > last)
            last = text
        }
    }

    @Test("Offsets and fractions")
    func offsets() {
        let noon = RFC3339.parse("2026-11-22T12:00:00Z")
        #expect(RFC3339.parse("2026-11-22T14:00:00+02:00") == noon)
        #expect(RFC3339.parse("2026-11-22T06:30:00-05:30") == noon)
        #expect(RFC3339.parse("2026-11-22t12:00:00.987z") == noon)
    }

    @Test(
        "What is no date is refused",
        arguments: [
            "", "2026-11-22", "2026-11-22T14:05Z", "2026-11-22T14:05:00", "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
            "2026-11-31T00:00:00Z", "2026-11-22T24:00:00Z", "2026-11-22T14:60:00Z",
            "2026-11-22T14:05:60Z", "2026-11-22T14:05:00+2:00", "2026-11-22T14:05:00Zx",
            "2026-11-22 14:05:00Z", "26-11-22T14:05:00Z", "2026-11-22T14:05:00.Z",
            "2026-11-22T14:05:00+24:00",
        ])
    func refused(text: String) {
        #expect(RFC3339.parse(text) == nil)
    }

    @Test("Lengths of time are read")
    func lengths() {
        #expect(SpanText.seconds("90") == 90)
        #expect(SpanText.seconds("90s") == 90)
        #expect(SpanText.seconds("10m") == 600)
        #expect(SpanText.seconds("48h") == 172_800)
        #expect(SpanText.seconds("2d") == 172_800)
        for text in ["", "m", "-1m", "1.5h", "10 m", "10min", "999999999d", "٣m"] {
            #expect(SpanText.seconds(text) == nil, "\(text)")
        }
    }

    @Test("Lengths of time are written")
    func words() {
        #expect(SpanText.words(0) == "0 s")
        #expect(SpanText.words(59) == "59 s")
        #expect(SpanText.words(60) == "1 min")
        #expect(SpanText.words(3605) == "1 h")
        #expect(SpanText.words(97_920) == "1 d 3 h")
        #expect(SpanText.clock(521) == "8:41")
        #expect(SpanText.clock(5) == "0:05")
        #expect(SpanText.clock(3723) == "1:02:03")
    }
}
