// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let (ada, bo) = (SmallVenue.ada, SmallVenue.bo)

/// What people read of a book: what is left, and what stands on a day (docs/protocol.md
/// section 32).
@Suite("The book, as people read it") struct BookRoomTests {
    private static func view(_ venue: SmallVenue) -> BookView {
        var running = RunningBook()
        _ = running.follow(venue.desk.venue.logs(venue.desk))
        return BookView(
            running.book, BookRoom(running), moved: [], paid: [:], visits: [:])
    }

    @Test("A period is free where its turnover is, too")
    func turnover() throws {
        var venue = try SmallVenue()
        try venue.block(1, 0, 12, 60)
        let room = Self.view(venue).room
        // The court needs an hour after 10 to 11, and none before.
        #expect(room.free(1, for: try SmallVenue.period(0, 10, 60)) == 1)
        #expect(room.free(1, for: try SmallVenue.period(0, 10, 61)) == 0)
        #expect(room.free(1, for: try SmallVenue.period(0, 13, 60)) == 0)
        #expect(room.free(1, for: try SmallVenue.period(0, 14, 60)) == 1)
        #expect(room.free(6, for: try SmallVenue.period(0, 14, 60)) == 0)
        #expect(room.free(1, for: try SmallVenue.period(3, 10, 60)) == 0)
    }

    @Test("Of a kind as many are free as the fullest minute leaves")
    func kinds() throws {
        var venue = try SmallVenue()
        try venue.block(5, 0, 10, 60, count: 2)
        try venue.block(3, 0, 10, 60)
        let room = Self.view(venue).room
        #expect(room.free(5, for: try SmallVenue.period(0, 9, 61)) == 1)
        #expect(room.free(5, for: try SmallVenue.period(0, 9, 60)) == 3)
        // The whole hall takes both halves.
        #expect(room.free(2, for: try SmallVenue.period(0, 10, 30)) == 0)
        #expect(room.free(4, for: try SmallVenue.period(0, 10, 30)) == 1)
    }

    @Test("A quota is that of the member, whichever of their keys asks, and of the place's group")
    func quotas() throws {
        var venue = try SmallVenue()
        try venue.desk.member(5, 0, ada)
        try venue.grant(ada, of: 5, 1, 0, 8, 90)
        try venue.grant(bo, 3, 0, 8, 30)
        let room = Self.view(venue).room
        let day = try SmallVenue.day(9000)
        typealias Left = BookRoom.Left
        #expect(
            room.left(of: ada, at: 1, on: day) == [
                Left(group: nil, minutes: 150, bookings: nil),
                Left(group: 1, minutes: nil, bookings: 1),
            ])
        // The hall is of another group than the courts.
        #expect(
            room.left(of: ada, at: 3, on: day) == [Left(group: nil, minutes: 150, bookings: nil)])
        #expect(room.left(of: bo, at: 3, on: day) == [Left(group: nil, minutes: 90, bookings: 0)])
        #expect(
            room.left(of: bo, at: 3, on: try SmallVenue.day(9001))
                == [Left(group: nil, minutes: 120, bookings: 1)])
        #expect(room.left(of: ada, at: 6, on: day) == [])
    }

    @Test("A member's number and class are told of their key, and nothing of another")
    func members() throws {
        var venue = try SmallVenue()
        try venue.desk.member(5, 1, ada)
        let view = Self.view(venue)
        let found = try #require(view.member(of: ada))
        #expect(found == (5, 1) && view.member(of: bo) == nil)
        #expect(view.book.keys(of: 5) == [ada] && view.book.keys(of: 6) == [])
    }

    @Test("A day has what is live at some minute of it, by its begin")
    func days() throws {
        var venue = try SmallVenue()
        let late = try venue.block(3, 0, 20, 60)
        let early = try venue.block(4, 0, 8, 60)
        let same = try venue.block(5, 0, 8, 30)
        let night = try venue.block(4, 0, 23, 120)
        let ended = try venue.block(5, 0, 12, 60)
        let next = try venue.block(3, 1, 0, 60)
        try venue.desk.close(ended, .desk)
        let view = Self.view(venue)
        let (first, second) = (try SmallVenue.day(9000), try SmallVenue.day(9001))
        #expect(view.bookings(on: first).map(\.token) == [early, same, late, night])
        #expect(view.bookings(on: first, at: 4).map(\.token) == [early, night])
        #expect(view.bookings(on: first, at: 5).map(\.token) == [same])
        #expect(view.bookings(on: second).map(\.token) == [night, next])
        #expect(view.bookings(on: try SmallVenue.day(9002)).isEmpty)
    }
}
