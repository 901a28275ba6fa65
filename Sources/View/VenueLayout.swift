// SPDX-License-Identifier: Apache-2.0
import Terminal
import Text
import Venues

/// Where the list and the plan of a venue's places are.
struct VenueLayout: Hashable, Sendable {
    /// Lines of the screen that list and plan have.
    let height: Int
    /// Cells of a line of the list; 0 if there is the plan only.
    let listWidth: Int
    /// The first place of the list, as an index.
    let first: Int
    /// The plan; `nil` if there is none, or no room for it.
    let plan: VenueMap?
    /// The column of the plan's frame.
    let planLeft: Int

    /// The first line below the bar and the words about the venue.
    static let top = 2
    /// The smallest window; smaller ones show the last lines of the chat.
    static let least = Grid.Point(x: 60, y: 16)
    /// In a window as wide as this, list and plan stand side by side.
    static let wide = 110
    /// Letters behind a number on the plan: what the place is to the user, and a friend there.
    static let signs = 2

    /// Lines of a plan's frame and of its scale.
    private static let frame = 3
    /// The least cells of a line of the list beside a plan.
    private static let list = 70
    /// More rows and columns say no more.
    private static let mostRows = 20
    private static let mostColumns = 96

    init(size: Grid.Point, page: VenueScene, around place: Int?) {
        let count = page.places.count
        let hasPlan = page.places.contains { $0.at != nil }
        let isBoth = size.x >= Self.wide && hasPlan
        let isPlanOnly = !isBoth && page.prefersPlan && hasPlan
        // Half of the window is for the chat.
        let half = max((size.y - 6) / 2, 3)
        let plan = Self.mostRows + Self.frame
        height =
            isPlanOnly
            ? min(plan, max(half, min(12, size.y - 10)))
            : isBoth ? min(max(count, plan), half) : min(max(count, 1), half)
        let planWidth = min(isBoth ? size.x - Self.list : size.x, Self.mostColumns)
        let rows = min(height - Self.frame, Self.mostRows)
        self.plan =
            isBoth || isPlanOnly
            ? page.venue.flatMap {
                VenueMap($0, columns: planWidth - 3, rows: rows, signs: Self.signs)
            } : nil
        let hasList = self.plan == nil || isBoth
        listWidth = !hasList ? 0 : self.plan == nil ? size.x : size.x - planWidth
        planLeft = hasList ? listWidth : 0
        let index = page.places.firstIndex { $0.id == place } ?? 0
        first = ScreenLayout.first(index + 1, height, count) - 1
    }

    /// The places in the list, as indices.
    func shown(of count: Int) -> Range<Int> {
        listWidth == 0 ? 0..<0 : first..<max(min(first + height, count), first)
    }
}

/// The places of a venue as cells of the screen.
struct VenuePlane {
    let page: VenueScene
    let layout: VenueLayout
    let ascii: Bool
    /// The number of the place in brackets.
    let chosen: Int?

    /// The list: a line for each place, whose mark is its cell.
    var list: PlaneOfCells<Int> {
        var plane = PlaneOfCells<Int>()
        let places = page.places
        guard layout.listWidth > 0 else { return plane }
        guard !places.isEmpty else {
            plane.label(
                page.venue == nil
                    ? "The operator's words cannot be read by this version."
                    : "The operator names no place.", x: 1, y: VenueLayout.top, style: .plain)
            return plane
        }
        let digits = places.map { String($0.id).count }.max() ?? 1
        let free = places.map { cellWidth(freeWords($0)) }.max() ?? 0
        let left = 5 + digits
        let longest = places.map { cellWidth(visible($0.name)) }.max() ?? 0
        let names = min(longest, max(layout.listWidth - left - free - 22, 8))
        for (row, index) in layout.shown(of: places.count).enumerated() {
            let place = places[index]
            let y = VenueLayout.top + row
            let mark = page.mark(of: place)
            let style: Style = place.id == chosen ? .reverse : .plain
            let number = String(place.id)
            let end = layout.listWidth - 1
            if place.id == chosen { plane.label(">", x: 0, y: y, style: .bold) }
            plane.add(place.id, at: Grid.Point(x: 1, y: y), mark.letter, Style(mark))
            if !page.friends(at: place.id).isEmpty {
                plane.label(PlaceMark.friend, x: 2, y: y, style: .wanted)
            }
            plane.label(
                padded("", to: digits - number.count) + number, x: 4, y: y, style: .dim)
            plane.label(
                padded(visible(place.name, cells: names), to: names), x: left, y: y,
                style: style, end: end)
            plane.label(freeWords(place), x: left + names + 2, y: y, style: .plain, end: end)
            plane.label(
                visible(
                    stateWords(place), cells: max(end - left - names - free - 4, 1)),
                x: left + names + free + 4, y: y, end: end)
        }
        addArrows(&plane, places.count)
        return plane
    }

    /// Says that there are more places above or below.
    private func addArrows(_ plane: inout PlaneOfCells<Int>, _ count: Int) {
        let shown = layout.shown(of: count)
        let x = layout.listWidth - 1
        if shown.lowerBound > 0 { plane.label("^", x: x, y: VenueLayout.top) }
        if shown.upperBound < count {
            plane.label("v", x: x, y: VenueLayout.top + layout.height - 1)
        }
    }

    /// The plan: a number for each place that has a position, with signs behind it.
    var plan: PlaneOfCells<Int> {
        var plane = PlaneOfCells<Int>()
        guard let map = layout.plan else { return plane }
        for (row, line) in map.framed(ascii: ascii).enumerated() {
            plane.label(line, x: layout.planLeft, y: VenueLayout.top + row)
        }
        for spot in map.spots where spot.beside == nil {
            let mark = page.mark(of: spot.place)
            let isFriend = !page.friends(at: spot.place.id).isEmpty
            plane.add(
                spot.place.id,
                at: Grid.Point(
                    x: layout.planLeft + 1 + spot.column, y: VenueLayout.top + 1 + spot.row),
                String(spot.number) + mark.sign + (isFriend ? PlaceMark.friend : ""),
                isFriend && mark != .me ? .wanted : Style(mark))
        }
        plane.chosen = chosen
        return plane
    }

    private func freeWords(_ place: VenuePlace) -> String {
        guard place.mode == .counted else { return "" }
        return StayWords.free(page, place)
    }

    private func stateWords(_ place: VenuePlace) -> String {
        [page.words(of: place), place.card ? "card needed" : nil].compactMap(\.self)
            .joined(separator: ", ")
    }
}
