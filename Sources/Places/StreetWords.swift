// SPDX-License-Identifier: Apache-2.0
import Text

/// A street as words that compare: `12 MAIN street`, `12 Main St.` and `Main St 12` are equal.
///
/// Case, marks on letters, blanks and signs do not count; common forms are one (`St`, `Street`,
/// `Straße`), and a house number counts in front as behind. O(n).
package struct StreetWords: Hashable, Sendable {
    /// Small letters and digits; the house number last.
    package let words: [String]

    /// The words of `text`; none for a text of signs only.
    package init(_ text: some StringProtocol) {
        var words = Self.split(text)
        let numbers = words.prefix { Self.isNumber($0) }
        if numbers.count < words.count {
            let front = Array(numbers)
            words.removeFirst(front.count)
            words += front
        }
        self.words = words
    }

    /// Whether the words of `other` stand in these in a row, and its house numbers among these:
    /// `12 Main St North` has both of `12 Main St`.
    package func contain(_ other: StreetWords) -> Bool {
        let (own, part) = (words.filter { !Self.isNumber($0) }, other.words)
        let name = part.filter { !Self.isNumber($0) }
        guard !name.isEmpty, name.count <= own.count,
            part.allSatisfy({ !Self.isNumber($0) || words.contains($0) })
        else { return false }
        return (0...own.count - name.count).contains { start in
            own[start..<start + name.count].elementsEqual(name)
        }
    }

    private static func split(_ text: some StringProtocol) -> [String] {
        var words: [String] = []
        var word = ""
        func end() {
            if !word.isEmpty { words.append(form(of: word)) }
            word = ""
        }
        for scalar in text.unicodeScalars {
            if ScalarShape(scalar) == .mark { continue }
            let small = scalar.properties.lowercaseMapping
            if let plain = small.unicodeScalars.first.flatMap({ table[$0] }) {
                word += plain
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                word += small
            } else if scalar != "'" && scalar != "\u{2019}" {
                end()
            }
        }
        end()
        return words
    }

    /// `12` or `12b`.
    private static func isNumber(_ word: String) -> Bool {
        let rest = word.utf8.drop { 48...57 ~= $0 }
        return rest.count < word.utf8.count && rest.count <= 1
    }

    /// The one form of a word that people shorten.
    private static func form(of word: String) -> String {
        if let short = forms[word] { return short }
        // One word with the name: Hauptstraße, Kerkstraat.
        for ending in ["strasse", "straat", "str"] where word.count > ending.count + 1 {
            if word.hasSuffix(ending) { return word.dropLast(ending.count) + "st" }
        }
        return word
    }

    private static let forms: [String: String] = {
        let rows = [
            "st": "street str strasse straat saint ste sainte", "rd": "road",
            "av": "ave avenue avenida", "blvd": "boulevard boul bd", "dr": "drive", "ln": "lane",
            "ct": "court", "pl": "place plaza plein platz", "sq": "square", "hwy": "highway",
            "pkwy": "parkway", "ter": "terrace", "n": "north", "s": "south", "e": "east",
            "w": "west",
        ]
        var forms: [String: String] = [:]
        for (short, row) in rows {
            for word in row.split(separator: " ") { forms[String(word)] = short }
        }
        return forms
    }()

    /// Letters of Europe without their marks.
    private static let table: [Unicode.Scalar: String] = {
        let rows = [
            "a": "àáâãäåāăą", "c": "çćĉċč", "d": "ďđð", "e": "èéêëēĕėęě", "g": "ĝğġģ", "h": "ĥħ",
            "i": "ìíîïĩīĭįı", "j": "ĵ", "k": "ķ", "l": "ĺļľŀł", "n": "ñńņň", "o": "òóôõöøōŏő",
            "r": "ŕŗř", "s": "śŝşšș", "t": "ţťŧț", "u": "ùúûüũūŭůűų", "w": "ŵ", "y": "ýÿŷ",
            "z": "źżž", "ss": "ß", "ae": "æ", "oe": "œ",
        ]
        var table: [Unicode.Scalar: String] = [:]
        for (plain, row) in rows {
            for scalar in row.unicodeScalars { table[scalar] = plain }
        }
        return table
    }()
}
