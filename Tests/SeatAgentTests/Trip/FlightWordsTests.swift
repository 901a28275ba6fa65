// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SeatAgent
@testable import Trips

@Suite("The pieces of a flight as it is typed")
struct FlightWordsTests {
    @Test(
        "Blanks and strokes part it, whichever way round",
        arguments: [
            "FR 202 2026-12-05 dub stn", "FR202/2026-12-05/DUB/STN", "FR202/2026-12-05/dub STN",
            " fr / 202  2026-12-05 DUB  STN ", "FR 202 DUB STN 2026-12-05",
        ])
    func whole(_ text: String) {
        let words = FlightWords(text)
        #expect(words.number.uppercased() == "FR202")
        #expect(words.date == "2026-12-05")
        #expect(words.airports == ["DUB", "STN"])
    }

    @Test("What is missing is missing, what is odd stays to be refused")
    func parts() {
        #expect(FlightWords("").number == "")
        #expect(FlightWords("").date == nil)
        #expect(FlightWords("u2 8724 LGW").number == "u28724")
        #expect(FlightWords("u2 8724 LGW").airports == ["LGW"])
        #expect(FlightWords("W6-2301 2026-12-05").number == "W6-2301")
        #expect(FlightWords("FR 202 05.12.2026 DUB").date == "05.12.2026")
        #expect(FlightWords("11 123 2026-12-05 DUB").number == "11123")
        #expect(FlightWords("EZY84FX 2026-12-05").number == "EZY84FX")
    }

    @Test("A word that is neither number, date nor airport is told as typed")
    func stray() {
        #expect(FlightWords("FR202 2026-12-05 DUB").stray == nil)
        #expect(FlightWords("FR202 2026-12-05 dub stn").stray == nil)
        #expect(FlightWords("FR202 DUB tomorrow 2026-12-05").stray == "tomorrow")
        #expect(FlightWords("FR202 DUB STN lgw").stray == "lgw")
        #expect(FlightWords("").stray == nil)
    }
}
