// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SeatAgent
@testable import Text

@Suite("Text that is safe on a terminal")
struct SafeTextTests {
    @Test("Plain text stays as it is")
    func plain() {
        for text in ["bo", "naïve café", "座席を交換", "안녕하세요", "✈ 12A", "👍 ok", "مرحبا"] {
            #expect(visible(text) == text)
        }
    }

    @Test("What acts on a terminal becomes visible")
    func hostile() {
        #expect(visible("a\u{1B}[31mb") == "a\u{FFFD}[31mb")
        #expect(visible("a\u{9B}b\u{7F}") == "a\u{FFFD}b\u{FFFD}")
        #expect(visible("bo\u{202E}ada") == "bo\u{FFFD}ada")
        #expect(visible("b\u{200B}o") == "b\u{FFFD}o")
        #expect(visible("one\ntwo\r\n\tthree\u{2028}x") == "one two   three x")
        #expect(visible("\u{3164}") == "\u{FFFD}")
        #expect(visible("❤\u{FE0F}") == "❤")
    }

    @Test("Marks cannot pile up, nor stand on nothing")
    func marks() {
        #expect(visible("e\u{301}") == "e\u{301}")
        let pile = "e" + String(repeating: "\u{301}", count: 50)
        #expect(visible(pile).unicodeScalars.count == 4)
        #expect(visible("\u{301}x") == "x")
    }

    @Test("Cut by cells, not by characters")
    func cells() {
        #expect(visible("hello", cells: 5) == "hello")
        #expect(visible("hello!", cells: 5) == "hell…")
        #expect(visible("座席を", cells: 6) == "座席を")
        #expect(visible("座席を交", cells: 6) == "座席…")
        #expect(visible("座席を交", cells: 5) == "座席…")
        #expect(visible("e\u{301}e\u{301}e\u{301}", cells: 2) == "e\u{301}…")
        #expect(visible("abc", cells: 1) == "…")
        #expect(visible("abc", cells: 0) == "")
        #expect(padded("座", to: 4) == "座  ")
        #expect(padded("abcdef", to: 4) == "abc…")
    }
}
