// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Aviation
@testable import SeatAgent
@testable import Trips

/// A number that is read: what is typed and what it is.
struct AcceptedNumber: Sendable {
    let typed: String
    let text: String
    init(_ typed: String, _ text: String) {
        self.typed = typed
        self.text = text
    }
}

@Suite("Flight numbers as people type them")
struct FlightNumberTests {
    @Test(
        "What is accepted",
        arguments: [
            AcceptedNumber("FR1", "FR 1"), AcceptedNumber("FR 0202", "FR 202"),
            AcceptedNumber("u2 8724", "U2 8724"), AcceptedNumber("EZY8724", "U2 8724"),
            AcceptedNumber("9K265", "9K 265"), AcceptedNumber("W6-2301", "W6 2301"),
            AcceptedNumber("W62345", "W6 2345"), AcceptedNumber("BA117A", "BA 117A"),
            AcceptedNumber("EJU 8724", "U2 8724"), AcceptedNumber("ezs-08724", "U2 8724"),
            AcceptedNumber("EC8724", "U2 8724"), AcceptedNumber("DS/8724", "U2 8724"),
            AcceptedNumber("RYR123", "FR 123"), AcceptedNumber("RYS 123", "FR 123"),
            AcceptedNumber("RK123", "FR 123"), AcceptedNumber("AL123", "FR 123"),
            AcceptedNumber("WMT.2301", "W6 2301"), AcceptedNumber("5W 7001", "W6 7001"),
            AcceptedNumber("TO3012", "HV 3012"), AcceptedNumber("D8 4321", "DY 4321"),
            AcceptedNumber("ba\u{A0}117\u{2011}a", "BA 117A"), AcceptedNumber("6e 6", "6E 6"),
            AcceptedNumber("DLH9999", "LH 9999"), AcceptedNumber("FR 0000001", "FR 1"),
            // The seed app's invalid number: nobody's designator, and well formed.
            AcceptedNumber("IV999", "IV 999"), AcceptedNumber("qqq 12", "QQQ 12"),
        ])
    func accepted(_ number: AcceptedNumber) throws {
        #expect(try FlightNumber.read(number.typed).number.text == number.text)
    }

    @Test(
        "What is refused, and which part of it is wrong",
        arguments: [
            ("11 123", .designator("11")), ("FR", .noNumber("FR")),
            ("FR12345", .longNumber("12345")),
            ("FR0", .zero("FR")), ("1234", .designator("12")), ("", .empty), (" - ./", .empty),
            ("EZY84FX", .callSign("EZY84FX", "EZY")), ("RYR7QK", .callSign("RYR7QK", "RYR")),
            ("ryr 1a1", .callSign("RYR1A1", "RYR")), ("RYR", .noNumber("RYR")),
            ("FR12AB", .tail("FR", "AB")), ("RYR1234AB", .tail("RYR", "AB")),
            ("FR1A2", .tail("FR", "A2")), ("RYAN123", .longDesignator("RYAN")),
            ("F", .designator("F")), ("7", .designator("7")), ("FR 000", .zero("FR")),
            ("FR１２", .strange("１")), ("FR+12", .strange("+")), ("ﬁ12", .strange("ﬁ")),
            (String(repeating: "0", count: 65), .long),
        ] as [(String, FlightNumberRefusal)])
    func refused(_ typed: String, _ refusal: FlightNumberRefusal) {
        #expect(throws: refusal) { try FlightNumber.read(typed) }
        #expect(!refusal.why.isEmpty)
    }

    @Test("A refusal names its part and its reason")
    func parts() {
        let callSign = FlightNumberRefusal.callSign("EZY84FX", "EZY")
        #expect(callSign.part == .whole)
        #expect(
            callSign.why
                == "\"EZY84FX\" is the radio call sign; the number is on the boarding pass")
        #expect(FlightNumberRefusal.longNumber("12345").part == .number)
        #expect(FlightNumberRefusal.tail("FR", "AB").part == .suffix)
        #expect(FlightNumberRefusal.designator("11").part == .designator)
    }

    @Test("An unknown airline passes with a remark, a known one without")
    func remarks() throws {
        func remarks(_ text: String) throws -> [String] { try FlightNumber.read(text).remarks }
        #expect(try remarks("FR 123").isEmpty)
        #expect(try remarks("RYR123").isEmpty)
        #expect(try remarks("IV999") == ["The airline IV is not in the table."])
        #expect(
            try remarks("2U8724")
                == ["The airline 2U is not in the table; did you mean easyJet, U2?"])
        #expect(try remarks("EC8724") == ["Flights of easyJet Europe count as U2: U2 8724."])
        #expect(try remarks("BA117A").isEmpty)
        #expect(try remarks("RYR7Q").count == 1)
    }

    @Test("What is printed is read as the same number")
    func roundTrip() throws {
        var random = SeededRandom(seed: 6)
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        let signs = letters + Array("0123456789")
        var count = 0
        for _ in 0..<20_000 {
            let width = Int.random(in: 2...3, using: &random)
            let code = (0..<width).map { _ in
                (width == 3 ? letters : signs).randomElement(using: &random) ?? "A"
            }
            let number = Int.random(in: 1...9999, using: &random)
            let suffix = Bool.random(using: &random) ? "" : "Z"
            guard let one = try? FlightNumber.read("\(String(code))\(number)\(suffix)") else {
                // Two digits are the only designators that are none.
                let isTwoDigits = code.allSatisfy { $0.isNumber }
                #expect(isTwoDigits)
                continue
            }
            count += 1
            #expect(one.number.number == number)
            #expect(one.number.suffix == suffix)
            #expect(try FlightNumber.read(one.number.text).number == one.number)
            #expect(try FlightNumber.read(one.number.designator.lowercased()).number == one.number)
        }
        #expect(count > 15_000)
    }

    @Test("No text traps, and what is read of it is read again")
    func anyText() {
        var random = SeededRandom(seed: 7)
        let near = Array("EZYRFU20189aé -./\u{2011}\u{FF11}\u{301}".unicodeScalars)
        var count = 0
        for _ in 0..<30_000 {
            let isNear = UInt8.random(in: 0...3, using: &random) > 0
            let length = Int.random(in: 0...(isNear ? 9 : 64), using: &random)
            var text = String.UnicodeScalarView()
            for _ in 0..<length {
                let wild = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
                text.append(
                    isNear ? near.randomElement(using: &random) ?? "A" : wild ?? "\u{FFFD}")
            }
            _ = try? FlightText.read(String(text) + "/2026-11-22/DUB")
            do throws(FlightNumberRefusal) {
                let reading = try FlightNumber.read(String(text))
                count += 1
                #expect((1...9999).contains(reading.number.number))
                #expect((try? FlightNumber.read(reading.number.text))?.number == reading.number)
            } catch {
                #expect(!error.why.isEmpty)
            }
        }
        #expect(count > 100)
    }
}
