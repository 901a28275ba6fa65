// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private func at(_ seconds: Int64) -> Moment { MadeUpVenue.moment(seconds) }

/// Stays of made-up people, by number.
private func made(_ number: Int, _ seed: UInt64 = 7, since: Int64 = 10) -> VenueStatement {
    MadeUpVenue.statement(FakeSigner(number, seed: seed), 1, at: 1 + number % 3, since: since)
}

/// Who has which place in a full book: making keys costs nothing.
@Suite struct StayPlacesTests {
    private let liar = FakeSigner(1).key
    private let honest = FakeSigner(2).key

    /// A book that one liar filled.
    private func full() -> Watcher {
        var watcher = Watcher()
        for number in 0..<Limits.stayAuthors {
            #expect(watcher.take(made(number), from: liar, at: at(0)) == .welcome)
        }
        return watcher
    }

    private func count(_ watcher: Watcher, of seed: UInt64, _ numbers: Range<Int>) -> Int {
        numbers.count { watcher.book.stay(of: FakeSigner($0, seed: seed).key) != nil }
    }

    /// All of a full library comes at once; what is more waits until the pace allows it.
    @Test func oneNeighbourIntroducesAFullLibraryAtOnce() {
        let day = MadeUpVenue.day
        var watcher = Watcher()
        for number in 0..<Limits.stayAuthors {
            #expect(watcher.take(made(number), from: liar, at: at(day - 1)) == .welcome)
        }
        #expect(watcher.take(made(9999), from: liar, at: at(day - 1)) == .full)
        // With the day all places are free again, at ten a second.
        watcher.advance(to: at(day))
        #expect(watcher.book.count == 0)
        let next = made(1, since: day)
        let soon = at(day - 1).instant + .milliseconds(100)
        #expect(watcher.take(next, from: liar, at: at(day - 1)) == .later(soon))
        for number in 0..<Limits.stayNewcomersPerSecond {
            let next = made(number, since: day)
            #expect(watcher.take(next, from: liar, at: at(day)) == .welcome)
        }
        let last = made(9999, since: day)
        #expect(watcher.take(last, from: liar, at: at(day)) != .welcome)
    }

    /// Whoever has more than their share gives it back to whoever has less, those first that came
    /// last.
    @Test func aLiarKeepsNoMoreThanAShare() {
        var watcher = full()
        var taken = 0
        for number in 0..<Limits.stayAuthors {
            guard watcher.take(made(number, 8), from: honest, at: at(1)) == .welcome else { break }
            taken += 1
            #expect(watcher.book.count == Limits.stayAuthors)
        }
        #expect(taken == Limits.stayAuthors / 3)
        #expect(count(watcher, of: 8, 0..<taken) == taken)
        #expect(count(watcher, of: 7, 0..<Limits.stayAuthors - taken) == Limits.stayAuthors - taken)
        #expect(watcher.counts.reduce(0) { $0 + $1[1] } == Limits.stayAuthors)
        // What was displaced does not come back.
        #expect(watcher.take(made(4095), from: liar, at: at(600)) == .full)
        // All keys that came and went have one share together, however many there were.
        watcher.leaves(liar)
        for key in 0..<4 {
            let churner = FakeSigner(key, seed: 9).key
            for number in 0..<Limits.stayAuthors {
                let next = made(number, 100 + UInt64(key))
                guard watcher.take(next, from: churner, at: at(600)) == .welcome else { break }
            }
            watcher.leaves(churner)
        }
        #expect(count(watcher, of: 8, 0..<taken) == taken)
        #expect(watcher.book.count == Limits.stayAuthors)
    }

    /// Whoever is linked has a place, and their stay is nobody's to take.
    @Test func whoIsLinkedHasAPlaceInAFullBook() {
        var watcher = full()
        for number in 0..<2 * Limits.stayAuthorsMet {
            let guest = FakeSigner(number, seed: 8)
            watcher.meets(guest.key)
            #expect(watcher.take(made(number, 8), from: liar, at: at(1)) == .welcome)
        }
        #expect(watcher.book.count == Limits.stayAuthors + Limits.stayAuthorsMet)
        #expect(count(watcher, of: 8, 0..<2 * Limits.stayAuthorsMet) == 2 * Limits.stayAuthorsMet)
        #expect(watcher.counts.reduce(0) { $0 + $1[1] } == watcher.book.count)
        // A liar who goes away and comes back as somebody else gets at none of them.
        watcher.leaves(liar)
        for number in 0..<100 { watcher.take(made(number, 5), from: honest, at: at(2)) }
        #expect(count(watcher, of: 8, 0..<2 * Limits.stayAuthorsMet) == 2 * Limits.stayAuthorsMet)
    }

    /// The user's own stay is kept in a book that is full of others.
    @Test func theOwnStayIsKeptWhoeverFillsTheBook() {
        var book = StatementBook(hours: MadeUpVenue.hours)
        let primitives = FakePrimitives()
        for number in 0..<Limits.stayAuthors + Limits.stayAuthorsMet {
            let one = made(number)
            book.arrived(one.author, at: .zero)
            _ = book.keep(one, one.id(primitives), from: one.author, at: at(0))
        }
        let mine = made(0, 3)
        #expect(book.keepOwn(mine, mine.id(primitives), at: at(0)) != nil)
        #expect(book.stay(of: mine.author) != nil)
    }

    /// Other hours of the same days: what began on none of them goes, and comes back with them.
    @Test func otherDaysAreJudgedAnew() throws {
        var book = StatementBook(hours: MadeUpVenue.hours)
        let primitives = FakePrimitives()
        let early = MadeUpVenue.statement(FakeSigner(1), 1, at: 1, since: 10)
        let late = MadeUpVenue.statement(FakeSigner(2), 1, at: 1, since: 5000)
        for one in [early, late] {
            book.arrived(one.author, at: .zero)
            _ = book.keep(one, one.id(primitives), from: one.author, at: at(0))
        }
        let days = [3600, MadeUpVenue.day].map {
            UTCTime(seconds: MadeUpVenue.opens.seconds + $0)
        }
        let hours = try #require(StayHours(days: days))
        #expect(book.change(hours) == [early.author] && book.count == 1)
        #expect(book.expire(at: days[1]) == [late.author] && book.count == 0)
        #expect(book.change(MadeUpVenue.hours) == [])
        let again = book.keep(early, early.id(primitives), from: early.author, at: at(0))
        #expect(again != nil)
    }
}
