// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import Protocol
import Text

/// What a seat means to the user, as a letter; colour only repeats it.
package enum SeatMark: String, CaseIterable, Hashable, Sendable {
    /// Nobody is known there.
    case empty
    /// Somebody there is aboard.
    case aboard
    /// Somebody is there, but their agent is out of reach.
    case away
    /// The holder offers it.
    case offers
    /// The holder offers it and would take one of the user's.
    case wants
    /// The holder asks the user for a swap.
    case asks
    /// Two or more claim it.
    case disputed
    /// The user's own.
    case me

    /// The letter.
    package func letter(ascii: Bool) -> String {
        switch self {
        case .empty: ascii ? "." : "·"
        case .aboard: "o"
        case .away: "z"
        case .offers: "S"
        case .wants: "W"
        case .asks: "!"
        case .disputed: "?"
        case .me: "@"
        }
    }

    /// A word or two for the legend.
    package var meaning: String {
        switch self {
        case .empty: "nobody"
        case .aboard: "aboard"
        case .away: "away"
        case .offers: "offers"
        case .wants: "wants yours"
        case .asks: "asks you"
        case .disputed: "two claim it"
        case .me: "you"
        }
    }

    /// Text and background colours together, so that they are legible on light and dark terminals.
    package var style: String {
        switch self {
        case .empty: "2"
        case .aboard: "97;48;5;25"
        case .away: "2;4"
        case .offers: "30;48;5;214"
        case .wants: "30;48;5;121"
        case .asks: "97;48;5;161"
        case .disputed: "1;4"
        case .me: "1;7"
        }
    }
}

/// The seat map as lines of text.
package struct SeatPicture: Hashable, Sendable {
    /// Marks of the seats that are not empty.
    package var marks: [Seat: SeatMark]
    /// The cabin drawn.
    package var cabin = CabinLayout.standard
    /// Whether to use only ASCII letters.
    package var ascii = false
    /// Whether to use colours.
    package var colour = false
    /// Whether to explain the letters.
    package var hasLegend = true

    /// A picture of `marks` in `cabin`.
    package init(
        marks: [Seat: SeatMark], cabin: CabinLayout = CabinLayout.standard, ascii: Bool = false,
        colour: Bool = false, hasLegend: Bool = true
    ) {
        self.marks = marks
        self.cabin = cabin
        self.ascii = ascii
        self.colour = colour
        self.hasLegend = hasLegend
    }

    /// How many rows of the lying cabin fit in 80 columns.
    private static let rowsAbreast = 38

    private func cell(_ row: CabinLayout.Row, _ column: UInt8) -> String {
        guard row.columns.contains(column) else { return " " }
        let mark = Seat(row: row.number, column: Int(column)).flatMap { marks[$0] } ?? .empty
        return styled(mark)
    }

    private func styled(_ mark: SeatMark) -> String {
        let letter = mark.letter(ascii: ascii)
        return colour ? "\u{1B}[\(mark.style)m\(letter)\u{1B}[0m" : letter
    }

    private static func padLeft(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }

    /// The cabin with its nose up: one line for each row, then the legend.
    package var upright: [String] {
        func line(_ head: String, _ item: (CabinLayout.Column) -> String) -> String {
            let blocks = (0...cabin.aisles).map { block in
                cabin.columns.filter { $0.block == block }.map(item).joined(separator: "  ")
            }
            return "\(head)   \(blocks.joined(separator: "     "))"
        }
        var lines = [line("   ") { String($0.letter) }]
        var compartment =
            cabin.sections.allSatisfy { $0.compartment == .economy }
            ? Compartment.economy : nil
        for row in cabin.rows {
            if row.compartment != compartment {
                compartment = row.compartment
                lines.append("      " + row.compartment.words)
            }
            let text = line(Self.padLeft("\(row.number)", 3)) { cell(row, $0.column) }
            lines.append(cabin.isExit(row: row) ? text + "  exit" : text.trimmedRight)
        }
        return lines + legend + notDrawn
    }

    /// The cabin with its nose to the left: one line for each letter, with the aisles between. In
    /// parts, if it is too long for a line.
    package var lying: [String] {
        let count = cabin.rows.count
        let parts = max((count + Self.rowsAbreast - 1) / Self.rowsAbreast, 1)
        let size = (count + parts - 1) / parts
        let lines = (0..<parts).flatMap { part -> [String] in
            let rows = Array(cabin.rows[part * size..<min((part + 1) * size, count)])
            return (part == 0 ? [] : [""]) + lying(rows, isFirst: part == 0)
        }
        return lines + legend + notDrawn
    }

    private func lying(_ rows: [CabinLayout.Row], isFirst: Bool) -> [String] {
        var head = ""
        for (index, row) in rows.enumerated() where index == 0 || row.number % 5 == 0 {
            let text = "\(row.number)"
            let start = 5 + 2 * index - text.count
            // A blank between rows if some are missing.
            guard head.count < start else { continue }
            head = padded(head, to: start) + text
        }
        let exits = rows.map { cabin.isExit(row: $0) }
        let front = isFirst && !exits.prefix(2).contains(true) ? "  <front" : "  <"
        let aisle = Self.aisle(exits)
        var lines = [head]
        var block = cabin.columns.last?.block
        for column in cabin.columns.reversed() {
            if column.block != block {
                lines.append(Self.over(front, aisle))
                block = column.block
            }
            let cells = rows.map { cell($0, column.column) }.joined(separator: " ")
            lines.append(" \(column.letter)  \(cells)".trimmedRight)
        }
        return lines
    }

    /// `x x exit`: an aisle between rows two cells apart, with a mark at each exit row, and the
    /// word after the last of them if it fits.
    package static func aisle(_ exits: [Bool]) -> String {
        var cells = exits.flatMap { [$0 ? "x" : " ", " "] }
        if !cells.isEmpty { cells.removeLast() }
        for (index, isExit) in exits.enumerated() where isExit {
            let place = 2 * index + 2..<2 * index + 6
            guard place.upperBound <= cells.count, cells[place].allSatisfy({ $0 == " " }) else {
                continue
            }
            cells.replaceSubrange(place, with: ["e", "x", "i", "t"])
        }
        return cells.joined()
    }

    /// The aisle with its exits; its beginning says where the front is.
    private static func over(_ front: String, _ aisle: String) -> String {
        let line = "    " + aisle
        return (front + line.dropFirst(front.count)).trimmedRight
    }

    private var legend: [String] {
        guard hasLegend else { return [] }
        var order: [SeatMark] = [.me, .aboard, .offers, .wants, .asks, .disputed]
        if marks.values.contains(.away) { order.insert(.away, at: 2) }
        return ["", order.map { "\(styled($0)) \($0.meaning)" }.joined(separator: "   ")]
    }

    /// Occupied seats that the layout does not have.
    private var notDrawn: [String] {
        let seats = marks.keys.filter { !cabin.contains($0) }.sorted()
        guard !seats.isEmpty else { return [] }
        let words = seats.map { "\($0.text) \(styled(marks[$0] ?? .empty))" }
        return ["", "Not in this layout: " + words.joined(separator: ", ")]
    }
}

extension String {
    fileprivate var trimmedRight: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
