// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Terminal
import Text
import Wording

/// The conversation on the screen, newest line at the bottom, and what may stand over it.
extension ScreenPicture {
    var chatX: Int { layout.chatLeft == 0 ? 0 : layout.chatLeft + 1 }
    var chatWidth: Int { grid.width - chatX }

    mutating func drawChat() {
        let commands = SlashList.lines(state, atMost: min(layout.chatLines - 1, SlashList.most))
        let height = layout.chatLines - commands.count
        guard height > 0 else { return }
        for (index, line) in commands.enumerated() {
            grid.put(
                visible(line, cells: chatWidth - 2), x: chatX + 1,
                y: layout.chatTop + height + index)
        }
        if let lines = emptyWords { return write(lines, from: layout.chatTop, height) }
        let rows = ChatRows(state, layout)
        var y = layout.chatTop + height - 1
        let conversation = state.conversation
        let place = conversation.place
        for index in conversation.lines.indices.prefix(place.end).reversed() {
            let hidden = index == place.end - 1 ? place.hidden : 0
            for row in rows.of(conversation.lines[index]).dropLast(hidden).reversed() {
                guard y >= layout.chatTop else { return }
                draw(row, rows, y)
                y -= 1
            }
            guard index == conversation.firstNew else { continue }
            guard y >= layout.chatTop else { return }
            drawNewLine(y)
            y -= 1
        }
    }

    private mutating func draw(_ row: ChatRows.Row, _ rows: ChatRows, _ y: Int) {
        let x = chatX
        let nameCells = rows.nameCells
        if rows.isNarrow {
            grid.put(row.text, x: x, y: y, style: style(row))
            return
        }
        grid.put(row.clock, x: x, y: y, style: .dim)
        let name = visible(row.name, cells: nameCells)
        let end = x + 6 + nameCells
        grid.put(row.sign, x: x + 6, y: y, style: .bold)
        grid.put(name, x: end - cellWidth(name), y: y, style: row.isOwn ? .bold : .plain)
        grid.put(row.text, x: end + 2, y: y, style: style(row))
        guard !row.mark.isEmpty else { return }
        grid.put(row.mark, x: grid.width - cellWidth(row.mark) - 1, y: y, style: .dim)
    }

    private func style(_ row: ChatRows.Row) -> Style {
        row.isMention ? .bold : row.isEvent ? .dim : .plain
    }

    private mutating func drawNewLine(_ y: Int) {
        let line = state.ascii ? "-" : "─"
        grid.rule(line, x: chatX, y: y, count: chatWidth)
        grid.put(" new ", x: chatX + 2, y: y, style: .bold)
    }

    // MARK: Nobody here, nothing said

    /// What stands in place of an empty chat: always what to do next.
    private var emptyWords: [String]? {
        let isAlone = (state.status?.alone ?? 0) >= 10 && state.current == 0
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

    private mutating func write(_ lines: [String], from top: Int, _ height: Int) {
        var y = top + 1
        for line in lines {
            for piece in Wrapping.lines(visible(line), cells: chatWidth - 4) {
                guard y < top + height else { return }
                grid.put(piece, x: chatX + 2, y: y)
                y += 1
            }
        }
    }

    // MARK: Pages and the box

    mutating func drawPage() {
        guard let page = state.page, layout.pageLines > 1 else { return }
        let lines = state.pageRows
        let height = layout.pageLines - 1
        let top = min(page.top, max(lines.count - height, 0))
        let more =
            lines.count > height
            ? "  \(top + 1) to \(min(top + height, lines.count)) of \(lines.count)" : ""
        grid.put(page.title + more, x: chatX + 1, y: layout.pageTop, style: .bold)
        for (index, line) in lines.dropFirst(top).prefix(height).enumerated() {
            grid.put(line, x: chatX + 1, y: layout.pageTop + 1 + index)
        }
    }

    mutating func drawRequestBox() {
        let waiting = state.waiting
        guard let index = waiting.firstIndex(where: { $0.number == state.boxed }) else { return }
        let request = waiting[index]
        let left = state.left(request.request.left, since: state.requestsAt)
        // In a small window the sentence itself comes first, and nothing else has to.
        let isSmall = layout.pageLines < 9
        let keys = "a accept   d decline   l later" + (waiting.count > 1 ? "   n next" : "")
        var lines: [String] = [request.sentence + "."]
        if !request.note.isEmpty { lines.append(String(request.note.drop { $0 == " " })) }
        lines += request.evidence
        if let pressing = PressingText(state.status?.pressing), pressing.concerns(request) {
            lines.append("F7 silences them: \(pressing.fact).")
        }
        if let left { lines.append("It runs out in \(SpanText.clock(left)).") }
        if !isSmall {
            let title = "Request \(request.number), \(index + 1) of \(waiting.count) for you"
            lines = [title, ""] + lines + ["", keys]
        }
        let rule = state.ascii ? "-" : "─"
        var y = layout.pageTop
        if !isSmall {
            grid.rule(rule, x: chatX, y: y, count: chatWidth)
            y += 1
        }
        for line in lines {
            let pieces = line.isEmpty ? [""] : Wrapping.lines(visible(line), cells: chatWidth - 4)
            for piece in pieces {
                guard y < layout.pageTop + layout.pageLines else { return }
                grid.put(piece, x: chatX + 2, y: y, style: line == lines.first ? .bold : .plain)
                y += 1
            }
        }
        if y < layout.pageTop + layout.pageLines {
            grid.rule(rule, x: chatX, y: y, count: chatWidth)
        }
    }
}
