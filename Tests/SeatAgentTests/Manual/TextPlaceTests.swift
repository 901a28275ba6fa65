// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SeatAgent
@testable import Text

@Suite struct TextPlaceTests {
    @Test(arguments: [
        ("", "a", nil), ("a", "", nil), ("abc", "abcd", nil), ("abc", "abc", 0), ("aab", "ab", 1),
        ("a**b**", "**", 1), ("naïve #1", " #", 6), ("ananas", "anas", 2), ("ananas", "nan ", nil),
    ])
    func isWhereThePartStandsFirst(text: String, part: String, offset: Int?) {
        let place = text.firstPlace(of: part)
        #expect(
            place.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == offset)
        #expect(place.map { String(text[$0]) } == offset.map { _ in part })
    }

    /// As it is used: on with what stands behind.
    @Test func whatStandsBehindIsSearchedOn() {
        var rest = Substring("one, two, three")
        var parts: [String] = []
        while let comma = rest.firstPlace(of: ", ") {
            parts.append(String(rest[..<comma.lowerBound]))
            rest = rest[comma.upperBound...]
        }
        #expect(parts + [String(rest)] == ["one", "two", "three"])
    }
}
