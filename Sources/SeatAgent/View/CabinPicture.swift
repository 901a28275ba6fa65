import Protocol

/// The cabin on the screen.
extension ScreenPicture {
    mutating func drawCabin() {
        switch layout.map {
        case .none: return
        case .lying(let first, let rows): drawLying(first, rows)
        case .upright(let first, let rows): drawUpright(first, rows)
        }
        drawSeats()
        if layout.hasLegend { drawLegend() }
    }

    private func letter(_ column: Int) -> String {
        Seat(row: 1, column: column).map { String($0.letter) } ?? "?"
    }

    /// Row numbers above, letters at the left, the nose there too.
    private mutating func drawLying(_ first: Int, _ rows: Int) {
        for row in first..<first + rows where row == 1 || row % 5 == 0 || row == first {
            let point = Seat(row: row, column: 0).flatMap(layout.point(of:))
            guard let point else { continue }
            let text = "\(row)"
            grid.put(text, x: point.x - text.count + 1, y: 1, style: .dim)
        }
        for column in 0..<layout.cabin.columns {
            let point = Seat(row: first, column: column).flatMap(layout.point(of:))
            if let point { grid.put(letter(column), x: 2, y: point.y) }
        }
        let aisle = 2 + layout.cabin.columns - layout.cabin.columns / 2
        grid.put(first == 1 ? "<front" : "<", x: 2, y: aisle, style: .dim)
        if first + rows <= layout.cabin.rows {
            grid.put(">", x: grid.width - 1, y: aisle, style: .dim)
        }
    }

    /// Letters above, row numbers at the left.
    private mutating func drawUpright(_ first: Int, _ rows: Int) {
        for column in 0..<layout.cabin.columns {
            let point = Seat(row: first, column: column).flatMap(layout.point(of:))
            if let point { grid.put(letter(column), x: point.x, y: 1, style: .dim) }
        }
        for row in first..<first + rows {
            let point = Seat(row: row, column: 0).flatMap(layout.point(of:))
            let text = "\(row)"
            if let point { grid.put(text, x: 3 - text.count, y: point.y, style: .dim) }
        }
        let line = state.ascii ? "|" : "│"
        for y in 1..<grid.height - 2 {
            grid.put(line, x: layout.chatLeft - 1, y: y, style: .dim)
        }
    }

    private mutating func drawSeats() {
        for row in 1...max(layout.cabin.rows, 1) {
            for column in 0..<layout.cabin.columns {
                guard let seat = Seat(row: row, column: column),
                    let point = layout.point(of: seat)
                else { continue }
                let mark = state.marks[seat] ?? .empty
                grid.put(
                    mark.letter(ascii: state.ascii), x: point.x, y: point.y, style: Style(mark))
                guard state.focus == .cabin, seat == state.cursor else { continue }
                grid.put("[", x: point.x - 1, y: point.y, style: .bold)
                grid.put("]", x: point.x + 1, y: point.y, style: .bold)
            }
        }
    }

    private mutating func drawLegend() {
        let marks: [SeatMark] = [.me, .aboard, .offers, .wants, .asks, .disputed]
        let words = ["you", "aboard", "offers", "wants", "asks", "two"]
        switch layout.map {
        case .none: return
        case .lying(_, let rows):
            let lines = [2, 3, 4, 6, 7, 8]
            for (index, mark) in marks.enumerated() where index < layout.cabin.columns {
                let x = 5 + 2 * rows + 2
                grid.put(
                    mark.letter(ascii: state.ascii), x: x, y: lines[index], style: Style(mark))
                grid.put(words[index], x: x + 2, y: lines[index])
            }
        case .upright(_, let rows):
            for (index, mark) in marks.enumerated() {
                let x = index % 2 == 0 ? 1 : 11
                let y = 3 + rows + index / 2
                grid.put(mark.letter(ascii: state.ascii), x: x, y: y, style: Style(mark))
                grid.put(uprightWord(mark), x: x + 2, y: y)
            }
        }
    }

    private func uprightWord(_ mark: SeatMark) -> String {
        mark == .asks ? "asks" : mark.meaning
    }
}

/// `12A  bo #c2d9 verified   window, offers it for an aisle seat`: the seat under the cursor.
enum SeatLine {
    static func text(_ seat: Seat, _ state: ViewState) -> String {
        let kind = SeatKind.word(seat.text).map { "   " + $0 } ?? ""
        let holders = state.holders(seat)
        if holders.isEmpty { return "\(seat.text)  nobody is known here\(kind)" }
        if holders.count > 1 {
            let names = holders.map(WhoText.tagged).joined(separator: " and ")
            return "\(seat.text)  claimed by \(names): verify one before you swap"
        }
        let holder = holders[0]
        let who = WhoText.isMe(holder) ? "you" : WhoText.tagged(holder)
        guard let offer = holder["offer"], offer != .null,
            offer["seats"]?.list?.contains(.string(seat.text)) == true
        else { return "\(seat.text)  \(who)\(kind)" }
        let note = visible(offer["note"]?.text ?? "", cells: 40)
        return "\(seat.text)  \(who)\(kind), offers it for \(EventText.wants(offer["wants"]))"
            + (note.isEmpty ? "" : "  \"\(note)\"")
    }
}

/// The line about own requests and swaps under way, in words.
enum SwapLine {
    static func text(_ state: ViewState) -> (text: String, isUrgent: Bool)? {
        let requests = state.requests.map(RequestText.init)
        if let request = requests.first(where: { $0.state == "stranded" }) {
            return (
                "? waiting for \(request.takenSeats); your seat is held, the outcome is not known"
                    + "  /force \(request.number)", true
            )
        }
        if let request = requests.first(where: { $0.state == "agreed" }) {
            return (
                "agreed, waiting for \(request.takenSeats); your seat is held until all have signed",
                false
            )
        }
        guard let request = requests.first(where: { $0.state == "open" && !$0.needsAnswer })
        else { return nil }
        let left = state.left(request.request["left"]?.number, since: state.requestsAt)
        let time = left.map { "  \(SpanText.clock($0)) left" } ?? ""
        return ("\(request.sentence)\(time)  /cancel \(request.number)", false)
    }
}
