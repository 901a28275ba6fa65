// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// Lanes of letters, those that are left and those that are read (docs/meet.md section 4).
@Suite("Mail of the meeting point") struct MeetMailTests {
    private let now = Moment(instant: .zero + .seconds(1000), utc: MeetWorld.start)
    private let epoch = MeetEpoch(number: 7)
    private let keys = MeetWorld(brokers: 1).keys
    private let peer = FakeSigner(2).key

    private func lane(_ number: UInt8) -> MeetBox {
        keys.box(of: FakeSigner(number).key, in: epoch)
    }

    private func letter(_ number: UInt64, lasts: Int64 = 1000) -> Letter {
        let id = ThreadID(high: 1, low: number)
        let until = UTCTime(seconds: now.utc.seconds + lasts)
        return Letter(.message(.directMessage(id: id, text: "a")), until: until)
    }

    private func at(_ milliseconds: Int64) -> Moment {
        Moment(instant: now.instant + .milliseconds(milliseconds), utc: now.utc)
    }

    // MARK: What is left

    @Test func aChangeWaitsForThreeSecondsAndWhatIsClearedForNone() {
        var mail = OwnMail()
        mail.set([Mail(peer, [letter(1)])], at: now)
        #expect(mail.nextDeadline == at(3000).instant)
        mail.ripen(at: at(2999).instant)
        #expect(mail.lanes[peer]?.isRipe == false)
        let before = mail
        // The same is no change.
        mail.set([Mail(peer, [letter(1)])], at: at(2999))
        #expect(mail == before)
        mail.ripen(at: at(3000).instant)
        #expect(mail.lanes[peer]?.isRipe == true && mail.nextDeadline == nil)
        mail.set([], at: at(4000))
        #expect(mail.lanes[peer]?.letters == [] && mail.lanes[peer]?.isRipe == true)
        #expect(mail.lanes[peer]?.version == 2 && mail.recipients == [peer])
    }

    @Test func sixtyFourAreWrittenTo() {
        let peers = (1...66).map { FakeSigner($0, seed: 1).key }
        var mail = OwnMail()
        mail.set(peers.map { Mail($0, [letter(1)]) }, at: now)
        #expect(mail.recipients == peers.prefix(2 * Limits.correspondents).sorted())
    }

    /// Then nobody takes its letters, and the next ones are not made as bad.
    @Test func aClockThatWasMoreThanTenMinutesAheadIsForgotten() {
        for (ahead, made) in [(600, 601), (601, 0)] as [(Int64, Int64)] {
            var mail = OwnMail()
            let early = Moment(
                instant: now.instant, utc: UTCTime(seconds: now.utc.seconds + ahead))
            mail.set([Mail(peer, [letter(1)])], at: early)
            mail.set([Mail(peer, [letter(2)])], at: now)
            #expect(mail.lanes[peer]?.made.seconds == now.utc.seconds + made)
        }
    }

    @Test func aHomeHasAllOnceItSaidSoOfWhatIsRipe() {
        var (mail, laid) = (OwnMail(), LaidMail())
        mail.set([Mail(peer, [letter(1)])], at: now)
        #expect(mail.isLaid(laid) { _ in true })
        mail.ripen(at: at(3000).instant)
        #expect(!mail.isLaid(laid) { _ in true } && mail.isLaid(laid) { $0 != peer })
        laid.sends(1, to: peer, as: 4)
        #expect(!mail.isLaid(laid) { _ in true } && laid.isWaiting)
        let stored = [5, 4, 4].map { laid.stored($0) }
        #expect(stored == [false, true, false] && laid.stored == [peer: 1] && !laid.isWaiting)
        #expect(mail.isLaid(laid) { _ in true })
        mail.set([Mail(peer, [letter(2)])], at: at(5000))
        #expect(mail.isLaid(laid) { _ in true })
        mail.ripen(at: at(8000).instant)
        #expect(!mail.isLaid(laid) { _ in true })
        // On the next connection it may not be there, and what was stored was.
        laid.sends(2, to: peer, as: 6)
        laid.lays(mail.lanes[peer]!, for: peer, in: epoch, at: now.instant)
        #expect(laid.lanes[peer]?.version == 2 && laid.lanes[peer]?.at == now.instant)
        laid.forgetLink()
        let late = laid.stored(6)
        #expect(!late && laid.lanes.isEmpty && laid.stored == [peer: 1])
    }

    @Test func whatIsOverIsNotLeft() {
        func list(_ lasts: [Int64], made: Int64 = 0, at later: Int64 = 0) -> Int? {
            OwnMail.Lane(
                letters: lasts.map { letter(1, lasts: $0) },
                made: UTCTime(seconds: now.utc.seconds + made), version: 1, due: now.instant,
                isRipe: true
            )
            .list(at: UTCTime(seconds: now.utc.seconds + later))?.count
        }
        #expect(list([]) == nil)
        #expect(list([9, 10, 11], at: 9) == 2)
        #expect(list([9, 10, 11], made: 10) == 1)
        #expect(list([9, 10], made: 10) == nil)
    }

    // MARK: What is read

    private func letters(_ made: Int64, of sender: UInt8 = 3) -> MeetLetters {
        MeetLetters(
            sender: FakeSigner(sender).key, made: UTCTime(seconds: made),
            until: UTCTime(seconds: made + 1000), sealed: [UInt8(made)])
    }

    @Test func twoHundredAndFiftySixAreLookedAtAndThenNoneForAMinute() {
        var mail = ReadMail(at: now.instant)
        let taken = (0..<257).map { _ in mail.takes(at: now.instant) }
        #expect(taken == [Bool](repeating: true, count: 256) + [false])
        #expect(mail.restsUntil == at(60_000).instant)
        let isAwake = [
            mail.takes(at: at(59_000).instant), mail.wakes(at: at(59_999).instant),
            mail.wakes(at: at(60_000).instant), mail.takes(at: at(60_000).instant),
            mail.wakes(at: at(90_000).instant),
        ]
        #expect(isAwake == [false, false, true, true, false] && mail.restsUntil == nil)
    }

    @Test func onlyYoungerLettersAreWanted() {
        var mail = ReadMail(at: now.instant)
        let wants = { (made: Int64, mail: inout ReadMail) in
            mail.wants(letters(made), in: lane(1), of: epoch)
        }
        #expect(wants(5, &mail))
        mail.read(letters(5), in: lane(1), of: epoch)
        #expect(!wants(4, &mail) && !wants(5, &mail) && wants(6, &mail))
        let other = mail.wants(letters(4, of: 4), in: lane(1), of: epoch)
        #expect(other)
        // Cleared, they may come once more.
        #expect(mail.cleared(lane(1), of: epoch) == FakeSigner(3).key)
        #expect(!wants(4, &mail) && wants(5, &mail))
    }

    /// The same, left again in the boxes of the next day, lies there, and what is cleared in
    /// another place says nothing of it.
    @Test func theNewestLettersLieWhereTheyWereLeftLast() {
        for (made, day, isMoved) in [
            (5, epoch.next, true), (4, epoch.next, false), (5, epoch.previous, false),
            (5, epoch, false),
        ] {
            var mail = ReadMail(at: now.instant)
            mail.read(letters(5), in: lane(1), of: epoch)
            let isWanted = mail.wants(letters(Int64(made)), in: lane(2), of: day)
            #expect(!isWanted)
            let place = isMoved ? (number: 2, day: day) : (number: 1, day: epoch)
            for number in 1...2 {
                for other in [epoch, day] where number != place.number || other != place.day {
                    #expect(mail.cleared(lane(UInt8(number)), of: other) == nil)
                }
            }
            let theirs = mail.cleared(lane(UInt8(place.number)), of: place.day)
            #expect(theirs == FakeSigner(3).key)
        }
    }

    @Test func sixtyFourOfADayWaitForACard() {
        var mail = ReadMail(at: now.instant)
        for number in 1...65 as ClosedRange<UInt8> {
            mail.waits(letters(Int64(number), of: number), in: lane(number), of: epoch)
        }
        // Another day has its own places, and the same lane is another one there.
        mail.waits(letters(9, of: 65), in: lane(1), of: epoch.next)
        mail.waits(letters(8, of: 65), in: lane(2), of: epoch.next)
        #expect(mail.waited(for: FakeSigner(1).key).map(\.letters.made.seconds) == [1])
        #expect(mail.waited(for: FakeSigner(64).key).count == 1)
        #expect(mail.waited(for: FakeSigner(65).key).map(\.letters.made.seconds) == [8, 9])
        // What is cleared on one day waits on the other.
        #expect(mail.cleared(lane(2), of: epoch.next) == nil)
        #expect(mail.cleared(lane(70), of: epoch) == nil)
        #expect(mail.waited(for: FakeSigner(2).key).count == 1)
    }

    // MARK: Forms

    @Test func lettersCountForFourDaysAtMost() throws {
        for (lasts, size, code) in [
            (0, 42, .badValue), (1, 42, nil), (345_600, 42, nil), (345_601, 42, .badValue),
            (9, 41, .tooSmall), (9, 16_001, .tooLarge),
        ] as [(Int64, Int, DecodeError.Code?)] {
            let plain = MeetPlain.letters(
                MeetLetters(
                    sender: peer, made: UTCTime(seconds: 5), until: UTCTime(seconds: 5 + lasts),
                    sealed: [UInt8](repeating: 1, count: size)))
            let bytes = try require(plain.encoded)
            if let code {
                #expect(throws: DecodeError(code)) { try MeetPlain(decoding: bytes) }
            } else {
                #expect(try MeetPlain(decoding: bytes) == plain)
            }
        }
    }

    @Test func aPartIsOneOfFourWithAtMostTwoHundredAndFiftySixEntries() throws {
        for (number, count, code) in [
            (3, 256, nil), (4, 1, .tooLarge), (0, 257, .tooLarge), (0, 0, .tooSmall),
        ] as [(Int, Int, DecodeError.Code?)] {
            let plain = MeetPlain.part(
                author: peer, number: number, entries: [[UInt8]](repeating: [1], count: count))
            let bytes = try require(plain.encoded)
            if let code {
                #expect(throws: DecodeError(code)) { try MeetPlain(decoding: bytes) }
            } else {
                #expect(try MeetPlain(decoding: bytes) == plain)
            }
        }
    }

    @Test func aCardOfNoLogHasNoHeadAndNoParts() throws {
        for (head8, parts) in [(0, 0), (1, 0), (0, 1), (1, 1)] as [(UInt64, Int)] {
            let card = MeetFormTests.card { ($0.length, $0.head8, $0.parts) = (0, head8, parts) }
            let read = try? MeetCard(decoding: card.encoded)
            #expect((read != nil) == (head8 == 0 && parts == 0))
        }
        let whole = MeetFormTests.card { ($0.length, $0.head8, $0.parts) = (1, 0, 0) }
        #expect(try MeetCard(decoding: whole.encoded) == whole)
    }
}
