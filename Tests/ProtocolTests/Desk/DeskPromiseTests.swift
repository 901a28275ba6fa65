// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo, cy, dee) = (DeskHall.ada, DeskHall.bo, DeskHall.cy, DeskHall.dee)

/// What a desk owes whoever asks, whatever somebody else says meanwhile.
@Suite("The desk: what is promised") struct DeskPromiseTests {
    private func id(_ number: Int) -> Bytes32 {
        var mixer = Mixer(11)
        mixer.add(number)
        return mixer.digest
    }

    // MARK: Taken back

    @Test("What was taken back before it came is nothing, also where it comes alone after a start")
    func wordOverAStart() throws {
        var played = try PlayedDesk.hall()
        let token = played.booked(bo, 1, 1, 10, 60)
        let back = try #require(played.ask(bo, .giveBack(played.slot(token), to: nil), 1))
        let word = try #require(played.ask(bo, .withdraw(back.id), 2))
        played.send(.asks([word]))
        #expect(played.fates[word.id] == .refused(.withdrawn))
        for _ in 0..<2 {
            played.restart()
            played.open()
            played.pass(minutes: 1)
        }
        played.send(.asks([back]))
        #expect(played.end(token) == nil && played.fates[back.id] == .refused(.withdrawn))
        #expect(played.held(by: bo.key).count == 1)
    }

    @Test("Words of made-up keys, as many as are kept, hide none of a member", arguments: [0, 1])
    func wordsInAHurry(_ flood: Int) throws {
        var played = try PlayedDesk.hall()
        let token = played.booked(cy, 1, 1, 10, 60)
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let asked = try #require(played.ask(bo, wish, 1))
        played.send(.asks([asked]))
        #expect(played.fates[asked.id] == .waits(1))
        // The disk is put back from a copy, and its people have not said yet that they know.
        played.restart(isRestored: true)
        played.open()
        #expect(played.desk.state == .restored)
        played.send(.asks([asked]))
        for number in 0..<(flood * Limits.asksKept / 8) {
            let key = FakeSigner(number, seed: 78)
            let words = (0..<8 as Range<UInt64>).compactMap { nonce in
                played.ask(key, .withdraw(.zero), nonce)
            }
            played.send(.asks(words))
        }
        let word = try #require(played.ask(bo, .withdraw(asked.id), 2))
        let back = try #require(played.ask(cy, .giveBack(played.slot(token), to: nil), 3))
        played.send(.asks([word]))
        played.send(.asks([back]))
        let random = played.bytes()
        played.want(.open(restored: true, random: random))
        #expect(played.desk.hearsAgain == (flood > 0))
        // However long that takes, nobody is granted before.
        played.pass(seconds: 8)
        #expect(played.held(by: bo.key).isEmpty)
        // Now it hears of all again, as the core does in the same turn.
        played.send(.asks([word, back]))
        played.send(.heardAll)
        #expect(!played.desk.hearsAgain)
        played.pass(seconds: 60)
        #expect(played.held(by: bo.key).isEmpty && played.held(by: cy.key).isEmpty)
        #expect(played.fates[word.id] == .refused(.withdrawn))
        #expect(played.fates[asked.id] == .refused(.withdrawn))
    }

    @Test("Whoever hears that it is taken back is right: of one author the last words are known")
    func wordsOfOne() {
        let until = UTCTime(seconds: 90)
        var asks = DeskAsks()
        var over: [Bytes32] = []
        for number in 0..<(Limits.wordsOfOne + 2) {
            let taken = asks.takeBack(id(number), by: bo, until: until)
            #expect(taken?.isKnown == true && taken?.isNew == true)
            if let gone = taken?.over { over.append(gone) }
        }
        #expect(Set(over).count == 2)
        // The same again is nothing new, but for one that lasts longer.
        #expect(asks.takeBack(id(9), by: bo, until: until)?.isNew == false)
        let later = asks.takeBack(id(9), by: bo, until: UTCTime(seconds: 99), nonce: 2)
        #expect(later?.isNew == true && later?.over != nil)
        // Made-up keys fill their own room, and are told so.
        var told = 0
        for number in 0..<(Limits.wordsOfStrangers + 3) {
            let key = FakeSigner(number, seed: 12)
            let taken = asks.takeBack(id(number), by: key, until: until, isMember: false)
            told += taken?.isKnown == false ? 1 : 0
        }
        #expect(told == 3)
        #expect(asks.takeBack(id(0), by: cy, until: until)?.isKnown == true)
        asks.forget(until: UTCTime(seconds: 91))
        let free = asks.takeBack(id(0), by: dee, until: UTCTime(seconds: 200), isMember: false)
        #expect(free?.isKnown == true)
    }

    @Test("A stranger for whose word there is no room is told too many, and their ask begins")
    func noRoomForWords() throws {
        let played = try PlayedDesk.hall()
        let until = UTCTime(seconds: .max)
        var desk = played.desk
        for number in 0..<Limits.wordsOfStrangers {
            let key = FakeSigner(number, seed: 12)
            desk.asks.takeBack(id(number), by: key, until: until, isMember: false)
        }
        for (who, reason) in [(FakeSigner(120), DeskReason.tooMany), (bo, .withdrawn)] {
            let wish = try #require(DeskHall.wait(2, 1, 10, 60))
            let asked = try #require(played.ask(who, wish, 1))
            let word = try #require(played.ask(who, .withdraw(asked.id), 2))
            let said = desk.handle(.asks([word]), at: played.now)
            #expect(said.answers.map(\.reason) == [reason])
            #expect(said.words == (reason == .withdrawn ? [word] : []))
        }
    }

    // MARK: Money and stays

    @Test("Whoever is given what cost nothing before has time to pay for it")
    func giftHasTime() throws {
        let guest = FakeSigner(120)
        for (payBy, day) in [(-30, 0), (10, 5)] {
            var played = try PlayedDesk.hall {
                $0.prices = [nil, nil, .hour(1000)]
                $0.currency = "EUR"
                $0.payBy = payBy
            }
            let token = played.booked(ada, 1, day, 12, 60)
            if payBy < 0 { played.pass(to: 0, 11, 40) } else { played.pass(minutes: 11) }
            let gift = played.ask(ada, .giveBack(played.slot(token), to: guest.key))
            guard case .granted(let given)? = gift else { return #expect(Bool(false), "given") }
            #expect(played.last.count == 1 && played.end(given) == nil)
            played.pass(minutes: payBy < 0 ? 16 : 11)
            #expect(played.end(given)?.reason == .unpaid)
        }
    }

    @Test("To and fro between two who both have to pay gains no time")
    func giftsGainNoTime() throws {
        var played = try PlayedDesk.hall(quotas: false) {
            $0.prices = [nil, nil, .hour(1000)]
            $0.currency = "EUR"
            $0.payBy = 10
        }
        let (one, two) = (FakeSigner(120), FakeSigner(121))
        let token = played.booked(one, 1, 5, 12, 60)
        played.pass(minutes: 8)
        let gift = played.ask(one, .giveBack(played.slot(token), to: two.key))
        guard case .granted(let given)? = gift else { return #expect(Bool(false), "given") }
        played.pass(minutes: 3)
        #expect(played.end(given)?.reason == .unpaid)
    }

    @Test("Whoever has a booking is there, however many others have said where they are")
    func staysOfMany() throws {
        var played = try PlayedDesk.hall { $0.arrive = 15 }
        let token = played.booked(bo, 1, 0, 12, 60)
        played.pass(to: 0, 11, 55)
        let stay = try #require(Stay(place: 1, booking: nil, since: played.now.utc, until: nil))
        for number in 0..<Limits.deskStaysKept {
            played.send(.stay(FakeSigner(number, seed: 3).key, stay))
        }
        // Of others no more are remembered.
        played.send(.stay(dee.key, stay))
        #expect(played.desk.stays.count == Limits.deskStaysKept)
        let named = try #require(
            Stay(place: 1, booking: token, since: played.now.utc, until: nil))
        played.send(.stay(bo.key, named))
        played.pass(to: 0, 12, 16)
        #expect(played.end(token) == nil)
        // Days later there is room again.
        played.pass(to: 3, 9)
        let today = try #require(Stay(place: 1, booking: nil, since: played.now.utc, until: nil))
        played.send(.stay(dee.key, today))
        #expect(played.desk.stays.keys.sorted() == [dee.key])
    }

    // MARK: Room

    @Test("Whoever moves what they got by a swap causes the entry themselves")
    func movesOfSwapped() throws {
        var played = try PlayedDesk.hall(quotas: false)
        let guest = FakeSigner(120)
        for hour in 10..<14 {
            let token = played.booked(guest, 1, 1, hour, 60)
            guard hour < 12 else { continue }
            let slot = Slot(token: token, producer: Producer(.zero))
            played.send(.tenures([DeskTenure(slot: slot, holder: bo.key, isBound: false)]))
            let later = try #require(DeskHall.period(2, hour, 60))
            guard case .granted? = played.ask(bo, .move(slot, place: 2, period: later)) else {
                return #expect(Bool(false), "moved")
            }
        }
        let day = DeskHall.first
        #expect(played.desk.ledger.records.caused(by: .key(guest.key), on: day).total == 4)
        #expect(played.desk.ledger.records.caused(by: .member(2), on: day).total == 2)
        #expect(played.held(by: guest.key).count == 2 && played.held(by: bo.key).count == 2)
    }

    @Test("One who is refused all the time hides nobody else from the people at the desk")
    func refusedRunOut() throws {
        var played = try PlayedDesk.hall()
        _ = played.booked(dee, 1, 1, 10, 60)
        let wish = try #require(DeskHall.wait(1, 1, 21, 240))
        let asked = try #require(played.ask(bo, wish, 1))
        played.send(.asks([asked]))
        #expect(played.desk.requests.map(\.ask.id) == [asked.id])
        for _ in 0..<2 * Limits.asksRefused { played.book(cy, 1, 1, 10, 60) }
        #expect(played.desk.requests.map(\.ask.id).contains(asked.id))
        #expect(played.desk.requests.count == 1 + Limits.asksRefusedOfOne)
    }
}
