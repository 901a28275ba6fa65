// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Agent
@testable import ControlAPI
@testable import Protocol
@testable import SeatAgent
@testable import Text
@testable import View

/// The other end of the control socket may be a program of somebody else's, older or newer: what it
/// writes ends neither the agent nor a view.
@Suite("The other end of the control socket")
struct HostilePeerTests {
    @Test("Any number may be asked for", arguments: [Int.min, -1, 0, 1, Int.max])
    func numbers(number: Int) throws {
        let voyage = try Voyage()
        let contract = try voyage.contract(
            [("14C", voyage.bo), ("12A", voyage.ada)], by: voyage.bo)
        let host = FakeHost(FakeNode(voyage))
        host.node.swapRecords = [
            FakeNode.record(3, contract, role: .participant, stage: .aborted)
        ]
        let json = JSON.int(number)
        // The request is of this second: it is older than any time to come.
        let items = host.result("log", ["since": json])?["items"]?.list
        #expect(items?.isEmpty == (number < 0))
        #expect(host.result("log", ["limit": json]) != nil)
        _ = host.ask("search", ["text": "x", "limit": json])
        _ = host.ask("receipt", ["request": json])
        let after = JSON.string("\(String(repeating: "0", count: 64)):\(number)")
        _ = host.ask("export", ["after": after])
        for op in ["accept", "decline", "counter", "cancel", "force"] {
            #expect(host.refusal(op, ["request": json])?.code == .noSuchRequest)
        }
        let legs: JSON = [["seat": "12A", "to": "ada"], ["seat": "14C", "to": "bo"]]
        _ = host.ask("propose", ["legs": legs, "expires": json])
        _ = host.ask("swap", ["seat": "12A", "expires": json, "typed": ["timeout": json]])
    }

    @Test("An answer to a request has it, whatever else was asked with it")
    func unknownArguments() throws {
        let voyage = try Voyage()
        let contract = try voyage.contract(
            [("14C", voyage.bo), ("12A", voyage.ada)], by: voyage.bo)
        let host = FakeHost(FakeNode(voyage))
        host.node.swapRecords = [
            FakeNode.record(3, contract, role: .participant, stage: .invited)
        ]
        for op in ["decline", "cancel", "force"] {
            let odd: [String: JSON] = ["request": 3, "give": 5, "seat": .null, "typed": "x"]
            #expect(host.result(op, odd)?["number"] == 3, "\(op)")
        }
    }

    @Test("What is only repeated in the line to try may be anything")
    func repeatedArguments() throws {
        let host = FakeHost(FakeNode(try Voyage()))
        let odd: [(String, [String: JSON])] = [
            ("accept", ["request": 9, "give": 5, "take": [], "from": .null, "typed": "x"]),
            ("accept", ["request": 9, "note": 5, "expires": "x", "typed": ["timeout": "1.5"]]),
            ("counter", ["request": 9, "give": "14C", "from": 5, "expires": "x", "typed": 5]),
            ("swap", ["seat": "12A", "take": 5, "typed": ["yes": "x"]]),
        ]
        for (op, arguments) in odd {
            #expect(host.refusal(op, arguments)?.code != .badRequest, "\(op)")
        }
        #expect(host.refusal("accept", ["request": "9"])?.code == .badRequest)
        #expect(host.refusal("counter", ["request": 9, "give": 5])?.code == .badRequest)
        #expect(
            host.refusal("watch", ["events": [.null]])?.what
                == "\"watch\" wants \"events\" to be a list of strings")
    }

    @Test("A list with an event of the future has all others")
    func events() throws {
        let told: JSON = [
            "items": [
                ["event": "ready", "at": "2026-11-21T10:02:00Z"],
                ["event": "seat", "at": "2026-11-21T10:02:01Z", "seat": ["row": 1]],
                ["event": "of-the-future", "At": 1],
                ["event": 5], 7,
            ], "more": false,
        ]
        let items = try Op.Search.Reply(told: told).items
        #expect(items.map(\.json) == told["items"]?.list)
        #expect(
            items.map(\.event.what) == [
                .ready, .other("seat"), .other("of-the-future"), .other(""), .other(""),
            ])
        #expect(JSON(try Op.Search.Reply(told: told)) == told)
        var view = ViewState()
        _ = view.answered(.history, .success(told))
        #expect(view.notice == nil && view.hasHistory)
    }

    @Test("An error that is none is told all the same")
    func errors() throws {
        for json: JSON in [.null, 5, [:], ["what": 5, "why": [], "try": true], ["what": ""]] {
            let error = UserError(json: json)
            #expect(error == UserError(.failed, "the agent gave no reason"))
            let line: JSON = ["id": 1, "ok": false, "error": json]
            guard case .answer(1, .failure(let told)) = try ControlLine(Array(line.line.utf8))
            else {
                Issue.record("\(line.line)")
                continue
            }
            #expect(told == error)
        }
    }

    @Test("A line that is neither an event nor an answer of this program ends nothing")
    func lines() throws {
        for text in ["{\"event\":5}", "{}", "{\"id\":\"x\",\"ok\":true}", "{\"id\":1e2}"] {
            guard case .answer(-1, _) = try ControlLine(Array(text.utf8)) else {
                Issue.record("\(text)")
                continue
            }
        }
        #expect(throws: UserError.self) { try ControlLine(Array("[]".utf8)) }
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: UserError.self) { try ControlLine(Array(deep.utf8)) }
    }

    @Test("A request that cannot be read is answered under its id")
    func ids() throws {
        #expect(ControlRequest.id(of: ["id": ["a": 1], "op": 5]) == ["a": 1])
        #expect(ControlRequest.id(of: 5) == .null)
    }
}
