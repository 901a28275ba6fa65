// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// What one message to a meeting comes to (docs/meet.md sections 2 and 3).
@Suite("Intake of a meeting") struct MeetIntakeTests {
    private let primitives = FakePrimitives()
    private let world: MeetWorld
    private let names: MeetNames
    private let author = FakeSigner(2)

    /// The first one reads, and the second one writes; no broker has answered.
    init() {
        var world = MeetWorld(brokers: 1)
        for _ in 0..<2 { _ = world.join() }
        names = world.keys.names(in: MeetEpoch(at: world.now.utc))
        self.world = world
    }

    private func box(of key: PeerKey) -> MeetBox { world.keys.box(of: key, in: names.epoch) }

    private func come(
        _ plain: MeetPlain, _ topic: MeetTopic, _ meeting: inout Meeting
    ) throws -> MeetEffects {
        let payload = try require(
            SealedPayload.seal(
                try require(plain.encoded), for: topic, in: names,
                nonce: [UInt8](repeating: 7, count: 24), primitives: primitives))
        let topic = topic.text(in: names)
        return meeting.handle(
            .came(world.brokers[0].name, topic: topic, payload: payload), at: world.now)
    }

    /// A card of the second one that is so many seconds ahead.
    private func card(_ ahead: Int64, hasStamp: Bool = true) throws -> MeetPlain {
        let stamp = try require(
            MeetStamp.find(
                of: author.key, group: names.group, from: 0, tries: 10_000, bits: 6,
                primitives: primitives))
        let made = world.now.utc.seconds + ahead
        let card = MeetFormTests.card {
            ($0.flight, $0.author) = (world.flightID, author.key)
            ($0.made, $0.until) = (UTCTime(seconds: made), UTCTime(seconds: made + 1000))
            $0.stamp = hasStamp ? stamp : [UInt8](repeating: 0xFF, count: 8)
        }
        return .card(SignedCard(card, by: author))
    }

    @Test func aCardMayBeTenMinutesAhead() throws {
        for (ahead, count) in [(600, 1), (601, 0)] as [(Int64, Int)] {
            var meeting = world.agents[0].meeting
            let effects = try come(try card(ahead), .card(box(of: author.key)), &meeting)
            let status = meeting.status(at: world.now)
            #expect(effects.isNews == (count == 1) && status.passengers == count)
            #expect(status.clocks.map(\.ahead) == (count == 1 ? [] : [ahead]))
            // It says nothing new.
            let again = try come(try card(ahead), .card(box(of: author.key)), &meeting)
            #expect(!again.isNews)
        }
    }

    /// Nor does it tell of a clock.
    @Test func aCardInTheWrongBoxOrWithoutAStampIsNothing() throws {
        for ahead: Int64 in [0, 700] {
            var meeting = world.agents[0].meeting
            _ = try come(try card(ahead), .card(box(of: FakeSigner(3).key)), &meeting)
            _ = try come(
                try card(ahead, hasStamp: false), .card(box(of: author.key)), &meeting)
            let status = meeting.status(at: world.now)
            #expect(status.passengers == 0 && status.clocks.isEmpty)
        }
    }

    /// Each byte of a session would pay for that, and an OPEN or a mark is rare.
    @Test func aFrameOfATunnelIsNoReasonToLookAtBoxes() {
        let inbox = world.keys.inbox(of: world.agents[0].signer.key, in: names.epoch)
        let topic = MeetTopic.tunnel(inbox: inbox).text(in: names)
        // The next card was due 100 seconds before.
        let later = Moment(
            instant: world.now.instant + .seconds(700),
            utc: UTCTime(seconds: world.now.utc.seconds + 700))
        for (version, cards) in [(2, 2), (3, 1), (4, 2)] as [(UInt8, Int)] {
            var meeting = world.agents[0].meeting
            #expect(meeting.own.cardVersion == 1)
            let event = MeetEvent.came(world.brokers[0].name, topic: topic, payload: [version])
            _ = meeting.handle(event, at: later)
            #expect(meeting.own.cardVersion == cards, "\(version)")
        }
    }

    @Test func ofAPartOnlyItsAuthorsEntriesAreTaken() throws {
        var meeting = world.agents[0].meeting
        let entries = world.agents.map { $0.log[0].bytes }
        func take(_ said: Int, of key: PeerKey) throws -> [[UInt8]] {
            let part = MeetPlain.part(author: author.key, number: said, entries: entries)
            return try come(part, .part(box(of: key), 1), &meeting).entries
        }
        // Their card was not read yet.
        #expect(try take(1, of: author.key).isEmpty)
        _ = try come(try card(0), .card(box(of: author.key)), &meeting)
        #expect(try take(0, of: author.key).isEmpty)
        #expect(try take(1, of: FakeSigner(3).key).isEmpty)
        #expect(try take(1, of: author.key) == [entries[1]])
    }

    @Test func whatIsSaidToAllIsTakenOfThoseWhoLeftACard() throws {
        var meeting = world.agents[0].meeting
        let entries = world.agents.map { $0.log[0].bytes }
        let live = MeetPlain.live(entries + [[1]])
        #expect(try come(live, .live, &meeting).entries.isEmpty)
        _ = try come(try card(0), .card(box(of: author.key)), &meeting)
        // Not one's own, and nothing that is no entry.
        #expect(try come(live, .live, &meeting).entries == [entries[1]])
        #expect(try come(live, .part(box(of: author.key), 0), &meeting).entries.isEmpty)
    }
}
