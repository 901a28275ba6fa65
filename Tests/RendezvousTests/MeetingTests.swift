// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// Agents that meet through brokers, without a network of their own (docs/meet.md section 3).
@Suite("Meeting point") struct MeetingTests {
    private func claim(_ number: Int) throws -> EntryBody {
        .claim(seat: try require(Seat(row: number + 1, column: 0)), dependant: false)
    }

    private func line(_ text: String) -> EntryBody {
        .chat(ChatLine(text: text, replyTo: nil, time: MeetWorld.start, after: []))
    }

    /// A world of agents that have met, each with two entries.
    private func met(_ count: Int, brokers: Int = 2) throws -> MeetWorld {
        var world = MeetWorld(brokers: brokers)
        for number in 0..<count {
            _ = world.join()
            world.append(try claim(number), to: number)
        }
        world.run(40)
        return world
    }

    private func expectAllKnown(
        _ world: MeetWorld, among numbers: [Int], _ location: SourceLocation = #_sourceLocation
    ) {
        for reader in numbers {
            for author in world.agents.indices {
                let whole = world.agents[author].log.count
                #expect(
                    world.known(author, by: reader) == whole, "\(reader) of \(author)",
                    sourceLocation: location)
            }
        }
    }

    @Test func twoWhoAreThereReadEachOther() throws {
        let world = try met(2)
        expectAllKnown(world, among: [0, 1])
        let status = world.agents[0].meeting.status(at: world.now)
        #expect(status.passengers == 1)
        #expect(status.online == 1)
        #expect(status.entries == 2)
        #expect(status.homes.allSatisfy { $0.storedAt != nil })
        // The second home is only visited.
        #expect(status.homes.map(\.isUp) == [true, false])
    }

    @Test func aNewEntryIsThereAtOnce() throws {
        var world = try met(3)
        world.append(line("hello"), to: 1)
        world.run(1)
        expectAllKnown(world, among: [0, 1, 2])
    }

    /// Somebody who starts with a log of before says nothing new, and is seen all the same.
    @Test func whoComesWithALogIsSeenByThoseWhoAreThere() throws {
        var world = try met(2, brokers: 1)
        for number in 0..<2 { world.stop(number) }
        world.agents[0].logs = LogSet()
        for entry in world.agents[0].log { world.agents[0].logs.restore(entry) }
        _ = world.brokers[0].lose()
        world.start(0)
        world.run(30)
        #expect(world.known(1, by: 0) == 0)
        world.start(1)
        world.run(5)
        expectAllKnown(world, among: [0, 1])
    }

    /// With one home there are no visits that would tell who is there.
    @Test(arguments: [nil, 0, 1])
    func whoStaysIsSeenToStayAtOneHome(_ gone: Int?) throws {
        var world = try met(2, brokers: gone == nil ? 1 : 2)
        if let gone {
            let home = world.agents[0].meeting.homes[gone].broker
            let index = try require(world.brokers.firstIndex { $0.name == home })
            world.kill(index, comesBack: false)
        }
        world.run(4000)
        #expect(world.agents[0].meeting.status(at: world.now).online == 1)
        world.stop(1)
        world.run(2000)
        #expect(world.agents[0].meeting.status(at: world.now).online == 0)
    }

    @Test func twoWhoAreNeverThereTogether() throws {
        var world = MeetWorld(brokers: 2)
        _ = world.join()
        world.append(try claim(0), to: 0)
        world.run(30)
        world.stop(0)
        world.run(3600)
        _ = world.join()
        world.append(try claim(1), to: 1)
        world.run(30)
        #expect(world.known(0, by: 1) == 2)
        #expect(world.agents[1].meeting.status(at: world.now).online == 0)
        world.stop(1)
        world.run(3600)
        world.start(0)
        world.run(30)
        #expect(world.known(1, by: 0) == 2)
    }

    @Test func aBrokerThatComesBackEmptyIsFullAgain() throws {
        var world = try met(3, brokers: 3)
        let first = try require(world.agents[0].meeting.homes.first?.broker)
        let index = try require(world.brokers.firstIndex { $0.name == first })
        let before = Set(world.brokers[index].kept.keys)
        #expect(before.count == 6)
        world.kill(index)
        #expect(world.brokers[index].kept.isEmpty)
        world.run(60)
        #expect(Set(world.brokers[index].kept.keys) == before)
    }

    @Test func anOlderBoxThatIsPutBackIsWrittenAgain() throws {
        for isConnected in [true, false] {
            var world = try met(1, brokers: 1)
            let names = world.keys.names(in: MeetEpoch(at: world.now.utc))
            let box = world.keys.box(of: world.agents[0].signer.key, in: names.epoch)
            let topic = MeetTopic.part(box, 0).text(in: names)
            let old = try require(world.brokers[0].kept[topic]?.payload)
            world.append(line("new"), to: 0)
            world.run(10)
            let new = try require(world.brokers[0].kept[topic]?.payload)
            #expect(new != old)
            world.put(topic, old, at: 0)
            if !isConnected { world.drop(0, from: 0) }
            world.run(60)
            let payload = try require(world.brokers[0].kept[topic]?.payload)
            let plain = try require(
                SealedPayload.open(
                    payload, from: .part(box, 0), in: names, primitives: FakePrimitives()))
            guard case .part(_, _, let entries) = try MeetPlain(decoding: plain) else {
                Issue.record("no part")
                continue
            }
            #expect(entries.count == 3)
        }
    }

    @Test func whatABrokerRefusedIsWrittenLater() throws {
        var world = try met(1, brokers: 1)
        world.brokers[0].refuses = true
        world.append(line("while it is full"), to: 0)
        world.run(20)
        #expect(world.agents[0].meeting.status(at: world.now).homes[0].storedAt == nil)
        world.brokers[0].refuses = false
        world.run(60)
        #expect(world.agents[0].meeting.status(at: world.now).homes[0].storedAt != nil)
    }

    @Test func aClockThatWasFarAheadHidesNobodyForLong() throws {
        var world = try met(2, brokers: 1)
        world.skew = [0: 86_400]
        world.run(5000)
        world.skew = [:]
        world.run(700)
        world.append(line("it is today"), to: 0)
        world.run(30)
        expectAllKnown(world, among: [1])
        #expect(world.agents[1].meeting.status(at: world.now).online == 1)
    }

    @Test func theOwnCardTellsHowLongTheLogIsWhereItsPartIsGone() throws {
        var world = try met(1, brokers: 1)
        let whole = world.agents[0].log
        world.stop(0)
        let names = world.keys.names(in: MeetEpoch(at: world.now.utc))
        let box = world.keys.box(of: world.agents[0].signer.key, in: names.epoch)
        world.put(MeetTopic.part(box, 0).text(in: names), [], at: 0)
        let card = MeetTopic.card(box).text(in: names)
        let before = try require(world.brokers[0].kept[card]?.payload)
        world.agents[0].logs = LogSet()
        world.start(0, log: [whole[0]])
        world.run(30)
        #expect(world.agents[0].told == 2)
        // What knows it is not overwritten.
        #expect(world.brokers[0].kept[card]?.payload == before)
    }

    @Test func whatWasSaidIntoADeadConnectionIsFoundAfterIt() throws {
        var world = try met(2, brokers: 1)
        world.brokers[0].isFrozen = true
        for text in ["first", "second", "third"] { world.append(line(text), to: 0) }
        world.run(60)
        world.brokers[0].isFrozen = false
        // The agent finds out that it is gone, and comes back.
        world.drop(0, from: 0)
        world.run(30)
        expectAllKnown(world, among: [0, 1])
    }

    @Test func theSecondHomeServesWhileTheFirstIsGone() throws {
        var world = try met(2)
        let first = try require(world.agents[0].meeting.homes.first?.broker)
        let index = try require(world.brokers.firstIndex { $0.name == first })
        world.kill(index, comesBack: false)
        world.run(10)
        world.append(line("still here"), to: 0)
        world.run(5)
        expectAllKnown(world, among: [1])
        _ = world.join()
        world.append(try claim(2), to: 2)
        world.run(30)
        expectAllKnown(world, among: [0, 1, 2])
    }

    @Test func aBoxThatSomebodyOverwritesIsWrittenAgain() throws {
        var world = try met(2)
        let names = world.keys.names(in: MeetEpoch(at: world.now.utc))
        let box = world.keys.box(of: world.agents[0].signer.key, in: names.epoch)
        let first = try require(world.agents[0].meeting.homes.first?.broker)
        let index = try require(world.brokers.firstIndex { $0.name == first })
        let topic = MeetTopic.part(box, 0).text(in: names)
        for damage in [[], [UInt8](repeating: 1, count: 512)] {
            world.put(topic, damage, at: index)
            world.run(1)
            #expect(world.brokers[index].kept[topic]?.payload ?? [] == damage)
            world.run(30)
            let payload = try require(world.brokers[index].kept[topic]?.payload)
            let plain = SealedPayload.open(
                payload, from: .part(box, 0), in: names, primitives: FakePrimitives())
            let part = try MeetPlain(decoding: try require(plain))
            #expect(
                part
                    == .part(
                        author: world.agents[0].signer.key, number: 0,
                        entries: world.agents[0].log.map(\.bytes)))
        }
    }

    /// Whoever looked meanwhile did not find it, and looks again.
    @Test func theLastEntryIsSaidAgainWhenTheBoxIs() throws {
        var world = try met(1, brokers: 1)
        let names = world.keys.names(in: MeetEpoch(at: world.now.utc))
        let live = MeetTopic.live.text(in: names)
        let before = world.brokers[0].published.count { $0 == live }
        let box = world.keys.box(of: world.agents[0].signer.key, in: names.epoch)
        let topic = MeetTopic.part(box, 0).text(in: names)
        world.put(topic, [], at: 0)
        world.run(30)
        #expect(world.brokers[0].kept[topic] != nil)
        #expect(world.brokers[0].published.count { $0 == live } == before + 1)
    }

    @Test func anOldCopyOfTheDiskIsFoundByItsOwnBox() throws {
        var world = try met(1)
        let whole = world.agents[0].log
        world.stop(0)
        world.agents[0].logs = LogSet()
        world.agents[0].logs.restore(whole[0])
        world.start(0, log: [whole[0]])
        world.run(3)
        // The entry that the copy lacks came from the own box, for the core to judge.
        #expect(world.known(0, by: 0) == 2)
    }

    @Test func theBoxesMoveOnAtMidnight() throws {
        var world = try met(2)
        let old = world.keys.names(in: MeetEpoch(at: world.now.utc))
        world.run(13 * 3600)
        let new = world.keys.names(in: MeetEpoch(at: world.now.utc))
        #expect(new.epoch == old.epoch.next)
        for broker in world.brokers {
            let topics = broker.kept.keys
            #expect(!topics.contains { $0.hasPrefix(old.prefix) })
            #expect(topics.count { $0.hasPrefix(new.prefix) } == 4)
        }
        world.append(line("good morning"), to: 0)
        world.run(1)
        expectAllKnown(world, among: [0, 1])
    }

    @Test func clocksMayDifferByTenMinutes() throws {
        var world = MeetWorld(
            brokers: 1, at: UTCTime(seconds: MeetWorld.start.seconds + 43_200 - 300))
        world.skew = [1: 500]
        for number in 0..<2 {
            _ = world.join()
            world.append(try claim(number), to: number)
        }
        world.run(40)
        for number in 0..<2 {
            world.append(line("night \(number)"), to: number)
            world.run(2)
        }
        expectAllKnown(world, among: [0, 1])
    }

    @Test(arguments: [
        [FakeBroker.Fault.forgets], [.withholds], [.repeats], [.reorders], [.repeats, .reorders],
    ])
    func oneBadHomeOfTwoHidesNothing(_ faults: [FakeBroker.Fault]) throws {
        for bad in 0..<2 {
            var world = MeetWorld(brokers: 2)
            world.brokers[bad].faults = Set(faults)
            for number in 0..<3 {
                _ = world.join()
                world.append(try claim(number), to: number)
            }
            world.run(60)
            world.stop(0)
            world.run(60)
            _ = world.join()
            world.append(try claim(3), to: 3)
            world.run(1000)
            expectAllKnown(world, among: [1, 2, 3])
        }
    }

    @Test func aFloodOfLiveMessagesStopsTheReaderForAMinute() throws {
        var world = try met(2)
        let names = world.keys.names(in: MeetEpoch(at: world.now.utc))
        let first = try require(world.agents[0].meeting.homes.first?.broker)
        let index = try require(world.brokers.firstIndex { $0.name == first })
        let entry = world.agents[1].log[0].bytes
        for number in 0..<100 {
            let plain = try require(MeetPlain.live([entry]).encoded)
            let payload = try require(
                SealedPayload.seal(
                    plain, for: .live, in: names,
                    nonce: Array(repeating: UInt8(number), count: 24),
                    primitives: FakePrimitives()))
            world.put(MeetTopic.live.text(in: names), payload, at: index)
        }
        world.run(1)
        #expect(world.agents[0].meeting.intake.restsUntil != nil)
        // The broker sends them no more of these.
        let before = world.brokers[index].delivered
        world.put(MeetTopic.live.text(in: names), [1], at: index)
        #expect(world.brokers[index].delivered == before)
        // Meanwhile something is said: it is found in the box after the rest.
        world.append(line("in the noise"), to: 1)
        world.run(5)
        #expect(world.known(1, by: 0) == 2)
        world.run(70)
        expectAllKnown(world, among: [0, 1])
    }

    @Test func aLogOfOneThousandLinesIsLeftAsFarAsItGoes() throws {
        var world = MeetWorld(brokers: 1)
        _ = world.join()
        for number in 0..<400 {
            let words = String(repeating: "a", count: 100)
            world.append(line("\(number) \(words)"), to: 0)
        }
        world.run(30)
        _ = world.join()
        world.run(30)
        let left = world.agents[0].meeting.status(at: world.now).entries
        #expect(left > 150)
        #expect(left < 401)
        #expect(world.known(0, by: 1) == left)
    }
}
