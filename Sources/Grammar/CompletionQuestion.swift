// SPDX-License-Identifier: Apache-2.0
import Aviation
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
        /// The number of a request on which a command can do something.
        case request(RequestUse)
        /// The number of a receipt, or a file.
        case receiptOrFile
        /// A flight with stored records.
        case flight
        /// A flight of the passenger's list.
        case trip
        /// A cabin layout.
        case layout
        /// A venue of the user's list.
        case venue
        /// The same, or a file.
        case venueOrFile
        /// The number of a parked car.
        case parkedCar
        /// The name of an imported gazetteer or venue.
        case importedPlaces
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
    /// Whether it is the command itself that is typed.
    package var isCommand = false

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
            isCommand = !line.hasWord
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
        case "give", "offer": return .ownSeat
        case "take": return .seatOfOthers
        case "from" where command?.verb == .park: return .nothing
        case "cabin", "from": return .layout
        case "color": return .words(words(of: .color))
        // Only the user knows which seat they mean.
        case "seat": return .nothing
        case "for": return .words(["window", "aisle", "front", "any"].map { Candidate($0) })
        default: return kind(name, of: command?.verb)
        }
    }

    private static func operand(_ line: Line) -> Kind {
        guard let command = line.command else { return .nothing }
        if command.verb == .config { return setting(line.operands) }
        if command.verb == .flight { return trip(line.operands) }
        if command.verb == .cabin {
            return line.operands.isEmpty
                ? .words(CabinWord.words.map { Candidate($0) })
                : line.operands.count == 1 ? .layout : .nothing
        }
        if command.verb == .party { return party(line.operands) }
        if command.verb == .venue { return venue(line.operands) }
        if command.verb == .park { return park(line.operands) }
        if command.verb == .places { return places(line.operands) }
        if command.verb == .meet, line.operands.isEmpty {
            return .words(MeetWord.words.map { Candidate($0) })
        }
        if command.verb == .host { return host(line.operands) }
        if command.verb == .key {
            return line.operands.isEmpty ? .words([Candidate("import")]) : .files
        }
        if command.verb == .profile { return profile(line.operands) }
        if command.verb == .help { return .words(commands(line.parser)) }
        let names = command.operands.split(separator: " ").map(String.init)
        guard let last = names.last else { return .nothing }
        let index = line.operands.count
        guard index < names.count || last.firstPlace(of: "...") != nil else { return .nothing }
        let name = index < names.count ? names[index] : last
        return kind(name.filter { $0 != "[" && $0 != "]" && $0 != "." }, of: command.verb)
    }

    private static func party(_ words: [String]) -> Kind {
        guard let first = words.first else {
            return .words(PartyWord.words.map { Candidate($0) })
        }
        guard words.count == 1 else { return .nothing }
        return switch PartyWord(rawValue: first) {
        case .yes, .no, .remove: .passenger
        case .trust: .words(["on", "off"].map { Candidate($0) })
        case .show, .new, .join, .invite, .say, .leave, nil: .nothing
        }
    }

    private static func venue(_ words: [String]) -> Kind {
        guard let first = words.first else {
            return .words(VenueWord.words.map { Candidate($0) })
        }
        guard words.count == 1 else { return .nothing }
        return switch VenueWord(rawValue: first) {
        case .new, .sign, .add: .files
        case .check, .show, .map, .qr: .venueOrFile
        case .forget, .open, .join, .announce, .leave: .venue
        case .find, nil: .nothing
        }
    }

    /// After `set`, fields and values take turns.
    private static func profile(_ words: [String]) -> Kind {
        guard let first = words.first else {
            return .words(ProfileWord.words.map { Candidate($0) })
        }
        let fields = Kind.words(ProfileWord.fields.map { Candidate($0) })
        return switch ProfileWord(rawValue: first) {
        case .set: words.count % 2 == 1 ? fields : .nothing
        case .clear: fields
        case .delete, nil: .nothing
        }
    }

    private static func park(_ words: [String]) -> Kind {
        guard let first = words.first else {
            return .words(ParkWord.words.map { Candidate($0) })
        }
        guard words.count == 1 else { return .nothing }
        return switch ParkWord(rawValue: first) {
        case .show, .change, .remove, .route, .permit: .parkedCar
        case .add, .remind, nil: .nothing
        }
    }

    private static func host(_ words: [String]) -> Kind {
        words.isEmpty ? .words(HostWord.words.map { Candidate($0) }) : .nothing
    }

    private static func places(_ words: [String]) -> Kind {
        guard let first = words.first else {
            return .words(PlacesWord.words.map { Candidate($0) })
        }
        guard words.count == 1 else { return .nothing }
        return switch PlacesWord(rawValue: first) {
        case .import: .files
        case .forget: .importedPlaces
        case nil: .nothing
        }
    }

    /// By the name that the help has for it.
    private static func kind(_ name: String, of command: Verb?) -> Kind {
        switch name {
        case "WHO": return .passenger
        case "MINE": return .ownSeat
        case "SEAT" where command == .release: return .ownSeat
        case "SEAT": return command == .claim ? .nothing : .seatOfOthers
        case "N" where command != .peers: return .request(RequestUse(of: command))
        case "N|FILE": return .receiptOrFile
        case "FLIGHT" where command == .forget: return .flight
        case "FLIGHT": return .trip
        case "EVENT": return .words(EventName.allCases.map { Candidate($0.rawValue) })
        case "off": return .words([Candidate("off")])
        case "FILE": return .files
        case "WORD": return .words(WishReader.words.map { Candidate($0) })
        default:
            let words = name.split(separator: "|")
            guard words.count > 1 else { return .nothing }
            return .words(words.map { Candidate(String($0)) })
        }
    }

    /// The words of `flight`.
    private static func trip(_ before: [String]) -> Kind {
        switch before.count {
        case 0: return .words(FlightWord.words.map { Candidate($0) })
        case 1 where FlightWord(rawValue: before[0]) != .add: return .trip
        default: return .nothing
        }
    }

    /// The words of `config`.
    private static func setting(_ before: [String]) -> Kind {
        guard let first = before.first else {
            return .words(ConfigWord.words.map { Candidate($0) })
        }
        switch (ConfigWord(rawValue: first), before.count) {
        case (.get, 1), (.set, 1), (.unset, 1):
            return .words(ConfigKey.allCases.map { Candidate($0.rawValue, $0.meaning) })
        case (.set, 2):
            guard let key = ConfigKey(rawValue: before[1]) else { return .nothing }
            return key == .interface ? .interface : .words(words(of: key))
        case (.get, _), (.set, _), (.unset, _), (.edit, _), (.path, _), (nil, _): return .nothing
        }
    }

    private static func words(of key: ConfigKey) -> [Candidate] {
        guard case .words(let words) = key.values else { return [] }
        return words.map { Candidate($0, $0 == key.standard ? "default" : "") }
    }
}

/// On which requests a command can do something.
package enum RequestUse: Hashable, Sendable {
    /// Those that wait for an answer of the user.
    case answer
    /// Those of the user that wait for others.
    case cancel
    /// Those without an outcome.
    case force
    /// Those that are done.
    case receipt
    /// All that are not over.
    case any

    /// What `verb` does with a request.
    package init(of verb: Verb?) {
        let uses: [Verb: RequestUse] = [
            .accept: .answer, .decline: .answer, .counter: .answer, .cancel: .cancel,
            .force: .force, .receipt: .receipt, .seated: .receipt, .undo: .receipt,
        ]
        self = verb.flatMap { uses[$0] } ?? .any
    }
}

/// One word that could stand there, and what it is.
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
