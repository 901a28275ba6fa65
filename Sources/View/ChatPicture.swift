// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Terminal
import Text
import Wording

/// The conversation on the screen, newest line at the bottom, and what may cover it.
extension ScreenPicture {
    var chatX: Int { layout.chatLeft == 0 ? 0 : layout.chatLeft + 1 }
    var chatWidth: Int { grid.width - chatX }

    mutating func drawChat() {
        let commands = SlashList.lines(state, atMost: min(layout.chatLines - 1, SlashList.most))
        let height = layout.chatLines - commands.count - covered
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
            y = draw(conversation.lines[index], hiding: hidden, rows, upFrom: y)
            guard y >= layout.chatTop else { return }
            guard index == conversation.firstNew else { continue }
            drawNewLine(y)
            y -= 1
        }
    }

    /// How many lines of the chat a question takes: what was said before it is to be read too.
    private var covered: Int {
        state.question.map { max($0.pieces(cells: grid.width - 2).count - 1, 0) } ?? 0
    }

    /// Draws a line of the conversation upwards from line `y` of the screen, without the lines of
    /// it that are below the edge. Gives the line of the screen above it.
    private mutating func draw(
        _ line: ChatLine, hiding hidden: Int, _ rows: ChatRows, upFrom y: Int
    ) -> Int {
        var y = y
        let pieces = rows.pieces(line)
        let style = rows.style(line)
        let left = rows.isNarrow ? chatX : chatX + 8 + rows.nameCells
        for index in pieces.indices.dropLast(hidden).reversed() {
            guard y >= layout.chatTop else { return y }
            grid.put(pieces[index], x: left, y: y, style: style)
            if index == 0, !rows.isNarrow { drawSpeaker(line, rows, y) }
            if index == pieces.count - 1, !rows.isNarrow {
                let mark = rows.mark(line)
                grid.put(mark, x: grid.width - cellWidth(mark) - 1, y: y, style: .dim)
            }
            y -= 1
        }
        return y
    }

    private mutating func drawSpeaker(_ line: ChatLine, _ rows: ChatRows, _ y: Int) {
        grid.put(line.clock, x: chatX, y: y, style: .dim)
        grid.put(rows.sign(line), x: chatX + 6, y: y, style: .bold)
        let name = visible(rows.speaker(line), cells: rows.nameCells)
        grid.put(
            name, x: chatX + 6 + rows.nameCells - cellWidth(name), y: y,
            style: line.isOwn ? .bold : .plain)
    }

    private mutating func drawNewLine(_ y: Int) {
        let line = state.ascii ? "-" : "─"
        grid.rule(line, x: chatX, y: y, count: chatWidth)
        grid.put(" new ", x: chatX + 2, y: y, style: .bold)
    }

    // MARK: Nobody here, nothing said

    /// The words in an empty chat: always what to do next.
    private var emptyWords: [String]? {
        let isAlone = (state.status?.alone ?? 0) >= 10 && state.current == 0
        let hasWords = state.conversation.lines.contains { !$0.isEvent }
        if isAlone, !hasWords {
            return [
                "Nobody found yet. People appear here by themselves.",
                state.isInVenue
                    ? "If somebody near you is here too: F6 checks the network."
                    : "If they sit next to you: F6 checks the network.",
            ]
        }
        guard state.hasHistory, state.conversation.lines.isEmpty else { return nil }
        if state.conversation.key == Conversation.party {
            return ["Who has the code of your party reads this. /to all goes back to everyone."]
        }
        if let key = state.conversation.key {
            let name = Names.short(key, state, else: state.conversation.name)
            return ["Only \(name) will read what you type here. /to all goes back to everyone."]
        }
        if state.isInVenue {
            return [
                "Nothing was said yet. Type something and press Enter: all here read it.",
                "Tab goes to the places, Enter on one checks in.",
            ]
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
        let keys = "a accept   d decline   l later" + (waiting.count > 1 ? "   n next" : "")
        let moves = request.consent.lines
        var lines: [String] = moves.isEmpty ? [request.sentence + "."] : moves
        if !request.note.isEmpty { lines.append(String(request.note.drop { $0 == " " })) }
        lines += request.evidence
        if let pressing = PressingText(state.status?.pressing), pressing.concerns(request) {
            lines.append("F7 silences them: \(pressing.fact).")
        }
        if let left { lines.append("It runs out in \(SpanText.clock(left)).") }
        let cells = chatWidth - 4
        let count = lines.reduce(0) { $0 + Wrapping.lines(visible($1), cells: cells).count }
        // In a small window, the sentence itself comes first; the keys are in the last lines too.
        let isSmall = layout.pageLines < max(9, count + 3)
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
            let pieces = line.isEmpty ? [""] : Wrapping.lines(visible(line), cells: cells)
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
