// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Venues

/// What a place is at a time, for the user (docs/guide/view.md).
package enum BookingMark: String, CaseIterable, Hashable, Sendable {
    case free = "."
    case taken = "x"
    /// The user's own.
    case mine = "+"
    /// Nobody can book it.
    case closed = "-"
    /// The user asked for it, or waits for it.
    case asked = "~"
    /// Somebody offers it in a swap.
    case offered = "o"
    /// The user's own, and not paid.
    case unpaid = "!"

    /// What it means, for a legend.
    package var meaning: String {
        switch self {
        case .free: "free"
        case .taken: "taken"
        case .mine: "yours"
        case .closed: "closed"
        case .asked: "asked"
        case .offered: "offered"
        case .unpaid: "unpaid"
        }
    }
}

/// The places of a venue against times of a day, or against days: what the view draws as cells.
package struct DayTable: Hashable, Sendable {
    /// One place at one time.
    package struct Cell: Hashable, Sendable {
        /// What it is to the user.
        package let mark: BookingMark
        /// How many are free, and of how many: of what there are several.
        package let stock: DayQuota.Part?
        /// The shortest period at the cell, whether it is offered or not.
        package let span: Period?
        /// The same where somebody can book it, or could if it were free.
        package let period: Period?

        /// `.`, `3/4`, `3/4+`.
        package var text: String {
            guard let stock, mark != .closed else { return mark.rawValue }
            let sign = mark == .free || mark == .taken ? "" : mark.rawValue
            return "\(stock.left)/\(stock.limit)\(sign)"
        }
    }

    /// One place.
    package struct Row: Hashable, Sendable {
        /// Which.
        package let place: VenuePlace
        /// One for each column.
        package let cells: [Cell]
    }

    /// What stands above each column: `18`, `18:30`, `Sat 5`.
    package let columns: [String]
    /// In the order of the file.
    package let rows: [Row]
    /// Whether columns are days.
    package let isByDay: Bool
}

/// What the user needs to know to have marks on a page.
package struct DayMarks {
    /// How many of a place can be booked for a period.
    package var free: (VenuePlace, Period) -> Int
    /// How many there are of a place.
    package var count: (VenuePlace) -> Int
    /// The user's own bookings, and whether each is still to be paid.
    package var mine: [(spot: BookingSpot, isUnpaid: Bool)]
    /// What they asked for.
    package var asked: [BookingSpot]
    /// What others offer in swaps.
    package var offered: [BookingSpot]

    /// What is known.
    package init(
        free: @escaping (VenuePlace, Period) -> Int, count: @escaping (VenuePlace) -> Int,
        mine: [(spot: BookingSpot, isUnpaid: Bool)] = [], asked: [BookingSpot] = [],
        offered: [BookingSpot] = []
    ) {
        self.free = free
        self.count = count
        self.mine = mine
        self.asked = asked
        self.offered = offered
    }
}

/// A page of a venue: a day of what is had by the hour, and the days from it on of what is had by
/// the day.
package struct DayPage: Hashable, Sendable {
    /// The day.
    package let day: VenueDay
    /// One or two tables; none if nothing is booked.
    package let tables: [DayTable]

    /// Days of a table of days.
    package static let days = 14
    /// The least minutes of a column: finer periods would be more columns than anybody reads.
    private static let column = 15
    /// The most: a day of a place with long periods is not one column.
    private static let widest = 60

    /// The page of a day. Days after `last` are of another ledger, of which nothing is known.
    package init(
        _ offered: OfferedPeriods, on day: VenueDay, through last: VenueDay? = nil, at now: UTCTime,
        _ marks: DayMarks
    ) {
        self.day = day
        let days = (0..<Self.days).compactMap { day.adding($0) }.filter { $0 <= last ?? $0 }
        let places = offered.venue.places.filter { $0.mode == .granted }
        var tables: [DayTable] = []
        let timed = places.filter(\.hasTimes)
        if !timed.isEmpty { tables.append(Self.hours(offered, timed, day, now, marks)) }
        let daily = places.filter { !$0.hasTimes }
        if !daily.isEmpty { tables.append(Self.days(offered, daily, days, now, marks)) }
        self.tables = tables
    }

    // MARK: By the hour

    private static func hours(
        _ offered: OfferedPeriods, _ places: [VenuePlace], _ day: VenueDay, _ now: UTCTime,
        _ marks: DayMarks
    ) -> DayTable {
        let grains = places.compactMap { $0.periods?.grain }.filter { $0 >= column }
        let step = min(grains.min() ?? widest, widest)
        let spans = places.compactMap { offered.openSpan(of: $0, on: day) }
        let midnight = day.number * Limits.minutesOfDay
        let first = (spans.map(\.lowerBound).min() ?? 0) / step * step
        let end = spans.map(\.upperBound).max() ?? 0
        let starts = stride(from: first, to: end, by: step).map { midnight + $0 }
        return DayTable(
            columns: starts.map { head($0, step) },
            rows: places.map { place in
                DayTable.Row(
                    place: place,
                    cells: starts.map { start in
                        // The period in which the column begins.
                        let grain = min(place.periods?.grain ?? 1, Limits.minutesOfDay)
                        let minute = start % Limits.minutesOfDay
                        return cell(offered, place, start - minute % grain, now, marks)
                    })
            }, isByDay: false)
    }

    private static func head(_ start: Int, _ step: Int) -> String {
        let clock = TimeWords.clock(start)
        return step % 60 == 0 ? String(clock.prefix(2)) : clock
    }

    // MARK: By the day

    private static func days(
        _ offered: OfferedPeriods, _ places: [VenuePlace], _ days: [VenueDay], _ now: UTCTime,
        _ marks: DayMarks
    ) -> DayTable {
        DayTable(
            columns: days.map { day in
                // The name of the month where it begins.
                let short = DayText.short(day)
                return day == days.first || day.date.day == 1
                    ? short : short.split(separator: " ").prefix(2).joined(separator: " ")
            },
            rows: places.map { place in
                DayTable.Row(
                    place: place,
                    cells: days.map { day in
                        cell(offered, place, day.number * Limits.minutesOfDay, now, marks)
                    })
            }, isByDay: true)
    }

    // MARK: A cell

    /// The cell of the shortest period from a minute on.
    private static func cell(
        _ offered: OfferedPeriods, _ place: VenuePlace, _ start: Int, _ now: UTCTime,
        _ marks: DayMarks
    ) -> DayTable.Cell {
        let period = OfferedPeriods.period(start, place.periods?.shortest ?? 1)
        let count = marks.count(place)
        guard let period else {
            return DayTable.Cell(mark: .closed, stock: nil, span: nil, period: nil)
        }
        let isOffered = offered.refusal(of: place, period, at: now) == nil
        let free = min(max(marks.free(place, period), 0), count)
        let mark = mark(place, period, isOffered: isOffered, free: free, count: count, marks)
        return DayTable.Cell(
            mark: mark, stock: count > 1 ? DayQuota.Part(used: count - free, limit: count) : nil,
            span: period, period: isOffered ? period : nil)
    }

    private static func mark(
        _ place: VenuePlace, _ period: Period, isOffered: Bool, free: Int, count: Int,
        _ marks: DayMarks
    ) -> BookingMark {
        func covers(_ spot: BookingSpot) -> Bool {
            spot.place == place.id && spot.period.start < period.end
                && period.start < spot.period.end
        }
        if let own = marks.mine.first(where: { covers($0.spot) }) {
            return own.isUnpaid ? .unpaid : .mine
        }
        if marks.asked.contains(where: covers) { return .asked }
        // What is over, or not open yet, but was booked, shows that.
        guard isOffered || free < count else { return .closed }
        if marks.offered.contains(where: covers) { return .offered }
        return free > 0 && isOffered ? .free : free > 0 ? .closed : .taken
    }
}
