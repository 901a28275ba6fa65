// SPDX-License-Identifier: Apache-2.0
import Bookings
package import Protocol
import Text
package import Venues

/// What a ledger comes to for a venue's own books: bookings, money and no-shows of each place and
/// class. Nobody's name is in it.
package struct DeskReport: Hashable, Sendable {
    /// A booking of the ledger.
    package struct Item: Hashable, Sendable {
        /// What was granted.
        package let grant: Grant
        /// The class of whom it was granted to.
        package let memberClass: Int?
        /// How it ended; `nil` for one that did not end before its time.
        package let end: LedgerClose.Reason?
        /// Whether another booking took its place.
        package let isReplaced: Bool
        /// What was paid for it, in minor units.
        package let paid: Int

        /// A booking.
        package init(
            grant: Grant, memberClass: Int?, end: LedgerClose.Reason?, isReplaced: Bool = false,
            paid: Int
        ) {
            self.grant = grant
            self.memberClass = memberClass
            self.end = end
            self.isReplaced = isReplaced
            self.paid = paid
        }
    }

    /// Sums of one place and one class.
    package struct Row: Hashable, Sendable {
        /// The number of the place.
        package let place: Int
        /// The number of the class; `nil` for what the venue kept for itself.
        package let memberClass: Int?
        /// Bookings that took place, or will.
        package internal(set) var bookings = 0
        /// Their minutes, times how many of the place.
        package internal(set) var minutes = 0
        /// Bookings that were given back, or ended by the desk before they began.
        package internal(set) var cancelled = 0
        /// Bookings to which nobody came.
        package internal(set) var noShows = 0
        /// Bookings that ended because nobody paid.
        package internal(set) var unpaid = 0
        /// What was to be paid for those that took place, in minor units.
        package internal(set) var due = 0
        /// What was paid for all, in minor units.
        package internal(set) var paid = 0
    }

    /// By place in the order of the file, then by class, what the venue kept last.
    package let rows: [Row]
    private let venue: Venue

    /// The report of the bookings that begin from the first to the last of these days.
    package init(
        _ items: [Item], from first: VenueDay, through last: VenueDay, of venue: Venue
    ) {
        self.venue = venue
        struct Key: Hashable {
            let place: Int
            let memberClass: Int?
        }
        var rows: [Key: Row] = [:]
        for item in items where first <= item.grant.period.day && item.grant.period.day <= last {
            // Its money and minutes are those of the booking that took its place.
            guard !item.isReplaced else { continue }
            let isOwn = item.grant.flags.contains(.blocked)
            let number = isOwn ? nil : item.memberClass ?? venue.classes.count - 1
            let key = Key(place: item.grant.place, memberClass: number)
            rows[key, default: Row(place: key.place, memberClass: key.memberClass)].add(item)
        }
        let order = venue.places.map(\.id)
        self.rows = rows.values.sorted { left, right in
            let (one, other) = (
                order.firstIndex(of: left.place) ?? .max,
                order.firstIndex(of: right.place) ?? .max
            )
            if one != other { return one < other }
            if left.place != right.place { return left.place < right.place }
            return left.memberClass ?? .max < right.memberClass ?? .max
        }
    }

    // MARK: As a table

    private static let head = [
        "place", "class", "bookings", "hours", "cancelled", "no_shows", "unpaid", "due", "paid",
        "currency",
    ]

    /// A head, then the cells of each place and class.
    private var cells: [[String]] {
        [Self.head]
            + rows.map { row in
                [
                    venue.place(row.place)?.name ?? "#\(row.place)",
                    row.memberClass.map { venue.memberClass($0).name } ?? "venue",
                    String(row.bookings), Self.hours(row.minutes), String(row.cancelled),
                    String(row.noShows), String(row.unpaid), amount(row.due), amount(row.paid),
                    venue.money?.currency ?? "",
                ]
            }
    }

    /// Comma-separated values: a head, a line for each place and class.
    package var csv: String { cells.map(CSVText.row).joined(separator: "\n") + "\n" }

    /// The same in columns for people, numbers at their right.
    package var lines: [String] {
        guard !rows.isEmpty else { return ["Nothing was booked."] }
        let cells = self.cells.map { row in row.map { visible($0, cells: 30) } }
        let widths = Self.head.indices.map { column in
            cells.map { cellWidth($0[column]) }.max() ?? 0
        }
        return cells.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let blanks = String(repeating: " ", count: widths[column] - cellWidth(cell))
                let isNumber = column > 1 && column < Self.head.count - 1
                line += (column == 0 ? "" : "  ") + (isNumber ? blanks + cell : cell + blanks)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// `1.50`.
    private static func hours(_ minutes: Int) -> String {
        let hundredths = (minutes * 100 + 30) / 60
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(hundredths / 100).\(two(hundredths % 100))"
    }

    private func amount(_ amount: Int) -> String {
        guard let currency = venue.money?.currency else { return amount == 0 ? "" : "\(amount)" }
        return String(MoneyText.words(amount, currency).dropLast(currency.utf8.count + 1))
    }
}

extension DeskReport.Row {
    mutating func add(_ item: DeskReport.Item) {
        paid += item.paid
        switch item.end {
        case .asked, .desk, .error, .stranded: cancelled += 1
        case .unpaid: unpaid += 1
        case .noShow, .early, nil:
            if item.end == .noShow { noShows += 1 }
            bookings += 1
            minutes += item.grant.period.minutes * item.grant.count
            due += item.grant.due?.amount ?? 0
        }
    }
}
