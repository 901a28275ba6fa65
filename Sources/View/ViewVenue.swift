// SPDX-License-Identifier: Apache-2.0
import ControlAPI
package import Protocol
import Terminal
import Text
import Venues
import Wording

/// The page of a venue: moving among its places, and what the agent tells of them.
extension ViewState {
    /// Whether the agent is in a venue, and not on a flight.
    package var isInVenue: Bool { venue != nil }

    /// The smallest window for the map, in words.
    var leastWindow: String {
        venue == nil
            ? ScreenLayout.leastWords(cabin) : "\(VenueLayout.least.x)x\(VenueLayout.least.y)"
    }

    /// Takes the time, by which places open and close.
    package mutating func tell(_ time: UTCTime) {
        let hadBook = venue?.book != nil
        venue?.time = time
        if !hadBook, venue?.book != nil { stale.insert(.venue) }
        sayOver()
    }

    /// What the agent tells of the venue.
    mutating func took(_ told: VenueStatus) {
        guard let before = venue else { return }
        venue?.take(told)
        guard told.revision != before.status.revision, told.words != before.status.words else {
            return
        }
        note(
            venue?.venue == before.venue
                ? "The operator has newer words, which this version cannot read."
                : "The operator has changed the words of \(venue?.name ?? told.venue).")
    }

    /// Somebody came or left.
    mutating func attended(_ news: AttendanceNews) {
        venue?.take(news)
        if isInVenue { stale.insert(.venue) }
    }

    /// Says once that the agent's day is over, and what begins the next one.
    private mutating func sayOver() {
        guard let page = venue, page.isOver, page.saidOver != page.status.volume else { return }
        venue?.saidOver = page.status.volume
        note(overWords(page) + " Who is in is counted anew.")
    }

    /// `2026-12-05 of UvA study places is over. /venue open uva begins the day of now.`
    func overWords(_ page: VenueScene) -> String {
        "\(page.status.volume) of \(visible(page.name, cells: 40)) is over: "
            + "/venue open \(page.status.venue) begins anew."
    }

    // MARK: The cursor

    /// Puts the cursor where the user is, or on the first place.
    mutating func enterPlaces() -> [ViewIntent] {
        if venue?.shownBook != nil {
            enterBook()
            return []
        }
        guard let page = venue, !page.places.isEmpty else {
            focus = .input
            notice = "There is no place to go to."
            return []
        }
        if page.chosen == nil {
            let mine = page.stay.flatMap { page.venue?.place($0.place) }
            venue?.cursor = (mine ?? page.places[0]).id
        }
        return []
    }

    /// Moves the cursor one step: up and down in the list, and to the nearest number on the plan.
    mutating func moveAmongPlaces(_ step: SeatStep) {
        if venue?.shownBook != nil { return moveInBook(step) }
        guard let page = venue, case .places(let layout) = ScreenLayout(self).map else { return }
        let places = page.places
        guard let index = places.firstIndex(where: { $0.id == page.cursor }) else { return }
        switch step {
        case .up where layout.listWidth > 0: venue?.cursor = places[max(index - 1, 0)].id
        case .down where layout.listWidth > 0:
            venue?.cursor = places[min(index + 1, places.count - 1)].id
        case .up, .down, .left, .right:
            guard let map = layout.plan else { return }
            if let found = Self.nearest(to: places[index].id, step, map) { venue?.cursor = found }
        }
    }

    /// The nearest number on the plan in that direction; from a place without one the first.
    private static func nearest(to place: Int, _ step: SeatStep, _ map: VenueMap) -> Int? {
        guard let from = map.spots.first(where: { $0.place.id == place }) else {
            return map.spots.first?.place.id
        }
        // How far on, and how far aside; a row is as high as two columns are wide.
        func way(_ spot: VenueMap.Spot) -> (on: Int, aside: Int) {
            let (right, down) = (spot.column - from.column, 2 * (spot.row - from.row))
            return switch step {
            case .up: (-down, abs(right))
            case .down: (down, abs(right))
            case .left: (-right, abs(down))
            case .right: (right, abs(down))
            }
        }
        let ahead = map.spots.filter { $0.beside == nil && way($0).on > 0 }
        return ahead.min { left, right in
            let (one, other) = (way(left), way(right))
            return one.on + 2 * one.aside < other.on + 2 * other.aside
        }?.place.id
    }

    /// Handles the number of a place that is typed digit by digit; `nil` for a key that means
    /// something else.
    mutating func typePlace(_ key: Key) -> [ViewIntent]? {
        guard venue?.shownBook == nil else { return nil }
        guard case .letter(let letter) = key, letter.isASCII, letter.isNumber else {
            typedRow = ""
            return nil
        }
        typedRow = String((typedRow + String(letter)).suffix(4))
        // A number that no place has begins anew with its last digit.
        if number(typedRow) == nil, !begins(typedRow) { typedRow = String(letter) }
        if let found = number(typedRow) {
            venue?.cursor = found
        } else if !begins(typedRow) {
            notice = "No place has the number \(typedRow)."
            typedRow = ""
        }
        return []
    }

    private func number(_ text: String) -> Int? {
        Int(text).flatMap { venue?.venue?.place($0)?.id }
    }

    private func begins(_ text: String) -> Bool {
        venue?.places.contains { String($0.id).hasPrefix(text) } ?? false
    }

    /// Moves the cursor to what was clicked; a second click there acts on it.
    mutating func clickPlace(_ point: Grid.Point) -> [ViewIntent] {
        if let book = venue?.book, case .courts(let layout) = ScreenLayout(self).map {
            return clickBook(book, layout, point)
        }
        guard let page = venue, case .places(let layout) = ScreenLayout(self).map else { return [] }
        let plane = VenuePlane(page: page, layout: layout, ascii: ascii, chosen: page.cursor)
        let row = Grid.Point(x: 1, y: point.y)
        let found = point.x < layout.listWidth ? plane.list.key(at: row) : plane.plan.key(at: point)
        guard let found else { return [] }
        if found == page.cursor { return actOnPlace(.ask) }
        venue?.cursor = found
        return []
    }

    /// Moves to the next or previous place where somebody is.
    mutating func stepAmongPlaces(_ by: Int) -> [ViewIntent] {
        if venue?.shownBook != nil { return stepInBook(by) }
        guard let page = venue, let index = page.places.firstIndex(where: { $0.id == page.cursor })
        else { return [] }
        let count = page.places.count
        let order = (1...count).map { page.places[(index + ($0 * by) % count + count) % count] }
        guard
            let found = order.first(where: {
                page.status.people(at: $0.id) > 0 || !page.friends(at: $0.id).isEmpty
            })
        else {
            notice = "Nobody is at any place yet."
            return []
        }
        venue?.cursor = found.id
        return []
    }

    /// Shows the plan in place of the list, or the list again.
    mutating func togglePlan() -> [ViewIntent] {
        guard let page = venue else { return [] }
        if page.book != nil, page.hasCounts {
            venue?.prefersList.toggle()
            return []
        }
        guard page.places.contains(where: { $0.at != nil }) else {
            notice = "No place here has a position on a plan."
            return []
        }
        guard size.x < VenueLayout.wide else {
            notice = "List and plan stand side by side in a window as wide as this."
            return []
        }
        venue?.prefersPlan.toggle()
        return []
    }
}
