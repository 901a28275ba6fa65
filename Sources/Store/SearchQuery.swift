// SPDX-License-Identifier: Apache-2.0
package import Text

/// Text as the full-text index takes it: letters, digits and their marks, and a space for
/// everything else.
///
/// Scripts written without spaces (ideographs, kana, Thai, Lao, Khmer, Burmese) and Hangul, whose
/// words carry endings, become words of one letter each. A run of them is then found as a phrase by
/// any part of it, even by one or two letters. A trigram index would need three, and LIKE would
/// read every line. The index itself (`unicode61`) folds case and accents.
enum SearchWords {
    /// `text` as the index takes it.
    static func indexed(_ text: String) -> String {
        let space = UInt8(ascii: " ")
        var out: [UInt8] = []
        out.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            guard isPart(scalar) else {
                out.append(space)
                continue
            }
            let isAlone = standsAlone(scalar)
            if isAlone { out.append(space) }
            out.append(contentsOf: scalar.utf8)
            if isAlone { out.append(space) }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Whether a word may have `scalar` in it.
    static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        // Most text consists of these. Looking the others up takes longer than storing the line.
        if scalar.isASCII { return isPlain(UInt8(truncatingIfNeeded: scalar.value)) }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber,
            .otherNumber:
            true
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
            .modifierSymbol, .otherSymbol, .spaceSeparator, .lineSeparator, .paragraphSeparator,
            .control, .format, .surrogate, .privateUse, .unassigned:
            false
        @unknown default: false
        }
    }

    private static func isPlain(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x80: false
        // Thai and Lao; Burmese; Khmer; kana; Hangul; kana of half width.
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3041...0x30FF,
            0xAC00...0xD7A3, 0xFF66...0xFF9D:
            true
        default: scalar.properties.isIdeographic
        }
    }
}

/// A query in the language of FTS5: every word is a quoted phrase, all of them must occur, and the
/// last may be the beginning of a word. No text that a person types is a syntax error.
package struct SearchQuery: Hashable, Sendable {
    /// The expression after MATCH: letters, digits, spaces and our own signs.
    let match: String

    /// Bytes that a query may have: more than a line of a terminal holds.
    static let longest = 512
    /// How many words of a query count.
    static let words = 32

    /// Reads what a person typed. Throws `empty-text` if it has no word, or `too-long`.
    package init(_ text: String) throws(UserError) {
        guard text.utf8.count <= Self.longest else {
            throw UserError(
                .tooLong, "that is too much to search for",
                why: "it has \(text.utf8.count) bytes, \(Self.longest) are allowed",
                advice: "seatagent search window")
        }
        let typed = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let phrases = typed.map(SearchWords.indexed).filter { phrase in
            phrase.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.isNumber }
        }
        guard !phrases.isEmpty else {
            throw UserError(
                .emptyText, "there is nothing to search for",
                why: "what is found are words: letters and digits",
                advice: "seatagent search window")
        }
        match =
            phrases.prefix(Self.words).map { "\"\($0)\"" }.joined(separator: " AND ") + " *"
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isNumber: Bool { numericType != nil }
}
