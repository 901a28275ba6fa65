// SPDX-License-Identifier: Apache-2.0
package import Protocol
import Text
package import Venues

/// A place of a venue for a period: what somebody wants to book, or has booked.
package struct BookingSpot: Hashable, Sendable {
    /// The number of the place in the venue's file, 1...4095.
    package let place: Int
    /// Its name.
    package let name: String
    /// Whether it is had from a time of the day on; else by the day.
    package let hasTimes: Bool
    /// When, by the venue's clocks.
    package let period: Period
    /// How many of it.
    package let count: Int

    /// So many of a place for a period.
    package init(_ place: VenuePlace, _ period: Period, count: Int = 1) {
        self.init(
            place: place.id, name: place.name, hasTimes: place.hasTimes, period: period,
            count: count)
    }

    /// The same of a place as it was then.
    package init(place: Int, name: String, hasTimes: Bool, period: Period, count: Int) {
        self.place = place
        self.name = name
        self.hasTimes = hasTimes
        self.period = period
        self.count = count
    }

    /// Whether it is written as days alone.
    package var isDays: Bool {
        !hasTimes && period.from == 0 && period.minutes % Limits.minutesOfDay == 0
    }

    /// The same at another time.
    package func at(_ period: Period) -> BookingSpot {
        BookingSpot(place: place, name: name, hasTimes: hasTimes, period: period, count: count)
    }

    // MARK: For people

    /// `Tennis 2, Sat 5 Dec 18:00-20:00`; `2 x Piraat, Fri 12 Jun to Sun 14 Jun`; with the year, if
    /// nobody knows when it is read.
    package func words(today: VenueDay?) -> String { "\(what), \(when(today: today))" }

    /// `Tennis 2`, `2 x Piraat`.
    package var what: String { (count == 1 ? "" : "\(count) x ") + name }

    /// `Sat 5 Dec 18:00-20:00`; over more than a day `Sat 5 Dec 14:10 to Sun 6 Dec 14:10`.
    package func when(today: VenueDay?) -> String {
        let first = DateWords.text(period.day, today: today)
        if isDays {
            let last = OfferedPeriods.day(of: period.end - 1)
            guard let last, last != period.day else { return first }
            return "\(first) to \(DateWords.text(last, today: today))"
        }
        let begin = TimeWords.clock(period.from)
        guard period.minutes >= Limits.minutesOfDay else {
            return "\(first) \(begin)-\(Self.clock(end: period.from + period.minutes))"
        }
        let last = OfferedPeriods.day(of: period.end).map { DateWords.text($0, today: today) }
        return "\(first) \(begin) to \(last ?? "") \(TimeWords.clock(period.end))"
    }

    /// `18:00-20:00`, without the day; the days of what is had by the day.
    package var hours: String {
        guard !isDays else {
            let days = period.minutes / Limits.minutesOfDay
            return days == 1 ? "the day" : "\(days) days"
        }
        return TimeWords.clock(period.from) + "-"
            + Self.clock(end: period.from + period.minutes)
    }

    /// The end of a day is 24:00, since 00:00 is its begin.
    private static func clock(end minute: Int) -> String {
        minute == Limits.minutesOfDay ? "24:00" : TimeWords.clock(minute)
    }

    // MARK: As it is typed

    /// `'Tennis 2' 5 dec 18:00 2h`: operands of `seatagent book`.
    func typed(today: VenueDay) -> [String] { [name] + Self.rest(self, today) }

    /// The same with the number of the place in the stead of its name.
    func typedByNumber(today: VenueDay) -> [String] { ["#\(place)"] + Self.rest(self, today) }

    private static func rest(_ spot: BookingSpot, _ today: VenueDay) -> [String] {
        let period = spot.period
        let day = DateWords.typed(period.day, today: today).split(separator: " ").map(String.init)
        return (spot.count == 1 ? [] : ["x\(spot.count)"]) + day
            + (spot.isDays ? [] : [TimeWords.clock(period.from)])
            + [TimeWords.typed(period.minutes)]
    }
}
