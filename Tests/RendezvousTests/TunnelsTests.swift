// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// Tunnels of agents that meet at brokers in made-up time (docs/meet.md section 8).
@Suite("Tunnels through brokers") struct TunnelsTests {
    private func world(_ agents: Int, brokers: Int = 1) -> MeetWorld {
        var world = MeetWorld(brokers: brokers)
        world.hasTunnels = true
        for _ in 0..<agents { _ = world.join() }
        world.run(30)
        return world
    }

    private func key(_ number: Int, _ world: MeetWorld) -> PeerKey {
        world.agents[number].signer.key
    }

    private func begun(_ number: Int, _ world: MeetWorld) -> [(Int, PeerKey, Bool)] {
        world.agents[number].orders.compactMap {
            if case .begin(let tunnel, let peer, let isOpener) = $0 {
                (tunnel, peer, isOpener)
            } else {
                nil
            }
        }
    }

    private func got(_ number: Int, _ world: MeetWorld) -> [UInt8] {
        world.agents[number].orders.flatMap { order -> [UInt8] in
            if case .bytes(_, let bytes) = order { bytes } else { [] }
        }
    }

    private func ended(_ number: Int, _ world: MeetWorld) -> Int {
        world.agents[number].orders.count { if case .end = $0 { true } else { false } }
    }

    private func need(_ peer: Int, by number: Int, _ world: inout MeetWorld) {
        world.feed(.tunnel(.need([key(peer, world)])), to: number)
    }

    @Test func whoNeedsSomebodyGetsATunnelToThem() throws {
        var world = world(2)
        need(1, by: 0, &world)
        world.run(1)
        let (there, back) = (begun(0, world), begun(1, world))
        try #require(there.count == 1 && back.count == 1)
        #expect(there[0].1 == key(1, world) && there[0].2)
        #expect(back[0].1 == key(0, world) && !back[0].2)
        world.feed(.tunnel(.write(there[0].0, [1, 2, 3])), to: 0)
        world.feed(.tunnel(.write(back[0].0, [4, 5])), to: 1)
        world.run(1)
        #expect(got(1, world) == [1, 2, 3] && got(0, world) == [4, 5])
        world.feed(.tunnel(.close(there[0].0)), to: 0)
        world.run(1)
        #expect(ended(0, world) == 1 && ended(1, world) == 1)
    }

    @Test func ofTwoThatAreAskedForAtOnceTheSmallerKeysStays() throws {
        for first in [0, 1] {
            var world = world(2)
            need(1 - first, by: first, &world)
            need(first, by: 1 - first, &world)
            world.run(3)
            let smaller = key(0, world) < key(1, world) ? 0 : 1
            let (there, back) = (begun(smaller, world), begun(1 - smaller, world))
            try #require(there.count == 1 && back.count == 1)
            #expect(there[0].2 && !back[0].2)
            #expect(ended(0, world) == 0 && ended(1, world) == 0)
        }
    }

    @Test func aBrokerThatDiesEndsThemAndTheNeedOpensAnother() throws {
        var world = world(2)
        need(1, by: 0, &world)
        world.run(1)
        world.kill(0)
        world.run(1)
        #expect(ended(0, world) == 1 && ended(1, world) == 1)
        world.run(20)
        #expect(begun(0, world).count == 2 && begun(1, world).count == 2)
    }

    @Test func aBrokerThatSaysAllTwiceChangesNothing() throws {
        var world = world(2)
        world.brokers[0].faults = [.repeats]
        need(1, by: 0, &world)
        world.run(1)
        let there = begun(0, world)
        try #require(there.count == 1 && begun(1, world).count == 1)
        for number in 0..<20 {
            world.feed(.tunnel(.write(there[0].0, [UInt8(number)])), to: 0)
        }
        world.run(2)
        #expect(got(1, world) == (0..<20).map { UInt8($0) })
    }

    @Test func aBlockedPassengerGetsNoneAndNoneIsOpenedToThem() {
        var world = world(2)
        let stranger: Set = [key(0, world)]
        world.feed(.tunnel(.people(blocked: stranger, favoured: [])), to: 1)
        need(1, by: 0, &world)
        need(0, by: 1, &world)
        world.run(30)
        #expect(begun(0, world).isEmpty && begun(1, world).isEmpty)
    }

    @Test func twoOfEightAreKeptForPeopleWhoAreKnown() {
        var world = world(9)
        let known: Set = [key(7, world), key(8, world)]
        world.feed(.tunnel(.people(blocked: [], favoured: known)), to: 0)
        for number in 1...8 { need(0, by: number, &world) }
        world.run(40)
        let peers = begun(0, world).map(\.1)
        #expect(peers.count == 8 && Set(peers).isSuperset(of: known))
        #expect((1...6).allSatisfy { begun($0, world).count == 1 })
        var other = MeetWorld(brokers: 1)
        other.hasTunnels = true
        for _ in 0..<9 { _ = other.join() }
        other.run(30)
        for number in 1...8 { need(0, by: number, &other) }
        other.run(40)
        #expect(begun(0, other).count == 6)
    }

    @Test func whoIsNotThereIsAskedAgainAndAgainAfterLongerWaits() {
        var world = world(2)
        world.stop(1)
        let before = world.brokers[0].published
        need(1, by: 0, &world)
        world.run(120)
        let opens = world.brokers[0].published.dropFirst(before.count).filter {
            $0.contains("/t/")
        }
        #expect((4...30).contains(opens.count), "\(opens.count)")
        #expect(begun(0, world).isEmpty)
    }

    @Test func aSecondHomeServesWhileTheFirstIsGone() throws {
        var world = world(2, brokers: 2)
        let names = world.brokers.map(\.name)
        let homes = MeetPool.homes(
            of: world.keys.pool, among: names, primitives: FakePrimitives())
        let first = try require(names.firstIndex(of: homes[0]))
        world.kill(first, comesBack: false)
        world.run(20)
        need(1, by: 0, &world)
        world.run(20)
        #expect(begun(0, world).count == 1 && begun(1, world).count == 1)
    }

    @Test func aLongStreamIsSlowerThanABrokerAllows() throws {
        var world = world(2)
        need(1, by: 0, &world)
        world.run(1)
        let there = try require(begun(0, world).first)
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 97) }
        world.feed(.tunnel(.write(there.0, bytes)), to: 0)
        let before = world.brokers[0].published.count
        world.run(1)
        #expect(world.brokers[0].published.count - before <= 220)
        let then = world.brokers[0].published.count
        world.run(5)
        #expect(world.brokers[0].published.count - then <= 100)
        world.run(20)
        #expect(got(1, world) == bytes)
    }

    private func clocks(_ number: Int, _ world: MeetWorld) -> [MeetStatus.Clock] {
        world.agents[number].meeting.status(at: world.now).clocks
    }

    @Test(arguments: [420, -420] as [Int64])
    func bothAreToldOfClocksThatAreTooFarApart(seconds: Int64) {
        var world = MeetWorld(brokers: 1)
        world.hasTunnels = true
        world.skew[1] = seconds
        for _ in 0..<2 { _ = world.join() }
        world.run(30)
        need(0, by: 1, &world)
        world.run(1)
        #expect(begun(0, world).isEmpty && begun(1, world).isEmpty)
        #expect(clocks(0, world) == [MeetStatus.Clock(peer: key(1, world), ahead: seconds)])
        #expect(clocks(1, world).map(\.peer) == [key(0, world)])
        // The clock is mended: nothing is said of it any more.
        world.skew[1] = 0
        world.run(10)
        #expect(!begun(0, world).isEmpty)
        #expect(clocks(0, world).isEmpty && clocks(1, world).isEmpty)
    }

    /// A broker may give what nobody asked it for.
    @Test func whatComesToTheInboxOfAnotherIsNotTaken() throws {
        let world = world(2)
        let primitives = FakePrimitives()
        let keys = world.agents.map(\.signer.key)
        let pairs = keys.map { FakeAgreement(seed: primitives.sha256($0.bytes + [1])) }
        let ends = TunnelOpening.Ends(
            from: keys[1], own: pairs[1], to: keys[0], boxKey: pairs[0].key)
        let id = try require(TunnelID([UInt8](repeating: 5, count: TunnelID.count)))
        let fresh = FakeAgreement(seed: primitives.sha256([5]))
        let made = try require(
            TunnelOpening.make(id, ends, fresh: fresh, at: world.now.utc, primitives))
        let names = world.keys.names(in: MeetEpoch(at: world.now.utc))
        for (number, count) in [(0, 1), (1, 0)] {
            var meeting = world.agents[0].meeting
            let inbox = world.keys.inbox(of: keys[number], in: names.epoch)
            let topic = MeetTopic.tunnel(inbox: inbox).text(in: names)
            let effects = meeting.handle(
                .came(world.brokers[0].name, topic: topic, payload: made.bytes), at: world.now)
            #expect(effects.tunnels.count == count)
        }
    }

    @Test func whoLeavesNoRecordsReadsThoseOfOthersAndGetsATunnel() throws {
        var world = MeetWorld(brokers: 1)
        world.hasTunnels = true
        _ = world.join()
        world.keepsMailbox = false
        _ = world.join()
        world.run(30)
        let names = world.keys.names(in: MeetEpoch(at: world.now.utc))
        let box = world.keys.box(of: key(1, world), in: names.epoch)
        let kept = world.brokers[0].kept.keys
        #expect(kept.contains(MeetTopic.card(box).text(in: names)))
        #expect(!kept.contains(MeetTopic.part(box, 0).text(in: names)))
        #expect(world.agents[1].logs.log(of: key(0, world)) != nil)
        #expect(world.agents[0].logs.log(of: key(1, world)) == nil)
        need(0, by: 1, &world)
        world.run(6)
        #expect(begun(0, world).count == 1 && begun(1, world).count == 1)
    }
}
