/// How lines of a conversation become lines of the screen.
struct ChatRows {
    /// One line of the screen: what stands where.
    struct Row: Hashable, Sendable {
        var clock = ""
        /// What is known about the speaker, in a column of its own that no name reaches.
        var sign = ""
        var name = ""
        var isOwn = false
        var isEvent = false
        var text = ""
        var mark = ""
    }

    /// Cells for the name of who speaks.
    let nameCells: Int
    private let state: ViewState
    private let width: Int

    /// A peer's message takes no more lines than this.
    private static let longest = 12

    init(_ state: ViewState, _ layout: ScreenLayout) {
        self.state = state
        let left = layout.chatLeft == 0 ? 0 : layout.chatLeft + 1
        width = layout.size.x - left
        nameCells = width >= 70 ? 14 : 9
    }

    /// The lines of the screen that a line takes.
    func of(_ line: ChatLine) -> [Row] {
        let mark = line.mark.text(ascii: state.ascii)
        let pieces = pieces(line, cells: width - 8 - nameCells - (mark.isEmpty ? 0 : 6))
        let name =
            switch line.kind {
            case .said(let key): Names.speaker(key, state, cells: nameCells - 2, else: line.name)
            case .own: WhoText.short(state.me)
            case .happened: "*"
            case .note: "-"
            }
        return pieces.enumerated().map { index, piece in
            var row = Row(text: piece)
            if index == 0 {
                (row.clock, row.name) = (line.clock, name)
                if case .said(let key) = line.kind { row.sign = Names.sign(key, state) }
            }
            row.isOwn = line.kind == .own
            row.isEvent = line.kind == .happened || line.kind == .note
            if index == pieces.count - 1 { row.mark = mark }
            return row
        }
    }

    /// How many lines of the screen a line takes.
    func count(_ line: ChatLine) -> Int {
        pieces(line, cells: width - 8 - nameCells - (line.mark == .none ? 0 : 6)).count
    }

    private func pieces(_ line: ChatLine, cells: Int) -> [String] {
        let cells = max(cells, 8)
        // Events in words carry their own star.
        let isStarred = line.kind == .happened && line.text.hasPrefix("* ")
        let text = isStarred ? line.text.dropFirst(2) : line.text[...]
        var pieces: [String] = []
        for part in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            pieces += Wrapping.lines(visible(String(part)), cells: cells)
            guard pieces.count <= Self.longest else {
                pieces = Array(pieces.prefix(Self.longest))
                pieces[Self.longest - 1] =
                    visible(pieces[Self.longest - 1], cells: cells - 2) + " …"
                break
            }
        }
        return pieces
    }
}

/// Scrolling by pages.
extension ViewState {
    /// One screen back, with a line or two of the last one.
    mutating func pageUp() {
        let layout = ScreenLayout(self)
        let rows = ChatRows(self, layout)
        let lines = conversation.lines
        let top = first(rows, lines, before: conversation.end, height: layout.chatLines)
        guard top > 0 else { return }
        // The oldest screen is a full one.
        let least = end(rows, lines, from: 0, height: layout.chatLines)
        let target = min(max(top + 1, least), lines.count)
        // A line as high as the screen is passed all the same.
        conversations[current].bottom = min(target, max(conversation.end - 1, 1))
    }

    /// One screen on.
    mutating func pageDown() {
        let layout = ScreenLayout(self)
        let rows = ChatRows(self, layout)
        let lines = conversation.lines
        let start = max(conversation.end - 1, 0)
        let target = end(rows, lines, from: start, height: layout.chatLines)
        conversations[current].bottom = target >= lines.count ? nil : target
    }

    /// The first line of which something is seen when the screen ends before line `end`.
    private func first(_ rows: ChatRows, _ lines: [ChatLine], before end: Int, height: Int) -> Int {
        var left = height
        var index = end
        while index > 0, left > 0 {
            index -= 1
            left -= rows.count(lines[index])
        }
        return left >= 0 && index == 0 ? 0 : index
    }

    /// The line after the last that fits on a screen that begins with line `start`.
    private func end(_ rows: ChatRows, _ lines: [ChatLine], from start: Int, height: Int) -> Int {
        var left = height
        var index = start
        while index < lines.count {
            left -= rows.count(lines[index])
            guard left >= 0 else { break }
            index += 1
        }
        return max(index, min(start + 1, lines.count))
    }
}
