// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Text

/// A game of four in a row, as lines of text.
package enum GameText {
    /// The board, and how it stands.
    package static func lines(_ game: GameFacts) -> [String] {
        let name = WhoText.short(game.who)
        guard game.game > 0 else {
            let begins = game.turn ? "You begin." : "\(name) begins."
            return ["You have not played four in a row with \(name) yet. \(begins)"]
        }
        var lines = [
            "Four in a row \(game.game): you are x, \(WhoText.seated(game.who)) is o.",
            " A  B  C  D  E  F  G",
        ]
        for (index, row) in game.board.enumerated() {
            let height = game.board.count - index
            let places = zip("ABCDEFG", row).map { letter, stone in
                let isOfFour = game.four?.contains("\(letter)\(height)") ?? false
                return isOfFour ? "(\(stone))" : " \(stone) "
            }
            let line = places.joined()
            lines.append(line.hasSuffix(" ") ? String(line.dropLast()) : line)
        }
        return lines + [standing(game, name)] + remarks(game, name)
    }

    private static func standing(_ game: GameFacts, _ name: String) -> String {
        switch game.state.known {
        case .won: game.gaveUp ? "\(name) gave up: you won." : "You won."
        case .lost: game.gaveUp ? "You gave up: \(name) won." : "\(name) won."
        case .drawn: game.gaveUp ? "Both of you gave up." : "The board is full: nobody won."
        case .running where game.turn:
            game.moves.last.map { "\(name) played \($0). Your turn." } ?? "You begin."
        case .running:
            game.moves.last.map { "You played \($0). \(name) plays next." } ?? "\(name) begins."
        case .nothing, nil: ""
        }
    }

    private static func remarks(_ game: GameFacts, _ name: String) -> [String] {
        var lines: [String] = []
        switch game.line?.known {
        case .waiting: lines.append("Your last line waits until it arrives.")
        case .gaveUp:
            lines.append(
                "Your last line did not arrive within an hour. Do the same again to send it again.")
        case .acknowledged, .received, nil: break
        }
        let why: String? =
            switch game.refused?.known {
            case .full: "that column is full"
            case .turn: "it was not their turn"
            case .stray: "it does not follow what you both played"
            case nil: nil
            }
        if let why { lines.append("\(name) sent a move that was not played: \(why).") }
        return lines
    }
}
