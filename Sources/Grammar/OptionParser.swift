// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Text

/// A command line, parsed by the table of commands; options may be anywhere in it.
package struct ParsedLine: Sendable {
    /// The command; `nil` if no word was given.
    package let command: Command?
    /// The words after the command, in order.
    package let operands: [String]
    /// Values by option name; an option without a value has an empty string each time it was given.
    package let values: [String: [String]]
    /// Whether `--` made the rest literal text.
    package var isLiteral = false

    /// Whether the option was given.
    package func has(_ option: String) -> Bool { values[option] != nil }

    /// The last value given.
    package func value(_ option: String) -> String? { values[option]?.last }

    /// The option's length of time in seconds; `nil` if it was not given. Throws `usage`, with the
    /// help of the command.
    package func seconds(_ option: String) throws(UserError) -> Int? {
        guard let text = value(option) else { return nil }
        guard let seconds = SpanText.seconds(text) else {
            throw UserError(
                .usage, "\"\(text)\" is not a length of time",
                why: "--\(option) wants a number with s, m, h or d, as in 90s or 10m",
                advice: "seatagent help \(command?.name ?? "peers")")
        }
        return seconds
    }
}

/// Parses command lines by the table that it is given.
package struct OptionParser: Sendable {
    /// All commands.
    package let commands: [Command]
    /// Options that every command has.
    package let globals: [Option]

    /// Reads `arguments` (without the program's name). Throws `usage`.
    package func parse(_ arguments: [String]) throws(UserError) -> ParsedLine {
        var words: [String] = []
        var given: [(option: Option?, written: String, value: String)] = []
        var rest = arguments[...]
        var isLiteral = false
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                isLiteral = true
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                words.append(argument)
                continue
            }
            for piece in split(argument) {
                let option = known(piece.name)
                let value = try value(of: option, piece, from: &rest, words: words)
                given.append((option, piece.name, value))
            }
        }
        if let moved = MovedCommand.error(words, given.map { ($0.option?.name, $0.value) }) {
            throw moved
        }
        let command = try command(words.first)
        var values: [String: [String]] = [:]
        for item in given {
            guard let option = item.option, allowed(option, in: command) else {
                throw unknown(item.written, in: command)
            }
            values[option.name, default: []].append(item.value)
        }
        let operands = Array(words.dropFirst())
        if let command, values["help"] == nil { try check(operands, of: command) }
        return ParsedLine(
            command: command, operands: operands, values: values, isLiteral: isLiteral)
    }

    // MARK: Options

    private struct Piece {
        let name: String
        let value: String?
    }

    /// `--seat=14C` is one piece, `-fq` two.
    private func split(_ argument: String) -> [Piece] {
        guard argument.hasPrefix("--") else {
            return argument.dropFirst().map { Piece(name: "-\($0)", value: nil) }
        }
        guard let equals = argument.firstIndex(of: "=") else {
            return [Piece(name: argument, value: nil)]
        }
        return [
            Piece(
                name: String(argument[..<equals]),
                value: String(argument[argument.index(after: equals)...]))
        ]
    }

    /// The option of any command with that spelling; all options of one name take the same value.
    private func known(_ written: String) -> Option? {
        let all = globals + commands.flatMap(\.options)
        return all.first { "--\($0.name)" == written || $0.letter.map { "-\($0)" } == written }
    }

    private func value(
        of option: Option?, _ piece: Piece, from rest: inout ArraySlice<String>, words: [String]
    ) throws(UserError) -> String {
        guard let option else { return "" }
        switch option.value {
        case .none:
            guard piece.value == nil else {
                throw UserError(
                    .usage, "--\(option.name) takes no value",
                    advice: line(words, with: option))
            }
            return ""
        case .optional: return piece.value ?? ""
        case .required(let metavariable, _):
            if let value = piece.value ?? rest.popFirst() { return value }
            throw UserError(
                .usage, "--\(option.name) wants a value", why: "\(metavariable) stands after it",
                advice: line(words, with: option))
        }
    }

    private func allowed(_ option: Option, in command: Command?) -> Bool {
        let mine = globals + (command?.options ?? [])
        return mine.contains { $0.name == option.name }
    }

    private func unknown(_ written: String, in command: Command?) -> UserError {
        let mine = (command?.options ?? []) + globals
        let names = mine.map { "--\($0.name)" }
        let nearest = Suggestions.nearest(to: written, among: names)
        let option = mine.first { "--\($0.name)" == nearest }
        let written = command?.isPrivate == true && option == nil ? "" : " " + written
        let advice = option.map { line(command.map { [$0.name] } ?? [], with: $0) }
        return UserError(
            .usage, "unknown option\(written)",
            advice: advice ?? (command.map { "seatagent help \($0.name)" } ?? "seatagent help"))
    }

    /// A valid command line that contains `option`.
    private func line(_ words: [String], with option: Option) -> String {
        let command = commands.first { $0.name == words.first }
        guard let command else { return "seatagent \(option.sample)" }
        // If the sample consists of options, this one replaces them.
        let sample = command.sample.hasPrefix("--") ? "" : " \(command.sample)"
        return "seatagent \(command.name)\(command.sample.isEmpty ? "" : sample) \(option.sample)"
    }

    // MARK: Words

    private func command(_ word: String?) throws(UserError) -> Command? {
        guard let word else { return nil }
        if let command = commands.first(where: { $0.name == word }) { return command }
        let names = commands.filter { !$0.isHidden }.map(\.name)
        let nearest = Suggestions.nearest(to: word, among: names)
        let command = commands.first { $0.name == nearest }
        throw UserError(
            .usage, "unknown command \(word)",
            advice: MeantCommand.line(word, among: commands) ?? command?.sampleLine
                ?? "seatagent help")
    }

    private func check(_ operands: [String], of command: Command) throws(UserError) {
        if operands.count < command.count.lowerBound {
            throw UserError(
                .usage, "\(command.name) wants more: \(command.operands)",
                advice: command.sampleLine)
        }
        if operands.count > command.count.upperBound {
            guard !command.isPrivate else {
                throw UserError(
                    .usage, "\(command.name) wants one word: \(command.operands)",
                    why: "a text with spaces goes between '' or comes from a file or -; your shell"
                        + " may remember this line",
                    advice: command.sampleLine)
            }
            throw UserError(
                .usage,
                "\"\(operands[command.count.upperBound])\" is too much for "
                    + command.name,
                advice: MeantCommand.swap(operands, of: command.verb) ?? command.sampleLine)
        }
    }
}
