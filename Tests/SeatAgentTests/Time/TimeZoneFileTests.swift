// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import CivilTime
@testable import SeatAgent

/// Files made here, byte by byte.
struct ZoneBytes {
    var version: UInt8 = UInt8(ascii: "2")
    /// When, and to which kind.
    var changes: [(Int64, UInt8)] = []
    /// Offset, daylight, place of the name.
    var kinds: [(Int32, UInt8, UInt8)] = [(0, 0, 0)]
    var letters = "UTC\0"
    var leaps = 0
    var footer = "\nUTC0\n"

    private func header(_ counts: [Int]) -> [UInt8] {
        Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
            + counts.flatMap { Self.big(Int64($0), 4) }
    }

    static func big(_ value: Int64, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
    }

    private func block(_ width: Int) -> [UInt8] {
        changes.flatMap { Self.big($0.0, width) } + changes.map(\.1)
            + kinds.flatMap { Self.big(Int64($0.0), 4) + [$0.1, $0.2] } + Array(letters.utf8)
            + [UInt8](repeating: 0, count: leaps * (width + 4))
    }

    var counts: [Int] { [0, 0, leaps, changes.count, kinds.count, letters.utf8.count] }

    var bytes: [UInt8] {
        if version == 0 { return header(counts) + block(4) }
        return header([0, 0, 0, 0, 1, 1]) + [0, 0, 0, 0, 0, 0, 0] + header(counts) + block(8)
            + Array(footer.utf8)
    }
}

@Suite struct TimeZoneFileTests {
    @Test func oldFilesHaveNoRule() throws {
        var file = ZoneBytes(version: 0)
        file.changes = [(-100, 1), (1000, 0)]
        file.kinds = [(-3600, 0, 0), (7200, 1, 4)]
        file.letters = "ABC\0DEF\0"
        let rules = try #require(TimeZoneRules(file.bytes))
        #expect(rules.rule == nil)
        #expect(rules.kind(at: UTCTime(seconds: -101)).abbreviation == "ABC")
        #expect(rules.kind(at: UTCTime(seconds: -100)).offset == 7200)
        #expect(rules.kind(at: UTCTime(seconds: -100)).isDaylight)
        #expect(rules.kind(at: UTCTime(seconds: 999)).abbreviation == "DEF")
        #expect(rules.kind(at: UTCTime(seconds: 1000)).offset == -3600)
        #expect(rules.kind(at: UTCTime(seconds: .max)).offset == -3600)
    }

    @Test func nothingAfterTheLastChangeWhereThereIsNoRule() throws {
        var file = ZoneBytes()
        file.footer = "\n\n"
        #expect(try #require(TimeZoneRules(file.bytes)).rule == nil)
    }

    @Test func everyShorterFileIsRefused() {
        var file = ZoneBytes()
        file.changes = [(5, 0)]
        let bytes = file.bytes
        #expect(TimeZoneRules(bytes) != nil)
        for count in 0..<bytes.count { #expect(TimeZoneRules(Array(bytes.prefix(count))) == nil) }
    }

    /// What is wrong with a file, by its name.
    static let wrong: [(String, @Sendable (inout ZoneBytes) -> Void)] = [
        ("leap seconds", { $0.leaps = 1 }),
        ("kind that is not there", { $0.changes = [(5, 1)] }),
        ("times that go back", { $0.changes = [(5, 0), (5, 0)] }),
        ("time beyond all dates", { $0.changes = [(.max, 0)] }),
        ("offset of 26 hours", { $0.kinds = [(93_600, 0, 0)] }),
        ("daylight neither yes nor no", { $0.kinds = [(0, 2, 0)] }),
        ("name outside of the letters", { $0.kinds = [(0, 0, 4)] }),
        ("name without an end", { $0.letters = "UTC" }),
        ("no kind", { $0.kinds = [] }),
        ("footer without its end", { $0.footer = "\nUTC0" }),
        ("footer that is no rule", { $0.footer = "\nnever\n" }),
    ]

    @Test(arguments: wrong.indices)
    func wrongFilesAreRefused(index: Int) {
        var file = ZoneBytes()
        Self.wrong[index].1(&file)
        #expect(TimeZoneRules(file.bytes) == nil, "\(Self.wrong[index].0)")
    }

    /// What comes out of damaged files never traps, wherever it points.
    @Test func damagedFilesAreReadOrRefused() {
        var file = ZoneBytes()
        file.changes = [(5, 0), (1 << 40, 1)]
        file.kinds = [(3600, 0, 0), (-7200, 1, 0)]
        file.footer = "\nABC-1DEF,M3.5.0,M10.5.0/3\n"
        let bytes = file.bytes
        for index in bytes.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[index] = value
                guard let rules = TimeZoneRules(damaged) else { continue }
                for time in [.min, -1, 0, 1 << 40, 1 << 59, .max] as [Int64] {
                    _ = rules.kind(at: UTCTime(seconds: time))
                    _ = rules.utc(ofCivil: time)
                }
            }
        }
    }
}

@Suite struct PosixRuleTests {
    private static func text(_ rule: String, at time: String) throws -> String {
        let rule = try #require(PosixRule(rule.utf8), "\(rule)")
        let kind = rule.kind(at: try #require(RFC3339.parse(time)))
        return "\(kind.abbreviation) \(kind.offset)"
    }

    @Test(arguments: [
        ("UTC0", "2026-07-01T00:00:00Z", "UTC 0"),
        ("<+0545>-5:45", "2026-07-01T00:00:00Z", "+0545 20700"),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T06:59:59Z", "EST -18000"),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T07:00:00Z", "EDT -14400"),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-11-01T05:59:59Z", "EDT -14400"),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-11-01T06:00:00Z", "EST -18000"),
        // Ireland's winter time is the daylight one, an hour less.
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-12-31T23:59:59Z", "GMT 0"),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-03-29T01:00:00Z", "IST 3600"),
        // Hours before the day and far after it.
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", "-02 -7200"),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", "-01 -3600"),
        ("IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-26T23:59:59Z", "IST 7200"),
        ("IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-27T00:00:00Z", "IDT 10800"),
        // Days of the year, with 29 February and without.
        ("AAA0BBB,J60/0,300/0", "2028-02-29T23:59:59Z", "AAA 0"),
        ("AAA0BBB,J60/0,300/0", "2028-03-01T00:00:00Z", "BBB 3600"),
        ("AAA0BBB,59/0,300/0", "2028-02-29T00:00:00Z", "BBB 3600"),
        // All year round, as RFC 9636 3.3.1 has it.
        ("XXX3EDT4,0/0,J365/23", "2026-01-01T03:00:00Z", "EDT -14400"),
        ("XXX3EDT4,0/0,J365/23", "2026-01-01T02:59:59Z", "EDT -14400"),
    ])
    func rules(rule: String, time: String, wanted: String) throws {
        #expect(try Self.text(rule, at: time) == wanted)
    }

    @Test(arguments: [
        "", "UT0", "UTC", "UTC25", "UTC0:60", "UTC0x", "<UTC0", "EST5EDT", "EST5EDT,M3.2.0",
        "EST5EDT,M13.1.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0", "EST5EDT,M3.2.7,M11.1.0",
        "EST5EDT,J0,J365", "EST5EDT,366,1", "EST5EDT,M3.2.0/168,M11.1.0", "EST5EDT,M3.2.0,M11.1.0 ",
    ])
    func otherTexts(rule: String) {
        #expect(PosixRule(rule.utf8) == nil)
    }
}
