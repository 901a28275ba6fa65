// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import SeatAgent
@testable import Text
@testable import Venues

@Suite("What is shown of announced venues")
struct VenueFindingTests {
    private func link(_ slug: String, _ number: UInt8) throws -> VenueLink {
        let key = try #require(Bytes32(Array(repeating: number, count: 32)))
        return try #require(VenueLink(slug: slug, runBy: OperatorKey(key), kind: .day))
    }

    @Test("A thousand false venues hide neither a known one nor a warning")
    func flood() throws {
        var list = KnownVenues()
        let mine = try link("uva", 250)
        try list.take(mine, at: UTCTime(seconds: 0))
        var links = try (0..<200).map { try link("uva", UInt8($0)) } + [mine]
        for number in 0..<100 { links += try (0..<8).map { try link("a\(number)", $0) } }
        let rows = VenueFinding.rows(links, list)
        #expect(rows.count == links.count)
        let shown = VenueFinding.shown(rows)
        #expect(shown.map(\.standing.rawValue).prefix(3) == ["known", "key-changed", "new"])
        #expect(shown[0].link == mine && shown.count == 34)
        #expect(shown[0].line == "seatagent venue open uva")
        #expect(shown[1].words.hasPrefix("key-changed: your list has it as \(mine.runBy.tag)"))
        #expect(shown[2].words == "new; another one has this name: compare the tag")
        #expect(
            shown[2].line == "seatagent venue add '\(SeatLink.venue(shown[2].link).text)'")
        let lines = VenueFinding.lines(shown)
        #expect(lines.count == 68)
        #expect(lines.allSatisfy { line in line.unicodeScalars.allSatisfy(\.isSafeToPrint) })
    }

    @Test("One of a kind is new, and nothing more")
    func one() throws {
        let rows = VenueFinding.rows([try link("gym", 1)], KnownVenues())
        #expect(rows.map(\.words) == ["new"])
        #expect(VenueFinding.lines(VenueFinding.shown(rows)).count == 2)
    }
}
