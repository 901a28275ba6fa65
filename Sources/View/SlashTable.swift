// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Grammar
import Notify
import Protocol
import Text

/// A command that is typed as `/NAME`.
package struct SlashCommand: Sendable {
    /// The word after the slash.
    package let name: String
    /// Its operands as the help shows them.
    package var operands = ""
    /// What it does, in one line.
    package let summary: String
    /// The least number of words after it.
    package var needs = 0
    /// Runs it; `words` are the words after it.
    let run: @Sendable (inout ViewState, _ rest: String, _ words: [String]) -> [ViewIntent]
}

/// All slash commands. A word that is not here but is a command of the program runs as one, and its
/// output is shown as a page.
package enum SlashTable {
    /// The command of that name, on a flight or in a venue.
    package static func command(_ name: String, _ inVenue: Bool = false) -> SlashCommand? {
        commands(inVenue).first { $0.name == name }
    }

    /// The view's own commands there.
    package static func commands(_ inVenue: Bool) -> [SlashCommand] {
        inVenue ? VenueTable.commands : commands
    }

    /// Every word that may follow a slash there.
    package static func names(_ inVenue: Bool) -> [String] {
        inVenue ? VenueTable.names : names
    }

    /// Whether the program itself has the command and the view may run it there.
    package static func isProgram(_ name: String, _ inVenue: Bool) -> Bool {
        inVenue ? VenueTable.programNames.contains(name) : isProgram(name)
    }

    /// Every word that may follow a slash.
    package static let names = (commands.map(\.name) + programNames).sorted()

    /// Commands of the program that make sense in a view.
    static let programNames = CommandTable.commands
        .filter { command in
            !command.isHidden && !commands.contains { $0.name == command.name }
                && !["up", "agent", "restart", "chat", "watch", "web", "host", "down", "say"]
                    .contains(
                        command.name)
        }
        .map(\.name)

    /// Whether the program itself has the command and the view may run it.
    package static func isProgram(_ name: String) -> Bool { programNames.contains(name) }

    /// `seatagent requests` in the form for the view: `/requests`.
    static func asTyped(_ advice: String) -> String {
        let start = "seatagent "
        guard advice.hasPrefix(start) else { return advice }
        let rest = advice.dropFirst(start.count)
        // What is said to all is typed as it is.
        if rest.hasPrefix("say \""), rest.hasSuffix("\"") {
            return String(rest.dropFirst(5).dropLast())
        }
        let word = rest.prefix { $0.isLetter || $0 == "-" }
        return names.contains(String(word)) ? "/" + rest : advice
    }

    /// The same for every command in a line of the program's own.
    package static func typed(in line: String) -> String {
        let start = "seatagent "
        let pieces = line.split(separator: start, omittingEmptySubsequences: false)
        return pieces.dropFirst().reduce(String(pieces.first ?? "")) { text, piece in
            text + asTyped(start + piece)
        }
    }

    /// The view's own commands, in the order of the help.
    package static let commands: [SlashCommand] = swaps + talk + others

    private static let swaps: [SlashCommand] = [
        SlashCommand(
            name: "swap", operands: "SEAT [for MINE] [NOTE]",
            summary: "ask for a seat in exchange for yours", needs: 1
        ) { state, rest, words in
            // "for the window" is a note, "for 14C" names the seat that is given.
            let give = SlashWords.given(words)
            guard let options = state.options("swap", after(give == nil ? 1 : 3, rest), rest)
            else { return [] }
            var terms = options.terms
            if let give { terms.give = give }
            return state.draftSwap(seat: words[0], note: options.rest, terms)
        },
        SlashCommand(
            name: "ring", operands: "MINE SEAT SEAT... [NOTE]",
            summary: "propose that each gives their seat to the next", needs: 3
        ) { state, rest, words in
            let seats = SlashWords.seats(words)
            guard let options = state.options("ring", after(seats.count, rest), rest)
            else { return [] }
            return state.draft(
                .ring(Op.Ring(seats: seats, terms: options.terms)), note: options.rest)
        },
        SlashCommand(
            name: "together", summary: "swaps after which your party sits together: F3"
        ) { state, _, words in
            words.isEmpty ? state.openPlans() : state.run(["together"] + words)
        },
        SlashCommand(name: "match", summary: "swaps that bring you what you wish") {
            state, _, words in
            words.isEmpty ? state.openPlans(.match) : state.run(["match"] + words)
        },
        SlashCommand(
            name: "offer", operands: "[for] [window|aisle|front|SEAT...]",
            summary: "offer your seat for a swap"
        ) { state, _, words in state.offer(words) },
        SlashCommand(name: "withdraw", summary: "take your offer back") { _, _, _ in
            [.ask(Op.Withdraw(), .told("Your offer is taken back."))]
        },
        SlashCommand(name: "requests", summary: "requests that wait for you") {
            state, _, _ in state.showRequests()
        },
        SlashCommand(name: "accept", operands: "[N]", summary: "say yes to a request") {
            state, rest, words in
            // The form that a refusal suggests: 3 --override.
            let number = words.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
            guard let options = state.options("accept", after(number == nil ? 0 : 1, rest), rest)
            else { return [] }
            return state.answer(number, accept: true, note: "", options.terms)
        },
        SlashCommand(
            name: "decline", operands: "[N] [NOTE]", summary: "say no; only a note reaches them"
        ) { state, rest, words in
            // "/decline 2 seats are too few" is a note, unless request 2 waits.
            let isNumber =
                state.waiting.contains { "\($0.number)" == words.first }
                || words.count == 1 && words.first.map { Int($0) != nil } ?? false
            return state.answer(
                isNumber ? words[0] : nil, accept: false,
                note: Self.after(isNumber ? 1 : 0, rest))
        },
        SlashCommand(name: "cancel", operands: "[N]", summary: "take your request back") {
            state, _, words in state.cancel(words.first)
        },
        SlashCommand(
            name: "force", operands: "N", summary: "leave a swap that gets no outcome",
            needs: 1
        ) { state, _, words in state.force(words[0]) },
        SlashCommand(
            name: "undo", operands: "N [NOTE]", summary: "propose a swap that was made backwards",
            needs: 1
        ) { state, rest, words in
            guard let number = Int(words[0]) else {
                state.note("/undo wants the number of a swap that was made. Nothing was sent.")
                return []
            }
            guard let options = state.options("undo", after(1, rest), rest) else { return [] }
            return state.draft(
                .undo(Op.Undo(request: number, terms: options.terms)), note: options.rest)
        },
        SlashCommand(
            name: "receipt", operands: "[N]", summary: "the signed agreement, to show the crew"
        ) { state, _, words in state.run(["receipt"] + words) },
        SlashCommand(
            name: "seated", operands: "[N] [off]",
            summary: "tell the others of a swap that you sit in your new seat"
        ) { state, _, words in state.run(["seated"] + words) },
    ]

    private static let talk: [SlashCommand] = [
        SlashCommand(
            name: "msg", operands: "WHO TEXT", summary: "a message to one passenger", needs: 2
        ) { state, rest, words in
            if state.refusesLongName(rest) { return [] }
            return
                [
                    .ask(Op.Who(who: words[0]), .talkAndSend(Self.after(1, rest), to: words[0]))
                ]
        },
        SlashCommand(
            name: "to", operands: "WHO|all|party", summary: "talk to one, to all, or to your party",
            needs: 1
        ) { state, _, words in
            if words[0].lowercased() == "all" {
                state.open(0)
                return []
            }
            if words[0].lowercased() == Conversation.party {
                state.openParty()
                return []
            }
            // Until it is known with whom, the next line is sent nowhere.
            state.lookingUp = state.now
            return [.ask(Op.Who(who: words[0]), .talk)]
        },
        SlashCommand(
            name: "me", operands: "TEXT", summary: "say what you do: * ada waves", needs: 1
        ) { state, rest, _ in
            state.say("* \(state.me?.name ?? "") \(rest)")
        },
        SlashCommand(
            name: "play", operands: "[WHO] [COLUMN]", summary: "four in a row with one passenger"
        ) { state, _, words in state.play(words) },
        SlashCommand(name: "search", operands: "TEXT", summary: "search what was said", needs: 1) {
            state, rest, _ in state.run(["search", "--", rest])
        },
        SlashCommand(name: "clear", summary: "empty this conversation on this screen") {
            state, _, _ in
            state.conversations[state.current].clear()
            return []
        },
    ]

    private static let others: [SlashCommand] = [
        SlashCommand(name: "who", operands: "WHO", summary: "who that is, and how sure") {
            state, _, words in state.run(["who"] + words)
        },
        SlashCommand(name: "peers", summary: "who is aboard") { state, _, _ in
            state.run(["peers"])
        },
        SlashCommand(name: "people", summary: "everyone aboard, to talk to: F4") { state, _, _ in
            state.openPeople()
        },
        SlashCommand(
            name: "verify", operands: "WHO", summary: "compare codes with a passenger", needs: 1
        ) { _, _, words in
            [.ask(Op.Verify(who: words[0]), .verify)]
        },
        SlashCommand(
            name: "block", operands: "WHO", summary: "hide a passenger and refuse everything",
            needs: 1
        ) { _, _, words in
            [
                .ask(
                    Op.Block(who: words[0]),
                    .told("Blocked: hidden and refused, here only. /unblock takes it back."))
            ]
        },
        SlashCommand(
            name: "silence", operands: "[off]",
            summary: "decline what strangers ask, for 30 minutes"
        ) { state, _, words in
            guard ["on", "off"].contains(words.first ?? "on") else {
                state.note("/silence wants off, or nothing. Nothing was changed.")
                return []
            }
            return state.silence(words.first != "off")
        },
        SlashCommand(name: "name", operands: "NEW", summary: "change your name", needs: 1) {
            _, rest, _ in
            [
                .ask(
                    Op.Rename(name: rest),
                    .told("Others now see you as \(visible(rest, cells: 48))."))
            ]
        },
        SlashCommand(name: "seat", operands: "NEW", summary: "change your seat", needs: 1) {
            state, _, words in state.reseat(words[0])
        },
        SlashCommand(
            name: "notify", operands: "on|off|mentions", summary: "bell and messages", needs: 1
        ) { state, _, words in
            guard let level = NotifySettings.Level(rawValue: words[0]) else {
                state.note("/notify wants on, off or mentions. Nothing was changed.")
                return []
            }
            state.note("Notifications: \(words[0]), until you leave the view.")
            return [.notify(level)]
        },
        SlashCommand(name: "mouse", operands: "on|off", summary: "the mouse on the map", needs: 1) {
            state, _, words in
            guard ["on", "off"].contains(words[0]) else {
                state.note("/mouse wants on or off. Nothing was changed.")
                return []
            }
            state.mouse = words[0] == "on"
            state.note("The mouse on the map is \(words[0]), until you leave the view.")
            return []
        },
        SlashCommand(name: "doctor", summary: "what is wrong with the network") { state, _, _ in
            state.run(["doctor"])
        },
        SlashCommand(name: "help", operands: "[COMMAND]", summary: "keys and commands") {
            state, _, words in state.help(words.first)
        },
        SlashCommand(name: "quit", summary: "close the view") { _, _, _ in [.quit] },
        SlashCommand(name: "leave", summary: "close the view and stop the agent") { _, _, _ in
            [.leave]
        },
    ]

    /// The text after the first `count` words.
    package static func after(_ count: Int, _ text: String) -> String {
        SlashWords.after(count, text)
    }
}
