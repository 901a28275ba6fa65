// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import Terminal

/// Where everything is in a window of a given size.
struct ScreenLayout: Hashable, Sendable {
    /// How the cabin is drawn.
    enum Map: Hashable, Sendable {
        /// The window is too small for it.
        case none
        /// Nose to the left, one line for each letter: this many rows, beginning with `firstRow`,
        /// counted from 1.
        case lying(firstRow: Int, rows: Int)
        /// Nose up, one line for each row.
        case upright(firstRow: Int, rows: Int)
        /// The places of a venue.
        case places(VenueLayout)
        /// Its places against times or days.
        case courts(BookLayout)
    }

    let map: Map
    /// The cabin that is drawn.
    let cabin: CabinLayout
    /// Columns and lines of the window.
    let size: Grid.Point
    /// The first column of the chat.
    let chatLeft: Int
    /// The line of requests and warnings, and that of the tabs.
    let alertLine: Int
    let tabLine: Int
    /// The first line of the chat, and the number of its lines.
    let chatTop: Int
    let chatLines: Int
    /// Whether there is space to explain the letters.
    let hasLegend: Bool

    /// If the chat has fewer lines, a page or a box takes the whole screen.
    private static let leastPage = 9
    /// Whether a page takes the whole screen.
    var isCramped: Bool { chatLines < Self.leastPage }
    /// The first line of a page, and the number of its lines.
    var pageTop: Int { isCramped ? 0 : chatTop }
    var pageLines: Int { isCramped ? max(size.y - 2, 0) : chatLines }

    /// Columns of the lying cabin, and of the upright one, before the seats.
    static let firstSeat = 5
    private static let firstUpright = 6

    init(_ state: ViewState) {
        if let page = state.venue {
            self.init(
                size: state.size, places: page, cabin: state.cabin,
                around: state.focus == .cabin ? page.cursor : page.stay?.place)
            return
        }
        self.init(
            size: state.size, cabin: state.cabin,
            around: state.focus == .cabin ? state.cursor : state.cursor ?? state.mySeats.first)
    }

    init(size: Grid.Point, cabin: CabinLayout, around seat: Seat?) {
        self.size = size
        self.cabin = cabin
        let upright = Self.uprightWidth(cabin)
        let count = cabin.rows.count
        let row = seat.map { Self.place(of: $0, cabin) } ?? 1
        let least = Self.least(cabin)
        if size.x < least.x || size.y < least.y {
            map = .none
            chatLeft = 0
            alertLine = 0
            tabLine = 0
            chatTop = 0
            chatLines = max(size.y - 2, 0)
            hasLegend = false
        } else if size.x >= 100, size.x >= upright + 60, size.y >= min(count + 6, 38) {
            let rows = min(count, size.y - 4)
            map = .upright(firstRow: Self.first(row, rows, count), rows: rows)
            chatLeft = upright + 2
            alertLine = 1
            tabLine = 2
            chatTop = 4
            chatLines = max(size.y - 6, 0)
            hasLegend = size.y >= count + 8
        } else {
            let rows = min(count, (size.x - Self.firstSeat - 1) / 2)
            map = .lying(firstRow: Self.first(row, rows, count), rows: rows)
            chatLeft = 0
            alertLine = 2 + Self.lyingLines(cabin)
            tabLine = alertLine + 1
            chatTop = tabLine + 1
            chatLines = max(size.y - chatTop - 2, 0)
            hasLegend = size.x >= Self.firstSeat + 2 * rows + 11 && rows == count
        }
    }

    /// The page of a venue: its places above, the chat below.
    init(size: Grid.Point, places page: VenueScene, cabin: CabinLayout, around place: Int?) {
        self.size = size
        self.cabin = cabin
        hasLegend = false
        chatLeft = 0
        guard size.x >= VenueLayout.least.x, size.y >= VenueLayout.least.y else {
            map = .none
            alertLine = 0
            tabLine = 0
            chatTop = 0
            chatLines = max(size.y - 2, 0)
            return
        }
        if let book = page.shownBook {
            let courts = BookLayout(size: size, book.page, around: book.cursor)
            map = .courts(courts)
            alertLine = VenueLayout.top + courts.height
        } else {
            let places = VenueLayout(size: size, page: page, around: place)
            map = .places(places)
            alertLine = VenueLayout.top + places.height
        }
        tabLine = alertLine + 1
        chatTop = tabLine + 1
        chatLines = max(size.y - chatTop - 2, 0)
    }

    /// The position of a seat's row, from 1; if there is no such row, that of the nearest row
    /// before it.
    private static func place(of seat: Seat, _ cabin: CabinLayout) -> Int {
        let index = cabin.rows.lastIndex { $0.number <= Int(seat.row) } ?? 0
        return index + 1
    }

    /// The first of `count` rows that contain `row`, in steps of half a window.
    static func first(_ row: Int, _ count: Int, _ all: Int) -> Int {
        guard count < all, count > 1 else { return 1 }
        let half = max(count / 2, 1)
        return min(max((row - 1) / half * half - half / 2 + 1, 1), all - count + 1)
    }

    /// The smallest window for a cabin; smaller ones show only the last lines of the chat.
    static func least(_ cabin: CabinLayout) -> Grid.Point {
        // The first line, the numbers, the seats, three lines of chat, and five others.
        Grid.Point(x: 60, y: max(lyingLines(cabin) + 9, 16))
    }

    /// `60x16`.
    static func leastWords(_ cabin: CabinLayout) -> String {
        let least = least(cabin)
        return "\(least.x)x\(least.y)"
    }

    /// The number of lines of the lying cabin: letters and aisles.
    private static func lyingLines(_ cabin: CabinLayout) -> Int {
        cabin.columns.count + cabin.aisles
    }

    /// The number of columns of the upright cabin: row numbers, seats, aisles, and a word at the
    /// exits.
    static func uprightWidth(_ cabin: CabinLayout) -> Int {
        firstUpright + 3 * cabin.columns.count + 3 * cabin.aisles + 1 + (cabin.hasExits ? 3 : 0)
    }

    // MARK: Seats and places

    /// The rows on the screen, as indices of the cabin's rows.
    var shown: Range<Int> {
        switch map {
        case .none, .places, .courts: 0..<0
        case .lying(let first, let rows), .upright(let first, let rows):
            first - 1..<first - 1 + rows
        }
    }

    /// Where the letter for a row and a column of the cabin is, with or without a seat; both are
    /// indices. `nil` if that is not on the screen.
    func point(row: Int, column: Int) -> Grid.Point? {
        guard shown.contains(row), cabin.columns.indices.contains(column) else { return nil }
        let block = cabin.columns[column].block
        switch map {
        case .none, .places, .courts: return nil
        case .lying:
            // Letters go up from A at the bottom, with the aisles between the blocks.
            let above = cabin.columns.count - 1 - column + cabin.aisles - block
            return Grid.Point(x: Self.firstSeat + 2 * (row - shown.lowerBound), y: 2 + above)
        case .upright:
            return Grid.Point(
                x: Self.firstUpright + 3 * column + 3 * block, y: 2 + row - shown.lowerBound)
        }
    }

    /// Where a seat's letter is; `nil` if it is not on the screen.
    func point(of seat: Seat) -> Grid.Point? {
        guard cabin.contains(seat), let row = cabin.index(ofRow: Int(seat.row)),
            let column = cabin.columns.firstIndex(where: { $0.column == seat.column })
        else { return nil }
        return point(row: row, column: column)
    }

    /// Lines of the aisles of the lying cabin, from the top.
    var aisleLines: [Int] {
        guard case .lying = map else { return [] }
        let seats = Set(
            cabin.columns.indices.compactMap { point(row: shown.lowerBound, column: $0)?.y })
        return (2..<2 + Self.lyingLines(cabin)).filter { !seats.contains($0) }
    }
}
