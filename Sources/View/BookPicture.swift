// SPDX-License-Identifier: Apache-2.0
import Bookings
import Protocol
import Terminal
import Text
import Venues
import Wording

/// The page of a venue's bookings on the screen (docs/guide/view.md).
extension ScreenPicture {
    /// The cells of the page, in brackets the one under the cursor.
    func bookPlane(_ book: BookScene, _ layout: BookLayout) -> PlaneOfCells<BookScene.Spot> {
        let chosen = state.focus == .cabin ? book.cursor : nil
        return BookPlane(scene: book, layout: layout, chosen: chosen).plane
    }

    /// Draws all of it above the conversations.
    mutating func drawBook(_ page: VenueScene, _ book: BookScene, _ layout: BookLayout) {
        let rest = drawPieces(
            [
                Piece(text: visible(page.name, cells: 32), rank: 0),
                Piece(text: DayText.words(book.day), rank: 1),
                Piece(text: hours(page, book), rank: 4), Piece(text: book.desk, rank: 2),
                Piece(text: book.you, rank: 3),
                Piece(text: StayText.reach(page.status.linked), rank: 6),
                Piece(text: state.unread > 0 ? "\(state.unread) unread" : "", rank: 5),
            ].filter { !$0.text.isEmpty })
        let marks = BookingMark.allCases.map { ($0.rawValue, $0.meaning, Style($0)) }
        drawAbout(rest + [book.next].compactMap(\.self), marks)
        grid.draw(bookPlane(book, layout))
        if layout.hasAbove { grid.put("^", x: grid.width - 1, y: VenueLayout.top, style: .dim) }
        if layout.hasBelow {
            grid.put(
                "v", x: grid.width - 1, y: VenueLayout.top + layout.height - 1, style: .dim)
        }
        drawBookAlert(page, book)
    }

    /// `open 10:00-20:00`, of the day that is shown.
    private func hours(_ page: VenueScene, _ book: BookScene) -> String {
        guard let venue = page.venue, let date = book.date else { return "" }
        let spans = VenueDays(venue).spans(on: date).map(\.text)
        return spans.isEmpty ? "closed" : "open " + spans.joined(separator: ", ")
    }

    /// What matters now: the cell under the cursor, what is wrong, what the desk said.
    private mutating func drawBookAlert(_ page: VenueScene, _ book: BookScene) {
        let (y, cells) = (layout.alertLine, grid.width - 2)
        if state.focus == .cabin, let line = state.bookLine {
            grid.put(visible(line, cells: cells), x: 1, y: y, style: .bold)
        } else if state.following.isEmpty, let alarm = book.alarms.first {
            grid.put("! " + visible(alarm, cells: cells - 2), x: 1, y: y, style: .alert)
        } else if drawAlarm(page) {
            return
        } else if let said = book.says {
            grid.put(visible("Desk: " + said, cells: cells), x: 1, y: y, style: .bold)
        } else if state.showsHint {
            grid.put(
                "Tab: the places, Enter on a time books   F4: people   F1: help", x: 1, y: y,
                style: .dim)
        }
    }

    /// Where the terminal's cursor stands on the page.
    func bookCaret(_ book: BookScene, _ layout: BookLayout) -> Grid.Point? {
        book.cursor.flatMap { bookPlane(book, layout).point(of: $0) }
    }

    /// The keys that do something at the cell under the cursor.
    var bookFooter: String {
        "arrows move  [ ] day  g date  + - longer, shorter  i about it  Esc back  ? help"
    }
}
