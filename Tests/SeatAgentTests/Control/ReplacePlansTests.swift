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

/// ada in 14C and 12B, bo in 12A, cy in 12C: either would give their seat for 14C.
@Suite("What takes the place of a request that came to nothing")
struct ReplacePlansTests {
    private let host: FakeHost
    private let voyage: Voyage

    init() throws {
        var voyage = try Voyage()
        try voyage.add(.claim(seat: #require(Seat("12B")), dependant: false), by: voyage.ada)
        try voyage.add(.claim(seat: #require(Seat("12C")), dependant: false), by: voyage.cy)
        for (who, seat) in [(voyage.bo, "12A"), (voyage.cy, "12C")] {
            let wish = Wish(
                offered: [try voyage.token(seat).token], ranks: [SeatedCabin.set("14C")],
                tag: ThreadID(high: 1, low: 1))
            try voyage.add(.wish(wish), by: who)
        }
        self.voyage = voyage
        host = FakeHost(FakeNode(voyage))
        for index in host.node.passengers.indices {
            host.node.passengers[index].assurance = .verified
        }
        // A core that asks for what it is told to.
        host.decides = { [unowned host] intent, node in
            guard case .propose(let moves, _, _, _, _) = intent else { return .success(.done) }
            let number = node.swapRecords.count + 1
            guard case .success(let legs) = node.fold.legs(moves),
                let nonce = ThreadID(Array(repeating: UInt8(number), count: 16)),
                let other = legs.map(\.from).first(where: { $0 != node.me }),
                let contract = Contract(
                    flight: voyage.flightID, coordinator: other, nonce: nonce, legs: legs,
                    primitives: voyage.primitives)
            else { return .failure(.swap(.badContract)) }
            host.node.swapRecords.append(
                FakeNode.record(number, contract, role: .asker, stage: .asking))
            return .success(.request(number))
        }
    }

    /// The best plan is proposed.
    @discardableResult
    private func propose(once: Bool = false) throws -> SwapRequest {
        let found = try MatchPlans(told: #require(host.result("together")))
        var terms = SwapTerms(note: "dear bo", unverified: true)
        terms.typed = SwapTerms.Typed(found: "together", once: once)
        let call = ControlCall(try #require(found.plans.first).proposal(terms))
        return try SwapRequest(
            told: #require(host.result("propose", call.arguments.members ?? [:])))
    }

    private func end(_ number: Int, _ what: SwapNotice.What, _ stage: SwapRecord.Stage) {
        let index = number - 1
        host.node.swapRecords[index].stage = stage
        let notice = SwapNotice(record: host.node.swapRecords[index], what: what)
        host.keep([.swap(notice)], isOwn: false)
    }

    private func shown(_ number: Int) throws -> RequestText {
        let list = host.result("requests", ["all": true])?["requests"]?.list
        return RequestText(request: try #require(list?[number - 1]))
    }

    /// Those who had agreed offer their seats anew first.
    private func lookAgain() {
        let count = host.performed.count
        host.replacePlans()
        #expect(host.performed.count == count)
        host.now.instant = host.now.instant + .seconds(6)
        host.replacePlans()
    }

    private func asked(_ number: Int) -> PeerKey {
        host.node.swapRecords[number - 1].contract.coordinator
    }

    @Test("After a no the next best is proposed to somebody else, and it says so")
    func refused() throws {
        #expect(try propose().number == 1)
        host.replacePlans()
        #expect(host.performed.count == 1)
        end(1, .declined(asked(1)), .declined)
        lookAgain()
        #expect(host.node.swapRecords.count == 2 && asked(2) != asked(1))
        #expect(try shown(2).line().contains("  in place of request 1  waiting for"))
        #expect(try !shown(1).request.looking)
        // Nobody is left.
        end(2, .declined(asked(2)), .declined)
        #expect(try shown(2).request.looking)
        lookAgain()
        #expect(try host.node.swapRecords.count == 2 && !shown(2).request.looking)
    }

    @Test("Words and a risk taken for somebody are not for somebody else")
    func anew() throws {
        try propose()
        end(1, .declined(asked(1)), .declined)
        host.now.utc = UTCTime(seconds: host.now.utc.seconds + 100)
        lookAgain()
        guard case .propose(_, let note, let expires, false, false)? = host.performed.last else {
            Issue.record("nothing was proposed, or with more than the user said")
            return
        }
        // Until shortly before the first would have ended.
        #expect(note.isEmpty && expires == 1800 - 100 - 10)
    }

    @Test("Nobody is asked for whom nothing but their claim speaks, nor what brings a new warning")
    func risks() throws {
        try propose()
        end(1, .declined(asked(1)), .declined)
        let left = [voyage.bo, voyage.cy].first { $0.key != asked(1) }
        let index = host.node.passengers.firstIndex { $0.key == left?.key }
        host.node.passengers[try #require(index)].assurance = .claimed
        lookAgain()
        #expect(try host.node.swapRecords.count == 1 && !shown(1).request.looking)
        host.node.passengers[try #require(index)].assurance = .verified
        host.node.swapRecords = []
        host.endings = SwapEndings()
        host.performed = []
        try propose()
        end(1, .declined(asked(1)), .declined)
        host.needs = Needs([Needs.Person(seat: try #require(Seat("14C")), facts: [.paid])])
        lookAgain()
        #expect(try host.node.swapRecords.count == 1 && !shown(1).request.looking)
        // What was read before the first is known.
        host.node.swapRecords = []
        host.endings = SwapEndings()
        try propose()
        end(1, .declined(asked(1)), .declined)
        lookAgain()
        #expect(host.node.swapRecords.count == 2)
    }

    @Test("Nor is what somebody else proposed to the user, whatever they answered")
    func theirs() throws {
        try propose()
        let left = asked(1) == voyage.bo.key ? voyage.cy : voyage.bo
        let seat = left.key == voyage.bo.key ? "12A" : "12C"
        let theirs = try voyage.contract([("14C", left), (seat, voyage.ada)], by: voyage.ada)
        for stage in [SwapRecord.Stage.requested, .declined, .withdrawn] {
            host.node.swapRecords.append(
                FakeNode.record(2, theirs, role: .asked, stage: stage))
            end(1, .declined(asked(1)), .declined)
            lookAgain()
            #expect(host.performed.count == 1, "\(stage)")
            host.node.swapRecords.removeLast()
            host.node.swapRecords = []
            host.endings = SwapEndings()
            host.performed = []
            try propose()
        }
    }

    @Test("An answer that comes after the user ended the search, or wished anew, is none")
    func late() throws {
        try propose()
        end(1, .declined(asked(1)), .declined)
        host.searches = []
        lookAgain()
        #expect(host.searches?.count == 1)
        _ = host.result("wish", ["words": "window"])
        host.searches?.removeFirst()()
        #expect(host.node.swapRecords.count == 1)
        host.replacePlans()
        host.now.instant = host.now.instant + .seconds(6)
        host.replacePlans()
        #expect(host.searches?.count == 1)
        _ = host.result("cancel", ["request": 1])
        host.searches?.removeFirst()()
        #expect(try host.node.swapRecords.count == 1 && !shown(1).request.looking)
    }

    @Test("Nor when little of the time is left, or the user asked for something else")
    func tooLate() throws {
        try propose()
        end(1, .declined(asked(1)), .declined)
        host.now.utc = UTCTime(seconds: host.node.swapRecords[0].expires.seconds - 15)
        lookAgain()
        #expect(host.node.swapRecords.count == 1)
        host.now.utc = UTCTime(seconds: 1000)
        host.endings = SwapEndings()
        host.node.swapRecords = []
        host.performed = []
        try propose()
        end(1, .declined(asked(1)), .declined)
        host.answer = .success(.done)
        _ = host.result("swap", ["seat": "12C", "give": "12B", "unverified": true])
        #expect(host.performed.count == 2)
        lookAgain()
        #expect(host.performed.count == 2)
    }

    @Test("The search can be ended")
    func ended() throws {
        try propose()
        end(1, .declined(asked(1)), .declined)
        host.replacePlans()
        #expect(host.result("cancel", ["request": 1])?["looking"] == nil)
        lookAgain()
        #expect(host.performed.count == 1)
    }

    @Test("Whoever does not answer in time is left out")
    func silent() throws {
        try propose()
        host.now.instant = .zero + .seconds(179)
        host.replacePlans()
        #expect(host.performed.count == 1)
        #expect(host.nextReplacement == .zero + .seconds(180))
        host.now.instant = .zero + .seconds(180)
        host.replacePlans()
        #expect(host.performed.last == .replace(1))
        end(1, .withdrawn, .withdrawn)
        #expect(try shown(1).line().hasSuffix("withdrawn: not everybody answered in time"))
        lookAgain()
        #expect(asked(2) != asked(1) && host.node.swapRecords.count == 2)
    }

    @Test("Whoever wishes for something else by now keeps their place in the search")
    func unwilling() throws {
        try propose()
        var voyage = voyage
        let who = asked(1) == voyage.bo.key ? voyage.bo : voyage.cy
        let seat = who.key == voyage.bo.key ? "12A" : "12C"
        try voyage.add(
            .wish(
                Wish(
                    offered: [voyage.token(seat).token], ranks: [SeatedCabin.set("30F")],
                    tag: ThreadID(high: 1, low: 1))), by: who)
        host.node.logs = voyage.logs
        host.replacePlans()
        #expect(host.performed.last == .replace(1))
        end(1, .withdrawn, .withdrawn)
        #expect(
            try shown(1).line().hasSuffix(
                "withdrawn: somebody in it wishes for something else by now"))
    }

    @Test("Nothing takes the place of what was proposed once, or by hand")
    func once() throws {
        try propose(once: true)
        end(1, .declined(asked(1)), .declined)
        lookAgain()
        #expect(host.performed.count == 1)
    }

    @Test("The question says it before anybody is asked")
    func question() throws {
        let found = try MatchPlans(told: #require(host.result("together")))
        var terms = SwapTerms()
        terms.typed = SwapTerms.Typed(found: "together")
        for (once, isSaid) in [(false, true), (true, false)] {
            terms.typed?.once = once
            let plan = try #require(found.plans.first).proposal(terms)
            let call = Drafted.plan(plan)
            let draft = try SwapDraft(
                told: #require(host.result("propose", call.draft.arguments.members ?? [:])))
            let said = draft.warnings?.contains { $0.code == .replaced }
            #expect(said == isSaid)
        }
    }
}
