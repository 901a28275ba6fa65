// SPDX-License-Identifier: Apache-2.0
import Terminal
import Text

/// What Tab completes a half-typed word to; another Tab takes the next candidate.
package struct Completion: Hashable, Sendable {
    /// Where the word begins.
    let start: Int
    /// All matching words, the typed one last.
    let candidates: [String]
    /// The index of the candidate in the line.
    private(set) var index = 0

    /// The candidate in the line.
    var word: String { candidates[index] }

    /// The candidates in a line of that width, with the current one in brackets; empty if there is
    /// only one. A line that is too short shows those around it.
    func shown(cells: Int) -> String {
        let words = candidates.dropLast().map { word in
            visible(String(word.dropLast(word.hasSuffix(", ") ? 2 : 1)), cells: 24)
        }
        guard words.count > 1 else { return "" }
        var line = ""
        for (place, word) in words.enumerated() {
            let piece = (line.isEmpty ? "" : "  ") + (place == index ? "[\(word)]" : word)
            if cellWidth(line + piece) <= cells - 2 {
                line += piece
            } else if place <= index {
                line = place == index ? "[\(word)]" : word
            } else {
                return line + " >"
            }
        }
        return line
    }

    /// The next one.
    mutating func next() { index = (index + 1) % candidates.count }

    /// The first candidate for the word before the caret; `nil` if nothing matches.
    init?(_ editor: LineEditor, words: [Word], commands: [String]) {
        let before = editor.letters[..<editor.caret]
        let start = before.lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
        let typed = String(before[start...])
        guard !typed.isEmpty else { return nil }
        let isCommand = start == 0 && typed.hasPrefix("/")
        let all = isCommand ? commands.map { Word("/\($0)") } : words
        let fitting = all.filter {
            $0.typed.count > typed.count && Self.begins($0.typed, with: typed)
        }.map(\.meant)
        guard !fitting.isEmpty else { return nil }
        self.start = start
        candidates = fitting.map { $0 + (isCommand || start > 0 ? " " : ", ") } + [typed]
    }

    /// What is typed, and what replaces it.
    struct Word: Hashable, Sendable {
        let typed: String
        /// Differs if the word itself would be misread: a name of two words in a command.
        let meant: String

        init(_ typed: String, meant: String? = nil) {
            self.typed = typed
            self.meant = meant ?? typed
        }
    }

    private static func begins(_ word: String, with start: String) -> Bool {
        word.lowercased().hasPrefix(start.lowercased())
    }
}
