// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

@Suite struct StaysTests {
    @Test func everybodyCountsTheSameAndSoDoesWhoComesLate() throws {
        var world = try library(4)
        #expect(world.come(0, to: 1) == nil && world.come(1, to: 1) == nil)
        #expect(world.come(2, to: 3) == nil)
        world.run(seconds: 1)
        #expect(world.counts == Array(repeating: [[1, 2], [3, 1]], count: 4))
        try world.add("1A")
        world.run(seconds: 5)
        #expect(world.counts == Array(repeating: [[1, 2], [3, 1]], count: 5))
        #expect(world.leave(1) == nil)
        world.run(seconds: 1)
        #expect(world.counts == Array(repeating: [[1, 1], [3, 1]], count: 5))
    }

    @Test func nobodyIsAtTwoPlacesOrLeavesTwice() throws {
        var world = try library(2)
        #expect(world.leave(0) == .staysNowhere)
        #expect(world.come(0, to: 1) == nil)
        guard case .staysAt(let stay)? = world.come(0, to: 2) else {
            Issue.record("came to two places")
            return
        }
        #expect(stay.place == 1 && stay.until == nil)
        #expect(world.leave(0) == nil && world.leave(0) == .staysNowhere)
        #expect(world.come(0, to: 4096) == .outsideOfVolume)
        var flight = World()
        try flight.add("1A")
        flight.run(seconds: 1)
        #expect(flight.come(0, to: 1) == .noVenue)
    }

    @Test func whatWasDoneAloneArrivesAndCountsBecomeEqual() throws {
        var world = try library(5)
        #expect(world.come(0, to: 1) == nil)
        world.run(seconds: 1)
        world.cut()
        #expect(world.leave(0) == nil && world.come(0, to: 2) == nil)
        #expect(world.come(1, to: 2) == nil && world.come(2, to: 1) == nil)
        world.run(seconds: 30)
        #expect(world.counts[3] == [[1, 1]])
        world.heal()
        for index in 0..<5 {
            for other in 0..<index { world.feed(index, .typed(world.address(other))) }
        }
        world.run(seconds: 90)
        #expect(world.counts == Array(repeating: [[1, 1], [2, 2]], count: 5))
    }

    /// The own stay is on disk before anybody hears of it, and goes on after a death.
    @Test func theOwnStayIsOnDiskBeforeItIsTold() throws {
        var world = try library(3)
        world.death = World.Death(
            host: 0, commit: world.hosts[0].commits + 1, afterWrites: false)
        _ = world.come(0, to: 1)
        world.run(seconds: 1)
        #expect(!world.hosts[0].isUp && world.counts == [[], []])
        world.restart(0)
        world.run(seconds: 2)
        #expect(world.counts == [[], [], []])
        #expect(world.come(0, to: 1) == nil)
        world.run(seconds: 1)
        world.kill(0)
        world.restart(0)
        #expect(world.hosts[0].node.venueView?.isIn == true)
        world.kill(1)
        world.restart(1)
        world.run(seconds: 5)
        #expect(world.counts == Array(repeating: [[1, 1]], count: 3))
        #expect(world.leave(0) == nil)
    }

    /// An old copy of the disk: what was said since is adopted, and the next word goes above it.
    @Test func aRevisionNeverGoesBack() throws {
        var world = try library(3)
        #expect(world.come(0, to: 1) == nil)
        let copy = world.hosts[0].disk
        #expect(world.leave(0) == nil && world.come(0, to: 2) == nil)
        world.run(seconds: 1)
        world.kill(0)
        world.hosts[0].disk = copy
        world.restart(0)
        world.run(seconds: 5)
        #expect(world.counts == Array(repeating: [[2, 1]], count: 3))
        #expect(world.leave(0) == nil)
        world.run(seconds: 1)
        #expect(world.counts == [[], [], []])
    }

    @Test func aPlaceThatClosesEndsStaysByItself() throws {
        var world = try library(2)
        #expect(world.come(0, to: 1) == nil && world.come(1, to: 3) == nil)
        world.run(seconds: 1)
        world.run(seconds: 10 * 3600 + 120)
        #expect(world.counts == Array(repeating: [[3, 1]], count: 2))
        #expect(world.leave(0) == .staysNowhere)
        #expect(world.come(0, to: 1) == nil)
    }

    @Test func aForgedStayEndsTheLinkAndAReplayIsNothing() throws {
        var world = try library(3)
        #expect(world.come(0, to: 1) == nil)
        world.run(seconds: 1)
        let key = FakeSigner(1)
        let true1 = try #require(world.hosts[1].node.venue?.stays.book.statements.first)
        #expect(world.leave(0) == nil)
        world.run(seconds: 1)
        try world.say(.statement(true1), from: 1, to: 2)
        world.run(seconds: 1)
        #expect(world.counts == [[], [], []] && world.link(from: 1, to: 2) != nil)
        // Signed for another gathering: the signature does not fit here.
        let stay = try #require(Stay(place: 1, since: world.now.utc))
        let forged = try #require(
            VenueStatement(stay, revision: 99, gathering: testFlight.id, by: key))
        let link = try #require(world.link(from: 1, to: 2))
        try world.say(.statement(forged), from: 1, to: 2)
        #expect(world.counts[2] == [] && world.link(from: 1, to: 2) != link)
    }

    /// In a venue nobody has a log before they say something there.
    @Test func whoOnlySaysWhereTheyAreHasNoLog() throws {
        var world = try library(2)
        #expect(world.come(0, to: 1) == nil)
        world.run(seconds: 1)
        #expect(world.hosts.allSatisfy { $0.node.logs.logs.isEmpty })
        world.wish(0, .say("hello"))
        world.run(seconds: 1)
        #expect(world.hosts.allSatisfy { $0.node.logs.logs.map { $0.entries.count } == [2] })
    }

    /// An agent of a flight that is told of a venue keeps and answers nothing.
    @Test func anAgentOfAFlightIgnoresVenues() throws {
        var world = World()
        for seat in ["1A", "2A"] { try world.add(seat) }
        world.run(seconds: 2)
        let before = world.traffic
        let made = MadeUpVenue.statement(FakeSigner(9), 1, at: 1, since: 0)
        try world.say(.statement(made), from: 0, to: 1)
        try world.say(.digests(Array(repeating: .zero, count: 64)), from: 0, to: 1)
        try world.say(.page(MadeUpVenue.page(1, "{}")), from: 0, to: 1)
        #expect(world.traffic == before && world.hosts[1].node.venueView == nil)
    }

    // MARK: Words

    @Test func theNewestWordsOfTheOperatorReachEverybody() throws {
        var world = World()
        world.venue = MadeUpVenue.setup(page: MadeUpVenue.page(1, "old"))
        for _ in 0..<3 { try world.add("1A") }
        world.venue = MadeUpVenue.setup(page: nil)
        try world.add("1A")
        world.run(seconds: 3)
        world.venue = MadeUpVenue.setup(page: MadeUpVenue.page(2, "new"))
        try world.add("1A")
        world.run(seconds: 5)
        let words = world.hosts.map { $0.node.venueView?.page?.bytes ?? [] }
        #expect(words == Array(repeating: MadeUpVenue.page(2, "new").bytes, count: 5))
        #expect(
            world.hosts[0].notices.contains(.venue(MadeUpVenue.page(2, "new"))))
        // Words of another venue of this operator are no words here, whatever their revision.
        try world.say(.page(MadeUpVenue.page(8, "other", of: "rec")), from: 0, to: 1)
        #expect(world.hosts[1].node.venueView?.page?.revision == 2)
        // Who else signs is not heard, and their link ends.
        let false1 = try #require(
            VenuePage(
                revision: 9, signature: FakeSigner(1).sign([1]),
                bytes: MadeUpVenue.page(9, "false").bytes))
        let link = try #require(world.link(from: 0, to: 1))
        try world.say(.page(false1), from: 0, to: 1)
        #expect(world.hosts[1].node.venueView?.page?.revision == 2)
        #expect(world.link(from: 0, to: 1) != link)
    }

    @Test func twoTextsOfOneRevisionAreToldAndSettleEverywhere() throws {
        let pages = [MadeUpVenue.page(1, "one"), MadeUpVenue.page(1, "two")]
        var world = World()
        for page in pages {
            world.venue = MadeUpVenue.setup(page: page)
            try world.add("1A")
        }
        world.run(seconds: 3)
        let kept = Set(world.hosts.map { $0.node.venueView?.page?.bytes ?? [] })
        #expect(kept.count == 1)
        #expect(world.hosts.contains { $0.notices.contains(.trouble(.operatorTwice)) })
    }
}
