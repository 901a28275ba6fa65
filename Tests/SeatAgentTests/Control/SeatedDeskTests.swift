// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Agent
@testable import ControlAPI
@testable import Keys
@testable import SeatAgent
@testable import Text
@testable import Wording

/// ada, bo and cy swapped in a ring: 14C is bo's now, 12A cy's, 20F ada's.
private struct Swapped {
    var voyage: Voyage
    let contract: Contract

    init() throws {
        voyage = try Voyage()
        let moves = [("14C", voyage.bo), ("12A", voyage.cy), ("20F", voyage.ada)]
        contract = try voyage.contract(moves)
        try voyage.swap(moves)
    }

    mutating func mark(_ who: Identity, _ sits: Bool = true) throws {
        try voyage.add(.seated(contract.id, sits), by: who)
    }

    func host(_ stage: SwapRecord.Stage = .committed) -> FakeHost {
        var node = FakeNode(voyage)
        node.swapRecords = [
            FakeNode.record(1, contract, role: .participant, stage: .declined),
            FakeNode.record(2, contract, role: .participant, stage: stage),
        ]
        return FakeHost(node)
    }
}

@Suite("Who sits after a swap, at the desk")
struct SeatedDeskTests {
    @Test("It is said of the last swap, or of a number, and taken back")
    func says() throws {
        let swapped = try Swapped()
        let host = swapped.host()
        let answer = try #require(host.result("seated"))
        let news = try SeatedNews(told: answer)
        #expect(host.performed == [.seated(swapped.contract.id, true)])
        #expect(news.number == 2 && news.who.me && news.sits && news.seats.map(\.text) == ["20F"])
        // By seat: 12A, 14C, 20F.
        #expect(news.seated.isEmpty && news.missing.map(\.name) == ["cy", "bo", "ada"])
        _ = host.result("seated", ["request": 2, "off": true])
        #expect(host.performed.last == .seated(swapped.contract.id, false))
        host.answer = .failure(.alreadySo)
        let error = host.refusal("seated")
        #expect(error?.code == .alreadySo)
        #expect(error?.what == "that is what the others of the swap read already")
        host.answer = .failure(.notSwapped)
        #expect(host.refusal("seated")?.code == .notAllowedNow)
    }

    @Test(
        "Where nobody moved, it says why, and what to type",
        arguments: [
            (.invited, "request 2 is no swap yet", "seatagent requests"),
            (.prepared, "swap 2 is not final yet", "seatagent requests"),
            (.declined, "request 2 ended without a swap", "seatagent requests --all"),
        ] as [(SwapRecord.Stage, String, String)])
    func early(stage: SwapRecord.Stage, what: String, advice: String) throws {
        let host = try Swapped().host(stage)
        let error = host.refusal("seated", ["request": 2])
        #expect(error?.code == .notAllowedNow && error?.what == what && error?.advice == advice)
        #expect(host.refusal("seated")?.what == "no swap of yours is final yet")
        #expect(host.refusal("seated", ["request": 7])?.code == .noSuchRequest)
        #expect(host.performed.isEmpty)
    }

    @Test("The receipt says who sits and who does not, and marks their steps as done")
    func receipt() throws {
        var swapped = try Swapped()
        func receipt() throws -> SwapReceipt {
            try SwapReceipt(told: #require(swapped.host().result("receipt")))
        }
        func steps(_ receipt: SwapReceipt) -> [String] {
            MovingText.lines(receipt.plan ?? [], seated: receipt.seated ?? [])
        }
        #expect(SeatedText.lines(try receipt()) == ["Not moved yet: everybody."])
        #expect(!steps(try receipt()).contains { $0.hasSuffix(": done") })
        try swapped.mark(swapped.voyage.bo)
        try swapped.mark(swapped.voyage.ada)
        try swapped.mark(swapped.voyage.ada, false)
        let some = try receipt()
        #expect(some.seated?.map(\.name) == ["bo"] && some.missing?.map(\.name) == ["cy", "ada"])
        #expect(
            SeatedText.lines(some) == [
                "Sits already: bo #qe4x.", "Not moved yet: cy #5ves, you.",
            ])
        let done = steps(some).filter { $0.hasSuffix(": done") }
        #expect(!done.isEmpty && done.allSatisfy { $0.contains("bo #qe4x") })
        try swapped.mark(swapped.voyage.ada)
        try swapped.mark(swapped.voyage.cy)
        #expect(SeatedText.lines(try receipt()) == ["Everybody sits in their new seat."])
        // Before it is final nobody moves.
        var host = swapped.host()
        host.node.swapRecords[1].isFinal = false
        let early = try SwapReceipt(told: #require(host.result("receipt")))
        #expect(early.seated == nil && SeatedText.lines(early).isEmpty)
        host = swapped.host()
        #expect(host.result("seated", ["off": true]) != nil)
    }

    @Test("Each of it is told as a line")
    func lines() throws {
        var swapped = try Swapped()
        try swapped.mark(swapped.voyage.bo)
        let host = swapped.host()
        let scribe = EventScribe(host: host)
        func line(_ who: Identity, _ sits: Bool) -> String? {
            let news = scribe.seated(host.node.swapRecords[1], who.key, sits: sits)
            return EventText(event: scribe.event(.seated(news))).words
        }
        #expect(
            line(swapped.voyage.bo, true)
                == "* bo #qe4x sits in 14C now; not moved yet: cy #5ves, you")
        #expect(line(swapped.voyage.bo, false) == "* bo #qe4x does not sit in 14C after all")
        #expect(
            line(swapped.voyage.ada, true)
                == "* you sit in 20F now; not moved yet: cy #5ves, you")
        #expect(line(swapped.voyage.ada, false) == "* you do not sit in 20F after all")
    }
}
