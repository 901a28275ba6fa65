// SPDX-License-Identifier: Apache-2.0
package import Protocol
import Text
import Venues

/// A page of a venue as lines: a table for a plain terminal, sentences for who has it read aloud.
package struct DayLines: Sendable {
    private let page: DayPage
    private let today: VenueDay?

    /// Lines of a page, as seen on a day.
    package init(_ page: DayPage, today: VenueDay?) {
        self.page = page
        self.today = today
    }

    // MARK: A table

    /// Names at the left, times or days above, a mark in each cell; what the marks mean below.
    package var table: [String] {
        var lines: [String] = []
        for table in page.tables {
            let names = table.rows.map { cellWidth($0.place.name) }.max() ?? 0
            let cells = table.columns.indices.map { column in
                max(
                    cellWidth(table.columns[column]),
                    table.rows.map { $0.cells[column].text.count }.max() ?? 0)
            }
            lines.append(Self.line("", names, table.columns, cells))
            for row in table.rows {
                lines.append(
                    Self.line(visible(row.place.name), names, row.cells.map(\.text), cells))
            }
            lines.append("")
        }
        guard !lines.isEmpty else { return ["Nothing is booked here."] }
        let marks = BookingMark.allCases.map { "\($0.rawValue) \($0.meaning)" }
        return lines + [marks.joined(separator: "   ")]
    }

    private static func line(
        _ name: String, _ width: Int, _ cells: [String], _ widths: [Int]
    ) -> String {
        var line = padded(name, to: width)
        for (cell, width) in zip(cells, widths) {
            line += " " + String(repeating: " ", count: max(width - cellWidth(cell), 0)) + cell
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    // MARK: Sentences

    /// A sentence for each place: `Tennis 1: free 10:00-11:00 and 13:00-18:00; taken 11:00-13:00.`
    package var sentences: [String] {
        page.tables.flatMap { table in
            table.rows.map { row in
                let name = visible(row.place.name, cells: 40)
                return "\(name): " + (table.isByDay ? days(row) : hours(row)) + "."
            }
        }
    }

    private func hours(_ row: DayTable.Row) -> String {
        guard row.cells.allSatisfy({ $0.stock == nil }) else { return stock(row) }
        // Runs of cells of one mark that follow each other.
        var runs: [(mark: BookingMark, from: Int, to: Int)] = []
        for cell in row.cells {
            guard let period = cell.span else { continue }
            if let last = runs.last, last.mark == cell.mark, period.start <= last.to {
                runs[runs.count - 1].to = max(last.to, period.end)
            } else {
                runs.append((cell.mark, period.start, period.end))
            }
        }
        let open = runs.filter { $0.mark != .closed }
        guard !open.isEmpty else { return "closed" }
        let parts = BookingMark.allCases.compactMap { mark -> String? in
            let times = open.filter { $0.mark == mark }.map {
                "\(TimeWords.clock($0.from))-\(Self.end($0.to))"
            }
            return times.isEmpty ? nil : "\(mark.meaning) \(Self.list(times))"
        }
        return parts.joined(separator: "; ")
    }

    private static func end(_ minute: Int) -> String {
        minute % Limits.minutesOfDay == 0 ? "24:00" : TimeWords.clock(minute)
    }

    /// `08:00 17 of 20 free, 09:00 16 of 20 free`, where it changes.
    private func stock(_ row: DayTable.Row) -> String {
        var parts: [String] = []
        var last = ""
        for cell in row.cells {
            guard let stock = cell.stock, let period = cell.span, cell.mark != .closed else {
                continue
            }
            let words = "\(stock.left) of \(stock.limit) free" + Self.own(cell.mark)
            if words != last { parts.append("from \(TimeWords.clock(period.start)) \(words)") }
            last = words
        }
        return parts.isEmpty ? "closed" : parts.joined(separator: ", ")
    }

    private func days(_ row: DayTable.Row) -> String {
        let parts = row.cells.compactMap { cell -> String? in
            guard let period = cell.span, cell.mark != .closed else { return nil }
            let day = DateWords.text(period.day, today: today)
            guard let stock = cell.stock else { return "\(day) \(cell.mark.meaning)" }
            return "\(day) \(stock.left) of \(stock.limit) free" + Self.own(cell.mark)
        }
        return parts.isEmpty ? "closed" : parts.joined(separator: ", ")
    }

    private static func own(_ mark: BookingMark) -> String {
        switch mark {
        case .free, .taken, .closed: ""
        case .mine, .asked, .offered, .unpaid: " and \(mark.meaning)"
        }
    }

    private static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}
