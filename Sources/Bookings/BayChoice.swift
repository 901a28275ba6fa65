// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Venues

/// Which bay of a building a car asks for, from now on. A value without a clock.
package struct BayChoice: Sendable {
    /// How long a car may stand, rising, in minutes.
    private static let lengths = [60, 240, 720, 1440]
    /// Seconds from now until the bay begins, at least: the desk refuses what has begun by the time
    /// that it looks, and its clock may be ahead.
    private static let slack: Int64 = 30

    private let offered: OfferedPeriods
    private let now: UTCTime

    /// The choice at a building at `now`.
    package init(_ offered: OfferedPeriods, at now: UTCTime) {
        self.offered = offered
        self.now = now
    }

    /// The bays of a building for so long: what the desk gives out for such a length.
    private static func places(of venue: Venue, minutes: Int) -> [VenuePlace] {
        venue.places.filter { $0.mode == .granted && $0.periods?.allows(minutes) == true }
    }

    /// For how long a car asks that stands for so many hours until `end`: the shortest length of a
    /// bay into which the time fits that is left at `now`. `nil` if the building has no such bay.
    package static func minutes(
        of venue: Venue, hours: Int, until end: UTCTime, at now: UTCTime
    ) -> Int? {
        let left = max(end.seconds - now.seconds, 1)
        return lengths.first { minutes in
            Int64(minutes) * 60 >= left && minutes <= hours * 60
                && !places(of: venue, minutes: minutes).isEmpty
        }
    }

    /// A bay for so many minutes from the next begin on that the place allows, or until the ledger
    /// ends: the first that is free, else the first of all. `nil` for a building without such bays.
    package func spot(
        minutes: Int, isFree: (VenuePlace, Period) -> Bool = { _, _ in true }
    ) -> BookingSpot? {
        let spots = Self.places(of: offered.venue, minutes: minutes).compactMap { place in
            period(of: place, minutes).map { (place, $0) }
        }
        let found = spots.first { isFree($0, $1) } ?? spots.first
        return found.map { BookingSpot($0.0, $0.1) }
    }

    /// Rounded up: what has begun is not given out.
    private func period(of place: VenuePlace, _ minutes: Int) -> Period? {
        guard let grain = place.periods?.grain else { return nil }
        let notice = Int64(offered.venue.rules.notice ?? 0) * 60
        let earliest = UTCTime(seconds: now.seconds + notice + Self.slack)
        let minute = offered.clock.minute(at: earliest) + 1
        let midnight = minute / Limits.minutesOfDay * Limits.minutesOfDay
        let from = (minute - midnight + grain - 1) / grain * grain
        let start = midnight + min(from, Limits.minutesOfDay)
        return OfferedPeriods.period(start, minutes)?
            .parts(Volume.Kind(offered.venue.volume)).first
    }
}
