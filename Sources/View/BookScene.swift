// SPDX-License-Identifier: Apache-2.0
import Bookings
import CivilTime
import ControlAPI
import Protocol
import Text
import Venues
import Wording

/// What the view knows of the bookings of a venue: a day, what the agent told of it, and where the
/// cursor is. A value.
package struct BookScene: Hashable, Sendable {
    /// A cell of the page: a place at a time, or on a day.
    struct Spot: Hashable, Sendable {
        let place: Int
        let column: Int
    }

    /// A booking of somebody.
    struct Held: Hashable, Sendable {
        let spot: BookingSpot
        /// What commands call it.
        let code: String
        let isMine: Bool
    }

    /// The days of one ledger.
    private let volume: Volume
    private let rules: BookRules
    /// The day that is shown.
    private(set) var day: VenueDay
    /// The cell under the cursor.
    var cursor: Spot?
    /// How long what is chosen is, in minutes; `nil` for the shortest.
    var minutes: Int?
    private var facts: BookFacts?
    /// Bookings of days before, which may still be in their turnover.
    private var before: [BookingFacts] = []
    /// The page of the day; `nil` until the agent has told of it.
    private(set) var page: DayPage?
    /// `desk: here`, and what the user is and has left.
    private(set) var desk = ""
    private(set) var you = ""
    /// What the desk said last to all: hostile text.
    var says: String? { facts?.desk?.says }
    /// What is wrong with the desk.
    private(set) var alarms: [String] = []
    /// The user's next booking of these days.
    private(set) var next: String?

    /// The bookings of a volume, from the day of now on; `nil` where nothing is booked.
    init?(_ venue: Venue, _ volume: Volume, today: VenueDay) {
        guard venue.hasBookings, let rules = try? venue.bookRules(for: volume) else { return nil }
        self.volume = volume
        self.rules = rules
        day = min(max(today, volume.first), volume.last)
    }

    // MARK: Days

    /// The date of the day that is shown.
    var date: FlightDate? { FlightDate(day) }

    /// The days of which the agent is asked: those of the page, and those before it.
    func asked(_ venue: Venue) -> (page: ClosedRange<VenueDay>, before: ClosedRange<VenueDay>?) {
        let places = venue.places.filter { $0.mode == .granted }
        let isByDay = places.contains { !$0.hasTimes }
        let last = min((isByDay ? day.adding(DayPage.days - 1) : nil) ?? day, volume.last)
        let turnover = places.compactMap { $0.periods?.turnover }.max() ?? 0
        guard turnover > 0, day > volume.first, let eve = day.adding(-1) else {
            return (day...last, nil)
        }
        let days = min(turnover / Limits.minutesOfDay + 1, Self.mostBefore)
        return (day...last, max(day.adding(-days) ?? eve, volume.first)...eve)
    }

    /// An agent tells of 31 days at once.
    private static let mostBefore = 31

    /// Shows another day; the reason if there is none.
    mutating func turn(to other: VenueDay) -> String? {
        guard volume.first <= other, other <= volume.last else {
            return "The ledger of now has the days of \(volume.text)."
        }
        guard other != day else { return nil }
        day = other
        (facts, page, before) = (nil, nil, [])
        return nil
    }

    // MARK: What the agent tells

    /// What it tells of the days from one on; of a day that is not shown any more it is dropped.
    mutating func take(_ told: BookFacts, from first: VenueDay) {
        if first == day { facts = told } else if first < day { before = told.bookings }
    }

    /// Makes the page anew, by what is known and the time.
    mutating func reckon(_ venue: Venue, at now: UTCTime) {
        guard let known = known(venue, at: now) else { return }
        let page = DayPage(known.offered, on: day, through: volume.last, at: now, known.marks)
        self.page = page
        desk = DeskStateText.short(known.sight, known.offered.clock, at: now)
        alarms = known.alarms
        you = Self.you(known, venue)
        let begin = known.offered.clock.minute(at: now)
        let mine = held(known).filter { $0.isMine && $0.spot.period.end > begin }
        next = mine.min { $0.spot.period.start < $1.spot.period.start }
            .map { "next: \($0.spot.words(today: known.today(at: now)))" }
        if let cursor, cell(cursor) == nil { self.cursor = nil }
    }

    /// `you: student, 2 h of 4 h left`.
    private static func you(_ known: BookedDays, _ venue: Venue) -> String {
        guard known.facts.desk != nil else { return "" }
        guard let number = known.facts.memberClass else {
            return venue.rules.join == .open ? "" : "you have not joined"
        }
        let left = known.quotas(of: nil).map(\.short).joined(separator: "; ")
        let name = visible(venue.memberClass(number).name, cells: 20)
        return "you: \(name)" + (left.isEmpty ? "" : ", \(left)")
    }

    /// What is known of the days that are shown; `nil` until the agent has told of them.
    func known(_ venue: Venue, at now: UTCTime) -> BookedDays? {
        guard let facts, let offered = OfferedPeriods(venue, at: now) else { return nil }
        return BookedDays(facts, before: before, offered, rules)
    }

    // MARK: Cells

    /// The table with a place, and its row there.
    private func row(of place: Int) -> (table: DayTable, row: DayTable.Row)? {
        for table in page?.tables ?? [] {
            if let row = table.rows.first(where: { $0.place.id == place }) { return (table, row) }
        }
        return nil
    }

    /// What a cell shows; `nil` for one that is not there.
    func cell(_ spot: Spot) -> DayTable.Cell? {
        guard let row = row(of: spot.place)?.row, row.cells.indices.contains(spot.column) else {
            return nil
        }
        return row.cells[spot.column]
    }

    /// The places in the order of the page.
    var places: [VenuePlace] { (page?.tables ?? []).flatMap { $0.rows.map(\.place) } }

    /// The place and the time of a cell, as long as the user has made it; `nil` for no such cell.
    func chosen(_ spot: Spot) -> BookingSpot? {
        guard let place = row(of: spot.place)?.row.place, let span = cell(spot)?.span else {
            return nil
        }
        let length = minutes.flatMap { place.periods?.longest(within: $0) } ?? span.minutes
        return OfferedPeriods.period(span.start, length).map { BookingSpot(place, $0) }
    }

    /// The first cell of a place that can be booked, else its first one.
    func first(of place: Int) -> Spot? {
        guard let row = row(of: place)?.row, !row.cells.isEmpty else { return nil }
        let column = row.cells.firstIndex { $0.mark == .free } ?? 0
        return Spot(place: place, column: column)
    }

    /// A step from a cell; the same one at an edge.
    func step(_ from: Spot, _ step: SeatStep) -> Spot {
        let all = places.map(\.id)
        guard let index = all.firstIndex(of: from.place) else { return from }
        switch step {
        case .left: return Spot(place: from.place, column: max(from.column - 1, 0))
        case .right:
            let last = (row(of: from.place)?.row.cells.count ?? 1) - 1
            return Spot(place: from.place, column: min(from.column + 1, max(last, 0)))
        case .up, .down:
            let other = all[min(max(index + (step == .down ? 1 : -1), 0), all.count - 1)]
            let last = (row(of: other)?.row.cells.count ?? 1) - 1
            return Spot(place: other, column: min(from.column, max(last, 0)))
        }
    }

    /// The cells of the user's own bookings, row by row.
    var own: [Spot] {
        (page?.tables ?? []).flatMap { table in
            table.rows.flatMap { row in
                row.cells.indices.filter {
                    row.cells[$0].mark == .mine || row.cells[$0].mark == .unpaid
                }.map { Spot(place: row.place.id, column: $0) }
            }
        }
    }

    // MARK: Whose it is

    /// All that is booked on these days, but for what the venue keeps for itself.
    func held(_ known: BookedDays) -> [Held] {
        known.facts.bookings.compactMap { booking in
            guard !booking.blocked, let token = booking.tokenValue,
                let spot = known.spot(booking.place, booking.period, count: booking.count)
            else { return nil }
            return Held(
                spot: spot, code: BookingCode(token).text, isMine: booking.holder.me)
        }
    }

    /// What is booked of a place at some minute of a period.
    func held(_ spot: BookingSpot, _ known: BookedDays) -> [Held] {
        held(known).filter { one in
            one.spot.place == spot.place && one.spot.period.start < spot.period.end
                && spot.period.start < one.spot.period.end
        }
    }
}

extension BookedDays {
    /// The day that clocks there show.
    func today(at now: UTCTime) -> VenueDay? { offered.clock.clock(at: now)?.day }
}
