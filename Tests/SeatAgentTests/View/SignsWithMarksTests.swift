// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import QR
@testable import Text
@testable import View

/// A mark behind a sign makes one character of both, which no longer equals the sign for Swift: for
/// a shell, a browser and a reader of files it still is one.
@Suite("Signs with marks behind them")
struct SignsWithMarksTests {
    private static let marks = ["", "\u{301}", "\u{591}", "\u{200D}", "\u{FE0F}"]

    @Test("No mark ends the quotes of a shell", arguments: marks)
    func shell(mark: String) throws {
        let word = "x '\(mark); touch y; '\(mark)"
        let quoted = ShellWord.quoted(word)
        // What a shell does: nothing is special between quotes but the next quote.
        var (read, isInside, rest) = (String.UnicodeScalarView(), false, quoted.unicodeScalars[...])
        while let scalar = rest.popFirst() {
            if scalar == "'" {
                isInside.toggle()
            } else if isInside {
                read.append(scalar)
            } else {
                #expect(scalar == "\\" && rest.first == "'", "outside of quotes: \(scalar)")
                if let next = rest.popFirst() { read.append(next) }
            }
        }
        #expect(!isInside && read.elementsEqual(word.unicodeScalars), "\(quoted)")
        // The line that is typed in the view reads it in the same way.
        let words = SlashWords.split("say " + quoted)
        #expect(words.count == 2)
        #expect(words.last?.unicodeScalars.elementsEqual(word.unicodeScalars) == true)
    }

    @Test("Comma-separated values come back as they were written", arguments: marks)
    func values(mark: String) throws {
        let fields = ["a \"\(mark)b\"\(mark)", ",\(mark)", "\n\(mark)", "plain\(mark)"]
        var reader = CSVReader(Array((CSVText.row(fields) + "\n").utf8))
        let row = try #require(try reader.next())
        #expect(row.fields.map { Array($0.utf8) } == fields.map { Array($0.utf8) })
        let end = try reader.next()
        #expect(end == nil)
    }

    @Test("A picture has no tag of somebody else's words", arguments: marks)
    func picture(mark: String) throws {
        let code = try #require(QRCode("x"))
        let svg = Array(code.svg(below: ["a <\(mark)script>\(mark) &\(mark)"]).utf8)
        let wanted = Array("a &lt;\(mark)script&gt;\(mark) &amp;\(mark)</text>".utf8)
        #expect(svg.indices.contains { svg[$0...].starts(with: wanted) })
    }
}
