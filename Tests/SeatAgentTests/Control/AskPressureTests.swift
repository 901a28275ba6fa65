// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import Wording
@testable import Agent
import Protocol
import Testing

@testable import SeatAgent
@testable import Terminal
@testable import Text
@testable import Transport
@testable import Keys

@Suite("Who asks too often is told of, and silenced by one key")
struct AskPressureTests {
    /// A host whom these ask for 14C: how often each, how long ago.
    private func host(
        _ asked: [(seat: String, times: Int, ago: Int64)], stage: SwapRecord.Stage = .invited
    ) throws -> FakeHost {
        let voyage = try Voyage()
        let host = FakeHost(FakeNode(voyage))
        host.now = Moment(instant: .zero, utc: UTCTime(seconds: 10_000))
        for (seat, times, ago) in asked {
            let asker = seat == "12A" ? voyage.bo : voyage.cy
            for _ in 0..<times {
                let number = host.node.swapRecords.count + 1
                let contract = try voyage.contract(
                    [("14C", asker), (seat, voyage.ada)], nonce: UInt8(number), by: asker)
                var record = FakeNode.record(number, contract, role: .participant, stage: stage)
                record.created = UTCTime(seconds: 10_000 - ago)
                host.node.swapRecords.append(record)
            }
        }
        return host
    }

    private func pressing(_ host: FakeHost) -> JSON? { host.result("status")?["pressing"] }

    @Test("One who asks four times within half an hour, as long as it waits")
    func one() throws {
        #expect(pressing(try host([("12A", 3, 0)])) == .null)
        let four = try host([("12A", 4, 0)])
        #expect(pressing(four)?["times"] == 4 && pressing(four)?["who"]?["name"] == "bo")
        #expect(pressing(try host([("12A", 3, 0), ("12A", 1, 1799)]))?["times"] == 4)
        #expect(pressing(try host([("12A", 3, 0), ("12A", 1, 1800)])) == .null)
        for stage in [SwapRecord.Stage.committed, .declined, .withdrawn, .expired] {
            #expect(pressing(try host([("12A", 9, 0)], stage: stage)) == .null)
        }
    }

    @Test("Strangers together, though none of them does so alone")
    func strangers() throws {
        let host = try host([("12A", 3, 0), ("20F", 3, 0)])
        #expect(pressing(host) == .null)
        var voyage = try Voyage()
        let dee = try #require(Identity(seed: Array(repeating: 4, count: 32)))
        try voyage.add(.genesis(name: "dee", agent: "test 1"), by: dee)
        try voyage.add(.claim(seat: try #require(Seat("22D")), dependant: false), by: dee)
        for number in 7...8 {
            let contract = try voyage.contract(
                [("14C", dee), ("22D", voyage.ada)], nonce: UInt8(number), by: dee)
            var record = FakeNode.record(number, contract, role: .participant, stage: .declined)
            record.created = host.now.utc
            host.node.swapRecords.append(record)
        }
        #expect(pressing(host)?["times"] == 8 && pressing(host)?["strangers"] == 3)
        // Whoever is known here is none of them, and whoever is blocked was silenced.
        var known = host.node.passengers[1]
        known.assurance = .vouched(2)
        host.node.passengers[1] = known
        #expect(pressing(host) == .null)
        known.assurance = .claimed
        known.isBlocked = true
        host.node.passengers[1] = known
        #expect(pressing(host) == .null)
    }

    @Test("Silence says no to strangers alone, without a word, for half an hour")
    func silence() throws {
        let host = try host([("12A", 1, 0), ("20F", 1, 0)])
        host.node.passengers[2].assurance = .verified
        #expect(host.result("status")?["silenced"] == .null)
        host.declineStrangers()
        #expect(host.performed.isEmpty)
        #expect(host.result("silence", ["on": true])?["silenced"] == 1800)
        #expect(host.performed == [.decline(1, note: "")])
        host.now = Moment(instant: .zero + Silence.span, utc: host.now.utc)
        #expect(host.result("status")?["silenced"] == .null)
        host.declineStrangers()
        #expect(host.performed.count == 1)
        #expect(host.result("silence", ["on": false])?["silenced"] == .null)
    }

    // MARK: In words and in the view

    private static let bo: JSON = ["times": 4, "minutes": 30, "who": Aboard.bo]
    private static let strangers: JSON = ["times": 9, "minutes": 30, "strangers": 3]

    @Test("The words say who, how often, and what to type")
    func words() throws {
        let one = try #require(PressingText(Self.bo))
        #expect(
            one.line(slash: true) == "bo #bo verified has asked 4 times in 30 minutes: "
                + "/block #bo hides and refuses them")
        #expect(one.line(slash: false).hasSuffix("seatagent block '#bo' hides and refuses them"))
        let many = try #require(PressingText(Self.strangers))
        #expect(
            many.line(slash: true) == "3 passengers whom nobody verified have asked 9 times in "
                + "30 minutes: /silence lets them ask in vain")
        #expect(PressingText(.null) == nil)
        let event = Aboard.request(3, note: "").adding(["pressing": Self.strangers])
        #expect(
            EventText(event: event, slash: true).words?.contains("/silence lets them") == true)
    }

    @Test("F7 blocks the one, silences strangers, and does nothing where nobody presses")
    func key() throws {
        var view = Aboard()
        view.devAsks()
        #expect(view.press(.function(7)).isEmpty)
        #expect(view.state.notice?.hasPrefix("Nobody asks too often.") == true)
        #expect(!view.screen.joined().contains("F7 silence"))
        let told = view.status
        // The request on the screen is not of the one who presses.
        view.answer(.status, told.adding(["pressing": Self.bo]))
        #expect(!view.screen.joined().contains("F7 silence"))
        #expect(view.press(.function(7)).isEmpty)
        #expect(view.state.notice?.contains("/block #bo hides") == true)
        view.answer(
            .status, told.adding(["pressing": Self.bo.adding(["who": Aboard.dev])]))
        #expect(view.screen.joined().contains("F5 answer  F7 silence"))
        guard let arguments = view.press(.function(7)).first?.arguments(of: .block) else {
            Issue.record("nobody was blocked")
            return
        }
        #expect(arguments == ["who": "key-dev"])
        view.answer(.status, told.adding(["pressing": Self.strangers]))
        view.press(.function(5))
        #expect(view.screen.joined().contains("F7 silences them: 3 passengers"))
        guard let on = view.press(.function(7)).first?.arguments(of: .silence) else {
            Issue.record("nobody was silenced")
            return
        }
        #expect(on == ["on": true] && view.state.focus == .input)
    }
}
