// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import CivilTime
import Protocol
import Terminal
import Text
import Wording

/// The cabin on the screen.
extension ScreenPicture {
    mutating func drawCabin() {
        switch layout.map {
        case .none: return
        case .lying: drawLying()
        case .upright: drawUpright()
        }
        let plan = state.planOnMap
        drawSeats(plan?.marks(after: state.plans?.isAfter ?? true))
        if layout.hasLegend { drawLegend(plan == nil ? marks : planMarks) }
    }

    /// Row numbers above, letters at the left with the nose there too; exits in the aisles.
    private mutating func drawLying() {
        let first = layout.shown.lowerBound
        var end = 0
        for row in layout.shown {
            let number = layout.cabin.rows[row].number
            guard row == 0 || number % 5 == 0 || row == first,
                let point = layout.point(row: row, column: 0)
            else { continue }
            let text = "\(number)"
            let x = point.x - text.count + 1
            // A blank between rows if some are missing.
            guard x > end else { continue }
            end = grid.put(text, x: x, y: 1, style: .dim)
        }
        for (column, item) in layout.cabin.columns.enumerated() {
            let point = layout.point(row: first, column: column)
            if let point { grid.put(String(item.letter), x: 2, y: point.y) }
        }
        for y in layout.aisleLines {
            let isMarked = layout.shown.prefix(2).contains { isExit($0) }
            grid.put(first == 0 && !isMarked ? "<front" : "<", x: 2, y: y, style: .dim)
            let aisle = SeatPicture.aisle(layout.shown.map { isExit($0) })
            for (offset, letter) in aisle.enumerated() where letter != " " {
                grid.put(String(letter), x: ScreenLayout.firstSeat + offset, y: y, style: .dim)
            }
            if layout.shown.upperBound < layout.cabin.rows.count {
                grid.put(">", x: grid.width - 1, y: y, style: .dim)
            }
        }
    }

    private func isExit(_ row: Int) -> Bool { layout.cabin.isExit(row: layout.cabin.rows[row]) }

    /// Letters above, row numbers at the left, a word at the exits.
    private mutating func drawUpright() {
        for (column, item) in layout.cabin.columns.enumerated() {
            let point = layout.point(row: layout.shown.lowerBound, column: column)
            if let point { grid.put(String(item.letter), x: point.x, y: 1, style: .dim) }
        }
        for row in layout.shown {
            let text = "\(layout.cabin.rows[row].number)"
            guard let point = layout.point(row: row, column: 0) else { continue }
            grid.put(text, x: 3 - text.count, y: point.y, style: .dim)
            let last = layout.point(row: row, column: layout.cabin.columns.count - 1)
            if let last, isExit(row) { grid.put("exit", x: last.x + 3, y: last.y, style: .dim) }
        }
        let line = state.ascii ? "|" : "│"
        for y in 1..<grid.height - 2 {
            grid.put(line, x: layout.chatLeft - 1, y: y, style: .dim)
        }
    }

    /// Draws all seats; while a swap that was found is shown, what they are in it.
    private mutating func drawSeats(_ plan: [Seat: PlanPicture.Mark]?) {
        for row in layout.cabin.rows[layout.shown] {
            for column in row.columns {
                guard let seat = Seat(row: row.number, column: Int(column)),
                    let point = layout.point(of: seat)
                else { continue }
                let item =
                    plan.map { legend($0[seat] ?? .nobody) }
                    ?? legend(state.marks[seat] ?? .empty)
                grid.put(item.letter, x: point.x, y: point.y, style: item.style)
                guard state.focus == .cabin, seat == state.cursor else { continue }
                grid.put("[", x: point.x - 1, y: point.y, style: .bold)
                grid.put("]", x: point.x + 1, y: point.y, style: .bold)
            }
        }
    }

    /// A letter of the map, and what it means.
    private struct LegendItem {
        let letter: String
        let style: Style
        /// Beside the lying cabin, and under the upright one.
        let words: (lying: String, upright: String)
    }

    private func legend(_ mark: SeatMark) -> LegendItem {
        LegendItem(
            letter: mark.letter(ascii: state.ascii), style: Style(mark),
            words: (lyingWords(mark), uprightWord(mark)))
    }

    private func legend(_ mark: PlanPicture.Mark) -> LegendItem {
        let short = mark == .party ? "party" : mark == .moves ? "moves" : mark.meaning
        return LegendItem(
            letter: mark.letter(ascii: state.ascii), style: Style(mark),
            words: (mark.meaning, short))
    }

    private var planMarks: [LegendItem] { PlanPicture.Mark.allCases.map { legend($0) } }

    private var marks: [LegendItem] {
        var marks: [SeatMark] = [.me, .aboard, .offers, .wants, .asks, .disputed]
        let seen = Set(state.marks.values)
        // It replaces a letter that nobody sees now.
        if seen.contains(.away) {
            let spare = marks.lastIndex { $0 != .me && $0 != .aboard && !seen.contains($0) }
            if let spare { marks.remove(at: spare) }
            marks.insert(.away, at: 2)
        }
        return marks.map { legend($0) }
    }

    private mutating func drawLegend(_ items: [LegendItem]) {
        switch layout.map {
        case .none: return
        case .lying: drawLyingLegend(items)
        case .upright(_, let rows):
            for (index, item) in items.enumerated() {
                let x = index % 2 == 0 ? 1 : 11
                let y = 3 + rows + index / 2
                grid.put(item.letter, x: x, y: y, style: item.style)
                grid.put(item.words.upright, x: x + 2, y: y)
            }
        }
    }

    /// The legend beside the seats, in whole words on as many lines as they need; one word each if
    /// there are too many.
    private mutating func drawLyingLegend(_ items: [LegendItem]) {
        let left = ScreenLayout.firstSeat + 2 * layout.shown.count + 1
        let cells = min(grid.width - left - 2, 12)
        var words = items.map { Wrapping.lines($0.words.lying, cells: cells) }
        let lines = layout.alertLine - 1
        if words.joined().count > lines { words = words.map { Array($0.prefix(1)) } }
        var y = words.joined().count < lines ? 2 : 1
        for (item, pieces) in zip(items, words) where y + pieces.count <= layout.alertLine {
            grid.put(item.letter, x: left, y: y, style: item.style)
            for piece in pieces {
                grid.put(piece, x: left + 2, y: y)
                y += 1
            }
        }
    }

    private func lyingWords(_ mark: SeatMark) -> String {
        mark == .disputed ? "disputed" : mark.meaning
    }

    private func uprightWord(_ mark: SeatMark) -> String {
        mark == .asks ? "asks" : mark.meaning
    }
}

/// `12A  bo #c2d9 verified   window, offers it for an aisle seat`: the seat under the cursor.
enum SeatLine {
    static func text(_ seat: Seat, _ state: ViewState) -> String {
        let kind = state.cabin.words(seat.text).map { "   " + $0 } ?? ""
        let holders = state.holders(seat)
        if holders.isEmpty { return "\(seat.text)  nobody is known here\(kind)" }
        if holders.count > 1 {
            let names = holders.map { WhoText.tagged($0.who) }.joined(separator: " and ")
            return "\(seat.text)  claimed by \(names): verify one before you swap"
        }
        return held(seat, by: holders[0], state, kind) + remarks(seat, state)
    }

    /// `; also claimed by cy #7f3a, who claims 9 seats, since 11:40`, and how many others.
    private static func remarks(_ seat: Seat, _ state: ViewState) -> String {
        let remarks = state.remarks(seat)
        guard let first = remarks.first else { return "" }
        let more = remarks.count > 1 ? " and \(remarks.count - 1) more" : ""
        return "; " + ClaimText.remark(first) + more
    }

    private static func held(
        _ seat: Seat, by holder: (who: Person, offer: SeatOffer?), _ state: ViewState,
        _ kind: String
    ) -> String {
        let name = holder.who.me ? "you" : WhoText.tagged(holder.who)
        let who = holder.who.away ? "\(name), \(ReachText.away(holder.who))" : name
        guard let offer = holder.offer, offer.seats.contains(seat) else {
            let asks = holder.who.me ? state.status?.asks : state.passengers[holder.who.key]?.asks
            let words = holder.who.me ? ", nobody may ask you" : ", does not want to be asked"
            return "\(seat.text)  \(who)\(kind)" + (asks == .known(.nothing) ? words : "")
        }
        let note = visible(offer.note, cells: 40)
        return "\(seat.text)  \(who)\(kind), offers it for \(EventText.wants(offer.wants))"
            + (note.isEmpty ? "" : "  \"\(note)\"")
    }
}

/// The line about own requests and swaps under way.
enum SwapLine {
    static func text(_ state: ViewState, cells: Int) -> (text: String, isUrgent: Bool)? {
        let requests = state.requests.map { RequestText($0) }
        if let request = requests.first(where: { $0.state == .stranded }) {
            return (
                "? waiting for \(request.takenSeats); your seat is held, the outcome is not known"
                    + "  /force \(request.number)", true
            )
        }
        if let request = requests.first(where: { $0.state == .agreed && !$0.stands }) {
            return (
                "agreed, waiting for \(request.takenSeats); "
                    + "your seat is held until all have signed",
                false
            )
        }
        let own = requests.first { $0.state == .open && !$0.needsAnswer }
        guard let request = own ?? requests.first(where: \.stands) else { return nil }
        let words =
            request.stands
            ? "you said yes to request \(request.number); it goes through when all have"
            : request.asking
        let left = state.left(request.request.left, since: state.requestsAt)
        let time = left.map { "  \(SpanText.clock($0)) left" } ?? ""
        let tail = "\(time)  /cancel \(request.number)"
        return (visible(words, cells: max(cells - cellWidth(tail), 10)) + tail, false)
    }
}
