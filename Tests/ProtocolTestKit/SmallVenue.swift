// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A small recreation centre and its desk, for cases of the book.
///
/// Three days, 9000 to 9002. Place 1 is a court with an hour of turnover; 2 is basketball, which
/// takes the whole hall; 3 and 4 are badminton, each half of it; 5 is a kind of castle of which
/// there are three. Courts are group 1, the hall group 2, castles group 3. Class 0 has 240 minutes
/// a day and two bookings of courts; class 1, everybody else, two hours in all and one booking.
package struct SmallVenue {
    /// The ledger.
    package var desk: MadeUpLedger

    /// Three people.
    package static let (ada, bo, cy) = (
        FakeSigner(101).key, FakeSigner(102).key, FakeSigner(103).key
    )

    /// The desk with the key that begins with `number`.
    package init(_ number: UInt8 = 1, epoch: Int = 1, before: [Charter.Before] = []) throws {
        try self.init(by: FakeSigner(number), in: .fake, epoch: epoch, before: before)
    }

    /// A desk of another venue.
    package init(
        by signer: any Signer, in venue: LedgerVenue, epoch: Int = 1,
        before: [Charter.Before] = [], swaps: BookRules.Swaps = .all
    ) throws {
        desk = try MadeUpLedger(
            signer, epoch: epoch, rules: Self.rules(swaps: swaps), before: before, in: venue)
    }

    /// Its rules, or others.
    package static func rules(
        court: Int = 1, castles: Int = 3, places: [Int] = [1, 2, 3, 4, 5], turnover: Int = 60,
        swaps: BookRules.Swaps = .all
    ) throws -> BookRules {
        func place(_ number: Int, _ group: Int, _ unit: Int, _ amount: Int) -> BookRules.Place {
            BookRules.Place(
                number: number, group: group, turnover: number == 1 ? turnover : 0,
                uses: [BookRules.Use(unit: unit, amount: amount)])
        }
        let all = [
            place(1, 1, 0, 1), place(2, 2, 1, 2), place(3, 2, 1, 1), place(4, 2, 1, 1),
            place(5, 3, 2, 1),
        ]
        let rules = BookRules(
            first: try day(9000), last: try day(9002),
            units: [(0, court), (1, 2), (2, castles)].map {
                BookRules.Unit(number: $0.0, capacity: $0.1)
            }, places: all.filter { places.contains($0.number) },
            classes: [
                [
                    BookRules.Quota(group: nil, minutes: 240, bookings: 0),
                    BookRules.Quota(group: 1, minutes: 0, bookings: 2),
                ], [BookRules.Quota(group: nil, minutes: 120, bookings: 1)],
            ], swaps: swaps)
        guard let rules else { throw DecodeError(.badValue) }
        return rules
    }

    /// The day of that number.
    package static func day(_ number: Int) throws -> VenueDay {
        guard let day = VenueDay(number: number) else { throw DecodeError(.badValue) }
        return day
    }

    /// So many minutes from an hour of one of the three days on, counted from 0.
    package static func period(_ day: Int, _ hour: Int, _ minutes: Int) throws -> Period {
        let period = Period(day: try Self.day(9000 + day), from: 60 * hour, minutes: minutes)
        guard let period else { throw DecodeError(.badValue) }
        return period
    }

    /// A grant of the venue's own, which no quota holds; its token.
    @discardableResult
    package mutating func block(
        _ place: Int, _ day: Int, _ hour: Int, _ minutes: Int, count: Int = 1,
        replaces: [Token] = [], ask: Bytes32? = nil
    ) throws -> Token {
        try desk.grant(
            Grant(
                holder: desk.key, place: place, period: try Self.period(day, hour, minutes),
                count: count, flags: .blocked, ask: ask, replaces: replaces))
    }

    /// A grant to somebody; its token.
    @discardableResult
    package mutating func grant(
        _ holder: PeerKey, of member: Int = 0, _ place: Int, _ day: Int, _ hour: Int,
        _ minutes: Int, count: Int = 1, flags: Grant.Flags = [], replaces: [Token] = []
    ) throws -> Token {
        try desk.grant(
            Grant(
                holder: holder, member: member, place: place,
                period: try Self.period(day, hour, minutes), count: count, flags: flags,
                replaces: replaces))
    }

    /// What a later charter says to let this ledger count up to `seq`, or whole.
    package func counts(to seq: Int? = nil) -> Charter.Before {
        Charter.Before(ledger: desk.key, seq: seq ?? desk.entries.count)
    }
}
