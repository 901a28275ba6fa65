// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Requests that the user does not want to see are met with silence, which cannot be told from
/// absence (docs/protocol.md section 16).
@Suite struct WelcomeTests {
    /// 0 asks, 1 is asked, 2 is there.
    private func trio() throws -> World {
        var world = World()
        for seat in ["14C", "12A", "20F"] { try world.add(seat) }
        world.run(seconds: 10)
        return world
    }

    private func seats(_ columns: Int, _ first: Int, _ last: Int) throws -> SeatSet {
        try require(SeatSet([SeatSet.Block(columns: columns, first: first, last: last)]))
    }

    /// A private wish for column A, or for everything.
    private func wish(_ ranks: [SeatSet]) -> Intent {
        .wish(WishChange(offer: .all, ranks: ranks, isPrivate: true))
    }

    private func ask(_ world: inout World, expires: Int = 60) throws {
        let take = try require(Seat("12A"))
        world.wish(0, .swap(take: take, give: nil, note: "", expires: expires))
        world.rest()
    }

    private func notices(_ world: World, _ index: Int) -> [SwapNotice] {
        world.hosts[index].notices.compactMap { notice in
            if case .swap(let swap) = notice { swap } else { nil }
        }
    }

    @Test("What is below a private wish, and what comes to who is asked nothing, is like no answer")
    func belowAPrivateWishIsLikeNoAnswer() throws {
        var present = try trio()
        var absent = present
        present.wish(1, wish([try seats(1, 1, 9)]))
        absent.wish(1, wish([.all]))
        present.rest()
        absent.rest()
        #expect(present.traffic == absent.traffic)
        try ask(&present)
        try ask(&absent)
        #expect(present.stage(1) == .declined && absent.stage(1) == .requested)
        #expect(notices(present, 1).isEmpty && notices(absent, 1).count == 1)
        for _ in 0..<14 {
            #expect(present.traffic == absent.traffic)
            #expect(present.stage(0) == absent.stage(0))
            present.run(seconds: 5)
            absent.run(seconds: 5)
        }
        #expect(present.stage(0) == .expired && absent.stage(0) == .expired)
        #expect(present.hosts[0].notices == absent.hosts[0].notices)
        #expect(present.hosts[2].notices == absent.hosts[2].notices)
        #expect(notices(present, 1).isEmpty)
    }

    @Test("A new link and a taken back request tell no more")
    func aNewLinkTellsNothingOfAWish() throws {
        var present = try trio()
        var absent = present
        present.wish(1, wish([try seats(1, 1, 9)]))
        absent.wish(1, wish([.all]))
        for world in 0..<2 {
            var one = world == 0 ? present : absent
            try ask(&one, expires: 1800)
            one.cut()
            one.heal()
            one.run(seconds: 20)
            one.wish(0, .cancel(1))
            one.run(seconds: 20)
            if world == 0 { present = one } else { absent = one }
        }
        #expect(present.stage(1) == .declined && absent.stage(1) == .withdrawn)
        #expect(present.traffic == absent.traffic)
        #expect(present.hosts[0].notices == absent.hosts[0].notices)
    }

    @Test("What is in a rank is shown, also where the wish changes later")
    func shown() throws {
        var world = try trio()
        world.wish(1, wish([try seats(4, 10, 20), try seats(32, 20, 20)]))
        try ask(&world)
        #expect(world.stage(1) == .requested && notices(world, 1).count == 1)
        world.run(seconds: 6)
        world.wish(1, wish([try seats(32, 20, 20)]))
        #expect(world.stage(1) == .declined)
        world.wish(2, .swap(take: try require(Seat("12A")), give: nil, note: "", expires: 60))
        world.rest()
        #expect(world.stage(1) == .requested)
    }

    @Test("Of a seat that is not offered a private wish says nothing, and no seat offered is all")
    func about() throws {
        var world = try trio()
        world.wish(1, .claim(try require(Seat("12B")), dependant: false))
        world.rest()
        let two = try require(Seat("12B"))
        world.wish(
            1,
            .wish(
                WishChange(
                    offer: .seats([two]), ranks: [try seats(1, 1, 1)], isPrivate: true)))
        try ask(&world)
        #expect(world.stage(1) == .requested)
        world.wish(1, .wish(WishChange(offer: WishChange.Offer.none)))
        #expect(world.stage(1) == .declined)
    }

    @Test("Who is asked nothing sees no request but of whom they ask themselves")
    func whoIsAskedNothingSeesNoRequest() throws {
        var world = try trio()
        world.wish(1, .wish(WishChange(asks: .nothing)))
        world.run(seconds: 1)
        #expect(world.hosts[0].node.passenger(world.key(1))?.asks == .nothing)
        try ask(&world)
        #expect(world.stage(1) == .declined && notices(world, 1).isEmpty)
        // A ring too.
        let moves = try ["14C", "12A", "20F"].enumerated().map { index, seat in
            SeatMove(seat: try require(Seat(seat)), to: world.key((index + 1) % 3))
        }
        world.wish(0, .cancel(1))
        world.rest()
        world.wish(0, .propose(moves, note: "", expires: 60))
        world.rest()
        #expect(world.stage(1) == .declined && world.stage(2) == .invited)
        world.run(seconds: 61)
        world.wish(1, .swap(take: try require(Seat("20F")), give: nil, note: "", expires: 60))
        world.rest()
        world.wish(2, .claim(try require(Seat("21F")), dependant: false))
        world.run(seconds: 1)
        world.wish(
            2,
            .swap(
                take: try require(Seat("12A")), give: try require(Seat("21F")), note: "",
                expires: 60))
        world.rest()
        #expect(world.stage(1) == .requested)
        // The user is asked again once they say so.
        world.wish(1, .wish(WishChange(asks: .anything)))
        world.run(seconds: 61)
        try ask(&world)
        #expect(world.stage(1) == .requested)
    }

    @Test("What was shown stays where seats move, and after a yes to another seat")
    func whatWasShownStays() throws {
        var world = try trio()
        world.wish(1, .claim(try require(Seat("12B")), dependant: false))
        world.rest()
        let own = try require(Seat("12A"))
        world.wish(
            1,
            .wish(
                WishChange(
                    offer: .seats([own]), ranks: [try seats(4, 10, 20)], isPrivate: true)))
        try ask(&world, expires: 600)
        #expect(world.stage(1) == .requested)
        // The words come to other seats: nobody said another wish.
        world.wish(1, .wish(WishChange(ranks: [], isRenewal: true)))
        world.run(seconds: 6)
        #expect(world.stage(1) == .requested)
        // What a private wish comes to changes nothing that others see.
        let key = world.key(1)
        #expect(world.hosts[0].node.passenger(key)?.wish?.offered.count == 1)
        world.wish(1, .accept(1, override: false))
        world.run(seconds: 5)
        #expect(world.seats(1) == ["12B", "14C"])
        // The wish was for 12A: it says nothing of what the user has now.
        world.wish(
            2,
            .swap(take: try require(Seat("12B")), give: nil, note: "", expires: 60))
        world.rest()
        #expect(world.stage(1) == .requested)
    }

    @Test("What others offer instead, in a request of the user's own, is shown")
    func counterOffers() throws {
        var world = try trio()
        world.wish(1, .claim(try require(Seat("12B")), dependant: false))
        world.rest()
        world.wish(0, wish([try seats(1, 12, 12)]))
        world.run(seconds: 1)
        try ask(&world, expires: 600)
        world.wish(1, .counter(1, give: try require(Seat("12B")), take: nil, note: ""))
        world.run(seconds: 1)
        #expect(world.stage(0) == .invited && notices(world, 0).count == 1)
    }

    @Test("A silent no counts: after twelve in an hour nothing is read, and one link stays as long")
    func aSilentNoCountsAndKeepsItsLink() throws {
        var world = try trio()
        world.wish(1, wish([try seats(1, 1, 9)]))
        for _ in 0..<Limits.requestsPerHour {
            try ask(&world, expires: 2)
            world.run(seconds: 3)
        }
        #expect(world.hosts[1].node.swaps.records.count == Limits.requestsPerHour)
        try ask(&world, expires: 60)
        #expect(world.hosts[1].node.swaps.records.count == Limits.requestsPerHour)
        var quiet = try trio()
        quiet.wish(1, wish([try seats(1, 1, 9)]))
        try ask(&quiet, expires: 60)
        #expect(quiet.hosts[1].node.neededPeers(at: quiet.now).contains(quiet.key(0)))
        quiet.run(seconds: 61)
        #expect(!quiet.hosts[1].node.neededPeers(at: quiet.now).contains(quiet.key(0)))
    }
}
