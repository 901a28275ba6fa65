import Protocol

/// The conversation on the screen, newest line at the bottom, and what may stand over it.
extension ScreenPicture {
    /// Cells for the name of who speaks.
    private var nameCells: Int { grid.width - layout.chatLeft >= 70 ? 14 : 9 }

    private var chatX: Int { layout.chatLeft == 0 ? 0 : layout.chatLeft + 1 }
    private var chatWidth: Int { grid.width - chatX }

    mutating func drawChat() {
        let height = layout.chatLines
        guard height > 0 else { return }
        if let lines = emptyWords { return write(lines, from: layout.chatTop) }
        var y = layout.chatTop + height - 1
        var skip = scroll(height)
        let conversation = state.conversation
        for index in conversation.lines.indices.reversed() {
            for row in rows(conversation.lines[index]).reversed() {
                if skip > 0 {
                    skip -= 1
                    continue
                }
                guard y >= layout.chatTop else { return }
                draw(row, y)
                y -= 1
            }
            guard index == conversation.firstNew else { continue }
            if skip > 0 {
                skip -= 1
                continue
            }
            guard y >= layout.chatTop else { return }
            drawNewLine(y)
            y -= 1
        }
    }

    /// Lines above the newest, never more than there are.
    private func scroll(_ height: Int) -> Int {
        guard state.conversation.scroll > 0 else { return 0 }
        var count = 0
        for line in state.conversation.lines.reversed() {
            count += rows(line).count
            if count >= state.conversation.scroll + height { return state.conversation.scroll }
        }
        return max(count - height, 0)
    }

    // MARK: One line

    /// One line of the screen: what stands where.
    private struct Row {
        var clock = ""
        var name = ""
        var isOwn = false
        var isEvent = false
        var text = ""
        var mark = ""
    }

    /// A peer's message takes no more lines than this.
    private static let longest = 12

    private func rows(_ line: ChatLine) -> [Row] {
        let left = 7 + nameCells + 1
        let mark = line.mark.text(ascii: state.ascii)
        let width = max(chatWidth - left - (mark.isEmpty ? 0 : cellWidth(mark) + 2), 8)
        var pieces: [String] = []
        for part in line.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            pieces += Wrapping.lines(visible(String(part)), cells: width)
            if pieces.count > Self.longest { break }
        }
        if pieces.count > Self.longest {
            pieces = Array(pieces.prefix(Self.longest))
            pieces[Self.longest - 1] = visible(pieces[Self.longest - 1] + " …", cells: width)
        }
        let name =
            switch line.kind {
            case .said(let key): Names.seated(key, state, else: line.name)
            case .own: WhoText.short(state.me)
            case .happened: "*"
            case .note: "-"
            }
        var text = pieces
        // Events in words carry their own star.
        if line.kind == .happened, let first = text.first, first.hasPrefix("* ") {
            text[0] = String(first.dropFirst(2))
        }
        return text.enumerated().map { index, piece in
            var row = Row(text: piece)
            if index == 0 { (row.clock, row.name) = (line.clock, name) }
            row.isOwn = line.kind == .own
            row.isEvent = line.kind == .happened || line.kind == .note
            if index == text.count - 1 { row.mark = mark }
            return row
        }
    }

    private mutating func draw(_ row: Row, _ y: Int) {
        let x = chatX
        grid.put(row.clock, x: x, y: y, style: .dim)
        let name = visible(row.name, cells: nameCells)
        let end = x + 6 + nameCells
        grid.put(name, x: end - cellWidth(name), y: y, style: row.isOwn ? .bold : .plain)
        grid.put(row.text, x: end + 2, y: y, style: row.isEvent ? .dim : .plain)
        guard !row.mark.isEmpty else { return }
        grid.put(row.mark, x: grid.width - cellWidth(row.mark) - 1, y: y, style: .dim)
    }

    private mutating func drawNewLine(_ y: Int) {
        let line = state.ascii ? "-" : "─"
        grid.rule(line, x: chatX, y: y, count: chatWidth)
        grid.put(" new ", x: chatX + 2, y: y, style: .bold)
    }

    // MARK: Nobody here, nothing said

    /// What stands in place of an empty chat: always what to do next.
    private var emptyWords: [String]? {
        let alone = state.left(0, since: state.now) != nil ? state.status["alone"]?.number : nil
        let isAlone = (alone ?? 0) >= 10 && state.current == 0
        let hasWords = state.conversation.lines.contains { $0.kind != .happened }
        if isAlone, !hasWords {
            return [
                "Nobody found yet. People appear here by themselves.",
                "If they sit next to you: F6 checks the network.",
            ]
        }
        guard state.hasHistory, state.conversation.lines.isEmpty else { return nil }
        if let key = state.conversation.key {
            let name = Names.short(key, state, else: state.conversation.name)
            return ["Only \(name) will read what you type here. /to all goes back to everyone."]
        }
        return [
            "Nothing was said yet. Type something and press Enter: everyone aboard reads it.",
            "Tab goes to the cabin, Enter on a seat asks for it.",
        ]
    }

    private mutating func write(_ lines: [String], from top: Int) {
        var y = top + 1
        for line in lines {
            for piece in Wrapping.lines(visible(line), cells: chatWidth - 4) {
                guard y < layout.chatTop + layout.chatLines else { return }
                grid.put(piece, x: chatX + 2, y: y)
                y += 1
            }
        }
    }

    // MARK: Pages and the box

    mutating func drawPage() {
        guard let page = state.page, layout.chatLines > 1 else { return }
        let lines = page.lines.flatMap { Wrapping.lines(visible($0), cells: chatWidth - 2) }
        let height = layout.chatLines - 1
        let top = min(page.top, max(lines.count - height, 0))
        let more =
            lines.count > height
            ? "  \(top + 1) to \(min(top + height, lines.count)) of \(lines.count)" : ""
        grid.put(page.title + more, x: chatX + 1, y: layout.chatTop, style: .bold)
        for (index, line) in lines.dropFirst(top).prefix(height).enumerated() {
            grid.put(line, x: chatX + 1, y: layout.chatTop + 1 + index)
        }
    }

    mutating func drawRequestBox() {
        let waiting = state.waiting
        guard let index = waiting.firstIndex(where: { $0.number == state.boxed }) else { return }
        let request = waiting[index]
        let left = state.left(request.request["left"]?.number, since: state.requestsAt)
        var lines = [
            "Request \(request.number), \(index + 1) of \(waiting.count) that wait for you", "",
        ]
        lines.append(request.sentence + ".")
        if !request.note.isEmpty { lines.append(request.note.drop { $0 == " " }.description) }
        lines += request.evidence
        if let left { lines.append("It runs out in \(SpanText.clock(left)).") }
        lines += ["", "a accept   d decline   l later" + (waiting.count > 1 ? "   n next" : "")]
        let rule = state.ascii ? "-" : "─"
        grid.rule(rule, x: chatX, y: layout.chatTop, count: chatWidth)
        var y = layout.chatTop + 1
        for line in lines {
            let pieces = line.isEmpty ? [""] : Wrapping.lines(visible(line), cells: chatWidth - 4)
            for piece in pieces {
                guard y < layout.chatTop + layout.chatLines else { return }
                grid.put(piece, x: chatX + 2, y: y, style: y == layout.chatTop + 1 ? .bold : .plain)
                y += 1
            }
        }
        if y < layout.chatTop + layout.chatLines {
            grid.rule(rule, x: chatX, y: y, count: chatWidth)
        }
    }
}

/// Lines that fit, broken at blanks where there are any.
enum Wrapping {
    /// `text` went through ``visible(_:cells:)``. Never empty.
    static func lines(_ text: String, cells: Int) -> [String] {
        guard cellWidth(text) > cells, cells > 0 else { return [text] }
        var lines: [String] = []
        var line = ""
        var width = 0
        // Where the line may be broken: letters before the blank, and their cells.
        var blank: (letters: Int, width: Int)?
        for letter in text {
            let size = cellWidth(String(letter))
            if width + size > cells {
                if letter == " " {
                    lines.append(line)
                    (line, width, blank) = ("", 0, nil)
                    continue
                }
                if let at = blank {
                    lines.append(String(line.prefix(at.letters)))
                    line = String(line.dropFirst(at.letters + 1))
                    width -= at.width + 1
                } else {
                    lines.append(line)
                    (line, width) = ("", 0)
                }
                blank = nil
            }
            if letter == " " { blank = (line.count, width) }
            line.append(letter)
            width += size
        }
        lines.append(line)
        return lines
    }
}
