// SPDX-License-Identifier: Apache-2.0
@testable import View
import Testing

@testable import SeatAgent
@testable import Terminal
@testable import Text

@Suite("The line that is typed")
struct LineEditorTests {
    private func editor(_ text: String) -> LineEditor {
        var editor = LineEditor()
        for letter in text { editor.insert(String(letter)) }
        return editor
    }

    @Test("Typing, moving and deleting by letters and words")
    func moving() {
        var line = editor("swap with bo")
        line.wordLeft()
        line.insert("x")
        #expect(line.text == "swap with xbo")
        line.deleteLeft()
        line.home()
        line.wordRight()
        line.killWordRight()
        #expect(line.text == "swap bo")
        line.end()
        line.yank()
        #expect(line.text == "swap bo with")
        line.killToStart()
        #expect(line.isEmpty)
        line.deleteLeft()
        line.deleteRight()
        line.left()
        #expect(line.caret == 0)
    }

    @Test("A mark joins the letter before it, and goes with it")
    func marks() {
        var line = editor("e")
        line.insert("\u{301}")
        #expect(line.letters.count == 1 && line.caret == 1)
        line.deleteLeft()
        #expect(line.isEmpty)
    }

    @Test("Undo takes words back, not letters, and cleared lines come back")
    func undo() {
        var line = editor("one two")
        line.undo()
        #expect(line.text == "one ")
        line.clear()
        #expect(line.isEmpty)
        line.undo()
        #expect(line.text == "one ")
        for _ in 0..<10 { line.undo() }
        #expect(line.isEmpty)
    }

    @Test("The history goes back and comes back to what was being typed")
    func history() {
        var line = editor("first")
        #expect(line.take() == "first")
        line.insert("second")
        _ = line.take()
        line.insert("half")
        line.earlier()
        #expect(line.text == "second")
        line.earlier()
        line.earlier()
        #expect(line.text == "first")
        line.later()
        line.later()
        #expect(line.text == "half")
        line.later()
        #expect(line.text == "half")
    }

    @Test("Controls are left out, line ends stay, and there is an end to it")
    func controls() {
        var line = LineEditor()
        line.insert("a\u{1B}[2J\nb\u{7F}\u{9B}")
        #expect(line.text == "a[2J\nb")
        #expect(line.lineCount == 2)
        line.insert(String(repeating: "x", count: LineEditor.limit))
        #expect(line.text == "a[2J\nb")
    }

    @Test("A long line shows the part around its caret")
    func picture() {
        var line = editor(String(repeating: "0123456789", count: 3))
        #expect(InputPicture(line, room: 12).text.hasSuffix("89"))
        #expect(InputPicture(line, room: 12).caret == 11)
        line.home()
        let start = InputPicture(line, room: 12)
        #expect(start.caret == 0 && start.text.hasPrefix("0123456789"))
        let wide = editor("座席座席座席")
        #expect(InputPicture(wide, room: 6).caret <= 5)
        #expect(cellWidth(InputPicture(wide, room: 6).text) <= 6)
    }

    @Test("Tab completes commands, names and seats, in turn")
    func completion() {
        var line = editor("/sw")
        let words = ["bo", "bob", "12A"].map { Completion.Word($0) }
        let command = Completion(line, words: words, commands: ["seat", "swap"])
        #expect(command?.word == "/swap ")
        line = editor("hi b")
        var name = Completion(line, words: words, commands: [])
        #expect(name?.word == "bo ")
        name?.next()
        #expect(name?.word == "bob ")
        name?.next()
        #expect(name?.word == "b")
        #expect(Completion(editor("zz"), words: words, commands: []) == nil)
        #expect(Completion(editor("b"), words: words, commands: [])?.word == "bo, ")
    }
}
