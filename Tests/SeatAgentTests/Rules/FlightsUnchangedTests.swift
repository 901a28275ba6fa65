// SPDX-License-Identifier: Apache-2.0
import Foundation
import Protocol
import Testing

@testable import Grammar
@testable import Keys
@testable import SeatAgent
@testable import Text
@testable import View

/// Venues change nothing on a flight: what was kept at the commit before the first of venues.
///
/// `Tests/EndToEnd/goldens/flights` has the digests of all vectors, scenarios and goldens of
/// flights, the help and the help of the view. The end-to-end tests hold the program against these
/// goldens; here the goldens themselves are held.
@Suite("Flights beside venues")
struct FlightsUnchangedTests {
    /// Files that are others today on purpose, each with the reason.
    static let changed = [
        "Tests/EndToEnd/goldens/stories/rings-of-strangers.txt": "accept says the end",
        "Tests/EndToEnd/goldens/stories/two-families.txt": "accept says the end",
        "docs/transcript.md": "HELLO says that SUMMARY and PEX_CHANGE are read",
        "docs/vectors/session.json": "HELLO says that SUMMARY and PEX_CHANGE are read",
        "Tests/ProtocolTests/Scenarios/fork.txt": "rounds are later",
        "docs/vectors/frames.json": "SUMMARY and PEX_CHANGE are there",
        "docs/vectors/entries.json": "entries of type 19 say on whose laptop an agent runs",
        "Tests/EndToEnd/goldens/view/help-60x16.txt": "/play is one line more in the help",
    ]

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func kept(_ name: String) throws -> String {
        let path = "Tests/EndToEnd/goldens/flights/\(name).txt"
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// What is wrong with the files that `list` names, with their digests, where `digest` says what
    /// each has now; `nil` for a file that is not there.
    static func faults(
        _ list: String, changed: [String: String], digest: (String) -> String?
    ) -> [String] {
        let lines = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ").map(String.init) }
        let faults = lines.compactMap { words -> String? in
            guard words.count == 2 else { return "no line: \(words)" }
            guard let found = digest(words[1]) else { return "\(words[1]) is gone" }
            switch (found == words[0], changed[words[1]]) {
            case (true, nil): return nil
            case (false, let reason?): return reason.isEmpty ? "\(words[1]): why?" : nil
            case (false, nil): return "\(words[1]) is another: if on purpose, say why in `changed`"
            case (true, .some): return "\(words[1]) is as before: take its reason out"
            }
        }
        let listed = Set(lines.compactMap(\.last))
        return faults + changed.keys.filter { !listed.contains($0) }.sorted()
    }

    @Test("C1: vectors, scenarios and goldens of flights are those of before venues")
    func c1VectorsAndGoldensOfFlightsAreTheSame() throws {
        let primitives = try #require(SodiumPrimitives())
        let list = try Self.kept("digests")
        #expect(list.split(separator: "\n").count > 120)
        let faults = Self.faults(list, changed: Self.changed) { path in
            (try? Data(contentsOf: Self.root.appending(path: path)))
                .map { primitives.sha256([UInt8]($0)).hex }
        }
        #expect(faults == [])
    }

    @Test("C1 finds what is another, is gone, or has a reason without need")
    func c1FindsWhatChanged() {
        let list = "# a note\n11  one\n22  two\n33  three\n"
        func faults(_ now: [String: String], _ changed: [String: String] = [:]) -> Int {
            Self.faults(list, changed: changed) { now[$0] }.count
        }
        let same = ["one": "11", "two": "22", "three": "33"]
        #expect(faults(same) == 0)
        #expect(faults(["one": "11", "two": "23", "three": "33"]) == 1)
        #expect(faults(["one": "11", "two": "23", "three": "33"], ["two": "shorter"]) == 0)
        #expect(faults(["one": "11", "two": "23", "three": "33"], ["two": ""]) == 1)
        #expect(faults(["one": "11", "three": "33"], ["two": "shorter"]) == 1)
        #expect(faults(same, ["one": "longer"]) == 1 && faults(same, ["four": "new"]) == 1)
    }

    /// The lines of a help without the one that names venues.
    private func withoutVenues(_ lines: [String]) -> [String] {
        let places = lines.indices.filter { lines[$0].hasPrefix("Venues: ") }
        return places.count > 1 ? lines : lines.filter { !$0.hasPrefix("Venues: ") }
    }

    private func hold(_ lines: [String], as name: String) throws {
        let text = lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["GOLDENS"] == "write" {
            let path = "Tests/EndToEnd/goldens/flights/\(name).txt"
            try Data(text.utf8).write(to: Self.root.appending(path: path))
        }
        #expect(try Self.kept(name) == text)
    }

    @Test("C2: the help is that of before venues, but for one line")
    func c2HelpHasOneMoreLineAtMost() throws {
        try hold(withoutVenues(HelpText.overview(CommandTable.parser)), as: "help")
    }

    @Test("C2: F1 is that of before venues")
    func c2TheHelpOfTheViewIsTheSame() throws { try hold(HelpPage.lines(), as: "f1") }

    @Test("C2: commands of venues are named in one line")
    func c2CommandsOfVenuesAreNamedInOneLine() {
        let commands = [
            Command(.up, summary: "join"), Command(.claim, summary: "a", isOfVenues: true),
            Command(.down, summary: "leave"), Command(.audit, summary: "b", isOfVenues: true),
        ]
        func overview(_ commands: [Command]) -> [String] {
            HelpText.overview(OptionParser(commands: commands, globals: CommandTable.globals))
        }
        let plain = overview(commands.filter { !$0.isOfVenues })
        #expect(overview(commands) == plain + ["Venues: claim, audit"])
        #expect(withoutVenues(overview(commands)) == plain)
        #expect(withoutVenues(plain + ["Venues: a", "Venues: b"]) != plain)
    }
}
