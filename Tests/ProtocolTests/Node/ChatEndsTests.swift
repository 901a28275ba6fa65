// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private func id(_ number: UInt8) -> EntryID { EntryID(Bytes32(repeating: number)) }

@Suite("What a line was said after") struct ChatEndsTests {
    @Test("The latest lines that nobody named, sorted, three at most")
    func latest() {
        var ends = ChatEnds()
        #expect(ends.latest == [])
        for number: UInt8 in [9, 4, 7, 5] { ends.note(id(number), after: []) }
        #expect(ends.latest == [id(4), id(5), id(7)])
        ends.note(id(3), after: [id(4), id(5), id(7)])
        #expect(ends.latest == [id(3), id(9)])
        ends.note(id(8), after: [id(9), id(3)])
        #expect(ends.latest == [id(8)])
    }

    @Test("A line that was named before it came is no end")
    func late() {
        var ends = ChatEnds()
        ends.note(id(2), after: [id(1)])
        ends.note(id(1), after: [])
        #expect(ends.latest == [id(2)])
        ends.forget { $0 == id(2) }
        #expect(ends.latest == [])
    }

    @Test("Lines without end are forgotten, the oldest first")
    func bounded() {
        var ends = ChatEnds()
        for number in 0..<200 { ends.note(id(UInt8(number)), after: [id(255)]) }
        #expect(ends.latest == [id(197), id(198), id(199)])
        // What is kept is bounded too: naming all that is left leaves nothing older behind.
        var named = 0
        while ends.latest != [] {
            ends.note(id(250), after: ends.latest)
            ends.forget { $0 == id(250) }
            named += 3
        }
        #expect(named < Limits.chatEnds + 6)
    }

    @Test("An agent says when and after what, and others carry it along")
    func told() throws {
        var world = World()
        try world.add("14C")
        try world.add("12A")
        world.run(seconds: 5)
        world.wish(0, .say("one"))
        world.rest()
        world.wish(1, .say("two"))
        world.rest()
        world.wish(1, .say("three"))
        world.rest()
        for host in world.hosts {
            let lines = host.node.timeline.compactMap { item -> (EntryID, ChatLine)? in
                if case .chat(let line) = item.what { (item.id, line) } else { nil }
            }
            #expect(lines.map(\.1.text) == ["one", "two", "three"])
            #expect(lines.map(\.1.after) == [[], [lines[0].0], [lines[1].0]])
            #expect(lines.allSatisfy { $0.1.time >= UTCTime(seconds: 1_000_000) })
        }
    }

    @Test("Who is blocked is named like everybody, else it told whom one blocks")
    func blocked() throws {
        var world = World()
        try world.add("14C")
        try world.add("12A")
        world.run(seconds: 5)
        world.wish(1, .say("one"))
        world.rest()
        world.wish(0, .block(world.key(1), true))
        world.wish(0, .say("two"))
        let log = try #require(world.hosts[0].node.logs.log(of: world.key(0)))
        guard case .chat(let line)? = log.entries.last?.body else { throw DecodeError(.badValue) }
        #expect(line.after.count == 1)
    }
}
