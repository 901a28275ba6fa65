// SPDX-License-Identifier: Apache-2.0
import Protocol

/// A day of the calendar, as a flight departs on it.
package struct FlightDate: Hashable, Comparable, Sendable {
    /// Days from 1970-01-01.
    package let days: Int64

    private init(days: Int64) { self.days = days }

    /// Reads `2026-03-05`; `nil` for anything else, and for years outside 1970...9900, so that
    /// every date near it has four digits too.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 10, let time = RFC3339.parse("\(text)T00:00:00Z") else {
            return nil
        }
        self.init(days: time.seconds / 86_400)
        guard 1970...9900 ~= year else { return nil }
    }

    /// Day `day` of `year`, counted from 1; `nil` if the year has no such day.
    package init?(year: Int64, day: Int) {
        let length = RFC3339.length(of: 2, in: year) == 29 ? 366 : 365
        guard 1...length ~= day else { return nil }
        self.init(days: RFC3339.days(year: year, month: 1, date: 1) + Int64(day) - 1)
    }

    /// The year.
    package var year: Int64 { RFC3339.civil(days: days).0 }

    /// The day of the year; 1 for the first of January.
    package var dayOfYear: Int { Int(days - RFC3339.days(year: year, month: 1, date: 1)) + 1 }

    /// `2026-03-05`.
    package var text: String {
        let (year, month, date) = RFC3339.civil(days: days)
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(year)-\(two(month))-\(two(date))"
    }

    /// The date `count` days later.
    package func adding(_ count: Int64) -> FlightDate { FlightDate(days: days + count) }

    package static func < (left: FlightDate, right: FlightDate) -> Bool { left.days < right.days }
}
