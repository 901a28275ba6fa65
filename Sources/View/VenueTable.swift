// SPDX-License-Identifier: Apache-2.0
import Grammar

/// What the keys and the commands of the view are in a venue, where nobody has a seat: those of a
/// flight without what is about seats, and its own.
enum VenueTable {
    // MARK: Keys

    /// Where keys work there, in the order of the help.
    static let places: [KeyBinding.Place] = [.anywhere, .input, .places, .page, .people]

    /// All bindings there, as the help says them.
    static let bindings: [KeyBinding] = KeyTable.bindings
        .filter { places.contains($0.place) && !isOfSeats($0.action) }
        .map { binding in
            var binding = binding
            if let words = summaries[binding.action], !binding.shown.isEmpty {
                binding.summary = words
            }
            return binding
        }

    private static let summaries: [KeyAction: String] = [
        .toCabin: "the places; also Tab on an empty line",
        .toPeople: "people here: typing filters them",
        .oldestRequest: "the question that waits for you",
        .complete: "complete a command, a name, a place",
    ]

    /// Whether a key is about seats, and does nothing here.
    static func isOfSeats(_ action: KeyAction) -> Bool {
        switch action {
        case .toPlans, .silence, .openness, .offer: true
        default: false
        }
    }

    /// What is said of a key or a word about seats.
    static let noSeats = "Nobody has a seat in a venue. F1 lists what can be done here."

    // MARK: Commands

    /// Commands of the program that make sense here.
    static let programNames: [String] = {
        let own = Set(commands.map(\.name))
        return CommandTable.commands
            .filter { $0.verb.worksInVenue && !own.contains($0.name) }
            .map(\.name).filter { SlashTable.programNames.contains($0) }
    }()

    /// Every word that may follow a slash.
    static let names = (commands.map(\.name) + programNames).sorted()

    /// The view's own commands, in the order of the help.
    static let commands: [SlashCommand] =
        stays
        + SlashTable.commands.filter { shared.contains($0.name) }.map { command in
            guard let words = wording[command.name] else { return command }
            return SlashCommand(
                name: command.name, operands: words.operands ?? command.operands,
                summary: words.summary, needs: command.needs, run: command.run)
        }

    private static let stays: [SlashCommand] = [
        SlashCommand(
            name: "checkin", operands: "[PLACE]", summary: "say that you are at a place"
        ) { state, _, words in state.checkIn(words) },
        SlashCommand(name: "checkout", summary: "say that you left it") { state, _, words in
            [state.errands([["checkout"] + words])]
        },
        SlashCommand(
            name: "friend", operands: "MAIL|allow|hide",
            summary: "find somebody by their address; let yourself be found", needs: 1
        ) { state, _, words in state.friend(words) },
        SlashCommand(
            name: "activity", operands: "[--week]", summary: "where you were and for how long"
        ) { state, _, words in state.run(["activity"] + words) },
        SlashCommand(
            name: "day", operands: "DATE", summary: "bookings of another day: sat, 5 dec", needs: 1
        ) { state, _, words in state.showDay(words) },
        SlashCommand(
            name: "venue", operands: "[open|show|map NAME]",
            summary: "your venues; open begins the day of now"
        ) { state, _, words in
            // It ends one agent and starts another: nothing that is typed meanwhile may stop it.
            words.first == "open"
                ? [.errands([Errand(words: ["venue"] + words, kind: .said)])]
                : state.run(["venue"] + words)
        },
    ]

    private static let shared = [
        "msg", "to", "me", "play", "search", "clear", "who", "peers", "people", "verify", "block",
        "name", "notify", "mouse", "doctor", "help", "quit", "leave",
    ]

    private static let wording: [String: (operands: String?, summary: String)] = [
        "msg": (nil, "a message to one person"),
        "to": ("WHO|all", "talk to one, or to all"),
        "play": (nil, "four in a row with one person"),
        "peers": (nil, "who is here"),
        "people": (nil, "everyone here, to talk to: F4"),
        "verify": (nil, "compare codes with somebody"),
        "block": (nil, "hide somebody and refuse everything"),
        "mouse": (nil, "the mouse on the places"),
        "leave": (nil, "close the view and end the venue's agent"),
    ]
}
