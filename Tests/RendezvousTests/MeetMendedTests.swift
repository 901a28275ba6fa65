// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// What once went wrong at a meeting point, and must not again (docs/meet.md sections 3 and 5).
@Suite("Mended at a meeting point") struct MeetMendedTests {
    private func world(_ agents: Int) -> MeetWorld {
        var world = MeetWorld(brokers: 1)
        for _ in 0..<agents { _ = world.join() }
        world.run(40)
        return world
    }

    /// They may be all that is left of a log.
    @Test func boxesOfYesterdayStayUntilAllIsStoredInThoseOfToday() {
        var world = world(1)
        let old = world.keys.names(in: MeetEpoch(at: world.now.utc))
        world.stop(0)
        world.run(13 * 3600)
        let new = world.keys.names(in: MeetEpoch(at: world.now.utc))
        let count = { (names: MeetNames) in
            world.brokers[0].kept.keys.count { $0.hasPrefix(names.prefix) }
        }
        world.brokers[0].refuses = true
        world.start(0)
        world.run(200)
        #expect(count(old) == 2 && count(new) == 0)
        world.brokers[0].refuses = false
        world.run(700)
        #expect(count(old) == 0 && count(new) == 2)
    }

    @Test func cardsThatAreOverMakeSpace() {
        var passengers = MeetPassengers()
        func card(_ number: Int, until: Int64) -> MeetCard {
            let seed = FakePrimitives().sha256(Array("\(number)".utf8))
            return MeetCard(
                flight: FlightID(seed), author: PeerKey(seed.bytes)!, boxKey: .zero,
                made: UTCTime(seconds: 10), until: UTCTime(seconds: until), length: 0, head8: 0,
                parts: 0, logs: .zero, items: [], stamp: [UInt8](repeating: 0, count: 8))
        }
        func at(_ seconds: Int64) -> Moment {
            Moment(instant: .zero, utc: UTCTime(seconds: seconds))
        }
        let epoch = MeetEpoch(number: 0)
        for number in 0..<Limits.authors {
            let until: Int64 = number % 2 == 0 ? 100 : 1000
            _ = passengers.take(card(number, until: until), in: epoch, at: at(20))
        }
        let late = card(Limits.authors, until: 1000)
        #expect(!passengers.take(late, in: epoch, at: at(99)).isFirst)
        #expect(passengers.take(late, in: epoch, at: at(100)).isFirst)
        #expect(passengers.cards.count == Limits.authors / 2 + 1)
        #expect(passengers.cards.allSatisfy { $0.until.seconds == 1000 })
        // Nothing is left of those who went.
        let gone = card(0, until: 100).author
        #expect(passengers.epoch(of: gone) == nil && passengers.epoch(of: late.author) == epoch)
        #expect(passengers.nextLook([gone]) == .zero)
    }

    /// Who was here yesterday alone has no box of today.
    @Test func aLogThatIsLackingIsLookedForWhereItsCardWas() {
        var world = MeetWorld(brokers: 1)
        for _ in 0..<2 { _ = world.join() }
        world.brokers[0].hidden = ["l", "e"]
        world.run(60)
        world.stop(1)
        #expect(world.known(1, by: 0) == 0)
        world.run(13 * 3600)
        world.brokers[0].hidden = []
        world.run(700)
        #expect(world.known(1, by: 0) == 1)
    }

    /// Reading everybody's boxes of four days takes seconds: who comes meanwhile does not wait.
    @Test func whoComesWhileAllIsReadIsReadAtOnce() {
        var world = MeetWorld(brokers: 1)
        fill(&world, passengers: 900)
        _ = world.join()
        world.run(3)
        _ = world.join()
        world.run(2)
        // The logs of days before are still to be read, and those of today are.
        #expect(!world.agents[0].meeting.homes[0].reading.isOver)
        #expect(world.known(1, by: 0) == 1)
    }

    /// Many boxes of four days, of which nothing counts; how many there are says how few logs are
    /// asked for at a time.
    private func fill(_ world: inout MeetWorld, passengers: Int) {
        for epoch in MeetEpoch(at: world.now.utc).read {
            let names = world.keys.names(in: epoch)
            for number in 0..<passengers {
                let seed = FakePrimitives().sha256(Array("\(number)".utf8))
                guard let key = PeerKey(seed.bytes) else { continue }
                let box = world.keys.box(of: key, in: epoch)
                world.put(MeetTopic.card(box).text(in: names), [1], at: 0)
            }
        }
    }

    @Test func aConnectionOfWhichNothingIsHeardIsGivenUp() {
        var world = MeetWorld(brokers: 1)
        world.brokers[0].isFrozen = true
        _ = world.join()
        world.run(10)
        world.brokers[0].isFrozen = false
        world.run(100)
        #expect(!world.agents[0].meeting.status(at: world.now).isReached)
        world.run(60)
        #expect(world.agents[0].meeting.status(at: world.now).isReached)
    }

    @Test func aBrokerThatGreetsAndHangsUpIsAskedLessAndLess() {
        var world = MeetWorld(brokers: 1)
        world.brokers[0].faults = [.hangsUp]
        _ = world.join()
        world.run(3600)
        #expect((30...70).contains(world.brokers[0].connects), "\(world.brokers[0].connects)")
        // Once all was read it counts as a broker again.
        world.brokers[0].faults = []
        world.run(400)
        let before = world.brokers[0].connects
        world.drop(0, from: 0)
        world.run(3)
        #expect(world.brokers[0].connects == before + 1)
    }
}
