// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Protocol
import Terminal
import Text
import Wording

/// Draws the whole screen from the state (docs/guide/view.md). Pure.
struct ScreenPicture {
    let state: ViewState
    let layout: ScreenLayout
    var grid: Grid

    /// Draws the screen.
    static func draw(_ state: ViewState) -> Grid {
        var picture = ScreenPicture(
            state: state, layout: ScreenLayout(state),
            grid: Grid(width: state.size.x, height: state.size.y))
        picture.draw()
        if state.ascii { picture.grid.useASCII() }
        return picture.grid
    }

    private mutating func draw() {
        let isChat = state.focus == .input || state.focus == .cabin
        if layout.map != .none, isChat || !layout.isCramped {
            if let page = state.venue {
                drawVenue(page)
            } else {
                drawBar()
                drawCabin()
                drawAlert()
            }
            drawTabs()
        }
        defer { drawKeyLogMark() }
        switch state.focus {
        case .page, .plans: drawPage()
        case .request: drawRequestBox()
        case .people: drawPeople()
        case .input, .cabin: drawChat()
        }
        drawFooter()
        drawInput()
    }

    // MARK: The first line

    /// `seatagent   ada 14C   XY123   14 aboard   1 request   2 unread`.
    private mutating func drawBar() {
        grid.paint(line: 0, .bar)
        var parts = ["seatagent", WhoText.short(state.me) + mySeats]
        if let flight = state.status?.flight, !flight.practice {
            parts.append(visible(flight.designator, cells: 10))
        }
        parts += others
        let waiting = state.waiting.count
        if waiting > 0 { parts.append(waiting == 1 ? "1 request" : "\(waiting) requests") }
        if state.status?.asks == .known(.nothing) { parts.append("requests off") }
        if state.unread > 0 { parts.append("\(state.unread) unread") }
        if state.status?.awake == true { parts.append("kept awake") }
        if state.status?.stays == true { parts.append("stays") }
        let window = countdown
        let end = grid.put(
            parts.joined(separator: "   "), x: 1, y: 0, style: .bar,
            end: grid.width - (window.isEmpty ? 0 : cellWidth(window) + 2))
        let x = grid.width - cellWidth(window) - 1
        if !window.isEmpty, x > end { grid.put(window, x: x, y: 0, style: .bar) }
    }

    /// In place of the program's name in a flight's first line, else at the right: everybody who
    /// looks at this screen is to know it.
    private mutating func drawKeyLogMark() {
        guard state.status?.network.keylog != nil else { return }
        let mark = " keys logged "
        let hasBar = layout.map != .none && state.venue == nil
        let x = hasBar ? 0 : grid.width - cellWidth(mark)
        if x >= 0 { grid.put(mark, x: x, y: 0, style: .alert) }
    }

    /// `3 aboard`, `0 of 2 reachable`, `5 at the meeting point`; at first what is being looked at.
    private var others: [String] {
        let (aboard, away) = (state.status?.aboard ?? 0, state.status?.away ?? 0)
        let remote = state.status?.remote ?? 0
        var parts: [String] = []
        switch (aboard, away) {
        case (0, 0):
            guard remote == 0 else { break }
            parts = [state.status?.meeting.flatMap(MeetingText.sign) ?? "nobody else yet"]
        case (0, _): if remote == 0 { parts = ["0 of \(away) reachable"] }
        case (_, 0): parts = ["\(aboard) aboard"]
        default: parts = ["\(aboard) aboard, \(away) away"]
        }
        return parts + (remote > 0 ? ["\(remote) at the meeting point"] : [])
    }

    private var mySeats: String {
        let seats = WhoText.seats(state.me)
        return seats.isEmpty ? "" : " " + seats
    }

    /// How long until seats can be swapped, or until they no longer can.
    private var countdown: String {
        guard let window = state.status?.window,
            let left = state.left(window.seconds, since: state.statusAt)
        else { return "" }
        return switch window.state {
        case .known(.early): "swaps open in \(SpanText.words(left))"
        case .known(.open):
            left < 86_400 ? "swaps close in \(SpanText.words(left))" : "swaps are open"
        case .known(.closed), .other: "swaps are over"
        }
    }

    // MARK: What waits

    /// Draws one line for what matters most now.
    private mutating func drawAlert() {
        let x = layout.chatLeft
        let y = layout.alertLine
        if state.focus == .cabin, let seat = state.cursor {
            let line = visible(SeatLine.text(seat, state), cells: grid.width - x - 1)
            grid.put(line, x: x + 1, y: y, style: .bold)
        } else if let question = state.following.first {
            let room = grid.width - x - 16
            let words = visible(question.statement, cells: max(room, 10))
            grid.put("! \(words)  F5 answer", x: x + 1, y: y, style: .alert)
        } else if let request = state.waiting.first {
            let left = state.left(request.request.left, since: state.requestsAt)
            let time = left.map { "  \(SpanText.clock($0)) left" } ?? ""
            let isPressed = PressingText(state.status?.pressing)?.concerns(request) == true
            let tail = time + "  F5 answer" + (isPressed ? "  F7 silence" : "")
            let room = grid.width - x - 3 - cellWidth(tail)
            let words = visible(request.sentence + request.note, cells: max(room, 10))
            grid.put("! " + words + tail, x: x + 1, y: y, style: .alert)
        } else if let plans = state.plans, state.planOnMap != nil {
            let words =
                plans.isAfter
                ? "The cabin after this swap. Left: before it"
                : "The cabin before this swap. Right: after it"
            grid.put(words, x: x + 1, y: y, style: .bold)
        } else if let line = SwapLine.text(state, cells: grid.width - x - 1) {
            grid.put(line.text, x: x + 1, y: y, style: line.isUrgent ? .alert : .bold)
        } else if let what = state.status?.network.trouble?.what {
            let words = visible(what, cells: max(grid.width - x - 18, 10))
            grid.put("! \(words)  /status", x: x + 1, y: y, style: .alert)
        } else if state.showsHint {
            grid.put(
                "Tab: seats to ask for   F3: sit together, or a better seat   F1: help",
                x: x + 1, y: y, style: .dim)
        }
    }

    /// ` [all 2]  bo  dev 1`: the conversation on the screen in brackets, with counts of unread
    /// lines.
    private mutating func drawTabs() {
        var x = layout.chatLeft + 1
        for (index, conversation) in state.conversations.enumerated() {
            let count = conversation.unread > 0 ? " \(conversation.unread)" : ""
            let name = conversation.key.map { Names.short($0, state, else: conversation.name) }
            let label = visible(name ?? "all", cells: 16) + count
            let isHere = index == state.current
            guard x + cellWidth(label) + 3 < grid.width else {
                grid.put(">", x: grid.width - 1, y: layout.tabLine, style: .dim)
                break
            }
            x = grid.put(
                isHere ? "[\(label)]" : label, x: x, y: layout.tabLine,
                style: isHere || conversation.unread > 0 ? .bold : .plain)
            x += 2
        }
        guard layout.chatLeft > 0 else { return }
        grid.rule(
            state.ascii ? "-" : "─", x: layout.chatLeft + 1, y: layout.tabLine + 1,
            count: grid.width - layout.chatLeft - 1)
    }

    // MARK: The last two lines

    private mutating func drawFooter() {
        let y = grid.height - 2
        guard y > 0 else { return }
        let candidates = state.completion?.shown(cells: grid.width - 2) ?? ""
        if state.notice == nil, !candidates.isEmpty {
            grid.put(candidates, x: 1, y: y)
        } else {
            grid.put(footer, x: 1, y: y, style: state.notice == nil ? .dim : .bold)
        }
    }

    private var footer: String {
        if let notice = state.notice { return notice }
        if layout.map == .none {
            let what = state.isInVenue ? "the places" : "the cabin"
            return "make the window \(state.leastWindow) for \(what)"
        }
        if state.editor.lineCount > 1, state.focus == .input {
            return "\(state.editor.lineCount) lines: Enter sends, Ctrl-X Ctrl-E edits"
        }
        if state.focus == .input, state.conversation.bottom != nil {
            let below = state.conversation.lines.count - state.conversation.place.end
            let end = state.editor.isEmpty ? ", End to the newest" : ""
            return below == 0 ? "more below: PgDn\(end)" : "\(below) newer below: PgDn\(end)"
        }
        return switch state.focus {
        case .input where state.isInVenue:
            "Enter send  Tab places  F4 people  F1 help  /quit closes  PgUp scroll"
        case .input:
            "Enter send  Tab cabin  F3 together  F1 help  /quit closes  PgUp scroll"
        case .cabin: state.isInVenue ? placesFooter : cabinFooter
        case .request: "a accept  d decline  n next  l later"
        case .page: "PgUp PgDn scroll  / command  Esc back"
        case .plans:
            switch state.plans?.plan?.yours {
            case true?:
                "Enter propose it  Up Down another  r look again  Esc back  PgUp PgDn scroll"
            case false?: "Up Down another  r look again  Esc back  PgUp PgDn scroll"
            case nil: "r look again  PgUp PgDn scroll  / command  Esc back"
            }
        case .people: "type to filter  Up Down choose  Enter talk  Esc back"
        }
    }

    private var cabinFooter: String {
        let holders = state.cursor.map(state.holders) ?? []
        let isOther = holders.count == 1 && !holders[0].who.me
        let ask =
            isOther ? "Enter ask \(WhoText.short(holders[0].who)) to swap  m message  i who  " : ""
        return "arrows move  \(ask)Esc back to chat  ? help"
    }

    /// Draws the line being typed, or the question instead of it.
    private mutating func drawInput() {
        let y = grid.height - 1
        if let question = state.question { return drawQuestion(question) }
        if state.focus == .people { return drawFilter(y) }
        let name = state.conversation.key.map {
            Names.short($0, state, else: state.conversation.name)
        }
        let target = name.map { "to \(visible($0, cells: 16))" } ?? "all"
        let start = grid.put("[\(target)] ", x: 0, y: y)
        let input = InputPicture(state.editor, room: max(grid.width - start - 1, 1))
        grid.put(input.text, x: start, y: y)
        switch state.focus {
        case .input: grid.caret = Grid.Point(x: min(start + input.caret, grid.width - 1), y: y)
        case .cabin:
            grid.caret = state.isInVenue ? placeCaret : state.cursor.flatMap(layout.point(of:))
        case .request, .page, .people, .plans: grid.caret = nil
        }
    }

    /// Draws the whole question, on as many lines as it needs: people must be able to read what
    /// they agree to.
    private mutating func drawQuestion(_ question: Question) {
        let lines = question.pieces(cells: grid.width - 2)
        let top = max(grid.height - lines.count, 0)
        if top > 0 {
            grid.put(String(repeating: " ", count: grid.width), x: 0, y: top - 1)
            grid.put(question.hint(at: state.now), x: 1, y: top - 1, style: .dim)
        }
        for (index, line) in lines.suffix(grid.height).enumerated() {
            grid.put(String(repeating: " ", count: grid.width), x: 0, y: top + index)
            let end = grid.put(line, x: 1, y: top + index, style: .bold)
            grid.caret = Grid.Point(x: min(end + 1, grid.width - 1), y: top + index)
        }
    }
}

/// The part of a typed line that fits, with the caret in it.
struct InputPicture: Hashable, Sendable {
    /// The visible text; line ends are shown as a sign.
    let text: String
    /// Cells before the caret.
    let caret: Int

    init(_ editor: LineEditor, room: Int) {
        let shown = editor.letters.map { $0.isNewline ? "⏎" : visible(String($0)) }
        var start = editor.caret
        var cells = 0
        // Back from the caret as far as fits, with one cell left for the caret itself.
        while start > 0 {
            let width = cellWidth(shown[start - 1])
            guard cells + width < room else { break }
            cells += width
            start -= 1
        }
        caret = cells
        text = visible(shown[start...].joined(), cells: room)
    }
}

/// The names of passengers on the screen.
enum Names {
    /// The present name, with the tag if needed.
    static func short(_ key: String, _ state: ViewState, else name: String) -> String {
        guard let who = state.passengers[key]?.person else { return name }
        let text = WhoText.short(who)
        // No passenger's name may be mistaken for the conversation of all, or of the party.
        return ["all", Conversation.party].contains(text.lowercased())
            ? "\(text) \(tag(who))" : text
    }

    /// `✓`: codes were compared. `~`: the name looks like another's, or claims an office.
    static func sign(_ key: String, _ state: ViewState) -> String {
        guard let who = state.passengers[key]?.person else { return "" }
        if who.alarming || who.reserved || who.confusable { return "~" }
        guard who.evidence == .verified else { return "" }
        return state.ascii ? "+" : "✓"
    }

    /// `bo 12A`, in at most `cells`. The name may be cut, but never the part that distinguishes two
    /// passengers of one name.
    static func speaker(
        _ key: String, _ state: ViewState, cells: Int, else name: String, then: Person? = nil
    ) -> String {
        guard let now = state.passengers[key]?.person else {
            return visible(hasWord(name) ? name : "? " + name, cells: cells)
        }
        let who = then.map { Self.speaker($0, of: now) } ?? now
        // A name of signs alone could be mistaken for one of the view's own.
        let isDoubtful =
            !hasWord(who.name) || who.alarming || who.confusable || who.ambiguous || who.reserved
        let end = isDoubtful ? tag(who) : who.seats.first?.text ?? ""
        let own = visible(who.name, cells: max(cells - cellWidth(end) - 1, 3))
        if own.allSatisfy(\.isWhitespace) { return tag(who) }
        return own + (end.isEmpty ? "" : " " + end)
    }

    /// The speaker with the name and seat of that time, and with what is known about them now.
    private static func speaker(_ then: Person, of now: Person) -> Person {
        var who = now
        if !then.seats.isEmpty { who.seats = then.seats }
        guard !then.name.isEmpty, then.name != now.name else { return who }
        who.name = then.name
        who.ambiguous = true
        return who
    }

    private static func hasWord(_ name: String) -> Bool {
        name.contains { $0.isLetter || $0.isNumber }
    }

    private static func tag(_ who: Person) -> String {
        visible(who.tag.isEmpty ? "#?" : who.tag, cells: 6)
    }
}
