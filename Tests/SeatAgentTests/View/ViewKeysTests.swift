// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import Doctor
@testable import Grammar
@testable import View
import Protocol
import Testing

@testable import SeatAgent
@testable import Terminal
@testable import Text

@Suite("Keys")
struct ViewKeysTests {
    @Test("A line is said, and a line that begins with two slashes too, with one")
    func saying() {
        var view = Aboard()
        view.type("hello")
        #expect(
            view.press(.enter) == [.ask(op: "say", arguments: ["text": "hello"], .say("hello"))])
        view.type("//shrug")
        #expect(
            view.press(.enter) == [.ask(op: "say", arguments: ["text": "/shrug"], .say("/shrug"))])
        #expect(view.press(.enter).isEmpty)
    }

    @Test("A word that is no command is never sent, and stays to be mended")
    func unknown() {
        var view = Aboard()
        view.type("/sawp 12A")
        #expect(view.press(.enter).isEmpty)
        #expect(view.state.notice == "No command /sawp. Did you mean /swap? Nothing was sent.")
        #expect(view.state.editor.text == "/sawp 12A")
    }

    @Test("A blank before a slash sends nothing to everyone")
    func blankBefore() {
        var view = Aboard()
        view.type("  /quit")
        #expect(view.press(.enter) == [.quit])
    }

    @Test("A line that is typed while a passenger is looked up waits for them")
    func lookingUp() {
        var view = Aboard()
        view.type("/to bo")
        view.press(.enter)
        view.type("secret")
        #expect(view.press(.enter).isEmpty && view.state.editor.text == "secret")
        view.answer(.talk, Aboard.bo)
        #expect(view.state.conversation.key == "key-bo")
        #expect(
            view.press(.enter) == [
                .ask(
                    op: "msg", arguments: ["who": "key-bo", "text": "secret"],
                    .message("secret", key: "key-bo"))
            ])
    }

    @Test("A game needs no name where one passenger is talked to")
    func playing() {
        var view = Aboard()
        view.type("/play d")
        #expect(view.press(.enter).isEmpty)
        view.type("/play bo --new")
        #expect(view.press(.enter) == [.run(["play", "bo", "--new"])])
        view.press(.escape)
        view.type("/to bo")
        view.press(.enter)
        view.answer(.talk, Aboard.bo)
        view.type("/play d")
        guard case .run(let words)? = view.press(.enter).first else {
            Issue.record("nothing runs")
            return
        }
        #expect(words.count == 3 && words[0] == "play" && words[2] == "d")
    }

    @Test("What failed comes back into the line, or into the history where another was begun")
    func failing() {
        var view = Aboard()
        view.type("hello")
        view.press(.enter)
        _ = view.state.answered(.say("hello"), .failure(UserError(.tooLong, "too long")))
        #expect(view.state.editor.text == "hello")
        view.press(.enter)
        view.type("other")
        _ = view.state.answered(.say("hello"), .failure(UserError(.tooLong, "too long")))
        #expect(view.state.editor.text == "other")
        view.press(.up)
        #expect(view.state.editor.text == "hello")
    }

    @Test("A ring is asked for as a seat is: everybody's moves, and the user's first")
    func ring() throws {
        var view = Aboard()
        view.type("/ring 14c 12A 20F we all win")
        var ring = Op.Ring(seats: ["14C", "12A", "20F"])
        ring.terms.note = "we all win"
        let purpose = Purpose.draft(.ring(ring), line: "/ring 14c 12A 20F we all win")
        #expect(view.press(.enter) == [.call(Drafted.ring(ring).draft, purpose)])
        func move(_ seat: String, _ from: JSON, _ to: JSON) -> JSON {
            ["seat": .string(seat), "from": from, "to": to]
        }
        let (ada, bo, dev) = (Aboard.ada, Aboard.bo, Aboard.dev)
        view.answer(
            purpose,
            [
                "moves": [
                    move("14C", ada, bo), move("12A", bo, dev), move("20F", dev, ada),
                ]
            ])
        let question = try #require(view.state.question)
        #expect(question.sentence == "Propose it? y/n")
        #expect(question.lines.count == 4)
        // Mine first, each in a line of its own, above the question.
        let screen = view.screen
        #expect(screen[18].hasPrefix(" y or n answers") || screen[18].hasPrefix(" Read it first"))
        #expect(screen[19] == " If all agree:")
        #expect(screen[20] == "   you give 14C (aisle) and get 20F (window)")
        #expect(screen[21].hasPrefix("   bo #") && screen[21].hasSuffix("gives 12A and gets 14C"))
        #expect(screen[22].hasPrefix("   dev #") && screen[23] == " Propose it? y/n")
        view.wait()
        ring.holders = ["key-bo", "key-dev"]
        #expect(view.press(.letter("y")) == [.call(Drafted.ring(ring).call, .asked)])
        #expect(Drafted.ring(ring).typed == "/ring 14C 12A 20F we all win")
        // Too few seats are no ring: the line stays.
        view.type("/ring 14C 12A")
        #expect(view.press(.enter).isEmpty && view.state.editor.text == "/ring 14C 12A")
    }

    @Test("Asking for a seat: draft, sentence, y; never by the key that began it")
    func asking() throws {
        var view = Aboard()
        view.type("/swap 12a aisle for window")
        let draft = view.press(.enter)
        let arguments: [String: JSON] = ["seat": "12A", "note": "aisle for window"]
        let purpose = Purpose.draft(arguments: arguments, line: "/swap 12a aisle for window")
        #expect(
            draft == [
                .ask(
                    op: "swap", arguments: arguments.merging(["draft": true]) { $1 }, purpose)
            ])
        view.answer(purpose, ["who": Aboard.bo, "give": "14C", "take": "12A"])
        #expect(
            view.state.question?.sentence
                == "Ask bo #bo verified (12A) to swap your 14C (aisle) for 12A (window)? y/n")
        view.wait()
        #expect(view.press(.enter).isEmpty && view.state.question == nil)
        #expect(view.state.editor.text == "/swap 12a aisle for window")
        view.press(.control("u"))
        view.answer(purpose, ["who": Aboard.bo, "give": "14C", "take": "12A"])
        #expect(view.press(.letter("y")).isEmpty)
        view.wait()
        let named = arguments.merging(["holder": "key-bo"]) { $1 }
        #expect(view.press(.letter("y")) == [.ask(op: "swap", arguments: named, .asked)])
    }

    @Test("Which seat is given can be said")
    func giving() {
        var view = Aboard()
        view.type("/swap 12A for 14d please")
        guard case .call(let call, _) = view.press(.enter).first else {
            Issue.record("nothing was asked")
            return
        }
        #expect(call.arguments["give"] == "14D" && call.arguments["note"] == "please")
    }

    @Test("The box of requests: a, then y; the yes names what was shown")
    func accepting() {
        var view = Aboard()
        #expect(view.press(.function(5)).isEmpty)
        view.devAsks()
        view.press(.function(5))
        #expect(view.state.focus == .request)
        #expect(view.press(.letter("y")).isEmpty)
        #expect(view.press(.letter("a")).isEmpty)
        #expect(
            view.state.question?.sentence
                == "Give your 14C (aisle) to dev #dev (22D) and take 22D (aisle)? y/n")
        // "maybe yes" is no yes, however slowly it is typed.
        for letter in "maybe yes" {
            #expect(view.press(.letter(letter)).isEmpty)
            view.state.now = view.state.now + .seconds(2)
        }
        view.press(.control("u"), .function(5), .letter("a"))
        view.wait()
        #expect(
            view.press(.letter("y")) == [
                .ask(
                    op: "accept",
                    arguments: ["request": 1, "contract": "c0ffee", "keep": true], .answered)
            ])
    }

    @Test("No asks too, tells only a note, and Enter is no yes to it")
    func declining() {
        var view = Aboard()
        view.devAsks()
        view.type("/decline 1 sorry, kids")
        #expect(view.press(.enter).isEmpty)
        view.wait()
        #expect(view.press(.enter).isEmpty)
        #expect(view.state.editor.text == "/decline 1 sorry, kids")
        view.press(.control("u"))
        view.type("/decline sorry")
        view.press(.enter)
        view.wait()
        #expect(
            view.press(.letter("y")) == [
                .ask(op: "decline", arguments: ["request": 1, "note": "sorry"], .declined)
            ])
        view.type("/accept 7")
        view.press(.enter)
        #expect(view.state.notice?.contains("no such request 7") == true)
    }

    @Test("Ctrl-C clears, then says how to leave, then leaves within two seconds only")
    func interrupting() {
        var view = Aboard()
        view.type("half")
        #expect(view.press(.control("c")).isEmpty && view.state.editor.isEmpty)
        #expect(view.press(.control("c")).isEmpty)
        view.state.now = view.state.now + .seconds(3)
        #expect(view.press(.control("c")).isEmpty)
        view.state.now = view.state.now + .seconds(1)
        #expect(view.press(.control("c")) == [.quit])
        #expect(view.press(.control("c"), .letter("a"), .backspace, .control("c")).isEmpty)
    }

    @Test("A name of two words is completed to its seat where words follow it")
    func completingNames() {
        var view = Aboard()
        let long = Aboard.who("Maximiliano von Habsburg", "3F")
        view.answer(.peers, ["peers": [long, Aboard.who("Maximiliano", "9A")]])
        view.type("/msg Max")
        view.press(.tab)
        #expect(view.state.editor.text == "/msg Maximiliano ")
        view.press(.tab)
        #expect(view.state.editor.text == "/msg 3F ")
        view.press(.control("c"))
        // The rest of a long name is no text to somebody who is called as it begins.
        view.type("/msg Maximiliano von Habsburg secret")
        #expect(view.press(.enter).isEmpty)
        #expect(view.state.notice?.contains("/msg 3F") == true)
        #expect(view.state.editor.text == "/msg Maximiliano von Habsburg secret")
        view.press(.control("c"))
        view.type("hi Max")
        view.press(.tab, .tab)
        #expect(view.state.editor.text == "hi Maximiliano von Habsburg ")
    }

    @Test("Tab after the line has changed under it does no harm")
    func staleCompletion() {
        var view = Aboard()
        view.type("/swap 1")
        view.press(.tab, .control("x"))
        view.state.edited(.text("x"))
        #expect(view.press(.tab).isEmpty)
        var line = LineEditor()
        line.insert("x")
        line.replace(from: 6, with: "y")
        #expect(line.text == "x")
    }

    @Test("A paste of three lines is one text, sent by one Enter")
    func pasting() {
        var view = Aboard()
        #expect(view.press(.paste("one\r\ntwo\rthree")).isEmpty)
        #expect(view.state.editor.lineCount == 3)
        #expect(view.screen.contains { $0.hasPrefix(" 3 lines: Enter sends") })
        #expect(
            view.press(.enter) == [
                .ask(
                    op: "say", arguments: ["text": "one\ntwo\nthree"], .say("one\ntwo\nthree"))
            ])
    }

    @Test("Ctrl-X Ctrl-E opens the editor, Ctrl-E alone goes to the end")
    func prefix() {
        var view = Aboard()
        view.type("text")
        #expect(view.press(.control("x"), .control("e")) == [.edit("text")])
        #expect(view.press(.control("e")).isEmpty)
        view.state.edited(.text("changed"))
        #expect(view.state.editor.text == "changed")
        view.state.edited(.failed("no"))
        #expect(view.state.editor.text == "changed")
    }

    @Test("Conversations keep their drafts; unread ones come first with Alt-a")
    func conversations() {
        var view = Aboard()
        view.type("for all")
        view.message(Aboard.bo, "psst")
        #expect(view.state.unread == 1)
        view.press(.alt("a"))
        #expect(view.state.conversation.key == "key-bo" && view.state.unread == 0)
        #expect(view.state.editor.isEmpty)
        view.type("for bo")
        view.press(.alt("1"))
        #expect(view.state.editor.text == "for all")
        view.press(.control("n"))
        #expect(view.state.editor.text == "for bo")
        #expect(
            view.press(.enter) == [
                .ask(
                    op: "msg", arguments: ["who": "key-bo", "text": "for bo"],
                    .message("for bo", key: "key-bo"))
            ])
        view.press(.alt("9"))
        #expect(view.state.conversation.key == "key-bo")
    }

    @Test("Each key means one thing in one place, and the help shows what works")
    func table() {
        for place in KeyBinding.Place.allCases {
            let keys = KeyTable.bindings.filter { $0.place == place }.flatMap(\.keys)
            #expect(Set(keys).count == keys.count, "\(place)")
        }
        let help = HelpPage.lines().joined(separator: "\n")
        for command in SlashTable.commands { #expect(help.contains("/\(command.name)")) }
        // On a flight nobody needs to read of venues.
        let ofVenues = CommandTable.commands.filter(\.isOfVenues).map(\.name)
        for name in SlashTable.names where !ofVenues.contains(name) {
            #expect(help.contains("/\(name)"))
        }
        let words = [
            "F1", "F2", "F3", "F4", "F5", "F6", "Tab", "Alt-a", "Ctrl-L", "Ctrl-Z", "Ctrl-C",
            "PgUp", "Ctrl-X Ctrl-E", "Alt-Enter", "Ctrl-_", "hjkl",
        ]
        for word in words { #expect(help.contains(word)) }
    }
}
