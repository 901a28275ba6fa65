// SPDX-License-Identifier: Apache-2.0
import Bookings
import Terminal
import Text
import Venues

/// Where the places and times of a venue's page of bookings are on the screen.
struct BookLayout: Hashable, Sendable {
    /// A line of the page.
    enum Line: Hashable, Sendable {
        /// The times or days of a table.
        case head(table: Int)
        /// A place.
        case row(table: Int, row: Int)
        case blank
    }

    /// The columns of one table that fit.
    struct Columns: Hashable, Sendable {
        /// The first one, and how many there are.
        let first: Int
        let count: Int
        /// Cells of the screen that each has.
        let width: Int
    }

    /// Lines of the screen that the page has.
    let height: Int
    /// What stands in them.
    let lines: [Line]
    /// Cells of the names at the left.
    let names: Int
    /// Of each table.
    let columns: [Columns]
    /// Whether there is more above or below.
    let hasAbove: Bool
    let hasBelow: Bool

    /// The longest name that is not cut in a narrow window.
    private static let name = 14

    init(size: Grid.Point, _ page: DayPage?, around spot: BookScene.Spot?) {
        let tables = page?.tables ?? []
        var all: [Line] = []
        for (table, one) in tables.enumerated() {
            if table > 0 { all.append(.blank) }
            all.append(.head(table: table))
            all += one.rows.indices.map { .row(table: table, row: $0) }
        }
        // Half of the window is for the chat.
        let half = max((size.y - 6) / 2, 3)
        height = max(min(all.count, half), 1)
        let chosen = all.firstIndex { line in
            guard case .row(let table, let row) = line else { return false }
            return tables[table].rows[row].place.id == spot?.place
        }
        let first =
            all.count > height ? min(max((chosen ?? 0) - height / 2, 0), all.count - height) : 0
        var shown = Array(all[min(first, all.count)..<min(first + height, all.count)])
        // Times stay in sight.
        if first > 0, case .row(let table, _)? = shown.first { shown[0] = .head(table: table) }
        lines = shown
        hasAbove = first > 0
        hasBelow = first + height < all.count
        let longest =
            tables.flatMap(\.rows).map { cellWidth(visible($0.place.name)) }.max() ?? 0
        let names = min(longest, size.x < 100 ? Self.name : 28)
        self.names = names
        columns = tables.map { table in
            let widest =
                table.columns.indices.map { column in
                    max(
                        cellWidth(table.columns[column]),
                        table.rows.map { $0.cells[column].text.count }.max() ?? 0)
                }.max() ?? 1
            let width = max(widest, 2) + 1
            let count = max(min((size.x - names - 3) / width, table.columns.count), 0)
            let isHere = table.rows.contains { $0.place.id == spot?.place }
            let column = isHere ? spot?.column ?? 0 : 0
            let left = min(max(column - count / 2, 0), max(table.columns.count - count, 0))
            return Columns(first: left, count: count, width: width)
        }
    }
}

/// The bookings of a day as cells of the screen.
struct BookPlane {
    let scene: BookScene
    let layout: BookLayout
    /// The cell in brackets.
    let chosen: BookScene.Spot?

    var plane: PlaneOfCells<BookScene.Spot> {
        var plane = PlaneOfCells<BookScene.Spot>()
        guard let page = scene.page else {
            plane.label(
                "Nothing is known of that day yet.", x: 1, y: VenueLayout.top, style: .dim)
            return plane
        }
        for (index, line) in layout.lines.enumerated() {
            let y = VenueLayout.top + index
            switch line {
            case .blank: continue
            case .head(let table): head(page.tables[table], layout.columns[table], y, &plane)
            case .row(let table, let row):
                add(page.tables[table].rows[row], layout.columns[table], y, &plane)
            }
        }
        plane.chosen = chosen
        return plane
    }

    private func left(_ columns: BookLayout.Columns, _ place: Int) -> Int {
        layout.names + 3 + place * columns.width
    }

    private func head(
        _ table: DayTable, _ columns: BookLayout.Columns, _ y: Int,
        _ plane: inout PlaneOfCells<BookScene.Spot>
    ) {
        for place in 0..<columns.count {
            let text = table.columns[columns.first + place]
            let end = left(columns, place) + columns.width - 1
            plane.label(text, x: end - cellWidth(text), y: y)
        }
        if columns.first > 0 { plane.label("<", x: layout.names + 1, y: y) }
        if columns.first + columns.count < table.columns.count {
            plane.label(">", x: left(columns, columns.count), y: y)
        }
    }

    private func add(
        _ row: DayTable.Row, _ columns: BookLayout.Columns, _ y: Int,
        _ plane: inout PlaneOfCells<BookScene.Spot>
    ) {
        let isChosen = chosen?.place == row.place.id
        plane.label(
            visible(row.place.name, cells: layout.names), x: 1, y: y,
            style: isChosen ? .reverse : .plain, end: layout.names + 2)
        for place in 0..<columns.count {
            let cell = row.cells[columns.first + place]
            let end = left(columns, place) + columns.width - 1
            plane.add(
                BookScene.Spot(place: row.place.id, column: columns.first + place),
                at: Grid.Point(x: end - cell.text.count, y: y), cell.text, Style(cell.mark))
        }
    }
}

extension Style {
    /// The style of a place at a time. Letters carry the meaning; colour only helps.
    init(_ mark: BookingMark) {
        self =
            switch mark {
            case .mine: .own
            case .unpaid: .alert
            case .asked, .offered: .wanted
            case .taken: .doubtful
            case .free: .active
            case .closed: .dim
            }
    }
}
