// SPDX-License-Identifier: Apache-2.0
/// The game of four in a row that two people play, read from the private messages between them
/// (docs/protocol.md section 18).
///
/// The order in which lines came does not count, nor that one came twice: both read the same board
/// from the same lines. Lines that the rules do not allow change nothing.
package struct RowGame: Hashable, Sendable {
    /// How it stands, for this side.
    package enum Standing: Hashable, Sendable {
        /// Nobody has asked for a game yet.
        case none
        /// It goes on, and this side plays next, or the other.
        case plays(own: Bool)
        /// This side has won, or the other.
        case won(own: Bool)
        /// Nobody has won: the board is full, or both gave up.
        case drawn
    }

    /// Why a line of the other side was not played.
    package enum Refused: Hashable, Sendable {
        /// The column that they played has no room.
        case full(Int)
        /// It was not their turn.
        case turn
        /// It does not follow what both have played.
        case stray
    }

    /// What this side may want to do.
    package enum Want: Hashable, Sendable {
        /// To begin a game.
        case begin
        /// To play a column.
        case play(Int)
        /// To give the game up.
        case giveUp
    }

    /// Why it cannot be done now.
    package enum Fault: Error, Hashable, Sendable {
        /// No game has begun, and the other side begins.
        case noGame
        /// The game is over.
        case over
        /// The game is not over.
        case running
        /// The other side plays next.
        case turn
        /// The column has no room, or there is none.
        case column(FourInARow.Fault)
        /// There is no number for another game.
        case last
    }

    private struct Said {
        let isOwn: Bool
        let line: GameLine
    }

    /// The game's number; 0 if there is none yet.
    package let number: Int
    /// The board.
    package private(set) var board = FourInARow()
    /// Whether this side gave up.
    package let gaveUp: Bool
    /// Whether the other side did.
    package let otherGaveUp: Bool
    /// Why the newest line of the other side was not played, if it was not.
    package private(set) var refused: Refused?
    /// Which side begins: the one with the lower key in games with an odd number.
    private let isLower: Bool

    /// Reads the game from all messages between two people, as they came here. `isLower` says
    /// whether this side has the lower key.
    package init(_ messages: some Sequence<(isOwn: Bool, text: String)>, isLower: Bool) {
        let all = messages.compactMap { message in
            GameLine(message.text).map { Said(isOwn: message.isOwn, line: $0) }
        }
        let number = Self.number(all)
        let said = all.filter { $0.line.game == number }
        self.number = number
        self.isLower = isLower
        gaveUp = said.contains { $0.isOwn && $0.line.act == .givesUp }
        otherGaveUp = said.contains { !$0.isOwn && $0.line.act == .givesUp }
        board = longest(said)
        refused = said.last { !$0.isOwn }.flatMap { refusal($0.line) }
    }

    // MARK: Reading

    /// How far a game's number may be above the highest that the other side wrote.
    private static let reach = 8

    /// The highest number of a game that counts: nobody comes to the last one alone.
    private static func number(_ all: [Said]) -> Int {
        func highest(isOwn: Bool) -> Int {
            all.filter { $0.isOwn == isOwn }.map(\.line.game).max() ?? 0
        }
        let (own, other) = (highest(isOwn: true), highest(isOwn: false))
        let counting = all.filter { $0.line.game <= ($0.isOwn ? other : own) + reach }
        return counting.map(\.line.game).max() ?? 0
    }

    /// Whether this side begins the game of that number.
    private func begins(_ game: Int) -> Bool { game.isMultiple(of: 2) != isLower }

    /// Whether this side plays the move of that number, from 1.
    private func isOwn(move: Int) -> Bool { move.isMultiple(of: 2) != begins(number) }

    /// The longest board on which both agree: its last move is a line of the one, and all before it
    /// a line of the other. Of two of one length the first that came.
    private func longest(_ said: [Said]) -> FourInARow {
        var boards: [(isOwn: Bool, board: FourInARow)] = []
        for one in said {
            guard case .plays(let moves) = one.line.act, isOwn(move: moves.count) == one.isOwn,
                let board = FourInARow(moves)
            else { continue }
            boards.append((one.isOwn, board))
        }
        let known = Set(boards.map(\.board.moves))
        var best = FourInARow()
        for (_, board) in boards where board.moves.count > best.moves.count {
            // The author of each is known by its length.
            if board.moves.count == 1 || known.contains(board.moves.dropLast()) { best = board }
        }
        return best
    }

    private func refusal(_ line: GameLine) -> Refused? {
        guard case .plays(let moves) = line.act, !board.moves.starts(with: moves) else {
            return nil
        }
        guard !isOwn(move: moves.count) else { return .turn }
        guard moves.dropLast().elementsEqual(board.moves) else { return .stray }
        var next = board
        do throws(FourInARow.Fault) { try next.play(moves.last ?? 0) } catch {
            return error == .full ? .full(moves.last ?? 0) : .stray
        }
        return nil
    }

    // MARK: What follows

    /// How it stands.
    package var standing: Standing {
        if number == 0 { return .none }
        if gaveUp || otherGaveUp { return gaveUp && otherGaveUp ? .drawn : .won(own: !gaveUp) }
        let isFirst = begins(number)
        if !board.four.isEmpty { return .won(own: board.isFirstNext != isFirst) }
        return board.isOver ? .drawn : .plays(own: board.isFirstNext == isFirst)
    }

    /// Whether a game goes on.
    package var isRunning: Bool { if case .plays = standing { true } else { false } }

    /// Whether this side plays next, or would begin the first game.
    package var isOwnTurn: Bool {
        number == 0 ? begins(1) : standing == .plays(own: true)
    }

    /// Whether this side played last.
    package var isOwnLast: Bool { !board.moves.isEmpty && isOwn(move: board.moves.count) }

    /// Whose stone lies at a place, `true` for this side's.
    package func stone(_ place: FourInARow.Place) -> Bool? {
        board.stone(place).map { $0 == begins(number) }
    }

    /// The line that does it. Throws why it cannot be done.
    package func line(_ want: Want) throws(Fault) -> GameLine {
        switch want {
        case .begin:
            guard !isRunning else { throw .running }
            guard number < GameLine.lastGame else { throw .last }
            return GameLine(game: number + 1, .asks)
        case .giveUp:
            guard number > 0 else { throw .noGame }
            guard isRunning else { throw .over }
            return GameLine(game: number, .givesUp)
        case .play(let column):
            guard number == 0 || isRunning else { throw .over }
            guard isOwnTurn else { throw number == 0 ? .noGame : .turn }
            var next = board
            do throws(FourInARow.Fault) { try next.play(column) } catch { throw .column(error) }
            return GameLine(game: max(number, 1), .plays(next.moves))
        }
    }

    /// The line that did it already; `nil` if none did. It may be sent again if it was lost.
    package func past(_ want: Want) -> GameLine? {
        switch want {
        case .begin: isRunning && board.moves.isEmpty ? GameLine(game: number, .asks) : nil
        case .giveUp: gaveUp ? GameLine(game: number, .givesUp) : nil
        case .play(let column):
            isOwnLast && board.moves.last == column
                ? GameLine(game: number, .plays(board.moves)) : nil
        }
    }
}
