// SPDX-License-Identifier: Apache-2.0
import Text

/// A word of what somebody wants to book.
struct BookingToken: Hashable, Sendable {
    /// As it was typed, without quotes.
    let raw: String
    /// Whether it stood in quotes: it is a name then, whatever it looks like.
    let isQuoted: Bool
    /// In small letters, with plain hyphens.
    let word: String

    init(raw: String, isQuoted: Bool = false) {
        self.raw = raw
        self.isQuoted = isQuoted
        word = Self.folded(raw)
    }

    /// Small letters, and one hyphen for all lines that people type for it.
    static func folded(_ text: String) -> String {
        String(
            text.lowercased().map { ["\u{2010}", "\u{2011}", "\u{2013}"].contains($0) ? "-" : $0 })
    }

    /// Tokens of a text are limited, as whoever reads them looks at each beginning.
    static let most = 64
    /// Bytes of a text.
    static let longest = 400

    /// Splits at blanks and commas; what stands in quotes is one token.
    static func split(_ text: String) -> [BookingToken] {
        var tokens: [BookingToken] = []
        var rest = Substring(text).unicodeScalars
        while let first = rest.first {
            if first.properties.isWhitespace || first == "," {
                rest.removeFirst()
            } else if first == "\"" || first == "'",
                let end = rest.dropFirst().firstIndex(of: first)
            {
                let word = rest[rest.index(after: rest.startIndex)..<end]
                tokens.append(BookingToken(raw: String(word), isQuoted: true))
                rest = rest[rest.index(after: end)...]
            } else {
                let word = rest.prefix { !$0.properties.isWhitespace && $0 != "," }
                tokens.append(BookingToken(raw: String(word)))
                rest = rest[word.endIndex...]
            }
        }
        return tokens
    }

    /// The tokens of a command line. A word with blanks in it stood in quotes: if `isName` knows
    /// it, it is a name, else it is several words.
    static func split(_ operands: [String], isName: (String) -> Bool) -> [BookingToken] {
        operands.flatMap { operand in
            let hasBlanks = operand.unicodeScalars.contains { $0.properties.isWhitespace }
            return hasBlanks && isName(operand)
                ? [BookingToken(raw: operand, isQuoted: true)] : split(operand)
        }
    }

    /// As it is typed again. No quotes hold both kinds of quotes, so such a name needs its number.
    var text: String {
        guard isQuoted else { return raw }
        let quote = raw.unicodeScalars.contains("'") ? "\"" : "'"
        return quote + raw + quote
    }
}
