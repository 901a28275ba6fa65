// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import View
import Protocol
import Testing

@testable import SeatAgent
@testable import Terminal
@testable import Text

@Suite("The cabin under the keys")
struct ViewCabinTests {
    @Test("Arrows follow the picture: lying and upright")
    func moving() {
        var lying = Aboard()
        lying.press(.tab)
        #expect(lying.state.cursor == Seat("14C"))
        lying.press(.right)
        #expect(lying.state.cursor == Seat("15C"))
        lying.press(.up)
        #expect(lying.state.cursor == Seat("15D"))
        lying.press(.letter("h"), .letter("j"), .letter("j"))
        #expect(lying.state.cursor == Seat("14B"))
        var upright = Aboard(width: 120, height: 40)
        upright.press(.function(2), .down, .right)
        #expect(upright.state.cursor == Seat("15D"))
        for _ in 0..<99 { upright.press(.right) }
        for _ in 0..<99 { upright.press(.down) }
        #expect(upright.state.cursor == Seat("32F"))
    }

    @Test("A typed seat jumps, a wrong one says what there is")
    func jumping() {
        var view = Aboard()
        view.press(.tab)
        view.type("/12a")
        #expect(view.state.cursor == Seat("12A"))
        view.type("33B")
        #expect(view.state.cursor == Seat("12A"))
        #expect(view.state.notice?.contains("rows go from 1 to 32") == true)
        view.press(.letter("1"), .escape, .tab, .letter("n"))
        #expect(view.state.cursor == Seat("22D"))
        view.type("nN")
        #expect(view.state.cursor == Seat("22D"))
    }

    @Test("Enter on a passenger asks for the seat, on nobody it says so")
    func asking() {
        var view = Aboard()
        view.press(.tab)
        view.type("12a")
        guard let arguments = view.press(.enter).first?.arguments(of: .swap) else {
            Issue.record("nothing was asked")
            return
        }
        #expect(arguments["seat"] == "12A" && arguments["draft"] == true)
        view.type("1f")
        #expect(view.press(.enter).isEmpty)
        #expect(view.state.notice == "Nobody is known in 1F.")
        view.type("14c")
        #expect(view.press(.enter).isEmpty)
        #expect(view.state.notice == "That is you.")
    }

    @Test("Two claims are shown as such and swapped with neither")
    func disputed() {
        var view = Aboard()
        view.seats([("12A", [Aboard.bo, Aboard.dev]), ("14C", [Aboard.ada])])
        view.press(.tab)
        view.type("12a")
        #expect(view.press(.enter).isEmpty)
        #expect(view.screen[9].hasPrefix(" 12A  claimed by bo #bo verified and dev #dev"))
        #expect(view.screen[8].contains("[?]"))
    }

    @Test("The mouse works on the map alone: click goes there, a second one asks")
    func mouse() throws {
        var view = Aboard()
        let point = try #require(Seat("12A").flatMap(ScreenLayout(view.state).point(of:)))
        #expect(view.press(.click(point)).isEmpty && view.state.cursor == nil)
        #expect(view.press(.tab).isEmpty && view.state.wantsMouse)
        #expect(view.press(.click(point)).isEmpty)
        #expect(view.state.cursor == Seat("12A"))
        #expect(view.press(.click(point)).count == 1)
        #expect(view.press(.escape).isEmpty && !view.state.wantsMouse)
        view.type("/mouse off")
        #expect(view.press(.enter).isEmpty)
        #expect(view.press(.tab).isEmpty && !view.state.wantsMouse)
    }

    @Test("m writes to who sits there, i says who it is, o offers and takes back")
    func acting() {
        var view = Aboard()
        view.press(.tab)
        view.type("12am")
        #expect(view.state.conversation.key == "key-bo" && view.state.focus == .input)
        view.press(.tab)
        #expect(view.press(.letter("i")) == [.run(["who", "key-bo"])])
        view.press(.escape, .tab)
        #expect(view.press(.letter("o")).isEmpty)
        view.wait()
        guard view.press(.letter("y")).first?.arguments(of: .offer) != nil else {
            Issue.record("nothing was offered")
            return
        }
        _ = view.state.handle(
            event: [
                "event": "offer", "at": "2026-11-21T10:02:00Z", "who": Aboard.ada,
                "seats": ["14C"], "wants": ["any"], "note": "",
            ])
        view.press(.letter("o"))
        view.wait()
        guard view.press(.letter("y")).first?.arguments(of: .withdraw) != nil else {
            Issue.record("nothing was taken back")
            return
        }
    }

    @Test("One key lets nobody ask, the first line says so, and the same key ends it")
    func openness() {
        var view = Aboard()
        func asks(_ intents: [ViewIntent]) -> JSON? {
            intents.first?.arguments(of: .wish)?["asks"]
        }
        view.press(.tab)
        #expect(asks(view.press(.letter("x"))) == "nothing")
        #expect(!view.screen[0].contains("requests off"))
        view.answer(.status, view.status.adding(["asks": "nothing"]))
        #expect(view.screen[0].contains("requests off"))
        #expect(asks(view.press(.letter("x"))) == "similar")
        view.answer(.status, view.status.adding(["asks": "anything"]))
        #expect(asks(view.press(.letter("x"))) == "nothing")
        view.answer(.status, view.status.adding(["asks": "nothing"]))
        #expect(asks(view.press(.letter("x"))) == "anything")
        // Whoever does not want to be asked is shown so, on the map and among people.
        let bo = Aboard.bo.adding(["asks": "nothing"])
        view.answer(.peers, ["peers": .array([bo, Aboard.dev])])
        view.press(.escape, .tab)
        view.type("12a")
        #expect(view.screen.contains { $0.contains("does not want to be asked") })
        view.press(.function(4))
        #expect(view.screen.contains { $0.contains("not to be asked") })
    }

    @Test("On a map that has become too small, no key acts")
    func shrinking() {
        var view = Aboard()
        view.press(.tab, .resize(width: 50, height: 12))
        view.type("o")
        #expect(view.state.question == nil && view.state.editor.text == "o")
    }

    @Test("A window too small for the cabin says how large it has to be")
    func small() {
        var view = Aboard(width: 50, height: 10)
        #expect(view.press(.tab).isEmpty)
        #expect(view.state.focus == .input)
        #expect(view.screen.contains { $0.contains("60x16") })
    }
}
