// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import ControlAPI
package import Protocol

/// The rows of a swap that was found, before and after it, side by side.
package struct PlanPicture {
    /// The swap.
    private let plan: MatchPlan
    private let own: [Seat]
    private let taken: [Seat]
    private let cabin: CabinLayout
    private let ascii: Bool

    /// A picture of `plan` for the user and their companions, `party`, where `taken` are all seats
    /// that somebody has.
    package init(
        plan: MatchPlan, party: [Person], taken: [Seat], cabin: CabinLayout, ascii: Bool = false
    ) {
        self.plan = plan
        own = party.flatMap(\.seats)
        self.taken = taken
        self.cabin = cabin
        self.ascii = ascii
    }

    /// Seats of the party, before or after.
    private func party(after: Bool) -> [Seat] {
        guard after else { return own }
        return own.map { seat in
            plan.changes.first { $0.own && $0.from == seat }?.to ?? seat
        }
    }

    /// Seats of others who move, before or after.
    private func movers(after: Bool) -> [Seat] {
        plan.changes.filter { !$0.own }.map { after ? $0.to : $0.from }
    }

    /// The rows that it concerns, with a legend.
    package var lines: [String] {
        let concerned = party(after: false) + party(after: true) + movers(after: false)
        let rows = cabin.rows.filter { row in
            concerned.contains { Int($0.row) == row.number }
        }
        guard !rows.isEmpty else { return [] }
        let letters = line { String($0.letter) }
        let gap = "        "
        let title = "      before" + String(repeating: " ", count: max(letters.count - 6, 0)) + gap
        var lines = [title + "after", "      " + letters + gap + letters]
        var last: Int?
        for row in rows {
            if let last, let index = cabin.index(ofRow: row.number), index > last + 1 {
                lines.append("")
            }
            last = cabin.index(ofRow: row.number)
            let number =
                String(repeating: " ", count: max(4 - "\(row.number)".count, 0))
                + "\(row.number)"
            lines.append(number + "  " + cells(row, after: false) + gap + cells(row, after: true))
        }
        return lines + ["", "@ \(us)   x others who move   o others   \(nobody) nobody"]
    }

    private var us: String { own.count > 1 ? "your party" : "you" }

    private var nobody: String { ascii ? "." : "·" }

    private func cells(_ row: CabinLayout.Row, after: Bool) -> String {
        let (party, movers) = (party(after: after), movers(after: after))
        return line { column in
            guard row.columns.contains(column.column),
                let seat = Seat(row: row.number, column: Int(column.column))
            else { return " " }
            if party.contains(seat) { return "@" }
            if movers.contains(seat) { return "x" }
            return taken.contains(seat) ? "o" : nobody
        }
    }

    /// The letters of a row, with an aisle between blocks.
    private func line(_ item: (CabinLayout.Column) -> String) -> String {
        (0...cabin.aisles).map { block in
            cabin.columns.filter { $0.block == block }.map(item).joined(separator: " ")
        }
        .joined(separator: "   ")
    }
}
