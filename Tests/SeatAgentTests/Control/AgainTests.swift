// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import Grammar
@testable import View
import Testing

@testable import Protocol
@testable import SeatAgent
@testable import Terminal
@testable import Text
@testable import Transport

@Suite("What is printed to try leads to a request, in a shell and in the view")
struct AgainTests {
    private static let note = "it's mine; \"aisle\" $HOME"

    /// ada has 14C and 14D; bo and cy both claim 12A. What the core says of intents is
    /// what it says of these logs.
    private func host() throws -> (FakeHost, Contract) {
        var voyage = try Voyage()
        let contract = try voyage.contract(
            [("12A", voyage.ada), ("14C", voyage.bo)], by: voyage.bo)
        try voyage.add(.claim(seat: try #require(Seat("14D")), dependant: false), by: voyage.ada)
        try voyage.add(.claim(seat: try #require(Seat("12A")), dependant: false), by: voyage.cy)
        let host = FakeHost(FakeNode(voyage))
        host.node.trust = Trust(me: host.node.me)
        let bo = voyage.bo.key
        let token = try #require(contract.legs.first { $0.from == bo }).token
        host.decides = { intent, node in
            switch intent {
            case .swap(let take, let give, _, _, let override, let from, let unverified):
                let moves = node.fold.exchange(
                    take: take, give: give, me: node.me, from: from, override: override,
                    node.trust)
                if case .failure(let refusal) = moves { return .failure(refusal) }
                return unverified
                    ? .success(.request(1)) : .failure(.swap(.mayStick(bo, give: give)))
            case .accept(_, let override, let unverified, _):
                guard override else { return .failure(.swap(.check(.disputed(token)))) }
                return unverified
                    ? .success(.request(1)) : .failure(.swap(.mayStick(bo, give: nil)))
            default: return .failure(.emptyText)
            }
        }
        return (host, contract)
    }

    /// Runs a line as a shell and a command without a terminal do; the line to
    /// try, or `nil` once it went.
    private func run(_ line: String, _ host: FakeHost) throws -> String? {
        let words = SlashWords.split(line)
        #expect(words.first == "seatagent")
        let parsed = try CommandTable.parser.parse(Array(words.dropFirst()))
        var arguments = JSON(try parsed.swapTerms()).members ?? [:]
        let op = try #require(parsed.command?.name)
        if op == "swap" {
            arguments["seat"] = .string(parsed.operands[0])
            let draft = arguments.merging(["draft": true]) { $1 }
            if let error = host.refusal(op, draft) { return error.advice }
        } else {
            arguments["request"] = .int(try #require(Int(parsed.operands[0])))
        }
        return host.refusal(op, arguments)?.advice
    }

    /// What is printed after `first`, until it goes; at most as many lines as there are questions.
    private func lines(_ first: String, _ host: FakeHost) throws -> [String] {
        var lines = [first]
        while let next = try run(lines[lines.count - 1], host) {
            lines.append(next)
            try #require(lines.count <= 4, "\(lines)")
        }
        return lines
    }

    @Test("In a shell: two seats, a seat that two claim, and nobody who can be asked")
    func inAShell() throws {
        let (host, contract) = try host()
        let typed = "seatagent swap 12A --note 'it'\\''s mine; \"aisle\" $HOME' --expires 10m"
        let printed = try lines(typed + " --yes --wait --timeout 60", host)
        #expect(printed.count == 4)
        let tag = try #require(host.node.passengers.first { $0.name == "bo" }).key.shortTag
        #expect(
            printed.last == "seatagent swap 12A --from '\(tag)' --give 14C --note "
                + "'it'\\''s mine; \"aisle\" $HOME' --expires 600s --override --unverified --yes "
                + "--wait --timeout 60s")
        guard case .swap(_, let give, let note, let expires, _, _, _) = host.performed.last else {
            Issue.record("no swap was asked for")
            return
        }
        #expect(give == Seat("14C") && note == Self.note && expires == 600)
        // The answers of the user stay, whichever they were.
        host.node.swapRecords = [
            FakeNode.record(3, contract, role: .participant, stage: .invited)
        ]
        #expect(
            try lines("seatagent accept 3 --yes --unverified --wait", host).last
                == "seatagent accept 3 --override --unverified --yes --wait")
        #expect(try lines("seatagent accept 3 --yes", host).count == 3)
    }

    /// Types `line` into the view, answers every question with y, and gives what is printed to try.
    private func type(_ line: String, _ view: inout Aboard, _ host: FakeHost) -> String? {
        view.type(line)
        var intents = view.press(.enter)
        var steps = 0
        while steps < 8 {
            steps += 1
            if case .call(let call, let purpose)? = intents.first {
                let answer = host.ask(call.operation.rawValue, call.arguments.members ?? [:])
                intents = view.state.answered(purpose, answer)
                if case .failure = answer {
                    let told = view.state.conversation.lines.last?.text ?? ""
                    let words = told.components(after: "Try: ")
                    return words ?? "nothing to try: \(told)"
                }
            } else if view.state.question != nil {
                view.wait()
                intents = view.press(.letter("y"))
            } else {
                return nil
            }
        }
        return "no end"
    }

    @Test("In the view: the same, with a slash", arguments: ["/swap 12A pls", "/accept 3"])
    func inTheView(first: String) throws {
        let (host, contract) = try host()
        host.node.swapRecords = [
            FakeNode.record(3, contract, role: .participant, stage: .invited)
        ]
        var view = Aboard()
        view.answer(.requests, try #require(host.result("requests")))
        var lines = [first]
        while let next = type(lines[lines.count - 1], &view, host) {
            lines.append(next)
            try #require(lines.count <= 4, "\(lines)")
            #expect(next.hasPrefix("/"))
        }
        #expect(lines.count > 1)
        switch host.performed.last {
        case .swap(_, let give, let note, _, let override, _, let unverified):
            #expect(give == Seat("14C") && note == "pls" && override && unverified)
        case .accept(let number, let override, let unverified, _):
            #expect(number == 3 && override && unverified)
        default: Issue.record("\(lines) came to nothing")
        }
    }

    @Test("What is no option of the view's command goes to nobody")
    func wrongOptions() {
        var view = Aboard()
        for line in [
            "/swap 12A --gvie 14C please", "/swap 12A please --give 14C", "/accept 1 --give 14C",
            "/swap 12A --give",
        ] {
            view.type(line)
            #expect(view.press(.enter).isEmpty, "\(line)")
            #expect(view.state.notice?.hasSuffix("Nothing was sent.") == true, "\(line)")
            #expect(view.state.editor.text == line)
            view.state.editor.replace(with: "")
        }
        // A page of the program says it in the view's words.
        view.type("/counter 1 --take 12B --note 'this one?'")
        #expect(
            view.press(.enter)
                == [.run(["counter", "1", "--take", "12B", "--note", "this one?"])])
        let words = ["counter", "1", "--take", "12B", "--note", "this one?"]
        view.state.ran(words, lines: ["seatagent: no", "  try: seatagent counter 1 --override"])
        #expect(view.state.page?.lines.last == "  try: /counter 1 --override")
    }

    @Test("A word in quotes is one word, and a quote in a word is a letter")
    func quotes() {
        #expect(SlashWords.split("who '#c2d9'  x") == ["who", "#c2d9", "x"])
        #expect(SlashWords.split("'it'\\''s so' \"a b\"") == ["it's so", "a b"])
        #expect(SlashWords.split("don't can't 'tis 'fine") == ["don't", "can't", "'tis", "'fine"])
        #expect(SlashWords.after(1, "'a b'  'c d' e") == "'c d' e")
        #expect(ChatStep("/swap 12A --note 'a b'") == .run(["swap", "12A", "--note", "a b"]))
    }

    @Test(
        "Where a request stands that asks for just that, the asked votes last: no second question")
    func swapAsAnAnswer() throws {
        let (host, _) = try host()
        var voyage = try Voyage()
        let contract = try voyage.contract([("12A", voyage.ada), ("14C", voyage.bo)])
        try voyage.add(.claim(seat: try #require(Seat("14D")), dependant: false), by: voyage.ada)
        host.node = FakeNode(voyage)
        let words: [String: JSON] = ["seat": "12A", "give": "14C", "draft": true]
        #expect(host.result("swap", words)?["risk"] != nil)
        host.node.swapRecords = [FakeNode.record(1, contract, role: .asked, stage: .requested)]
        #expect(host.result("swap", words)?["risk"] == nil)
        // For another of one's seats it is no answer.
        let other: [String: JSON] = ["seat": "12A", "give": "14D", "draft": true]
        #expect(host.result("swap", other)?["risk"] != nil)
    }
}

extension String {
    /// What stands after the last `mark`; `nil` where there is none.
    fileprivate func components(after mark: String) -> String? {
        var found: Substring?
        for index in indices where self[index...].hasPrefix(mark) {
            found = self[index...].dropFirst(mark.count)
        }
        return found.map(String.init)
    }
}
