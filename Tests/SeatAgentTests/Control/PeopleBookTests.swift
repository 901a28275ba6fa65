// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Protocol
@testable import SeatAgent
@testable import Text

@Suite("Who is meant")
struct PeopleBookTests {
    private func host() throws -> FakeHost { FakeHost(FakeNode(try Voyage())) }

    @Test("A seat, a name in any case, a tag, a tag without its mark, a whole key")
    func ways() throws {
        let host = try host()
        let bo = host.node.passengers[1].key
        for word in ["12A", "12a", "bo", "BO", bo.shortTag, "#" + bo.tag, bo.tag, bo.hex] {
            #expect(
                host.result("who", ["who": .string(word)])?["key"] == .string(bo.hex), "\(word)")
        }
    }

    @Test("Nobody")
    func nobody() throws {
        let host = try host()
        #expect(host.refusal("who", ["who": "zed"])?.code == .noSuchPassenger)
        #expect(host.refusal("who", ["who": "#zzzz"])?.code == .noSuchPassenger)
        #expect(host.refusal("who", ["who": "1A"])?.code == .emptySeat)
        #expect(host.refusal("msg", ["who": "ada", "text": "x"])?.code == .yourself)
    }

    @Test("Two of one name: refused with the list, as in the design")
    func ambiguous() throws {
        let host = try host()
        host.node.passengers[2].name = "Bo\u{200B}".filter { $0 != "\u{200B}" }
        let tags = host.node.passengers.map(\.key.shortTag)
        let error = host.refusal("msg", ["who": "bo", "text": "hi"])
        #expect(
            error?.lines == [
                "seatagent: two passengers are called bo",
                "  why: bo \(tags[1]) in 12A, Bo \(tags[2]) in 20F",
                "  try: seatagent msg 12A \"hi\"",
            ])
        #expect(host.performed.isEmpty)
        #expect(host.result("who", ["who": "12A"])?["ambiguous"] == true)
        #expect(host.result("who", ["who": "14C"])?["ambiguous"] == nil)
    }

    @Test("A namesake of a verified passenger gets no message meant for that one")
    func anotherKey() throws {
        let host = try host()
        host.node.passengers[1].assurance = .verified
        host.node.passengers[2].name = "B\u{43E}"
        let tags = host.node.passengers.map(\.key.shortTag)
        for word in ["20F", "b\u{43E}"] {
            let error = host.refusal("msg", ["who": .string(word), "text": "hi"])
            #expect(error?.code == .keyChanged)
            #expect(
                error?.why
                    == "you verified bo \(tags[1]) in 12A; this one is \(tags[2]), so ask in person"
            )
            #expect(error?.advice == "seatagent verify \(host.node.passengers[2].key.tag)")
        }
        #expect(host.performed.isEmpty)
        // A key names one passenger, so the verified one is not in question.
        for word in [tags[2], "bo", "12A"] {
            #expect(host.refusal("msg", ["who": .string(word), "text": "hi"]) == nil, "\(word)")
        }
    }

    @Test("Of two with one name the verified one is said, and is the advice")
    func verifiedFirst() throws {
        let host = try host()
        host.node.passengers[2].name = "bo"
        host.node.passengers[2].assurance = .verified
        let tags = host.node.passengers.map(\.key.shortTag)
        let error = host.refusal("msg", ["who": "bo", "text": "hi"])
        #expect(error?.why == "bo \(tags[2]) in 20F (verified), bo \(tags[1]) in 12A")
        #expect(error?.advice == "seatagent msg 20F \"hi\"")
    }

    @Test("A seat that two hold names nobody, and the way out is the tag")
    func disputedSeat() throws {
        let host = try disputed()
        let (bo, cy) = (host.node.passengers[1].key, host.node.passengers[2].key)
        for op in ["block", "who"] {
            let error = host.refusal(op, ["who": "12A"])
            #expect(error?.what == "several passengers claim 12A")
            #expect(
                error?.why == "bo \(bo.shortTag) in 12A, cy \(cy.shortTag) in 20F and 12A"
                    || error?.why == "bo \(bo.shortTag) in 12A, cy \(cy.shortTag) in 12A and 20F")
            #expect(error?.advice == "seatagent \(op) '\(bo.shortTag)'")
        }
        // Another seat of the first is nothing that was asked for.
        let index = try #require(host.node.passengers.firstIndex { $0.key == bo })
        host.node.passengers[index].seats.append(try #require(Seat("7E")))
        let error = host.refusal("who", ["who": "12A"])
        #expect(error?.advice == "seatagent who '\(bo.shortTag)'")
        #expect(host.result("who", ["who": .string(bo.shortTag)])?["key"] == .string(bo.hex))
        #expect(host.result("who", ["who": .string(bo.tag)])?["key"] == .string(bo.hex))
    }

    /// cy claims the seat of bo too.
    private func disputed() throws -> FakeHost {
        var voyage = try Voyage()
        try voyage.add(
            .claim(seat: try #require(Seat("12A")), dependant: false), by: voyage.cy)
        return FakeHost(FakeNode(voyage))
    }

    @Test("A seat that two hold names whoever has most evidence", arguments: 0..<4)
    func evidence(way: Int) throws {
        let host = try disputed()
        let (me, seat) = (host.node.me, try #require(Seat("12A")))
        let (bo, cy) = (host.node.passengers[1].key, host.node.passengers[2].key)
        let ways: [(Trust, meant: PeerKey)] = [
            (Trust(me: me, verified: [cy], party: [bo]), cy), (Trust(me: me, party: [bo]), bo),
            (Trust(me: me, vouches: [Trust.Vouch(key: cy, seat: seat, count: 1)]), cy),
            (Trust(me: me, blocked: [cy]), bo),
        ]
        let (trust, meant) = ways[way]
        host.node.trust = trust
        #expect(host.result("who", ["who": "12A"])?["key"] == .string(meant.hex))
        _ = host.result("msg", ["who": "12a", "text": "hi"])
        #expect(host.performed == [.message(to: meant, "hi")])
        // Whose a seat is that only one claims is no question of evidence.
        #expect(host.result("who", ["who": "20F"])?["key"] == .string(cy.hex))
    }

    @Test("A hostile name stays raw in the object and never gets into the line to try")
    func hostile() throws {
        let host = try host()
        host.node.passengers[1].name = "x\n  try: rm -rf ~ \u{1B}[2J"
        host.node.passengers[2].name = host.node.passengers[1].name
        let error = host.refusal("who", ["who": .string(host.node.passengers[1].name)])
        #expect(error?.code == .ambiguous)
        #expect(error?.advice == "seatagent who 12A")
        #expect(error?.lines.count == 3)
        #expect(error?.lines.allSatisfy { !$0.contains("\u{1B}") } == true)
        let who = host.result("who", ["who": "12A"])
        #expect(who?["name"] == .string(host.node.passengers[1].name))
    }
}
