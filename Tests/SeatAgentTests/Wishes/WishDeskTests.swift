// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Agent
@testable import Aviation
@testable import ControlAPI
@testable import Protocol
@testable import Text
@testable import Wording

/// ada in 14C and bo in 12A: what the desk makes of ada's words.
@Suite("Wishes at the desk") struct WishDeskTests {
    private let host: FakeHost
    private let bo: PeerKey

    init() throws {
        let voyage = try Voyage()
        bo = voyage.bo.key
        host = FakeHost(FakeNode(voyage))
    }

    private func change(_ arguments: [String: JSON]) throws -> WishChange {
        _ = host.result("wish", arguments)
        guard case .wish(let change)? = host.performed.last else { throw DecodeError(.badValue) }
        return change
    }

    @Test("Words become ranks, and whoever is named is kept by key")
    func words() throws {
        let change = try change(["words": "window, next to bo"])
        #expect(change.offer == .all && change.asks == nil && change.isPrivate == nil)
        #expect(change.ranks?.map { WishWords.text($0) } == ["1-32AF", "12B"])
        #expect(change.words == "\nwindow, next to \(bo.hex)")
        #expect(SaidWish(change.words ?? "").text == change.words)
    }

    @Test("What is not said is not changed")
    func fields() throws {
        #expect(try change(["asks": "nothing"]) == WishChange(asks: .nothing))
        #expect(try change(["private": true]) == WishChange(isPrivate: true))
        #expect(try change(["note": "legs"]) == WishChange(note: "legs"))
        var none = WishChange(offer: WishChange.Offer.none)
        none.words = ""
        #expect(try change(["offer": []]) == none)
        #expect(host.result("wish") != nil && host.performed.count == 4)
    }

    @Test("Whoever stays wants what stands before their own seat; new words end it")
    func stay() throws {
        let stays = try change(["words": "12A, aisle, window", "stay": true])
        #expect(stays.ranks?.map { WishWords.text($0) } == ["12A"])
        host.node.ownWish.words = stays.words ?? ""
        #expect(try change(["words": "window"]).words == "\nwindow")
        #expect(try change(["stay": false]).ranks?.count == 3)
        host.node.ownWish.words = ""
        #expect(host.refusal("wish", ["stay": true])?.code == .usage)
    }

    @Test(
        "What cannot be wished is refused, with a line that works",
        arguments: [
            ("windoww", "usage", "window"), ("window, exit", "no-such-seat", "window"),
            ("away from toilets", "no-such-seat", "window, aisle"),
            ("rows 40-50 window, aisle", "no-such-seat", "aisle"),
            ("near bo, exit", "no-such-seat", "window, aisle"),
            ("1, 2, 3, 4, 5", "too-long", "1, 2, 3, 4"),
        ]) func refused(words: String, code: String, better: String) throws
    {
        let error = try #require(host.refusal("wish", ["words": .string(words)]))
        #expect(error.code.rawValue == code && error.why != nil)
        #expect(error.advice == "seatagent wish " + better)
        #expect(host.performed.isEmpty)
        #expect(host.result("wish", ["words": .string(better)]) != nil)
    }

    @Test("Where nobody moved nothing is said anew; who moved takes the words along")
    func renewal() throws {
        let said = try change(["words": "next to bo, front"])
        host.node.ownWish.words = said.words ?? ""
        host.node.ownWish.ranks = said.ranks
        host.renewWish()
        #expect(host.performed.count == 1)
        let place = try #require(host.node.passengers.firstIndex { $0.key == bo })
        host.node.passengers[place].seats = [try #require(Seat("20F"))]
        host.renewWish()
        #expect(host.performed.count == 2)
        guard case .wish(let change)? = host.performed.last else { throw DecodeError(.badValue) }
        #expect(change.isRenewal && change.words == nil && change.offer == nil)
        #expect(change.ranks?.map { WishWords.text($0) } == ["20E", "1-13"])
        // Whoever left takes their rank along, and brings it back.
        host.node.passengers[place].seats = []
        host.renewWish()
        guard case .wish(let less)? = host.performed.last else { throw DecodeError(.badValue) }
        #expect(less.ranks?.map { WishWords.text($0) } == ["1-13"])
    }

    @Test("The sentences say what others see")
    func sentences() throws {
        func lines(_ facts: WishFacts) -> String {
            WishText(facts, .standard).lines.joined(separator: "\n")
        }
        let seat = try #require(Seat("14C"))
        let none = WishFacts(
            seats: [], choices: [], stay: false, private: false, asks: Word(.similar), note: "",
            told: nil)
        #expect(lines(none) == "You have said no wish.")
        var wish = WishFacts(
            seats: [seat],
            choices: [
                WishFacts.Choice(words: "window", seats: "1-32AF"),
                WishFacts.Choice(words: "next to bo", why: "bo has no seat now"),
            ], stay: true, private: true, asks: Word(.nothing), note: "legs\u{1B}[2J",
            told: SeatOffer(seats: [seat], wants: [], note: ""), known: true, guessed: true,
            left: 4, declined: [3])
        let words = lines(wish)
        #expect(words.hasPrefix("You offer 14C (aisle). You would take:  \"legs"))
        #expect(!words.contains("\u{1B}"))
        for part in [
            "  1. window: 1-32AF", "  2. next to bo: bo has no seat now",
            "You stay unless it is better", "14C may be had, and not for what",
            "Nobody may ask you", "Others are told in 4 s: a wish", "others still know", "a guess",
            "Request 3 is met with silence",
        ] {
            #expect(words.contains(part), "\(part)")
        }
        wish.private = false
        #expect(lines(wish).contains("Others see 14C and the seats above, not your words."))
        wish.choices = [WishFacts.Choice(words: "12A 12B", seats: "12A 12B")]
        #expect(lines(wish).contains("\n  1. 12A 12B\n"))
        wish.told = nil
        #expect(lines(wish).contains("Others see none of this"))
        wish.best = true
        #expect(lines(wish).contains("so others see no offer"))
    }
}
