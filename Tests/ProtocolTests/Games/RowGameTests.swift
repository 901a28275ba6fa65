// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Two people who write lines to each other; what is on the way comes in any order, twice, or not
/// at all.
private struct Table {
    typealias Message = (isOwn: Bool, text: String)
    /// What each of them has, in the order in which it came to them.
    var has: [[Message]] = [[], []]
    /// What is on its way to each of them.
    var onTheWay: [[String]] = [[], []]

    func game(_ side: Int) -> RowGame { RowGame(has[side], isLower: side == 0) }

    mutating func send(_ text: String, by side: Int) {
        has[side].append((true, text))
        onTheWay[1 - side].append(text)
    }

    /// What the agent of a side does: it sends what is allowed.
    @discardableResult
    mutating func want(_ want: RowGame.Want, by side: Int) -> RowGame.Fault? {
        do throws(RowGame.Fault) { send(try game(side).line(want).text, by: side) } catch {
            return error
        }
        return nil
    }

    mutating func deliver(_ place: Int, to side: Int, keeps: Bool = false) {
        has[side].append((false, onTheWay[side][place]))
        if !keeps { onTheWay[side].remove(at: place) }
    }

    mutating func deliverAll() {
        for side in 0...1 { while !onTheWay[side].isEmpty { deliver(0, to: side) } }
    }

    /// Both play these columns by turns, and everything comes at once.
    mutating func play(_ columns: String) {
        for letter in columns {
            let side = game(0).isOwnTurn ? 0 : 1
            #expect(want(.play(FourInARow.column(String(letter)) ?? 9), by: side) == nil)
            deliverAll()
        }
    }

    var letters: [String] {
        (0...1).map { game($0).board.moves.map(FourInARow.letter).joined() }
    }
}

@Suite("Four in a row, from private messages")
struct RowGameTests {
    @Test("A line is read back as it was written, and no other way of writing it is a line")
    func lines() {
        let all: [(GameLine, String)] = [
            (GameLine(game: 1, .asks), "four in a row 1: a new game?"),
            (GameLine(game: 999, .givesUp), "four in a row 999: I give up"),
            (GameLine(game: 3, .plays([3])), "four in a row 3: column D"),
            (GameLine(game: 3, .plays([3, 0, 6])), "four in a row 3: column G after DA"),
        ]
        for (line, text) in all {
            #expect(line.text == text && GameLine(text) == line)
        }
        let others = [
            "", "four in a row ", "four in a row 0: I give up", "four in a row 1000: I give up",
            "four in a row 01: I give up", "four in a row +1: I give up",
            "four in a row 1: I give up ",
            "Four in a row 1: I give up", "four in a row 1: i give up", "four in a row 1:I give up",
            "four in a row 1: column", "four in a row 1: column d", "four in a row 1: column H",
            "four in a row 1: column D after", "four in a row 1: column D after  D",
            "four in a row 1: column D before D", "four in a row 1: column D after DH",
            "four in a row 1: column D after D and so on", "four in a row 1: column DD",
            "four in a row 1: column D\u{301}", "four in a row 1: \u{61}\u{300} new game?",
            "four in a row 1: column D after " + String(repeating: "D", count: 2000),
        ]
        for text in others { #expect(GameLine(text) == nil, "\(text.prefix(60))") }
    }

    @Test(
        "Four in a row win, in each direction",
        arguments: [
            ("AABBCCD", ["A1", "B1", "C1", "D1"]), ("ABABABA", ["A1", "A2", "A3", "A4"]),
            ("ABBCCDCDDFD", ["A1", "B2", "C3", "D4"]), ("GFFEEDEDDBD", ["D4", "E3", "F2", "G1"]),
        ] as [(String, [String])])
    func wins(columns: String, four: [String]) throws {
        var board = FourInARow()
        for letter in columns { try board.play(try #require(FourInARow.column(String(letter)))) }
        #expect(Set(board.four.map(\.text)) == Set(four) && board.isOver)
        #expect(throws: FourInARow.Fault.over) { try board.play(6) }
    }

    @Test("A column holds six, and a full board is nobody's")
    func full() throws {
        var board = FourInARow()
        for _ in 0..<6 { try board.play(0) }
        #expect(throws: FourInARow.Fault.full) { try board.play(0) }
        #expect(throws: FourInARow.Fault.noSuchColumn) { try board.play(7) }
        #expect(throws: FourInARow.Fault.noSuchColumn) { try board.play(-1) }
        // Columns filled so that colours change every two rows.
        let columns = [0, 1, 2, 3, 4, 5]
        var moves: [Int] = []
        for pair in [[0, 1], [2, 3], [4, 5]] {
            for turn in 0..<6 { moves += turn / 2 % 2 == 0 ? pair : pair.reversed() }
        }
        #expect(columns.allSatisfy { column in moves.count { $0 == column } == 6 })
        let drawn = try #require(FourInARow(moves + Array(repeating: 6, count: 6)))
        #expect(drawn.isOver && drawn.four.isEmpty)
        #expect(FourInARow(moves + Array(repeating: 6, count: 7)) == nil)
    }

    @Test("They begin by turns, the one with the lower key first, and nobody has to agree on it")
    func beginners() {
        var table = Table()
        #expect(table.game(0).standing == .none && table.game(1).standing == .none)
        #expect(table.game(0).isOwnTurn && !table.game(1).isOwnTurn)
        #expect(table.want(.play(3), by: 1) == .noGame)
        #expect(table.want(.giveUp, by: 0) == .noGame)
        // Both ask at once: it is one game.
        #expect(table.want(.begin, by: 1) == nil)
        #expect(table.want(.begin, by: 0) == nil)
        table.deliverAll()
        #expect(table.game(0).standing == .plays(own: true))
        #expect(table.game(1).standing == .plays(own: false))
        #expect(table.want(.begin, by: 0) == .running)
        #expect(table.want(.play(0), by: 1) == .turn)
        #expect(table.want(.play(7), by: 0) == .column(.noSuchColumn))
        table.play("AGAGAGA")
        #expect(table.game(0).standing == .won(own: true))
        #expect(table.game(1).standing == .won(own: false))
        #expect(table.want(.play(1), by: 1) == .over && table.want(.giveUp, by: 1) == .over)
        #expect(table.want(.begin, by: 0) == nil)
        table.deliverAll()
        #expect(table.game(1).standing == .plays(own: true) && table.game(1).number == 2)
        table.play("AGAGAGA")
        #expect(table.game(1).standing == .won(own: true))
    }

    @Test("Whoever gives up has lost, also while a move is on its way")
    func givingUp() {
        var table = Table()
        table.play("DD")
        table.want(.play(2), by: 0)
        table.want(.giveUp, by: 1)
        #expect(table.want(.play(1), by: 1) == .over)
        table.deliverAll()
        #expect(table.game(0).standing == .won(own: true))
        #expect(table.game(1).standing == .won(own: false))
        #expect(table.letters == ["DDC", "DDC"])
        table.want(.begin, by: 0)
        table.deliverAll()
        table.want(.giveUp, by: 0)
        table.want(.giveUp, by: 1)
        table.deliverAll()
        #expect(table.game(0).standing == .drawn && table.game(1).standing == .drawn)
    }

    @Test("Nobody comes to the last number alone, and so ends all games with somebody")
    func numbers() {
        var table = Table()
        table.play("DAC")
        table.send("four in a row 999: a new game?", by: 1)
        table.send("four in a row 90: a new game?", by: 1)
        table.deliverAll()
        #expect(
            (0...1).map { table.game($0).number } == [1, 1] && table.letters == ["DAC", "DAC"])
        // Eight may be ahead, such as games that nobody answered.
        table.send("four in a row 9: a new game?", by: 1)
        table.deliverAll()
        #expect((0...1).map { table.game($0).number } == [9, 9])
        #expect(table.game(0).standing == .plays(own: true))
        table.want(.giveUp, by: 0)
        #expect(table.want(.begin, by: 0) == nil)
        table.deliverAll()
        #expect((0...1).map { table.game($0).number } == [10, 10])
    }

    @Test("The question for a game that was played is not sent again for the next one")
    func nextGame() {
        var table = Table()
        table.want(.begin, by: 0)
        #expect(table.game(0).past(.begin) == GameLine(game: 1, .asks))
        table.deliverAll()
        table.play("D")
        #expect(table.game(0).past(.begin) == nil && table.want(.begin, by: 0) == .running)
        table.want(.giveUp, by: 1)
        table.deliverAll()
        #expect(table.game(0).past(.begin) == nil && table.want(.begin, by: 0) == nil)
        #expect(table.game(0).number == 2)
    }

    @Test("A line that was lost is sent again as it was")
    func again() {
        var table = Table()
        table.want(.begin, by: 1)
        table.onTheWay = [[], []]
        #expect(table.game(1).past(.begin)?.text == "four in a row 1: a new game?")
        #expect(table.want(.play(3), by: 0) == nil)
        table.onTheWay = [[], []]
        #expect(table.game(0).past(.play(2)) == nil)
        let text = table.game(0).past(.play(3))?.text
        #expect(text == "four in a row 1: column D" && table.game(0).past(.giveUp) == nil)
        table.send(text ?? "", by: 0)
        table.deliverAll()
        #expect(table.letters == ["D", "D"] && table.game(1).isOwnTurn)
        table.want(.giveUp, by: 1)
        #expect(table.game(1).past(.giveUp)?.text == "four in a row 1: I give up")
    }

    @Test(
        "Whatever comes late, twice, lost and again, both come to the same board",
        arguments: 0..<UInt64(Soak.rounds(60, short: 20)))
    func anyOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = Table()
        func number(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        for _ in 0..<400 {
            let side = number(2)
            switch number(10) {
            case 0...3: table.want(.play(number(7)), by: side)
            case 4: if number(12) == 0 { table.want(.giveUp, by: side) }
            case 5: table.want(.begin, by: side)
            case 6:
                // What was given up is sent again.
                let mine = table.has[side].filter(\.isOwn)
                if let text = mine.last?.text { table.send(text, by: side) }
            default:
                guard !table.onTheWay[side].isEmpty else { continue }
                let place = number(table.onTheWay[side].count)
                table.deliver(place, to: side, keeps: number(3) == 0)
            }
        }
        table.deliverAll()
        let games = (table.game(0), table.game(1))
        #expect(games.0.board == games.1.board && games.0.number == games.1.number)
        let mirrored: RowGame.Standing =
            switch games.1.standing {
            case .plays(let own): .plays(own: !own)
            case .won(let own): .won(own: !own)
            case .none, .drawn: games.1.standing
            }
        #expect(games.0.standing == mirrored && games.0.refused == nil && games.1.refused == nil)
        for side in 0...1 {
            table.has[side].shuffle(using: &random)
            #expect(table.game(side).board == games.0.board)
        }
    }

    @Test(
        "What the other side may not play is said, is not played, and the game goes on",
        arguments: [
            ("four in a row 1: column D after DD", .turn),
            ("four in a row 1: column E after DDDD", .turn),
            ("four in a row 1: column E after DDC", nil),
            ("four in a row 1: column A after DDE", .stray),
            ("four in a row 1: column E", .turn), ("four in a row 1: column A after C", .stray),
            ("four in a row 1: column A after D", .stray), ("column A", nil),
            ("four in a row 1: column A after DDCEC", .stray),
            ("four in a row 1: column A after DDDDDD", .turn),
        ] as [(String, RowGame.Refused?)])
    func hostile(text: String, why: RowGame.Refused?) {
        var table = Table()
        table.play("DD")
        table.want(.play(2), by: 0)
        table.send(text, by: 1)
        table.deliverAll()
        let game = table.game(0)
        #expect(game.refused == why)
        guard why != nil else { return }
        #expect(table.letters == ["DDC", "DDC"] && game.standing == .plays(own: false))
        table.play("A")
        #expect(table.letters == ["DDCA", "DDCA"] && table.game(0).refused == nil)
    }

    @Test("Who plays one move twice, or a full column, changes nothing that was answered")
    func twoMoves() {
        var table = Table()
        table.play("D")
        table.send("four in a row 1: column A after D", by: 1)
        table.send("four in a row 1: column B after D", by: 1)
        table.deliverAll()
        #expect(table.letters[0] == "DA" && table.game(0).refused == .stray)
        table.want(.play(1), by: 0)
        table.send("four in a row 1: column C after DBB", by: 1)
        table.deliverAll()
        #expect(table.letters[0] == "DAB" && table.game(0).refused == .stray)
        var full = Table()
        full.play("AAAAAAG")
        full.send("four in a row 1: column A after AAAAAAG", by: 1)
        full.deliverAll()
        #expect(full.letters[0] == "AAAAAAG" && full.game(0).refused == .full(0))
    }
}
