// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What somebody who is turned away can see: no more than silence (docs/protocol.md section 4).
@Suite struct SilenceTests {
    /// Two agents in 14C and 12A, linked and rested.
    private func pair() throws -> World {
        var world = World()
        try world.add("14C")
        try world.add("12A")
        world.run(seconds: 10)
        return world
    }

    private func ask(_ world: inout World, expires: Int? = nil) throws {
        let take = try require(Seat("12A"))
        world.wish(0, .swap(take: take, give: nil, note: "", expires: expires))
        world.rest()
    }

    @Test func aDeclineWithoutANoteIsSilence() throws {
        var answered = try pair()
        var unanswered = answered
        try ask(&answered, expires: 60)
        try ask(&unanswered, expires: 60)
        answered.wish(1, .decline(1, note: ""))
        // The two lives differ in nothing that the asker gets, to the byte.
        for _ in 0..<13 {
            #expect(answered.stage(0) == unanswered.stage(0))
            #expect(answered.traffic[[1, 0]] == unanswered.traffic[[1, 0]])
            answered.run(seconds: 5)
            unanswered.run(seconds: 5)
        }
        #expect(answered.stage(0) == .expired && unanswered.stage(0) == .expired)
        #expect(answered.hosts[0].notices == unanswered.hosts[0].notices)
        #expect(answered.stage(1) == .declined && unanswered.stage(1) == .expired)
    }

    @Test func aNewLinkTellsNoMore() throws {
        var answered = try pair()
        var unanswered = answered
        try ask(&answered)
        try ask(&unanswered)
        answered.wish(1, .decline(1, note: ""))
        let before = (answered.traffic[[1, 0]], unanswered.traffic[[1, 0]])
        #expect(before.0 == before.1)
        answered.cut()
        unanswered.cut()
        answered.heal()
        unanswered.heal()
        answered.run(seconds: 20)
        unanswered.run(seconds: 20)
        #expect(answered.stage(0) == .asking)
        #expect(answered.traffic[[1, 0]] == unanswered.traffic[[1, 0]])
    }

    @Test func aDeclineWithANoteIsToldAtOnce() throws {
        var world = try pair()
        try ask(&world)
        world.wish(1, .decline(1, note: "my wife sits here"))
        world.rest()
        #expect(world.stage(0) == .declined)
        #expect(world.hosts[0].node.swaps.records.last?.ending == "my wife sits here")
    }

    @Test func aRingExpiresWhereOneDeclinesInSilence() throws {
        var world = World()
        for seat in ["1A", "2A", "3A"] { try world.add(seat) }
        world.run(seconds: 10)
        let moves = try ["1A", "2A", "3A"].enumerated().map { index, seat in
            SeatMove(seat: try require(Seat(seat)), to: world.key((index + 1) % 3))
        }
        world.wish(0, .propose(moves, note: "", expires: 60))
        world.rest()
        world.wish(2, .accept(1, override: false))
        world.rest()
        world.wish(1, .decline(1, note: ""))
        world.run(seconds: 30)
        #expect(world.stage(0) == .offered && world.stage(2) == .ready)
        world.run(seconds: 31)
        #expect(world.stage(0) == .expired && world.stage(2) == .expired)
        #expect(world.stage(1) == .declined)
        #expect(world.seats(0) == ["1A"] && world.agree)
    }

    @Test func aConsentTakenBackInSilenceLapses() throws {
        var world = World()
        for seat in ["1A", "2A", "3A"] { try world.add(seat) }
        world.run(seconds: 10)
        let moves = try ["1A", "2A", "3A"].enumerated().map { index, seat in
            SeatMove(seat: try require(Seat(seat)), to: world.key((index + 1) % 3))
        }
        world.wish(0, .propose(moves, note: "", expires: nil))
        world.rest()
        world.wish(1, .accept(1, override: false))
        world.rest()
        world.wish(1, .decline(1, note: ""))
        world.rest()
        // The last one consents: nobody is asked for a vote, since one consent is gone.
        world.wish(2, .accept(1, override: false))
        world.run(seconds: 10)
        #expect(world.stage(0) == .offered && world.stage(2) == .ready)
        #expect(world.hosts[1].node.logs.head(of: world.key(1)).seq == 2)
    }

    @Test func aCounterOfferDeclinedWithoutANoteIsSilence() throws {
        var world = try pair()
        try ask(&world)
        world.wish(1, .claim(try require(Seat("12B")), dependant: false))
        world.rest()
        let give = try require(Seat("12B"))
        world.wish(1, .counter(1, give: give, take: nil, note: ""))
        world.rest()
        #expect(world.stage(0) == .invited)
        world.wish(0, .decline(1, note: ""))
        world.rest()
        #expect(world.stage(0) == .declined && world.stage(1) == .offered)
    }

    // MARK: Block

    @Test func whoIsBlockedHearsNothingMore() throws {
        var world = try pair()
        let told = world.traffic[[1, 0]]
        #expect(world.wish(1, .block(world.key(0), true)) == .success(.done))
        world.wish(0, .message(to: world.key(1), "hello?"))
        try ask(&world)
        world.wish(0, .say("hello all?"))
        world.run(seconds: 30)
        // For them the link stands, and not a byte has come.
        #expect(world.hosts[0].node.isLinked(world.key(1)))
        #expect(world.traffic[[1, 0]] == told)
        world.run(seconds: 300)
        // Now it has timed out, as when a network fails, and so does every new one.
        #expect(!world.hosts[0].node.isLinked(world.key(1)))
        #expect(world.traffic[[1, 0]] == told)
        #expect(world.hosts[1].node.swaps.records.isEmpty)
        #expect(world.hosts[1].node.messages.isEmpty)
        #expect(world.hosts[0].node.messages.map(\.state) == [.waiting])
        #expect(world.hosts[1].node.links.isEmpty)
    }

    @Test func noConnectionIsMadeToWhoIsBlocked() throws {
        var world = try pair()
        world.wish(0, .block(world.key(1), true))
        let before = world.connections
        world.hosts[1].isUp = false
        world.run(seconds: 300)
        // It dialled them before; now it leaves their address alone.
        #expect(world.connections == before)
    }

    @Test func aBlockSticksOverARestart() throws {
        var world = try pair()
        world.wish(1, .block(world.key(0), true))
        world.kill(1)
        world.restart(1)
        let told = world.traffic[[1, 0]]
        world.run(seconds: 120)
        #expect(world.hosts[1].node.blocked == [world.key(0)])
        #expect(world.traffic[[1, 0]] == told)
        #expect(!world.hosts[0].node.isLinked(world.key(1)))
    }

    @Test func aBlockTakenBackLetsHimInAgain() throws {
        var world = try pair()
        world.wish(1, .block(world.key(0), true))
        world.wish(0, .message(to: world.key(1), "hello?"))
        world.run(seconds: 200)
        world.wish(1, .block(world.key(0), false))
        world.run(seconds: 200)
        #expect(world.hosts[1].node.messages.map(\.text) == ["hello?"])
    }

    @Test func openRequestsOfWhoIsBlockedAreGone() throws {
        var world = try pair()
        try ask(&world)
        let told = world.traffic[[1, 0]]
        world.wish(1, .block(world.key(0), true))
        world.rest()
        #expect(world.stage(1) == .declined && world.stage(0) == .asking)
        #expect(world.traffic[[1, 0]] == told)
    }

    @Test func anOwnCounterOfferIsTakenBackFromWhoIsBlocked() throws {
        var world = try pair()
        try ask(&world)
        world.wish(1, .claim(try require(Seat("12B")), dependant: false))
        world.rest()
        world.wish(1, .counter(1, give: try require(Seat("12B")), take: nil, note: ""))
        world.rest()
        #expect(world.stage(1) == .offered)
        let told = world.traffic[[1, 0]]
        world.wish(1, .block(world.key(0), true))
        #expect(world.stage(1) == .withdrawn)
        #expect(world.traffic[[1, 0]] == told)
        // A yes to it that comes after the block is over makes no swap.
        world.wish(0, .accept(1, override: false))
        world.run(seconds: 200)
        world.wish(1, .block(world.key(0), false))
        world.run(seconds: 200)
        #expect(world.stage(1) == .withdrawn && world.seats(1) == ["12A", "12B"])
    }

    @Test func wordsOfWhoIsBlockedAreHidden() throws {
        var world = try pair()
        try world.add("1A")
        world.run(seconds: 10)
        world.wish(0, .say("before"))
        world.rest()
        world.wish(1, .block(world.key(0), true))
        // It still comes, through the third, so that all hold the same logs.
        world.wish(0, .say("after"))
        world.run(seconds: 60)
        #expect(world.agree)
        let shown = world.hosts[1].node.timeline.filter { item in
            if case .chat = item.what { return item.author == world.key(0) }
            return false
        }
        #expect(shown.isEmpty)
        let told = world.hosts[1].notices.filter { if case .chat = $0 { true } else { false } }
        #expect(told.count == 1)
        world.wish(1, .block(world.key(0), false))
        #expect(
            world.hosts[1].node.timeline.contains { $0.said == "after" })
    }

    /// What became a swap was welcome: it does not count among the requests of an hour.
    @Test func whoTradesOftenIsNoNuisance() throws {
        var world = World()
        try world.add("14C")
        try world.add("12A")
        world.run(seconds: 1)
        for round in 1...Limits.requestsPerHour + 2 {
            let seat = round % 2 == 1 ? "12A" : "14C"
            world.wish(
                0, .swap(take: try require(Seat(seat)), give: nil, note: "", expires: nil))
            world.rest()
            world.wish(1, .accept(round, override: false))
            world.rest()
            #expect(world.seats(0) == [seat], "round \(round)")
        }
    }
}
