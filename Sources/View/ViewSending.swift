// SPDX-License-Identifier: Apache-2.0
import Aviation
package import ControlAPI
import Grammar
import Protocol
import Terminal
import Text
import Wording

/// Sending what is typed.
extension ViewState {
    /// Enter: says the line, or runs its command. A line that is not understood is never sent.
    package mutating func send() -> [ViewIntent] {
        showsHint = false
        let line = editor.text
        guard line.contains(where: { !$0.isWhitespace }) else { return [] }
        conversations[current].bottom = nil
        // A blank in front does not turn a command into something to say.
        let bare = String(line.drop(while: \.isWhitespace))
        if bare.hasPrefix("//"), !isLookingUp {
            _ = editor.take()
            return say(String(bare.dropFirst()))
        }
        if bare.hasPrefix("/"), !bare.hasPrefix("//") { return command(bare) }
        if isLookingUp {
            notice = "Wait a moment: the passenger is being looked up. Nothing was sent."
            return []
        }
        _ = editor.take()
        return say(line)
    }

    /// Says `text` in the open conversation.
    package mutating func say(_ text: String) -> [ViewIntent] {
        guard let key = conversation.key else {
            if let status, status.linked == 0, ReachText.known(status) == 0 {
                note(
                    MeetingText.heard(status)
                        ?? ("No one else is \(isInVenue ? "here" : "aboard") yet. "
                            + "Whoever comes later will read it."))
            }
            return [.ask(Op.Say(text: text), .say(text))]
        }
        if key == Conversation.party {
            return [.ask(Op.SayToParty(text: text), .sayToParty(text))]
        }
        return [.ask(Op.Message(who: key, text: text), .message(text, key: key))]
    }

    /// `/msg Max von Habsburg hello`: the first word alone may be somebody else's name. Says how to
    /// write to the passenger, and keeps the line.
    mutating func refusesLongName(_ rest: String) -> Bool {
        let typed = rest.lowercased()
        let meant = peers.first { who in
            let name = who.name.lowercased()
            return name.contains(where: \.isWhitespace) && typed.hasPrefix(name)
        }
        guard let meant else { return false }
        let seat = meant.seats.first?.text ?? meant.tag
        editor.replace(with: "/msg " + rest)
        notice =
            "\(WhoText.short(meant.person)): write /msg \(visible(seat, cells: 8)) and the text. "
            + "Nothing was sent."
        return true
    }

    private mutating func command(_ line: String) -> [ViewIntent] {
        let rest = SlashTable.after(1, line)
        let words = SlashWords.split(line.dropFirst())
        let name = words.first ?? ""
        let operands = Array(words.dropFirst())
        if let command = SlashTable.command(name, isInVenue) {
            guard operands.count >= command.needs else {
                notice = "/\(name) wants more: /\(name) \(command.operands)"
                return []
            }
            _ = editor.take()
            let intents = command.run(&self, rest, operands)
            // If the question is put away, the line comes back.
            if question?.line == nil { question?.line = line }
            return intents.map { $0.asked(by: line) }
        }
        if SlashTable.isProgram(name, isInVenue) {
            _ = editor.take()
            return run(words)
        }
        // The line stays, so that it can be corrected.
        if isInVenue, SlashTable.names.contains(name) {
            notice = "/\(name) is for flights: nobody has a seat in a venue. Nothing was sent."
            return []
        }
        let nearest = Suggestions.nearest(to: name, among: SlashTable.names(isInVenue))
        let hint = nearest.map { "Did you mean /\($0)? " } ?? ""
        notice = "No command /\(visible(name, cells: 24)). \(hint)Nothing was sent."
        return []
    }

    /// Runs a command of the program; its output becomes a page.
    package mutating func run(_ words: [String]) -> [ViewIntent] {
        page = Page(
            title: Self.title(words), lines: ["..."], isWaiting: true)
        focus = .page
        return [.run(words)]
    }

    /// `/who bo`: the command as typed in the view.
    private static func title(_ words: [String]) -> String {
        "/" + words.filter { $0 != "--" }.joined(separator: " ")
    }

    /// Commands that print what others said, or what to type in a shell: as it is.
    private static let quoting = [Verb.log, .search, .history, .help].map(\.rawValue)

    /// Shows the output of a command.
    package mutating func ran(_ words: [String], lines: [String]) {
        let title = Self.title(words)
        guard page?.isWaiting == true, page?.title == title else { return }
        let typed = Self.quoting.contains(words.first ?? "") ? lines : lines.map(SlashTable.typed)
        page = Page(title: title, lines: typed.isEmpty ? ["Done."] : typed)
    }

    /// Shows all keys and commands, or the program's help about one.
    package mutating func help(_ word: String?) -> [ViewIntent] {
        if let word, SlashTable.isProgram(word, isInVenue) { return run(["help", word]) }
        page = Page(title: "Help", lines: HelpPage.lines(for: word, inVenue: isInVenue))
        focus = .page
        return []
    }

    // MARK: Swaps

    /// The options at the start of `text`; if they are wrong, `nil`, and the line is back with
    /// `rest`.
    package mutating func options(_ name: String, _ text: String, _ rest: String) -> SlashOptions? {
        do throws(UserError) {
            return try SlashOptions(name, text)
        } catch {
            editor.replace(with: "/\(name) " + rest)
            notice = visible(error.what) + ". Nothing was sent."
            return nil
        }
    }

    /// Asks the agent about a swap for `seat`; the answer becomes a question.
    mutating func draftSwap(
        seat: String, note: String, _ terms: SwapTerms = SwapTerms()
    ) -> [ViewIntent] {
        draft(.swap(Op.Swap(seat: seat.uppercased(), terms: terms)), note: note)
    }

    /// Asks the agent what a request would be; the answer becomes a question.
    package mutating func draft(_ what: Drafted, note: String) -> [ViewIntent] {
        var asked = what
        if !note.isEmpty { asked.terms.note = note }
        return [.call(asked.draft, .draft(asked))]
    }

    /// Offers the user's seats.
    package mutating func offer(_ words: [String]) -> [ViewIntent] {
        let kinds = words.flatMap { $0.split(separator: ",") }.map { $0.lowercased() }
            .filter { $0 != "for" }
            .map { word in
                if case .seats = SeatWish(text: word) { return word.uppercased() }
                return word
            }
        let wants = kinds.map { SeatWish(text: $0) }
        let end = wants.isEmpty ? "" : " for " + EventText.wants(wants)
        return [.ask(Op.Offer(for: kinds, note: ""), .told("Your seat is offered\(end)."))]
    }

    /// Opens the box of requests.
    mutating func showRequests() -> [ViewIntent] {
        if putFollowing() { return [] }
        if isInVenue {
            notice = "No question waits for you."
            return []
        }
        guard let first = waiting.first else {
            if requests.isEmpty {
                notice = "No requests are open."
                return []
            }
            return run(["requests"])
        }
        boxed = first.number
        page = nil
        focus = .request
        return []
    }

    /// One key against whoever asks too often: blocks one passenger, or silences strangers. Both
    /// affect this user alone and can be undone.
    package mutating func silence() -> [ViewIntent] {
        guard let pressing = PressingText(status?.pressing) else {
            notice = "Nobody asks too often. /block WHO hides one, /silence is for strangers."
            return []
        }
        // A key blocks nobody whom the screen did not show.
        let shown = focus == .request ? waiting.first { $0.number == boxed } : waiting.first
        guard pressing.concerns(shown) else {
            notice = pressing.line(slash: true) + "."
            return []
        }
        boxed = nil
        if focus == .request { focus = .input }
        guard let who = pressing.pressing.who else { return silence(true) }
        let tag = visible(who.tag, cells: 16)
        return [
            .ask(
                Op.Block(who: who.key),
                .told(
                    "\(WhoText.tagged(who)) is hidden and refused, here only. /unblock \(tag) "
                        + "takes it back."))
        ]
    }

    /// Begins or ends silence for strangers.
    package func silence(_ isOn: Bool) -> [ViewIntent] {
        let words =
            isOn
            ? SilenceText.silenced + " /silence off ends that." : "Everybody may ask you again."
        return [.ask(Op.Silence(on: isOn), .told(words))]
    }

    mutating func nextBoxed() {
        let numbers = waiting.map(\.number)
        guard let boxed, let index = numbers.firstIndex(of: boxed) else {
            self.boxed = numbers.first
            return
        }
        self.boxed = numbers[(index + 1) % numbers.count]
    }

    mutating func answerBoxed(accept: Bool) -> [ViewIntent] {
        answer(boxed.map(String.init), accept: accept, note: "")
    }

    /// Asks the question before a yes or a no to a request.
    package mutating func answer(
        _ word: String?, accept: Bool, note: String, _ terms: SwapTerms = SwapTerms()
    ) -> [ViewIntent] {
        guard let request = pick(word, among: waiting) else { return [] }
        boxed = nil
        if focus == .request { focus = .input }
        guard accept else {
            put(
                Question(
                    sentence: "Decline: \(request.sentence)? "
                        + (note.isEmpty ? "They are not told. y/n" : "They get your note. y/n"),
                    intent: .ask(
                        Op.Decline(request: request.number, note: note), .declined)))
            return []
        }
        if let blocked = request.blocked {
            tell(blocked)
            return []
        }
        warn(request.warnings)
        // The yes is to what was shown, and to nothing that came meanwhile.
        var accept = Op.Accept(
            request: request.number, contract: request.contract,
            keep: terms.typed?.once != true, terms: terms)
        let risk =
            terms.unverified ? nil : RequestText.risk(request.request.risk).map { $0 + " y/n" }
        if risk != nil { accept.terms.unverified = true }
        let consent = request.consent
        put(
            Question(
                sentence: consent.question + " y/n", lines: consent.lines,
                intent: .ask(accept, .answered), second: risk))
        return []
    }

    /// Asks the question before a request is taken back.
    package mutating func cancel(_ word: String?) -> [ViewIntent] {
        let open = requests.map { RequestText($0) }.filter {
            ($0.state == .open || $0.state == .agreed) && !$0.needsAnswer
        }
        guard let request = pick(word, among: open) else { return [] }
        put(
            Question(
                sentence: "Take back request \(request.number): \(request.sentence)? y/n",
                intent: .ask(Op.Cancel(request: request.number), .cancelled)))
        return []
    }

    /// Asks the question before a swap without outcome is abandoned.
    package mutating func force(_ word: String) -> [ViewIntent] {
        let stranded = requests.map { RequestText($0) }.filter { $0.state == .stranded }
        guard let request = pick(word, among: stranded) else { return [] }
        put(
            Question(
                sentence: "Leave request \(request.number) without its outcome, and claim your old "
                    + "seat anew? y/n",
                intent: .ask(Op.Force(request: request.number), .forced)))
        return []
    }

    /// The request with that number, or the only one; says so if there is none.
    private mutating func pick(_ word: String?, among list: [RequestText]) -> RequestText? {
        if let word {
            if let found = list.first(where: { "\($0.number)" == word }) { return found }
            notice = "There is no such request \(visible(word, cells: 12)). F5 shows those for you."
            return nil
        }
        if list.count == 1 { return list[0] }
        notice =
            list.isEmpty
            ? "There is no request for that."
            : "Which one? Their numbers are "
                + list.map { "\($0.number)" }.joined(separator: ", ") + "."
        return nil
    }

    /// Asks the question before another seat is claimed instead of the user's own.
    package mutating func reseat(_ word: String) -> [ViewIntent] {
        let isPractice = status?.flight.practice == true
        guard let seat = Seat(word), cabin.contains(seat) || !isPractice else {
            notice = "\"\(visible(word, cells: 8))\" is not a seat on this plane."
            return []
        }
        guard mySeats.count == 1 else {
            notice = "You have \(mySeats.count) seats: /claim and /release change one of them."
            return []
        }
        let old = mySeats[0].text
        put(
            Question(
                sentence: "Tell everyone that you sit in \(seat.text) and not in \(old)? y/n",
                intent: .ask(
                    Op.Claim(seat: seat.text, dependant: false), .claimed(release: old))))
        return []
    }
}

extension ViewIntent {
    /// The same, with the line that asked for a draft.
    fileprivate func asked(by line: String) -> ViewIntent {
        guard case .call(let call, .draft(let asked, _)) = self else { return self }
        return .call(call, .draft(asked, line: line))
    }
}
