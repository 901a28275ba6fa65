// SPDX-License-Identifier: Apache-2.0
package import Protocol
import Venues

/// What applies to one booking of a venue: until when it can be given back, and paid. Moments are
/// in UTC, words by the venue's clocks.
package struct BookingTerms: Sendable {
    private let venue: Venue
    private let clock: VenueClock
    /// The day from which words are seen; `nil` if nobody knows when they are read.
    private let today: VenueDay?

    /// The terms of a venue, as seen on a day.
    package init(_ offered: OfferedPeriods, today: VenueDay? = nil) {
        venue = offered.venue
        clock = offered.clock
        self.today = today
    }

    /// What may go wrong in a swap: whoever asks and whoever agrees reads it before their yes.
    package static let swapRisk =
        "If somebody disappears in the confirming second, yours is locked until they are back or "
        + "the desk ends it."

    /// Until when it can be given back without being spent; the begin, where the venue asks for
    /// nothing else.
    package func cancelUntil(_ period: Period) -> UTCTime {
        let begin = clock.time(of: period.start)
        return UTCTime(seconds: begin.seconds - Int64(venue.rules.cancel ?? 0) * 60)
    }

    /// Until when it is to be paid, if it was granted at `granted`; `nil` for whenever. Who books
    /// when it should be paid already has a quarter of an hour.
    package func payUntil(_ period: Period, granted: UTCTime) -> UTCTime? {
        guard let minutes = venue.money?.payBy else { return nil }
        guard minutes < 0 else {
            return UTCTime(seconds: granted.seconds + Int64(minutes) * 60)
        }
        let until = clock.time(of: period.start).seconds + Int64(minutes) * 60
        return UTCTime(seconds: max(until, granted.seconds + Int64(Limits.payAtLeast) * 60))
    }

    /// `Sat 5 Dec 16:00`.
    package func words(_ time: UTCTime) -> String {
        guard let clock = clock.clock(at: time) else { return "" }
        return "\(DateWords.text(clock.day, today: today)) \(TimeWords.clock(clock.minute))"
    }

    /// `can be cancelled until Sat 5 Dec 16:00`.
    package func cancelWords(_ period: Period, at now: UTCTime) -> String {
        guard (venue.rules.cancel ?? 0) > 0 else { return "can be cancelled until it begins" }
        let until = cancelUntil(period)
        guard now < until else { return "can not be cancelled without being spent" }
        return "can be cancelled until \(words(until))"
    }

    /// `to be paid by Sat 5 Dec 17:30`; `nil` for whenever.
    package func payWords(_ period: Period, granted: UTCTime) -> String? {
        payUntil(period, granted: granted).map { "to be paid by \(words($0))" }
    }
}
