// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

/// A recreation centre for a month, days 9000 to 9030, open from 8 to 22 by UTC.
///
/// Places 1 and 2 are courts, booked by the hour; 3 is a court booked by the minute; 5 is a kind of
/// castle, of which there are three, booked by the day; 6 is a court with an hour of turnover.
/// Class 0 has 240 minutes a day and one booking, class 1 whatever it wants, and class 2, everybody
/// else, 120 minutes and one booking.
enum DeskHall {
    static let first = 9000

    /// Four people; members get their numbers by ``admit(_:)``.
    static let (ada, bo, cy, dee) = (
        FakeSigner(101), FakeSigner(102), FakeSigner(103), FakeSigner(104)
    )

    static func rules(
        courts: Int = 1, castles: Int = 3, quotas: Bool = true
    ) throws -> BookRules {
        func place(_ number: Int, _ group: Int, _ turnover: Int = 0) -> BookRules.Place {
            BookRules.Place(
                number: number, group: group, turnover: turnover,
                uses: [BookRules.Use(unit: number, amount: 1)])
        }
        func quota(_ minutes: Int, _ bookings: Int) -> BookRules.Quota {
            BookRules.Quota(group: nil, minutes: minutes, bookings: bookings)
        }
        let rules = BookRules(
            first: try SmallVenue.day(first), last: try SmallVenue.day(9030),
            units: [(1, courts), (2, 1), (3, 1), (5, castles), (6, 1)].map {
                BookRules.Unit(number: $0.0, capacity: $0.1)
            }, places: [place(1, 1), place(2, 1), place(3, 1), place(5, 2), place(6, 1, 60)],
            classes: quotas ? [[quota(240, 1)], [], [quota(120, 1)]] : [[], [], []], swaps: .all)
        guard let rules else { throw DecodeError(.badValue) }
        return rules
    }

    /// Later rules for the desk's ledger, as the operator signs them.
    static func charter(_ revision: Int, _ rules: BookRules, epoch: Int = 1) throws -> Charter {
        let charter = Charter(
            epoch: epoch, revision: revision, rules: rules, words: .zero,
            ledger: FakeSigner(1).key, gathering: LedgerVenue.fake.gathering,
            by: LedgerVenue.fake.runBy)
        guard let charter else { throw DecodeError(.badValue) }
        return charter
    }

    /// What is offered on how many days from the first one.
    static func policy(days: Int = 31) throws -> DeskPolicy {
        let hours = (0..<days).map { day in
            1440 * (first + day) + 8 * 60..<1440 * (first + day) + 22 * 60
        }
        func place(_ number: Int, _ grain: Int) -> DeskPolicy.Place {
            DeskPolicy.Place(number: number, grain: grain, most: 240, hours: hours)
        }
        let castle = DeskPolicy.Place(
            number: 5, grain: 1440, most: 4320, hours: hours, isByDay: true)
        var policy = DeskPolicy(
            places: [place(1, 60), place(2, 60), place(3, 1), castle, place(6, 60)])
        policy.waiting = true
        policy.cancel = 120
        return policy
    }

    /// Clocks that show UTC.
    static func clock() throws -> VenueClock {
        guard let clock = VenueClock(first: 0) else { throw DecodeError(.badValue) }
        return clock
    }

    /// The wish for one place of these minutes, which waits where it is taken.
    static func wait(
        _ place: Int, _ day: Int, _ hour: Int, _ minutes: Int
    ) -> BookingAsk.Wish? {
        period(day, hour, minutes).map {
            .book(place: place, period: $0, count: 1, waits: true, tag: nil, note: "")
        }
    }

    /// So many minutes from a time of a day on, counted from the first one.
    static func period(_ day: Int, _ hour: Int, _ minutes: Int, at minute: Int = 0) -> Period? {
        VenueDay(number: first + day).flatMap {
            Period(day: $0, from: 60 * hour + minute, minutes: minutes)
        }
    }
}

extension PlayedDesk {
    /// Ada is student 1; Bo, Cy and Dee are regulars 2, 3 and 4.
    mutating func admit() {
        let people = [
            (1, 0, DeskHall.ada), (2, 1, DeskHall.bo), (3, 1, DeskHall.cy), (4, 1, DeskHall.dee),
        ]
        for (number, klass, who) in people {
            want(.member(number: number, class: klass, key: who.key))
        }
    }
}
