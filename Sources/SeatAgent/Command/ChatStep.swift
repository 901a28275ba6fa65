// SPDX-License-Identifier: Apache-2.0
import Grammar
import Protocol
import Text
import View

/// A word after a `/` that is the plain chat's own.
private enum ChatWord: String {
    case quit, exit, q
    case leave, down
    case me, to, seat, name, help, clear
    /// They work in the full-screen view.
    case notify, mouse, people
    /// They do not work yet.
    case web, qr
}

/// What a line typed into the plain chat asks for. A mistyped command is reported, and never sent
/// as chat.
package enum ChatStep: Hashable, Sendable {
    /// An empty line.
    case nothing
    /// A line for the open conversation.
    case say(String)
    /// `* ada waves`: the same with the name in front.
    case act(String)
    /// A change of the conversation, to this passenger or to everyone (`nil`).
    case talkTo(String?)
    /// A change of the conversation to the user's party.
    case talkToParty
    /// A command line of the program, without its name.
    case run([String])
    /// A change of the user's own seat.
    case reseat(String)
    /// The list of commands.
    case help
    /// A line for the user alone.
    case tell(String)
    /// The end of the chat; the agent goes on.
    case quit
    /// The end of the chat and the agent.
    case leave

    /// Parses a typed line.
    init(_ typed: String) {
        // A blank in front does not turn a command into something to say.
        let bare = String(typed.drop(while: \.isWhitespace))
        let line = bare.hasPrefix("/") ? bare : typed
        guard !bare.isEmpty else {
            self = .nothing
            return
        }
        guard line.hasPrefix("/") else {
            self = .say(line)
            return
        }
        if line.hasPrefix("//") {
            self = .say(String(line.dropFirst()))
            return
        }
        let words = SlashWords.split(line.dropFirst())
        let name = words.first ?? ""
        let operands = Array(words.dropFirst())
        let rest = SlashTable.after(1, line)
        let needs = SlashTable.command(name)?.needs ?? 0
        guard operands.count >= needs else {
            let usage = SlashTable.command(name)?.operands ?? ""
            self = .tell("/\(name) wants more: /\(name) \(usage). Nothing was sent.")
            return
        }
        self = Self.own(name, operands, rest) ?? Self.program(name, operands, rest)
    }

    // MARK: Commands

    /// Commands of the chat itself.
    private static func own(_ name: String, _ words: [String], _ rest: String) -> ChatStep? {
        guard let word = ChatWord(rawValue: name) else { return nil }
        return switch word {
        case .quit, .exit, .q: .quit
        case .leave, .down: .leave
        case .me: .act(rest)
        case .to where words[0].lowercased() == "party": .talkToParty
        case .to: .talkTo(words[0].lowercased() == "all" ? nil : rest)
        case .seat: .reseat(words[0])
        case .name: .run(["rename", "--", rest])
        case .help: words.isEmpty ? .help : .run(["help", slashless(words[0])])
        case .clear: .tell("There is nothing to clear here: lines only come and stay.")
        case .notify, .mouse, .people:
            .tell("/\(name) works in the full-screen view: seatagent without words.")
        case .web, .qr: .tell("This version has no /\(name). Nothing was sent.")
        }
    }

    /// Commands of the program; everything after a name or a number is plain text.
    private static func program(_ name: String, _ words: [String], _ rest: String) -> ChatStep {
        guard let verb = Verb(rawValue: name), known.contains(name) else {
            return unknown(name)
        }
        let follows =
            verb == .log && words.contains { ["-f", "--follow"].contains($0) }
            || [.together, .match].contains(verb) && words.contains("--watch")
        if follows || elsewhere.contains(verb) { return misplaced(name) }
        if verb == .say || verb == .search { return .run([name, "--", rest]) }
        if verb == .party, words.first == PartyWord.say.rawValue, words.count > 1 {
            return .run([name, "--", words[0], SlashTable.after(1, rest)])
        }
        if verb == .msg { return .run([name, "--", words[0], SlashTable.after(1, rest)]) }
        if verb == .offer { return .run([name] + words.filter { $0.lowercased() != "for" }) }
        if !hasOptions(words) {
            if verb == .swap { return .run([name] + swap(words, rest)) }
            if verb == .ring { return .run([name] + ring(words, rest)) }
            if verb == .undo { return .run([name] + undo(words, rest)) }
            if verb == .decline { return .run([name] + decline(words, rest)) }
        }
        return .run([name] + words)
    }

    /// Commands that run beside a chat only.
    private static let elsewhere: [Verb] = [.up, .agent, .restart, .chat, .watch]

    private static func misplaced(_ name: String) -> ChatStep {
        .tell("/\(name) has no place in a chat. Nothing was sent.")
    }

    private static func hasOptions(_ words: [String]) -> Bool {
        words.contains { $0.hasPrefix("--") && $0.count > 2 }
    }

    /// `12A for 14C because`: another's seat, the user's own, a note; `for the window` is a note.
    private static func swap(_ words: [String], _ rest: String) -> [String] {
        let give = SlashWords.given(words)
        let note = SlashTable.after(give == nil ? 1 : 3, rest)
        return [words[0]] + (give.map { ["--give", $0] } ?? []) + self.note(note)
    }

    /// `14C 12A 20B because`: seats, a note.
    private static func ring(_ words: [String], _ rest: String) -> [String] {
        let seats = SlashWords.seats(words)
        // What is no seat is one that was mistyped, where there are too few.
        guard seats.count >= 3 else { return words }
        return seats + note(SlashTable.after(seats.count, rest))
    }

    /// `2 we sat better before`: the number of a swap, a note.
    private static func undo(_ words: [String], _ rest: String) -> [String] {
        [words[0]] + note(SlashTable.after(1, rest))
    }

    /// `2 sorry` or `sorry`: the number of a request, a note.
    private static func decline(_ words: [String], _ rest: String) -> [String] {
        let number = words.first.flatMap { Int($0) }
        return (number.map { ["\($0)"] } ?? [])
            + note(SlashTable.after(number == nil ? 0 : 1, rest))
    }

    private static func note(_ text: String) -> [String] { text.isEmpty ? [] : ["--note=\(text)"] }

    private static func slashless(_ word: String) -> String {
        word.hasPrefix("/") ? String(word.dropFirst()) : word
    }

    // MARK: What there is

    private static let known = CommandTable.commands.filter { !$0.isHidden }.map(\.name)

    private static func unknown(_ name: String) -> ChatStep {
        let words = known + SlashTable.commands.map(\.name)
        let nearest = Suggestions.nearest(to: name, among: words)
        let hint = nearest.map { "Did you mean /\($0)? " } ?? ""
        return .tell("No command /\(visible(name, cells: 40)). \(hint)Nothing was sent.")
    }

    /// The list of commands, a line each.
    static func helpLines(_ inVenue: Bool = false) -> [String] {
        let elsewhere = ["notify", "mouse", "people", "clear"]
        let words = [
            "quit": "leave the chat; the agent goes on", "leave": "leave, and stop the agent",
            "together": "swaps after which your party sits together",
            "requests": "open requests, with their numbers", "help": "these lines, or one command",
        ]
        let rows = SlashTable.commands(inVenue).filter { !elsewhere.contains($0.name) }.map {
            command in
            let usage = "/\(command.name) \(command.operands)"
            let summary = words[command.name] ?? command.summary
            return "  " + (usage.count < 32 ? padded(usage, to: 32) : usage + "  ") + summary
        }
        let others = SlashTable.names(inVenue)
            .filter { SlashTable.isProgram($0, inVenue) }.map { "/\($0)" }
        return rows + [
            "  Also " + others.joined(separator: " "),
            "  //word sends /word. A mistyped /command is never sent as chat.",
            "  Every line is sent by itself when it ends, also of a text that you paste.",
        ]
    }
}
