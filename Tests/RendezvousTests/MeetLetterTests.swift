// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// Letters between passengers who are never online together (docs/meet.md section 4).
@Suite("Letters at the meeting point") struct MeetLetterTests {
    private static let later = UTCTime(seconds: MeetWorld.start.seconds + 40_000)

    private func message(_ number: UInt64, until: UTCTime = Self.later) -> Letter {
        let id = ThreadID(high: 1, low: number)
        return Letter(.message(.directMessage(id: id, text: "letter \(number)")), until: until)
    }

    /// Two who have met, of whom the second is away.
    private func met(_ count: Int = 2, brokers: Int = 2) throws -> MeetWorld {
        var world = MeetWorld(brokers: brokers)
        world.hasTunnels = true
        for _ in 0..<count { _ = world.join() }
        world.run(40)
        world.stop(1)
        return world
    }

    private func key(_ world: MeetWorld, _ number: Int) -> PeerKey {
        world.agents[number].signer.key
    }

    private func write(_ letters: [Letter], _ world: inout MeetWorld, from: Int = 0, to: Int = 1) {
        world.feed(.mail([Mail(key(world, to), letters)]), to: from)
    }

    /// Topics of letters that brokers keep.
    private func lanes(_ world: MeetWorld) -> [String] {
        world.brokers.flatMap(\.topics).filter { $0.contains("/q/") }
    }

    @Test func lettersWaitForWhoIsAway() throws {
        var world = try met()
        write([message(1), message(2)], &world)
        world.run(2)
        // A tunnel may reach them first.
        #expect(lanes(world).isEmpty)
        world.run(100)
        #expect(lanes(world).count == 2)
        let thread = ThreadID(high: 1, low: 2)
        #expect(world.agents[0].meeting.hasLeft(thread, for: key(world, 1)))
        #expect(!world.agents[0].meeting.hasLeft(ThreadID(high: 9, low: 9), for: key(world, 1)))
        world.stop(0)
        world.start(1)
        world.run(40)
        #expect(world.agents[1].mail == [Mail(key(world, 0), [message(1), message(2)])])
        // Nobody has to say so before: they are there at once.
        world.start(0)
        world.run(20)
        write([message(3)], &world)
        world.run(10)
        #expect(world.agents[1].mail.last == Mail(key(world, 0), [message(3)]))
    }

    @Test func oneHomeIsEnough() throws {
        for fault in [FakeBroker.Fault.forgets, .withholds] {
            var world = try met()
            world.brokers[0].faults = [fault]
            write([message(1)], &world)
            world.run(100)
            world.stop(0)
            world.start(1)
            world.run(40)
            #expect(world.agents[1].mail == [Mail(key(world, 0), [message(1)])], "\(fault)")
        }
    }

    @Test func whatIsOverIsClearedAndTold() throws {
        var world = try met()
        write([message(1)], &world)
        world.run(100)
        world.start(1)
        world.run(40)
        write([], &world)
        world.run(100)
        #expect(lanes(world).isEmpty)
        #expect(world.agents[1].mail.last == Mail(key(world, 0), []))
        // Also of a run before, of which the next one knows nothing.
        write([message(2)], &world)
        world.run(100)
        world.stop(0)
        world.start(0)
        write([], &world)
        world.run(100)
        #expect(lanes(world).isEmpty)
    }

    @Test func aBrokerThatComesBackEmptyIsGivenThemAgain() throws {
        var world = try met(brokers: 1)
        write([message(1)], &world)
        world.run(100)
        world.kill(0)
        world.run(60)
        #expect(lanes(world).count == 1)
        // Somebody takes them away: they are left again in time.
        let lane = try require(lanes(world).first)
        world.brokers[0].forget(lane)
        world.run(1300)
        #expect(lanes(world) == [lane])
    }

    /// Not longer: a broker keeps it for all that.
    @Test func aBrokerIsAskedToKeepALetterUntilItIsOver() throws {
        var world = try met(brokers: 1)
        write([message(1)], &world)
        world.run(100)
        let lane = try require(lanes(world).first)
        #expect(world.brokers[0].kept[lane]?.ends == Self.later)
    }

    @Test func whatWasClearedIsNotClearedOnEachConnection() throws {
        var world = try met(brokers: 1)
        write([message(1)], &world)
        world.run(100)
        write([], &world)
        world.run(100)
        #expect(lanes(world).isEmpty)
        let said = { (world: MeetWorld) in
            world.brokers[0].published.count { $0.contains("/q/") }
        }
        let (before, connects) = (said(world), world.brokers[0].connects)
        world.drop(0, from: 0)
        world.run(60)
        #expect(world.brokers[0].connects > connects)
        #expect(said(world) == before)
    }

    @Test func theyGoOnToTheNextDay() throws {
        var world = try met()
        world.run(100)
        write([message(1, until: UTCTime(seconds: MeetWorld.start.seconds + 90_000))], &world)
        world.run(43_200 + 4000)
        let names = world.keys.names(in: MeetEpoch(at: world.now.utc))
        #expect(lanes(world).count == 2)
        #expect(lanes(world).allSatisfy { MeetTopic($0, in: names) != nil })
        world.stop(0)
        world.start(1)
        world.run(40)
        #expect(world.agents[1].mail.count == 1)
    }

    /// On the connection of the day before.
    @Test func whoStaysOverMidnightGetsTheLettersOfTheNextDay() {
        var world = MeetWorld(brokers: 1)
        (world.hasTunnels, world.hasSessions) = (true, true)
        for _ in 0..<2 { _ = world.join() }
        world.run(40)
        let connects = world.brokers[0].connects
        world.run(43_200 + 4000)
        write([message(1, until: UTCTime(seconds: MeetWorld.start.seconds + 90_000))], &world)
        world.run(20)
        #expect(world.agents[1].mail.map(\.letters.count) == [1])
        #expect(world.brokers[0].connects == connects)
    }

    /// Also of a run before, of which the next one knows nothing.
    @Test func whatWasLeftTheDayBeforeIsCleared() throws {
        var world = try met(brokers: 1)
        write([message(1, until: UTCTime(seconds: MeetWorld.start.seconds + 90_000))], &world)
        world.run(100)
        world.stop(0)
        world.run(44_000)
        #expect(lanes(world).count == 1)
        world.start(0)
        write([], &world)
        world.run(100)
        #expect(lanes(world).isEmpty)
    }

    @Test func nineLettersAreEight() throws {
        var world = try met()
        write((1...9).map { message($0) }, &world)
        world.run(100)
        world.start(1)
        world.run(40)
        #expect(world.agents[1].mail.first?.letters == (1...8).map { message($0) })
    }

    // MARK: Hostile letters

    /// What somebody who knows the flight can seal: letters in a name, with a pair of their own.
    private struct Forger {
        var world: MeetWorld
        let pair: FakeAgreement

        init(_ world: MeetWorld, of number: Int) {
            self.world = world
            let signer = world.agents[number].signer
            pair = FakeAgreement(seed: FakePrimitives().sha256(signer.key.bytes + [1]))
        }

        /// A payload for the inbox of `to`, in the lane of `lane`.
        mutating func put(
            _ list: [UInt8], as sender: PeerKey, to: Int = 1, lane: PeerKey? = nil,
            made: Int64 = 0, lasts: Int64 = 1000
        ) throws {
            let epoch = MeetEpoch(at: world.now.utc)
            let reader = world.agents[to].signer.key
            let topic = MeetTopic.letters(
                inbox: world.keys.inbox(of: reader, in: epoch),
                lane: world.keys.lane(from: lane ?? sender, to: reader, in: epoch))
            let theirs = FakeAgreement(seed: FakePrimitives().sha256(reader.bytes + [1]))
            let nonce = [UInt8](repeating: 7, count: 24)
            let box = try require(pair.seal(list, for: theirs.key, nonce: nonce))
            let start = world.now.utc.seconds + made
            let plain = MeetPlain.letters(
                MeetLetters(
                    sender: sender, made: UTCTime(seconds: start),
                    until: UTCTime(seconds: start + lasts), sealed: nonce + box))
            let names = world.keys.names(in: epoch)
            let payload = try require(
                SealedPayload.seal(
                    try require(plain.encoded), for: topic, in: names, nonce: nonce,
                    primitives: FakePrimitives()))
            world.put(topic.text(in: names), payload, at: 0)
            world.run(2)
        }
    }

    private func list(_ count: Int = 1) -> [UInt8] {
        let made = MeetWorld.start
        return MeetLetter.encode(
            (0..<count).map { number in
                MeetLetter(.directMessage, message(UInt64(number)).payload(made: made))
            })
    }

    /// The second one is there, and the third one forges.
    private func forger() throws -> Forger {
        var world = try met(3, brokers: 1)
        world.start(1)
        world.run(60)
        return Forger(world, of: 2)
    }

    @Test func whatNobodyElseMayWriteIsNothing() throws {
        var forger = try forger()
        let (first, third) = (key(forger.world, 0), key(forger.world, 2))
        // In another's name, with the own key.
        try forger.put(list(), as: first)
        // In the lane of another.
        try forger.put(list(), as: third, lane: first)
        // Ahead of the clock, over, and nine.
        try forger.put(list(), as: third, made: 700)
        try forger.put(list(), as: third, made: -1000, lasts: 900)
        try forger.put(list(9), as: third)
        // A vote, and bytes that are none of a message.
        try forger.put([0x81, 0x82, 0x18, 34, 0x41, 1], as: third)
        try forger.put([0x81, 0x82, 0x18, 42, 0x41, 1], as: third)
        // Of somebody who left no card.
        try forger.put(list(), as: FakeSigner(77).key)
        #expect(forger.world.agents[1].mail.isEmpty)
        try forger.put(list(), as: third)
        #expect(forger.world.agents[1].mail.count == 1)
    }

    @Test func aLetterCountsFromTenMinutesAheadUntilItIsOver() throws {
        var forger = try forger()
        let third = key(forger.world, 2)
        try forger.put(list(), as: third, made: -1000, lasts: 1000)
        try forger.put(list(), as: third, made: 601)
        #expect(forger.world.agents[1].mail.isEmpty)
        try forger.put(list(), as: third, made: -1000, lasts: 1001)
        try forger.put(list(2), as: third, made: 600)
        #expect(forger.world.agents[1].mail.map(\.letters.count) == [1, 2])
    }

    @Test func anOlderLetterDoesNotCount() throws {
        var forger = try forger()
        let third = key(forger.world, 2)
        try forger.put(list(2), as: third)
        try forger.put(list(), as: third, made: -20)
        #expect(forger.world.agents[1].mail.map(\.letters.count) == [2])
        try forger.put(list(), as: third)
        #expect(forger.world.agents[1].mail.map(\.letters.count) == [2, 1])
    }

    @Test func aFloodOfLanesStopsTheReaderForAMinute() throws {
        var forger = try forger()
        for number in 0..<100 {
            let made = FakePrimitives().sha256([UInt8(number), 3])
            try forger.put(list(), as: PeerKey(made))
        }
        // People who were made up keep nobody out who left a card.
        try forger.put(list(), as: key(forger.world, 2))
        #expect(forger.world.agents[1].mail.count == 1)
        let before = forger.world.agents[1].meeting.readMail.restsUntil
        #expect(before == nil)
        let topic = try require(lanes(forger.world).first)
        for _ in 0..<600 { forger.world.put(topic, [UInt8](repeating: 1, count: 512), at: 0) }
        forger.world.run(1)
        #expect(forger.world.agents[1].meeting.readMail.restsUntil != nil)
        forger.world.run(90)
        #expect(forger.world.agents[1].meeting.readMail.restsUntil == nil)
    }

    @Test func aLetterThatComesBeforeTheCardIsReadWithIt() throws {
        var world = try met(brokers: 1)
        write([message(1)], &world)
        world.run(60)
        // The broker gives letters first, and the card late.
        let cards = world.brokers[0].topics.filter { $0.contains("/c/") }
        let kept = cards.compactMap { topic in
            world.brokers[0].kept[topic].map { (topic, $0.payload) }
        }
        for topic in cards { world.brokers[0].forget(topic) }
        world.stop(0)
        world.start(1)
        world.run(20)
        #expect(world.agents[1].mail.isEmpty)
        for (topic, payload) in kept { world.put(topic, payload, at: 0) }
        world.run(1200)
        #expect(world.agents[1].mail == [Mail(key(world, 0), [message(1)])])
    }

    /// The card comes so many seconds before the letter is over.
    @Test(arguments: [1, 0])
    func aLetterThatIsOverWhenTheCardComesIsNotRead(_ early: Int64) throws {
        var world = try met(brokers: 1)
        let until = UTCTime(seconds: world.now.utc.seconds + 300)
        write([message(1, until: until)], &world)
        world.run(60)
        let topic = try require(
            world.brokers[0].topics.first { $0.contains("/c/") && $0.hasSuffix(world.box(of: 0)) })
        let card = try require(world.brokers[0].kept[topic]?.payload)
        world.brokers[0].forget(topic)
        world.stop(0)
        world.start(1)
        world.run(until.seconds - early - world.now.utc.seconds)
        #expect(world.agents[1].mail.isEmpty && world.now.utc.seconds == until.seconds - early)
        world.feed(.came(world.brokers[0].name, topic: topic, payload: card), to: 1)
        #expect(world.agents[1].mail.count == Int(early))
    }
}
