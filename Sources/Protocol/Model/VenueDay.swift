// SPDX-License-Identifier: Apache-2.0
/// A day of the calendar by which a venue goes: no zone and no clock (docs/protocol.md section 31).
public struct VenueDay: Hashable, Comparable, Sendable {
    /// Days since 2000-01-01, which is 0; at most 65535, which is 2179-06-06.
    public let number: Int

    /// The day of that number; `nil` outside of 0...65535.
    public init?(number: Int) {
        guard Limits.venueDays.contains(number) else { return nil }
        self.number = number
    }

    /// A day of the Gregorian calendar; `nil` for one that does not exist or has no number.
    public init?(year: Int, month: Int, day: Int) {
        guard 2000...2199 ~= year, 1...12 ~= month,
            1...Self.length(of: month, in: year) ~= day
        else { return nil }
        let months = (1..<month).reduce(0) { $0 + Self.length(of: $1, in: year) }
        self.init(number: Self.first(of: year) + months + day - 1)
    }

    /// The day as a year, a month from 1 and a day from 1.
    public var date: (year: Int, month: Int, day: Int) {
        // No year is longer than 366 days, so the year is this one or one of the next.
        var year = 2000 + number / 366
        while Self.first(of: year + 1) <= number { year += 1 }
        var rest = number - Self.first(of: year)
        var month = 1
        while rest >= Self.length(of: month, in: year) {
            rest -= Self.length(of: month, in: year)
            month += 1
        }
        return (year, month, rest + 1)
    }

    /// 0 for Monday to 6 for Sunday.
    public var weekday: Int {
        // 2000-01-01 was a Saturday.
        (number + 5) % 7
    }

    /// The day that comes so many days later; `nil` where it has no number.
    public func adding(_ days: Int) -> VenueDay? {
        let (sum, overflow) = number.addingReportingOverflow(days)
        return overflow ? nil : VenueDay(number: sum)
    }

    /// Orders by time.
    public static func < (left: VenueDay, right: VenueDay) -> Bool { left.number < right.number }

    /// The number of the first day of a year from 2000 on.
    static func first(of year: Int) -> Int {
        let before = year - 2000
        // With the leap years before it: 2000 is one, 2100 is none.
        return 365 * before + (before + 3) / 4 - (before - 1) / 100
    }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
