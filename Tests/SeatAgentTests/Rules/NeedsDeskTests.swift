// SPDX-License-Identifier: Apache-2.0
@testable import Agent
import Protocol
import Testing

@testable import Aviation
@testable import SeatAgent
@testable import Text

/// ada in 14C, whose swap with bo in 12A waits for her answer.
private func asked() throws -> (host: FakeHost, number: Int) {
    let voyage = try Voyage()
    var node = FakeNode(voyage)
    let contract = try voyage.contract([("14C", voyage.bo), ("12A", voyage.ada)], by: voyage.bo)
    node.swapRecords = [
        FakeNode.record(1, contract, role: .participant, stage: .invited)
    ]
    return (FakeHost(node), 1)
}

@Suite("What is said of the own seats, at the desk")
struct NeedsDeskTests {
    @Test("What is said of a seat is kept, shown, and taken back")
    func facts() throws {
        let host = try asked().host
        let before = host.result("needs")?["people"]?.list
        #expect(before?.map { $0["seat"] } == ["14C"] && before?[0]["facts"] == [])
        let answer = host.result("needs-set", ["seat": "14C", "facts": ["paid", "exit"]])
        #expect(answer?["people"]?.list?[0]["facts"] == ["exit", "paid"])
        #expect(host.needs.people.map(\.text) == ["exit paid"])
        _ = host.result("needs-set", ["seat": "14C", "facts": []])
        #expect(host.needs.people.isEmpty)
        #expect(host.refusal("needs-set", ["seat": "12A", "facts": ["exit"]])?.code == .notYours)
        #expect(host.refusal("needs-set", ["seat": "14C", "facts": ["tall"]])?.code == .badRequest)
        let self14 = host.refusal("needs-set", ["seat": "14C", "facts": ["child"], "with": "14C"])
        #expect(self14?.code == .badRequest)
    }

    @Test("A request says what to know before a yes, and a yes against the rules is refused here")
    func blocked() throws {
        let (host, number) = try asked()
        var request = try #require(host.result("requests")?["requests"]?.list?.first)
        #expect(request["blocked"] == nil)
        let codes = request["warnings"]?.list?.compactMap { $0["code"]?.text }
        #expect(codes == ["row", "layout", "belongings", "pass"])
        host.needs.set(Needs.Person(seat: try #require(Seat("14C")), facts: [.standby]))
        request = try #require(host.result("requests")?["requests"]?.list?.first)
        #expect(request["blocked"]?["code"] == "against-rules")
        let error = try #require(host.refusal("accept", ["request": .int(number)]))
        #expect(
            error.code == .againstRules && error.advice == "seatagent needs 14C standby --remove")
        #expect(host.refusal("swap", ["seat": "12A"])?.code == .againstRules)
        #expect(host.refusal("counter", ["request": .int(number)])?.code == .againstRules)
        let legs: JSON = [["seat": "14C", "to": "bo"], ["seat": "12A", "to": "ada"]]
        #expect(host.refusal("propose", ["legs": legs])?.code == .againstRules)
        // Nothing went to the core, and so nothing to anybody.
        #expect(host.performed.isEmpty)
        #expect(host.refusal("decline", ["request": .int(number)]) == nil)
        #expect(host.performed == [.decline(number, note: "")])
    }

    @Test("Exits of the own layout stop, those of others are told")
    func exits() throws {
        let (host, number) = try asked()
        let layout = try CabinLayout.read(
            Array(
                #"""
                {"version":1,"id":"x","name":"x","type":"x","source":["x"],"checkedOn":"2026-11",
                "sure":"unverified","cabins":[{"class":"economy","rows":["1-30"],
                "blocks":["ABC","DEF"]}],"exitRows":[12]}
                """#.utf8))
        host.judged = (layout, true)
        #expect(host.refusal("accept", ["request": .int(number)])?.code == .againstRules)
        host.needs.set(Needs.Person(seat: try #require(Seat("14C")), facts: [.exit]))
        #expect(host.refusal("accept", ["request": .int(number)]) == nil)
        host.needs = Needs()
        host.judged = (layout, false)
        let request = host.result("requests")?["requests"]?.list?.first
        #expect(request?["blocked"] == nil)
        #expect(request?["warnings"]?.list?.first?["code"] == "exit")
        #expect(host.refusal("accept", ["request": .int(number)]) == nil)
    }

    @Test("Layouts of peers that cannot be read count for nobody")
    func votes() throws {
        /// What each of so many passengers suggests.
        func read(_ layouts: [[UInt8]]) -> [CabinVote] {
            var book = LayoutBook()
            for (number, layout) in layouts.enumerated() {
                let key = PeerKey(Bytes32([UInt8](repeating: UInt8(number), count: 32)) ?? .zero)
                let suggestion = LayoutSuggestion(
                    author: key, revision: 1, signature: [UInt8](repeating: 0, count: 64),
                    layout: layout)
                let hash = Bytes32([UInt8](repeating: UInt8(number), count: 32)) ?? .zero
                book.keep(suggestion, hash, at: .zero)
            }
            return CabinVote.read(book.tally { _ in true })
        }
        let good = CabinLayout.standard.bytes
        let bad: [[UInt8]] = [[], [0x7B], Array("{}".utf8), good + [0x20], good.reversed()]
        #expect(read(bad).isEmpty)
        #expect(read(bad + [good]).map(\.layout) == [.standard])
        // What is bundled can be shared.
        for layout in CabinLayout.bundled {
            #expect(layout.bytes.count <= Limits.layout)
            #expect(read([layout.bytes]).first?.layout == layout)
        }
    }
}
