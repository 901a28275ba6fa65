// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Terminal
import Text
import Venues
import Wording

extension Style {
    /// The style of a place of a venue.
    init(_ mark: PlaceMark) {
        self =
            switch mark {
            case .me: .own
            case .people: .active
            case .full: .doubtful
            case .free, .closed, .elsewhere: .dim
            }
    }
}

/// The page of a venue on the screen (docs/guide/view.md).
extension ScreenPicture {
    /// Draws all of it above the conversations.
    mutating func drawVenue(_ page: VenueScene) {
        if case .courts(let courts) = layout.map, let book = page.book {
            return drawBook(page, book, courts)
        }
        guard case .places(let places) = layout.map else { return }
        drawHead(page)
        let chosen = state.focus == .cabin ? page.cursor : nil
        let plane = VenuePlane(page: page, layout: places, ascii: state.ascii, chosen: chosen)
        grid.draw(plane.list)
        grid.draw(plane.plan)
        drawPlaceAlert(page)
    }

    /// Where the terminal's cursor stands on the map.
    var placeCaret: Grid.Point? {
        if case .courts(let courts) = layout.map {
            return state.venue?.book.flatMap { bookCaret($0, courts) }
        }
        guard let page = state.venue, let id = page.cursor, case .places(let places) = layout.map
        else { return nil }
        let plane = VenuePlane(page: page, layout: places, ascii: state.ascii, chosen: id)
        return plane.list.point(of: id) ?? plane.plan.point(of: id)
    }

    // MARK: The first two lines

    /// A piece of the first line, and how much it matters: 0 stays longest.
    struct Piece {
        let text: String
        let rank: Int
    }

    /// `UvA study places  Sat 5 Dec 2026   open until 22:00   6 within reach   you: ...`; what the
    /// line cannot hold stands in the next one.
    private mutating func drawHead(_ page: VenueScene) {
        var pieces = [Piece(text: visible(page.name, cells: 32), rank: 0)]
        if let date = page.date { pieces.append(Piece(text: DayText.words(date), rank: 5)) }
        if let words = page.words { pieces.append(Piece(text: words, rank: 3)) }
        pieces.append(Piece(text: StayText.reach(page.status.linked), rank: 4))
        if state.unread > 0 { pieces.append(Piece(text: "\(state.unread) unread", rank: 2)) }
        if let stay = page.stay {
            let name = page.venue?.place(stay.place)?.name ?? "place \(stay.place)"
            let since = page.clock(stay.begin).map { " since \($0)" } ?? ""
            pieces.append(
                Piece(text: "you: \(visible(name, cells: 28))\(since)", rank: 1))
        }
        let rest = drawPieces(pieces)
        let tag = OperatorKey(page.status.runBy).map { [$0.tag] } ?? []
        let signs = PlaceMark.allCases.filter { !$0.meaning.isEmpty }
        var legend: [(sign: String, word: String, style: Style)] = signs.map {
            ($0.letter, $0.meaning, Style($0))
        }
        legend.insert((PlaceMark.friend, "friend", .wanted), at: 1)
        drawAbout(rest + tag, legend, about: page.venue?.about)
    }

    /// Draws what the first line can hold, what matters most first; the rest is returned.
    mutating func drawPieces(_ pieces: [Piece]) -> [String] {
        grid.paint(line: 0, .bar)
        var kept: Set<Int> = []
        var room = grid.width - 2
        for rank in 0...6 {
            for (index, piece) in pieces.enumerated() where piece.rank == rank {
                let cells = cellWidth(piece.text) + (kept.isEmpty ? 0 : 3)
                guard cells <= room || kept.isEmpty else { continue }
                kept.insert(index)
                room -= cells
            }
        }
        let first = pieces.indices.filter(kept.contains).map { pieces[$0].text }
        let rest = pieces.indices.filter { !kept.contains($0) }.map { pieces[$0].text }
        grid.put(first.joined(separator: "   "), x: 1, y: 0, style: .bar)
        return rest
    }

    /// What the first line cannot hold, what the operator says, and what the signs mean.
    mutating func drawAbout(
        _ parts: [String], _ legend: [(sign: String, word: String, style: Style)],
        about: String? = nil
    ) {
        let cells = legend.reduce(0) { $0 + cellWidth($1.word) + 4 }
        var x = grid.width - cells
        let hasLegend = x > 0
        let room = max((hasLegend ? x : grid.width) - 3, 1)
        // A piece that does not fit is left out; of what the operator says the beginning is there.
        var line = parts.reduce("") { line, part in
            let longer = line.isEmpty ? part : line + "   " + part
            return cellWidth(longer) <= room ? longer : line
        }
        if let about, cellWidth(line) + 16 < room {
            line = visible(line + "   " + about, cells: room)
        }
        grid.put(line, x: 1, y: 1, style: .dim)
        guard hasLegend else { return }
        for item in legend {
            grid.put(item.sign, x: x, y: 1, style: item.style)
            grid.put(item.word, x: x + 2, y: 1, style: .dim)
            x += cellWidth(item.word) + 4
        }
    }

    // MARK: What matters now

    private mutating func drawPlaceAlert(_ page: VenueScene) {
        if state.focus == .cabin, let place = page.chosen {
            let line = StayWords.line(page, place) + beside(place)
            grid.put(
                visible(line, cells: grid.width - 2), x: 1, y: layout.alertLine, style: .bold)
        } else if !drawAlarm(page), state.showsHint {
            grid.put(
                "Tab: the places, Enter on one checks in   F4: people   F1: help", x: 1,
                y: layout.alertLine, style: .dim)
        }
    }

    /// Draws what waits for an answer or is wrong; `false` if there is nothing of the kind.
    mutating func drawAlarm(_ page: VenueScene) -> Bool {
        let (y, cells) = (layout.alertLine, grid.width - 2)
        if let question = state.following.first {
            let words = visible(question.statement, cells: max(cells - 14, 10))
            grid.put("! \(words)  F5 answer", x: 1, y: y, style: .alert)
        } else if page.isOver {
            grid.put(
                "! " + visible(state.overWords(page), cells: cells - 2), x: 1, y: y, style: .alert)
        } else if let what = state.status?.network.trouble?.what {
            let words = visible(what, cells: max(cells - 16, 10))
            grid.put("! \(words)  /status", x: 1, y: y, style: .alert)
        } else {
            return false
        }
        return true
    }

    /// Where a place is on the plan that has no room for its own number.
    private func beside(_ place: VenuePlace) -> String {
        guard case .places(let places) = layout.map,
            let spot = places.plan?.spots.first(where: { $0.place.id == place.id }),
            let near = spot.beside
        else { return "" }
        return "   at \(near) on the plan"
    }

    /// The keys that do something at the place under the cursor.
    var placesFooter: String {
        if case .courts = layout.map { return bookFooter }
        guard let page = state.venue, let place = page.chosen else { return "Esc back" }
        let what =
            state.refusal(page, place) != nil
            ? "Enter: not here" : page.stay == nil ? "Enter check in" : "Enter check out"
        let plan = state.size.x < VenueLayout.wide && page.places.contains { $0.at != nil }
        let turn = plan ? page.prefersPlan ? "p list  " : "p plan  " : ""
        return "arrows move  \(what)  i about it  \(turn)n people  Esc back  ? help"
    }
}
