// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import SeatAgent
@testable import Text

extension Paper {
    /// What `seatagent receipt --verify FILE` does with a text; `nil` where it is valid.
    fileprivate func refusal(_ text: String, code: String? = nil) -> UserError? {
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

    @Test("Ten forgeries on a genuine certificate are all refused")
    func forgeries() throws {
        var paper = try Paper()
        let text = try paper.text()
        let forgeries = try paper.forgeries()
        #expect(forgeries.count == 10)
        for forgery in forgeries {
            #expect(forgery.text != text, "\(forgery.why)")
            #expect(paper.refusal(forgery.text)?.code == .badCertificate, "\(forgery.why)")
        }
        let captain = paper.refusal(forgeries[1].text)
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
