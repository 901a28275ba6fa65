// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// How fast boxes are read, and that nothing is lost by it (docs/meet.md section 3).
@Suite("Reading boxes") struct ReadingTests {
    /// So many passengers who were there, and one who has just come.
    private func world(
        _ passengers: Int, hasTunnels: Bool = true, _ faults: Set<FakeBroker.Fault> = []
    ) throws -> MeetWorld {
        var world = MeetWorld(brokers: 1)
        world.hasTunnels = hasTunnels
        for _ in 0..<passengers { _ = world.join() }
        world.run(30)
        world.brokers[0].faults = faults
        _ = world.join()
        return world
    }

    private func known(_ world: MeetWorld) -> Int {
        let newest = world.agents.count - 1
        return (0..<newest).count { world.known($0, by: newest) == 1 }
    }

    /// Where the own inbox is followed, marks tell what may be asked next.
    @Test func aNewcomerSeesTodayWithinASecond() throws {
        var world = try world(5)
        world.run(1)
        #expect(known(world) == 5)
        world.run(2)
        #expect(world.agents[5].meeting.status(at: world.now).hasRead)
    }

    @Test func withoutMarksItTakesAFewSeconds() throws {
        var world = try world(5, hasTunnels: false)
        world.run(4)
        #expect(known(world) == 5)
    }

    /// A broker may give what it kept later than what it was told after that.
    @Test func aMarkThatComesTooEarlyLosesNothing() throws {
        var world = try world(5, [.dawdles])
        world.run(4)
        #expect(known(world) == 5)
    }

    /// Twice as many in `make soak`.
    @Test func aFullFlightNeverWaitsInALongQueue() throws {
        let passengers = getenv("SEATAGENT_SOAK") == nil ? 60 : 120
        var world = try world(passengers)
        let before = world.brokers[0].longestQueue
        world.run(10)
        #expect(known(world) == passengers)
        #expect(max(before, world.brokers[0].longestQueue) <= 20 * passengers / 3)
    }

    /// A card comes before its author's log, and the core takes its time with that: no reason to
    /// ask for the log by itself.
    @Test func whoComesAsksForNobodyByThemselves() throws {
        func asked(_ passengers: Int) throws -> Int {
            var world = try world(passengers)
            world.learnsAfter = .seconds(1)
            let before = world.brokers[0].asked
            world.run(4)
            #expect(known(world) == passengers)
            return world.brokers[0].asked - before
        }
        #expect(try asked(60) <= asked(2) + 5)
    }

    /// Who comes back to a broker on the same day reads cards, and boxes only where they say more.
    @Test func whatWasReadTodayIsNotReadAgain() throws {
        var world = try world(3)
        world.run(10)
        world.drop(3, from: 0)
        world.append(
            .chat(ChatLine(text: "meanwhile", replyTo: nil, time: MeetWorld.start, after: [])),
            to: 0)
        world.run(1)
        let before = world.brokers[0].asked
        world.run(20)
        #expect(world.known(0, by: 3) == 2)
        #expect(world.brokers[0].asked - before < 40)
    }

    /// Where nobody is, nobody is looked for every quarter of an hour; who comes is seen at once.
    @Test func whoIsAloneLooksLessAndLess() {
        var world = MeetWorld(brokers: 1)
        _ = world.join()
        _ = world.join()
        world.run(60)
        world.stop(1)
        func looks(_ seconds: Int64) -> Int {
            let before = world.brokers[0].asked
            world.run(seconds)
            return (world.brokers[0].asked - before) / MeetLimits.buckets
        }
        // At a quarter, three quarters, and then once an hour.
        #expect(looks(3600) == 2)
        #expect(looks(3 * 3600) == 3)
        let third = world.join()
        world.run(2)
        #expect(world.known(third, by: 0) == 1)
        world.run(30)
        // Both look.
        #expect(looks(3600) / 2 == 4)
    }

    /// A broker ends a connection that asks for more than 20 things a second after the first 200.
    @Test func subscriptionsAreNeverTooMany() {
        var reading = BoxReading()
        let epoch = MeetEpoch(number: 7)
        var now = Instant.zero + .seconds(1)
        reading.begin([], at: now)
        for bucket in MeetBucket.all {
            for day in 0..<24 {
                reading.add(
                    BoxReading.Step(
                        filter: .cards(bucket), epoch: MeetEpoch(number: epoch.number + UInt32(day))
                    ))
            }
        }
        var (token, asked, budget, last) = (0, 0, 200.0, now)
        while asked < 384 {
            while reading.nextStep(at: now) != nil {
                (token, asked, budget) = (token + 1, asked + 1, budget - 1)
                reading.starts(as: token, at: now)
                reading.acknowledged(token, at: now)
                reading.says([4, UInt8(token & 255)])
                reading.came([4, UInt8(token & 255)])
            }
            #expect(budget >= 0)
            now = max(reading.nextDeadline ?? now, now + .milliseconds(1))
            _ = reading.ended(at: now)
            budget = min(200, budget + Double((now - last).nanoseconds) / 5e7)
            last = now
        }
        #expect(now > .zero + .seconds(10))
    }
}
