// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Attacks on wishes, plans and yeses that stand (docs/protocol.md section 26).
@Suite struct TogetherAttackTests {
    private let known = KnownSeats(cabin: MatchCabin(SeatedCabin("ABC DEF", rows: 4).rows))

    private func aboard(_ seats: String...) throws -> World {
        var world = World()
        for seat in seats { try world.add(seat) }
        world.run(seconds: 4)
        world.watched = []
        return world
    }

    private func sent(_ world: World, by host: Int) -> [Effects.Transmission] {
        (world.watched ?? []).filter { $0.host == host }.flatMap(\.effects.sends)
    }

    /// The types of the frames that a host sent.
    private func types(_ world: World, by host: Int) -> [FrameType] {
        sent(world, by: host).flatMap { transmission -> [FrameType] in
            var decoder = FrameDecoder(limit: Limits.frame)
            decoder.append(transmission.bytes)
            var types: [FrameType] = []
            while let frame = try? decoder.next() {
                if let type = FrameType(rawValue: frame.type) { types.append(type) }
            }
            return types
        }
    }

    private func wish(_ words: String..., isPrivate: Bool) -> Intent {
        .wish(
            WishChange(offer: .all, ranks: words.map(SeatedCabin.set), isPrivate: isPrivate))
    }

    /// 0 gives what they have to the next of `hosts`, and so on.
    private func ring(_ world: World, _ hosts: [Int]) throws -> [SeatMove] {
        try hosts.enumerated().map { place, host in
            let seat = try require(world.hosts[host].node.fold.held(by: world.key(host)).first)
            return SeatMove(seat: seat.seat, to: world.key(hosts[(place + 1) % hosts.count]))
        }
    }

    // MARK: A liar who wishes for everything

    /// Whoever wishes for everything, and asks everybody, sees the same whatever others wish in
    /// private, and whatever these look for.
    @Test func whoWishesForEverythingLearnsNoPrivateWish() throws {
        var own: [MatchScene] = []
        var seen: [MatchScenes] = []
        var said: [[Effects.Transmission]] = []
        for rank in ["3C", "1A 4F"] {
            var world = try aboard("1A", "2B", "3C")
            world.wish(0, wish("1-255", isPrivate: false))
            world.wish(1, wish(rank, isPrivate: true))
            world.run(seconds: 6)
            own.append(world.hosts[1].node.scenes(known).own)
            // A user who looks asks nobody.
            _ = Matcher(
                common: world.hosts[1].node.scenes(known).common, own: own[own.count - 1],
                proposer: world.key(1))
            let take = try require(Seat("2B"))
            for _ in 0..<3 {
                world.wish(0, .swap(take: take, give: nil, note: "", expires: 30))
                world.run(seconds: 31)
            }
            world.wish(0, .propose(try ring(world, [0, 1, 2]), note: "", expires: 30))
            world.run(seconds: 31)
            seen.append(world.hosts[0].node.scenes(known))
            said.append(sent(world, by: 1))
        }
        #expect(own[0] != own[1] && seen[0] == seen[1] && said[0] == said[1])
        #expect(seen[0].own.people.first { $0.seat.text == "2B" }?.ranks == [])
    }

    /// A wish for everything moves nobody to what they do not want, and binds nobody who did not
    /// say so: it is one more wish.
    @Test func whoWishesForEverythingGetsNoMore() throws {
        var cabin = SeatedCabin("ABC DEF", rows: 4)
        cabin.sit("1A", "liar", wants: ["1-255"])
        cabin.sit("2B", "bo", wants: ["1A"])
        cabin.sit("3C", "cy", wants: ["3C", "2B"])
        let faults = MatchFaults(cabin.common)
        let rings = RingSearch(cabin.common).rings
        #expect(rings.map(\.text) == ["1A>2B alike, 2B>1A wish 1"])
        #expect(rings.allSatisfy { faults.of($0).isEmpty })
    }

    // MARK: Probes for automatic yeses

    /// Exactly what somebody wishes, in public or in private, is offered by a stranger, a verified
    /// passenger or a companion: no yes is given for the user, and no PREPARE gets one.
    @Test func noProbeGetsAnAutomaticYes() throws {
        let secret = try require(PartySecret(Array(repeating: 1, count: PartySecret.count)))
        for isPrivate in [true, false] {
            var world = try aboard("1A", "2B", "3C")
            for host in [0, 1] { world.wish(host, .party(.join(secret))) }
            world.run(seconds: 1)
            world.wish(1, .party(.yes(world.key(0))))
            world.wish(1, wish("1A", "3C", isPrivate: isPrivate))
            world.run(seconds: 10)
            #expect(world.hosts[1].node.assurance(of: world.key(0)) != .claimed)
            let take = try require(Seat("2B"))
            for host in [0, 2] {
                world.wish(host, .swap(take: take, give: nil, note: "", expires: 300))
                let moves = try ring(world, [host, 1, 2 - host])
                world.wish(host, .propose(moves, note: "", expires: 300))
            }
            world.run(seconds: 2)
            #expect(
                world.hosts[1].node.swaps.records.map(\.stage.isOver) == [
                    false, false, false, false,
                ])
            // 2 says yes to the ring of 0: it lacks the one of 1 alone.
            let number = try #require(
                world.hosts[2].node.swaps.records.first { $0.stage == .invited }?.number)
            world.wish(2, .accept(number, override: false))
            world.run(seconds: 150)
            let record = try #require(
                world.hosts[0].node.swaps.records.first { $0.role == .coordinator })
            let heads = record.contract.parties.map(world.hosts[0].node.logs.head)
            let prepare = Message.prepare(
                Prepare(thread: record.thread, contract: record.contract.bytes, heads: heads))
            let link = try #require(world.link(from: 0, to: 1))
            world.feed(1, .received(link, prepare.encode()))
            world.run(seconds: 5)
            let yeses: [FrameType] = [.ready, .prepare, .vote, .certificate]
            #expect(types(world, by: 1).filter(yeses.contains) == [])
            let log = world.hosts[1].node.logs.log(of: world.key(1))?.entries ?? []
            #expect(log.allSatisfy { $0.vote == nil })
            #expect(world.hosts.indices.map { world.seats($0) } == [["1A"], ["2B"], ["3C"]])
        }
    }

    // MARK: Worse plans

    /// Somebody proposes one plan and, once there is a yes, another: in the same thread, beside it,
    /// or as what was said yes to. A yes is to one contract.
    @Test func aWorsePlanNeedsAYesOfItsOwn() throws {
        var desk = Desk(4, me: 1)
        let (good, worse) = (desk.ring([0, 1, 2]), desk.ring([0, 2, 1]))
        _ = desk.say(try desk.proposal(good), from: 0)
        let seen = desk.swaps.records[0].contract.id
        // Before the yes: it was to what the user saw.
        _ = desk.say(try desk.proposal(worse, revision: 2), from: 0)
        let late = desk.put(.accept(1, override: false, of: seen))
        #expect(late.reply == .failure(.check(.otherContract)) && late.sends.isEmpty)
        // Behind it: the yes is gone.
        #expect(desk.put(.accept(1, override: false)).reply == .success(1))
        let third = desk.ring([0, 1, 2], nonce: 3)
        #expect(desk.say(try desk.proposal(third, revision: 3), from: 0).sends.isEmpty)
        #expect(desk.stage(1) == .invited)
        // Beside it: another thread is another question.
        #expect(desk.put(.accept(1, override: false)).reply == .success(1))
        let beside = desk.ring([0, 2, 1], nonce: 4)
        _ = desk.say(try desk.proposal(beside, thread: 8), from: 0)
        #expect(desk.stage(1) == .ready && desk.stage(2) == .invited)
        for (contract, thread) in [(good, 9), (worse, 9), (beside, 8), (beside, 9)] {
            #expect(
                desk.say(try desk.prepare(contract, thread: UInt8(thread)), from: 0).locks == [])
        }
        #expect(desk.yeses == 0)
        _ = desk.say(try desk.prepare(third), from: 0)
        #expect(desk.yeses == 1 && desk.swaps.locks.map(\.contract) == [third.id])
    }

    /// Whoever has a private wish is not even asked for less, however the plan is turned.
    @Test func aWorsePlanIsNotShownBelowAPrivateWish() throws {
        var world = try aboard("1A", "2B", "3C", "4D")
        world.wish(1, wish("1A", isPrivate: true))
        world.run(seconds: 6)
        for hosts in [[0, 2, 1], [0, 3, 1], [0, 2, 3, 1], [0, 3, 2, 1]] {
            // 1 gives to 0, and gets what the last but one has.
            world.wish(0, .propose(try ring(world, hosts), note: "", expires: 60))
            world.run(seconds: 1)
        }
        #expect(
            world.hosts[1].node.swaps.records.map(\.stage) == Array(repeating: .declined, count: 4))
        let swaps = world.hosts[1].notices.filter { if case .swap = $0 { true } else { false } }
        #expect(swaps.isEmpty)
        world.wish(0, .propose(try ring(world, [0, 1, 2]), note: "", expires: 60))
        world.run(seconds: 1)
        #expect(world.stage(1) == .invited)
    }

    // MARK: A ground key

    /// A key that was ground until it comes first in the order of proposers is first for one ring,
    /// not for others, and moves nobody else in the order.
    @Test func aGroundKeyIsFirstForOneRing() throws {
        let primitives = FakePrimitives()
        let others = (0..<3).map { SeatedCabin.key(of: "other \($0)") }
        func legs(_ ring: Int, _ key: PeerKey) -> [Leg] {
            let keys = [key] + others
            return keys.indices.map { index in
                Leg(
                    token: Token(SeatedCabin.key(of: "\(ring) \(index)").raw),
                    producer: Producer(.zero), from: keys[index], to: keys[(index + 1) % 4])
            }
        }
        // Ground for the first eight rings at once.
        let ground = (0..<200_000).lazy.map { SeatedCabin.key(of: "ground \($0)") }.first { key in
            (0..<6).allSatisfy { RingTurns.order(legs($0, key), primitives).first == key }
        }
        let key = try #require(ground)
        let first = (6..<206).count { RingTurns.order(legs($0, key), primitives).first == key }
        #expect(first < 80)
        let plain = SeatedCabin.key(of: "plain")
        for ring in 0..<20 {
            #expect(
                RingTurns.order(legs(ring, key), primitives).filter { $0 != key }
                    == RingTurns.order(legs(ring, plain), primitives).filter { $0 != plain })
        }
    }

    /// What such a key proposes is a proposal of somebody who only claims: nobody's yes goes there
    /// unless its user was told what may happen, and the one whom it binds votes last nowhere.
    @Test func aGroundKeyThatProposesGetsNoYesByItself() throws {
        var world = try aboard("1A", "2B", "3C")
        for (host, rank) in [(0, "2B"), (1, "3C"), (2, "1A")] {
            world.wish(host, wish(rank, isPrivate: false))
        }
        world.run(seconds: 6)
        let rings = RingSearch(world.hosts[0].node.scenes(known).common).rings
        #expect(rings.count == 1)
        // By hand, before their turn and again and again.
        for _ in 0..<2 {
            world.wish(0, .propose(try ring(world, [0, 2, 1]), note: "", expires: 60))
            world.run(seconds: 1)
        }
        #expect(world.hosts[1].node.swaps.records.count == 1)
        world.feed(1, .intent(9000, .accept(1, override: false)))
        let give = try require(Seat("2B"))
        #expect(
            world.hosts[1].replies[9000]
                == .failure(.swap(.mayStick(world.key(0), give: give))))
        #expect(!types(world, by: 1).contains(.ready) && world.stage(1) == .invited)
    }

    // MARK: Made to be slow

    /// The largest wish there is comes from the wire as it was, and one block more is refused
    /// before anything is made of it.
    @Test func aWishFromTheWireHasItsLimits() throws {
        let blocks = (0..<Limits.seatBlocks).map {
            SeatSet.Block(columns: 1 << $0, first: 1, last: 255)
        }
        let rank = try require(SeatSet(blocks))
        let tag = ThreadID(high: 1, low: 2)
        func decoded(_ wish: Wish, _ change: (inout [UInt8]) -> Void = { _ in }) -> Wish? {
            var writer = CBORWriter()
            EntryCodec.write(wish, to: &writer)
            var bytes = writer.bytes
            change(&bytes)
            var reader = CBORReader(bytes.span.bytes)
            return try? EntryCodec(FakePrimitives()).wish(&reader)
        }
        let most = Wish(
            offered: [], ranks: Array(repeating: rank, count: Limits.ranks), tag: tag)
        #expect(decoded(most) == most)
        #expect(
            decoded(Wish(offered: [], ranks: most.ranks + [rank], tag: tag)) == nil)
        // The head of the list of blocks says one more: 0x90 is sixteen.
        #expect(decoded(most) { $0[3] += 1 } == nil)
        // Two blocks with one seat in common.
        #expect(
            SeatSet([
                SeatSet.Block(columns: 3, first: 1, last: 9),
                SeatSet.Block(columns: 2, first: 9, last: 9),
            ]) == nil)
    }
}
