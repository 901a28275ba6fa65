// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Protocol
import Text
import Venues
import Wording

/// What keys do to a time of a place: book it, cancel it, wait for it, ask for a swap. Each is a
/// command of the program, after a question.
extension ViewState {
    /// The cell under the cursor, with what is known of it.
    private struct Choice {
        let page: VenueScene
        let book: BookScene
        let cell: DayTable.Cell
        let spot: BookingSpot
        let known: BookedDays
        let time: UTCTime

        var venue: Venue { known.offered.venue }
        var today: VenueDay? { known.today(at: time) }

        /// What reads and writes the words of commands.
        var reader: BookingReader {
            let room = known.room
            return BookingReader(known.offered, at: time) { room.free($0.id, $1) > 0 }
        }

        /// Why nobody can have it; `nil` for what is offered.
        var fault: String? {
            BookingRefusal(reader, spot).fault.map {
                [$0.what, $0.why].compactMap(\.self).joined(separator: ": ")
            }
        }
    }

    private var choice: Choice? {
        guard let page = venue, let time = page.time, let book = page.shownBook,
            let cursor = book.cursor, let cell = book.cell(cursor),
            let spot = book.chosen(cursor), let known = known(book)
        else { return nil }
        return Choice(page: page, book: book, cell: cell, spot: spot, known: known, time: time)
    }

    /// `Tennis 1, Sat 5 Dec 18:00-19:00   free   Enter books`.
    var bookLine: String? {
        guard let choice else { return nil }
        let cell = choice.cell
        var parts = [choice.spot.words(today: choice.today)]
        if let stock = cell.stock, cell.mark != .closed {
            parts.append("\(stock.left) of \(stock.limit) free")
        } else {
            parts.append(cell.mark.meaning)
        }
        let rules = choice.venue.rules
        switch cell.mark {
        case .free: parts.append("Enter books")
        case .mine, .unpaid:
            let own = choice.book.held(choice.spot, choice.known).first { $0.isMine }
            if let own { parts.append("code \(own.code)") }
            parts.append("Enter cancels")
        case .taken, .offered:
            if rules.waiting { parts.append("w waits") }
            if rules.swaps != .none { parts.append("s swaps") }
        case .asked, .closed: break
        }
        return parts.joined(separator: "   ")
    }

    /// What a key does to the cell under the cursor.
    mutating func actOnBook(_ action: KeyAction) -> [ViewIntent] {
        guard let choice else { return [] }
        if choice.page.isOver {
            notice = overWords(choice.page)
            return []
        }
        if choice.page.isBusy {
            notice = "Wait a moment: your last word is on its way."
            return []
        }
        switch action {
        case .who:
            return run(["venue", "show", choice.page.status.venue, String(choice.spot.place)])
        case .ask: enter(choice)
        case .waitFor: askToBook(choice, waits: true)
        case .swapFor: askToSwap(choice)
        default: notice = "That key does nothing here: ? lists those that do."
        }
        return []
    }

    private mutating func enter(_ choice: Choice) {
        switch choice.cell.mark {
        case .free: askToBook(choice, waits: false)
        case .mine, .unpaid: askToCancel(choice)
        case .asked: notice = "You asked for it: /bookings says how it stands."
        case .taken, .offered:
            notice = choice.fault ?? "Others have it then: w waits for it, s asks for a swap."
        case .closed: notice = choice.fault ?? "It cannot be had then."
        }
    }

    private mutating func askToBook(_ choice: Choice, waits: Bool) {
        let (known, venue, spot) = (choice.known, choice.venue, choice.spot)
        if let fault = choice.fault {
            notice = fault
            return
        }
        if venue.rules.join != .open, known.facts.desk != nil, known.facts.member == nil {
            notice = "You have not joined: /venue join \(venue.slug) --name NAME --mail ADDRESS"
            return
        }
        if waits, !venue.rules.waiting {
            notice = "There is no waiting list here."
            return
        }
        let reader = choice.reader
        guard let text = BookingText(reader), let today = choice.today else { return }
        let line = text.question(
            spot,
            due: venue.due(spot.period, count: spot.count, memberClass: known.facts.memberClass),
            quotas: known.quotas(of: venue.place(spot.place)), at: choice.time)
        let words = ["book"] + reader.operands(spot, today: today) + (waits ? ["--wait"] : [])
        put(
            Question(
                sentence: waits ? "Wait for it? y/n" : "Book it? y/n", lines: [line],
                intent: errands([words + ["--yes", "--timeout", "10"]])))
    }

    private mutating func askToCancel(_ choice: Choice) {
        let held = choice.book.held(choice.spot, choice.known).first { $0.isMine }
        guard let held else { return }
        let terms = BookingTerms(choice.known.offered, today: choice.today)
        let words = held.spot.words(today: choice.today)
        let until = terms.cancelWords(held.spot.period, at: choice.time)
        put(
            Question(
                sentence: "Cancel it? y/n", lines: ["\(words), code \(held.code): \(until)."],
                intent: errands([["bookings", "cancel", held.code, "--yes"]])))
    }

    private mutating func askToSwap(_ choice: Choice) {
        guard choice.venue.rules.swaps != .none else {
            notice = "Nobody swaps bookings here."
            return
        }
        let there = choice.book.held(choice.spot, choice.known).first { !$0.isMine }
        guard let there else {
            notice = "Nobody else has it then."
            return
        }
        let now = choice.known.offered.clock.minute(at: choice.time)
        let own = choice.book.held(choice.known).filter {
            $0.isMine && $0.spot.period.start > now
        }
        guard let mine = own.first, own.count == 1 else {
            notice =
                own.isEmpty
                ? "You have no booking on this page to give for it."
                : "Say which of yours: /bookings swap CODE \(there.code)"
            return
        }
        let today = choice.today
        put(
            Question(
                sentence: "Ask whoever has \(there.spot.words(today: today)) to take your "
                    + "\(mine.spot.words(today: today)) for it? y/n",
                lines: [BookingTerms.swapRisk],
                intent: errands([["bookings", "swap", mine.code, there.code, "--yes"]])))
    }
}
