import Protocol

/// Where everything stands in a window of a given size (interface.md 4.3).
struct ScreenLayout: Hashable, Sendable {
    /// How the cabin is drawn.
    enum Map: Hashable, Sendable {
        /// The window is too small for it.
        case none
        /// Nose to the left, one line a letter, from `firstRow` on.
        case lying(firstRow: Int, rows: Int)
        /// Nose up, one line a row, from `firstRow` on.
        case upright(firstRow: Int, rows: Int)
    }

    let map: Map
    /// The cabin that is drawn.
    let cabin: Cabin
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

    /// Smaller windows show the last lines of the chat alone.
    static let least = Grid.Point(x: 60, y: 16)
    /// Columns of the upright cabin with its line.
    private static let firstSeat = 5

    init(_ state: ViewState) {
        self.init(
            size: state.size, cabin: state.cabin,
            around: state.focus == .cabin ? state.cursor : state.cursor ?? state.mySeats.first)
    }

    init(size: Grid.Point, cabin: Cabin, around seat: Seat?) {
        self.size = size
        self.cabin = cabin
        let upright = Self.uprightWidth(cabin)
        let row = seat.map { Int($0.row) } ?? 1
        if size.x < Self.least.x || size.y < Self.least.y {
            map = .none
            chatLeft = 0
            alertLine = 0
            tabLine = 0
            chatTop = 0
            chatLines = max(size.y - 2, 0)
            hasLegend = false
        } else if size.x >= 100, size.x >= upright + 60, size.y >= min(cabin.rows + 6, 38) {
            let rows = min(cabin.rows, size.y - 4)
            map = .upright(firstRow: Self.first(row, rows, cabin.rows), rows: rows)
            chatLeft = upright + 2
            alertLine = 1
            tabLine = 2
            chatTop = 4
            chatLines = max(size.y - 6, 0)
            hasLegend = size.y >= cabin.rows + 8
        } else {
            let rows = min(cabin.rows, (size.x - Self.firstSeat - 1) / 2)
            map = .lying(firstRow: Self.first(row, rows, cabin.rows), rows: rows)
            chatLeft = 0
            alertLine = cabin.columns + 3
            tabLine = alertLine + 1
            chatTop = tabLine + 1
            chatLines = max(size.y - chatTop - 2, 0)
            hasLegend = size.x >= Self.firstSeat + 2 * rows + 7 && rows == cabin.rows
        }
    }

    /// The first of `count` rows so that `row` is among them, in steps of half a window.
    private static func first(_ row: Int, _ count: Int, _ all: Int) -> Int {
        guard count < all, count > 1 else { return 1 }
        let half = max(count / 2, 1)
        return min(max((row - 1) / half * half - half / 2 + 1, 1), all - count + 1)
    }

    /// Columns that the upright cabin takes: row numbers, seats, the aisle.
    static func uprightWidth(_ cabin: Cabin) -> Int { 6 + 3 * cabin.columns + 3 + 1 }

    // MARK: Seats and places

    /// Where a seat's letter stands; `nil` where it is not on the screen.
    func point(of seat: Seat) -> Grid.Point? {
        let row = Int(seat.row)
        let column = Int(seat.column)
        guard cabin.contains(seat) else { return nil }
        switch map {
        case .none: return nil
        case .lying(let first, let rows):
            guard first..<first + rows ~= row else { return nil }
            // The letters go up from A at the bottom, with the aisle in the middle.
            let fromTop = cabin.columns - 1 - column
            let y = 2 + fromTop + (column < cabin.columns / 2 ? 1 : 0)
            return Grid.Point(x: Self.firstSeat + 2 * (row - first), y: y)
        case .upright(let first, let rows):
            guard first..<first + rows ~= row else { return nil }
            let aisle = column >= cabin.columns / 2 ? 3 : 0
            return Grid.Point(x: 6 + 3 * column + aisle, y: 2 + row - first)
        }
    }

    /// The seat at a place, or next to it; `nil` where there is none.
    func seat(at point: Grid.Point) -> Seat? {
        for x in [point.x, point.x - 1, point.x + 1] {
            for row in 1...max(cabin.rows, 1) {
                for column in 0..<cabin.columns {
                    guard let seat = Seat(row: row, column: column) else { continue }
                    if self.point(of: seat) == Grid.Point(x: x, y: point.y) { return seat }
                }
            }
        }
        return nil
    }
}
