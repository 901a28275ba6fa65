// SPDX-License-Identifier: Apache-2.0
package import CivilTime

/// A day of the week, from Monday on.
package enum Weekday: Int, CaseIterable, Hashable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// `Mo`, as files of venues have it.
    package var short: String {
        switch self {
        case .monday: "Mo"
        case .tuesday: "Tu"
        case .wednesday: "We"
        case .thursday: "Th"
        case .friday: "Fr"
        case .saturday: "Sa"
        case .sunday: "Su"
        }
    }

    /// The day of that date.
    package init(_ date: FlightDate) {
        // 1970-01-01 was a Thursday.
        let index = Int((date.days % 7 + 7 + 3) % 7)
        self = Weekday.allCases[index]
    }

    /// Reads `Mo`; `nil` for anything else.
    init?(short: some StringProtocol) {
        guard let day = Weekday.allCases.first(where: { $0.short == short }) else { return nil }
        self = day
    }
}
