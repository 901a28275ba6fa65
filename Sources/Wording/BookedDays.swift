// SPDX-License-Identifier: Apache-2.0
package import Bookings
package import ControlAPI
package import Protocol
package import Venues

/// What the agent of a venue tells of bookings, with the words of the venue: what is free, what is
/// the user's, and how the desk stands. Commands and the view go by it.
package struct BookedDays: Sendable {
    /// What the agent told of some days.
    package let facts: BookFacts
    /// For which periods the venue gives its places out.
    package let offered: OfferedPeriods
    /// What is left of them.
    package let room: KnownRoom
    private let numbers: BookNumbers

    /// What was told of some days, and `before` them of others that may still be in their turnover.
    package init(
        _ facts: BookFacts, before: [BookingFacts] = [], _ offered: OfferedPeriods,
        _ rules: BookRules
    ) {
        self.facts = facts
        self.offered = offered
        numbers = BookNumbers(offered.venue)
        var tokens: Set<String> = []
        room = KnownRoom(
            rules,
            (facts.bookings + before).compactMap { booking in
                guard tokens.insert(booking.token).inserted else { return nil }
                return booking.period.period.map { (booking.place, $0, booking.count) }
            })
    }

    private var venue: Venue { offered.venue }

    // MARK: Places and people

    /// The place and period of a booking or an ask; `nil` for one that this program cannot read.
    package func spot(_ place: Int?, _ period: PeriodFacts?, count: Int) -> BookingSpot? {
        guard let place, let period = period?.period else { return nil }
        guard let known = venue.place(place) else {
            return BookingSpot(
                place: place, name: "place \(place)", hasTimes: true, period: period, count: count)
        }
        return BookingSpot(known, period, count: count)
    }

    /// The user's own bookings of these days.
    package var own: [BookingFacts] { facts.bookings.filter { $0.holder.me && !$0.blocked } }

    /// What the user asked of the desk, and has no answer to.
    package var pending: [AskedFacts] {
        facts.asks.filter { $0.state.known == .asked || $0.state.known == .waiting }
    }

    /// The places among them that the user asked for.
    package var open: [AskedFacts] { pending.filter { $0.kind.known == .book } }

    /// What each place is to the user at each time.
    package var marks: DayMarks {
        let room = room
        return DayMarks(
            free: { room.free($0.id, $1) }, count: { room.count($0.id) },
            mine: own.compactMap { booking in
                spot(booking.place, booking.period, count: booking.count).map {
                    ($0, booking.paid < booking.due?.amount ?? 0)
                }
            },
            asked: open.compactMap { spot($0.place, $0.period, count: $0.count) })
    }

    /// What the user has used of their quotas on the first of these days, of a place or of all.
    package func quotas(of place: VenuePlace?) -> [DayQuota] {
        let group = place.map { numbers.group($0.group) }
        return facts.quotas.filter { $0.group == nil || $0.group == group }.map { quota in
            let key = quota.group.flatMap { numbers.group(numbered: $0) }
            return DayQuota(
                group: venue.groups.first { $0.key == key }?.name,
                minutes: quota.minutesLimit > 0
                    ? .init(used: quota.minutes, limit: quota.minutesLimit) : nil,
                bookings: quota.bookingsLimit > 0
                    ? .init(used: quota.bookings, limit: quota.bookingsLimit) : nil)
        }
    }

    // MARK: The desk

    /// What is known of the desk.
    package var sight: DeskSight { Self.sight(facts.desk) }

    /// What is wrong with it, a sentence each.
    package var alarms: [String] {
        DeskStateText.alarms(sight, voids: facts.desk?.voids ?? 0, lost: facts.desk?.lost ?? 0)
    }

    /// What an agent tells of a desk.
    package static func sight(_ desk: DeskSightFacts?) -> DeskSight {
        guard let desk else { return .away(since: nil) }
        if let fork = desk.fork { return .forked(page: fork) }
        if let rival = desk.rivals.first.flatMap({ bytes(hexadecimal: $0.key) })
            .flatMap({ PeerKey($0) })
        {
            return .two(rival: rival)
        }
        return desk.here ? .here : .away(since: desk.heard?.time)
    }
}
