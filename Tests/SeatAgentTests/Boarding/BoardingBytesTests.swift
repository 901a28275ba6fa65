// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Testing

@testable import Aviation
@testable import CivilTime
@testable import SeatAgent

/// Whatever the bytes are: no trap, and no field outside of them.
@Suite("Boarding bytes")
struct BoardingBytesTests {
    private let reference = FlightDate("2026-03-01")

    /// Whether it was accepted.
    @discardableResult
    private func tryOne(_ text: [UInt8]) throws -> Bool {
        var copy = text
        let pass = try? BoardingPass.read(&copy, on: try #require(reference))
        var single = text
        single.makeSingleBytes()
        guard let fields = try? BoardingFields(single) else {
            if pass != nil { Issue.record("read without fields: \(text)") }
            return false
        }
        var last = fields.name.upperBound
        for leg in fields.legs {
            let parts = [
                leg.pnr, leg.from, leg.to, leg.carrier, leg.number, leg.day, leg.compartment,
                leg.seat, leg.sequence, leg.status, leg.variable,
            ]
            for part in parts {
                if part.lowerBound < last { Issue.record("fields lie across each other: \(text)") }
                last = part.upperBound
            }
        }
        let end = max(last, fields.security?.upperBound ?? 0)
        if fields.trailing != end..<single.count || pass?.legs.count != fields.legs.count {
            Issue.record("fields outside of the text: \(text)")
        }
        return true
    }

    @Test("Every beginning of every vector")
    func beginnings() throws {
        var accepted = 0
        for vector in BoardingVector.all {
            for length in 0...vector.text.count
            where try tryOne(Array(vector.text.prefix(length))) { accepted += 1 }
        }
        #expect(accepted > 100)
    }

    @Test("Every vector with any byte changed", arguments: BoardingVector.all)
    func changes(_ vector: BoardingVector) throws {
        // One byte of each kind that the reader tells apart; half of them for each place in
        // `make test`.
        let kinds = Array("0 A~".utf8) + [UInt8(ascii: ">"), UInt8(ascii: "^"), 0x1D, 0xC3, 0xFF]
        for index in vector.text.indices {
            for (kind, byte) in (kinds + [vector.text[index] ^ 1]).enumerated()
            where Soak.isOn || (index + kind) % 2 == 0 {
                var text = vector.text
                text[index] = byte
                try tryOne(text)
            }
        }
    }

    @Test("Bytes by chance, and passes with several bytes changed by chance")
    func chance() throws {
        var random = SeededRandom(seed: 6)
        for _ in 0..<1500 {
            let length = Int.random(in: 0...120, using: &random)
            let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            try tryOne(noise)
            try tryOne(Array("M\(length % 6)".utf8) + noise)
            var text = try #require(BoardingVector.all.randomElement(using: &random)).text
            for _ in 0..<3 where !text.isEmpty {
                text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(
                    in: 0...127, using: &random)
            }
            try tryOne(text)
        }
    }

    @Test("The text is overwritten, also when it is refused")
    func wiped() throws {
        for start in ["M1DOE", "X"] {
            var text = Array(start.utf8)
            _ = try? BoardingPass.read(&text, on: try #require(reference))
            #expect(text.isEmpty)
        }
    }
}
