// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
package import Terminal
import Text

/// What keys do to the state.
extension ViewState {
    /// Handles a key; returns what has to be done.
    package mutating func handle(_ key: Key) -> [ViewIntent] {
        defer { if isShowing { conversations[current].look() } }
        return take(key)
    }

    /// Takes the window's new size.
    package mutating func resize(_ size: Grid.Point) {
        self.size = size
        // Letters must not act on a map that is not shown.
        if focus == .cabin, ScreenLayout(self).map == .none { focus = .input }
        reshowPlan()
    }

    private mutating func take(_ key: Key) -> [ViewIntent] {
        switch key {
        case .resize(let width, let height):
            resize(Grid.Point(x: width, y: height))
            return []
        case .focus(let isFocused):
            terminalFocus = isFocused ? .here : .away
            return []
        default: break
        }
        notice = nil
        if key != .control("c") { interruptedAt = nil }
        if let question { return answer(question, key) }
        switch key {
        case .paste(let text): return paste(text)
        case .click(let point): return focus == .cabin ? click(point) : []
        default: break
        }
        if focus == .cabin, let intents = typeSeat(key) { return intents }
        if focus == .people, filter(key) { return [] }
        if let action = KeyTable.action(key, in: place) { return perform(action) }
        if case .letter(let letter) = key, focus == .input { return type(letter) }
        return []
    }

    private var place: KeyBinding.Place {
        switch focus {
        case .input: .input
        case .cabin: isInVenue ? .places : .cabin
        case .request: .request
        case .page: .page
        case .people: .people
        case .plans: .plans
        }
    }

    package mutating func type(_ letter: Character) -> [ViewIntent] {
        if prefixed {
            prefixed = false
            return []
        }
        completion = nil
        showsHint = false
        editor.insert(String(letter))
        return []
    }

    package mutating func paste(_ text: String) -> [ViewIntent] {
        let unified = text.split(separator: "\r\n", omittingEmptySubsequences: false)
            .joined(separator: "\n").map { $0 == "\r" ? "\n" : $0 }
        if focus != .input { focus = .input }
        completion = nil
        editor.insert(String(unified))
        if editor.letters.count + text.count > LineEditor.limit {
            notice = "That is too long to be pasted here. Nothing was taken."
        }
        return []
    }

    // MARK: Actions

    private mutating func perform(_ action: KeyAction) -> [ViewIntent] {
        let wasPrefixed = prefixed
        prefixed = false
        switch action {
        case .end where wasPrefixed: return [.edit(editor.text)]
        case .prefix:
            prefixed = true
            return []
        case .complete, .completeBack: return complete()
        default: completion = nil
        }
        if edit(action) { return [] }
        if isInVenue, VenueTable.isOfSeats(action) {
            notice = VenueTable.noSeats
            return []
        }
        if case .move(let step) = action {
            move(step)
            return []
        }
        switch action {
        case .help: return help(nil)
        case .oldestRequest: return showRequests()
        case .doctor: return run(["doctor"])
        case .silence: return silence()
        case .toCabin: return enterCabin()
        case .toPeople: return focus == .people ? back() : openPeople()
        case .toPlans: return focus == .plans ? back() : openPlans()
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .interrupt: return interrupt()
        case .writeInEditor: return [.edit(editor.text)]
        case .send: return send()
        case .back: return back()
        case .trap: return [.trap]
        case .nextUnread, .conversation, .nextConversation, .previousConversation:
            return switchConversation(action)
        case .scrollUp, .scrollDown, .newest, .lineUp, .lineDown, .top: return scroll(action)
        case .message where focus == .people: return talkToChosen()
        case .ask where focus == .plans: return proposeShown()
        case .ask, .message, .who, .verify, .offer: return actOnSeat(action)
        case .command: return beginCommand()
        case .before where focus == .cabin: return turnDay(-1)
        case .after where focus == .cabin: return turnDay(1)
        case .before, .after:
            showPlan(after: action == .after)
            return []
        case .waitFor, .swapFor: return actOnBook(action)
        case .longer: return stretch(1)
        case .shorter: return stretch(-1)
        case .askDay: return beginCommand("/day ")
        case .lookAgain: return lookAgain()
        case .turnPlan: return togglePlan()
        case .openness: return toggleAsks()
        case .nextPassenger: return step(1)
        case .previousPassenger: return step(-1)
        case .accept, .decline: return answerBoxed(accept: action == .accept)
        case .nextRequest:
            nextBoxed()
            return []
        default: return []
        }
    }

    /// Changes that only concern the line; `false` for any other action.
    private mutating func edit(_ action: KeyAction) -> Bool {
        switch action {
        case .newLine: editor.insert("\n")
        case .earlier: editor.earlier()
        case .later: editor.later()
        case .left: editor.left()
        case .right: editor.right()
        case .home: editor.home()
        case .end: editor.end()
        case .wordLeft: editor.wordLeft()
        case .wordRight: editor.wordRight()
        case .deleteLeft: editor.deleteLeft()
        case .deleteRight: editor.deleteRight()
        case .killToEnd: editor.killToEnd()
        case .killToStart: editor.killToStart()
        case .killWordLeft: editor.killWordLeft()
        case .killWordRight: editor.killWordRight()
        case .yank: editor.yank()
        case .undo: editor.undo()
        default: return false
        }
        return true
    }

    private mutating func complete() -> [ViewIntent] {
        if editor.isEmpty { return enterCabin() }
        if var going = completion {
            going.next()
            editor.replace(from: going.start, with: going.word)
            completion = going
            return []
        }
        let seats = marks.keys.sorted().map(\.text)
        completion = Completion(
            editor, words: names + (seats + placeNames).map { Completion.Word($0) },
            commands: SlashTable.names(isInVenue))
        guard let completion else { return [] }
        editor.replace(from: completion.start, with: completion.word)
        return []
    }

    /// Names of places that are one word: the command takes no others without quotes.
    private var placeNames: [String] {
        (venue?.places ?? []).map { visible($0.name, cells: 60) }
            .filter { !$0.contains(where: \.isWhitespace) }
    }

    /// Names that Tab completes. In a command, a name of several words, or of two passengers, is
    /// completed to the seat: otherwise the rest of the line would be taken for a message to
    /// somebody else.
    private var names: [Completion.Word] {
        let isCommand = editor.letters.first == "/"
        let words = peers.compactMap { who -> Completion.Word? in
            let name = visible(who.name, cells: 48)
            guard !name.isEmpty else { return nil }
            let isPlain = !name.contains(where: \.isWhitespace) && !who.ambiguous
            let seat = who.seats.first?.text ?? who.tag
            return Completion.Word(name, meant: isCommand && !isPlain ? seat : name)
        }
        return words.sorted { $0.typed < $1.typed }
    }

    private mutating func interrupt() -> [ViewIntent] {
        if focus != .input { return back() }
        if !editor.isEmpty {
            editor.clear()
            return []
        }
        if let at = interruptedAt, now - at <= .seconds(2) {
            interruptedAt = nil
            return [.quit]
        }
        interruptedAt = now
        notice = "Ctrl-C again leaves the view; so does /quit. /leave stops the agent too."
        return []
    }

    private mutating func back() -> [ViewIntent] {
        focus = .input
        page = nil
        people = nil
        plans = nil
        boxed = nil
        typedRow = ""
        showsHint = false
        return []
    }

    /// A slash on a page: what the page says to type can be typed at once.
    private mutating func beginCommand(_ text: String = "/") -> [ViewIntent] {
        let intents = back()
        guard editor.isEmpty else { return intents }
        for letter in text { _ = type(letter) }
        return []
    }

    private mutating func switchConversation(_ action: KeyAction) -> [ViewIntent] {
        let count = conversations.count
        switch action {
        case .nextConversation: open((current + 1) % count)
        case .previousConversation: open((current + count - 1) % count)
        case .conversation(let index): open(index)
        default:
            let order = (1..<max(count, 1)).map { (current + $0) % count }
            guard let next = order.first(where: { conversations[$0].unread > 0 }) else {
                notice = "Nothing is unread."
                return []
            }
            open(next)
        }
        page = nil
        boxed = nil
        return []
    }

    private mutating func scroll(_ action: KeyAction) -> [ViewIntent] {
        if focus == .page {
            turnPage(action)
            return []
        }
        if focus == .people {
            choose(action)
            return []
        }
        if focus == .plans {
            if action == .lineUp || action == .lineDown {
                turnPlan(action == .lineUp ? -1 : 1)
            } else {
                turnPage(action)
            }
            return []
        }
        switch action {
        case .scrollUp: pageUp()
        case .scrollDown: pageDown()
        default:
            if editor.isEmpty { conversations[current].bottom = nil } else { editor.end() }
        }
        return []
    }

    private mutating func turnPage(_ action: KeyAction) {
        guard page != nil else { return }
        let height = max(ScreenLayout(self).pageLines - 1, 1)
        let last = max(pageRows.count - height, 0)
        let top = min(page?.top ?? 0, last)
        let target =
            switch action {
            case .scrollUp: top - max(height - 1, 1)
            case .scrollDown: top + max(height - 1, 1)
            case .lineUp: top - 1
            case .lineDown: top + 1
            case .top: 0
            default: last
            }
        page?.top = min(max(target, 0), last)
    }

    /// The page's lines, wrapped for the window.
    var pageRows: [String] {
        let layout = ScreenLayout(self)
        let left = layout.chatLeft == 0 ? 0 : layout.chatLeft + 1
        let cells = max(layout.size.x - left - 2, 1)
        return (page?.lines ?? []).flatMap { Wrapping.lines(visible($0), cells: cells) }
    }
}
