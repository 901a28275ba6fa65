// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// What an agent remembers of its own log, and of letters that it leaves and reads (docs/meet.md
/// sections 3 and 4).
@Suite("Records of the meeting point") struct MeetRecordsTests {
    private let primitives = FakePrimitives()
    private let now = Moment(instant: .zero + .seconds(1000), utc: MeetWorld.start)
    private let epoch = MeetEpoch(number: 7)

    private func lane(_ number: UInt8) -> MeetBox {
        MeetWorld(brokers: 1).keys.box(of: FakeSigner(number).key, in: epoch)
    }

    // MARK: The own log

    /// Whoever is there hears that somebody came.
    @Test func ofALogOfBeforeTheLastEntryIsSaid() {
        var own = OwnRecords()
        own.wrote([[1], [2]], head8: 1, at: now.instant)
        #expect(own.unsaid == [[2]])
        own.wrote([[1], [2], [3]], head8: 2, at: now.instant)
        #expect(own.unsaid == [[2], [3]])
    }

    @Test func aStampIsLookedForOneStretchAfterTheOther() throws {
        let author = FakeSigner(1).key
        let first = { (bits: Int) in
            MeetStamp.find(
                of: author, group: "g", from: 0, tries: OwnRecords.stampTries, bits: bits,
                primitives: primitives)
        }
        let bits = try require((10...24).first { first($0) == nil })
        let whole = MeetStamp.find(
            of: author, group: "g", from: 0, tries: 20 * OwnRecords.stampTries, bits: bits,
            primitives: primitives)
        var own = OwnRecords()
        for _ in 0..<20 where own.stamp == nil {
            own.look(for: author, group: "g", bits: bits, primitives)
        }
        #expect(whole != nil && own.stamp == whole)
    }

    @Test func noCardIsDueBeforeThereIsAStamp() {
        var own = OwnRecords()
        #expect(own.nextDeadline == nil)
        own.look(for: FakeSigner(1).key, group: "g", bits: 0, primitives)
        #expect(own.nextDeadline == .zero)
        own.renew(SignedCard(MeetFormTests.card(), by: FakeSigner(1)), at: now.instant)
        #expect(own.nextDeadline == now.instant + OwnRecords.renewal)
    }

    // MARK: Letters

    /// The younger one counts, also of two of one second.
    @Test func eachChangeOfALaneIsYoungerThanTheOneBefore() {
        let peer = FakeSigner(2).key
        var mail = OwnMail()
        for number in 0..<3 {
            let id = ThreadID(high: 1, low: UInt64(number))
            let until = UTCTime(seconds: now.utc.seconds + 1000)
            let letter = Letter(.message(.directMessage(id: id, text: "a")), until: until)
            mail.set([Mail(peer, [letter])], at: now)
            #expect(mail.lanes[peer]?.made.seconds == now.utc.seconds + Int64(number))
        }
    }

    /// What is sealed holds them, with the head of each.
    @Test func asManyLettersAsThereIsSpaceForAreLeft() throws {
        let until = UTCTime(seconds: now.utc.seconds + 1000)
        func letter(_ number: Int, _ count: Int) -> Letter {
            let id = ThreadID(high: 1, low: UInt64(number))
            let text = String(repeating: "a", count: count)
            return Letter(.message(.directMessage(id: id, text: text)), until: until)
        }
        let head = letter(0, 1900).payload(made: now.utc).count - 1900
        for (size, count) in [(1988, 8), (1989, 7)] {
            let lane = OwnMail.Lane(
                letters: (0..<8).map { letter($0, size - head) }, made: now.utc, version: 1,
                due: now.instant, isRipe: true)
            let list = try require(lane.list(at: now.utc))
            #expect(list.count == count)
            #expect(MeetLetter.encode(list).count <= MeetLimits.lettersBytes)
        }
    }

    private func letters(_ made: Int64) -> MeetLetters {
        MeetLetters(
            sender: FakeSigner(3).key, made: UTCTime(seconds: made),
            until: UTCTime(seconds: made + 1000), sealed: [UInt8(made)])
    }

    @Test func ofOneLaneOnlyTheLastLettersWaitForACard() {
        var mail = ReadMail(at: now.instant)
        mail.waits(letters(1), in: lane(1), of: epoch)
        mail.waits(letters(2), in: lane(1), of: epoch)
        mail.waits(letters(3), in: lane(2), of: epoch)
        #expect(mail.waited(for: FakeSigner(3).key).map(\.letters) == [letters(2), letters(3)])
        #expect(mail.waited(for: FakeSigner(3).key).isEmpty)
    }

    @Test func whatIsClearedWaitsForNoCard() {
        var mail = ReadMail(at: now.instant)
        mail.waits(letters(1), in: lane(1), of: epoch)
        mail.waits(letters(2), in: lane(2), of: epoch)
        #expect(mail.cleared(lane(1), of: epoch) == nil)
        #expect(mail.waited(for: FakeSigner(3).key).map(\.letters) == [letters(2)])
    }

    /// Four days back from tomorrow: so far boxes are read.
    @Test func lanesAreCountedAsLongAsTheirDayIsRead() {
        var mail = ReadMail(at: now.instant)
        let keys = (1...66).map { lane(UInt8($0)) }
        for key in keys.prefix(64) {
            let isIn = mail.admits(key, of: epoch)
            #expect(isIn)
        }
        let later = MeetEpoch(number: epoch.number + 4)
        let isIn = [
            mail.admits(keys[64], of: epoch), mail.admits(keys[64], of: later),
            mail.admits(keys[65], of: epoch), mail.admits(keys[0], of: epoch),
        ]
        #expect(isIn == [false, true, false, true])
    }
}
