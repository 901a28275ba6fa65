// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo, cy, dee) = (DeskHall.ada, DeskHall.bo, DeskHall.cy, DeskHall.dee)

/// When what a desk said and heard is over: for everybody at one time, and on the disk too.
@Suite("The desk: what is over") struct DeskEndsTests {
    private func at(_ seconds: Int64) -> Moment { MadeUpVenue.moment(seconds) }

    private func id(_ number: Int) -> Bytes32 {
        var mixer = Mixer(11)
        mixer.add(number)
        return mixer.digest
    }

    // MARK: Answers

    @Test("What the desk refused does not wait again when the answer is over before the ask")
    func answerIsOver() throws {
        let me = FakeSigner(11)
        var own = OwnAsks([], of: me.key, FakePrimitives())
        var effects = PartEffects()
        let ask = MadeUpAsks.book(me, 1, until: 90_000)
        own.keep(ask, ask.id(FakePrimitives()), &effects)
        let no = MadeUpAsks.answer(ask, at: 10, until: 50_000)
        own.keep(no, no.id(FakePrimitives()), &effects)
        #expect(own.unanswered.isEmpty)
        own.expire(at: at(50_001).utc, &effects)
        #expect(own.unanswered.isEmpty && own.asks.isEmpty)
        own.expire(at: at(90_001).utc, &effects)
        #expect(effects.notices.isEmpty && own.nextEnd == nil)
    }

    @Test("An answer lasts as long as what agents ask, and no longer than the volume needs")
    func clamped() throws {
        var played = try PlayedDesk.hall()
        let last = try #require(played.desk.ledger.rules?.last)
        // Midnight by UTC, two days after the last day.
        let usual = UTCTime(seconds: 946_684_800 + Int64(last.number + 3) * 86_400)
        #expect(played.desk.asksEnd >= usual)
        let wish = try #require(DeskHall.wait(1, 1, 21, 240))
        for minutes in [1000, Int.max] {
            let asked = try #require(played.ask(bo, wish, UInt64(minutes), lasts: minutes))
            let answer = try #require(played.send(.asks([asked])).answers.first)
            #expect(answer.until == min(asked.ask.until, played.desk.asksEnd))
        }
    }

    @Test("Whoever says again what is over, and hears of no answer, hears the same again")
    func saidAgain() throws {
        var played = try PlayedDesk.hall()
        _ = played.booked(dee, 1, 1, 10, 60)
        let wish = try #require(DeskHall.wait(1, 1, 21, 240))
        let asked = try #require(played.ask(bo, wish, 1))
        let first = played.send(.asks([asked])).answers
        #expect(first.count == 1 && played.send(.asks([asked])).answers == first)
        #expect(played.desk.requests.count == 1)
    }

    private func answers(_ body: (inout OwnAsks, inout PartEffects) -> Void) -> OwnAsks {
        var own = OwnAsks([], of: MadeUpAsks.desk.key, FakePrimitives())
        var effects = PartEffects()
        body(&own, &effects)
        return own
    }

    @Test("Of one asker those go first that were said first, also where one was said anew")
    func saidAnew() {
        let own = answers { own, effects in
            func keep(_ nonce: UInt64, waiting: Int, at time: Int64) {
                let one = MadeUpAsks.answer(
                    MadeUpAsks.book(ada, nonce, until: 90_000), waiting: waiting, at: time,
                    until: 90_000)
                own.keep(one, one.id(FakePrimitives()), &effects)
                own.forgetSome(to: ada.key, &effects) { _ in true }
            }
            keep(0, waiting: 3, at: 0)
            for nonce in 1..<UInt64(Limits.answersToOne) {
                keep(nonce, waiting: 0, at: Int64(nonce))
            }
            keep(0, waiting: 0, at: 1000)
            keep(9999, waiting: 0, at: 1001)
        }
        func known(_ nonce: UInt64) -> Bool {
            own.answer(to: MadeUpAsks.book(ada, nonce, until: 90_000).id(FakePrimitives())) != nil
        }
        #expect(known(0) && !known(1) && known(2) && known(9999))
    }

    @Test("Of one who is answered without end nothing stays but the last answers")
    func withoutEnd() {
        let own = answers { own, effects in
            for nonce in 0..<3000 as Range<UInt64> {
                let no = MadeUpAsks.answer(MadeUpAsks.book(ada, nonce), at: 1)
                own.keep(no, no.id(FakePrimitives()), &effects)
                own.forgetSome(to: ada.key, &effects) { _ in false }
            }
        }
        #expect(own.answers.count == Limits.answersToOne)
        #expect(own.endsKept <= 2 * (Limits.answersToOne + Limits.asksRefused) + 1)
    }

    @Test("Answers to members stay as long as there is one to somebody else")
    func membersStay() {
        let members = Set((0..<1500).map { FakeSigner($0, seed: 4).key })
        let own = answers { own, effects in
            func keep(_ asker: FakeSigner) {
                let no = MadeUpAsks.answer(
                    MadeUpAsks.book(asker, 1, until: 90_000), at: 1, until: 90_000)
                own.keep(no, no.id(FakePrimitives()), &effects)
                own.forgetSome(to: asker.key, &effects) { members.contains($0) }
            }
            for number in 0..<1500 { keep(FakeSigner(number, seed: 4)) }
            for number in 0..<Limits.asksAnswered { keep(FakeSigner(number, seed: 5)) }
        }
        #expect(own.answers.count == Limits.asksAnswered)
        #expect(own.answers.count { members.contains($0.answer.asker) } == 1500)
    }

    // MARK: Words

    @Test("A word goes from the disk when it is over, whatever time its author says")
    func wordIsOver() throws {
        let played = try PlayedDesk.hall()
        var desk = played.desk
        let word = try #require(played.ask(bo, .withdraw(id(1)), 1, lasts: Int.max))
        #expect(desk.handle(.asks([word]), at: played.now).words == [word])
        let late = Moment(
            instant: played.now.instant + .seconds(10),
            utc: UTCTime(seconds: desk.asksEnd.seconds + 60))
        #expect(desk.handle(.tick, at: late).wordsOver == [word.id])
        // Nor does a new one get on it then.
        for number in 2..<40 {
            let word = try #require(
                played.ask(FakeSigner(number, seed: 9), .withdraw(id(number)), 1, lasts: Int.max))
            #expect(desk.handle(.asks([word]), at: late).words.isEmpty)
        }
        // One that is found there at a start goes with the first event.
        let start = DeskStart(logs: played.disk.logs, seen: { _ in nil }, words: [word])
        desk = VenueDesk(
            desk.setup, policy: desk.policy, clock: desk.clock, start: start, at: late)
        #expect(desk.handle(.tick, at: late).wordsOver == [word.id])
        #expect(desk.handle(.tick, at: late).wordsOver == [])
    }

    @Test("A word that is pushed out and said again in one turn is on the disk")
    func wordSaidAgain() throws {
        var played = try PlayedDesk.hall()
        let words = try (0...Limits.wordsOfOne).map {
            try #require(played.ask(bo, .withdraw(id($0)), 1))
        }
        let first = words.prefix(Limits.wordsOfOne)
        for word in first { played.send(.asks([word])) }
        #expect(played.disk.words == Array(first))
        let effects = played.send(.asks([words[Limits.wordsOfOne], words[0]]))
        var (own, part) = (OwnAsks([], of: FakeSigner(1).key, FakePrimitives()), PartEffects())
        for word in first { own.keepWord(word.statement, word.id, &part) }
        for word in effects.words { own.keepWord(word.statement, word.id, &part) }
        for one in effects.wordsOver { own.forgetWord(one, &part) }
        #expect(own.words.count == Limits.wordsOfOne)
        let kept = Set(own.words.map(\.id))
        #expect(kept == Set(words.map(\.id)).subtracting([words[1].id]))
        #expect(own.nextEnd == words[0].ask.until)
    }

    // MARK: Payment and stays

    @Test("To and fro through somebody who pays nothing gains no time either")
    func throughFree() throws {
        var played = try PlayedDesk.hall(quotas: false) {
            $0.prices = [nil, nil, .hour(1000)]
            $0.currency = "EUR"
            $0.payBy = 10
        }
        let guest = FakeSigner(120)
        var token = played.booked(guest, 1, 5, 12, 60)
        played.pass(minutes: 8)
        for (from, to) in [(guest, ada), (ada, guest)] {
            let gift = played.ask(from, .giveBack(played.slot(token), to: to.key))
            guard case .granted(let given)? = gift else { return #expect(Bool(false), "given") }
            token = given
        }
        #expect(played.end(token) == nil)
        played.pass(minutes: 3)
        #expect(played.end(token)?.reason == .unpaid)
    }

    @Test("Whoever said where they are before they booked is asked again, full as it may be")
    func thereBefore() throws {
        var played = try PlayedDesk.hall { $0.arrive = 15 }
        played.pass(to: 0, 11, 55)
        let stay = try #require(Stay(place: 1, booking: nil, since: played.now.utc, until: nil))
        for number in 0..<Limits.deskStaysKept {
            played.send(.stay(FakeSigner(number, seed: 3).key, stay))
        }
        played.send(.stay(bo.key, stay))
        #expect(played.desk.stays[bo.key] == nil && played.wantsStays.isEmpty)
        let token = played.booked(bo, 1, 0, 12, 60)
        #expect(played.wantsStays == [bo.key])
        played.send(.stay(bo.key, stay))
        played.pass(to: 0, 12, 16)
        #expect(played.end(token) == nil)
        // A swap brings others to bookings.
        let slot = Slot(token: token, producer: Producer(.zero))
        played.send(.tenures([DeskTenure(slot: slot, holder: dee.key, isBound: false)]))
        #expect(played.wantsStays == [bo.key, dee.key])
    }
}
