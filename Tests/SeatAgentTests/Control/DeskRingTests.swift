// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Agent
@testable import ControlAPI
@testable import SeatAgent
@testable import Text
@testable import Wording

private func seat(_ text: String) throws -> Seat { try #require(Seat(text)) }

/// ada in 14C and 14D, bo in 12A and 12B, cy in 20F.
private func aboard() throws -> (host: FakeHost, voyage: Voyage) {
    var voyage = try Voyage()
    try voyage.add(.claim(seat: seat("14D"), dependant: false), by: voyage.ada)
    try voyage.add(.claim(seat: seat("12B"), dependant: false), by: voyage.bo)
    return (FakeHost(FakeNode(voyage)), voyage)
}

private let ring: [String: JSON] = ["seats": ["14C", "12A", "20F"]]

@Suite("Several seats at once, at the desk")
struct DeskRingTests {
    @Test("Each seat of a ring goes to whoever sits in the next, and the last to the user")
    func moves() throws {
        let (host, voyage) = try aboard()
        let draft = try #require(host.result("ring", ring.merging(["draft": true]) { $1 }))
        #expect(host.performed.isEmpty)
        let moves = try #require(draft["moves"]?.list)
        #expect(moves.map { $0["seat"] } == ["14C", "12A", "20F"])
        #expect(moves.map { $0["to"]?["name"] } == ["bo", "cy", "ada"])
        #expect(draft["who"] == nil && draft["risk"] == nil)
        let consent = try #require(RequestText.consent(try SwapDraft(told: draft), .standard))
        #expect(consent.question == "Propose it?")
        #expect(
            consent.lines.prefix(2) == [
                "If all agree:", "  you give 14C (aisle) and get 20F (window)",
            ])
        #expect(consent.lines.count == 4)
        _ = host.result(
            "ring", ring.merging(["note": "n", "expires": 60, "holders": holders(moves)]) { $1 })
        let (ada, bo, cy) = (voyage.ada.key, voyage.bo.key, voyage.cy.key)
        #expect(
            host.performed == [
                .propose(
                    [
                        SeatMove(seat: try seat("14C"), to: bo, from: ada),
                        SeatMove(seat: try seat("12A"), to: cy, from: bo),
                        SeatMove(seat: try seat("20F"), to: ada, from: cy),
                    ], note: "n", expires: 60)
            ])
    }

    private func holders(_ moves: [JSON]) -> JSON {
        .array(moves.filter { $0["from"]?["me"] == nil }.compactMap { $0["from"]?["key"] })
    }

    @Test("A yes is for those who were shown")
    func shown() throws {
        let (host, voyage) = try aboard()
        let keys: [String] = [voyage.cy.key.hex, voyage.bo.key.hex]
        let error = host.refusal(
            "ring", ring.merging(["holders": .array(keys.map { .string($0) })]) { $1 })
        #expect(error?.code == .changed && host.performed.isEmpty)
        #expect(error?.advice == "seatagent ring 14C 12A 20F")
    }

    @Test(
        "What is no ring says why, and what to type",
        arguments: [
            (["14C", "12A"], ErrorCode.badRequest, "seatagent swap 12A --give 14C"),
            (["14C"], .badRequest, "seatagent help ring"),
            ([], .badRequest, "seatagent help ring"),
            (["12A", "20F", "14C"], .notYours, "seatagent ring 14C 12A 20F"),
            (["12A", "20F", "12B"], .notYours, "seatagent ring 14C 20F 12B"),
            (["14C", "12A", "12B"], .badRequest, "seatagent seats"),
            (["14C", "12A", "12A"], .badRequest, "seatagent seats"),
            (["14C", "12A", "30A"], .emptySeat, "seatagent seats"),
            (["14C", "12A", "nobody"], .noSuchSeat, "seatagent seats"),
        ])
    func noRing(seats: [String], code: ErrorCode, advice: String) throws {
        let (host, _) = try aboard()
        let error = host.refusal("ring", ["seats": .array(seats.map { .string($0) })])
        #expect(error?.code == code)
        #expect(error?.advice == advice)
        #expect(host.performed.isEmpty)
    }

    @Test("Two for two: the first for the first, of one passenger or of two")
    func several() throws {
        let (host, voyage) = try aboard()
        let (ada, bo, cy) = (voyage.ada.key, voyage.bo.key, voyage.cy.key)
        let one: [String: JSON] = ["seat": "12A,12B", "give": "14D,14C"]
        let draft = try #require(host.result("swap", one.merging(["draft": true]) { $1 }))
        // Whoever has both votes last, and nothing but a claim speaks for them.
        #expect(draft["who"]?["name"] == "bo" && draft["risk"] != nil && draft["give"] == nil)
        let consent = RequestText.consent(try SwapDraft(told: draft), .standard)
        #expect(
            consent?.question.hasSuffix(
                "to swap your 14D (aisle) and 14C (aisle) for 12A (window) and "
                    + "12B (middle)?") == true)
        _ = host.result("swap", one)
        // Without --give all own seats, if there are as many.
        _ = host.result("swap", ["seat": "12A,20F"])
        func moves(_ given: [(String, PeerKey)], _ taken: [(String, PeerKey)]) throws -> [SeatMove]
        {
            try given.map { SeatMove(seat: try seat($0.0), to: $0.1, from: ada) }
                + taken.map { SeatMove(seat: try seat($0.0), to: ada, from: $0.1) }
        }
        #expect(
            host.performed == [
                .propose(
                    try moves([("14D", bo), ("14C", bo)], [("12A", bo), ("12B", bo)]), note: "",
                    expires: nil),
                .propose(
                    try moves([("14C", bo), ("14D", cy)], [("12A", bo), ("20F", cy)]), note: "",
                    expires: nil),
            ])
    }

    @Test(
        "As many seats for as many, and none twice",
        arguments: [
            ("12A,12B", "14C", ErrorCode.badRequest, "seatagent swap 12A,12B --give 14C,14D"),
            ("12A,12B,20F", nil, .whichSeat, "seatagent status"),
            ("12A,12A", nil, .badRequest, "seatagent seats"),
            ("12A,14D", nil, .ownSeat, "seatagent seats"),
            ("12A,12B", "14C,20F", .notYours, "seatagent seats"),
            ("12A,", nil, .noSuchSeat, "seatagent seats"),
        ] as [(String, String?, ErrorCode, String)])
    func notSeveral(take: String, give: String?, code: ErrorCode, advice: String) throws {
        let (host, _) = try aboard()
        var arguments: [String: JSON] = ["seat": .string(take)]
        if let give { arguments["give"] = .string(give) }
        let error = host.refusal("swap", arguments)
        #expect(error?.code == code)
        #expect(error?.advice == advice)
        #expect(host.performed.isEmpty)
    }

    @Test("The same of the same people is not asked for twice, whoever asked first")
    func twice() throws {
        let (host, voyage) = try aboard()
        let moves = [("14C", voyage.bo), ("12A", voyage.cy), ("20F", voyage.ada)]
        let mine = try voyage.contract(moves)
        host.node.swapRecords = [FakeNode.record(4, mine, role: .coordinator, stage: .offered)]
        let own = host.refusal("ring", ring)
        #expect(own?.code == .alreadySo && own?.what.hasSuffix("in request 4") == true)
        // The draft says so too, before the user is asked.
        #expect(host.refusal("ring", ring.merging(["draft": true]) { $1 })?.code == .alreadySo)
        let theirs = try voyage.contract(moves, by: voyage.cy)
        host.node.swapRecords = [FakeNode.record(5, theirs, role: .participant, stage: .invited)]
        #expect(host.refusal("ring", ring)?.advice == "seatagent accept 5")
        #expect(host.performed.isEmpty)
        // What is over does not count.
        host.node.swapRecords = [FakeNode.record(4, mine, role: .coordinator, stage: .expired)]
        #expect(host.refusal("ring", ring) == nil && host.performed.count == 1)
    }

    @Test("A swap is undone by those who made it, each seat back to whoever gave it")
    func undo() throws {
        var (_, voyage) = try aboard()
        let moves = [("14C", voyage.bo), ("12A", voyage.cy), ("20F", voyage.ada)]
        let contract = try voyage.contract(moves)
        try voyage.swap(moves)
        let host = FakeHost(FakeNode(voyage))
        var record = FakeNode.record(1, contract, role: .coordinator, stage: .committed)
        host.node.swapRecords = [record]
        let draft = try #require(host.result("undo", ["request": 1, "draft": true]))
        #expect(draft["moves"]?.list?.map { $0["seat"] } == ["20F", "12A", "14C"])
        #expect(draft["moves"]?.list?.map { $0["to"]?["name"] } == ["cy", "bo", "ada"])
        _ = host.result("undo", ["request": 1, "note": "n"])
        let (ada, bo, cy) = (voyage.ada.key, voyage.bo.key, voyage.cy.key)
        #expect(
            host.performed == [
                .propose(
                    [
                        SeatMove(seat: try seat("20F"), to: cy, from: ada),
                        SeatMove(seat: try seat("12A"), to: bo, from: cy),
                        SeatMove(seat: try seat("14C"), to: ada, from: bo),
                    ], note: "n", expires: nil)
            ])
        // Not some of its seats without the others.
        let known = host.node.fold
        host.node.fold = .empty
        #expect(host.refusal("undo", ["request": 1])?.code == .changed)
        host.node.fold = known
        // What was not made, or is not certain yet, has nothing to undo.
        record.isFinal = false
        host.node.swapRecords = [record]
        #expect(host.refusal("undo", ["request": 1])?.why == "it is not final yet")
        #expect(host.refusal("undo", ["request": 2])?.code == .noSuchRequest)
        host.node.swapRecords = [FakeNode.record(1, contract, role: .coordinator, stage: .offered)]
        #expect(host.refusal("undo", ["request": 1])?.advice == "seatagent cancel 1")
        host.node.swapRecords = [FakeNode.record(1, contract, role: .coordinator, stage: .expired)]
        #expect(host.refusal("undo", ["request": 1])?.why == "it came to no swap")
    }

    @Test("Where somebody moved on, an undo says where the seat is and what can be done")
    func movedOn() throws {
        var (_, voyage) = try aboard()
        let first = [("14C", voyage.bo), ("12A", voyage.ada)]
        let one = try voyage.contract(first)
        try voyage.swap(first)
        let second = [("14C", voyage.cy), ("20F", voyage.bo)]
        let two = try voyage.contract(second, nonce: 2, by: voyage.bo)
        try voyage.swap(second, nonce: 2, by: voyage.bo)
        let host = FakeHost(FakeNode(voyage))
        host.node.swapRecords = [FakeNode.record(1, one, role: .coordinator, stage: .committed)]
        let error = try #require(host.refusal("undo", ["request": 1]))
        #expect(error.code == .changed && error.why?.hasPrefix("14C is with cy #") == true)
        #expect(error.advice == "seatagent swap 14C --give 12A")
        // Of an own later swap with the seat it is known how to get there.
        host.node.swapRecords.append(
            FakeNode.record(3, two, role: .participant, stage: .committed))
        #expect(host.refusal("undo", ["request": 1])?.advice == "seatagent undo 3")
        // Given up.
        let given = try voyage.token("12A").slot
        try voyage.add(.retract(given), by: voyage.ada)
        let alone = FakeHost(FakeNode(voyage))
        alone.node.swapRecords = [FakeNode.record(1, one, role: .coordinator, stage: .committed)]
        let why = alone.refusal("undo", ["request": 1])?.why
        #expect(why == "you gave 12A up" || why?.hasPrefix("14C is with cy") == true)
    }
}
