// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What agents look at when they search for exchanges.
@Suite struct MatchingNodeTests {
    private let cabin = KnownSeats(cabin: MatchCabin(SeatedCabin("ABC DEF", rows: 4).rows))

    private func aboard(_ seats: String...) throws -> World {
        var world = World()
        for seat in seats { try world.add(seat) }
        world.run(seconds: 4)
        return world
    }

    private func scenes(_ world: World, _ index: Int) -> MatchScenes {
        world.hosts[index].node.scenes(cabin)
    }

    private func person(
        _ scene: MatchScene, _ seat: String
    ) throws -> MatchScene.Person {
        let seat = try require(Seat(seat))
        return try #require(scene.people.first { $0.seat == seat })
    }

    @Test("Equal logs give everybody the same common scene and the same rings")
    func common() throws {
        var world = try aboard("1A", "2B", "3C")
        for (host, wish) in [(0, "2B"), (1, "3C"), (2, "1A")] {
            world.wish(
                host, .wish(WishChange(offer: .all, ranks: [SeatedCabin.set(wish)])))
        }
        world.run(seconds: 6)
        // What only one of them knows changes nothing of it.
        world.wish(0, .block(world.key(2), true))
        world.run(seconds: 6)
        let all = world.hosts.indices.map { scenes(world, $0) }
        #expect(all[0].common.people.count == 3)
        #expect(all[0].common == all[1].common && all[1].common == all[2].common)
        let rings = all.map { RingSearch($0.common).rings.map(\.legs) }
        #expect(rings[0].count == 1 && rings[0] == rings[1] && rings[1] == rings[2])
        // The wishes are the last of each log.
        let logs = world.hosts[1].node.logs
        #expect(MatchScene.common(world.hosts[1].node.fold, logs.wishes) == all[1].common)
        // Whoever blocked one of them is kept out, and nobody else.
        #expect(Matcher(common: all[0].common, own: all[0].own, aim: .wishes).proposals.isEmpty)
        #expect(Matcher(common: all[1].common, own: all[1].own, aim: .wishes).proposals.count == 1)
    }

    @Test("A private wish counts in the own scene, and in no other")
    func privateWish() throws {
        var world = try aboard("1A", "2B")
        world.wish(
            0,
            .wish(WishChange(offer: .all, ranks: [SeatedCabin.set("2B")], isPrivate: true)))
        world.run(seconds: 6)
        #expect(scenes(world, 0).common.people.isEmpty && scenes(world, 1).common.people.isEmpty)
        #expect(try person(scenes(world, 0).own, "1A").ranks == [SeatedCabin.set("2B")])
        #expect(try person(scenes(world, 1).own, "1A").ranks.isEmpty)
    }

    @Test("The own party is the agent and those whom it said yes to")
    func party() throws {
        var world = try aboard("1A", "2B", "3C")
        let secret = try require(PartySecret(Array(repeating: 1, count: PartySecret.count)))
        world.wish(0, .party(.new(secret)))
        for host in [1, 2] { world.wish(host, .party(.join(secret))) }
        world.run(seconds: 6)
        world.wish(0, .party(.yes(world.key(1))))
        world.run(seconds: 6)
        let scene = scenes(world, 0).own
        #expect(scene.own.map { scene.people[$0].seat.text } == ["1A", "2B"])
        #expect(scenes(world, 2).own.own.count == 1)
    }

    @Test("Nobody is asked who does not want it, who is blocked or who is out of reach")
    func unasked() throws {
        var world = try aboard("1A", "2B", "3C", "4D")
        world.wish(1, .wish(WishChange(asks: .nothing)))
        world.run(seconds: 6)
        world.wish(0, .block(world.key(2), true))
        #expect(try person(scenes(world, 0).own, "4D").isFree)
        world.kill(3)
        world.run(seconds: 120)
        let scene = scenes(world, 0).own
        #expect(scene.people.filter(\.isFree).map(\.seat.text) == ["1A"])
        let known = KnownSeats(cabin: cabin.cabin, refusers: [world.key(0)])
        #expect(try person(world.hosts[1].node.scenes(cabin).own, "1A").isFree)
        #expect(try !person(world.hosts[1].node.scenes(known).own, "1A").isFree)
        // Those who did not block them ask them.
        #expect(try person(scenes(world, 1).own, "3C").isFree)
    }

    @Test("A seat that is kept or promised is not moved")
    func kept() throws {
        var world = try aboard("1A", "2B")
        let seat = try require(Seat("1A"))
        let known = KnownSeats(cabin: cabin.cabin, kept: [seat])
        #expect(try !person(world.hosts[0].node.scenes(known).own, "1A").isFree)
        let (one, two) = (try require(Seat("1A")), try require(Seat("2B")))
        world.wish(
            1, .swap(take: one, give: two, note: "", expires: nil, unverified: true))
        world.run(seconds: 2)
        #expect(try person(scenes(world, 0).own, "1A").isFree)
        let number = try #require(world.hosts[0].node.swaps.records.first?.number)
        world.cut()
        world.wish(0, .accept(number, override: false, unverified: true))
        #expect(try !person(scenes(world, 0).own, "1A").isFree)
    }

    @Test("A seat is not moved that no yes would take, and nobody is who cannot answer")
    func doubtful() throws {
        var world = try aboard("1A", "2B", "3C")
        let secret = try require(PartySecret(Array(repeating: 1, count: PartySecret.count)))
        world.wish(0, .party(.new(secret)))
        world.wish(1, .party(.join(secret)))
        world.run(seconds: 6)
        world.wish(0, .party(.yes(world.key(1))))
        world.run(seconds: 6)
        #expect(scenes(world, 0).own.people.filter(\.isFree).count == 3)
        // Nor is a companion who said no to what this would take the place of.
        let without = KnownSeats(cabin: cabin.cabin, staying: [world.key(1)])
        let left = world.hosts[0].node.scenes(without).own
        #expect(
            left.people.filter(\.isFree).map(\.seat.text) == ["1A", "3C"] && left.own.count == 2)
        // Claimed anew, while what it was given away by may come back.
        let seat = try require(Seat("3C"))
        world.wish(2, .release(seat))
        world.wish(2, .claim(seat, dependant: false))
        world.run(seconds: 6)
        #expect(scenes(world, 0).own.people.filter(\.isFree).map(\.seat.text) == ["1A", "2B"])
        // A companion who is away stays where they sit, and is of the party all the same.
        world.kill(1)
        world.run(seconds: 120)
        let scene = scenes(world, 0).own
        #expect(scene.people.filter(\.isFree).map(\.seat.text) == ["1A"])
        #expect(scene.own.count == 2)
    }
}
