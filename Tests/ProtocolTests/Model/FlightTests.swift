// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Testing

@Suite struct FlightTests {
    @Test(arguments: [
        ("XY123/2026-11-22/DUB", "seatswap-flight-v1|XY123|2026-11-22|DUB"),
        ("xy0123/2026-11-22/dub", "seatswap-flight-v1|XY123|2026-11-22|DUB"),
        ("U21A/2028-02-29/LGW", "seatswap-flight-v1|U21A|2028-02-29|LGW"),
        ("9W9999/2026-01-01/BOM", "seatswap-flight-v1|9W9999|2026-01-01|BOM"),
    ])
    func flightsAreRead(text: String, canonical: String) throws {
        #expect(try #require(FlightName(text)).canonical == canonical)
    }

    @Test(arguments: [
        "", "XY123", "XY123/2026-11-22", "XY/2026-11-22/DUB", "12123/2026-11-22/DUB",
        "XY12345/2026-11-22/DUB", "XY0/2026-11-22/DUB", "XY123/2026-02-29/DUB",
        "XY123/2026-13-01/DUB", "XY123/2026-11-22/DU", "XY123/2026-11-22/D1B",
        "XY123/2026-11-22/DUB/", "XY123/26-11-22/DUB", "XYZ123/2026-11-22/DUB",
        "XY1２/2026-11-22/DUB",
    ])
    func otherTextsAreNoFlights(text: String) { #expect(FlightName(text) == nil) }

    @Test func theKeyDependsOnFlightAndCode() throws {
        let name = try #require(FlightName("XY123/2026-11-22/DUB"))
        let later = try #require(FlightName("XY123/2026-11-23/DUB"))
        let primitives = FakePrimitives()
        let open = try #require(FlightKey(name, primitives: primitives))
        #expect(FlightKey(later, primitives: primitives)?.id != open.id)
        #expect(FlightKey(name, code: "abcdef", primitives: primitives)?.id != open.id)
        #expect(FlightKey(auth: open.auth, primitives: primitives) == open)
    }

    @Test func theWindowIsExactToTheSecond() {
        let departs = UTCTime(seconds: 1_000_000)
        let window = SelectionWindow(departs: departs)
        func state(_ seconds: Int64) -> SelectionWindow.State {
            window.state(at: UTCTime(seconds: seconds))
        }
        let opens = 1_000_000 - 48 * 3600
        let closes: Int64 = 1_000_000 + 20 * 3600
        #expect(state(Int64(opens) - 1) == .early(opensIn: 1))
        #expect(state(Int64(opens)) == .open(closesIn: closes - Int64(opens)))
        #expect(state(closes - 1) == .open(closesIn: 1))
        #expect(state(closes) == .closed(since: 0))
        let custom = SelectionWindow(
            departs: departs, lead: 60, arrives: UTCTime(seconds: 1_000_100))
        #expect(custom.state(at: UTCTime(seconds: 999_939)) == .early(opensIn: 1))
        #expect(custom.state(at: UTCTime(seconds: 1_000_100)) == .closed(since: 0))
    }

    @Test func tagsAreBase32OfTheKey() {
        #expect(Base32.encode(Array("foobar".utf8)) == "mzxw6ytboi")
        let key = FakeSigner(1).key
        #expect(key.tag.count == 15)
        #expect(key.shortTag == "#" + key.tag.prefix(4))
    }
}
