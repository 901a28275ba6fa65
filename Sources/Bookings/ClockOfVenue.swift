// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol
package import Venues

extension VenueClock {
    /// Days around a volume whose changes of clocks matter to it: nights, and periods that go on.
    private static let around = 3
    /// Seconds from 1970-01-01 to 2000-01-01.
    private static let start: Int64 = 10_957 * 86_400
    private static let day: Int64 = 86_400

    /// The clocks of a zone from some days before the first day to some after the last one; `nil`
    /// for a zone that changes them more often than any does.
    package init?(_ zone: TimeZoneRules, from first: VenueDay, through last: VenueDay) {
        func utc(_ day: Int) -> UTCTime {
            UTCTime(seconds: Self.start + Int64(day) * Self.day)
        }
        let begin = utc(first.number - Self.around)
        let changes = zone.changes(after: begin, through: utc(last.number + 1 + Self.around))
        self.init(
            first: Int(zone.kind(at: begin).offset),
            changes: changes.map { Change(at: $0.at, offset: Int($0.offset)) })
    }

    /// The clocks for a volume, as its desk has them.
    package init?(_ zone: TimeZoneRules, of volume: Protocol.Volume) {
        self.init(zone, from: volume.first, through: volume.last)
    }

    /// Days back and ahead of now that anybody looks at: the longest time ahead is two years.
    private static let (back, ahead) = (400, 800)

    /// The clocks of a venue for whoever books at `now`; `nil` if this machine does not know its
    /// zone, and for a clock that shows a day without a number.
    package init?(_ venue: Venue, at now: UTCTime) {
        let today = Int((now.seconds - Self.start) / Self.day)
        guard let zone = TimeZoneRules.named(venue.zone), today >= 0,
            let first = VenueDay(number: max(today - Self.back, 0)),
            let last = VenueDay(number: today + Self.ahead)
        else { return nil }
        self.init(zone, from: first, through: last)
    }

    // MARK: Moments

    /// The day and the minute of it that clocks show at `time`; `nil` for a day without a number.
    package func clock(at time: UTCTime) -> (day: VenueDay, minute: Int)? {
        let minute = minute(at: time)
        guard minute >= 0, let day = VenueDay(number: minute / Limits.minutesOfDay) else {
            return nil
        }
        return (day, minute % Limits.minutesOfDay)
    }

    /// From when to when a period is. One that ends in an hour that clocks skip ends where they
    /// skip it, since the next period begins there.
    package func span(_ period: Period) -> (begin: UTCTime, end: UTCTime) {
        let end = time(of: period.end)
        let change = changes.last { $0.at <= end }?.at
        return (time(of: period.start), shows(period.end) ? end : change ?? end)
    }
}
