// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ControlAPI
@testable import SeatAgent
@testable import Terminal
@testable import Text
@testable import View

/// The party in the view: who is asked, and what the page about it says.
@Suite struct ViewPartyTests {
    private func party(_ companions: [JSON], asks candidates: [JSON]) -> JSON {
        [
            "code": "aaaa-aaaa-aaaa-aaaa-a", "link": "seatagent:party", "from_home": false,
            "open_for": 60, "others": [], "candidates": .array(candidates),
            "companions": .array(
                companions.map { ["who": $0, "here": true, "current": true] }),
        ]
    }

    /// The page of `/party new`, with what the command printed.
    private func made() -> Aboard {
        var view = Aboard()
        view.type("/party new")
        view.press(.enter)
        view.state.ran(
            ["party", "new"],
            lines: ["Code: 1", "Those who travel with you type: seatagent party join 1"])
        return view
    }

    @Test func whatACommandSaysToTypeIsSaidAsItIsTypedHere() {
        #expect(made().screen.contains(" Those who travel with you type: /party join 1"))
        var view = Aboard()
        _ = view.state.run(["log"])
        view.state.ran(["log"], lines: ["bo  I typed seatagent leave (seatagent cabins)"])
        // Somebody's words stay theirs.
        #expect(view.screen.contains(" bo  I typed seatagent leave (seatagent cabins)"))
        let words = "first seatagent cabins, then (seatagent wish), seatagent say and seatagent"
        #expect(
            SlashTable.typed(in: words)
                == "first /cabins, then (/wish), seatagent say and seatagent")
    }

    @Test func whoHasTheCodeIsAskedAboutAndThePageFollows() {
        var view = made()
        view.answer(.party, party([], asks: [Aboard.bo]))
        view.wait()
        #expect(view.screen[23] == " #bo bo (12A) has your code: with you? y/n")
        #expect(view.press(.letter("y")).count == 1)
        view.answer(.party, party([Aboard.bo], asks: [Aboard.dev]))
        let screen = view.screen
        #expect(screen.contains(" /party") && screen.contains(" #bo bo (12A): with you"))
        #expect(
            screen.contains(" Those who travel with you type: /party join aaaa-aaaa-aaaa-aaaa-a"))
        #expect(screen.contains(" To look for seats side by side: /together"))
        // What waits while another question is open is named without its answers.
        var busy = Aboard()
        busy.answer(.party, party([], asks: [Aboard.bo, Aboard.dev]))
        #expect(busy.screen[9] == " ! #dev dev (22D) has your code: with you?  F5 answer")
        // Another page stays.
        busy.press(.escape, .function(1))
        busy.answer(.party, party([Aboard.bo], asks: []))
        #expect(busy.screen.contains { $0.hasPrefix(" Help") })
    }

    @Test func aListAboveAQuestionCoversNothingThatWasSaidLast() {
        var view = Aboard()
        for index in 1...20 { _ = view.hear(Aboard.bo, "line \(index)") }
        view.state.put(
            Question(
                sentence: "Agree? y/n", lines: ["bo proposes:", "  you give", "  bo gives"],
                intent: .quit))
        #expect(view.screen[20] == " bo proposes:" && view.screen[23] == " Agree? y/n")
        #expect(view.screen[18].hasSuffix("line 20"))
    }
}
