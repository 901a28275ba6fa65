// SPDX-License-Identifier: Apache-2.0
package import Protocol
import Text

/// The user's bookings as lines, newest first.
package struct BookingList: Sendable {
    private let items: [BookingItem]
    /// The day from which days are seen.
    private let today: VenueDay?

    /// Lines for these, in their order.
    package init(_ items: [BookingItem], today: VenueDay?) {
        self.items = items
        self.today = today
    }

    /// A table without a head: number, mark, what, code, state. Names of venues stand there if
    /// there are several.
    package var lines: [String] {
        guard !items.isEmpty else { return ["You have no bookings: seatagent help book"] }
        let hasSeveral = Set(items.map(\.venue)).count > 1
        let rows = items.map { item in
            [
                String(item.number), item.isUnpaid ? "!" : " ",
                visible(item.spot.words(today: today), cells: 60),
                hasSeveral ? visible(item.venue, cells: 24) : "", item.code?.text ?? "",
                Self.state(item),
            ]
        }
        let widths = rows[0].indices.map { column in rows.map { cellWidth($0[column]) }.max() ?? 0 }
        return rows.map { row in
            var cells: [String] = []
            for (column, cell) in row.enumerated() where widths[column] > 0 {
                // Numbers stand at the right of their column.
                let gap = widths[column] - cellWidth(cell)
                let blanks = String(repeating: " ", count: max(gap, 0))
                cells.append(column == 0 ? blanks + cell : cell + blanks)
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// `booked, due 20.00 USD`, `number 2 on the waiting list`, `cancelled`.
    package static func state(_ item: BookingItem) -> String {
        switch item.state {
        case .asked: return "asked, nothing is booked yet"
        case .waiting: return item.place.map { "number \($0) on the waiting list" } ?? "waiting"
        case .booked:
            guard let due = item.due else { return "booked" }
            guard item.isUnpaid else { return "booked, paid" }
            let left = Grant.Due(currency: due.currency, amount: due.amount - item.paid)
            return "booked, due \(left.words)"
        case .cancelled: return "cancelled"
        case .ended: return "ended by the desk"
        case .noShow: return "ended, as you did not come"
        case .unpaid: return "ended, as it was not paid"
        case .early: return "handed back early"
        case .passedOn: return "given to somebody else"
        case .lost: return "lost: the desk's page with it does not count"
        case .moved: return "moved to another booking"
        case .refused: return item.reason.map(DeskStateText.refused) ?? "refused"
        case .withdrawn: return "withdrawn"
        }
    }
}
