// SPDX-License-Identifier: Apache-2.0
package import CivilTime

/// A recreation centre, a library, a shop, a building: what its operator says about it in one file.
///
/// Data without a clock: whether it is open now says ``OpenState``.
package struct Venue: Hashable, Sendable {
    /// What one record of bookings or presence covers.
    package enum Volume: String, CaseIterable, Hashable, Sendable {
        case day, week, month, quarter, year

        /// Days of the longest one.
        package var days: Int {
            switch self {
            case .day: 1
            case .week: 7
            case .month: 31
            case .quarter: 92
            case .year: 366
            }
        }
    }

    /// A position on the Earth.
    package struct Point: Hashable, Sendable {
        /// Degrees north, in ten millionths.
        package let north: Int
        /// Degrees east, in ten millionths.
        package let east: Int

        /// Parts of a degree.
        package static let unit = 10_000_000

        /// `nil` for what is not on the Earth.
        package init?(north: Int, east: Int) {
            guard abs(north) <= 90 * Self.unit, abs(east) <= 180 * Self.unit else { return nil }
            self.north = north
            self.east = east
        }
    }

    /// A set of places of one kind: a game, a size.
    package struct Group: Hashable, Sendable {
        /// Its key in the file.
        package let key: String
        /// Its name for people.
        package let name: String
    }

    /// Something physical that several places use.
    package struct Unit: Hashable, Sendable {
        /// Its key in the file.
        package let key: String
        /// How many uses at one time.
        package let capacity: Int
    }

    /// The short name: `rec`.
    package let slug: String
    /// The name for people.
    package let name: String
    /// A few sentences about it, and what applies there.
    package let about: String?
    package let terms: String?
    /// How to reach it.
    package let phone: String?
    package let web: String?
    package let address: String?
    /// Where it is.
    package let at: Point?
    /// The time zone of its clocks: `Europe/Amsterdam`.
    package let zone: String
    /// What one record covers.
    package let volume: Volume
    /// The code of a building in which cars park, five letters and digits.
    package let building: String?
    /// When it is open, in an ordinary week.
    package let hours: OpeningHours
    /// Dates on which it is closed, or for some hours.
    package let closed: [FlightDate: SpecialDay]
    /// Dates with other hours than the week's.
    package let open: [FlightDate: SpecialDay]
    /// By key.
    package let groups: [Group]
    package let units: [Unit]
    /// In the order of the file.
    package let places: [VenuePlace]
    package let classes: [VenueClass]
    package let money: VenueMoney?
    package let rules: VenueRules

    /// The place of that number.
    package func place(_ id: Int) -> VenuePlace? { places.first { $0.id == id } }
}

/// A court, a hall, a kind of bouncy castle, a reading room.
package struct VenuePlace: Hashable, Sendable {
    /// Who or what decides that a place is somebody's.
    package enum Mode: String, CaseIterable, Hashable, Sendable {
        /// The venue's desk.
        case granted
        /// Who is there.
        case counted
        /// Each person for themselves.
        case noted
    }

    /// How much of a unit it takes.
    package struct Use: Hashable, Sendable {
        /// The unit's key.
        package let unit: String
        /// How much of it.
        package let amount: Int
    }

    /// For how long it can be had, in minutes.
    package struct Periods: Hashable, Sendable {
        /// A period begins, and is as long as, a multiple of this.
        package let grain: Int
        /// The shortest and the longest; `nil` for the grain, and for what rules say.
        package let least: Int?
        package let most: Int?
        /// The lengths to choose from, rising; none for any between the two.
        package let lengths: [Int]
        /// How long nobody else has it afterwards.
        package let turnover: Int

        /// Minutes of the shortest period.
        package var shortest: Int { lengths.first ?? least ?? grain }
    }

    /// Its number, which no other place ever gets.
    package let id: Int
    package let name: String
    /// The group's key.
    package let group: String?
    package let mode: Mode
    /// How many of it there are, if it takes no unit.
    package let count: Int
    /// What it takes of units, by key.
    package let uses: [Use]
    /// For how long; only a granted place has this.
    package let periods: Periods?
    /// Its own hours; `nil` for the venue's.
    package let hours: OpeningHours?
    package let address: String?
    package let at: Venue.Point?
    /// Whether a card is needed to get in.
    package let card: Bool
    package let note: String?
    /// Names of the classes that may have it; none for everybody.
    package let classes: [String]

    /// Whether it is a unit by itself in the rules of a ledger: one that takes none, and one of
    /// which two would fit into what it takes, since nobody may have it twice at one time (one half
    /// of a hall, while the other half is free).
    package func isUnit(among units: [Venue.Unit]) -> Bool {
        mode == .granted
            && uses.allSatisfy { use in
                units.contains { $0.key == use.unit && $0.capacity >= 2 * use.amount }
            }
    }
}
