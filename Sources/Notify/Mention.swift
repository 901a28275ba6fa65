// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Profile
import Text

/// Finds a passenger's name or seat in a line.
///
/// Ignores case and the encoding of accents. A name inside a longer word does not count: words end
/// where letters and digits end, and between any two ideographs or kana, which are written without
/// spaces (after UAX #29). A no-break space ends a word like any other.
package struct Mention: Sendable {
    private let words: [[Character]]

    /// The words that mean the passenger `who`. The default name and a single Latin letter mean
    /// nobody.
    package init(_ who: Person?) {
        let name = Self.folded(who?.name ?? "")
        let seats = (who?.seats ?? []).map { Self.folded($0.text) }
        let isCall = name.count > 1 || name.first.map { !$0.isASCII } ?? false
        let names = isCall && String(name) != PassengerName.standard ? [name] : []
        words = (names + seats).filter { !$0.isEmpty }
    }

    /// Whether `text` contains one of the words. O(length of the text x length of the words).
    package func isIn(_ text: String) -> Bool {
        guard !words.isEmpty else { return false }
        let line = Self.folded(text)
        return words.contains { Self.holds(line, $0) }
    }

    private static func folded(_ text: String) -> [Character] {
        var characters = Array(visible(text).lowercased())
        while characters.last?.isWhitespace == true { characters.removeLast() }
        return Array(characters.drop(while: \.isWhitespace))
    }

    private static func holds(_ line: [Character], _ word: [Character]) -> Bool {
        guard line.count >= word.count else { return false }
        for start in 0...(line.count - word.count) {
            let end = start + word.count
            guard line[start] == word[0], line[start..<end].elementsEqual(word) else { continue }
            if isBoundary(line, start), isBoundary(line, end) { return true }
        }
        return false
    }

    /// Whether a word may begin or end before the character at `index`.
    private static func isBoundary(_ line: [Character], _ index: Int) -> Bool {
        guard index > 0, index < line.count else { return true }
        let (left, right) = (line[index - 1], line[index])
        return !isWord(left) || !isWord(right) || standsAlone(left) || standsAlone(right)
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private static func standsAlone(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return scalar.properties.isIdeographic || 0x3041...0x30FF ~= scalar.value
    }
}
