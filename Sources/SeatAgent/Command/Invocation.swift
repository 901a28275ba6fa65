// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Glibc
import Grammar
import Launch
import Profile
import Protocol
import System
import Text
import View
import Wording

/// One command with its operands and options, ready to run.
struct Invocation {
    /// The parsed line.
    let line: ParsedLine
    /// The surroundings.
    let session: CommandSession
    /// The profile's places and socket.
    var place: ProfilePlace
    /// The user's settings; an option of the line wins.
    let config: Config
    /// Whether results are JSON.
    let json: Bool
    /// Whether hints are left out.
    let quiet: Bool
    /// Whether to use only ASCII letters.
    let ascii: Bool
    /// Whether to use colours.
    let colour: Bool
    /// How long to wait altogether, in seconds; `nil` for no limit.
    let timeout: Int?

    /// Reads the options that all commands have. Throws `usage`.
    init(_ line: ParsedLine, session: CommandSession, profile: String?) throws(UserError) {
        self.line = line
        self.session = session
        let environment = session.environment
        let given = line.value("profile") ?? profile ?? environment["SEATAGENT_PROFILE"]
        let name = try given.map { (text) throws(UserError) in try ProfileName(text) } ?? .standard
        let named = try ProfilePlace(profile: name, environment: environment)
        place = Self.isOfOwner(line) ? VenueProfile.owner(of: named)?.base ?? named : named
        json = try Self.wantsJSON(line)
        quiet = line.has("quiet")
        config = try Self.config(line, place, session)
        ascii = config.isOn(.ascii)
        colour =
            switch config.color {
            case .always: true
            case .never: false
            case .auto:
                session.console.writesTerminal && environment["NO_COLOR", default: ""].isEmpty
                    && environment["TERM"] != "dumb"
            }
        timeout = try line.seconds("timeout")
    }

    /// Whether a command is about what a user has, and not about one agent: the profile of a venue
    /// then means the user whose venue it is.
    private static func isOfOwner(_ line: ParsedLine) -> Bool {
        guard let command = line.command, command.isOfVenues else { return false }
        // What is erased is what was named.
        return command.verb != .profile || line.operands.first != ProfileWord.delete.rawValue
    }

    /// Whether results are wanted as JSON. Throws `usage` for an unknown version.
    static func wantsJSON(_ line: ParsedLine) throws(UserError) -> Bool {
        if let version = line.value("json"), !["", "1"].contains(version) {
            throw UserError(
                .usage, "this program writes version \(controlVersion) of its JSON, not \(version)",
                advice: "seatagent status --json=1")
        }
        return line.has("json")
    }

    /// The settings, with the options of the line above them. Throws `usage`, `bad-config` or
    /// `file`.
    private static func config(
        _ line: ParsedLine, _ place: ProfilePlace, _ session: CommandSession
    ) throws(UserError) -> Config {
        var config = Config.standard
        do throws(UserError) {
            config = try Config.load(place, environment: session.environment)
        } catch {
            let isSilent = line.has("help") || line.command?.needsNoConfig == true
            guard isSilent || line.command?.needsConfig == false else { throw error }
            // A request may run out while somebody repairs a file, so an answer goes out all the
            // same.
            if !isSilent {
                for text in error.lines + ["  note: the standard settings are used"] {
                    session.console.err(text)
                }
            }
        }
        if line.has("ascii") { config = try config.with(.ascii, "on", option: "--ascii") }
        if line.has("no-color") {
            config = try config.with(.color, "never", option: "--no-color")
        } else if let color = line.value("color") {
            config = try config.with(.color, color, option: "--color")
        }
        return config
    }

    /// The words after the command.
    var operands: [String] { line.operands }

    private var console: Console { session.console }

    /// Whether a question may be asked: a terminal on both sides and no `--no-input`.
    var mayAsk: Bool { console.readsTerminal && !line.has("no-input") && !json }

    // MARK: Options

    /// The option's length of time in seconds; `nil` if it was not given.
    func seconds(_ option: String) throws(UserError) -> Int? {
        try line.seconds(option)
    }

    /// The option's whole number; `nil` if it was not given.
    func number(_ option: String) throws(UserError) -> Int? {
        guard let text = line.value(option) else { return nil }
        return try number(text, name: "--\(option)")
    }

    /// Operand `index` as a whole number; `nil` if there is no such operand. A command whose
    /// operands have several forms says what the number is, and a line to try.
    func numberOperand(
        _ index: Int, name: String? = nil, advice: String? = nil
    ) throws(UserError) -> Int? {
        guard index < operands.count else { return nil }
        return try number(
            operands[index], name: name ?? line.command?.operands ?? "", advice: advice)
    }

    /// `[N] [off]` without its brackets: the first word of it.
    private func bare(_ name: String) -> String {
        let word = name.split(separator: " ").first.map(String.init) ?? name
        return word.hasPrefix("[") && word.hasSuffix("]")
            ? String(word.dropFirst().dropLast()) : name
    }

    private func number(
        _ text: String, name: String, advice: String? = nil
    ) throws(UserError) -> Int {
        guard let number = Int(text), number >= 0 else {
            throw UserError(
                .usage, "\"\(text)\" is not a number", why: "\(bare(name)) is one",
                advice: advice ?? line.command?.sampleLine)
        }
        return number
    }

    /// The operands from `index` on as one text; a single `-` reads standard input, but after `--`
    /// it is text too.
    func text(from index: Int) throws(UserError) -> String {
        let words = operands[index...]
        let isInput = Array(words) == ["-"] && !line.isLiteral
        let text = isInput ? try console.readAll() : words.joined(separator: " ")
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw UserError(
                .emptyText, "there is nothing to send", advice: line.command?.sampleLine)
        }
        return text
    }

    // MARK: The agent

    /// A connection to the profile's agent; `deadline` ends its waits.
    func connect(deadline: Instant? = nil) throws(UserError) -> ControlClient {
        let client: ControlClient
        do throws(UserError) {
            client = try ControlClient(place.socket, deadline: deadline)
        } catch {
            throw LastAgent(place).explaining(error)
        }
        if client.hello.agent != Version.text, !client.hello.agent.isEmpty, !json {
            let agent = visible(client.hello.agent)
            console.err("seatagent: agent \(agent), command \(Version.text)")
            console.err("  try: seatagent restart")
        }
        if line.has("verbose") {
            console.err(
                "seatagent: agent \(visible(client.hello.agent)) at " + place.socket.path)
        }
        return client
    }

    /// When `--timeout` ends the command; `standard` seconds if it was not given.
    func deadline(standard: Int? = nil) -> Instant? {
        (timeout ?? standard).map { SystemClock.now() + .seconds(Int64($0)) }
    }

    /// Asks one question of the agent.
    func ask<Operation: ControlOperation>(
        _ operation: Operation
    ) throws(UserError) -> Answer<Operation.Reply> {
        // The agent answers within a turn of its loop, so after 30 s it hangs.
        try connect(deadline: deadline(standard: 30)).ask(operation)
    }

    /// Asks one question and prints the answer: as lines, or for JSON as it came, which needs no
    /// reading of its members.
    func show<Operation: ControlOperation>(
        _ operation: Operation, _ lines: (Operation.Reply) -> [String]
    ) throws(UserError) -> ExitCode {
        if json {
            let client = try connect(deadline: deadline(standard: 30))
            return finish(try client.relay(operation))
        }
        for line in lines(try ask(operation).reply) { console.out(line) }
        return .done
    }

    // MARK: Output

    /// Prints the result as JSON or as `lines`, which are made only then, and ends successfully.
    func finish(_ result: JSON, _ lines: @autoclosure () -> [String] = []) -> ExitCode {
        if json {
            console.out(ControlReply.done(result).line)
        } else {
            for line in lines() { console.out(line) }
        }
        return .done
    }

    /// Prints the agent's answer as it came or as `lines`, and ends successfully.
    func finish<Reply>(
        _ answer: Answer<Reply>, _ lines: @autoclosure () -> [String] = []
    ) -> ExitCode {
        finish(answer.json, lines())
    }

    /// A line for people only.
    func say(_ text: String) {
        if !json { console.out(text) }
    }

    /// Prints a hint for people only, on standard error, so that it never gets into a pipe.
    func hint(_ text: String) {
        if !json, !quiet { console.err(session.named(text)) }
    }

    /// Prints a line that has to be seen before a question is answered, even with `--quiet`.
    func note(_ text: String) {
        if !json { console.err("  note: " + session.named(visible(text))) }
    }

    /// Asks a question that is answered with y or n; no is the default.
    ///
    /// A line typed before the question could be read is not an answer; it waits for its own turn.
    func confirm(_ question: String) -> Bool { decide(question) == true }

    /// The same with the list above the question, even with `--quiet`.
    func confirm(_ consent: Consent) -> Bool {
        for line in consent.lines { console.err(visible(line)) }
        return confirm(consent.question)
    }

    /// The same for a question whose no has a meaning: `nil` for any other line, which puts the
    /// question away, and at the end of input.
    func decide(_ question: String) -> Bool? {
        choose(question, "y/n", ["y": true, "yes": true, "n": false, "no": false])
    }

    /// Asks a question with two answers. Any other line puts it away, and so does the end of input:
    /// `nil`. A line that comes before the question could be read is not an answer.
    func choose<Answer>(
        _ question: String, _ words: String, _ answers: [String: Answer]
    ) -> Answer? {
        console.later {
            console.prompt(visible(question) + " \(words) ")
            let asked = SystemClock.now()
            while let line = console.readLine() {
                guard let answer = answers[line.lowercased().filter { !$0.isWhitespace }] else {
                    giveBack(line, words)
                    return nil
                }
                let isRead = SystemClock.now() - asked >= Question.readingTime
                if isRead || !console.isTyped { return answer }
                console.err(Question.tooSoon)
                console.prompt(visible(question) + " \(words) ")
            }
            console.err("")
            return nil
        }
    }

    /// Keeps a line that was meant for something else.
    private func giveBack(_ line: String, _ words: String) {
        guard line.contains(where: { !$0.isWhitespace }) else { return }
        let both = words.split(separator: "/").joined(separator: " nor ")
        console.err("  \"\(visible(line, cells: 200))\" is neither \(both).")
    }
}
