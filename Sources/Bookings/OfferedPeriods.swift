// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Protocol
package import Venues

/// For which periods a venue gives its places out, whoever has them: by its hours, by the grain and
/// the lengths of a place, by how far ahead, and by the clocks of its zone.
///
/// The desk judges by the same rules (``Protocol/DeskPolicy``). A value without a clock: what
/// moment it is goes in.
package struct OfferedPeriods: Hashable, Sendable {
    /// What its operator says.
    package let venue: Venue
    /// Its clocks.
    package let clock: VenueClock

    /// The periods of a venue by its clocks.
    package init(_ venue: Venue, _ clock: VenueClock) {
        self.venue = venue
        self.clock = clock
    }

    /// The same for whoever books at `now`; `nil` if this machine does not know the zone.
    package init?(_ venue: Venue, at now: UTCTime) {
        guard let clock = VenueClock(venue, at: now) else { return nil }
        self.init(venue, clock)
    }

    // MARK: One period

    /// Why nobody can have that period at `now`, as the desk would say it; `nil` for one that is
    /// offered. What goes over the border of two ledgers is had in parts: each has to be offered.
    package func refusal(
        of place: VenuePlace, _ period: Period, at now: UTCTime
    ) -> DeskReason? {
        let days = period.day.number - 1...period.end / Limits.minutesOfDay
        guard let offer = venue.deskPlace(place, days: days) else { return .place }
        return refusal(by: offer, period, at: now)
    }

    /// The same by what is known of the days around it.
    private func refusal(
        by offer: DeskPolicy.Place, _ period: Period, at now: UTCTime
    ) -> DeskReason? {
        let parts = period.parts(Volume.Kind(venue.volume))
        if parts.count != 1, let reason = offer.refusal(of: period, clock) { return reason }
        for part in parts {
            let ledger = Volume(Volume.Kind(venue.volume), of: part.day)?.minutes
            if let reason = offer.refusal(of: part, in: ledger, clock) { return reason }
        }
        let left = clock.time(of: period.start).seconds - now.seconds
        guard left >= Int64(venue.rules.notice ?? 0) * 60 else { return .tooSoon }
        let today = clock.minute(at: now) / Limits.minutesOfDay
        // Each part is asked for at a desk of its own.
        let last = (parts.last ?? period).day.number
        if let ahead = venue.rules.ahead, last - today > ahead { return .tooFar }
        return nil
    }

    /// When a place can be had at the earliest in a ledger, since what the ledger before gave out
    /// is made ready first: minutes since 2000-01-01. `nil` for a period that begins later.
    func readyAgain(_ place: VenuePlace, _ period: Period) -> Int? {
        let (kind, turnover) = (Volume.Kind(venue.volume), venue.turnover(beside: place))
        for part in period.parts(kind) {
            guard let ledger = Volume(kind, of: part.day)?.minutes else { continue }
            let ready = ledger.lowerBound + turnover
            if part.start < ready { return ready }
        }
        return nil
    }

    /// Whether clocks skip the minute at which it begins.
    func isSkipped(_ period: Period) -> Bool { !clock.shows(period.start) }

    // MARK: Hours

    /// The minutes of a day from the first opening to the last closing, the night behind it
    /// included; `nil` for a day on which it is closed.
    func openSpan(of place: VenuePlace, on day: VenueDay) -> Range<Int>? {
        let spans = FlightDate(day).map { VenueDays(place, of: venue).spans(on: $0) } ?? []
        guard let first = spans.map(\.from).min(), let last = spans.map(\.to).max() else {
            return nil
        }
        return first..<last
    }

    /// `open 10:00-20:00`, `closed (Christmas)`; `nil` for a day without a date.
    func hours(of place: VenuePlace, on day: VenueDay) -> String? {
        guard let date = FlightDate(day) else { return nil }
        let days = VenueDays(place, of: venue)
        let spans = days.spans(on: date)
        let why = days.reason(on: date).map { " (\($0))" } ?? ""
        return (spans.isEmpty ? "closed" : "open " + spans.map(\.text).joined(separator: ", "))
            + why
    }

    // MARK: Many

    /// The periods of the shortest length, or of `minutes`, that begin in the hours of a day, in
    /// order. The night behind a day is part of it, so they may begin on the next date. `step`, a
    /// multiple of the place's grain, leaves some of them out.
    package func periods(
        of place: VenuePlace, on day: VenueDay, minutes: Int? = nil, at now: UTCTime,
        step: Int? = nil
    ) -> [Period] {
        guard let periods = place.periods, let date = FlightDate(day) else { return [] }
        let length = minutes ?? periods.shortest
        let last = day.number + 2 + length / Limits.minutesOfDay
        guard let offer = venue.deskPlace(place, days: day.number - 1...last) else { return [] }
        let step = step ?? periods.grain
        var spans = [0..<1]
        if place.hasTimes {
            spans = VenueDays(place, of: venue).spans(on: date).map { $0.from..<$0.to }
        }
        var found: [Period] = []
        for span in spans {
            // Steps begin anew at midnight.
            for midnight in [0, Limits.minutesOfDay] {
                let first = max(span.lowerBound - midnight, 0)
                let end = min(span.upperBound - midnight, Limits.minutesOfDay)
                for from in stride(from: (first + step - 1) / step * step, to: end, by: step) {
                    let start = day.number * Limits.minutesOfDay + midnight + from
                    guard let period = Self.period(start, length),
                        refusal(by: offer, period, at: now) == nil
                    else { continue }
                    found.append(period)
                }
            }
        }
        return found
    }

    /// A period that begins at a minute since 2000-01-01.
    package static func period(_ start: Int, _ minutes: Int) -> Period? {
        day(of: start).flatMap {
            Period(day: $0, from: start % Limits.minutesOfDay, minutes: minutes)
        }
    }

    /// The day of a minute since 2000-01-01.
    package static func day(of minute: Int) -> VenueDay? {
        minute < 0 ? nil : VenueDay(number: minute / Limits.minutesOfDay)
    }

    /// Starts that are looked at lie so far apart at least, in minutes: of a place that begins at
    /// any minute, three neighbours would help nobody.
    private static let apart = 15
    /// Days that are looked at in either direction.
    private static let reach = 62

    /// Up to `count` periods of one length that are offered and free, of these places, the nearest
    /// to `start` (minutes since 2000-01-01) first. A place that is not had for so long is had for
    /// its shortest time.
    package func nearest(
        _ count: Int = 3, to start: Int, minutes: Int, of places: [VenuePlace], at now: UTCTime,
        isFree: (VenuePlace, Period) -> Bool = { _, _ in true }
    ) -> [(place: VenuePlace, period: Period)] {
        var found: [(place: VenuePlace, period: Period)] = []
        let today = clock.minute(at: now) / Limits.minutesOfDay
        let wanted = start / Limits.minutesOfDay
        for away in 0...Self.reach {
            for number in Set([wanted - away, wanted + away]).sorted() where number >= today - 1 {
                guard let day = VenueDay(number: number) else { continue }
                for place in places {
                    guard let one = place.periods else { continue }
                    let offered = periods(
                        of: place, on: day, minutes: one.allows(minutes) ? minutes : nil, at: now,
                        step: one.grain * max(Self.apart / one.grain, 1))
                    found += offered.filter { isFree(place, $0) }.map { (place, $0) }
                }
            }
            // What is on the days not looked at yet is farther off than this.
            let near = found.filter {
                abs($0.period.start - start) <= (away - 1) * Limits.minutesOfDay
            }
            if near.count >= count { break }
        }
        return Array(
            found.sorted { left, right in
                let (one, other) = (
                    abs(left.period.start - start), abs(right.period.start - start)
                )
                if one != other { return one < other }
                return left.period.start != right.period.start
                    ? left.period.start < right.period.start : left.place.id < right.place.id
            }.prefix(count))
    }
}

extension VenuePlace.Periods {
    /// Whether somebody can have the place for so many minutes.
    package func allows(_ minutes: Int) -> Bool {
        guard lengths.isEmpty else { return lengths.contains(minutes) }
        return minutes >= shortest && minutes <= most ?? Limits.periodMinutes.upperBound
            && minutes % grain == 0
    }

    /// The longest time, of at most so many minutes, for which somebody can have the place; `nil`
    /// for none.
    package func longest(within minutes: Int) -> Int? {
        guard lengths.isEmpty else { return lengths.filter { $0 <= minutes }.max() }
        let length = min(minutes, most ?? Limits.periodMinutes.upperBound) / grain * grain
        return length >= shortest ? length : nil
    }
}
