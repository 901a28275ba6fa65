// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import Terminal

/// Where everything stands in a window of a given size.
struct ScreenLayout: Hashable, Sendable {
    /// How the cabin is drawn.
    enum Map: Hashable, Sendable {
        /// The window is too small for it.
        case none
        /// Nose to the left, one line a letter: so many rows, the first of them counted from 1.
        case lying(firstRow: Int, rows: Int)
        /// Nose up, one line a row.
        case upright(firstRow: Int, rows: Int)
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
    /// The first line of the chat, and how many it has.
    let chatTop: Int
    let chatLines: Int
    /// Whether there is room for the meaning of the letters.
    let hasLegend: Bool

    /// With fewer lines of chat than this, a page or a box takes the whole screen.
    private static let leastPage = 9
    /// Whether a page takes the whole screen.
    var isCramped: Bool { chatLines < Self.leastPage }
    /// The first line of a page, and how many it has.
    var pageTop: Int { isCramped ? 0 : chatTop }
    var pageLines: Int { isCramped ? max(size.y - 2, 0) : chatLines }

    /// Columns of the lying cabin before its seats, and of the upright one.
    static let firstSeat = 5
    private static let firstUpright = 6

    init(_ state: ViewState) {
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

    /// Where a seat's row stands, counted from 1; that of the nearest row before it
    /// where there is no such row.
    private static func place(of seat: Seat, _ cabin: CabinLayout) -> Int {
        let index = cabin.rows.lastIndex { $0.number <= Int(seat.row) } ?? 0
        return index + 1
    }

    /// The first of `count` rows so that `row` is among them, in steps of half a window.
    private static func first(_ row: Int, _ count: Int, _ all: Int) -> Int {
        guard count < all, count > 1 else { return 1 }
        let half = max(count / 2, 1)
        return min(max((row - 1) / half * half - half / 2 + 1, 1), all - count + 1)
    }

    /// Smaller windows show the last lines of the chat alone.
    static func least(_ cabin: CabinLayout) -> Grid.Point {
        // The first line, the numbers, the seats, three lines of chat and five of their own.
        Grid.Point(x: 60, y: max(lyingLines(cabin) + 9, 16))
    }

    /// `60x16`.
    static func leastWords(_ cabin: CabinLayout) -> String {
        let least = least(cabin)
        return "\(least.x)x\(least.y)"
    }

    /// Lines that the lying cabin takes: letters and aisles.
    private static func lyingLines(_ cabin: CabinLayout) -> Int {
        cabin.columns.count + cabin.aisles
    }

    /// Columns that the upright cabin takes: row numbers, seats, aisles, and a word at the exits.
    static func uprightWidth(_ cabin: CabinLayout) -> Int {
        firstUpright + 3 * cabin.columns.count + 3 * cabin.aisles + 1 + (cabin.hasExits ? 3 : 0)
    }

    // MARK: Seats and places

    /// The rows on the screen, as places in the cabin's rows.
    var shown: Range<Int> {
        switch map {
        case .none: 0..<0
        case .lying(let first, let rows), .upright(let first, let rows):
            first - 1..<first - 1 + rows
        }
    }

    /// Where the letter of a row and a column of the cabin stands, whether there is a seat or not:
    /// both as places in the cabin's lists. `nil` where that is not on the screen.
    func point(row: Int, column: Int) -> Grid.Point? {
        guard shown.contains(row), cabin.columns.indices.contains(column) else { return nil }
        let block = cabin.columns[column].block
        switch map {
        case .none: return nil
        case .lying:
            // The letters go up from A at the bottom, with the aisles between the blocks.
            let above = cabin.columns.count - 1 - column + cabin.aisles - block
            return Grid.Point(x: Self.firstSeat + 2 * (row - shown.lowerBound), y: 2 + above)
        case .upright:
            return Grid.Point(
                x: Self.firstUpright + 3 * column + 3 * block, y: 2 + row - shown.lowerBound)
        }
    }

    /// Where a seat's letter stands; `nil` where it is not on the screen.
    func point(of seat: Seat) -> Grid.Point? {
        guard cabin.contains(seat), let row = cabin.index(ofRow: Int(seat.row)),
            let column = cabin.columns.firstIndex(where: { $0.column == seat.column })
        else { return nil }
        return point(row: row, column: column)
    }

    /// Lines of the aisles of the lying cabin, from above.
    var aisleLines: [Int] {
        guard case .lying = map else { return [] }
        let seats = Set(
            cabin.columns.indices.compactMap { point(row: shown.lowerBound, column: $0)?.y })
        return (2..<2 + Self.lyingLines(cabin)).filter { !seats.contains($0) }
    }

    /// The seat at a place, or next to it; `nil` where there is none.
    func seat(at point: Grid.Point) -> Seat? {
        for x in [point.x, point.x - 1, point.x + 1] {
            for row in cabin.rows[shown] {
                for column in row.columns {
                    guard let seat = Seat(row: row.number, column: Int(column)) else { continue }
                    if self.point(of: seat) == Grid.Point(x: x, y: point.y) { return seat }
                }
            }
        }
        return nil
    }
}
