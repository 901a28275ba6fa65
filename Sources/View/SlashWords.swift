// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Grammar
import Protocol
import Text

/// The words of a typed line. Quotes around a word make it one, as in a shell, because suggested
/// lines contain them.
///
/// A quote that does not surround a whole word is a letter: `don't`.
package enum SlashWords {
    /// All words, without surrounding quotes.
    package static func split(_ text: some StringProtocol) -> [String] {
        var rest = Substring(text)
        var words: [String] = []
        while let word = next(&rest) { words.append(word) }
        return words
    }

    /// The text after the first `count` words, as it was typed.
    package static func after(_ count: Int, _ text: String) -> String {
        var rest = text[...]
        for _ in 0..<count { _ = next(&rest) }
        return String(rest.drop(while: \.isWhitespace))
    }

    /// The own seats in `12A for 14C` and `12A,12B for 14C,14D`; "for the window" names none.
    package static func given(_ words: [String]) -> String? {
        words.count > 2 && words[1].lowercased() == "for" ? SeatText.listed(words[2]) : nil
    }

    /// The seats at the beginning of `words`.
    package static func seats(_ words: [String]) -> [String] {
        words.prefix { Seat($0) != nil }.compactMap { Seat($0)?.text }
    }

    private static func next(_ rest: inout Substring) -> String? {
        rest = rest.drop(while: \.isWhitespace)
        guard !rest.isEmpty else { return nil }
        if let word = quoted(&rest) { return word }
        let word = rest.prefix { !$0.isWhitespace }
        rest = rest[word.endIndex...]
        return String(word)
    }

    /// `'it'\''s'` or `"so"`, up to a blank or the end.
    private static func quoted(_ rest: inout Substring) -> String? {
        // By scalars, as a shell reads it: a mark behind a quote makes another character of it.
        var left = rest.unicodeScalars
        guard let quote = left.first, quote == "'" || quote == "\"" else { return nil }
        var word = ""
        while true {
            let inner = left.dropFirst()
            guard let end = inner.firstIndex(of: quote) else { return nil }
            word.unicodeScalars.append(contentsOf: inner[..<end])
            left = inner[inner.index(after: end)...]
            guard quote == "'", left.starts(with: "\\''".unicodeScalars) else { break }
            word += "'"
            left = left.dropFirst(2)
        }
        guard left.first?.properties.isWhitespace ?? true else { return nil }
        rest = Substring(left)
        return word
    }
}

/// Options at the start of the text after a slash command: those of the program's command.
package struct SlashOptions {
    /// The options in the form of the agent's operations.
    let terms: SwapTerms
    /// The text after them, as it was typed.
    let rest: String

    /// Takes the options of `name` off the front of `text`. Throws `usage` for an unknown one, so
    /// that it does not end up in words to another passenger.
    init(_ name: String, _ text: String) throws(UserError) {
        let command = CommandTable.commands.first { $0.name == name }
        func option(_ word: String) -> Option? {
            command?.options.first { "--\($0.name)" == word.prefix { $0 != "=" } }
        }
        let words = SlashWords.split(text)
        var count = 0
        while count < words.count, Self.isOption(words[count]) {
            guard let option = option(words[count]) else {
                throw Self.wrong("/\(name) has no \(words[count])")
            }
            if case .required = option.value, !words[count].contains("=") { count += 1 }
            count += 1
        }
        let taken = Array(words.prefix(count))
        if let late = words.dropFirst(count).first(where: { Self.isOption($0) && option($0) != nil }
        ) {
            throw Self.wrong("\(late) has to stand before the note")
        }
        let sample = (command?.sample ?? "").split(separator: " ").map(String.init)
        let line = try CommandTable.parser.parse([name] + taken + sample)
        terms = try line.swapTerms()
        rest = SlashWords.after(count, text)
    }

    private static func isOption(_ word: String) -> Bool { word.hasPrefix("--") && word.count > 2 }

    private static func wrong(_ what: String) -> UserError {
        UserError(.usage, visible(what, cells: 60))
    }
}
