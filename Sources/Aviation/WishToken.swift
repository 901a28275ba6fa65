// SPDX-License-Identifier: Apache-2.0
/// One word of a typed wish.
struct WishToken: Hashable, Sendable {
    /// As it was typed, without quotes.
    let raw: String
    /// The quote on both sides of it; `nil` for none.
    let quote: Unicode.Scalar?

    /// Whether it stood in quotes: then it is a name, whatever it says.
    var isQuoted: Bool { quote != nil }

    /// What stands between two choices.
    static let comma = ","

    /// The word in small letters.
    var word: String { isQuoted ? raw : raw.lowercased() }

    /// Whether it may be the letter of a row that stands before it.
    var isLetter: Bool {
        !isQuoted && raw.utf8.count == 1 && raw.allSatisfy { $0.isASCII && $0.isLetter }
    }

    /// Splits at blanks and commas; `then` is a comma. A word in quotes is one. Looks at scalars:
    /// a mark behind a quote would make one character of both, and the quote would be none.
    static func split(_ text: String) -> [WishToken] {
        var tokens: [WishToken] = []
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            if first.properties.isWhitespace {
                rest.removeFirst()
            } else if first == "," {
                tokens.append(WishToken(raw: comma, quote: nil))
                rest.removeFirst()
            } else if first == "\"" || first == "'",
                let end = rest.dropFirst().firstIndex(of: first)
            {
                let word = rest[rest.index(after: rest.startIndex)..<end]
                tokens.append(WishToken(raw: String(word), quote: first))
                rest = rest[rest.index(after: end)...]
            } else {
                let word = rest.prefix { !$0.properties.isWhitespace && $0 != "," }
                rest = rest[word.endIndex...]
                var raw = String.UnicodeScalarView()
                raw += word.map { $0 == "\u{2013}" ? "-" : $0 }
                let isThen = String(raw).lowercased() == "then"
                tokens.append(WishToken(raw: isThen ? comma : String(raw), quote: nil))
            }
        }
        return tokens
    }

    /// The line that is split into these.
    static func line(_ tokens: [WishToken]) -> String {
        var line = ""
        for token in tokens {
            if token.raw == comma, !token.isQuoted {
                if !line.isEmpty, !line.hasSuffix(",") { line += "," }
            } else {
                line += (line.isEmpty ? "" : " ") + token.text
            }
        }
        return line.hasSuffix(",") ? String(line.dropLast()) : line
    }

    /// As it was typed. Of the other kind a quote that stands alone before it would be the first.
    private var text: String {
        guard let quote else { return raw }
        return String(quote) + raw + String(quote)
    }
}
