// SPDX-License-Identifier: Apache-2.0
@testable import Wording
import Testing

@testable import Protocol
@testable import SeatAgent
@testable import Text

@Suite("Seats that several claim, in words")
struct DisputeTests {
    private func claim(_ name: String, _ more: [String: JSON] = [:]) -> JSON {
        let head: JSON = ["key": .string(name), "tag": .string("#\(name)"), "name": .string(name)]
        return head.adding(more)
    }

    @Test("Who has the most evidence stands first, and the others are remarks")
    func remark() {
        let item: JSON = [
            "seat": "12A", "state": "held",
            "holders": [claim("bo", ["evidence": ["verified": true]])],
            "claims": [
                claim("bo", ["evidence": ["verified": true], "claimed": 1]),
                claim("carl", ["claimed": 9, "remark": true]),
                claim("dora", ["blocked": true, "remark": true, "by": claim("eve")]),
            ],
        ]
        #expect(
            ClaimText.lines(item, [:]) == [
                "12A  bo #bo verified", "     also claimed by carl #carl, who claims 9 seats",
                "     also claimed by dora #dora, by the claim of eve #eve, blocked by you",
            ])
    }

    @Test("Equal evidence is a dispute, each with what stands behind it")
    func dispute() {
        let item: JSON = [
            "seat": "12A", "state": "disputed", "holders": [claim("bo"), claim("carl")],
            "claims": [claim("bo"), claim("carl", ["claimed": 2])],
        ]
        #expect(
            ClaimText.lines(item, [:]) == [
                "12A  bo #bo, claimed only", "12A  carl #carl, claimed only, who claims 2 seats",
            ])
        #expect(ClaimText.lines(["seat": "1A", "holders": [claim("bo")]], [:]).isEmpty)
    }

    @Test(
        "A counter-offer for a seat that another claims too is made knowingly, by the line to try")
    func counter() throws {
        var voyage = try Voyage()
        try voyage.add(.claim(seat: try #require(Seat("12B")), dependant: false), by: voyage.bo)
        try voyage.add(.claim(seat: try #require(Seat("12B")), dependant: false), by: voyage.cy)
        let contract = try voyage.contract(
            [("12A", voyage.ada), ("14C", voyage.bo)], by: voyage.ada)
        let host = FakeHost(FakeNode(voyage))
        host.node.swapRecords = [FakeNode.record(1, contract, role: .asked, stage: .requested)]
        let words: [String: JSON] = ["request": 1, "take": "12B", "unverified": true]
        let error = try #require(host.refusal("counter", words))
        #expect(error.code == .disputed && host.performed.isEmpty)
        #expect(error.advice == "seatagent counter 1 --take 12B --override --unverified")
        _ = host.result("counter", words.merging(["override": true]) { $1 })
        #expect(
            host.performed == [
                .counter(
                    1, give: Seat("14C"), take: Seat("12B"), note: "", override: true,
                    unverified: true)
            ])
        // What is printed parses.
        let parsed = try CommandSession(console: Console(input: ""), environment: [:])
            .parser.parse(["counter", "1", "--take", "12B", "--override", "--unverified"])
        #expect(parsed.has("override") && parsed.has("unverified"))
    }

    @Test("The refusal asks for one by name, and says how it ends")
    func refusal() throws {
        let host = FakeHost(FakeNode(try Voyage()))
        let bo = host.node.passengers[1].key
        let seat = try #require(Seat("12A"))
        host.node.trust = Trust(me: host.node.me, party: [bo])
        host.answer = .failure(.disputed(seat, [bo]))
        let error = try #require(host.refusal("swap", ["seat": "12A", "give": "14C"]))
        #expect(error.code == .disputed)
        #expect(error.advice == "seatagent swap 12A --from '\(bo.shortTag)' --give 14C --override")
        #expect(error.why?.hasPrefix("bo \(bo.shortTag), of your party") == true)
        #expect(error.why?.contains("face to face") == true)
        let cy = host.node.passengers[2].key
        host.answer = .failure(.notTheirs(seat, cy))
        #expect(
            host.refusal("swap", ["seat": "12A", "give": "14C", "from": "cy"])?.code == .changed)
        let asked = Intent.swap(
            take: seat, give: Seat("14C"), note: "", expires: nil, override: true, from: bo)
        host.performed = []
        _ = host.result(
            "swap", ["seat": "12A", "give": "14C", "from": "bo", "override": true])
        #expect(host.performed == [asked])
    }
}
