// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Discovery

/// A venue for tests.
enum SampleVenue {
    static let key = String(repeating: "a", count: 52)

    static func link(
        _ slug: String = "uva", key: String = key, kind: Volume.Kind = .day
    ) throws -> VenueLink {
        let runBy = try #require(OperatorKey(key))
        return try #require(VenueLink(slug: slug, runBy: runBy, kind: kind))
    }

    /// The record with these strings.
    static func record(_ items: [String]) -> [UInt8] {
        items.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    }
}

@Suite("The record of a venue") struct VenueRecordTests {
    private static let right = ["v=1", "n=uva", "k=" + SampleVenue.key, "p=day"]

    @Test("It reads as what it was made from, in any order and with more keys")
    func reads() throws {
        for kind in Volume.Kind.allCases {
            for slug in ["a", "dreamland/gent", String(repeating: "z", count: 24)] {
                let link = try SampleVenue.link(slug, kind: kind)
                #expect(VenueRecord.link(VenueRecord.text(link)) == link)
            }
        }
        let link = try SampleVenue.link()
        #expect(VenueRecord.text(link) == SampleVenue.record(Self.right))
        #expect(VenueRecord.link(SampleVenue.record(Self.right.reversed())) == link)
        // What later versions, or others, add: other keys, bare keys, no key, nothing.
        for more in ["z=1", "vv=2", "V=2", "name", "=", "", "n2=x", "\u{1b}[2J", "k3"] {
            #expect(VenueRecord.link(SampleVenue.record(Self.right + [more])) == link, "\(more)")
        }
        let longest = try SampleVenue.link(
            String(repeating: "z", count: 24), kind: .quarter)
        #expect(VenueRecord.text(longest).count == 96)
    }

    /// The right record with another item at a place, or one more.
    private static func changed(_ place: Int, _ item: String) -> [String] {
        var items = right
        if items.indices.contains(place) { items[place] = item } else { items.append(item) }
        return items
    }

    private static func without(_ place: Int) -> [String] {
        right.indices.filter { $0 != place }.map { right[$0] }
    }

    @Test("What is missing, twice, wrong or of another version is none")
    func refuses() {
        let many = String(repeating: "a", count: 51)
        let changes: [(Int, String)] = [
            (4, "n=uva"), (4, "n=rec"), (4, "v"), (4, "k"), (4, "p="), (0, "v=2"), (0, "v="),
            (0, "v"), (0, "V=1"), (0, "v=01"), (1, "n=Uva"), (1, "n="), (1, "n=u va"),
            (1, "n=-a"), (1, "n=a/b/c"), (1, "n=\u{1b}[31m"), (1, "n=" + many.prefix(25)),
            (2, "k=" + many), (2, "k=" + many.uppercased() + "A"), (2, "k=a" + many + "a"),
            // Bits left over in the last character: another spelling of a key.
            (2, "k=" + many + "b"), (3, "p=decade"), (3, "p=Day"),
        ]
        var records = [[], [""], ["v=1"]] + (0...3).map { Self.without($0) }
        records += changes.map { Self.changed($0.0, $0.1) }
        for items in records {
            #expect(VenueRecord.link(SampleVenue.record(items)) == nil, "\(items)")
        }
    }

    @Test("Bytes that are cut, long or no text are none, and nothing reads behind the end")
    func bytes() throws {
        let right = SampleVenue.record(Self.right)
        for count in right.indices { #expect(VenueRecord.link(Array(right[..<count])) == nil) }
        #expect(VenueRecord.link(right + [9]) == nil)
        #expect(VenueRecord.link(right + [255] + Array(repeating: 0, count: 254)) == nil)
        let long = right + [UInt8](repeating: 0, count: DiscoveryLimits.venueText + 1 - right.count)
        #expect(VenueRecord.link(long) == nil)
        #expect(VenueRecord.link(Array(long.dropLast())) != nil)
        let binary: [UInt8] = [4] + Array("n=".utf8) + [0xff, 0xfe]
        #expect(
            VenueRecord.link(SampleVenue.record(["v=1", "k=" + SampleVenue.key, "p=day"]) + binary)
                == nil)
    }
}
