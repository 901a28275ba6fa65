// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo, cy, dee) = (DeskHall.ada, DeskHall.bo, DeskHall.cy, DeskHall.dee)

@Suite("The desk: who takes an ask back") struct DeskWordTests {
    /// A desk with its members, and a wish for the first court.
    private func hall() throws -> (PlayedDesk, BookingAsk.Wish) {
        var played = try PlayedDesk()
        played.admit()
        return (played, try #require(DeskHall.wait(1, 1, 10, 60)))
    }

    @Test("A word that was answered before a start holds for an ask that comes after it")
    func beforeAStart() throws {
        var (played, wish) = try hall()
        let asked = try #require(played.ask(bo, wish, 1))
        let word = try #require(played.ask(bo, .withdraw(asked.id), 2))
        played.send(.asks([word]))
        #expect(played.fates[word.id] == .refused(.withdrawn))
        played.restart()
        // The agent has the word still, and gives it to the desk with all others.
        played.send(.asks([word]))
        played.open()
        played.pass(minutes: 1)
        let answers = played.send(.asks([word, asked])).answers
        #expect(answers.map(\.ask) == [asked.id])
        #expect(played.fates[asked.id] == .refused(.withdrawn))
        #expect(played.held(by: bo.key).isEmpty)
    }

    @Test("A word is not taken back: neither before it comes, nor while it waits for the desk")
    func wordsStand() throws {
        let (played, wish) = try hall()
        let asked = try #require(played.ask(bo, wish, 1))
        let word = try #require(played.ask(bo, .withdraw(asked.id), 2))
        let other = try #require(played.ask(bo, .withdraw(word.id), 3))
        for order in [[word, other], [other, word]] {
            var open = played
            open.send(.asks(order + [asked]))
            #expect(open.fates[word.id] == .refused(.withdrawn))
            #expect(open.fates[asked.id] == .refused(.withdrawn))
        }
        for order in [[asked, word, other], [word, other, asked], [other, asked, word]] {
            var shut = try PlayedDesk(closed: nil)
            shut.send(.linked(true, random: shut.bytes()))
            #expect(shut.send(.asks(order)).answers.isEmpty)
            shut.open()
            shut.pass(seconds: 6)
            #expect(shut.held(by: bo.key).isEmpty && shut.desk.state == .open)
            #expect(shut.fates[word.id] == .refused(.withdrawn))
            #expect(shut.fates[asked.id] == .refused(.withdrawn))
        }
    }

    @Test("What was taken back while the desk is away its people can grant no more")
    func awayByHand() throws {
        var (played, wish) = try hall()
        _ = played.booked(cy, 1, 1, 10, 60)
        let queued = try #require(played.ask(bo, wish, 1))
        played.send(.asks([queued]))
        played.want(.away)
        let second = try #require(DeskHall.wait(2, 1, 10, 60))
        let fresh = try #require(played.ask(bo, second, 2))
        played.send(.asks([fresh]))
        #expect(played.desk.requests.map(\.ask.id) == [fresh.id, queued.id])
        let words = [queued, fresh].enumerated().compactMap { place, ask in
            played.ask(bo, .withdraw(ask.id), UInt64(3 + place))
        }
        // Answers go out at once, though it is away, and nobody is asked by them.
        let before = played.notices.count
        let effects = played.send(.asks(words))
        #expect(
            effects.answers.map(\.ask) == [queued, words[0], fresh, words[1]].map(\.id))
        #expect(effects.answers.allSatisfy { $0.reason == .withdrawn && $0.waiting == 0 })
        #expect(played.notices.count == before && played.desk.state == .away)
        for ask in [queued, fresh] {
            #expect(played.want(.grant(ask: ask.id)) == .failure(.noSuchAsk))
        }
        #expect(played.desk.requests.isEmpty)
    }

    @Test("While it cannot write who takes something back has room for more, and no more asks")
    func roomWhileShut() throws {
        var shut = try PlayedDesk(closed: try DeskHall.rules(quotas: false))
        shut.send(.linked(true, random: shut.bytes()))
        func asks(_ place: Int, _ hours: Range<Int>) -> [DeskAsk] {
            hours.compactMap { hour in
                DeskHall.wait(place, 1, hour, 60).flatMap { shut.ask(bo, $0, UInt64(hour)) }
            }
        }
        let given = asks(1, 8..<16)
        let words = given.enumerated().compactMap { place, ask in
            shut.ask(bo, .withdraw(ask.id), UInt64(100 + place))
        }
        shut.send(.asks(given + words))
        #expect(shut.desk.asks.pending.isEmpty)
        let more = asks(2, 8..<17)
        shut.send(.asks(more))
        #expect(shut.desk.asks.pending == Array(more.dropLast()))
        shut.open()
        #expect(words.allSatisfy { shut.fates[$0.id] == .refused(.withdrawn) })
        shut.pass(seconds: 6)
        #expect(shut.held(by: bo.key).map(\.place) == [2, 2, 2, 2])
        #expect(given.allSatisfy { shut.fates[$0.id] == .refused(.withdrawn) })
    }

    @Test("A word from before a start holds while the desk cannot write, whichever comes first")
    func beforeItCanWrite() throws {
        let (played, wish) = try hall()
        let asked = try #require(played.ask(bo, wish, 1))
        let word = try #require(played.ask(bo, .withdraw(asked.id), 2))
        for order in [[word, asked], [asked, word]] {
            var again = played
            again.send(.asks([word]))
            again.restart()
            for ask in order { again.send(.asks([ask])) }
            again.open()
            again.pass(seconds: 6)
            #expect(again.held(by: bo.key).isEmpty)
            again.send(.asks([asked]))
            #expect(again.fates[asked.id] == .refused(.withdrawn))
            #expect(again.disk.answers.filter { $0.ask == word.id }.count == 1)
        }
    }

    @Test("What was taken back stays so, however short the time of the word was")
    func shortWord() throws {
        var shut = try PlayedDesk(closed: nil)
        shut.send(.linked(true, random: shut.bytes()))
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let asked = try #require(shut.ask(bo, wish, 1))
        let word = try #require(shut.ask(bo, .withdraw(asked.id), 2, lasts: 1))
        shut.send(.asks([asked, word]))
        shut.sleep(seconds: 120)
        shut.open()
        #expect(shut.fates[asked.id] == .refused(.withdrawn))
        #expect(shut.fates[word.id] == .refused(.expired))
    }

    @Test("What was taken back before it came is not kept while the desk cannot write")
    func knownBefore() throws {
        var (played, wish) = try hall()
        let asked = try #require(played.ask(bo, wish, 1))
        let word = try #require(played.ask(bo, .withdraw(asked.id), 2))
        played.send(.asks([word]))
        played.send(.gate(isOpen: false, random: played.bytes()))
        played.send(.asks([asked]))
        #expect(played.desk.requests.isEmpty && played.fates[asked.id] == nil)
        played.send(.gate(isOpen: true, random: played.bytes()))
        #expect(played.fates[asked.id] == .refused(.withdrawn))
        #expect(played.desk.state == .open)
    }

    @Test("While it is away what was taken back before it came is shown to nobody")
    func awayAndLate() throws {
        var (played, wish) = try hall()
        played.want(.away)
        let asked = try #require(played.ask(bo, wish, 1))
        let word = try #require(played.ask(bo, .withdraw(asked.id), 2))
        played.send(.asks([word]))
        let effects = played.send(.asks([asked]))
        #expect(effects.answers.map(\.reason) == [.withdrawn] && effects.notices.isEmpty)
        #expect(played.desk.requests.isEmpty)
    }

    @Test("What was refused and is not wanted any more its people can grant no more")
    func refusedAndGivenUp() throws {
        var (played, _) = try hall()
        let period = try #require(DeskHall.period(1, 10, 60))
        played.want(.block(place: 1, period: period, count: 1, note: ""))
        let now = BookingAsk.Wish.book(
            place: 1, period: period, count: 1, waits: false, tag: nil, note: "")
        let refused = try #require(played.ask(bo, now, 3))
        played.send(.asks([refused]))
        #expect(played.fates[refused.id] == .refused(.kept))
        played.ask(cy, .withdraw(refused.id))
        #expect(played.desk.requests.map(\.ask.id) == [refused.id])
        #expect(played.ask(bo, .withdraw(refused.id)) == .refused(.unknown))
        #expect(played.desk.requests.isEmpty)
        #expect(played.want(.grant(ask: refused.id)) == .failure(.noSuchAsk))
    }

    @Test("Somebody else's word ends no ask that came, and says that there is nothing to take back")
    func somebodyElse() throws {
        var (played, wish) = try hall()
        played.want(.away)
        let asked = try #require(played.ask(bo, wish, 1))
        let word = try #require(played.ask(cy, .withdraw(asked.id), 2))
        played.send(.asks([asked, word]))
        #expect(played.fates[word.id] == .refused(.unknown))
        played.want(.open(restored: false, random: played.bytes()))
        played.pass(seconds: 6)
        #expect(played.held(by: bo.key).count == 1)
    }

    @Test("A word alone begins no lot")
    func noLot() throws {
        var (played, wish) = try hall()
        let asked = try #require(played.ask(bo, wish, 1))
        let word = try #require(played.ask(bo, .withdraw(asked.id), 2))
        played.send(.gate(isOpen: false, random: played.bytes()))
        played.send(.asks([word]))
        #expect(played.fates[word.id] == nil)
        let entries = played.entries.count
        played.send(.gate(isOpen: true, random: played.bytes()))
        #expect(played.fates[word.id] == .refused(.withdrawn))
        #expect(played.desk.state == .open && played.entries.count == entries)
    }

    @Test("Times of those who ask and take it back again and again are forgotten")
    func times() throws {
        var (played, _) = try hall()
        _ = played.booked(cy, 1, 1, 10, 60)
        for round in 0..<1000 {
            let wish = try #require(DeskHall.wait(1, 1, 10, 60))
            let key = FakeSigner(round, seed: 5)
            let asked = try #require(played.ask(key, wish, 1))
            let word = try #require(played.ask(key, .withdraw(asked.id), 2))
            played.send(.asks([asked]))
            #expect(played.fates[asked.id] == .waits(1))
            played.send(.asks([word]))
        }
        #expect(played.desk.times.count <= Limits.asksRefused + 2)
        // Whoever waits is still told when their time is over.
        let wish = try #require(DeskHall.wait(1, 1, 10, 60))
        let last = try #require(played.ask(dee, wish, 5000, lasts: 30))
        played.send(.asks([last]))
        #expect(played.fates[last.id] == .waits(1))
        played.pass(minutes: 31)
        #expect(played.fates[last.id] == .refused(.expired))
    }
}

@Suite("The desk: what was paid for a stranded swap") struct DeskStrandedMoneyTests {
    /// A desk whose first two courts cost ten an hour, and a booking of each, paid.
    private func paid() throws -> (PlayedDesk, [Token]) {
        var played = try PlayedDesk {
            $0.prices = [.hour(1000)]
            $0.currency = "EUR"
        }
        played.admit()
        let tokens = [played.booked(bo, 1, 1, 10, 60), played.booked(cy, 2, 1, 12, 120)]
        played.want(.paid(tokens[0], amount: 1000, means: 1))
        played.want(.paid(tokens[1], amount: 1500, means: 1))
        return (played, tokens)
    }

    private func due(_ grants: [Grant]) -> [Int] { grants.map { $0.due?.amount ?? 0 } }

    @Test("It goes with each booking, also when that is moved later, and after a start")
    func goesWithIt() throws {
        var (played, tokens) = try paid()
        let swap = [DeskTransfer(tokens[0], to: cy.key), DeskTransfer(tokens[1], to: bo.key)]
        guard case .success(.booked(let new))? = played.want(.settle(swap)) else {
            return #expect(Bool(false), "settled")
        }
        #expect(due(played.held(by: cy.key)) == [0] && due(played.held(by: bo.key)) == [500])
        played.restart()
        played.open()
        played.pass(minutes: 2)
        let (one, two) = (DeskHall.period(2, 10, 120), DeskHall.period(2, 12, 120))
        played.ask(cy, .move(played.slot(new[0]), place: 1, period: try #require(one)))
        played.ask(bo, .move(played.slot(new[1]), place: 2, period: try #require(two)))
        #expect(due(played.held(by: cy.key)) == [1000] && due(played.held(by: bo.key)) == [500])
    }

    @Test("The same by hand: whoever books what was closed for it pays no second time")
    func byHand() throws {
        for order in [[0, 1], [1, 0]] {
            var (played, tokens) = try paid()
            let grants = tokens.compactMap { played.whole.mint($0)?.grant }
            for token in tokens { played.want(.close(token, .stranded, spent: false)) }
            for place in order {
                let who = [cy, bo][place]
                let old = grants[place]
                played.want(
                    .book(DeskBooking(.key(who.key), place: old.place, period: old.period)))
            }
            #expect(due(played.held(by: cy.key)) == [0] && due(played.held(by: bo.key)) == [500])
        }
    }

    @Test("Of more than eight closed ones the last eight are known")
    func lastEight() throws {
        var played = try PlayedDesk {
            $0.prices = [.hour(1000)]
            $0.currency = "EUR"
        }
        played.admit()
        let tokens = (10..<19).map { played.booked(bo, 1, 1, $0, 60) }
        for token in tokens { played.want(.paid(token, amount: 1000, means: 1)) }
        for token in tokens { played.want(.close(token, .stranded, spent: false)) }
        for hour in [11, 18, 10] {
            let period = try #require(DeskHall.period(1, hour, 60))
            played.want(.book(DeskBooking(.key(cy.key), place: 1, period: period)))
        }
        #expect(due(played.held(by: cy.key)) == [0, 0, 1000])
    }

    @Test("What the venue keeps for itself takes nobody's place")
    func keptByTheVenue() throws {
        var (played, tokens) = try paid()
        let period = try #require(DeskHall.period(1, 10, 60))
        let later = try #require(DeskHall.period(2, 10, 60))
        played.want(.close(tokens[0], .stranded, spent: false))
        played.want(.block(place: 1, period: period, count: 1, note: ""))
        let token = try #require(played.entries.last?.id.token)
        played.want(.close(token, .desk, spent: false))
        played.want(.book(DeskBooking(.key(dee.key), place: 1, period: period)))
        let booked = try #require(played.entries.last?.id.token)
        played.ask(dee, .move(played.slot(booked), place: 1, period: later))
        #expect(due(played.held(by: dee.key)) == [0])
    }

    @Test("Of two that are alike each gets what was paid for it, whatever was closed before")
    func alike() throws {
        var played = try PlayedDesk {
            $0.prices = [.hour(100)]
            $0.currency = "EUR"
        }
        played.admit()
        let castles = [bo, cy, dee].map { played.booked($0, 5, 1, 0, 1440) }
        for (token, amount) in zip(castles.dropFirst(), [700, 1100]) {
            played.want(.paid(token, amount: amount, means: 1))
        }
        played.want(.close(castles[0], .stranded, spent: false))
        let swap = [DeskTransfer(castles[1], to: dee.key), DeskTransfer(castles[2], to: cy.key)]
        guard case .success(.booked(let new))? = played.want(.settle(swap)) else {
            return #expect(Bool(false), "settled")
        }
        #expect(due(new.compactMap { played.whole.mint($0)?.grant }) == [1700, 1300])
        #expect(new.compactMap { played.whole.mint($0)?.grant.holder } == [dee.key, cy.key])
    }

    @Test("Nobody else has it: not who asks, who books on another day, or something else")
    func nobodyElse() throws {
        let same = try #require(DeskHall.period(1, 10, 60))
        let longer = try #require(DeskHall.period(1, 10, 120))
        let later = try #require(DeskHall.period(3, 15, 60))
        let other = try #require(DeskHall.period(1, 14, 60))
        for (days, place, period) in [(1, 1, same), (0, 2, same), (0, 1, longer), (0, 1, other)] {
            var (played, tokens) = try paid()
            played.want(.close(tokens[0], .stranded, spent: false))
            if days > 0 { played.pass(to: 1, 0) }
            played.want(.book(DeskBooking(.key(dee.key), place: place, period: period)))
            let token = try #require(played.entries.last?.id.token)
            played.ask(dee, .move(played.slot(token), place: place, period: later))
            #expect(due(played.held(by: dee.key)) == [1000])
        }
        var (played, tokens) = try paid()
        played.want(.close(tokens[0], .stranded, spent: false))
        _ = played.booked(dee, 1, 1, 10, 60)
        #expect(due(played.held(by: dee.key)) == [1000])
        // What happens between is nothing to it.
        played.want(.close(tokens[1], .stranded, spent: false))
        _ = played.booked(dee, 6, 2, 10, 60)
        played.want(.member(number: 9, class: 0, key: nil))
        let both = try #require(DeskHall.period(1, 12, 120))
        played.want(.book(DeskBooking(.key(bo.key), place: 2, period: both)))
        #expect(due(played.held(by: bo.key)) == [500])
    }
}
