// SPDX-License-Identifier: Apache-2.0
/// What a name looks like. Two names with one skeleton can be mistaken for each other (after the
/// skeletons of UTS #39, section 4).
///
/// Folds case, marks, spaces and punctuation; maps Latin letters in other dress (`ａ`, `𝐚`, `ⓐ`,
/// `ä`) by their Unicode name, and letters of other scripts that look like Latin ones by a table.
/// It knows the alphabets that people mix up, not all of Unicode. O(n).
package struct NameSkeleton: Hashable, Sendable {
    /// Letters and digits as they look; empty for a name of signs only.
    package let text: String
    /// The same, word by word.
    let words: [String]

    package static func == (left: NameSkeleton, right: NameSkeleton) -> Bool {
        left.text == right.text
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The skeleton of `name`.
    package init(_ name: String) {
        var words: [String] = []
        var word = ""
        for scalar in name.unicodeScalars {
            switch ScalarShape(scalar) {
            case .mark, .dropped, .hidden: continue
            case .space:
                if !word.isEmpty { words.append(Self.merged(word)) }
                word = ""
            case .shown:
                let look = Self.look(scalar)
                if look.isEmpty, !word.isEmpty {
                    words.append(Self.merged(word))
                    word = ""
                }
                word += look
            }
        }
        if !word.isEmpty { words.append(Self.merged(word)) }
        self.words = words
        text = Self.merged(words.joined())
    }

    /// Pairs that look like one letter.
    private static func merged(_ word: String) -> String {
        var out = ""
        for letter in word {
            switch (out.last, letter) {
            case ("r", "n"):
                out.removeLast()
                out.append("m")
            case ("v", "v"):
                out.removeLast()
                out.append("w")
            default: out.append(letter)
            }
        }
        return out
    }

    /// The letter that `scalar` looks like; empty for spaces and punctuation.
    private static func look(_ scalar: Unicode.Scalar) -> String {
        if let plain = table[scalar] { return plain }
        if scalar.isASCII {
            let isSaid = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            return isSaid ? folded(scalar) : ""
        }
        if let letter = latin(scalar) { return table[letter] ?? String(letter) }
        let isSaid = scalar.properties.isAlphabetic || scalar.properties.isEmoji
        let small = scalar.properties.lowercaseMapping
        guard let first = small.unicodeScalars.first else { return "" }
        return table[first] ?? (isSaid ? small : "")
    }

    private static func folded(_ scalar: Unicode.Scalar) -> String {
        let small = scalar.properties.lowercaseMapping
        return small.unicodeScalars.first.flatMap { table[$0] } ?? small
    }

    /// The plain letter or digit in other dress, by name: `FULLWIDTH LATIN SMALL LETTER A`,
    /// `MATHEMATICAL BOLD CAPITAL A`, `LATIN SMALL LETTER A WITH ACUTE`, `CIRCLED DIGIT ONE`.
    private static func latin(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard let name = scalar.properties.nameAlias ?? scalar.properties.name else { return nil }
        var words = name.split(separator: " ")
        if let with = words.firstIndex(of: "WITH") { words.removeSubrange(with...) }
        guard let last = words.last, let first = words.first else { return nil }
        let isDressed =
            words.contains("LATIN") || words.contains("DIGIT")
            || ["MATHEMATICAL", "DOUBLE-STRUCK", "SCRIPT", "BLACK-LETTER"].contains(first)
            || first.hasSuffix("CIRCLED") || first.hasSuffix("SQUARED")
        guard isDressed else { return nil }
        if let digit = digits.firstIndex(of: last) {
            return Unicode.Scalar(UInt8(0x30 + digit))
        }
        guard last.utf8.count == 1, let letter = last.unicodeScalars.first else { return nil }
        return letter.properties.lowercaseMapping.unicodeScalars.first
    }

    private static let digits: [Substring] = [
        "ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE",
    ]

    /// Letters and digits of one look, in lower case; `i`, `l` and `1` are one.
    private static let table: [Unicode.Scalar: String] = {
        let rows = [
            "a": "аα@ɑ", "b": "ьβЬ", "c": "сϲς", "d": "ԁ", "e": "еєҽ", "f": "ғ", "g": "ɡցԍ",
            "h": "һհнʜ", "j": "јϳ", "k": "кκ", "l": "iI1|!ıіιӏɩlլ", "m": "м", "n": "ηոп",
            "o": "0оοσօ", "p": "рρ", "q": "ԛզ", "r": "гʀ", "s": "ѕ$ꜱ", "t": "тτ", "u": "υսμ",
            "v": "νѵ", "w": "ѡωԝ", "x": "хχ", "y": "уγүʏ", "z": "ᴢ", "ae": "æӕ", "oe": "œ",
            "ss": "ß",
        ]
        var table: [Unicode.Scalar: String] = [:]
        for (look, row) in rows {
            for scalar in row.unicodeScalars { table[scalar] = look }
        }
        return table
    }()
}

/// Names that claim an office, or frighten. No passenger of this program can take one, and one
/// taken with another program is shown for what it is.
package enum AlarmingName {
    /// The first word of `name` that claims or frightens; `nil` for a name that is all right.
    package static func word(in name: String) -> String? {
        let skeleton = NameSkeleton(name)
        return listed.first { $0.look == skeleton.text || skeleton.words.contains($0.look) }?.word
    }

    private static let listed: [(word: String, look: String)] = [
        "crew", "cabin crew", "captain", "copilot", "first officer", "pilot", "purser", "steward",
        "stewardess", "attendant", "flight attendant", "staff", "police", "security",
        "air marshal", "airline", "airport", "system", "admin", "administrator", "operator",
        "official", "seatagent", "everyone", "bomb", "hijack", "hijacker", "terrorist",
    ].map { ($0, NameSkeleton($0).text) }
}
