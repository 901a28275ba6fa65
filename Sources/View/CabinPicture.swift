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
        if layout.map == .none { return }
        let plan = state.planOnMap
        let marks = plan?.marks(after: state.plans?.isAfter ?? true)
        let chosen = state.focus == .cabin ? state.cursor : nil
        let cabin = CabinPlane(layout: layout, ascii: state.ascii).plane(chosen: chosen) { seat in
            let item =
                marks.map { legend($0[seat] ?? .nobody) }
                ?? legend(state.marks[seat] ?? .empty)
            return (item.letter, item.style)
        }
        grid.draw(cabin)
        if layout.hasLegend { drawLegend(plan == nil ? self.marks : planMarks) }
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
        case .none, .places, .courts: return
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
