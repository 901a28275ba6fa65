// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol

extension FlightDate {
    /// The date of a venue's day.
    package init?(_ day: VenueDay) {
        guard let first = FlightDate("2000-01-01") else { return nil }
        self = first.adding(Int64(day.number))
    }

    /// The same date as a venue's day; `nil` for one without a number.
    package var venueDay: VenueDay? {
        guard let first = FlightDate("2000-01-01") else { return nil }
        return VenueDay(number: Int(days - first.days))
    }
}

/// Days as people write them: `Sat 5 Dec 2026`.
package enum DayText {
    /// January to December, three letters each.
    package static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sat 5 Dec`.
    package static func short(_ day: VenueDay) -> String {
        let date = day.date
        return "\(Weekday.allCases[day.weekday].word) \(date.day) \(months[date.month - 1])"
    }

    /// `Sat 5 Dec 2026`.
    package static func words(_ day: VenueDay) -> String { "\(short(day)) \(day.date.year)" }

    /// `Sat 5 Dec 2026`; digits alone for a year of which no day has a number.
    package static func words(_ date: FlightDate) -> String {
        date.venueDay.map(words) ?? date.text
    }
}

extension Weekday {
    /// `Sat`.
    package var word: String { String(name.prefix(3)) }

    /// `Saturday`.
    package var name: String {
        switch self {
        case .monday: "Monday"
        case .tuesday: "Tuesday"
        case .wednesday: "Wednesday"
        case .thursday: "Thursday"
        case .friday: "Friday"
        case .saturday: "Saturday"
        case .sunday: "Sunday"
        }
    }
}
