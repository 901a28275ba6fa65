// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Trips
package import Venues

/// Where a car stands, since when and for how long, and whom its driver visits.
package struct ParkingRecord: Hashable, Sendable {
    /// Its number in the list, which no other record ever gets.
    package let number: Int
    /// When it was saved.
    package let since: UTCTime
    /// The code of the building, five letters and digits.
    package var building: String
    /// For how many hours.
    package var hours: Int
    package var plate: String
    /// The suite of the host.
    package var suite: String
    package var street: String?
    package var at: Venue.Point?
    /// The bay that the building's desk gave it; `nil` if none was asked for, or none given.
    package var permit: Token?
    /// What the last calendar file said of it; `nil` if none had it.
    package var calendar: Trip.CalendarMark?

    /// A record of these words, each as ``ParkingField`` reads it.
    package init(
        number: Int, since: UTCTime, building: String, hours: Int, plate: String, suite: String,
        street: String? = nil, at: Venue.Point? = nil, permit: Token? = nil,
        calendar: Trip.CalendarMark? = nil
    ) {
        self.number = number
        self.since = since
        self.building = building
        self.hours = hours
        self.plate = plate
        self.suite = suite
        self.street = street
        self.at = at
        self.permit = permit
        self.calendar = calendar
    }

    /// When the time is up.
    package var ends: UTCTime { UTCTime(seconds: since.seconds + Int64(hours) * 3600) }

    /// `2:10 left`, to the minute, or `over`.
    package func left(at now: UTCTime) -> String {
        let minutes = (ends.seconds - now.seconds + 59) / 60
        guard minutes > 0 else { return "over" }
        let rest = minutes % 60
        return "\(minutes / 60):\(rest < 10 ? "0" : "")\(rest) left"
    }
}
