// SPDX-License-Identifier: Apache-2.0
package import Text

/// How a game stands, for the user.
package enum GameState: String, Vocabulary {
    /// None has begun yet.
    case nothing = "none"
    /// It goes on.
    case running
    /// The user won.
    case won
    /// The other passenger won.
    case lost
    /// Nobody won.
    case drawn
}

/// Why a line of the other passenger was not played.
package enum GameRefusal: String, Vocabulary {
    /// The column is full.
    case full
    /// It was not their turn.
    case turn
    /// It does not follow what both have played.
    case stray
}

/// A game of four in a row with another passenger, read from the private messages between them.
package struct GameFacts: Codable, Hashable, Sendable {
    /// With whom.
    package var who: Person
    /// The number of the game among these two; 0 if none has begun.
    package var game: Int
    /// How it stands.
    package var state: Word<GameState>
    /// Whether the user plays next, or would begin the first game.
    package var turn: Bool
    /// The letters of the columns that were played, in order.
    package var moves: String
    /// The rows from above: `x` is a stone of the user, `o` one of the other, `.` none.
    package var board: [String]
    /// The places of the four that won, as `D1`: the lowest of column D.
    package var four: [String]?
    /// Whether whoever lost gave up.
    @IfTrue package var gaveUp: Bool
    /// How far the user's latest line of this game has come.
    package var line: Word<MessageState>?
    /// Why the latest line of the other was not played.
    package var refused: Word<GameRefusal>?

    /// A game as it stands.
    package init(
        who: Person, game: Int, state: Word<GameState>, turn: Bool, moves: String,
        board: [String], four: [String]? = nil, gaveUp: Bool = false,
        line: Word<MessageState>? = nil, refused: Word<GameRefusal>? = nil
    ) {
        self.who = who
        self.game = game
        self.state = state
        self.turn = turn
        self.moves = moves
        self.board = board
        self.four = four
        self.line = line
        self.refused = refused
        self.gaveUp = gaveUp
    }
}

extension Op {
    /// How the game with a passenger stands.
    package struct Game: ControlOperation {
        package typealias Reply = GameFacts
        package static var operation: OperationName { .game }
        /// A seat, a name, a tag or a key.
        package var who: String

        /// Asks about the game with the passenger whom `who` names.
        package init(who: String) {
            self.who = who
        }
    }

    /// A move in the game with a passenger.
    package struct Play: ControlOperation {
        package typealias Reply = GameFacts
        package static var operation: OperationName { .play }
        /// A seat, a name, a tag or a key.
        package var who: String
        /// The letter of a column.
        package var column: String?
        /// Asks for a new game instead.
        @IfTrue package var new: Bool
        /// Gives the game up instead.
        @IfTrue package var giveUp: Bool

        /// Plays `column` in the game with the passenger whom `who` names, or asks for a new one,
        /// or gives it up.
        package init(
            who: String, column: String? = nil, new: Bool = false, giveUp: Bool = false
        ) {
            self.who = who
            self.column = column
            self.new = new
            self.giveUp = giveUp
        }
    }
}
