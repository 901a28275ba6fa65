// SPDX-License-Identifier: Apache-2.0
import Aviation
import ProtocolTestKit
import Testing

@testable import Agent
@testable import ControlAPI
@testable import Keys
@testable import Protocol
@testable import SeatAgent
@testable import Text
@testable import Wording

/// ada said yes to bo's ring of all three.
@Suite("A yes that counts for what takes the place of a request")
struct RepeatYesTests {
    private let host: FakeHost
    private let voyage: Voyage

    init() throws {
        voyage = try Voyage()
        host = FakeHost(FakeNode(voyage))
        host.node.swapRecords = [try ring(1, .invited)]
    }

    private func ring(_ number: Int, _ stage: SwapRecord.Stage) throws -> SwapRecord {
        let contract = try voyage.contract(
            [("14C", voyage.bo), ("12A", voyage.cy), ("20F", voyage.ada)], nonce: UInt8(number),
            by: voyage.bo)
        return FakeNode.record(number, contract, role: .participant, stage: stage)
    }

    /// The yes to request 1, which then ends, and request 2 for the same.
    private func say(keep: Bool = true) throws {
        host.decides = { [unowned host] intent, _ in
            if case .accept(let number, _, _, _) = intent {
                host.node.swapRecords[number - 1].stage = .ready
            }
            return .success(.done)
        }
        _ = host.result(
            "accept", keep ? ["request": 1, "keep": true] : ["request": 1])
        host.node.swapRecords[0].stage = .withdrawn
        host.node.swapRecords[0].hasFailed = true
        let ended = SwapNotice(record: host.node.swapRecords[0], what: .withdrawn)
        host.keep([.swap(ended)], isOwn: false)
        host.performed = []
    }

    private func shown(_ number: Int) throws -> RequestText {
        let list = host.result("requests", ["all": true])?["requests"]?.list
        return RequestText(request: try #require(list?[number - 1]))
    }

    @Test("It is said by itself, once, and people read it")
    func counts() throws {
        #expect(try shown(1).warnings.contains { $0.hasPrefix("If somebody else says no, your") })
        try say()
        #expect(
            try shown(1).line().hasSuffix(
                "  your yes counts for what takes its place: cancel 1 takes it back  withdrawn: "
                    + "bo \(voyage.bo.key.shortTag) in 12A or their agent ended it"))
        host.repeatYeses()
        #expect(host.performed.isEmpty)
        host.node.swapRecords.append(try ring(2, .invited))
        host.repeatYeses()
        let id = host.node.swapRecords[1].contract.id
        #expect(host.performed == [.accept(2, override: false, unverified: true, of: id)])
        #expect(try shown(2).line().contains("  your yes to request 1 counts here  you said yes"))
        #expect(try shown(2).news?.hasPrefix("You said yes to request 2: your yes to") == true)
        host.repeatYeses()
        #expect(host.performed.count == 1)
    }

    @Test("Not where the user did not let it, took it back, wished anew, or a rule forbids it")
    func not() throws {
        try say(keep: false)
        host.node.swapRecords.append(try ring(2, .invited))
        host.repeatYeses()
        #expect(host.performed.isEmpty)
        host.node.swapRecords = [try ring(1, .invited)]
        try say()
        let listed = host.result("requests")?["requests"]?.list?.first
        #expect(listed?["counts"] == .bool(true))
        #expect(host.result("cancel", ["request": 1])?["state"]?.text == "withdrawn")
        #expect(host.performed.isEmpty && host.endings.kept.isEmpty)
        #expect(host.result("requests")?["requests"]?.list?.isEmpty == true)
        host.node.swapRecords = [try ring(1, .invited)]
        try say()
        host.node.swapRecords.append(try ring(2, .invited))
        host.needs = Needs([Needs.Person(seat: try #require(Seat("14C")), facts: [.standby])])
        host.repeatYeses()
        // It counts once, whatever comes of it.
        #expect(host.performed.isEmpty && host.endings.kept.isEmpty)
        #expect(try shown(2).request.after == nil)
        host.needs = Needs()
        host.repeatYeses()
        #expect(host.performed.isEmpty)
    }

    @Test("Whatever the user says of their seats or of people ends it")
    func saidSince() throws {
        let ways: [(String, [String: JSON])] = [
            ("wish", ["words": "window"]), ("block", ["who": "cy"]),
            ("swap", ["seat": "12A", "give": "14C", "unverified": true]),
            ("decline", ["request": 2]),
        ]
        for (name, members) in ways {
            host.node.swapRecords = [try ring(1, .invited)]
            try say()
            host.node.swapRecords.append(try ring(2, .invited))
            #expect(!host.endings.kept.isEmpty)
            _ = host.result(name, members)
            #expect(host.endings.kept.isEmpty, "\(name)")
        }
    }

    @Test("Nothing counts again beside somebody who is blocked, whoever it is")
    func blocked() throws {
        try say()
        host.node.swapRecords.append(try ring(2, .invited))
        host.node.passengers[2].isBlocked = true
        host.repeatYeses()
        #expect(host.performed.isEmpty && host.endings.kept.isEmpty)
        host.node.passengers[2].isBlocked = false
        host.repeatYeses()
        #expect(host.performed.isEmpty)
        host.node.passengers[2].isBlocked = true
        host.node.swapRecords = [try ring(1, .invited)]
        #expect(try !shown(1).warnings.contains { $0.hasPrefix("If somebody else says no") })
    }

    @Test("Somebody for whom more than a claim spoke must still have more")
    func known() throws {
        host.node.swapRecords[0].wasKnown = true
        try say()
        host.node.swapRecords.append(try ring(2, .invited))
        host.repeatYeses()
        let id = host.node.swapRecords[1].contract.id
        #expect(host.performed == [.accept(2, override: false, unverified: false, of: id)])
    }

    @Test("What the core refuses waits for the user")
    func refused() throws {
        try say()
        host.node.swapRecords.append(try ring(2, .invited))
        host.decides = { _, _ in .failure(.swap(.promised)) }
        host.repeatYeses()
        #expect(try shown(2).needsAnswer && shown(2).request.after == nil)
        host.repeatYeses()
        #expect(host.performed.count == 1)
    }
}
