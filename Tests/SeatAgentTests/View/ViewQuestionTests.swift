// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import SeatAgent
@testable import Terminal
@testable import Text

@Suite("A question, y or n")
struct ViewQuestionTests {
    private static let line = "/swap 12A aisle for window"

    /// ada has typed `/swap 12A ...`, and its question stands.
    private func asked() -> Aboard {
        var view = Aboard()
        view.type(Self.line)
        guard case .call(_, let purpose) = view.press(.enter).first else { return view }
        view.answer(
            purpose, ["who": Aboard.bo, "give": "14C", "take": "12A", "risk": "14C is stuck"])
        return view
    }

    @Test("Any key but y or n puts it away and gives the line back, then and later")
    func otherKeys() {
        let keys: [Key] = [
            .letter("o"), .letter("x"), .letter(" "), .enter, .escape, .tab, .backspace, .up,
            .pageUp, .function(2), .function(5), .control("c"), .alt("a"), .paste("y"),
        ]
        for key in keys {
            for isRead in [false, true] {
                var view = asked()
                #expect(view.state.question != nil)
                if isRead { view.wait() }
                #expect(view.press(key).isEmpty && view.state.question == nil, "\(key)")
                #expect(view.state.editor.text == Self.line, "\(key)")
                #expect(view.screen[22] == " Nothing was sent. Your line is back.")
            }
        }
    }

    @Test("Who types okay sends nothing")
    func okay() {
        var view = asked()
        view.wait()
        #expect(view.type("okay").isEmpty && view.state.question == nil)
    }

    @Test("A y or an n in its first second does nothing; the second question has its own second")
    func firstSecond() {
        var view = asked()
        for letter in "yYnN" {
            #expect(view.press(.letter(letter)).isEmpty && view.state.question != nil)
        }
        view.state.now = view.state.now + .milliseconds(999)
        #expect(view.press(.letter("y")).isEmpty && view.state.question?.second != nil)
        view.state.now = view.state.now + .milliseconds(1)
        #expect(view.press(.letter("y"), .letter("y")).isEmpty)
        #expect(view.state.question?.sentence.hasPrefix("Nobody has verified them") == true)
        var away = view
        away.press(.letter("m"))
        #expect(away.state.question == nil && away.state.editor.text == Self.line)
        view.wait()
        #expect(view.press(.letter("y")).count == 1)
    }

    @Test("The second begins when the question is on the screen, which says when it is over")
    func painted() {
        var view = asked()
        view.wait()
        let isNew = view.state.painted(at: view.state.now)
        let isNewAgain = view.state.painted(at: view.state.now + .seconds(5))
        #expect(isNew && !isNewAgain)
        #expect(view.press(.letter("y")).isEmpty && view.state.question?.second != nil)
        #expect(view.screen[22] == " Read it first: y and n count in a moment")
        view.wait()
        #expect(view.screen[22] == " y or n answers, any other key puts it away")
        #expect(view.screen[23].hasSuffix("for 12A (window)? y/n"))
    }

    @Test("What was typed before F5 is there again; n is a no, and the line is in the history")
    func box() {
        var view = Aboard()
        view.devAsks()
        view.type("half a line")
        view.press(.function(5), .letter("a"))
        view.wait()
        #expect(view.press(.letter("k")).isEmpty && view.state.question == nil)
        #expect(view.screen[23] == "[all] half a line")
        var other = asked()
        other.wait()
        #expect(other.press(.letter("n")).isEmpty && other.state.editor.isEmpty)
        other.press(.up)
        #expect(other.state.editor.text == Self.line)
    }

    @Test("In the cabin it leads back to the cabin")
    func cabin() {
        var view = Aboard()
        view.press(.tab, .letter("o"))
        view.wait()
        #expect(view.press(.right).isEmpty && view.state.question == nil)
        #expect(view.state.focus == .cabin && view.state.cursor == Seat("14C"))
    }

    @Test("One that came by itself lets what is typed into the line, and is asked again with F5")
    func unasked() {
        var view = Aboard()
        _ = view.state.handle(
            event: [
                "event": "verify", "at": "2026-11-21T10:02:00Z", "state": "compare",
                "code": "1 - 2 - 3", "who": Aboard.dev,
            ])
        view.wait()
        #expect(view.type("hello, any").isEmpty)
        #expect(view.state.editor.text == "hello, any" && view.state.question == nil)
        view.press(.function(5))
        #expect(view.state.question?.comparing == "key-dev")
        view.press(.paste(" more"))
        #expect(view.state.editor.text == "hello, any more" && view.state.question == nil)
    }
}

@Suite("Keys that come at once")
struct EscapeTests {
    @Test("Escape and a letter in one read are two keys, but for Alt keys that mean something")
    func escape() {
        for letter in "/qOéz-" {
            #expect(Key.afterEscape(letter) == [.escape, .letter(letter)])
        }
        for letter in "abdf123456789" { #expect(Key.afterEscape(letter) == [.alt(letter)]) }
    }
}
