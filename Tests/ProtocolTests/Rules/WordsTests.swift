// SPDX-License-Identifier: Apache-2.0
import Testing

/// Words of this program are cases of enums, and what goes through the control socket are members
/// of structs: a text decides nothing behind the border where it is read.
@Suite struct WordsTests {
    /// A place in the sources, and what stands there.
    struct Place: Hashable, Comparable {
        let file: String
        let text: String

        static func < (left: Place, right: Place) -> Bool {
            (left.file, left.text) < (right.file, right.text)
        }
    }

    private static func places(
        _ rooms: [String], _ find: ([String]) throws -> [String]
    ) throws -> [Place] {
        try rooms.flatMap { SourceTree.swiftFiles("Sources/\($0)") }.flatMap { path in
            let file = String(path.dropFirst("Sources/".count))
            return try find(try SourceTree.lines(path)).map { Place(file: file, text: $0) }
        }.sorted()
    }

    // MARK: Switches

    /// Switches over texts that are nobody's words here, and whose they are.
    static let switches = [
        // Lines to try that were written for a flight, where the agent is a venue's.
        Place(file: "Agent/VenueAdvice.swift", text: "switch line {"),
        // What mdoc(7) escapes.
        Place(file: "SeatAgent/Manual/Mdoc.swift", text: "switch character {"),
        // Options of a command line, as the file of the last start keeps them.
        Place(file: "Launch/StoredOptions.swift", text: "switch option {"),
    ]

    @Test func noSwitchReadsWordsOfOurs() throws {
        let rooms = ["Agent", "View", "SeatAgent", "Wording", "Notify", "Launch", "ControlAPI"]
        let found = try Self.places(rooms, Self.switchesOverTexts)
        #expect(found == Self.switches.sorted())
    }

    /// The heads of switches with a case that is a text, or a tuple with one. Such a switch cannot
    /// be exhaustive: it has a `default`, or says nothing at a word that is new.
    static func switchesOverTexts(_ lines: [String]) -> [String] {
        var found: [Int] = []
        for (index, line) in lines.enumerated() {
            // Most lines have no text at all.
            guard line.utf8.contains(34) else { continue }
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("case \"") || text.hasPrefix("case (") && isTextInTuple(text)
            else { continue }
            let depth = line.count - text.count
            let head = lines[..<index].lastIndex { line in
                line.prefix { $0 == " " }.count == depth && line.contains("switch ")
            }
            if let head, found.last != head { found.append(head) }
        }
        return found.map { String(lines[$0].drop { $0 == " " }) }
    }

    /// `case ("get", 2):`, and not `case (.letter("y"), 2):`.
    private static func isTextInTuple(_ line: Substring) -> Bool {
        let pattern = line.prefix { $0 != ":" }
        let open = pattern.contains("(\"") || pattern.contains(", \"")
        // After a name, it is what a case of an enum has.
        let names = "abcdefghijklmnopqrstuvwxyz"
        return open && !names.contains { pattern.contains("\($0)(\"") }
    }

    @Test func switchesOverTextsAreFound() {
        let lines = [
            "    switch word {", "    case \"a\", \"b\": 1", "    case \"c\": 2", "    default: 3",
            "    }", "    return switch (word, count) {", "    case (\"get\", 2): 1",
            "    case (nil, _): 2", "    }", "    switch key {", "    case .letter(\"y\"): 1",
            "    case (.letter(\"n\"), 1): 2", "    }", "    switch state {",
            "    case .open:", "        switch name {", "        case \"x\": 1",
            "        default: 2", "        }", "    }", "    case place = \"where\"",
        ]
        #expect(
            Self.switchesOverTexts(lines) == [
                "switch word {", "return switch (word, count) {", "switch name {",
            ])
    }

    // MARK: Subscripts

    /// Dictionaries by text, and whose words their keys are.
    static let dictionaries: Set<String> = [
        // Variables of the process.
        "environment",
        // Options of a command line by their names, as the file of the last start keeps them too.
        "values", "given", "stored", "typed",
        // The members of a request beside its operation's own, of which the codec takes `id` off.
        "members",
    ]

    @Test func noSubscriptReadsTheControlSocket() throws {
        let rooms = ["Agent", "View", "SeatAgent", "Notify", "Wording", "ControlAPI"]
        let found = try Self.places(rooms, Self.subscripts)
        #expect(found == [])
    }

    /// A name or the end of a call, and a text in brackets.
    private static func subscripted() throws -> Regex<(Substring, Substring)> {
        try Regex(#"([A-Za-z_0-9]*)[)\]]*[?!]?\["[^"]*"(?:\]|, default:)"#)
    }

    /// Subscripts with a text, of anything but the dictionaries above.
    static func subscripts(_ lines: [String]) throws -> [String] {
        let subscripted = try subscripted()
        return lines.flatMap { line in
            guard line.utf8.contains(34), line.contains("[\"") else { return [String]() }
            return line.matches(of: subscripted).filter {
                let isSubscript =
                    !$0.1.isEmpty || $0.0.contains(")[") || $0.0.contains("][")
                    || $0.0.contains("?[")
                return isSubscript && !dictionaries.contains(String($0.1))
            }.map { String($0.0) }
        }
    }

    @Test func subscriptsAreFound() throws {
        let lines = [
            "let a = json[\"items\"]?.list", "b = ask()[\"x\"]", "c = list[0][\"x\"]?[\"y\"]",
            "d = [\"x\"]", "call([\"x\"])", "environment[\"HOME\"]", "n[\"x\", default: 0] += 1",
            "members?[\"id\"]", "[\"on\", \"off\"].contains(word)",
        ]
        let found = try Self.subscripts(lines)
        #expect(
            found == [
                "json[\"items\"]", ")[\"x\"]", "0][\"x\"]", "?[\"y\"]", "n[\"x\", default:",
            ])
    }
}
