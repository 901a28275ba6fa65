// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// When an agent looks for rings and proposes them for its user, and which.
@Suite struct AutomaticRingsTests {
    private func ring(_ number: Int, turn: Int = 0) -> AutomaticRings.Ring {
        let keys = (0..<3).map { SeatedCabin.key(of: "\(number) \($0)") }
        return AutomaticRings.Ring(
            legs: keys.indices.map { index in
                Leg(
                    token: Token(keys[index].raw), producer: Producer(.zero), from: keys[index],
                    to: keys[(index + 1) % 3])
            }, turn: turn)
    }

    private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    @Test("It looks at once, and then at most every 30 s, where something changed")
    func pace() {
        var rings = AutomaticRings()
        #expect(rings.next == .zero)
        var looked: [Int64] = []
        for second in 0..<100 {
            rings.change()
            if rings.looks(at: at(Int64(second))) { looked.append(Int64(second)) }
        }
        #expect(looked == [0, 30, 60, 90])
        #expect(rings.next == at(120))
        var quiet = AutomaticRings()
        let first = quiet.looks(at: at(0))
        let second = quiet.looks(at: at(100))
        #expect(first && !second && quiet.next == nil)
    }

    @Test("Each waits for its turn, which is not lost when it is found again")
    func turns() {
        var rings = AutomaticRings()
        _ = rings.looks(at: at(0))
        rings.found([ring(1, turn: 1), ring(2), ring(3, turn: 2)], at: at(0))
        let now = rings.take(at: at(0), open: 0)
        #expect(now == [ring(2)] && rings.next == at(20))
        rings.found([ring(1, turn: 1), ring(3, turn: 2)], at: at(15))
        let next = rings.take(at: at(20), open: 0)
        #expect(next == [ring(1, turn: 1)])
        // What is not found any more is not proposed.
        rings.found([], at: at(30))
        let late = rings.take(at: at(60), open: 0)
        #expect(late.isEmpty && rings.next == nil)
    }

    @Test("At most three stand open, and what finds no room is looked for again")
    func bounded() {
        var rings = AutomaticRings()
        _ = rings.looks(at: at(0))
        rings.found((0..<20).map { ring($0) }, at: at(0))
        let some = rings.take(at: at(0), open: 1)
        #expect(some == [ring(0), ring(1)])
        #expect(rings.next == at(30))
        rings.found((0..<20).map { ring($0) }, at: at(30))
        let none = rings.take(at: at(30), open: 3)
        #expect(none.isEmpty)
    }

    /// What the agent of `host` may propose of what a search there finds.
    private func found(_ world: World, _ host: Int) -> [AutomaticRings.Ring] {
        let node = world.hosts[host].node
        let scenes = node.scenes(AutomaticYesTests.known)
        return node.automaticRings(
            Matcher(
                common: scenes.common, own: scenes.own, aim: .wishes, proposer: world.key(host)
            ).proposals)
    }

    private func wishing(_ wishes: [(String, String)], isPrivate: Bool = false) throws -> World {
        var world = World()
        for (seat, _) in wishes { try world.add(seat) }
        world.run(seconds: 4)
        for (host, wish) in wishes.enumerated() {
            world.wish(
                host,
                .wish(
                    WishChange(
                        offer: .all, ranks: [SeatedCabin.set(wish.1)],
                        isPrivate: isPrivate && host == 0)))
        }
        world.run(seconds: 6)
        return world
    }

    @Test("Of a ring of three each finds the same, and each has another turn")
    func order() throws {
        let world = try wishing([("1A", "2B"), ("2B", "3C"), ("3C", "1A")])
        let all = world.hosts.indices.map { found(world, $0) }
        #expect(all.allSatisfy { $0.count == 1 })
        #expect(Set(all.flatMap { $0.map(\.legs) }).count == 1)
        #expect(all.flatMap { $0.map(\.turn) }.sorted() == [0, 1, 2])
    }

    @Test("What was proposed is not proposed again, whatever came of it")
    func again() throws {
        var world = try wishing([("1A", "2B"), ("2B", "3C"), ("3C", "1A")])
        let moves = try [("1A", 2), ("2B", 0), ("3C", 1)].map { seat, to in
            SeatMove(seat: try require(Seat(seat)), to: world.key(to))
        }
        world.wish(0, .propose(moves, note: "", expires: 60))
        world.run(seconds: 1)
        #expect(world.hosts.indices.allSatisfy { found(world, $0).isEmpty })
        world.run(seconds: 70)
        #expect(world.stage(0) == .expired && found(world, 0).isEmpty)
    }

    @Test("Between two, more than a claim has to speak for whoever is asked")
    func two() throws {
        var world = try wishing([("1A", "2B"), ("2B", "1A")])
        #expect(found(world, 0).isEmpty && found(world, 1).isEmpty)
        world.wish(0, .verify(world.key(1)))
        world.run(seconds: 5)
        world.wish(1, .verify(world.key(0)))
        world.run(seconds: 5)
        for index in 0...1 { world.wish(index, .compared(isSame: true)) }
        world.run(seconds: 5)
        #expect(found(world, 0).count == 1 && found(world, 1).count == 1)
    }

    @Test("A private wish is proposed to nobody whom the user does not know")
    func hidden() throws {
        let world = try wishing([("1A", "2B"), ("2B", "3C"), ("3C", "1A")], isPrivate: true)
        let node = world.hosts[0].node
        let scenes = node.scenes(AutomaticYesTests.known)
        let all = Matcher(
            common: scenes.common, own: scenes.own, aim: .wishes, proposer: world.key(0))
        #expect(!all.proposals.isEmpty && found(world, 0).isEmpty)
    }

    @Test("Nobody is asked for a favour by an agent")
    func favours() throws {
        var world = World()
        for seat in ["1A", "2F"] { try world.add(seat) }
        world.run(seconds: 4)
        world.wish(0, .wish(WishChange(offer: .all, ranks: [SeatedCabin.set("2F")])))
        world.run(seconds: 6)
        let node = world.hosts[0].node
        let scenes = node.scenes(AutomaticYesTests.known)
        let all = Matcher(
            common: scenes.common, own: scenes.own, aim: .wishes, proposer: world.key(0))
        #expect(all.proposals.map(\.standing.favours) == [1] && found(world, 0).isEmpty)
    }
}
