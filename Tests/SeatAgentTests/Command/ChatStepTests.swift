// SPDX-License-Identifier: Apache-2.0
@testable import Grammar
@testable import View
import Testing

@testable import SeatAgent
@testable import Text

/// What a typed line of the plain chat means.
@Suite("Plain chat")
struct ChatStepTests {
    @Test(
        "Lines and commands",
        arguments: [
            ("", .nothing), ("  \t", .nothing), ("hello", .say("hello")),
            ("  /quit", .quit), (" //me", .say("/me")), (" hello", .say(" hello")),
            ("//me", .say("/me")),
            ("/me waves  twice", .act("waves  twice")),
            ("/to bo", .talkTo("bo")), ("/to ALL", .talkTo(nil)), ("/to #c2d9", .talkTo("#c2d9")),
            ("/to ada l.", .talkTo("ada l.")),
            ("/msg bo -- hi  there", .run(["msg", "--", "bo", "-- hi  there"])),
            ("/search --limit x", .run(["search", "--", "--limit x"])),
            ("/name ada l.", .run(["rename", "--", "ada l."])), ("/seat 3A", .reseat("3A")),
            ("/swap 12A", .run(["swap", "12A"])),
            ("/swap 12A aisle - for window", .run(["swap", "12A", "--note=aisle - for window"])),
            ("/swap 12A for 14c pls", .run(["swap", "12A", "--give", "14C", "--note=pls"])),
            ("/swap 12A for the window", .run(["swap", "12A", "--note=for the window"])),
            ("/swap 12A --expires 5m", .run(["swap", "12A", "--expires", "5m"])),
            ("/decline", .run(["decline"])), ("/decline 2", .run(["decline", "2"])),
            ("/decline 2 so sorry", .run(["decline", "2", "--note=so sorry"])),
            ("/decline sorry", .run(["decline", "--note=sorry"])),
            ("/offer for window", .run(["offer", "window"])),
            ("/seated", .run(["seated"])), ("/seated 1 off", .run(["seated", "1", "off"])),
            ("/accept 1", .run(["accept", "1"])), ("/accept", .run(["accept"])),
            ("/requests", .run(["requests"])), ("/doctor", .run(["doctor"])),
            ("/help", .help), ("/help /swap", .run(["help", "swap"])),
            ("/quit", .quit), ("/q", .quit), ("/leave", .leave), ("/down", .leave),
        ] as [(String, ChatStep)])
    func steps(line: String, step: ChatStep) { #expect(ChatStep(line) == step) }

    @Test(
        "What is no command, or not one here, is told and never sent",
        arguments: [
            "/sawp 12A", "/", "/ hello", "/\u{1B}[2J", "/up --seat 1A", "/agent", "/watch",
            "/log -f", "/together --watch", "/match --watch", "/chat", "/restart", "/clear",
            "/notify off", "/mouse on", "/web", "/qr",
            "/to", "/me", "/msg bo", "/swap", "/seat", "/name", "/__complete seats",
        ])
    func told(line: String) {
        guard case .tell(let words) = ChatStep(line) else {
            Issue.record("\(line) does something")
            return
        }
        #expect(words.unicodeScalars.allSatisfy { $0.isSafeToPrint || $0 == " " })
    }

    @Test("Seats of a ring and of a swap, then a note")
    func several() {
        #expect(ChatStep("/ring 14c 12A 20B") == .run(["ring", "14C", "12A", "20B"]))
        #expect(
            ChatStep("/ring 14C 12A 20B we all win")
                == .run(["ring", "14C", "12A", "20B", "--note=we all win"]))
        #expect(ChatStep("/ring 14C 12A bo") == .run(["ring", "14C", "12A", "bo"]))
        #expect(
            ChatStep("/swap 12A,12B for 14C,14D please")
                == .run(["swap", "12A,12B", "--give", "14C,14D", "--note=please"]))
        #expect(ChatStep("/undo 3 it was cold") == .run(["undo", "3", "--note=it was cold"]))
    }

    @Test("The former /party is run, and says its new name")
    func moved() {
        #expect(ChatStep("/party 17B child") == .run(["party", "17B", "child"]))
    }

    @Test("Every slash command of the view is known here", arguments: SlashTable.names)
    func all(name: String) {
        if case .tell(let words) = ChatStep("/\(name) 12A text") {
            #expect(!words.hasPrefix("No command"), "/\(name)")
        }
        if ["notify", "mouse", "people"].contains(name) { return }
        let listed = ChatStep.helpLines().contains {
            $0.hasPrefix("  /\(name) ") || $0.hasPrefix("  Also ") && $0.contains(" /\(name)")
        }
        #expect(listed || name == "clear", "/\(name) is not in the help")
    }

    @Test("What a chat runs is a command line that the program understands")
    func understood() throws {
        for line in [
            "/msg bo -x", "/search -5", "/name -ada", "/swap 12A -- so", "/decline 1 -no",
            "/offer for front,12A", "/accept 1 --yes", "/who bo",
        ] {
            guard case .run(let words) = ChatStep(line) else {
                Issue.record("\(line) runs nothing")
                continue
            }
            _ = try CommandTable.parser.parse(words)
        }
    }

    // MARK: What comes in

    private let bo: JSON = ["name": "bo", "key": "b0", "tag": "#bbbb", "seats": ["12A"]]
    private let me: JSON = ["name": "ada", "key": "a0", "tag": "#aaaa", "me": true]

    private func chat(_ text: String, who: JSON, id: String) -> JSON {
        ["event": "chat", "who": who, "text": .string(text), "id": .string(id)]
    }

    @Test("On a terminal a sent line is not repeated; one from elsewhere is shown")
    func echo() {
        var terminal = ChatListener(isEchoed: true, ascii: false)
        #expect(terminal.sent(["id": "1", "linked": 3]) == .delivered(3))
        #expect(terminal.line(chat("hi", who: me, id: "1")) == nil)
        #expect(terminal.line(chat("hi", who: me, id: "2")) == "--:--  ada  hi")
        #expect(terminal.line(chat("hi", who: bo, id: "3")) == "--:--  bo (12A)  hi")
    }

    @Test("In a pipe it is shown with its mark")
    func marks() {
        for (answer, mark): (JSON, String) in [
            (["id": "1", "linked": 3], "✓3"), (["id": "1", "linked": 1], "✓"),
            (["id": "1", "linked": 0], "!"),
        ] {
            var pipe = ChatListener(isEchoed: false, ascii: false)
            _ = pipe.sent(answer)
            #expect(pipe.line(chat("hi", who: me, id: "1")) == "--:--  ada  hi  " + mark)
        }
        var ascii = ChatListener(isEchoed: false, ascii: true)
        _ = ascii.sent(["id": "1", "linked": 3])
        #expect(ascii.line(chat("hi", who: me, id: "1")) == "--:--  ada  hi  ok3")
        #expect(ascii.sent(["id": "2", "state": "waiting"]) == .waiting)
        let event: JSON = ["event": "message", "outgoing": true, "who": bo, "text": "x", "id": "2"]
        #expect(ascii.line(event.adding(["state": "waiting"])) == nil)
        #expect(
            ascii.line(event.adding(["state": "acknowledged"])) == "--:--  to bo (12A): x  ok")
    }

    @Test("A chat with one passenger leaves out the cabin, and nothing that concerns oneself")
    func one() {
        let listener = ChatListener(only: "b0", isEchoed: true, ascii: false)
        let cy: JSON = ["name": "cy", "key": "c0", "tag": "#cccc"]
        #expect(listener.line(chat("x", who: cy, id: "1")) == nil)
        #expect(listener.line(chat("x", who: bo, id: "2")) != nil)
        #expect(
            listener.line([
                "event": "message", "who": cy, "text": "psst", "state": "received",
            ]) == "--:--  cy to you: psst")
        #expect(listener.line(["event": "trouble", "what": "bad"]) == "--:--  ! bad")
    }

    @Test("A rename is a line")
    func rename() {
        let listener = ChatListener(isEchoed: true, ascii: false)
        let event: JSON = ["event": "peer", "change": "renamed", "who": bo, "was": "bob"]
        #expect(listener.line(event) == "--:--  * bob is now called bo (12A)")
    }
}
