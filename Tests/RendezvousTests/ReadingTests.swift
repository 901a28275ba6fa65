// SPDX-License-Identifier: Apache-2.0
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

    /// More than twice as many in `make soak`.
    @Test func aFullFlightNeverWaitsInALongQueue() throws {
        let passengers = Soak.rounds(120, short: 48)
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
        #expect(try asked(48) <= asked(2) + 5)
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

    private func line(_ text: String) -> EntryBody {
        .chat(ChatLine(text: text, replyTo: nil, time: MeetWorld.start, after: []))
    }

    /// No other card is due, and no broker is asked for what is here.
    @Test func whatFollowsTheLastEntryIsNoReasonToLook() {
        var world = MeetWorld(brokers: 1)
        for _ in 0..<2 { _ = world.join() }
        world.run(60)
        let before = world.brokers[0].asked
        world.append(line("the next one"), to: 1)
        world.run(2)
        #expect(world.known(1, by: 0) == 2)
        #expect(world.brokers[0].asked == before)
    }

    /// Of a log that fills all parts nobody knows how much is left, so it is not lacking.
    @Test func whatCameIntoAFullBoxIsFoundBehindItsCard() {
        var world = MeetWorld(brokers: 1)
        for _ in 0..<2 { _ = world.join() }
        let words = String(repeating: "a", count: 1000)
        while world.agents[1].meeting.own.parts.count < MeetLimits.parts {
            world.append(line(words), to: 1)
        }
        world.run(40)
        let before = world.agents[1].log.count
        #expect(world.known(1, by: 0) == before)
        world.brokers[0].hidden = ["e"]
        world.append(line("unheard"), to: 1)
        world.run(100)
        #expect(world.known(1, by: 0) == before)
        world.run(1000)
        #expect(world.known(1, by: 0) == before + 1)
    }

    // MARK: One broker

    private let now = Instant.zero + .seconds(1)

    private func step(
        _ number: Int, stays: Bool = false, isOwn: Bool = false
    ) -> BoxReading.Step {
        BoxReading.Step(
            filter: .cards(MeetBucket.all[number]), epoch: MeetEpoch(number: 7), stays: stays,
            isOwn: isOwn)
    }

    /// Asks for all that may be asked for now, with numbers from 1.
    private func ask(_ reading: inout BoxReading) -> [BoxReading.Step] {
        var asked: [BoxReading.Step] = []
        while let step = reading.nextStep(at: now) {
            asked.append(step)
            reading.starts(as: asked.count, at: now)
        }
        return asked
    }

    @Test func whatWaitsIsNotAskedForTwice() {
        var reading = BoxReading()
        reading.begin([step(0)], at: now)
        reading.add(step(0))
        // The same box, but the subscription stays.
        reading.add(step(0, stays: true))
        #expect(ask(&reading) == [step(0), step(0, stays: true)])
        reading.add(step(0))
        #expect(ask(&reading).isEmpty)
    }

    @Test func aNewConnectionReadsFromTheBeginning() {
        var reading = BoxReading()
        reading.begin([step(0), step(1)], at: now)
        #expect(ask(&reading) == [step(0), step(1)])
        reading.begin([step(2)], at: now)
        #expect(ask(&reading) == [step(2)])
        reading.finished(1)
        #expect(reading.ended(at: now) == [step(2)] && reading.isOver)
    }

    /// Nothing is read beside the own box before a mark or silence says that it is read.
    @Test func aMarkBehindTheOwnBoxEndsTheWait() {
        var reading = BoxReading()
        reading.begin([step(0, isOwn: true), step(1)], at: now)
        #expect(ask(&reading) == [step(0, isOwn: true)])
        reading.says([4, 1])
        reading.came([4, 2])
        #expect(ask(&reading).isEmpty)
        reading.came([4, 1])
        #expect(ask(&reading) == [step(1)])
    }

    @Test func aBrokerThatSaysWhatItGaveWholeSaysItOfOne() {
        var reading = BoxReading()
        reading.begin([step(0), step(1)], at: now)
        #expect(ask(&reading).count == 2)
        reading.finished(2)
        #expect(reading.ended(at: now) == [step(1)])
        reading.finished(1)
        #expect(reading.ended(at: now) == [step(0)] && reading.isOver)
    }

    @Test func whatIsReadIsReadOnce() throws {
        var reading = BoxReading()
        reading.begin([step(0)], at: now)
        #expect(ask(&reading).count == 1)
        reading.acknowledged(1, at: now)
        let due = try require(reading.nextDeadline)
        #expect(due == now + .milliseconds(250))
        #expect(reading.ended(at: now + .milliseconds(249)).isEmpty && !reading.isOver)
        #expect(reading.ended(at: due) == [step(0)])
        #expect(reading.isOver && reading.ended(at: due).isEmpty)
    }
}
