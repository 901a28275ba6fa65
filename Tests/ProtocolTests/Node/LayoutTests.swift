// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Linked agents, one in each seat.
private func cabin(_ seats: String...) throws -> World {
    var world = World()
    for seat in seats { try world.add(seat) }
    world.run(seconds: 2)
    return world
}

extension World {
    /// What most suggest, be it one alone, as each host that is up counts.
    fileprivate var foremost: [[UInt8]] {
        hosts.filter(\.isUp).map { $0.node.layouts.first?.layout ?? [] }
    }

    /// What each host that is up takes for agreed.
    fileprivate var agreed: [[UInt8]] {
        hosts.filter(\.isUp).map { $0.node.agreedLayout { _ in true }?.layout ?? [] }
    }

    /// Gives `to` a frame as from `from`, with whom it is linked.
    fileprivate mutating func say(_ message: Message, from: Int, to: Int) throws {
        feed(to, .received(try #require(link(from: from, to: to)), message.encode()))
    }

    /// A suggestion signed with the key of `author`.
    fileprivate func signed(
        by author: Int, _ revision: Int, _ layout: [UInt8]
    ) -> LayoutSuggestion {
        LayoutSuggestion(
            layout, revision: revision, flight: testFlight.id,
            by: FakeSigner(UInt8(author + 1)))
    }

    fileprivate func notices(_ index: Int) -> Int {
        hosts[index].notices.count { $0 == .layouts }
    }
}

@Suite struct LayoutTests {
    /// One passenger's layout is nobody's cabin: it takes two, and more than half of all voices.
    @Test func oneAloneAgreesOnNothing() throws {
        var world = try cabin("1A", "2A", "3A", "4A", "5A")
        world.wish(0, .suggestLayout([7]))
        world.run(seconds: 1)
        #expect(world.foremost == [[7], [7], [7], [7], [7]])
        #expect(world.agreed == [[], [], [], [], []])
        world.wish(1, .suggestLayout([8]))
        world.wish(2, .suggestLayout([8]))
        world.run(seconds: 1)
        #expect(world.agreed == [[8], [8], [8], [8], [8]])
        // Two of four are not most.
        world.wish(3, .suggestLayout([9]))
        world.run(seconds: 1)
        #expect(world.agreed == [[], [], [], [], []])
        // Who takes their suggestion back has no voice.
        world.wish(0, .suggestLayout([]))
        world.run(seconds: 1)
        #expect(world.agreed == [[8], [8], [8], [8], [8]])
    }

    @Test func whatIsSuggestedReachesEverybodyAndWhoComesLate() throws {
        var world = try cabin("1A", "2A", "3A")
        #expect(world.foremost == [[], [], []])
        #expect(world.wish(0, .suggestLayout([7])) == .success(.done))
        world.run(seconds: 1)
        #expect(world.foremost == [[7], [7], [7]])
        #expect((0..<3).allSatisfy { world.notices($0) == 1 })
        try world.add("4A")
        world.run(seconds: 5)
        #expect(world.foremost == [[7], [7], [7], [7]])
        // Two for another one; the first author takes it back.
        world.wish(1, .suggestLayout([8]))
        world.wish(2, .suggestLayout([8]))
        world.run(seconds: 1)
        #expect(world.foremost == [[8], [8], [8], [8]])
        world.wish(1, .suggestLayout([]))
        world.wish(2, .suggestLayout([]))
        world.run(seconds: 1)
        #expect(world.foremost == [[7], [7], [7], [7]])
        #expect(world.hosts[1].node.ownSuggestion == nil)
    }

    @Test func whatCannotBeSuggestedIsRefused() throws {
        var world = try cabin("1A")
        #expect(world.wish(0, .suggestLayout([]))?.refusal == .alreadySo)
        world.wish(0, .suggestLayout([1]))
        #expect(world.wish(0, .suggestLayout([1]))?.refusal == .alreadySo)
        let long = [UInt8](repeating: 1, count: Limits.layout + 1)
        #expect(world.wish(0, .suggestLayout(long))?.refusal == .tooLong(Limits.layout))
        #expect(world.hosts[0].disk.stored.layout?.layout == [1])
    }

    @Test func aReplayedOlderOneIsNothing() throws {
        var world = try cabin("1A", "2A", "3A")
        world.wish(0, .suggestLayout([1]))
        world.wish(0, .suggestLayout([2]))
        world.run(seconds: 1)
        let before = world.notices(2)
        try world.say(.layout(.suggestion(world.signed(by: 0, 1, [1]))), from: 1, to: 2)
        world.run(seconds: 1)
        #expect(world.foremost == [[2], [2], [2]] && world.notices(2) == before)
    }

    @Test func theOwnOneIsOnDiskBeforeItIsTold() throws {
        var world = try cabin("1A", "2A")
        world.death = World.Death(
            host: 0, commit: world.hosts[0].commits + 1, afterWrites: false)
        world.wish(0, .suggestLayout([1]))
        world.run(seconds: 1)
        #expect(!world.hosts[0].isUp && world.foremost == [[]])
        world.restart(0)
        world.run(seconds: 2)
        #expect(world.foremost == [[], []])
        world.wish(0, .suggestLayout([1]))
        world.run(seconds: 1)
        world.kill(0)
        world.restart(0)
        #expect(world.hosts[0].node.ownSuggestion == [1])
        // Those of others are learnt anew.
        world.kill(1)
        world.restart(1)
        world.run(seconds: 5)
        #expect(world.foremost == [[1], [1]])
    }

    /// An old copy of the disk: what was signed since is adopted, and a new choice goes above it.
    @Test func aRevisionNeverGoesBack() throws {
        var world = try cabin("1A", "2A", "3A")
        world.wish(0, .suggestLayout([1]))
        let copy = world.hosts[0].disk
        for layout in [2, 3, 4] as [UInt8] { world.wish(0, .suggestLayout([layout])) }
        world.run(seconds: 1)
        world.kill(0)
        world.hosts[0].disk = copy
        world.restart(0)
        world.run(seconds: 3)
        #expect(world.foremost == [[4], [4], [4]])
        #expect(world.hosts[0].disk.stored.layout?.revision == 4)
        world.kill(0)
        world.hosts[0].disk = copy
        world.restart(0)
        // Chosen before anybody is heard: it is what the user wants, signed once more.
        world.wish(0, .suggestLayout([9]))
        world.run(seconds: 30)
        #expect(world.foremost == [[9], [9], [9]])
        #expect(world.hosts[0].disk.stored.layout?.revision == 5)
    }

    /// A key that runs twice signs two of one revision: all keep the same one, its owner too.
    @Test func ofTwoWithOneNumberAllKeepTheSame() throws {
        let hash = FakePrimitives().sha256
        let low = hash([1]) < hash([2]) ? [1] : [2] as [UInt8]
        let high: [UInt8] = low == [1] ? [2] : [1]
        var world = try cabin("1A", "2A", "3A")
        world.wish(0, .suggestLayout(high))
        world.run(seconds: 1)
        // From now on nothing was chosen in this process.
        world.kill(0)
        world.restart(0)
        world.run(seconds: 2)
        try world.say(.layout(.suggestion(world.signed(by: 0, 1, low))), from: 1, to: 2)
        world.run(seconds: 1)
        #expect(world.foremost == [low, low, low])
        #expect(world.hosts[0].disk.stored.layout?.layout == low)
        try world.say(.layout(.suggestion(world.signed(by: 0, 1, high))), from: 1, to: 2)
        world.run(seconds: 1)
        #expect(world.foremost == [low, low, low])
    }

    @Test func whoIsBlockedHasLeftOrForkedDoesNotCount() throws {
        var world = try cabin("1A", "2A", "3A", "4A")
        world.wish(3, .suggestLayout([3]))
        world.run(seconds: 1)
        world.wish(0, .block(world.key(3), true))
        world.run(seconds: 1)
        #expect(world.foremost == [[], [3], [3], [3]] && world.notices(0) == 2)
        world.wish(0, .block(world.key(3), false))
        world.run(seconds: 1)
        #expect(world.foremost == [[3], [3], [3], [3]])
        world.wish(3, .leave(force: false))
        world.run(seconds: 2)
        #expect(world.foremost == [[], [], [], []])
    }

    @Test func aTrollWithManyRevisionsIsTakenAtAPace() throws {
        var world = try cabin("1A", "2A", "3A")
        world.wish(0, .suggestLayout([0]))
        world.run(seconds: 100)
        let before = world.traffic[[1, 2], default: 0]
        for revision in 2...101 {
            let layout = [UInt8](repeating: UInt8(revision), count: Limits.layout)
            world.wish(0, .suggestLayout(layout))
        }
        world.rest()
        #expect(world.hosts[1].node.layoutBook.suggestions.map(\.revision) == [5])
        #expect(world.traffic[[1, 2], default: 0] - before < 6 * Limits.layout)
        world.run(seconds: 90)
        #expect(world.hosts[2].node.layoutBook.suggestions.map(\.revision) == [101])
        #expect(Set(world.foremost).count == 1)
    }

    @Test func onlyWhoIsOnTheFlightHasAVoice() throws {
        var world = try cabin("1A", "2A")
        let stranger = FakeSigner(77)
        let made = LayoutSuggestion([5], revision: 1, flight: testFlight.id, by: stranger)
        try world.say(.layout(.suggestion(made)), from: 0, to: 1)
        world.rest()
        #expect(world.hosts[1].node.layoutBook.isEmpty)
        #expect(world.hosts[1].node.links.count == 1)
        // The log comes: whoever told of its author is asked once more, and has nothing to say.
        var writer = Writer(77)
        let genesis = try writer.write(.genesis(name: "late", agent: "test"))
        try world.say(
            .entries(EntryBatch(kind: .push, entries: [genesis.bytes])), from: 0, to: 1)
        world.run(seconds: 3)
        try world.say(.layout(.suggestion(made)), from: 0, to: 1)
        world.rest()
        #expect(world.foremost == [[], [5]])
        world.run(seconds: 65)
        #expect(world.foremost == [[5], [5]])
    }

    @Test func aWrongSignatureEndsTheLink() throws {
        for bad in [
            LayoutSuggestion([5], revision: 1, flight: FlightID(.zero), by: FakeSigner(1)),
            LayoutSuggestion(
                author: FakeSigner(1).key, revision: 1,
                signature: [UInt8](repeating: 0, count: 64), layout: [5]),
        ] {
            var world = try cabin("1A", "2A")
            try world.say(.layout(.suggestion(bad)), from: 0, to: 1)
            world.rest()
            #expect(world.hosts[1].node.links.isEmpty)
            #expect(world.hosts[1].node.layoutBook.isEmpty)
        }
    }

    /// Who has never spoken of layouts, an older program, is told 32 bytes and never a layout.
    @Test func whoDoesNotSpeakOfLayoutsIsSentNone() throws {
        var world = try cabin("1A", "2A")
        world.old = 1
        let before = world.traffic[[0, 1], default: 0]
        let layout = [UInt8](repeating: 1, count: Limits.layout)
        world.wish(0, .suggestLayout(layout))
        world.run(seconds: 200)
        #expect(world.foremost == [layout, []] && world.hosts[1].node.links.count == 1)
        #expect(world.traffic[[0, 1], default: 0] - before < Limits.layout)
        world.old = nil
        world.run(seconds: 65)
        #expect(world.foremost == [layout, layout])
    }

    /// What found no room, or was lost with a link, is found by the next digest.
    @Test func aLostOneIsFoundByTheNextRound() throws {
        var world = try cabin("1A", "2A")
        world.wish(0, .suggestLayout([1]))
        world.run(seconds: 1)
        world.old = 1
        world.wish(0, .suggestLayout([2]))
        world.run(seconds: 1)
        world.old = nil
        #expect(world.foremost == [[2], [1]])
        world.run(seconds: 65)
        #expect(world.foremost == [[2], [2]])
        let quiet = world.traffic[[0, 1], default: 0]
        world.run(seconds: 600)
        // Ten digests, and the rounds of the logs.
        #expect(world.traffic[[0, 1], default: 0] - quiet < 6000)
    }

    /// A list without a mark costs its sender 40 bytes, and who answers all
    /// layouts: some at once, then few.
    @Test func whoAsksAgainAndAgainIsAnsweredAtAPace() throws {
        var world = try cabin("1A", "2A")
        let layout = [UInt8](repeating: 1, count: Limits.layout)
        world.wish(0, .suggestLayout(layout))
        world.run(seconds: 20)
        let before = world.traffic[[0, 1], default: 0]
        for _ in 0..<40 {
            try world.say(.layout(.known(digest: .zero, marks: [])), from: 1, to: 0)
            try world.say(.layout(.known(digest: .zero, marks: nil)), from: 1, to: 0)
            world.run(seconds: 1)
        }
        let answers = (world.traffic[[0, 1], default: 0] - before) / Limits.layout
        #expect(4...9 ~= answers)
        // An honest one is answered again soon.
        world.run(seconds: 30)
        world.old = 1
        world.wish(0, .suggestLayout([2]))
        world.run(seconds: 1)
        world.old = nil
        #expect(world.foremost == [[2], layout])
        world.run(seconds: 65)
        #expect(world.foremost == [[2], [2]])
    }

    /// Twelve lives with links that break and disks that are old: all agree in the end.
    @Test func allAgreeWhateverHappens() throws {
        for seed in 1...12 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            var world = try cabin("1A", "2A", "3A", "4A")
            var copy = world.hosts[0].disk
            for _ in 0..<25 {
                let host = Int.random(in: 0..<4, using: &random)
                switch Int.random(in: 0..<9, using: &random) {
                case 0: world.cut()
                case 1: world.heal()
                case 2 where world.hosts[host].isUp: world.kill(host)
                case 3 where !world.hosts[host].isUp: world.restart(host)
                case 4: copy = world.hosts[0].disk
                case 5:
                    world.kill(0)
                    world.hosts[0].disk.stored.layout = copy.stored.layout
                    world.restart(0)
                case 6: world.run(seconds: Int64.random(in: 1...20, using: &random))
                default:
                    let choice = UInt8.random(in: 0..<4, using: &random)
                    world.wish(host, .suggestLayout(choice == 0 ? [] : [choice]))
                    if Bool.random(using: &random) { world.rest() }
                }
            }
            world.heal()
            for host in 0..<4 where !world.hosts[host].isUp { world.restart(host) }
            world.run(seconds: 200)
            let marks = world.hosts.map(\.node.layoutBook.marks)
            #expect(marks.allSatisfy { $0 == marks[0] }, "seed \(seed)")
            #expect(Set(world.foremost).count == 1, "seed \(seed)")
            for host in world.hosts {
                #expect(host.node.ownLayout == host.disk.stored.layout, "seed \(seed)")
            }
        }
    }
}
