// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// Many passengers, made-up ones among them, logs that cannot be left whole, and clocks that are
/// wrong (docs/meet.md sections 3, 7 and 9).
@Suite("A crowd at a meeting point") struct MeetCrowdTests {
    private let keys = (1...5).map { FakeSigner(UInt8($0)).key }
    private let now = Instant.zero + .seconds(1000)

    private func world(_ agents: Int) -> MeetWorld {
        var world = MeetWorld(brokers: 1)
        for _ in 0..<agents { _ = world.join() }
        return world
    }

    /// Nothing else happens that could remind an agent of a box that it has not got.
    @Test func aLogThatWasNotLetInIsLookedForAlthoughNothingHappens() {
        var world = world(2)
        world.run(60)
        world.stop(0)
        world.stop(1)
        world.agents[0].logs = LogSet()
        world.brokers[0].hidden = ["l", "e"]
        world.start(0)
        world.run(30)
        #expect(world.known(1, by: 0) == 0)
        world.brokers[0].hidden = []
        world.run(30)
        #expect(world.known(1, by: 0) == 1)
    }

    @Test func thoseWhomTheUserKnowsAreLookedForFirstAndThenWhoWaitsLongest() {
        var passengers = MeetPassengers()
        #expect(passengers.nextLook(keys) == .zero)
        for key in keys.prefix(2) { _ = passengers.asks(for: key, known: 0, at: now) }
        #expect(passengers.nextLook(Array(keys.prefix(2))) == now + .seconds(5))
        let first: Set = [keys[4]]
        #expect(passengers.dueLooks(keys, first: first, at: now) == [keys[4], keys[2], keys[3]])
        let later = now + .seconds(5)
        #expect(passengers.dueLooks(keys, first: first, at: later).count == 5)
        #expect(passengers.dueLooks(keys, first: first, at: later).first == keys[4])
    }

    /// Its author's card says that there is more than the box can hold, and no broker is blamed.
    @Test func aLogThatAnEntryTooLongEndsIsNotSaidToBeHeldBack() {
        var own = OwnRecords()
        let long = [UInt8](repeating: 0, count: MeetLimits.mailedEntry + 1)
        own.wrote([[1], [2]], head8: 1, at: now)
        #expect(own.partsTold == 1)
        own.wrote([[1], [2], long, [4]], head8: 2, at: now)
        #expect(own.parts.count == 1 && own.partsTold == MeetLimits.parts)
        var world = world(2)
        world.run(40)
        let log = world.agents[1].log.map(\.bytes)
        world.feed(.own(log + [long], head8: 5), to: 1)
        world.run(1500)
        let card = world.agents[0].meeting.passengers.card(of: world.agents[1].signer.key)
        #expect(card?.length == 2 && card?.parts == MeetLimits.parts)
        #expect(world.agents[0].meeting.status(at: world.now).behind == 0)
    }

    @Test func whoIsNotLetInBecauseTheFlightIsFullIsNotSaidToBeHeldBack() {
        var witnesses = MeetWitnesses()
        witnesses.shows(3, of: keys[0], by: keys[0], known: 0, at: now)
        witnesses.shows(3, of: keys[1], by: keys[1], known: 2, at: now)
        let later = now + .seconds(700)
        #expect(witnesses.behind(at: later, isFull: false) == 2)
        #expect(witnesses.behind(at: later, isFull: true) == 1)
    }

    /// Their cards are not taken, and so nobody would learn why nobody is there.
    @Test func aClockThatIsBehindIsToldByTheCardsOfOthers() {
        var world = world(2)
        world.skew[0] = -3600
        world.run(60)
        let status = { (number: Int) in
            let now = world.now
            let utc = UTCTime(seconds: now.utc.seconds + (world.skew[number] ?? 0))
            return world.agents[number].meeting.status(at: Moment(instant: now.instant, utc: utc))
        }
        #expect(status(0).passengers == 0)
        #expect(status(0).clocks.map(\.peer) == [world.agents[1].signer.key])
        #expect((3500...3600).contains(status(0).clocks.first?.ahead ?? 0))
        #expect(status(1).clocks.isEmpty)
        // Set right, it says nothing any more, and knows them.
        world.skew[0] = 0
        world.run(1500)
        #expect(status(0).passengers == 1 && status(0).clocks.isEmpty)
    }
}
