// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ControlAPI
@testable import Protocol
@testable import Terminal
@testable import Text
@testable import View

/// F3: what was found, a page each.
@Suite struct ViewPlansTests {
    private func change(_ who: JSON, _ from: String, _ to: String, own: Bool) -> JSON {
        .object(present: [
            "who": who, "from": .string(from), "to": .string(to), "own": own ? true : nil,
            "reason": own ? "together" : "wish", "rank": own ? nil : 1,
        ])
    }

    private func plan(_ number: Int, yours: Bool) -> JSON {
        let (one, two) = yours ? (Aboard.ada, "14C") : (Aboard.dev, "22D")
        return [
            "number": .int(number),
            "changes": [
                change(Aboard.bo, "12A", two, own: false), change(one, two, "12A", own: true),
            ],
            "moves": [
                ["seat": .string(two), "from": one, "to": Aboard.bo],
                ["seat": "12A", "from": Aboard.bo, "to": one],
            ],
            "sentences": [.string("Sentence \(number).")], "shape": "block", "together": 2,
            "helped": 1, "favours": 0, "yours": .bool(yours),
        ]
    }

    private func found(_ plans: [JSON]) -> JSON {
        [
            "party": [Aboard.ada, Aboard.dev], "shape": "apart", "together": 0,
            "plans": .array(plans), "whole": true,
        ]
    }

    private func mark(of seat: String, in view: Aboard) -> String? {
        guard let point = Seat(seat).flatMap(ScreenLayout(view.state).point(of:)) else {
            return nil
        }
        return String(Array(view.screen[point.y])[point.x])
    }

    @Test func theFirstThatTheUserCanProposeIsShownAndEnterAsks() {
        var view = Aboard()
        #expect(view.press(.function(3)) == [.ask(Op.Together(), .plans(.together))])
        #expect(view.screen.contains { $0.contains("Looking ...") })
        view.answer(.plans(.together), found([plan(1, yours: false), plan(2, yours: true)]))
        let screen = view.screen.joined(separator: "\n")
        #expect(screen.contains("Together: 2 of 2") && screen.contains("Sentence 2."))
        #expect(screen.contains("Both of you in one block; 1 person gets what they like better."))
        // The map shows the cabin after it, and before it.
        #expect(mark(of: "12A", in: view) == "@" && mark(of: "14C", in: view) == "x")
        #expect(mark(of: "22D", in: view) == "@" && mark(of: "20F", in: view) == "·")
        #expect(screen.contains("The cabin after this swap. Left: before it"))
        #expect(screen.contains("@ your") && screen.contains("x others"))
        view.press(.left)
        #expect(mark(of: "12A", in: view) == "x" && mark(of: "14C", in: view) == "@")
        #expect(view.screen[9].hasSuffix("The cabin before this swap. Right: after it"))
        view.press(.right)
        #expect(mark(of: "12A", in: view) == "@")
        // A window without room for both has the rows of both on the page.
        view.press(.resize(width: 60, height: 16))
        #expect(view.screen.contains { $0.contains("before") && $0.contains("after") })
        view.press(.resize(width: 80, height: 24))
        #expect(!view.screen.contains { $0.contains("before   ") })
        #expect(view.screen[22].hasPrefix(" Enter propose it"))
        view.press(.down)
        #expect(view.screen.contains { $0.contains("Together: 1 of 2") })
        #expect(view.press(.enter).isEmpty)
        #expect(view.screen[22] == " You keep your seat here, so dev has to propose it.")
        view.press(.up)
        let asked = view.press(.enter)
        #expect(view.state.focus == .input && view.state.plans == nil)
        guard case .call(let call, .draft(.plan(let proposal), _)) = asked.first else {
            Issue.record("nothing is asked: \(asked)")
            return
        }
        #expect(call.operation == .propose && call.arguments["draft"] == true)
        #expect(proposal.legs?.map(\.seat) == ["14C", "12A"])
        #expect(proposal.legs?.map(\.from) == ["key-ada", "key-bo"])
    }

    @Test func whyNothingWasFoundIsSaidOnThePage() {
        var view = Aboard()
        view.press(.function(3))
        _ = view.state.answered(
            .plans(.together),
            .failure(
                UserError(
                    .nothingFound, "there is nobody to sit with", why: "you are alone",
                    advice: "seatagent party new")))
        let screen = view.screen.joined(separator: "\n")
        #expect(screen.contains("there is nobody to sit with") && screen.contains("you are alone"))
        _ = view.state.answered(
            .plans(.together),
            .failure(UserError(.nothingFound, "none", advice: #"seatagent say "which seats?""#)))
        #expect(view.screen.contains { $0.contains("try: which seats?") })
        // Whoever sees it for the first time learns what to type, and may type it at once.
        for line in ["  /party new  ", "  /party join CODE  ", "  /wish SEAT  ", "  /match  "] {
            #expect(screen.contains(line))
        }
        #expect(view.screen[22].contains("/ command"))
        view.type("/party new")
        #expect(view.state.focus == .input && view.state.editor.text == "/party new")
        view.press(.control("u"), .function(3))
        #expect(view.press(.enter, .down, .escape).isEmpty && view.state.focus == .input)
        // What comes after the page was closed is not shown.
        view.press(.function(3), .function(3))
        view.answer(.plans(.together), found([plan(1, yours: true)]))
        #expect(view.state.page == nil && view.state.focus == .input)
    }

    @Test func theWordsOpenThePageToo() {
        var view = Aboard()
        view.type("/match")
        #expect(view.press(.enter) == [.ask(Op.Match(), .plans(.match))])
        // What F3 asked for before it was closed is another answer, and so is a second one.
        view.answer(.plans(.together), found([plan(1, yours: true)]))
        #expect(view.screen.contains { $0.contains("Looking ...") })
        view.answer(.plans(.match), found([plan(1, yours: true)]))
        view.answer(.plans(.match), found([plan(1, yours: true), plan(2, yours: true)]))
        #expect(view.screen.contains { $0.contains("What you wish: 1 of 1") })
    }

    @Test func whatChangedMeanwhileIsSaidAndRLooksAgain() {
        var view = Aboard()
        view.press(.function(3))
        // While it looks there is nothing to look at again.
        #expect(view.press(.letter("r")).isEmpty)
        view.answer(.plans(.together), found([plan(1, yours: true)]))
        #expect(view.screen[22].contains("r look again"))
        let line: JSON = [
            "event": "seat", "at": "2026-11-21T10:06:00Z", "seat": "9A", "state": "held",
            "holders": [Aboard.dev],
        ]
        _ = view.hear(Aboard.bo, "hello")
        #expect(!view.screen.contains { $0.contains("something changed") })
        _ = view.state.handle(event: ToldEvent(line).event)
        // What is on the screen stays.
        let screen = view.screen.joined(separator: "\n")
        #expect(screen.contains("Together: 1 of 1 (something changed: r looks again)"))
        #expect(screen.contains("Sentence 1."))
        #expect(view.press(.letter("r")) == [.ask(Op.Together(), .plans(.together))])
        #expect(view.screen.contains { $0.contains("Looking ...") })
        view.answer(.plans(.together), found([plan(1, yours: true), plan(2, yours: true)]))
        #expect(view.screen.contains { $0.contains("Together: 1 of 2") })
        #expect(!view.screen.contains { $0.contains("something changed") })
    }
}
