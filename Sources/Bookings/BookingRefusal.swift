// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text
import Venues

/// Why something is not booked, with what is free near it and a line to try.
package struct BookingRefusal: Sendable {
    private let reader: BookingReader
    /// What was wanted.
    private let spot: BookingSpot
    /// What is free near it, the nearest first.
    private let near: [BookingSpot]
    /// What is left of the quotas of that day.
    private let quotas: [DayQuota]

    /// A refusal of what was wanted.
    package init(
        _ reader: BookingReader, _ spot: BookingSpot, near: [BookingSpot] = [],
        quotas: [DayQuota] = []
    ) {
        self.reader = reader
        self.spot = spot
        self.near = Array(near.prefix(3))
        self.quotas = quotas
    }

    private var name: String { visible(spot.what, cells: 40) }
    private var place: VenuePlace? { reader.offered.venue.place(spot.place) }

    /// What can be said without the desk: by hours, steps and lengths; `nil` for what is offered.
    package var fault: UserError? {
        guard let place else { return error(.place) }
        return reader.offered.refusal(of: place, spot.period, at: reader.now).map { error($0) }
    }

    /// The refusal for that reason of the desk.
    package func error(_ reason: DeskReason) -> UserError {
        let (code, what, why) = words(reason)
        let free = near.map { reader.words($0) }.joined(separator: "; ")
        let shows = Self.isAboutTime(reason) && !near.isEmpty
        let parts = [why, shows ? "free near it: \(free)" : nil].compactMap(\.self)
        return UserError(
            code, what, why: parts.isEmpty ? nil : parts.joined(separator: "; "),
            advice: advice(reason))
    }

    /// Whether another time would help.
    private static func isAboutTime(_ reason: DeskReason) -> Bool {
        switch reason {
        case .hours, .grain, .length, .tooSoon, .tooFar, .kept, .full: true
        // What is free near it is more than one may have as well: one of the own has to go first.
        case .quota, .together: false
        case .place, .notJoined, .classes, .blocked, .tooMany, .noRoom, .notYours, .over, .bound,
            .late, .same, .expired, .withdrawn, .unknown, .refused:
            false
        }
    }

    private func advice(_ reason: DeskReason) -> String {
        if reason == .notJoined { return BookingLines.join(reader.offered.venue) }
        guard Self.isAboutTime(reason) else {
            let isOfPlace = reason == .place || reason == .classes
            return isOfPlace ? BookingLines.show(reader.offered.venue) : BookingLines.bookings
        }
        if let first = near.first { return reader.line(first) }
        return reader.line(
            place.map { [$0] } ?? [], start: spot.period.start, minutes: spot.period.minutes)
    }

    // MARK: Words

    private func words(_ reason: DeskReason) -> (ErrorCode, String, String?) {
        switch reason {
        case .place:
            return (.noSuchPlace, "the desk does not give out \(name)", "it has newer words of it")
        case .hours: return (.closed, "\(name) cannot be had then", hours)
        case .grain: return (.closed, "\(name) does not begin then", steps)
        case .length: return (.closed, "\(name) cannot be had for so long, or so short", lengths)
        case .tooSoon: return (.tooSoon, "it is too late to book that", soon)
        case .tooFar: return (.tooFar, "it is too early to book that", far)
        case .notJoined:
            return (.notJoined, "you have not joined \(venueName)", "it books for members only")
        case .classes: return (.notAllowedNow, "\(name) is not for your class", classes)
        case .blocked: return (.declined, "the desk has blocked you", nil)
        case .tooMany:
            return (
                .quota, "the desk takes no more of you today",
                "who has not joined causes few bookings a day"
            )
        case .noRoom:
            return (.notAllowedNow, "the desk's ledger is nearly full", "what is left is for staff")
        case .quota: return (.quota, "that is more than you may have that day", quota)
        case .together:
            return (.quota, "you have as many bookings at that time as you may", together)
        case .kept: return (.full, "the venue keeps \(name) for itself then", nil)
        case .full: return (.full, "others have \(name) then", queue)
        case .notYours: return (.notYours, "\(name) is not yours to give back or move", nil)
        case .over: return (.changed, "that booking has ended", nil)
        case .bound: return (.notAllowedNow, "your yes to a swap binds it", "it is in requests")
        case .late: return (.tooSoon, "it is too late to move it or to give it away", nil)
        case .same: return (.alreadySo, "nothing would change", nil)
        case .expired: return (.expired, "the desk did not get to it in time", nil)
        case .withdrawn: return (.withdrawn, "you took it back", nil)
        case .unknown: return (.noSuchBooking, "there is nothing to take back", nil)
        case .refused: return (.declined, "the desk says no", nil)
        }
    }

    private var venueName: String { visible(reader.offered.venue.name, cells: 40) }

    private var hours: String? {
        guard let place, let day = reader.offered.hours(of: place, on: spot.period.day) else {
            return nil
        }
        if reader.offered.isSkipped(spot.period) {
            return "clocks skip \(TimeWords.clock(spot.period.from)) that day"
        }
        if let ready = reader.offered.readyAgain(place, spot.period),
            let first = OfferedPeriods.day(of: ready)
        {
            let clock = ready % Limits.minutesOfDay
            let time = clock == 0 ? "" : " " + TimeWords.clock(clock)
            return "another ledger begins then, and what was given out until its begin is made "
                + "ready first: nothing begins before "
                + DateWords.text(first, today: reader.today) + time
        }
        return "\(DateWords.text(spot.period.day, today: reader.today)): \(day)"
    }

    private var steps: String? {
        place?.periods.map { "it begins every \(DayQuota.span($0.grain)), from 00:00 on" }
    }

    private var lengths: String? { place?.periods.map(\.words) }

    private var soon: String? {
        let rules = reader.offered.venue.rules
        return rules.notice.map { "it is booked at least \(DayQuota.span($0)) before it begins" }
            ?? "it has begun"
    }

    private var far: String? {
        reader.offered.venue.rules.ahead.map {
            $0 == 0
                ? "it is booked on the same day"
                : "it is booked up to \($0) \($0 == 1 ? "day" : "days") ahead"
        }
    }

    private var classes: String? {
        place.flatMap { place in
            place.classes.isEmpty
                ? nil
                : "it is for "
                    + place.classes.map { visible($0, cells: 30) }
                    .joined(separator: ", ")
        }
    }

    private var quota: String? {
        let full = quotas.filter { !$0.holds(minutes: spot.period.minutes, count: spot.count) }
        let shown = (full.isEmpty ? quotas : full).map(\.words)
        return shown.isEmpty ? nil : "you have " + shown.joined(separator: "; ") + " that day"
    }

    private var together: String? {
        reader.offered.venue.rules.together.map { "\($0) at one time" }
    }

    private var queue: String? {
        reader.offered.venue.rules.waiting ? "with --wait you are put on the waiting list" : nil
    }
}
