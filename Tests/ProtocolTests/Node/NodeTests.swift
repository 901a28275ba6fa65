// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private func seat(_ text: String) throws -> Seat { try require(Seat(text)) }

/// Two agents, linked: 0 in 14C, 1 in 12A.
private func pair() throws -> World {
    var world = World()
    try world.add("14C")
    try world.add("12A")
    world.run(seconds: 1)
    return world
}

private func ask(_ world: inout World, expires: Int? = nil) throws {
    let reply = world.wish(
        0, .swap(take: try seat("12A"), give: nil, note: "", expires: expires))
    #expect(reply == .success(.request(1)))
    world.rest()
}

@Suite struct TalkTests {
    @Test func twoFindEachOtherAndTalk() throws {
        var world = try pair()
        #expect(world.hosts.allSatisfy { $0.node.links.count == 1 })
        world.wish(0, .say("hello"))
        world.wish(1, .say("hi"))
        world.rest()
        for host in world.hosts {
            let lines = host.node.timeline.compactMap { item in
                if case .chat(let line) = item.what { return line.text }
                return nil
            }
            #expect(lines.sorted() == ["hello", "hi"])
        }
        #expect(world.agree)
    }

    @Test func whoeverComesLateGetsEverything() throws {
        var world = try pair()
        world.wish(0, .say("before"))
        try ask(&world)
        world.wish(1, .accept(1, override: false))
        world.run(seconds: 2)
        try world.add("1A")
        world.run(seconds: 3)
        #expect(
            world.hosts[2].node.timeline.contains { $0.said == "before" }
        )
        #expect(world.holder("12A", seenBy: 2) == 0)
        #expect(world.agree)
    }

    @Test func aMessageWaitsUntilItsReaderIsThere() throws {
        var world = try pair()
        world.cut()
        world.wish(0, .message(to: world.key(1), "psst"))
        world.run(seconds: 5)
        #expect(world.hosts[0].node.messages.map(\.state) == [.waiting])
        world.heal()
        world.run(seconds: 90)
        #expect(world.hosts[0].node.messages.map(\.state) == [.acknowledged])
        #expect(world.hosts[1].node.messages.map(\.text) == ["psst"])
    }

    @Test func aMessageIsGivenUpAfterAnHour() throws {
        var world = try pair()
        world.cut()
        world.wish(0, .message(to: world.key(1), "psst"))
        world.run(seconds: 3599)
        #expect(world.hosts[0].node.messages.map(\.state) == [.waiting])
        world.run(seconds: 2)
        #expect(world.hosts[0].node.messages.map(\.state) == [.gaveUp])
    }

    @Test func wishesBeforeCatchUpAreAnsweredAfterIt() throws {
        var world = try pair()
        world.kill(0)
        world.restart(0)
        #expect(world.wish(0, .say("early")) == nil)
        world.run(seconds: 6)
        #expect(
            world.hosts[1].node.timeline.contains { $0.said == "early" })
    }

    /// A disk put back from an old copy: the log is taken from the peer, not forked.
    @Test func anOldCopyCatchesUpInsteadOfForking() throws {
        var world = try pair()
        let old = world.hosts[0].disk
        world.wish(0, .say("one"))
        world.wish(0, .say("two"))
        world.rest()
        world.kill(0)
        world.hosts[0].disk = old
        world.restart(0)
        world.run(seconds: 6)
        world.wish(0, .say("three"))
        world.run(seconds: 2)
        #expect(world.hosts[1].node.logs.proofs.isEmpty)
        #expect(world.hosts[1].node.logs.head(of: world.key(0)).seq == 5)
        #expect(world.agree)
    }
}

@Suite struct SwapTests {
    @Test func twoSwapAndBothSayItIsFinal() throws {
        var world = try pair()
        try ask(&world)
        #expect(world.stage(1) == .requested)
        world.wish(1, .accept(1, override: false))
        world.rest()
        #expect(world.seats(0) == ["12A"] && world.seats(1) == ["14C"])
        #expect(world.hosts.allSatisfy { $0.node.swaps.records[0].isFinal })
        #expect(world.hosts.allSatisfy { $0.disk.stored.locks.isEmpty })
        #expect(world.agree)
    }

    @Test func threeInARing() throws {
        var world = World()
        for name in ["1A", "2A", "3A"] { try world.add(name) }
        world.run(seconds: 1)
        let moves = [
            SeatMove(seat: try seat("1A"), to: world.key(1)),
            SeatMove(seat: try seat("2A"), to: world.key(2)),
            SeatMove(seat: try seat("3A"), to: world.key(0)),
        ]
        #expect(world.wish(0, .propose(moves, note: "", expires: nil)) == .success(.request(1)))
        world.rest()
        world.wish(1, .accept(1, override: false))
        world.rest()
        #expect(world.stage(0) == .offered)
        world.wish(2, .accept(1, override: false))
        world.run(seconds: 2)
        #expect((0..<3).map(world.seats) == [["3A"], ["1A"], ["2A"]])
        #expect(world.hosts.allSatisfy { $0.node.swaps.records[0].isFinal })
    }

    @Test func declinedCancelledExpired() throws {
        for way in 0..<3 {
            var world = try pair()
            try ask(&world, expires: 10)
            switch way {
            case 0: world.wish(1, .decline(1, note: "no"))
            case 1: world.wish(0, .cancel(1))
            default: world.run(seconds: 11)
            }
            world.rest()
            let stages: [SwapRecord.Stage] = [.declined, .withdrawn, .expired]
            #expect(world.stage(0) == stages[way] && world.stage(1) == stages[way])
            #expect(world.wish(1, .accept(1, override: false)).isRefused)
            #expect(world.seats(0) == ["14C"] && world.agree)
        }
    }

    @Test func aCounterOfferNeedsOneMoreYes() throws {
        var world = try pair()
        world.wish(1, .claim(try seat("12B"), dependant: true))
        world.rest()
        try ask(&world)
        let counter = Intent.counter(1, give: try seat("12B"), take: nil, note: "12B?")
        #expect(world.wish(1, counter) == .success(.request(1)))
        world.rest()
        #expect(world.stage(0) == .invited)
        world.wish(0, .accept(1, override: false))
        world.rest()
        #expect(world.seats(0) == ["12B"])
        #expect(world.seats(1) == ["12A", "14C"])
    }

    @Test func aCounterOfferDeclinedEndsIt() throws {
        var world = try pair()
        world.wish(1, .claim(try seat("12B"), dependant: true))
        world.rest()
        try ask(&world)
        world.wish(1, .counter(1, give: try seat("12B"), take: nil, note: ""))
        world.rest()
        world.wish(0, .decline(1, note: "no, thanks"))
        world.rest()
        #expect(world.stage(0) == .declined && world.stage(1) == .declined)
    }

    @Test func whatCannotBeAskedForIsSaid() throws {
        var world = try pair()
        try world.add("12A")
        world.run(seconds: 1)
        func refusal(_ text: String) throws -> Refusal? {
            world.wish(0, .swap(take: try seat(text), give: nil, note: "", expires: nil))?.refusal
        }
        #expect(try refusal("14C") == .ownSeat(try seat("14C")))
        #expect(try refusal("20F") == .emptySeat(try seat("20F")))
        let claimants = [world.key(1), world.key(2)]
        #expect(try refusal("12A") == .disputed(try seat("12A"), claimants))
    }

    @Test func theWindowIsOnesOwnPolicy() throws {
        var world = World()
        let departs = UTCTime(seconds: 1_000_000 + 48 * 3600 + 60)
        try world.add("14C", window: SelectionWindow(departs: departs))
        try world.add("12A")
        world.run(seconds: 1)
        let intent = Intent.swap(take: try seat("12A"), give: nil, note: "", expires: nil)
        #expect(world.wish(0, intent)?.refusal == .swap(.windowEarly(59)))
        world.run(seconds: 59)
        #expect(world.wish(0, intent) == .success(.request(1)))
    }

    @Test func aBlockedPassengerIsNotHeard() throws {
        var world = try pair()
        world.wish(1, .block(world.key(0), true))
        world.rest()
        world.run(seconds: 30)
        _ = world.wish(0, .swap(take: try seat("12A"), give: nil, note: "", expires: nil))
        world.run(seconds: 5)
        #expect(world.hosts[1].node.swaps.records.isEmpty)
        #expect(world.hosts[1].node.links.isEmpty)
    }

    /// Three in a ring, of whom 1 said yes.
    private func ring() throws -> World {
        var world = World()
        for name in ["1A", "2A", "3A"] { try world.add(name) }
        world.run(seconds: 1)
        let moves = [
            SeatMove(seat: try seat("1A"), to: world.key(1)),
            SeatMove(seat: try seat("2A"), to: world.key(2)),
            SeatMove(seat: try seat("3A"), to: world.key(0)),
        ]
        world.wish(0, .propose(moves, note: "", expires: nil))
        world.rest()
        world.wish(1, .accept(1, override: false))
        world.rest()
        return world
    }

    /// The third looks at their screen twenty minutes later.
    @Test func aYesStandsUntilAllHaveSaidIt() throws {
        var world = try ring()
        world.run(seconds: 1200)
        #expect(world.stage(1) == .ready)
        #expect(world.hosts[0].node.swaps.consented(to: 1) == [world.key(1)])
        world.wish(2, .accept(1, override: false))
        world.run(seconds: 2)
        #expect(world.seats(0) == ["3A"] && world.agree)
    }

    /// Nobody is asked for a vote while one of them is out of reach, and they are asked again.
    @Test func whoIsOutOfReachIsWaitedFor() throws {
        var world = try ring()
        world.cut()
        world.run(seconds: 120)
        #expect(world.hosts[0].node.swaps.consented(to: 1).isEmpty)
        #expect(world.stage(1) == .ready)
        world.wish(2, .accept(1, override: false))
        world.heal()
        world.run(seconds: 300)
        #expect(world.seats(0) == ["3A"] && world.agree)
    }

    /// A restart ends a yes that is not signed: nobody is bound by what they may not see any more.
    @Test func aRestartEndsAYesAndItIsTold() throws {
        var world = try ring()
        world.kill(1)
        world.restart(1)
        world.run(seconds: 30)
        #expect(world.stage(1) == .invited)
        world.wish(2, .accept(1, override: false))
        world.run(seconds: 200)
        #expect(world.stage(0) == .offered && world.stage(2) == .ready)
        world.wish(1, .accept(1, override: false))
        world.run(seconds: 2)
        #expect(world.seats(0) == ["3A"] && world.agree)
    }

    /// To block one of a ring takes the yes back without a word: a signed no would tell.
    @Test func aBlockTakesTheYesBack() throws {
        var world = try ring()
        world.wish(1, .block(world.key(2), true))
        world.wish(2, .accept(1, override: false))
        world.run(seconds: 200)
        #expect(world.stage(1) == .invited && world.stage(0) == .offered)
        #expect(world.hosts[1].node.logs.head(of: world.key(1)).seq == 2)
        #expect(
            world.wish(1, .accept(1, override: false))?.refusal
                == .swap(.blocked(world.key(2))))
    }

    /// Two ask for one seat; its holder accepts both: one swap, one clean failure.
    @Test func oneSeatIsGivenOnce() throws {
        var world = World()
        for name in ["1A", "2A", "3A"] { try world.add(name) }
        world.run(seconds: 1)
        for asker in [0, 1] {
            world.wish(asker, .swap(take: try seat("3A"), give: nil, note: "", expires: nil))
        }
        world.rest()
        world.wish(2, .accept(1, override: false))
        world.wish(2, .accept(2, override: false))
        world.run(seconds: 60)
        let holders = Set((0..<3).compactMap { world.holder("3A", seenBy: $0) })
        #expect(holders.count == 1 && !holders.contains(2))
        #expect(world.hosts.allSatisfy { $0.disk.stored.locks.isEmpty })
        #expect(world.agree)
    }
}

extension Result where Success == IntentReply, Failure == Refusal {
    var refusal: Refusal? {
        if case .failure(let refusal) = self { return refusal }
        return nil
    }
}

extension Optional where Wrapped == Result<IntentReply, Refusal> {
    var isRefused: Bool { self?.refusal != nil }
}
