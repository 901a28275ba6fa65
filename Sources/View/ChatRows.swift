// SPDX-License-Identifier: Apache-2.0
import Notify
import Terminal
import Text
import Wording

/// How lines of a conversation become lines of the screen.
struct ChatRows {
    /// One line of the screen: what stands where.
    struct Row: Hashable, Sendable {
        var clock = ""
        /// What is known about the speaker, and `@` for words about oneself, in columns of their
        /// own that no name reaches.
        var sign = ""
        var name = ""
        var isOwn = false
        var isEvent = false
        /// It speaks of the passenger who reads.
        var isMention = false
        var text = ""
        var mark = ""
    }

    /// Cells for the name of who speaks.
    let nameCells: Int
    private let state: ViewState
    private let width: Int
    private let mention: Mention

    /// A peer's message takes no more lines than this.
    private static let longest = 12

    /// Whether the name stands before the words, without a column of its own.
    let isNarrow: Bool

    init(_ state: ViewState, _ layout: ScreenLayout) {
        self.state = state
        mention = Mention(state.me)
        let left = layout.chatLeft == 0 ? 0 : layout.chatLeft + 1
        width = layout.size.x - left
        isNarrow = width < 40
        nameCells = isNarrow ? 0 : width >= 70 ? 14 : 9
    }

    private func cells(_ line: ChatLine) -> Int {
        guard !isNarrow else { return max(width, 1) }
        let mark = mark(line)
        return width - 8 - nameCells - (mark.isEmpty ? 0 : max(6, mark.count + 3))
    }

    /// At the right edge, where no words reach.
    private func mark(_ line: ChatLine) -> String {
        line.timeMark.isEmpty ? line.mark.text(ascii: state.ascii) : line.timeMark
    }

    private func speaker(_ line: ChatLine) -> String {
        let cells = isNarrow ? 12 : nameCells - 2
        return switch line.kind {
        case .said(let key):
            Names.speaker(key, state, cells: cells, else: line.name, then: line.speaker)
        case .own: WhoText.short(state.me)
        case .happened: "*"
        case .note: "-"
        }
    }

    /// The lines of the screen that a line takes.
    func of(_ line: ChatLine) -> [Row] {
        let mark = mark(line)
        let pieces = pieces(line)
        let name = speaker(line)
        let isMention = isMention(line)
        return pieces.enumerated().map { index, piece in
            var row = Row(isMention: isMention, text: piece)
            if index == 0 {
                (row.clock, row.name) = isNarrow ? ("", "") : (line.clock, name)
                if case .said(let key) = line.kind { row.sign = Names.sign(key, state) }
                if isMention { row.sign = (row.sign.isEmpty ? " " : row.sign) + "@" }
            }
            row.isOwn = line.kind == .own
            row.isEvent = line.kind == .happened || line.kind == .note
            if index == pieces.count - 1 { row.mark = mark }
            return row
        }
    }

    /// Whether another passenger names the one who reads.
    private func isMention(_ line: ChatLine) -> Bool {
        guard case .said = line.kind else { return false }
        return mention.isIn(line.text)
    }

    /// How many lines of the screen a line takes.
    func count(_ line: ChatLine) -> Int { pieces(line).count }

    private func pieces(_ line: ChatLine) -> [String] {
        let cells = max(cells(line), 1)
        // Events in words carry their own star.
        let isStarred = line.kind == .happened && line.text.hasPrefix("* ")
        let words = isStarred ? String(line.text.dropFirst(2)) : line.text
        let call = isNarrow && isMention(line) ? "@ " : ""
        let mark = line.timeMark.isEmpty ? "" : " (\(line.timeMark))"
        let text = isNarrow ? "\(call)\(speaker(line))\(mark) \(words)" : words
        var pieces: [String] = []
        for part in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            pieces += Wrapping.lines(visible(String(part)), cells: cells)
            guard pieces.count <= Self.longest else {
                pieces = Array(pieces.prefix(Self.longest))
                pieces[Self.longest - 1] =
                    visible(pieces[Self.longest - 1], cells: max(cells - 2, 1)) + " …"
                break
            }
        }
        return pieces
    }
}

/// Scrolling by pages, to the line of the screen.
extension ViewState {
    /// One screen back, with a line of the last one.
    package mutating func pageUp() {
        let layout = ScreenLayout(self)
        let rows = ChatRows(self, layout)
        let lines = conversation.lines
        var place = conversation.place
        var left = max(layout.chatLines - 1, 1)
        while left > 0, place.end > 0 {
            let shown = rows.count(lines[place.end - 1]) - place.hidden
            if shown > left {
                place.hidden += left
                left = 0
            } else {
                left -= shown
                place = Conversation.Place(end: place.end - 1, hidden: 0)
            }
        }
        // The oldest screen is a full one.
        let oldest = down(Conversation.Place(end: 0, hidden: 0), by: layout.chatLines, rows, lines)
        go(to: max(place, oldest))
    }

    /// One screen on.
    package mutating func pageDown() {
        let layout = ScreenLayout(self)
        let step = max(layout.chatLines - 1, 1)
        let lines = conversation.lines
        go(to: down(conversation.place, by: step, ChatRows(self, layout), lines))
    }

    private mutating func go(to place: Conversation.Place) {
        let isNewest = place.end >= conversation.lines.count && place.hidden == 0
        conversations[current].bottom = isNewest ? nil : place
    }

    /// So many lines of the screen further down.
    private func down(
        _ start: Conversation.Place, by count: Int, _ rows: ChatRows, _ lines: [ChatLine]
    ) -> Conversation.Place {
        var place = start
        var left = count
        while left > 0 {
            if place.hidden > 0 {
                let step = min(left, place.hidden)
                place.hidden -= step
                left -= step
            } else {
                guard place.end < lines.count else { break }
                place.end += 1
                place.hidden = rows.count(lines[place.end - 1])
            }
        }
        return place
    }
}
