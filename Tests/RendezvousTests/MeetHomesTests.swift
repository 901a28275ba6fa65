// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// Which brokers an agent is connected to, and for how long (docs/meet.md section 5).
@Suite("Homes at a meeting point") struct MeetHomesTests {
    private func line(_ text: String) -> EntryBody {
        .chat(ChatLine(text: text, replyTo: nil, time: MeetWorld.start, after: []))
    }

    /// Two agents that have met at the first brokers of several.
    private func met(brokers count: Int, pool: [Int]) -> MeetWorld {
        var world = MeetWorld(brokers: count)
        for number in 0..<2 {
            _ = world.join()
            world.tellPool(pool, to: [number])
        }
        world.run(40)
        return world
    }

    private func homes(_ number: Int, _ world: MeetWorld) -> [MeetBroker] {
        world.agents[number].meeting.homes.map(\.broker)
    }

    @Test func whoeverSeesANewPoolLaterIsHeardAndHears() throws {
        var world = met(brokers: 4, pool: [0, 1])
        world.tellPool([2, 3], to: [1])
        world.run(40)
        #expect(homes(1, world).count == 4)
        // The one that has moved leaves new entries at the old homes too, within a minute or so,
        world.append(line("from the new homes"), to: 1)
        world.run(100)
        #expect(world.known(1, by: 0) == 2)
        // and finds there what the other one says.
        world.append(line("from the old homes"), to: 0)
        world.run(1000)
        #expect(world.known(0, by: 1) == 2)
        // Then the other one moves.
        world.tellPool([2, 3], to: [0])
        world.run(40)
        world.append(line("we are here now"), to: 0)
        world.run(2)
        #expect(world.known(0, by: 1) == 3)
    }

    @Test func oldHomesAreLeftAfterSixHours() throws {
        var world = met(brokers: 3, pool: [0])
        world.tellPool([1, 2], to: [0, 1])
        world.run(6 * 3600 - 60)
        #expect(homes(0, world).count == 3)
        world.run(120)
        #expect(homes(0, world).count == 2)
        #expect(world.brokers[0].clients.isEmpty)
        let before = world.brokers[0].published.count
        world.run(4000)
        #expect(world.brokers[0].published.count == before)
    }

    /// One that answers although it left the record is visited, and not connected for good.
    @Test func anOldHomeIsVisitedNowAndThen() throws {
        var world = met(brokers: 3, pool: [0, 1])
        world.run(2000)
        world.tellPool([2], to: [0, 1])
        #expect(!world.brokers[0].clients.isEmpty)
        world.run(60)
        #expect(world.brokers[0].clients.isEmpty && world.brokers[1].clients.isEmpty)
        #expect(world.brokers[2].clients == [0, 1])
        let before = world.brokers.map(\.delivered)
        world.run(1000)
        #expect(world.brokers[0].delivered > before[0] && world.brokers[1].delivered > before[1])
        #expect(world.brokers[0].clients.isEmpty)
    }

    /// A record that names nobody who answers cuts nobody off.
    @Test func oldHomesServeWhileNoneOfTheNewOnesAnswers() throws {
        var world = met(brokers: 3, pool: [0])
        world.brokers[1].isUp = false
        world.brokers[2].isUp = false
        world.tellPool([1, 2], to: [0, 1])
        world.run(30)
        world.append(line("still here"), to: 0)
        world.run(2)
        #expect(world.known(0, by: 1) == 2)
        #expect(world.agents[0].meeting.status(at: world.now).isReached)
    }

    @Test func aPoolThatChangesAndChangesIsNoMoreThanFourHomes() throws {
        var world = met(brokers: 9, pool: [0, 1])
        for pool in [[2, 3], [4, 5], [6, 7], [8], [0, 1]] {
            world.tellPool(pool, to: [0])
            world.run(5)
            #expect(homes(0, world).count <= 4)
        }
        // Those that left last are kept, and one that came back is a home as before.
        let names = world.brokers.map(\.name)
        #expect(Set(homes(0, world).prefix(2)) == [names[0], names[1]])
        #expect(homes(0, world)[2] == names[8])
        world.run(7 * 3600)
        #expect(Set(homes(0, world)) == [names[0], names[1]])
        // Nobody is still connected to one that was let go.
        #expect((2...8).allSatisfy { !world.brokers[$0].clients.contains(0) })
    }

    @Test func aBrokerThatJoinsMovesOneHomeAndTheOtherStays() throws {
        var world = met(brokers: 3, pool: [0, 1])
        let before = Set(homes(0, world))
        world.tellPool([0, 1, 2], to: [0, 1])
        world.run(40)
        let now = world.agents[0].meeting.status(at: world.now).homes
        #expect(now.count == 2 && now.allSatisfy { $0.storedAt != nil })
        #expect(before.isSubset(of: Set(homes(0, world))))
    }

    @Test func aSecondHomeThatServedIsLeftWhenTheFirstIsBack() throws {
        var world = met(brokers: 2, pool: [0, 1])
        let first = try require(world.brokers.firstIndex { $0.name == homes(0, world)[0] })
        world.kill(first, comesBack: false)
        world.run(2000)
        #expect(world.brokers[1 - first].clients == [0, 1])
        world.brokers[first].isUp = true
        world.run(200)
        #expect(world.brokers[first].clients == [0, 1])
        #expect(world.brokers[1 - first].clients.isEmpty)
    }

    // MARK: One home

    private let now = Instant.zero + .seconds(1000)

    private func home() throws -> MeetHome {
        MeetHome(try require(MeetBroker(host: "m0.test", port: 8883)))
    }

    private func isStored(_ token: Int, _ home: inout MeetHome) -> Bool {
        home.stored(token, at: Moment(instant: now, utc: MeetWorld.start))
    }

    /// As long as nobody came, it was looked at less and less often.
    @Test func aNewConnectionIsLookedAtAsOftenAsAFirstOne() throws {
        var home = try home()
        home.up(reading: [], at: now)
        for _ in 0..<3 { home.looksAgain(at: now) }
        #expect(!home.isDueForAnotherLook(at: now + .seconds(3599)))
        home.down(at: now)
        home.up(reading: [], at: now)
        #expect(home.isDueForAnotherLook(at: now + .seconds(900)))
        home.looksAgain(at: now)
        #expect(!home.isDueForAnotherLook(at: now + .seconds(1799)))
        #expect(home.isDueForAnotherLook(at: now + .seconds(1800)))
    }

    @Test func whereSomebodyIsThereItIsLookedAtAsOftenAsAtFirst() throws {
        var home = try home()
        home.up(reading: [], at: now)
        for _ in 0..<3 { home.looksAgain(at: now) }
        home.isBusy(at: now)
        #expect(home.isDueForAnotherLook(at: now + .seconds(900)))
        home.looksAgain(at: now)
        #expect(home.isDueForAnotherLook(at: now + .seconds(1800)))
    }

    @Test func aBoxIsStoredOnceItsNewestCardIs() throws {
        var home = try home()
        var own = OwnRecords()
        let card = SignedCard(MeetFormTests.card(), by: FakeSigner(1))
        #expect(!home.isStored(own))
        own.wrote([[1]], head8: 1, at: now)
        own.renew(card, at: now)
        home.sends(part: 0, count: 1, as: 1)
        #expect(isStored(1, &home) && !home.isStored(own))
        home.sends(card: own.cardVersion, as: 2)
        #expect(!home.isStored(own))
        #expect(isStored(2, &home) && home.isStored(own))
        own.renew(card, at: now)
        #expect(!home.isStored(own))
    }

    /// A broker that refuses a subscription has the own box all the same.
    @Test func onlyARefusedPartOfTheOwnBoxIsWrittenAgain() throws {
        var home = try home()
        home.sends(part: 0, count: 1, as: 8)
        home.refused(7, at: now)
        #expect(home.repairAt == nil)
        #expect(isStored(8, &home))
        home.sends(part: 0, count: 2, as: 9)
        home.refused(9, at: now)
        #expect(home.repairAt == now + .seconds(5))
        #expect(!isStored(9, &home))
    }

    @Test func whatStoodThereOnlyOnAnEarlierConnectionIsLacking() throws {
        var home = try home()
        let keys = MeetWorld(brokers: 1).keys
        let box = keys.box(of: FakeSigner(1).key, in: MeetEpoch(number: 7))
        home.up(reading: [], at: now)
        home.readOwnBox()
        home.sends(part: 0, count: 1, as: 1)
        #expect(isStored(1, &home))
        for isThere in [true, false] {
            home.saw(.part(box, 0), isOurs: true)
            home.down(at: now)
            home.up(reading: [], at: now)
            if isThere { home.saw(.part(box, 0), isOurs: true) }
            home.readOwnBox()
            #expect(home.lacks(part: 0, count: 1) == !isThere)
        }
    }
}
