// SPDX-License-Identifier: Apache-2.0
import Bookings
import CivilTime
import ControlAPI
import Protocol
import Terminal
import Text
import Venues
import Wording

/// The page of a venue's bookings: what the agent tells of it, and moving among its places and
/// times.
extension ViewState {
    // MARK: What the agent tells

    /// What is asked of the agent for the page that is shown.
    var bookQuestions: [ViewIntent] {
        guard let venue, let words = venue.venue, let book = venue.book else { return [] }
        let (page, before) = book.asked(words)
        return ([before].compactMap(\.self) + [page]).compactMap { days in
            guard let first = FlightDate(days.lowerBound), let last = FlightDate(days.upperBound)
            else { return nil }
            return .ask(Op.Days(first: first.text, last: last.text), .days(first.text))
        }
    }

    /// What the agent tells of the days from one on.
    mutating func took(_ told: BookFacts, from first: String) {
        guard let day = FlightDate(first)?.venueDay else { return }
        venue?.book?.take(told, from: day)
        venue?.reckonBook()
        if focus == .cabin { enterBook() }
    }

    /// What is known of the page.
    func known(_ book: BookScene) -> BookedDays? {
        guard let words = venue?.venue, let time = venue?.time else { return nil }
        return book.known(words, at: time)
    }

    // MARK: The cursor

    /// Puts the cursor on the first time that is free.
    mutating func enterBook() {
        guard let book = venue?.book, book.cursor == nil else { return }
        let spots = book.places.compactMap { book.first(of: $0.id) }
        venue?.book?.cursor = spots.first { book.cell($0)?.mark == .free } ?? spots.first
    }

    /// Moves it one cell.
    mutating func moveInBook(_ step: SeatStep) {
        guard let book = venue?.book, let spot = book.cursor else { return enterBook() }
        venue?.book?.cursor = book.step(spot, step)
        venue?.book?.minutes = nil
    }

    /// Moves it to what was clicked; a second click there acts on it.
    mutating func clickBook(
        _ book: BookScene, _ layout: BookLayout, _ point: Grid.Point
    ) -> [ViewIntent] {
        let plane = BookPlane(scene: book, layout: layout, chosen: book.cursor).plane
        guard let found = plane.key(at: point) else { return [] }
        if found == book.cursor { return actOnBook(.ask) }
        venue?.book?.cursor = found
        venue?.book?.minutes = nil
        return []
    }

    /// Moves it to the next or previous booking of the user.
    mutating func stepInBook(_ by: Int) -> [ViewIntent] {
        guard let book = venue?.book else { return [] }
        let own = book.own
        guard !own.isEmpty else {
            notice = "Nothing of this page is yours."
            return []
        }
        let here = own.firstIndex { $0 == book.cursor }
        let next = here.map { ($0 + by + own.count) % own.count } ?? (by > 0 ? 0 : own.count - 1)
        venue?.book?.cursor = own[next]
        venue?.book?.minutes = nil
        return []
    }

    // MARK: Days

    /// Shows the day before or after.
    mutating func turnDay(_ by: Int) -> [ViewIntent] {
        guard let day = venue?.shownBook?.day.adding(by) else { return [] }
        return show(day)
    }

    private mutating func show(_ day: VenueDay) -> [ViewIntent] {
        if let why = venue?.book?.turn(to: day) {
            notice = why
            return []
        }
        return bookQuestions
    }

    /// `/day sat`, `/day 5 dec`.
    mutating func showDay(_ words: [String]) -> [ViewIntent] {
        guard let book = venue?.book, let time = venue?.time,
            let today = venue?.zone?.clock(at: time)?.date.venueDay
        else {
            notice = "Nothing is booked here."
            return []
        }
        let text = words.joined(separator: " ")
        guard let day = DateWords.day(text, today: today) else {
            notice = "\(visible(text, cells: 30)) is no day: try /day \(book.date?.text ?? "")"
            return []
        }
        return show(day)
    }

    /// Makes what is chosen longer or shorter.
    mutating func stretch(_ by: Int) -> [ViewIntent] {
        guard let book = venue?.shownBook, let spot = book.cursor, let chosen = book.chosen(spot),
            let periods = venue?.venue?.place(spot.place)?.periods
        else { return [] }
        let now = chosen.period.minutes
        let length =
            by > 0
            ? periods.lengths.first { $0 > now } ?? periods.longest(within: now + periods.grain)
            : periods.longest(within: now - 1)
        guard let length, length != now else {
            notice = by > 0 ? "It cannot be had for longer." : "It cannot be had for less."
            return []
        }
        venue?.book?.minutes = length
        return []
    }
}
