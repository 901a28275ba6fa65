// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol

/// When a venue, or one place of it, is open: the week's hours and the special dates.
package struct VenueDays: Hashable, Sendable {
    private let hours: OpeningHours
    private let closed: [FlightDate: SpecialDay]
    private let open: [FlightDate: SpecialDay]

    /// The days of the whole venue.
    package init(_ venue: Venue) { self.init(venue, hours: venue.hours) }

    /// The days of one place, which may have hours of its own. Special dates are the venue's.
    package init(_ place: VenuePlace, of venue: Venue) {
        self.init(venue, hours: place.hours ?? venue.hours)
    }

    private init(_ venue: Venue, hours: OpeningHours) {
        self.hours = hours
        closed = venue.closed
        open = venue.open
    }

    /// The spans that begin on that date. They may end in the night behind it.
    package func spans(on date: FlightDate) -> [OpeningSpan] {
        let usual = open[date]?.spans ?? hours.on(Weekday(date))
        guard let less = closed[date] else { return usual }
        guard !less.spans.isEmpty else { return [] }
        return less.spans.reduce(usual) { left, hole in left.flatMap { $0.without(hole) } }
    }

    /// Why the hours of that date are others than the week's; `nil` if nothing is said.
    package func reason(on date: FlightDate) -> String? {
        closed[date]?.reason ?? open[date]?.reason
    }

    /// Whether that date has other hours than the week's.
    package func isSpecial(_ date: FlightDate) -> Bool {
        closed[date] != nil || open[date] != nil
    }

    // MARK: A moment

    /// How many days ahead an opening is looked for: a place may be closed for a season.
    private static let horizon: Int64 = 400
    /// How many days it has to be open without an end to be open day and night.
    private static let always = 14

    /// Whether it is open when clocks there show `now`, and what comes next.
    package func state(at now: LocalMinute) -> OpenState {
        let minute = Self.minutes(now)
        if var end = end(of: minute, from: now.date.adding(-1)) {
            // Spans that touch at midnight are one.
            for _ in 0..<Self.always {
                guard let day = Self.moment(end)?.date,
                    let more = self.end(of: end, from: day.adding(-1))
                else { return .open(until: Self.moment(end)) }
                end = more
            }
            return .open(until: nil)
        }
        for day in 0..<Self.horizon {
            let date = now.date.adding(day)
            let start = date.days * 1440
            if let span = spans(on: date).first(where: { start + Int64($0.from) > minute }) {
                return .closed(next: LocalMinute(date: date, minute: span.from))
            }
        }
        return .closed(next: nil)
    }

    /// The end of the span that holds that minute, among those that begin on `date` or the next.
    private func end(of minute: Int64, from date: FlightDate) -> Int64? {
        var found: Int64?
        for day in [date, date.adding(1)] {
            let start = day.days * 1440
            for span in spans(on: day)
            where start + Int64(span.from) <= minute && minute < start + Int64(span.to) {
                found = max(found ?? 0, start + Int64(span.to))
            }
        }
        return found
    }

    private static func minutes(_ time: LocalMinute) -> Int64 {
        time.date.days * 1440 + Int64(time.minute)
    }

    private static func moment(_ minutes: Int64) -> LocalMinute? {
        guard let first = FlightDate("1970-01-01") else { return nil }
        return LocalMinute(date: first.adding(minutes / 1440), minute: Int(minutes % 1440))
    }
}

extension OpeningSpan {
    /// What is left of it without another one.
    func without(_ hole: OpeningSpan) -> [OpeningSpan] {
        [
            OpeningSpan(from: from, to: min(to, hole.from)),
            OpeningSpan(from: max(from, hole.to), to: to),
        ].compactMap(\.self)
    }
}

/// Whether something is open, and what comes next.
package enum OpenState: Hashable, Sendable {
    /// Until then; `nil` for day and night.
    case open(until: LocalMinute?)
    /// When it opens; `nil` if it does not within a year.
    case closed(next: LocalMinute?)

    /// Whether it is open.
    package var isOpen: Bool {
        switch self {
        case .open: true
        case .closed: false
        }
    }

    /// `open until 22:00`, `closed; opens tomorrow at 08:30`, as seen on `today`.
    package func words(today: FlightDate) -> String {
        switch self {
        case .open(nil): return "open day and night"
        case .open(let end?):
            // The hours behind midnight belong to the night that begins today.
            let isNight = end.date == today.adding(1) && end.minute <= OpeningSpan.latest - 1440
            if isNight, end.minute == 0 { return "open until midnight" }
            let isSoon = isNight || end.date == today
            return "open until " + (isSoon ? end.clock : Self.day(end, today))
        case .closed(nil): return "closed"
        case .closed(let start?): return "closed; opens " + Self.day(start, today)
        }
    }

    private static func day(_ time: LocalMinute, _ today: FlightDate) -> String {
        if time.date == today { return "at \(time.clock)" }
        if time.date == today.adding(1) { return "tomorrow at \(time.clock)" }
        return "\(Weekday(time.date).short) \(time.date.text) at \(time.clock)"
    }
}

extension TimeZoneRules {
    /// What clocks of the zone show, to the minute; `nil` for a year that nobody means.
    package func clock(at time: UTCTime) -> LocalMinute? {
        let civil = civil(at: time)
        guard let first = FlightDate("1970-01-01"), 0..<(250_000_000_000) ~= civil else {
            return nil
        }
        return LocalMinute(
            date: first.adding(civil / 86_400), minute: Int(civil % 86_400 / 60))
    }
}
