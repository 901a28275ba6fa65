// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Agent
@testable import ControlAPI
@testable import SeatAgent
@testable import Text
@testable import Wording

/// ada's agent, and lines between her and bo.
private struct Played {
    let host: FakeHost
    let bo: PeerKey
    /// ada begins the games with an odd number where her key is the lower one.
    let isAdaLower: Bool

    init() throws {
        let voyage = try Voyage()
        host = FakeHost(FakeNode(voyage))
        bo = voyage.bo.key
        isAdaLower = voyage.ada.key < voyage.bo.key
    }

    /// The number of a game that ada begins, or bo.
    func number(adaBegins: Bool) -> Int { adaBegins == isAdaLower ? 1 : 2 }

    func add(_ text: String, own: Bool, _ state: DirectMessage.State = .acknowledged) {
        let count = UInt64(host.node.messages.count)
        host.node.messages.append(
            DirectMessage(
                id: ThreadID(high: 7, low: count), peer: bo, outgoing: own, text: text,
                at: UTCTime(seconds: 1000), state: own ? state : .received))
    }

    func facts() throws -> GameFacts {
        try GameFacts(told: #require(host.result("game", ["who": "bo"])))
    }

    var sent: [String] {
        host.performed.compactMap { intent in
            if case .message(let to, let text) = intent, to == bo { text } else { nil }
        }
    }
}

@Suite("Four in a row, at the desk")
struct GameDeskTests {
    @Test("A game is read from the messages with one passenger")
    func reads() throws {
        let played = try Played()
        let game = played.number(adaBegins: true)
        #expect(try played.facts().state == .nothing)
        #expect(try played.facts().turn == played.isAdaLower)
        played.add("hello", own: false)
        played.add("four in a row \(game): column D", own: true, .waiting)
        var facts = try played.facts()
        #expect(facts.state == .running && !facts.turn && facts.moves == "D" && facts.game == game)
        #expect(facts.board.last == "...x..." && facts.line?.known == .waiting)
        #expect(facts.refused == nil)
        #expect(
            GameText.lines(facts).suffix(3) == [
                " .  .  .  x  .  .  .", "You played D. bo plays next.",
                "Your last line waits until it arrives.",
            ])
        played.add("four in a row \(game): column A after E", own: false)
        facts = try played.facts()
        #expect(facts.moves == "D" && facts.refused?.known == .stray)
        #expect(
            GameText.lines(facts).last
                == "bo sent a move that was not played: it does not follow what you both played.")
        for (move, own) in [
            ("A after D", false), ("D after DA", true), ("A after DAD", false),
            ("D after DADA", true),
        ] {
            played.add("four in a row \(game): column \(move)", own: own)
        }
        played.add("four in a row \(game): column A after DADAD", own: false)
        played.add("four in a row \(game): column D after DADADA", own: true)
        facts = try played.facts()
        #expect(facts.state == .won && facts.four == ["D4", "D3", "D2", "D1"] && !facts.gaveUp)
        #expect(GameText.lines(facts).contains(" .  .  . (x) .  .  ."))
        #expect(GameText.lines(facts).last == "You won.")
    }

    @Test("A move is one message to that passenger, and what is not allowed sends nothing")
    func plays() throws {
        let played = try Played()
        let game = played.number(adaBegins: true)
        played.add("four in a row \(game): a new game?", own: false)
        _ = played.host.result("play", ["who": "bo", "column": "d"])
        #expect(played.sent == ["four in a row \(game): column D"])
        func refusal(_ more: [String: JSON]) -> UserError? {
            let error = played.host.refusal("play", more.merging(["who": "bo"]) { $1 })
            #expect(error?.advice?.hasPrefix("seatagent play ") == true)
            return error
        }
        #expect(refusal(["column": "h"])?.code == .badRequest)
        #expect(refusal(["column": "dd"])?.code == .badRequest)
        #expect(refusal(["column": "d", "new": true])?.code == .badRequest)
        #expect(refusal([:])?.code == .badRequest)
        #expect(refusal(["new": true])?.what == "game \(game) is not over")
        played.add("four in a row \(game): column D", own: true)
        #expect(refusal(["column": "c"])?.what == "it is not your turn")
        #expect(refusal(["column": "d"])?.what == "it is not your turn")
        #expect(played.host.refusal("play", ["who": "ada", "column": "d"])?.code == .yourself)
        #expect(played.sent.count == 1)
        _ = played.host.result("play", ["who": "bo", "give_up": true])
        #expect(played.sent.last == "four in a row \(game): I give up")
        played.add("four in a row \(game): I give up", own: true)
        #expect(refusal(["column": "c"])?.what == "game \(game) is over")
        #expect(refusal(["give_up": true])?.what == "game \(game) is over")
        #expect(try played.facts().gaveUp && played.facts().state == .lost)
        _ = played.host.result("play", ["who": "bo", "new": true])
        #expect(played.sent.last == "four in a row \(game + 1): a new game?")
    }

    @Test("What did not arrive within an hour is sent again, as it was")
    func again() throws {
        let played = try Played()
        let game = played.number(adaBegins: true)
        played.add("four in a row \(game): column D", own: true, .gaveUp)
        #expect(try played.facts().line?.known == .gaveUp)
        #expect(played.host.refusal("play", ["who": "bo", "column": "c"])?.code == .notAllowedNow)
        _ = played.host.result("play", ["who": "bo", "column": "D"])
        #expect(played.sent == ["four in a row \(game): column D"])
        played.add("four in a row \(game): column D", own: true, .waiting)
        #expect(played.host.refusal("play", ["who": "bo", "column": "d"])?.code == .notAllowedNow)
    }

    @Test("Whoever does not begin may ask for a game")
    func asks() throws {
        let played = try Played()
        _ = played.host.result("play", ["who": "bo", "new": true])
        #expect(played.sent == ["four in a row 1: a new game?"])
        if played.isAdaLower {
            _ = played.host.result("play", ["who": "bo", "column": "d"])
            #expect(played.sent.last == "four in a row 1: column D")
        } else {
            let error = played.host.refusal("play", ["who": "bo", "column": "d"])
            #expect(
                error?.what == "no game has begun" && error?.advice?.hasSuffix(" --new") == true)
        }
        #expect(
            played.host.refusal("play", ["who": "bo", "give_up": true])?.what
                == "there is no game to give up")
    }
}
