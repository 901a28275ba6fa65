// SPDX-License-Identifier: Apache-2.0
import Keys
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// Cards and stamps (docs/meet.md section 3).
@Suite("Cards of the meeting point") struct MeetCardTests {
    private let primitives = FakePrimitives()
    private let signer = FakeSigner(1)
    private let world = MeetWorld(brokers: 1)
    private let names: MeetNames

    init() { names = world.keys.names(in: MeetEpoch(at: MeetWorld.start)) }

    /// A good card with a change, signed after it.
    private func signed(_ change: (inout MeetCard) -> Void = { _ in }) throws -> SignedCard {
        var card = MeetFormTests.card()
        card.flight = world.flightID
        card.author = signer.key
        card.made = MeetWorld.start
        card.until = UTCTime(seconds: MeetWorld.start.seconds + 1000)
        card.stamp = try require(
            MeetStamp.find(
                of: signer.key, group: names.group, from: 0, tries: 10_000, bits: 6,
                primitives: primitives))
        change(&card)
        return SignedCard(card, by: signer)
    }

    private func isGood(_ card: SignedCard, at later: Int64 = 0) -> Bool {
        card.isGood(
            for: world.flightID, in: names, at: UTCTime(seconds: MeetWorld.start.seconds + later),
            stampBits: 6, primitives: primitives)
    }

    @Test func aCardCountsOnlyIfAllOfItHolds() throws {
        let card = try signed()
        #expect(isGood(card))
        #expect(isGood(card, at: -600))
        #expect(!isGood(card, at: -601))
        #expect(isGood(card, at: 999))
        #expect(!isGood(card, at: 1000))
        let start = MeetWorld.start.seconds
        #expect(isGood(try signed { $0.until = UTCTime(seconds: start + 345_600) }))
        #expect(!isGood(try signed { $0.until = UTCTime(seconds: start + 345_601) }))
        #expect(!isGood(try signed { $0.flight = FlightID(.zero) }))
        #expect(!isGood(try signed { $0.author = FakeSigner(2).key }))
        #expect(!isGood(try signed { $0.stamp = [UInt8](repeating: 0xFF, count: 8) }))
        #expect(
            !isGood(
                try signed {
                    $0.made = UTCTime(seconds: .max - 1)
                    $0.until = UTCTime(seconds: .max)
                }))
    }

    @Test func aStampIsOfOneAuthorAndOneGroup() throws {
        func find(_ number: UInt64, _ tries: Int) -> [UInt8]? {
            MeetStamp.find(
                of: signer.key, group: "g", from: number, tries: tries, bits: 8,
                primitives: primitives)
        }
        let stamp = try require(find(0, 10_000))
        #expect(find(0, 0) == nil)
        #expect(stamp.count == MeetStamp.bytes)
        func isGood(_ stamp: [UInt8], _ author: PeerKey, _ group: String) -> Bool {
            MeetStamp.isGood(stamp, of: author, group: group, bits: 8, primitives: primitives)
        }
        #expect(isGood(stamp, signer.key, "g"))
        #expect(!isGood(stamp, signer.key, "h") || !isGood(stamp, signer.key, "i"))
        #expect(!isGood(stamp, FakeSigner(2).key, "g") || !isGood(stamp, FakeSigner(3).key, "g"))
        #expect(!isGood(stamp + [0], signer.key, "g"))
        #expect(!isGood([], signer.key, "g"))
        // Numbers go round at their end, and nothing stops there.
        _ = find(.max - 1, 10)
    }

    /// A member of the flight can seal anything for any box.
    @Test func aCardFromTheEndOfTimeInOnesOwnBoxIsNothing() throws {
        var world = MeetWorld(brokers: 1)
        _ = world.join()
        world.run(30)
        let names = world.keys.names(in: MeetEpoch(at: world.now.utc))
        let box = world.keys.box(of: world.agents[0].signer.key, in: names.epoch)
        let topic = MeetTopic.card(box)
        let before = world.brokers[0].kept[topic.text(in: names)]?.payload
        var card = MeetFormTests.card()
        card.flight = world.flightID
        card.author = world.agents[0].signer.key
        card.made = UTCTime(seconds: .max - 1)
        card.until = UTCTime(seconds: .max)
        let plain = try require(
            MeetPlain.card(SignedCard(card, by: world.agents[0].signer)).encoded)
        let payload = try require(
            SealedPayload.seal(
                plain, for: topic, in: names, nonce: [UInt8](repeating: 1, count: 24),
                primitives: FakePrimitives()))
        world.put(topic.text(in: names), payload, at: 0)
        world.run(30)
        // The own card is there again, and as young as before.
        let after = try require(world.brokers[0].kept[topic.text(in: names)]?.payload)
        #expect(after != payload && after != before)
        let opened = SealedPayload.open(
            after, from: topic, in: names, primitives: FakePrimitives())
        guard case .card(let signed) = try MeetPlain(decoding: try require(opened)) else {
            Issue.record("no card")
            return
        }
        #expect(signed.card.made <= world.now.utc)
    }

    @Test func cardsAreReadBackAndRefused() throws {
        let items = (1...64).map { number in
            FrontierItem(author: FakeSigner(number, seed: 1).key, seq: number, head8: 1, fork: 0)
        }
        .sorted { $0.author < $1.author }
        let full = MeetFormTests.card { $0.items = items }
        #expect(full.encoded.count <= SignedCard.bodyBytes.upperBound)
        #expect(try MeetCard(decoding: full.encoded) == full)
        let wrong: [(DecodeError.Code, (inout MeetCard) -> Void)] = [
            (.notSorted, { $0.items = Array(items.reversed()) }),
            (.notSorted, { $0.items = [items[0], items[0]] }),
            (.tooLarge, { $0.items = items + [items[0]] }), (.tooLarge, { $0.length = 4097 }),
            (.tooLarge, { $0.parts = 5 }), (.badValue, { $0.length = 0 }),
            (.badValue, { $0.until = $0.made }), (.tooSmall, { $0.stamp = [] }),
            (.tooLarge, { $0.stamp.append(0) }),
        ]
        for (code, change) in wrong {
            let bytes = MeetFormTests.card(change).encoded
            #expect(throws: DecodeError(code)) { try MeetCard(decoding: bytes) }
        }
        #expect(throws: DecodeError(.leftover)) { try MeetCard(decoding: full.encoded + [0]) }
    }

    // MARK: Those who left cards

    private let epoch = MeetEpoch(number: 3)

    private func at(_ seconds: Int64) -> Moment {
        Moment(instant: .zero, utc: UTCTime(seconds: seconds))
    }

    @Test func onlyAYoungerCardTakesTheOldOnesPlace() {
        var passengers = MeetPassengers()
        let author = MeetFormTests.card().author
        func take(_ made: Int64, in epoch: MeetEpoch) -> Bool {
            let card = MeetFormTests.card { $0.made = UTCTime(seconds: made) }
            return passengers.take(card, in: epoch, at: at(1500)).isNewer
        }
        #expect(take(1200, in: epoch))
        for made: Int64 in [1100, 1200] {
            #expect(!take(made, in: epoch.previous))
            #expect(passengers.made(by: author)?.seconds == 1200)
            #expect(passengers.epoch(of: author) == epoch)
        }
        #expect(take(1201, in: epoch.next))
        #expect(passengers.made(by: author)?.seconds == 1201)
        #expect(passengers.epoch(of: author) == epoch.next)
    }

    @Test func whoseCardIsAQuarterOfAnHourOldIsNotThere() {
        var passengers = MeetPassengers()
        let card = MeetFormTests.card()
        #expect(passengers.take(card, in: epoch, at: at(1000)).isFirst)
        for (seconds, isThere) in [(1899, true), (1900, false)] as [(Int64, Bool)] {
            let time = UTCTime(seconds: seconds)
            #expect(passengers.isThere(card.author, at: time) == isThere)
            #expect(passengers.online(at: time) == (isThere ? 1 : 0))
            #expect(passengers.there(at: time).contains(card.author) == isThere)
        }
    }

    /// Anybody can make up people without a card.
    @Test func sixtyFourStrangersAreLookedForInAMinute() {
        var passengers = MeetPassengers()
        let keys = (1...65).map { FakeSigner(UInt8($0)).key }
        func asks(_ number: Int, after seconds: Int64 = 0) -> Bool {
            passengers.asks(forStranger: keys[number], at: .zero + .seconds(seconds))
        }
        #expect((0..<64).allSatisfy { asks($0) })
        #expect(!asks(0))
        #expect(!asks(64, after: 59))
        #expect(asks(64, after: 60))
    }
}
