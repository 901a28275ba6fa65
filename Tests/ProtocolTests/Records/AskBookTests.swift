// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private typealias Asks = MadeUpAsks

@Suite("The book of asks") struct AskBookTests {
    private let ada = FakeSigner(11)
    private let bo = FakeSigner(12)
    private let cy = FakeSigner(80)

    private func kept(_ watcher: AskWatcher) -> Set<VenueStatement> { Set(watcher.book.statements) }

    @Test("An ask stands until it is answered, granted, taken back or over")
    func ends() {
        let ask = Asks.book(ada, 1)
        var watcher = AskWatcher()
        #expect(watcher.take(ask) == .welcome && watcher.take(ask) == .known)
        #expect(watcher.book.open.map(\.statement) == [ask])

        var answered = watcher
        let answer = Asks.answer(ask)
        #expect(answered.take(answer) == .welcome && kept(answered) == [answer])
        #expect(answered.take(ask) == .known && answered.take(answer) == .known)

        var granted = watcher
        granted.settle([ask])
        #expect(kept(granted) == [] && granted.take(ask) == .known)
        #expect(granted.take(answer) == .known)

        var takenBack = watcher
        let withdrawal = Asks.withdraw(ada, ask)
        #expect(takenBack.take(withdrawal) == .welcome && kept(takenBack) == [withdrawal])
        #expect(takenBack.take(ask) == .known && takenBack.take(answer) == .known)
        takenBack.settle([ask])
        #expect(kept(takenBack) == [] && takenBack.take(withdrawal) == .known)

        watcher.advance(to: MadeUpVenue.moment(3599))
        #expect(kept(watcher) == [ask])
        watcher.advance(to: MadeUpVenue.moment(3600))
        #expect(kept(watcher) == [] && watcher.book.count == 0)
        #expect(watcher.take(ask, at: MadeUpVenue.moment(3600)) == .nothing)
    }

    @Test("An ask that waits in the queue stands beside its answer")
    func waits() {
        let ask = Asks.book(ada, 1)
        var watcher = AskWatcher()
        let third = Asks.answer(ask, waiting: 3, at: 5)
        watcher.take(third)
        watcher.take(ask)
        #expect(kept(watcher) == [ask, third])
        let answer = watcher.book.answer(to: ask.id(FakePrimitives()), of: ada.key)?.answer
        #expect(answer?.waiting == 3)
        // The later one counts, whatever comes last.
        let second = Asks.answer(ask, waiting: 2, at: 9)
        #expect(watcher.take(second) == .welcome && watcher.take(third) == .known)
        #expect(kept(watcher) == [ask, second])
        let no = Asks.answer(ask, at: 10)
        #expect(watcher.take(no) == .welcome && kept(watcher) == [no])
        // An end is the end, also if it comes first.
        let later = Asks.answer(ask, waiting: 1, at: 20)
        #expect(watcher.take(later) == .known && watcher.take(ask) == .known)
        var other = AskWatcher()
        for one in [ask, later, no] { other.take(one) }
        #expect(kept(other) == [no])
    }

    @Test("Nobody but the desk answers, and another desk's answers are none")
    func nobodyButTheDeskAnswers() {
        let ask = Asks.book(ada, 1)
        var watcher = AskWatcher()
        watcher.take(ask)
        #expect(watcher.take(Asks.answer(ask, by: bo)) == .nothing)
        let answer = Asks.answer(ask)
        watcher.take(answer)
        watcher.change { $0.serves(bo.key) }
        #expect(kept(watcher) == [] && watcher.take(answer) == .nothing)
        #expect(watcher.take(ask) == .welcome)
        var nobody = AskWatcher(desk: nil)
        #expect(nobody.take(answer) == .nothing)
    }

    @Test("Nobody takes back what somebody else asks, nor keeps it from being settled")
    func nobodyTakesBackWhatSomebodyElseAsks() {
        let ask = Asks.book(ada, 1)
        let id = ask.id(FakePrimitives())
        for order in [[ask, Asks.withdraw(bo, ask)], [Asks.withdraw(bo, ask), ask]] {
            var watcher = AskWatcher()
            for one in order { #expect(watcher.take(one) == .welcome) }
            // Also an answer of the desk that says that it is somebody else's.
            watcher.take(Asks.answer(Asks.book(cy, 1)))
            #expect(watcher.book.ask(id)?.statement == ask)
            watcher.take(Asks.withdraw(bo, Asks.book(cy, 9)))
            watcher.change { $0.serves(nil) }
            watcher.settle([ask])
            #expect(watcher.book.ask(id) == nil && watcher.book.asks(of: ada.key).isEmpty)
            #expect(watcher.book.asks(of: bo.key).count == 1)
        }
    }

    @Test("Eight asks of one author are open: those with the smallest ids, in any order")
    func eight() {
        let asks = (1...12).map { Asks.book(ada, $0) }
            .sorted { $0.id(FakePrimitives()) < $1.id(FakePrimitives()) }
        var watcher = AskWatcher()
        for ask in asks.reversed() { watcher.take(ask) }
        #expect(kept(watcher) == Set(asks.prefix(8)))
        #expect(watcher.take(asks[9]) == .full)
        var other = AskWatcher()
        for ask in asks { other.take(ask) }
        #expect(kept(other) == Set(asks.prefix(8)) && other.digests() == watcher.digests())
        // What takes one back has its place.
        let withdrawal = Asks.withdraw(ada, asks[0])
        #expect(watcher.take(withdrawal, at: MadeUpVenue.moment(30)) == .welcome)
        #expect(kept(watcher).count == 8 && !kept(watcher).contains(asks[0]))
    }

    @Test("Eight answers to one author's asks are kept, the latest")
    func answers() {
        let all = (1...12).map { Asks.answer(Asks.book(ada, UInt64($0)), at: Int64($0)) }
        for order in [all, all.reversed()] {
            var watcher = AskWatcher()
            for answer in order { watcher.take(answer) }
            #expect(kept(watcher) == Set(all.suffix(8)))
        }
    }

    @Test("Of one author 16 come at once, then one in five seconds")
    func asksOfOneAuthorHaveAPace() {
        var watcher = AskWatcher()
        var asks = (0..<40).map { Asks.book(ada, UInt64($0)) }[...]
        for _ in 0..<16 {
            guard let ask = asks.popFirst() else { return }
            #expect(watcher.take(ask) == .welcome)
            // Whoever has no ask any more has the same pace.
            watcher.settle([ask])
        }
        guard let next = asks.popFirst() else { return }
        guard case .later(let again) = watcher.take(next) else {
            Issue.record("no pace")
            return
        }
        #expect(again > .zero && watcher.take(next, at: MadeUpVenue.moment(200)) == .welcome)
    }

    // MARK: Who has a place

    @Test("A peer who fills the book keeps no member and nobody who is linked out")
    func whoFillsTheBookOfAsksKeepsNoMemberOut() {
        let liar = FakeSigner(200)
        var watcher = AskWatcher()
        for number in 0..<4096 {
            let ask = Asks.book(FakeSigner(number, seed: 4), 1)
            #expect(watcher.take(ask, from: liar.key) == .welcome)
        }
        #expect(watcher.book.count == 4096)
        // By the word of another peer: a share of the places is theirs.
        #expect(watcher.take(Asks.book(bo, 1), from: cy.key) == .welcome)
        #expect(watcher.book.count == 4096 && watcher.book.asks(of: bo.key).count == 1)
        // Linked themselves, or noted as a member: beside them.
        #expect(watcher.take(Asks.book(ada, 1)) == .welcome)
        let member = FakeSigner(13)
        watcher.change { $0.noted([member.key]) }
        #expect(watcher.take(Asks.book(member, 1), from: liar.key) == .welcome)
        #expect(watcher.book.asks(of: member.key).count == 1)
        // By the word of nobody who is linked.
        watcher.change { $0.departed(cy.key) }
        let id = Asks.book(cy, 2).id(FakePrimitives())
        let verdict = watcher.book.verdict(
            on: Asks.book(cy, 2), id, from: cy.key, at: MadeUpVenue.moment(0))
        #expect(verdict == .full)
    }

    // MARK: Comparing

    @Test("Lists cover a bucket whatever is in it, and each asker is in one of them")
    func lists() {
        var watcher = AskWatcher()
        for number in 0..<300 {
            let who = MadeUpVenue.ground(4, number)
            for nonce in 0..<UInt64(1 + number % 8) { watcher.take(Asks.book(who, nonce)) }
        }
        for most in [1, 7, 50, Limits.stayMarks] {
            var lists: [AskList] = []
            while let next = watcher.book.list(of: 1, after: lists.last?.last, atMost: most) {
                lists.append(next)
                guard next.last != nil else { break }
            }
            let all = lists.flatMap(\.marks)
            #expect(all.count == watcher.book.statements.count && all == all.sorted())
            #expect(lists.allSatisfy { $0.marks.count <= max(most, 8) })
            for list in lists { #expect(watcher.book.missing(in: list).isEmpty) }
        }
        #expect(watcher.book.list(of: 64) == nil)
    }

    @Test(
        "Two who tell each other what is missing keep the same",
        arguments: 1...20 as ClosedRange<UInt64>)
    func converge(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var parts = [AskWatcher(), AskWatcher(), AskWatcher()]
        for number in 0..<6 {
            let who = FakeSigner(number, seed: 2)
            var said: [VenueStatement] = []
            for nonce in 0..<UInt64.random(in: 1...6, using: &random) {
                let ask = Asks.book(who, nonce, until: 1000 + Int64(nonce))
                said.append(ask)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: said.append(Asks.withdraw(who, ask, until: 1000 + Int64(nonce)))
                case 1:
                    for at in 1...3 as ClosedRange<Int64> {
                        said.append(Asks.answer(ask, waiting: Int(3 - at), at: at))
                    }
                case 2: said.append(Asks.answer(ask, waiting: 1, at: 5))
                default: break
                }
            }
            for one in said.shuffled(using: &random) {
                for place in 0..<3 where Int.random(in: 0..<3, using: &random) > 0 || place == 2 {
                    parts[place].take(one)
                }
            }
        }
        for _ in 0..<3 {
            for (one, other) in [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)] {
                for bucket in 0..<Limits.stayBuckets {
                    guard let list = parts[one].book.list(of: bucket) else { continue }
                    for new in parts[other].book.missing(in: list) { parts[one].take(new) }
                }
            }
        }
        let digests = parts[2].digests()
        #expect(parts[0].digests() == digests && parts[1].digests() == digests)
        #expect(kept(parts[0]) == kept(parts[2]))
    }
}
