// SPDX-License-Identifier: Apache-2.0
/// A private message that is a part of a game of four in a row (docs/protocol.md section 18).
///
/// An agent that knows no games shows it as what it is, a line that people understand. A move
/// repeats all moves before it, so no line depends on how an earlier one came.
package struct GameLine: Hashable, Sendable {
    /// What somebody does.
    package enum Act: Hashable, Sendable {
        /// Asks for this game.
        case asks
        /// Plays the last of these columns; the others were played before.
        case plays([Int])
        /// Gives this game up.
        case givesUp
    }

    /// The highest number that a game has.
    package static let lastGame = 999
    private static let opening = "four in a row "

    /// The number of the game among these two people.
    package let game: Int
    /// What its author does.
    package let act: Act

    /// A line of that game.
    package init(game: Int, _ act: Act) {
        self.game = game
        self.act = act
    }

    /// The line as it is sent.
    package var text: String {
        let start = "\(Self.opening)\(game): "
        switch act {
        case .asks: return start + "a new game?"
        case .givesUp: return start + "I give up"
        case .plays(let moves):
            let letters = moves.map(FourInARow.letter)
            let before = letters.dropLast().joined()
            return start + "column \(letters.last ?? "")"
                + (before.isEmpty ? "" : " after \(before)")
        }
    }

    /// Reads a line; `nil` if it differs in a byte from what an agent sends.
    package init?(_ text: String) {
        guard text.utf8.count <= 96, text.utf8.starts(with: Self.opening.utf8) else { return nil }
        let rest = text.dropFirst(Self.opening.count)
        let digits = rest.prefix { $0 != ":" }
        guard let game = Int(digits), (1...Self.lastGame).contains(game) else { return nil }
        let words = rest.dropFirst(digits.count).split(separator: " ").dropFirst()
        let line: GameLine
        switch words.first {
        case "a": line = GameLine(game: game, .asks)
        case "I": line = GameLine(game: game, .givesUp)
        case "column":
            let before = words.count > 3 ? words.last ?? "" : ""
            let letters = before.map(String.init) + [String(words.dropFirst().first ?? "")]
            let moves = letters.compactMap(FourInARow.column)
            guard moves.count == letters.count else { return nil }
            line = GameLine(game: game, .plays(moves))
        default: return nil
        }
        // One way to write each line: two that differ are never the same.
        guard line.text.utf8.elementsEqual(text.utf8) else { return nil }
        self = line
    }
}
