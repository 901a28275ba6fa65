// SPDX-License-Identifier: Apache-2.0
import Notify
import Terminal
import Text
import Wording

/// What the lines of a conversation show on the screen, and how many of its lines they take.
struct ChatRows {
    /// The width of the column for names.
    let nameCells: Int
    private let state: ViewState
    private let width: Int
    private let mention: Mention

    /// The most lines that a peer's message takes.
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

    /// What stands at the right edge, where no words reach.
    func mark(_ line: ChatLine) -> String {
        line.timeMark.isEmpty ? line.mark.text(ascii: state.ascii) : line.timeMark
    }

    /// Who speaks, as it fits into the column for names.
    func speaker(_ line: ChatLine) -> String {
        let cells = isNarrow ? 12 : nameCells - 2
        if line.isOwn { return WhoText.short(state.me) }
        return switch line.content {
        case .chat(let news):
            Names.speaker(
                news.who.key, state, cells: cells, else: WhoText.short(news.who), then: news.who)
        case .message(let message):
            Names.speaker(
                message.who.key, state, cells: cells, else: WhoText.short(message.who))
        case .happened: "*"
        case .note: "-"
        }
    }

    /// What is known about the speaker, and `@` where the line names the passenger who reads, in
    /// columns of their own that no name reaches.
    func sign(_ line: ChatLine) -> String {
        guard let who = line.speaker else { return "" }
        let sign = Names.sign(who.key, state)
        return isMention(line) ? (sign.isEmpty ? " " : sign) + "@" : sign
    }

    /// How the words look.
    func style(_ line: ChatLine) -> Style {
        switch line.content {
        case .chat, .message: isMention(line) ? .bold : .plain
        case .happened, .note: .dim
        }
    }

    /// Whether another passenger names the one who reads.
    private func isMention(_ line: ChatLine) -> Bool {
        line.speaker != nil && mention.isIn(line.text)
    }

    /// How many lines of the screen a line takes.
    func count(_ line: ChatLine) -> Int { pieces(line).count }

    /// The words of a line as lines of the screen.
    func pieces(_ line: ChatLine) -> [String] {
        let cells = max(cells(line), 1)
        // The words of an event have their own star.
        let isStarred = line.isEvent && line.text.hasPrefix("* ")
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

/// Scrolling by pages, in lines of the screen.
extension ViewState {
    /// Scrolls back by one screen, less a line.
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
        // The oldest screen is full.
        let oldest = down(Conversation.Place(end: 0, hidden: 0), by: layout.chatLines, rows, lines)
        go(to: max(place, oldest))
    }

    /// Scrolls forward by one screen, less a line.
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

    /// The place that many lines of the screen further down.
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
