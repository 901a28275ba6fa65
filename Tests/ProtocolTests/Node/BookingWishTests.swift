// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Wishes about bookings (docs/protocol.md section 32): who would take what, and whom that suits.
@Suite("Wishes about bookings") struct BookingWishTests {
    /// Whole days from that of the world on.
    private static func want(hour: Int, _ hours: Int = 1, place: Int? = nil) throws -> BookingWant {
        try #require(
            BookingWant(place: place, window: try SmallVenue.period(0, hour, 60 * hours)))
    }

    /// Person `index` offers what they had at first for what begins at these hours, best first.
    @discardableResult
    private static func wish(
        _ hall: inout RecSwaps, _ index: Int, _ hours: Int...
    ) throws -> Result<IntentReply, Refusal>? {
        let ranks = try hours.map { [try want(hour: $0)] }
        return hall.world.wish(
            index, .booking(.wish([hall.tokens[index]], ranks, note: "")))
    }

    /// The rings that a host finds: for each move who gives and who gets.
    private static func rings(_ hall: RecSwaps, _ index: Int) -> [[[Int]]] {
        let (world, now) = (hall.world, hall.world.now)
        return world.hosts[index].node.bookingRings(at: now).rings.map { ring in
            ring.legs.map { leg in
                [leg.from, leg.to].map { key in
                    world.hosts.indices.first { world.key($0) == key } ?? -1
                }
            }.sorted { $0[0] < $1[0] }
        }
    }

    @Test("Three whose wishes go round are found by all, and the contract of it is proposed")
    func ring() throws {
        var hall = try RecSwaps(4)
        // Person n has the hall from 9 + n o'clock.
        try Self.wish(&hall, 1, 11)
        try Self.wish(&hall, 2, 20, 12)
        hall.world.run(seconds: 2)
        #expect(Self.rings(hall, 4).isEmpty)
        try Self.wish(&hall, 3, 10)
        hall.world.run(seconds: 2)
        for index in 0...4 { #expect(Self.rings(hall, index) == [[[1, 3], [2, 1], [3, 2]]]) }
        #expect(hall.world.hosts.allSatisfy { $0.node.swaps.records.isEmpty })
        let scene = hall.world.hosts[1].node.bookingRings(at: hall.world.now)
        #expect(scene.rings.map(\.helped) == [3] && !scene.isCut)
        // What is offered may still be asked for: a wish shuts no door.
        #expect(hall.exchange(1, [1, 2, 3])?.refusal == nil)
        hall.world.rest()
        for index in 2...3 { #expect(hall.accept(index) == nil) }
        hall.world.run(seconds: 10)
        #expect(hall.holders(seenBy: 4) == [3, 1, 2, 4])
        // They have what they wished for.
        #expect(Self.rings(hall, 4).isEmpty && hall.isSettled)
    }

    @Test("A longer, an unpaid, a promised booking, and that of another class is not taken")
    func unfit() throws {
        let due = Grant.Due(currency: "USD", amount: 2000)
        for (why, hall, count) in [
            ("fits", try RecSwaps(2), 1), ("is longer", try RecSwaps(2, minutes: [60, 120]), 0),
            ("is not paid", try RecSwaps(2, due: due), 0),
            ("is of a class", try RecSwaps(2, swaps: .classes, classes: [1, 1]), 1),
            ("is of another", try RecSwaps(2, swaps: .classes, classes: [0, 1]), 0),
            ("is of nobody known", try RecSwaps(2, swaps: .classes), 0),
            ("is not swapped", try RecSwaps(2, swaps: .none), 0),
        ] {
            var hall = hall
            for (index, other) in [(1, 2), (2, 1)] {
                let wants = [[try Self.want(hour: 9 + other, 3)]]
                hall.world.wish(index, .booking(.wish([hall.tokens[index]], wants, note: "")))
            }
            hall.world.run(seconds: 2)
            #expect(Self.rings(hall, 0).count == count, "\(why)")
        }
        var hall = try RecSwaps(3)
        try Self.wish(&hall, 1, 11)
        try Self.wish(&hall, 2, 10)
        hall.world.run(seconds: 2)
        #expect(Self.rings(hall, 3).count == 1)
        // 1 says yes to an exchange with 3: that is promised to nobody else.
        hall.ask(3, for: 1)
        hall.world.rest()
        hall.world.kill(3)
        hall.world.run(seconds: 1)
        #expect(Self.rings(hall, 1).count == 1 && hall.accept(1) == nil)
        #expect(Self.rings(hall, 1).isEmpty)
    }

    @Test("A place, a group, and a window decide what is one of the wants")
    func wants() throws {
        let window = try SmallVenue.period(0, 17, 240)
        let one = try SmallVenue.period(0, 17, 60)
        let last = try SmallVenue.period(0, 20, 60)
        let later = try SmallVenue.period(0, 20, 90)
        let any = try #require(BookingWant(window: window))
        let place = try #require(BookingWant(place: 7, window: window))
        let group = try #require(BookingWant(group: 0, window: window))
        for (want, expected) in [(any, true), (place, false), (group, false)] {
            #expect(want.holds(place: 8, group: 1, one) == expected)
            #expect(want.holds(place: 7, group: 0, one) && want.holds(place: 7, group: 0, last))
            #expect(!want.holds(place: 7, group: 0, later))
        }
        #expect(!group.holds(place: 7, group: nil, one) && place.holds(place: 7, group: nil, one))
        #expect(BookingWant(place: 0, window: window) == nil)
        #expect(BookingWant(place: 4096, window: window) == nil)
        #expect(BookingWant(group: 64, window: window) == nil)
        #expect(BookingWant(place: 1, group: 1, window: window) == nil)
    }

    @Test("A wish is of own bookings, is written in its turn, and is taken back")
    func written() throws {
        var hall = try RecSwaps(2)
        #expect(hall.world.hosts[1].node.logs.log(of: hall.world.key(1)) == nil)
        let foreign = hall.world.wish(1, .booking(.wish([hall.tokens[2]], [], note: "")))
        #expect(foreign?.refusal == .desk(.noSuchBooking))
        #expect(hall.world.wish(1, .booking(.wish([], [], note: "")))?.refusal == .alreadySo)
        try Self.wish(&hall, 1, 11)
        #expect(try Self.wish(&hall, 1, 11)?.refusal == .alreadySo)
        try Self.wish(&hall, 2, 10)
        hall.world.run(seconds: 2)
        #expect(Self.rings(hall, 0).count == 1)
        guard case .success(.later(let seconds))? = try Self.wish(&hall, 1, 15) else {
            Issue.record("it is said in its turn")
            return
        }
        #expect(1...5 ~= seconds)
        #expect(Self.rings(hall, 0).count == 1)
        hall.world.run(seconds: 6)
        #expect(Self.rings(hall, 0).isEmpty)
        // Genesis and two wishes.
        #expect(hall.world.hosts[0].node.logs.seq(of: hall.world.key(1)) == 3)
        let tags = (hall.world.hosts[0].node.logs.log(of: hall.world.key(1))?.entries ?? [])
            .compactMap { entry in
                if case .wish(let wish) = entry.body { wish.tag } else { nil }
            }
        #expect(tags.count == 2 && tags[0] != tags[1])
        hall.world.wish(1, .booking(.wish([], [], note: "")))
        hall.world.run(seconds: 6)
        #expect(Self.rings(hall, 0).isEmpty && hall.isSettled)
    }

    @Test("Who is blocked, and what has begun, is in no ring")
    func kept() throws {
        var hall = try RecSwaps(2)
        try Self.wish(&hall, 1, 11)
        try Self.wish(&hall, 2, 10)
        hall.world.run(seconds: 2)
        hall.world.wish(1, .block(hall.world.key(2), true))
        #expect(Self.rings(hall, 1).isEmpty && Self.rings(hall, 0).count == 1)
        let node = hall.world.hosts[0].node
        let stated = node.logs.wishes
        let view = node.bookView
        let starts = view.bookings.map(\.mint.grant.period.start)
        let first = try #require(starts.min())
        #expect(BookingMatch(view, stated, at: first - 1).rings.count == 1)
        #expect(BookingMatch(view, stated, at: first).rings.isEmpty)
        #expect(BookingMatch(view, stated, at: first - 1, steps: 0).isCut)
    }
}
