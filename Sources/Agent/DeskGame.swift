// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text

/// Four in a row with another passenger, over private messages.
extension ControlDesk {
    func game(_ asked: Op.Game) throws(UserError) -> Work<GameFacts> {
        .done(gameFacts(try passenger(asked.who, "play").key))
    }

    func play(_ asked: Op.Play) throws(UserError) -> Work<GameFacts> {
        let found = try passenger(asked.who, "play")
        try checkKey(of: found, word: asked.who)
        let want = try want(asked, found)
        let game = game(with: found.key)
        let line: GameLine
        // What was given up is sent again as it was.
        if let past = game.past(want), state(of: past, to: found.key) == .gaveUp {
            line = past
        } else {
            do throws(RowGame.Fault) { line = try game.line(want) } catch {
                throw refusal(error, want, found)
            }
        }
        return .perform(.message(to: found.key, line.text)) { _, desk in
            desk.gameFacts(found.key)
        }
    }

    private func want(_ asked: Op.Play, _ found: Passenger) throws(UserError) -> RowGame.Want {
        guard [asked.column != nil, asked.new, asked.giveUp].count(where: { $0 }) == 1 else {
            throw UserError(
                .badRequest, "one of a column, a new game and giving up is asked for",
                why: "each is a line of its own", advice: "seatagent play \(found.key.tag)")
        }
        if asked.new { return .begin }
        if asked.giveUp { return .giveUp }
        let word = asked.column ?? ""
        guard let column = FourInARow.column(word) else {
            throw UserError(
                .badRequest, "there is no column \"\(visible(word, cells: 12))\"",
                why: "columns are A to G", advice: "seatagent play \(found.key.tag) d")
        }
        return .play(column)
    }

    private func refusal(
        _ fault: RowGame.Fault, _ want: RowGame.Want, _ found: Passenger
    ) -> UserError {
        let (play, name) = ("seatagent play \(found.key.tag)", book.described(found.key))
        let number = game(with: found.key).number
        func error(_ what: String, _ why: String, _ option: String = "") -> UserError {
            UserError(.notAllowedNow, what, why: why, advice: play + option)
        }
        switch fault {
        case .noGame where want == .giveUp:
            return error("there is no game to give up", "none with \(name) has begun")
        case .noGame:
            return error(
                "no game has begun", "\(name) begins the first one: ask them to play", " --new")
        case .over: return error("game \(number) is over", "a new one can begin", " --new")
        case .running:
            return error("game \(number) is not over", "finish it, or give it up with --give-up")
        case .turn: return error("it is not your turn", "\(name) plays next")
        case .column(.full): return error("that column is full", "it holds six")
        case .column(.over), .column(.noSuchColumn):
            return error("that column cannot be played", "columns are A to G")
        case .last:
            return error(
                "you two have no number for another game",
                "\(GameLine.lastGame) is the last one")
        }
    }

    // MARK: Reading

    private func messages(with key: PeerKey) -> [DirectMessage] {
        host.node.messages.filter { $0.peer == key }
    }

    private func game(with key: PeerKey) -> RowGame {
        RowGame(
            messages(with: key).lazy.map { ($0.outgoing, $0.text) }, isLower: host.node.me < key)
    }

    /// How far the latest sending of a line has come.
    private func state(of line: GameLine, to key: PeerKey) -> DirectMessage.State? {
        messages(with: key).last { $0.outgoing && $0.text == line.text }?.state
    }

    /// The game as clients see it.
    private func gameFacts(_ key: PeerKey) -> GameFacts {
        let game = game(with: key)
        let state: GameState =
            switch game.standing {
            case .none: .nothing
            case .plays: .running
            case .won(let own): own ? .won : .lost
            case .drawn: .drawn
            }
        let rows = (0..<FourInARow.rows).reversed().map { row in
            (0..<FourInARow.columns).map { column in
                switch game.stone(FourInARow.Place(column: column, row: row)) {
                case true?: "x"
                case false?: "o"
                case nil: "."
                }
            }.joined()
        }
        let latest = messages(with: key).last {
            $0.outgoing && GameLine($0.text)?.game == game.number
        }
        let four = game.board.four
        return GameFacts(
            who: book.person(key), game: game.number, state: Word(state), turn: game.isOwnTurn,
            moves: game.board.moves.map(FourInARow.letter).joined(), board: rows,
            four: four.isEmpty ? nil : four.map(\.text), gaveUp: game.gaveUp || game.otherGaveUp,
            line: latest.map { Word(MessageState($0.state)) },
            refused: game.refused.map { Word(GameRefusal($0)) })
    }
}

extension GameRefusal {
    /// Why a line was not played.
    fileprivate init(_ refused: RowGame.Refused) {
        switch refused {
        case .full: self = .full
        case .turn: self = .turn
        case .stray: self = .stray
        }
    }
}
