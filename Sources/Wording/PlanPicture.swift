// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import ControlAPI
package import Protocol

/// A swap that was found, as marks of seats before and after it: for the map, or as the rows that
/// it concerns, side by side.
package struct PlanPicture {
    /// What a seat is in the swap.
    package enum Mark: CaseIterable, Hashable, Sendable {
        /// Somebody of the user's party.
        case party
        /// Somebody else who moves.
        case moves
        /// Somebody who stays.
        case others
        /// Nobody is known there.
        case nobody

        /// The letter on the map.
        package func letter(ascii: Bool) -> String {
            switch self {
            case .party: "@"
            case .moves: "x"
            case .others: "o"
            case .nobody: ascii ? "." : "·"
            }
        }

        /// What the letter means.
        package var meaning: String {
            switch self {
            case .party: "your party"
            case .moves: "others who move"
            case .others: "others"
            case .nobody: "nobody"
            }
        }
    }

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

    /// All seats of the party and of those who move.
    package var concerned: [Seat] {
        party(after: false) + party(after: true) + movers(after: false)
    }

    /// The mark of every seat that has one, before or after.
    package func marks(after: Bool) -> [Seat: Mark] {
        var marks: [Seat: Mark] = [:]
        for seat in taken { marks[seat] = .others }
        for seat in movers(after: after) { marks[seat] = .moves }
        for seat in party(after: after) { marks[seat] = .party }
        return marks
    }

    /// The rows that it concerns, with a legend.
    package var lines: [String] {
        let concerned = concerned
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
        let legend = Mark.allCases.map { mark in
            let meaning = mark == .party && own.count == 1 ? "you" : mark.meaning
            return mark.letter(ascii: ascii) + " " + meaning
        }
        return lines + ["", legend.joined(separator: "   ")]
    }

    private func cells(_ row: CabinLayout.Row, after: Bool) -> String {
        let marks = marks(after: after)
        return line { column in
            guard row.columns.contains(column.column),
                let seat = Seat(row: row.number, column: Int(column.column))
            else { return " " }
            return (marks[seat] ?? .nobody).letter(ascii: ascii)
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
