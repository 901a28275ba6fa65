// SPDX-License-Identifier: Apache-2.0
@testable import Launch
import Protocol
import Testing

@testable import SeatAgent
@testable import Text
@testable import Trips

@Suite("Flights as people type them")
struct FlightTextTests {
    private func flight(_ text: String) throws -> FlightName { try FlightText.read(text).flight }

    private func refusal(_ text: String) -> UserError? {
        do throws(UserError) {
            _ = try FlightText.read(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "Who spells the number otherwise is on the same flight",
        arguments: [
            "FR 123/2026-11-22/DUB", "RYR123/2026-11-22/DUB", "fr0123/2026-11-22/dub",
            "F/R-123/2026-11-22/DUB", " fr 123 / 2026-11-22 / dub ",
        ])
    func sameFlight(_ text: String) throws {
        #expect(try flight(text) == FlightName("FR123/2026-11-22/DUB"))
        #expect(try flight(text).canonical == "seatswap-flight-v1|FR123|2026-11-22|DUB")
    }

    @Test("Another day, airport, number or suffix is another flight")
    func otherFlights() throws {
        let texts = [
            "FR123/2026-11-22/DUB", "FR123/2026-11-23/DUB", "FR123/2026-11-22/STN",
            "FR124/2026-11-22/DUB", "FR123A/2026-11-22/DUB", "EZY123/2026-11-22/DUB",
        ]
        #expect(Set(try texts.map(flight)).count == texts.count)
    }

    @Test("Each refusal says which part is wrong")
    func refusals() {
        let whole = "it is the flight's number, its date at the origin and the origin's airport"
        #expect(refusal("XY123")?.why == whole)
        #expect(refusal("XY123/2026-11-22")?.why == whole)
        #expect(refusal("FR0/2026-11-22/DUB")?.why?.hasPrefix("the number after FR is 0") == true)
        #expect(refusal("EZY84FX/2026-11-22/LGW")?.why?.contains("radio call sign") == true)
        #expect(refusal("XY123/2026-02-29/DUB")?.why?.hasPrefix("the date") == true)
        #expect(refusal("XY123/2026-11-22/D1B")?.why?.hasPrefix("the airport") == true)
        #expect(refusal("XY123/2026-11-22/ﬁS")?.why?.hasPrefix("the airport") == true)
        #expect(refusal("XY123/2026-11-22/DUB/")?.code == .usage)
        #expect(
            refusal("QQQ123/2026-11-22/DUB")?.why
                == "the airline QQQ is unknown: its two characters are on the pass")
        #expect(
            refusal("RYN123/2026-11-22/DUB")?.why == "the airline RYN is unknown; RYR is Ryanair")
    }

    @Test("An unknown airline is remarked on, the practice flight is not")
    func remarks() throws {
        #expect(
            try FlightText.read("IV999/2026-11-22/DUB").remarks
                == ["The airline IV is not in the table."])
        #expect(try FlightText.read("XY123/2026-11-22/DUB").remarks.isEmpty)
        let practice = try FlightText.read("xx 1/2000-01-01/xxx")
        #expect(practice.flight.isPractice)
        #expect(practice.remarks.isEmpty)
        let stored = StoredOptions(
            values: ["flight": ["EC 1/2026-11-22/DUB"]], at: UTCTime(seconds: 0))
        #expect(stored.flightRemarks == ["Flights of easyJet Europe count as U2: U2 1."])
    }
}
