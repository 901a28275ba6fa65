// SPDX-License-Identifier: Apache-2.0
import Grammar
import Text

/// The help screen, made from the tables that drive the view.
enum HelpPage {
    /// All help, or that for one slash command.
    static func lines(for word: String? = nil, inVenue: Bool = false) -> [String] {
        if let word {
            let name = word.hasPrefix("/") ? String(word.dropFirst()) : word
            if let command = SlashTable.command(name, inVenue) { return [line(command)] }
            return ["There is no /\(visible(name, cells: 24)). /help lists all."]
        }
        if inVenue { return venueLines }
        var lines: [String] = []
        for place in KeyBinding.Place.allCases where place != .places {
            lines += [place.rawValue] + keys(of: place) + [""]
        }
        lines += ["Commands, typed into the line"] + SlashTable.commands.map(line)
        lines += [
            "", "Others: " + others.map { "/\($0)" }.joined(separator: " "),
            "Only y or n answers a question, a second after it appeared. Other keys put it away.",
            "//word sends /word. A mistyped /command is never sent as chat.",
            "Hold Shift to select text with the mouse while the cabin has the focus.",
            "",
            "Signs after your own words: … waits, ✓ arrived, ✓13 is with 13 agents, "
                + "! reached nobody.",
            "✓ before a name: you compared codes with that passenger. "
                + "~: the name looks like another's,",
            "or claims what no passenger is. @: the words name you or your seat.",
        ]
        return lines
    }

    /// The same for a venue: only what works there.
    private static var venueLines: [String] {
        var lines: [String] = []
        for place in VenueTable.places {
            lines += [place.rawValue] + keys(of: place, VenueTable.bindings) + [""]
        }
        let others = VenueTable.names.filter(VenueTable.programNames.contains)
        return lines + ["Commands, typed into the line"] + VenueTable.commands.map(line) + [
            "", "Others: " + others.map { "/\($0)" }.joined(separator: " "),
            "Only y or n answers a question, a second after it appeared. Other keys put it away.",
            "//word sends /word. A mistyped /command is never sent as chat.",
            "Hold Shift to select text with the mouse while the places have the focus.",
            "",
            "Signs of places: @ you are there, * a friend whom you found, o people, x full,",
            "- closed. On the plan they stand behind the number.",
            "Signs after your own words: … waits, ✓ arrived, ✓13 is with 13 agents, "
                + "! reached nobody.",
            "✓ before a name: you compared codes with that person. "
                + "~: the name looks like another's.",
        ]
    }

    /// Those of venues are typed in the same way; on a flight nobody needs to read of them.
    private static var others: [String] {
        let ofVenues = CommandTable.commands.filter(\.isOfVenues).map(\.name)
        return SlashTable.names.filter { SlashTable.isProgram($0) && !ofVenues.contains($0) }
    }

    private static func keys(
        of place: KeyBinding.Place, _ bindings: [KeyBinding] = KeyTable.bindings
    ) -> [String] {
        bindings.filter { $0.place == place && !$0.shown.isEmpty }
            .map { "  " + padded($0.shown, to: 16) + $0.summary }
    }

    /// The line for a command of the view: how it is typed, and what it does.
    static func line(_ command: SlashCommand) -> String {
        line(usage: "/\(command.name) \(command.operands)", command.summary)
    }

    /// The same for any command.
    static func line(usage: String, _ summary: String) -> String {
        "  " + (usage.count < 24 ? padded(usage, to: 24) : usage + "  ") + summary
    }
}
