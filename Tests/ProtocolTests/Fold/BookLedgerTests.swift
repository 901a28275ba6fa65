// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private func book(_ venues: SmallVenue...) -> Book {
    Book.whole(of: LedgerVenue.fake.logs(venues.flatMap(\.desk.entries)))
}

private func before(_ venue: SmallVenue, _ seq: Int? = nil) -> Charter.Before {
    venue.counts(to: seq)
}

@Suite("The book: which ledgers count") struct BookLedgerTests {
    @Test("Of two ledgers of one epoch the one with the smaller key counts")
    func twoDesks() throws {
        var (small, large) = (try SmallVenue(1), try SmallVenue(2))
        let here = try small.block(1, 0, 10, 60)
        try large.block(1, 0, 12, 60)
        let book = book(small, large)
        #expect(book.mints.map(\.token) == [here])
        #expect(book.ledgers.map(\.standing) == [.counts, .rival])
        #expect(book.ledgers.map(\.seq) == [3, 0])
    }

    @Test("An earlier ledger counts up to what the next epoch names, and not at all unnamed")
    func epochs() throws {
        var old = try SmallVenue(9)
        let kept = try old.block(1, 0, 10, 60)
        let lost = try old.block(1, 0, 12, 60)
        var new = try SmallVenue(1, epoch: 2, before: [before(old, 3)])
        let full = try new.block(1, 0, 10, 60)
        let again = try new.block(1, 0, 12, 60)
        var found = book(old, new)
        #expect(found.mints.map(\.token) == [kept, again] && found.reason(full) == .full)
        #expect(found.ledgers.map(\.standing) == [.counts, .counts])
        #expect(found.ledgers.map(\.seq) == [3, 4] && found.mint(lost) == nil)

        var alone = try SmallVenue(1, epoch: 2)
        let first = try alone.block(1, 0, 10, 60)
        found = book(old, alone)
        #expect(found.mints.map(\.token) == [first])
        #expect(found.ledgers.map(\.standing) == [.unnamed, .counts])
    }

    @Test("A later epoch waits until what it names is known, and so do all behind it")
    func waits() throws {
        var old = try SmallVenue(9)
        for hour in [8, 10, 12] { try old.block(1, 0, hour, 60) }
        let second = try SmallVenue(5, epoch: 2, before: [before(old)])
        let third = try SmallVenue(4, epoch: 7, before: [before(second)])
        #expect(book(old, second, third).ledgers.map(\.standing) == [.counts, .counts, .counts])
        var short = old
        short.desk = old.desk.branch(at: 4)
        let found = book(short, second, third)
        #expect(found.ledgers.map(\.standing) == [.counts, .waits, .waits])
        #expect(found.mints.count == 2)
        // Of the one before nothing is known: nothing counts at all.
        #expect(book(second, third).ledgers.map(\.seq) == [0, 0])
        #expect(book(second, third).ledgers.map(\.standing) == [.waits, .waits])
    }

    @Test("Up to its fork is as far as anything of a ledger can be known")
    func forkBeforeTheEnd() throws {
        var old = try SmallVenue(9)
        let kept = try old.block(1, 0, 8, 60)
        for hour in [10, 12] { try old.block(1, 0, hour, 60) }
        var branch = old
        branch.desk = old.desk.branch(at: 3)
        try branch.block(1, 0, 14, 60)
        var new = try SmallVenue(5, epoch: 2, before: [before(old)])
        let free = try new.block(1, 0, 10, 60)
        let found = book(old, branch, new)
        #expect(found.mints.map(\.token) == [kept, free])
        #expect(found.ledgers.map(\.seq) == [3, 3])
        #expect(found.ledgers.map(\.standing) == [.counts, .counts])
    }

    @Test("A ledger that forks counts only before the fork")
    func fork() throws {
        var desk = try SmallVenue(1)
        let kept = try desk.block(1, 0, 8, 60)
        var (one, two) = (desk, desk)
        try one.block(1, 0, 10, 60)
        try two.block(1, 0, 12, 60)
        for found in [book(one, two), book(two, one)] {
            #expect(found.mints.map(\.token) == [kept] && found.ledgers[0].seq == 3)
        }
        // With its charter gone it is no ledger, and the other desk counts.
        var other = desk
        other.desk = MadeUpLedger(FakeSigner(1), in: .fake)
        try other.desk.write(.genesis(name: "desk", agent: "test"))
        try other.desk.write(.chat(text: "no charter", replyTo: nil))
        let second = try SmallVenue(2)
        let found = book(one, other, second)
        #expect(found.ledgers.map(\.author) == [second.desk.key])
        #expect(found.ledgers.map(\.standing) == [.counts])
    }

    @Test("The rescue: the next epoch names the other ledger too, which is read after the first")
    func rescue() throws {
        var (small, large) = (try SmallVenue(1), try SmallVenue(2))
        let here = try small.block(1, 0, 10, 60)
        let fits = try large.block(1, 0, 14, 60)
        let clash = try large.block(1, 0, 10, 60)
        try large.block(3, 0, 10, 60)
        let next = try SmallVenue(
            7, epoch: 2, before: [before(small), before(large, 4)])
        let found = book(small, large, next)
        #expect(found.mints.map(\.token) == [here, fits])
        #expect(found.voids.map(\.id.token) == [clash] && found.reason(clash) == .full)
        #expect(found.ledgers.map(\.seq) == [3, 4, 2])
        // Named alone, the other is all there is.
        let only = try SmallVenue(7, epoch: 2, before: [before(large, 4)])
        let without = book(small, large, only)
        #expect(without.mints.map(\.token) == [fits, clash])
        #expect(without.ledgers.map(\.standing) == [.unnamed, .counts, .counts])
    }

    @Test("Only the first charter says what goes on, and only the next epoch's")
    func firstCharter() throws {
        var old = try SmallVenue(9)
        let first = try old.block(1, 0, 8, 60)
        try old.block(1, 0, 10, 60)
        var second = try SmallVenue(5, epoch: 2, before: [before(old, 3)])
        try second.desk.charter(
            epoch: 2, revision: 2, try SmallVenue.rules(), before: [before(old, 4)])
        let third = try SmallVenue(4, epoch: 3, before: [before(old, 4), before(second)])
        let found = book(old, second, third)
        #expect(found.mints.map(\.token) == [first])
        #expect(found.ledgers.map(\.seq) == [3, 3, 2])
    }

    @Test("What is in force and who is a member goes on from ledger to ledger; lots do not")
    func goesOn() throws {
        var old = try SmallVenue(9)
        try old.desk.member(5, 0, SmallVenue.ada)
        let bytes = ThreadID(high: 1, low: 2)
        let hash = FakePrimitives().sha256(bytes.bytes)
        try old.desk.note(.lotOpens(hash))
        var new = try SmallVenue(5, epoch: 2, before: [before(old)])
        let long = try new.grant(SmallVenue.ada, of: 5, 3, 0, 8, 240)
        let lot = try new.desk.note(.lot(bytes, hash: hash))
        let found = book(old, new)
        #expect(found.isLive(long) && found.falseLots == [lot.id])
    }

    @Test("A lot is drawn by the bytes that were announced, once")
    func lots() throws {
        var venue = try SmallVenue()
        let (one, two) = (ThreadID(high: 1, low: 2), ThreadID(high: 3, low: 4))
        let hash = FakePrimitives().sha256(one.bytes)
        let early = try venue.desk.note(.lot(one, hash: hash))
        try venue.desk.note(.lotOpens(hash))
        try venue.block(1, 0, 8, 60)
        try venue.desk.note(.lot(one, hash: hash))
        let twice = try venue.desk.note(.lot(one, hash: hash))
        try venue.desk.note(.lotOpens(hash))
        let other = try venue.desk.note(.lot(two, hash: hash))
        let late = try venue.desk.note(.lot(one, hash: hash))
        #expect(venue.book.falseLots == [early, twice, other, late].map(\.id))
    }

    @Test("Other rules leave an open lot open")
    func lotsAndRules() throws {
        var venue = try SmallVenue()
        let bytes = ThreadID(high: 1, low: 2)
        let hash = FakePrimitives().sha256(bytes.bytes)
        try venue.desk.note(.lotOpens(hash))
        _ = try venue.desk.charter(revision: 2, try SmallVenue.rules(castles: 2))
        try venue.desk.note(.lot(bytes, hash: hash))
        #expect(venue.book.falseLots.isEmpty)
    }

    @Test("Other entries of a ledger, and ledgers' entries in a book of none, say nothing")
    func others() throws {
        var venue = try SmallVenue()
        try venue.desk.write(.chat(text: "open until ten", replyTo: nil))
        try venue.desk.note(.waiting(ask: .zero, place: 1))
        try venue.desk.note(.paid(Token(.zero), amount: 5, means: 1))
        try venue.desk.note(.visit(Token(.zero), .arrived))
        #expect(venue.book.mints.isEmpty && venue.book.voids.isEmpty)
        #expect(Book.whole(of: LogSet()) == Book())
    }

    @Test("The running book reads on over a next epoch, and anew where the past changed")
    func running() throws {
        var old = try SmallVenue(9)
        try old.block(1, 0, 8, 60)
        let new = try SmallVenue(5, epoch: 2, before: [before(old)])
        var running = RunningBook()
        func follow(_ venues: SmallVenue...) -> Bool {
            let logs = LedgerVenue.fake.logs(venues.flatMap(\.desk.entries))
            defer { #expect(running.book == Book.whole(of: logs)) }
            return running.follow(logs)
        }
        #expect(!follow(old) && !follow(old, new))
        let beside = try SmallVenue(4, epoch: 2, before: [before(old, 2)])
        #expect(follow(old, new, beside))
        #expect(follow(old) && !follow(old))
        // A log of the same length that says something else.
        var other = old
        other.desk = old.desk.branch(at: 2)
        try other.block(1, 0, 20, 60)
        #expect(follow(other))
    }
}
