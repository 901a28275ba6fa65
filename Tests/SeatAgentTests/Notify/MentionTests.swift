// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import Notify
import Testing

@testable import SeatAgent
@testable import Text

/// Whether a line speaks of somebody.
@Suite("Mentions")
struct MentionTests {
    private func isCalled(_ name: String, _ text: String, seats: [String] = ["14C"]) -> Bool {
        let seats = JSON.array(seats.map(JSON.string))
        return Mention(["name": .string(name), "seats": seats]).isIn(text)
    }

    @Test(
        "By name, whatever stands around it",
        arguments: [
            "ada", "Ada?", "hello ADA, hi", "(ada)", "@ada", "x\u{A0}ada\u{A0}y", "\u{A0}ada",
            "ada\u{202F}!", "ada:", "«ada»", "go-ada-go", "ada\u{200B}", "a\u{200D}da",
            "座席ada座席", "ada's",
        ])
    func named(text: String) { #expect(isCalled("ada", text)) }

    @Test(
        "Not inside another word",
        arguments: [
            "adagio", "nevada", "ada1", "1ada", "ada_x", "canada", "", "a da", "adá", "äada",
        ])
    func notNamed(text: String) { #expect(!isCalled("ada", text)) }

    @Test("By seat, in any case, and not inside a number")
    func seats() {
        #expect(isCalled("x", "is 14c free?"))
        #expect(isCalled("x", "14C"))
        #expect(isCalled("x", "4A or 14C", seats: ["4A"]))
        #expect(!isCalled("x", "114C"))
        #expect(!isCalled("x", "14CD"))
        #expect(!isCalled("x", "4A", seats: []))
    }

    @Test("Accents match however they are written, names of several words as a whole")
    func spellings() {
        #expect(isCalled("Chlo\u{EB}", "salut chloe\u{308}!"))
        #expect(!isCalled("Chlo\u{EB}", "salut chloe"))
        #expect(isCalled("ada l.", "ask Ada L. about it"))
        #expect(!isCalled("ada l.", "ask Ada about it"))
        #expect(isCalled("김하늘", "김하늘, 안녕하세요"))
        #expect(isCalled("座子", "今日座子は"))
    }

    @Test("A name that everybody may have calls nobody")
    func nobody() {
        #expect(!isCalled("passenger", "dear passenger"))
        #expect(!isCalled("a", "a window"))
        #expect(!isCalled("", "anything"))
        #expect(!isCalled("  ", "any thing"))
        let nobody: Person? = nil
        #expect(!Mention(nobody).isIn("anything"))
    }
}
