// SPDX-License-Identifier: Apache-2.0
import Launch
import Protocol
import Testing

@testable import CivilTime
@testable import Text

/// Which words an agent that runs can go by: those by which today is on its volume.
@Suite struct VenueStartTests {
    private func start(_ kind: String, _ zone: String, _ closes: String) throws -> VenueStart {
        let words = """
            {"version":1,"slug":"uva","name":"U","zone":"\(zone)","volume":"\(kind)",\
            "hours":{"Mo-Su":"08:00-\(closes)"},\
            "places":[{"id":1,"name":"A","mode":"counted","count":9}],\
            "classes":[{"name":"everybody"}],"rules":{"join":"open"}}
            """
        let page = try #require(
            VenuePage(
                revision: 1, signature: [UInt8](repeating: 0, count: 64), bytes: Array(words.utf8)))
        let key = String(repeating: "a", count: 52)
        return try VenueStart(try #require(VenueName("uva/2026-12-05/\(key)")), page)
    }

    private func time(_ text: String) throws -> UTCTime { try #require(RFC3339.parse(text)) }

    @Test func wordsOfOtherDaysAreNotGoneBy() throws {
        let morning = try time("2026-12-06T00:30:00Z")
        #expect(try !start("day", "Etc/UTC", "24:00").holds(at: morning))
        // The night belongs to the day before, or it is the day before there.
        #expect(try start("day", "Etc/UTC", "25:00").holds(at: morning))
        #expect(try start("day", "Etc/GMT+5", "24:00").holds(at: morning))
        #expect(try !start("week", "Etc/UTC", "25:00").holds(at: morning))
        let hours = try start("day", "Etc/UTC", "25:00").hours
        #expect(hours.end == (try time("2026-12-06T01:00:00Z")))
        #expect(hours.close(of: 1, after: try time("2026-12-05T09:00:00Z")) == hours.end)
    }
}
