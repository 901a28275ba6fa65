import Protocol
import Testing

@testable import SeatAgent

/// A swap of ada and bo on a flight that is named, and its receipt.
private struct Paper {
    var voyage: Voyage
    let commit: Entry
    let flight: FlightName
    let code: String?

    init(code: String? = nil) throws {
        flight = try #require(FlightName("XY123/2026-11-22/DUB"))
        self.code = code
        voyage = try Voyage(name: flight, code: code)
        commit = try voyage.swap([("14C", voyage.bo), ("12A", voyage.ada)])
    }

    /// The text as `seatagent receipt` prints it.
    func text(_ certificates: [[UInt8]]? = nil) throws -> String {
        let text = ReceiptText(
            flight: flight, isGated: code != nil, certificates: certificates ?? [commit.bytes])
        let check = try CertificateCheck([commit.bytes], primitives: voyage.primitives)
        return text.lines(check).joined(separator: "\n") + "\n"
    }

    /// What `seatagent receipt --verify FILE` does with it; `nil` where it is valid.
    func refusal(_ text: String, code: String? = nil) -> UserError? {
        do throws(UserError) {
            let bytes = Array(text.utf8)
            let receipt = try ReceiptText(bytes)
            let check = try CertificateCheck(receipt.certificates, primitives: voyage.primitives)
            try receipt.confirm(bytes, check)
            try ReceiptCommand.confirmFlight(receipt, check, code: code, voyage.primitives)
            return nil
        } catch {
            return error
        }
    }
}

@Suite("The words of a receipt") struct ReceiptTests {
    @Test("What the program prints is valid, with the line ends of any system")
    func genuine() throws {
        let paper = try Paper()
        let text = try paper.text()
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(paper.refusal(text) == nil)
        #expect(
            paper.refusal(
                text.split(separator: "\n", omittingEmptySubsequences: false)
                    .joined(separator: "\r\n")) == nil)
        #expect(paper.refusal(String(text.dropLast())) == nil)
    }

    /// Words that nobody signed, each on a genuine certificate.
    @Test("Ten forgeries on a genuine certificate are all refused")
    func forgeries() throws {
        var paper = try Paper()
        let text = try paper.text()
        let (ada, bo) = (paper.voyage.ada.key.tag, paper.voyage.bo.key.tag)
        let other = try paper.voyage.swap(
            [("12A", paper.voyage.cy), ("20F", paper.voyage.ada)], nonce: 2)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        func with(_ index: Int, _ line: String) -> String {
            var changed = lines
            changed[index] = line
            return changed.joined(separator: "\n")
        }
        let forgeries: [(String, String)] = [
            ("another seat", text.replacing("12A ", with: "1A  ")),
            ("the captain", with(0, "Seat swap agreed by all. The captain has approved it.")),
            (
                "one more line",
                text.replacing("Contract", with: "Approved  by the captain\nContract")
            ),
            ("givers and takers changed", with(3, "12A       from #\(ada) to #\(bo)")),
            (
                "another contract",
                text.replacing(paper.commit.id.hex, with: String(repeating: "0", count: 64))
                    .replacing("Contract  ", with: "Contract  0")
            ),
            (
                "a date",
                text.replacing("Contract", with: "Agreed    2026-11-20T10:12:00Z\nContract")
            ),
            ("one move left out", (lines[..<3] + lines[4...]).joined(separator: "\n")),
            ("another flight", text.replacing("XY123/", with: "XY124/")),
            ("words behind it", text + "The crew has seen this.\n"),
            (
                "a swap that has nothing to do with it",
                try paper.text([paper.commit.bytes, other.bytes])
            ),
        ]
        #expect(forgeries.count == 10)
        for (name, forged) in forgeries {
            #expect(forged != text, "\(name)")
            #expect(paper.refusal(forged)?.code == .badCertificate, "\(name)")
        }
        let captain = paper.refusal(forgeries[1].1)
        #expect(captain?.why?.hasPrefix("line 1 is \"Seat swap agreed by all. The captain") == true)
    }

    @Test("Smaller changes are refused too: spaces, look-alikes, wrapping, a mark in front")
    func smaller() throws {
        let paper = try Paper()
        let text = try paper.text()
        let changed = [
            "> " + text, "\u{FEFF}" + text, text + "\n", text.replacing("12A ", with: "12A  "),
            // Equal as text, by the rules of Unicode, and not as bytes: the sign for kelvin.
            text.replacing("Seat swap", with: "Seat swap\u{200B}"), text.uppercased(),
            text.replacing("a", with: "\u{430}"), text.replacing("\n", with: "\r"), "",
            text.replacing("-----END", with: "\n-----END"),
        ]
        for text in changed { #expect(paper.refusal(text)?.code == .badCertificate, "\(text)") }
        let kelvin = text.replacing("k", with: "\u{212A}").replacing("K", with: "\u{212A}")
        #expect(paper.refusal(kelvin)?.code == .badCertificate)
    }

    @Test("With a cabin code it is valid by that code alone, and says so where none is given")
    func gated() throws {
        let paper = try Paper(code: "k7q2m5")
        let text = try paper.text()
        #expect(text.contains("Flight    XY123/2026-11-22/DUB, with a cabin code\n"))
        #expect(paper.refusal(text, code: "k7q2m5") == nil)
        let asks = paper.refusal(text)
        #expect(asks?.what == "the receipt cannot be checked without the cabin code of its flight")
        #expect(paper.refusal(text, code: "k7q2m6")?.code == .badCertificate)
        // Without the words the flight would be another one.
        let open = text.replacing(", with a cabin code", with: "")
        #expect(paper.refusal(open, code: "k7q2m5")?.code == .badCertificate)
        #expect(paper.refusal(open)?.code == .badCertificate)
    }

    @Test("Earlier swaps stand in any order, each once, and no other")
    func ancestry() throws {
        var paper = try Paper()
        let voyage = paper.voyage
        let second = try paper.voyage.swap([("12A", voyage.cy), ("20F", voyage.ada)], nonce: 2)
        let third = try paper.voyage.swap([("14C", voyage.ada), ("20F", voyage.bo)], nonce: 3)
        func check(_ entries: [Entry]) -> String? {
            do throws(UserError) {
                let bytes = entries.map(\.bytes)
                _ = try CertificateCheck(bytes, primitives: voyage.primitives)
                return nil
            } catch {
                return error.why
            }
        }
        #expect(check([third, paper.commit, second]) == nil)
        #expect(check([third, second, paper.commit]) == nil)
        #expect(check([third, second, paper.commit, second]) == "it holds one swap twice")
        #expect(
            check([paper.commit, third, second])
                == "it holds a swap that its seats did not go through")
    }
}
