// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Profile
import Text

/// What may come at the end of a line that is being typed, by the table of commands.
///
/// Knows nothing about shells and the agent: ``CompletionAnswer`` adds what depends on the moment.
package struct CompletionQuestion: Hashable, Sendable {
    /// The kind of word that may come.
    package enum Kind: Hashable, Sendable {
        /// One of these.
        case words([Candidate])
        /// A file of the user's own; shells complete those better.
        case files
        /// A passenger: a seat, a name, a tag.
        case passenger
        /// A seat that somebody else holds.
        case seatOfOthers
        /// One of the user's own seats.
        case ownSeat
        /// The number of a request to which this command applies.
        case request(command: String)
        /// The number of a receipt, or a file.
        case receiptOrFile
        /// A flight with stored records.
        case flight
        /// A flight of the passenger's list.
        case trip
        /// A cabin layout.
        case layout
        /// A profile that has been used here.
        case profile
        /// A network interface.
        case interface
        /// Something that only the user knows.
        case nothing
    }

    /// The kind of word that may come.
    package var kind: Kind
    /// The part that has been typed.
    package var typed: String
    /// What precedes it in the same word: `--seat=`.
    package var head = ""
    /// The profile named in the line.
    package var profile: String?

    /// Reads the words after the program's name. The last one is being typed and may be empty.
    package init(_ words: [String], parser: OptionParser) {
        var before = Self.joined(words)
        let last = before.popLast() ?? ""
        // bash splits `--seat=14` and replaces only what follows the equals sign.
        let isApart = words.dropLast().last == "=" || words.last == "="
        let line = Line(before, parser)
        profile = line.profile
        typed = last
        if let option = line.open {
            kind = Self.values(of: option, in: line.command)
        } else if line.onlyOperands {
            kind = Self.operand(line)
        } else if last.hasPrefix("--"), let equals = last.firstIndex(of: "=") {
            let name = String(last[..<equals].dropFirst(2))
            typed = String(last[last.index(after: equals)...])
            head = isApart ? "" : "--\(name)="
            kind = line.option(name).map { Self.values(of: $0, in: line.command) } ?? .nothing
        } else if last.hasPrefix("-") {
            kind = .words(line.options)
        } else if line.command == nil {
            kind = line.hasWord ? .nothing : .words(Self.commands(parser))
        } else {
            kind = Self.operand(line)
        }
    }

    /// Joins `--seat`, `=`, `14` into one word.
    private static func joined(_ words: [String]) -> [String] {
        var out: [String] = []
        var isOpen = false
        for word in words {
            if word == "=", let last = out.last, last.hasPrefix("--"), !last.contains("=") {
                out[out.count - 1] += "="
                isOpen = true
            } else if isOpen {
                out[out.count - 1] += word
                isOpen = false
            } else {
                out.append(word)
            }
        }
        return out
    }

    // MARK: What the table says

    private static func commands(_ parser: OptionParser) -> [Candidate] {
        parser.commands.filter { !$0.isHidden }.map { Candidate($0.name, $0.summary) }
    }

    private static func values(of option: Option, in command: Command?) -> Kind {
        guard case .required(let name, _) = option.value else { return .nothing }
        switch option.name {
        case "profile": return .profile
        case "interface": return .interface
        case "give": return .ownSeat
        case "take": return .seatOfOthers
        case "cabin", "from": return .layout
        case "color": return .words(words(of: .color))
        // Only the user knows which seat they mean.
        case "seat": return .nothing
        case "for": return .words(["window", "aisle", "front", "any"].map { Candidate($0) })
        default: return kind(name, of: command?.name ?? "")
        }
    }

    private static func operand(_ line: Line) -> Kind {
        guard let command = line.command else { return .nothing }
        if command.name == "config" { return setting(line.operands) }
        if command.name == "flight" { return trip(line.operands) }
        if command.name == "cabin" {
            return line.operands.isEmpty
                ? .words(Subwords.cabin.map { Candidate($0) })
                : line.operands.count == 1 ? .layout : .nothing
        }
        if command.name == "help" { return .words(commands(line.parser)) }
        let names = command.operands.split(separator: " ").map(String.init)
        guard let last = names.last else { return .nothing }
        let index = line.operands.count
        guard index < names.count || last.firstPlace(of: "...") != nil else { return .nothing }
        let name = index < names.count ? names[index] : last
        return kind(name.filter { $0 != "[" && $0 != "]" && $0 != "." }, of: command.name)
    }

    /// The kind, by the name that the help uses for it.
    private static func kind(_ name: String, of command: String) -> Kind {
        switch name {
        case "WHO": return .passenger
        case "SEAT":
            switch command {
            case "release": return .ownSeat
            case "claim": return .nothing
            default: return .seatOfOthers
            }
        case "N" where command != "peers": return .request(command: command)
        case "N|FILE": return .receiptOrFile
        case "FLIGHT" where command == "forget": return .flight
        case "FLIGHT": return .trip
        case "EVENT": return .words(EventName.allCases.map { Candidate($0.rawValue) })
        case "FILE": return .files
        default:
            let words = name.split(separator: "|")
            guard words.count > 1 else { return .nothing }
            return .words(words.map { Candidate(String($0)) })
        }
    }

    /// The words of `flight`.
    private static func trip(_ before: [String]) -> Kind {
        switch before.count {
        case 0: return .words(Subwords.flight.map { Candidate($0) })
        case 1 where before[0] != "add": return .trip
        default: return .nothing
        }
    }

    /// The words of `config`.
    private static func setting(_ before: [String]) -> Kind {
        switch before.count {
        case 0: return .words(Subwords.config.map { Candidate($0) })
        case 1 where ["get", "set", "unset"].contains(before[0]):
            return .words(ConfigKey.allCases.map { Candidate($0.rawValue, $0.meaning) })
        case 2 where before[0] == "set":
            guard let key = ConfigKey(rawValue: before[1]) else { return .nothing }
            return key == .interface ? .interface : .words(words(of: key))
        default: return .nothing
        }
    }

    private static func words(of key: ConfigKey) -> [Candidate] {
        guard case .words(let words) = key.values else { return [] }
        return words.map { Candidate($0, $0 == key.standard ? "default" : "") }
    }
}

/// A possible word, and what it means.
package struct Candidate: Hashable, Sendable {
    /// The word, unquoted.
    package let word: String
    /// A short explanation; may contain a passenger's words.
    package let about: String

    /// A word with its explanation.
    package init(_ word: String, _ about: String = "") {
        self.word = word
        self.about = about
    }
}

/// The words before the one being typed, as far as they make sense.
private struct Line {
    let parser: OptionParser
    /// The command, once it has been typed.
    private(set) var command: Command?
    /// Whether a first word has been typed, known or not.
    private(set) var hasWord = false
    /// The words after the command.
    private(set) var operands: [String] = []
    /// An option whose value comes next.
    private(set) var open: Option?
    /// Whether `--` has been typed.
    private(set) var onlyOperands = false
    /// Options that have been typed.
    private var given: Set<String> = []
    /// The value of `--profile`.
    private(set) var profile: String?

    init(_ words: [String], _ parser: OptionParser) {
        self.parser = parser
        for word in words { add(word) }
    }

    private mutating func add(_ word: String) {
        if let option = open {
            if option.name == "profile" { profile = word }
            open = nil
        } else if onlyOperands || !word.hasPrefix("-") || word == "-" {
            addOperand(word)
        } else if word == "--" {
            onlyOperands = true
        } else {
            addOption(word)
        }
    }

    private mutating func addOperand(_ word: String) {
        guard hasWord else {
            hasWord = true
            command = parser.commands.first { $0.name == word && !$0.isHidden }
            return
        }
        operands.append(word)
    }

    private mutating func addOption(_ word: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0].drop { $0 == "-" })
        guard let option = option(name) ?? letter(name) else { return }
        given.insert(option.name)
        if parts.count == 2 {
            if option.name == "profile" { profile = String(parts[1]) }
        } else if case .required = option.value {
            open = option
        }
    }

    private var all: [Option] { (command?.options ?? []) + parser.globals }

    /// An option of the command, or before the command is known of any command.
    func option(_ name: String) -> Option? {
        let known = command == nil ? all + parser.commands.flatMap(\.options) : all
        return known.first { $0.name == name }
    }

    private func letter(_ name: String) -> Option? {
        all.first { $0.letter.map(String.init) == name }
    }

    /// Options that may still come.
    var options: [Candidate] {
        all.filter { $0.repeats || !given.contains($0.name) }
            .map { Candidate("--\($0.name)", $0.summary) }
    }
}
