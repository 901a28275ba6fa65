// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo, cy) = (SmallVenue.ada, SmallVenue.bo, SmallVenue.cy)

@Suite("The book: units and periods") struct BookCapacityTests {
    @Test("A unit is never over its capacity, turnover included")
    func oneCourt() throws {
        var venue = try SmallVenue()
        let first = try venue.block(1, 0, 10, 60)
        let during = try venue.block(1, 0, 10, 30)
        let turnover = try venue.block(1, 0, 11, 60)
        let before = try venue.block(1, 0, 9, 60)
        let shortBefore = try venue.block(1, 0, 8, 60)
        let after = try venue.block(1, 0, 12, 60)
        let book = venue.book
        #expect(book.mints.map(\.token) == [first, shortBefore, after])
        for token in [during, turnover, before] { #expect(book.reason(token) == .full) }
        #expect(book.voids.map(\.seq) == [4, 5, 6])
    }

    @Test("Places share units: a whole hall or two halves")
    func halves() throws {
        var venue = try SmallVenue()
        let half = try venue.block(3, 0, 10, 60)
        let whole = try venue.block(2, 0, 10, 60)
        let other = try venue.block(4, 0, 10, 60)
        let later = try venue.block(2, 0, 11, 60)
        let book = venue.book
        #expect(book.mints.map(\.token) == [half, other, later])
        #expect(book.reason(whole) == .full)
    }

    @Test("Of a kind as many as there are, at each minute by itself")
    func castles() throws {
        var venue = try SmallVenue()
        let two = try venue.block(5, 0, 10, 120, count: 2)
        let late = try venue.block(5, 0, 12, 120, count: 2)
        // Three are taken at no minute, so one is left over both.
        let long = try venue.block(5, 0, 9, 600)
        let third = try venue.block(5, 0, 11, 90)
        let four = try venue.block(5, 1, 10, 60, count: 4)
        let book = venue.book
        #expect(book.mints.map(\.token) == [two, late, long])
        #expect(book.reason(third) == .full && book.reason(four) == .full)
    }

    @Test("A place that no rules have, and periods at the edges of the volume")
    func edges() throws {
        var venue = try SmallVenue()
        let none = try venue.block(6, 0, 10, 60)
        let early = try venue.block(3, -1, 23, 60)
        let over = try venue.block(3, -1, 23, 61)
        let first = try venue.block(3, 0, 0, 1)
        let pastMidnight = try venue.block(3, 2, 23, 420)
        let tooLong = try venue.block(4, 2, 23, 421)
        let late = try venue.block(4, 3, 0, 1)
        let book = venue.book
        #expect(book.mints.map(\.token) == [first, pastMidnight])
        #expect(book.reason(none) == .place)
        for token in [early, over, tooLong, late] { #expect(book.reason(token) == .period) }
    }

    @Test("A close frees the place, once; what is no live booking is ended by nothing")
    func closes() throws {
        var venue = try SmallVenue()
        let first = try venue.block(1, 0, 10, 60)
        try venue.desk.close(first, .desk)
        try venue.desk.close(first, .noShow, spent: true)
        try venue.desk.close(Token(.zero), .desk)
        let second = try venue.block(1, 0, 10, 60)
        let full = try venue.block(1, 0, 10, 60)
        try venue.desk.close(full, .desk)
        let book = venue.book
        #expect(book.mints.map(\.token) == [first, second] && book.isLive(second))
        #expect(book.mint(first)?.end?.reason == .desk && book.mint(first)?.end?.spent == false)
        #expect(book.mint(first)?.end?.by == venue.desk.entries[3].id)
    }

    @Test("What a grant replaces ends with it, before it is weighed; a void one ends nothing")
    func replacing() throws {
        var venue = try SmallVenue()
        let first = try venue.block(1, 0, 10, 60)
        let moved = try venue.block(1, 0, 10, 120, replaces: [first])
        let again = try venue.block(1, 1, 10, 60, replaces: [first])
        let other = try venue.block(1, 0, 14, 60)
        // In the turnover of the one that was moved.
        let void = try venue.block(1, 0, 12, 60, replaces: [other])
        let unknown = try venue.block(3, 0, 12, 60, replaces: [again])
        let both = try venue.block(1, 0, 10, 240, replaces: [moved, other])
        let book = venue.book
        #expect(book.mints.map(\.token) == [first, moved, other, both])
        #expect(book.reason(again) == .replaced && book.reason(unknown) == .replaced)
        #expect(book.reason(void) == .full)
        #expect(book.mint(other)?.end?.by.token == both && book.mint(other)?.end?.reason == nil)
        #expect(book.isLive(both) && !book.isLive(moved))
    }

    @Test("An ask is granted once; one whose grant was void may be granted later")
    func asks() throws {
        var venue = try SmallVenue()
        let (one, two) = (Bytes32.zero, FakePrimitives().sha256([2]))
        let first = try venue.block(1, 0, 10, 60, ask: one)
        let twice = try venue.block(1, 0, 14, 60, ask: one)
        let full = try venue.block(1, 0, 10, 60, ask: two)
        let later = try venue.block(1, 0, 16, 60, ask: two)
        try venue.desk.close(first)
        let thrice = try venue.block(1, 0, 18, 60, ask: one)
        let book = venue.book
        #expect(book.mints.map(\.token) == [first, later])
        #expect(book.reason(twice) == .asked && book.reason(thrice) == .asked)
        #expect(book.reason(full) == .full)
    }

    @Test("New rules hold from their charter on, and end nothing")
    func newRules() throws {
        var venue = try SmallVenue()
        let court = try venue.block(1, 0, 10, 60)
        let castles = try venue.block(5, 0, 10, 60, count: 3)
        try venue.desk.charter(
            revision: 2, try SmallVenue.rules(castles: 2, places: [1, 5], turnover: 0))
        let gone = try venue.block(3, 0, 10, 60)
        // Its turnover is that of the rules under which it was minted.
        let turnover = try venue.block(1, 0, 11, 60)
        let free = try venue.block(1, 0, 12, 60)
        let next = try venue.block(1, 0, 13, 60)
        let full = try venue.block(5, 0, 10, 60)
        let two = try venue.block(5, 0, 11, 60, count: 2)
        let three = try venue.block(5, 0, 12, 60, count: 3)
        let book = venue.book
        #expect(book.mints.map(\.token) == [court, castles, free, next, two])
        #expect(book.isLive(castles) && book.reason(gone) == .place)
        for token in [turnover, full, three] { #expect(book.reason(token) == .full) }
        #expect(book.rules.count == 2 && BookInvariants.violations(of: book).isEmpty)
    }
}

@Suite("The book: members and quotas") struct BookQuotaTests {
    @Test("Exactly as many minutes as the quota has, over all places of its group")
    func minutes() throws {
        var venue = try SmallVenue()
        try venue.desk.member(217, 0, ada)
        let first = try venue.grant(ada, of: 217, 1, 0, 8, 120)
        let more = try venue.grant(ada, of: 217, 3, 0, 12, 121)
        let rest = try venue.grant(ada, of: 217, 3, 0, 12, 120)
        let minute = try venue.grant(ada, of: 217, 4, 0, 18, 1)
        let otherDay = try venue.grant(ada, of: 217, 3, 1, 12, 240)
        let book = venue.book
        #expect(book.mints.map(\.token) == [first, rest, otherDay])
        #expect(book.reason(more) == .quota && book.reason(minute) == .quota)
    }

    @Test("The number of bookings, of one group or of all; several at once count as many")
    func bookings() throws {
        var venue = try SmallVenue()
        try venue.desk.member(217, 0, ada)
        for hour in [8, 10] { try venue.grant(ada, of: 217, 1, 0, hour, 30) }
        let third = try venue.grant(ada, of: 217, 1, 0, 12, 30)
        let hall = try venue.grant(ada, of: 217, 3, 0, 12, 30)
        let guest = try venue.grant(bo, 3, 0, 14, 30)
        let again = try venue.grant(bo, 4, 0, 15, 30)
        let two = try venue.grant(cy, 5, 0, 15, 30, count: 2)
        let book = venue.book
        #expect(book.mints.count == 4 && book.isLive(hall) && book.isLive(guest))
        for token in [third, again, two] { #expect(book.reason(token) == .quota) }
    }

    @Test("A count takes its minutes as often")
    func counts() throws {
        var venue = try SmallVenue()
        try venue.desk.member(217, 0, ada)
        let three = try venue.grant(ada, of: 217, 5, 0, 8, 81, count: 3)
        let fits = try venue.grant(ada, of: 217, 5, 0, 8, 80, count: 3)
        #expect(venue.book.reason(three) == .quota && venue.book.isLive(fits))
    }

    @Test("The day on which it begins counts, not that on which it ends")
    func startingDay() throws {
        var venue = try SmallVenue()
        let night = try venue.grant(bo, 3, 0, 23, 120)
        let day = try venue.grant(bo, 3, 1, 12, 120)
        #expect(venue.book.mints.map(\.token) == [night, day])
    }

    @Test("What the desk sets aside, or blocks, needs no quota and counts in it")
    func flags() throws {
        var venue = try SmallVenue()
        let large = try venue.grant(bo, 3, 0, 8, 300, flags: .override)
        let small = try venue.grant(bo, 3, 0, 14, 30)
        let blocked = try venue.grant(bo, 3, 0, 14, 30, flags: .blocked)
        let full = try venue.grant(bo, 2, 0, 14, 30, flags: [.override, .blocked])
        let book = venue.book
        #expect(book.mints.map(\.token) == [large, blocked])
        #expect(book.reason(small) == .quota && book.reason(full) == .full)
    }

    @Test("What is spent stays in the quota; what is given back in time, or moved, does not")
    func spent() throws {
        var venue = try SmallVenue()
        let first = try venue.grant(bo, 3, 0, 8, 120)
        try venue.desk.close(first, .noShow, spent: true)
        let second = try venue.grant(bo, 3, 0, 12, 30)
        let third = try venue.grant(bo, 3, 1, 8, 120)
        try venue.desk.close(third, .desk)
        let fourth = try venue.grant(bo, 3, 1, 12, 120)
        let moved = try venue.grant(bo, 3, 1, 14, 120, replaces: [fourth])
        let book = venue.book
        #expect(book.mints.map(\.token) == [first, third, fourth, moved])
        #expect(book.reason(second) == .quota && book.isLive(moved))
    }

    @Test("Keys of one member share a quota, whoever holds the booking")
    func oneMember() throws {
        var venue = try SmallVenue()
        try venue.desk.member(5, 1, ada)
        try venue.desk.member(5, 0, bo)
        let first = try venue.grant(ada, of: 5, 3, 0, 8, 120)
        let second = try venue.grant(bo, of: 5, 3, 0, 12, 30)
        // A caller without a key, for whom the desk books.
        let caller = try venue.grant(venue.desk.key, of: 5, 3, 0, 12, 30)
        let other = try venue.grant(cy, 3, 0, 12, 30)
        let book = venue.book
        #expect(book.mints.map(\.token) == [first, other])
        #expect(book.reason(second) == .quota && book.reason(caller) == .quota)
        #expect(book.members.map(\.number) == [5] && book.memberClass(5) == 1)
        #expect(book.members[0].keys == [ada, bo].sorted())
    }

    @Test("The first note on a number, and the first that names a key, count from then on")
    func firstNotes() throws {
        var venue = try SmallVenue()
        let asGuest = try venue.grant(ada, 3, 0, 8, 120)
        try venue.desk.member(5, 0, ada)
        try venue.desk.member(6, 0, ada)
        try venue.desk.member(5, 1)
        let noNumber = try venue.grant(ada, 3, 1, 8, 30)
        let other = try venue.grant(ada, of: 6, 3, 1, 8, 30)
        let right = try venue.grant(ada, of: 5, 3, 0, 12, 240)
        let book = venue.book
        #expect(book.mints.map(\.token) == [asGuest, right])
        #expect(book.reason(noNumber) == .member && book.reason(other) == .member)
        #expect(book.member(of: ada) == 5 && book.memberClass(5) == 0 && book.memberClass(6) == 0)
        #expect(book.mint(asGuest)?.memberClass == nil && book.mint(right)?.memberClass == 0)
    }

    @Test("A member without a note, or of a class that is not there, is of the last one")
    func lastClass() throws {
        var venue = try SmallVenue()
        try venue.desk.member(5, 9, ada)
        let long = try venue.grant(ada, of: 5, 3, 0, 8, 121)
        let fits = try venue.grant(ada, of: 5, 3, 0, 8, 120)
        let unnoted = try venue.grant(bo, of: 7, 3, 1, 8, 121)
        let book = venue.book
        #expect(book.reason(long) == .quota && book.reason(unnoted) == .quota)
        #expect(book.isLive(fits))
    }
}
