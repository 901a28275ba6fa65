// SPDX-License-Identifier: Apache-2.0
@testable import Grammar
import Glibc
import Testing

@testable import SeatAgent
@testable import System
@testable import Text

private let parser = CommandTable.parser

@Suite("Command lines")
struct OptionParserTests {
    @Test("Options stand anywhere, also before the command")
    func anywhere() throws {
        for words in [
            ["swap", "12A", "--wait", "--note", "hi", "--json"],
            ["--json", "swap", "--note=hi", "12A", "--wait"],
            ["--note", "hi", "--wait", "--json", "swap", "12A"],
        ] {
            let line = try parser.parse(words)
            #expect(line.command?.name == "swap")
            #expect(line.operands == ["12A"])
            #expect(line.value("note") == "hi")
            #expect(line.has("wait"))
            #expect(line.value("json") == "")
        }
    }

    @Test("The last of an option counts, repeated ones are all kept")
    func repeated() throws {
        let line = try parser.parse([
            "up", "--seat", "14C", "--seat=14D", "--name", "a", "--name", "b", "--json=1",
        ])
        #expect(line.values["seat"] == ["14C", "14D"])
        #expect(line.value("name") == "b")
        #expect(line.value("json") == "1")
    }

    @Test("Letters, the end of options, a dash for standard input")
    func forms() throws {
        #expect(try parser.parse(["log", "-fq"]).has("follow"))
        #expect(try parser.parse(["log", "-fq"]).has("quiet"))
        #expect(try parser.parse(["say", "--", "--wait", "x"]).operands == ["--wait", "x"])
        #expect(try parser.parse(["say", "-"]).operands == ["-"])
        #expect(try parser.parse([]).command == nil)
        #expect(try parser.parse(["swap", "--help"]).has("help"))
    }

    private func refused(_ words: [String]) -> [String] {
        do throws(UserError) {
            _ = try parser.parse(words)
            return []
        } catch {
            return error.lines
        }
    }

    @Test("Unknown option: the design's own lines")
    func unknownOption() {
        #expect(
            refused(["up", "--seta", "14C"]) == [
                "seatagent: unknown option --seta", "  try: seatagent up --seat 14C",
            ])
        #expect(
            refused(["swap", "12A", "--nte", "x"]) == [
                "seatagent: unknown option --nte", "  try: seatagent swap 12A --note \"long legs\"",
            ])
        #expect(
            refused(["swap", "12A", "--zzzzzz"]) == [
                "seatagent: unknown option --zzzzzz", "  try: seatagent help swap",
            ])
        #expect(refused(["status", "--wait"]).first == "seatagent: unknown option --wait")
        #expect(refused(["-x", "status"]).first == "seatagent: unknown option -x")
    }

    @Test("Unknown command, with the nearest one")
    func unknownCommand() {
        #expect(
            refused(["sawp", "12A"]) == [
                "seatagent: unknown command sawp", "  try: seatagent swap 12A",
            ])
        #expect(
            refused(["frobnicate"]) == [
                "seatagent: unknown command frobnicate", "  try: seatagent help",
            ])
    }

    @Test(
        "A line of the former party is repeated as a line of needs",
        arguments: [
            ("party 17B child", "needs 17B child"),
            ("party exit", "needs exit"), ("party Exit paid --yes", "needs exit paid --yes"),
            ("party --with 14c 14d child", "needs 14D child --with 14C"),
            ("party 14D --remove --json", "needs 14D --remove"),
            ("party 14D chidl", "help needs"), ("party 14D child --with x", "help needs"),
        ])
    func moved(line: String, now: String) throws {
        let lines = refused(line.split(separator: " ").map(String.init))
        #expect(
            lines == [
                "seatagent: what party said of your seats is now said by needs",
                "  try: seatagent \(now)",
            ])
        // What it suggests is a line that can be read.
        _ = try CommandTable.parser.parse(now.split(separator: " ").map(String.init))
    }

    @Test("Missing and superfluous words")
    func counts() {
        #expect(
            refused(["swap"]) == [
                "seatagent: swap wants more: SEAT", "  try: seatagent swap 12A",
            ])
        #expect(refused(["status", "x"]).first == "seatagent: \"x\" is too much for status")
        #expect(refused(["up", "--seat"]).first == "seatagent: --seat wants a value")
        #expect(refused(["swap", "12A", "--wait=1"]).first == "seatagent: --wait takes no value")
    }

    @Test("Nearest words")
    func nearest() {
        #expect(Suggestions.distance("swap", "sawp") == 1)
        #expect(Suggestions.distance("", "abc") == 3)
        #expect(Suggestions.distance("requests", "request") == 1)
        #expect(Suggestions.distance("ca", "abc") == 3)
        #expect(Suggestions.nearest(to: "staus", among: ["status", "seats"]) == "status")
        #expect(Suggestions.nearest(to: "zzz", among: ["status", "seats"]) == nil)
    }
}

@Suite("Table of commands")
struct CommandTableTests {
    @Test("Every command of the design that has its part built is there")
    func complete() {
        let names = Set(CommandTable.commands.map(\.name))
        let wanted = """
            up down restart status peers seats who say msg chat log offer withdraw swap requests \
            accept decline cancel receipt watch block unblock agent help audit counter force
            """
        for name in wanted.split(separator: " ") {
            #expect(names.contains(String(name)), "\(name)")
        }
        #expect(names.count == CommandTable.commands.count)
    }

    @Test("Options of one name take the same kind of value everywhere")
    func consistent() {
        var kinds: [String: Option] = [:]
        for option in CommandTable.globals + CommandTable.commands.flatMap(\.options) {
            if let known = kinds[option.name] {
                let same: Bool
                switch (known.value, option.value) {
                case (.none, .none), (.required, .required), (.optional, .optional): same = true
                case (.none, _), (.required, _), (.optional, _): same = false
                }
                #expect(same, "\(option.name)")
                #expect(known.letter == option.letter, "\(option.name)")
            }
            kinds[option.name] = option
        }
    }

    @Test("Every example and every sample line parses", arguments: CommandTable.commands)
    func examples(command: Command) throws {
        for example in command.examples + [command.sampleLine] {
            // The part in front of a pipe, or behind one that ends in seatagent.
            let parts = example.split(separator: "|").map { $0.split(separator: ">")[0] }
            let part = try #require(parts.first { $0.contains("seatagent") })
            let words = shellWords(String(part))
            #expect(words.first == "seatagent")
            let line = try parser.parse(Array(words.dropFirst()))
            #expect(line.command?.name == command.name)
        }
    }

    @Test("Every advice in the code is a command line that parses")
    func advice() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        var found = 0
        for file in try swiftFiles("\(root)/Sources") {
            for line in try linesOf(file) {
                // The literal after advice:, with a sample for what is filled in.
                guard let start = line.firstRange(of: "advice: \"seatagent ") else { continue }
                let literal = line[start.upperBound...].replacing("\\\"", with: "'")
                guard !literal.contains("\\("), let end = literal.firstIndex(of: "\"") else {
                    continue
                }
                let words = shellWords(String(literal[..<end]))
                #expect(throws: Never.self, "\(literal)") { try parser.parse(words) }
                found += 1
            }
        }
        #expect(found > 50)
    }

    /// Swift files below `folder`, however deep.
    private func swiftFiles(_ folder: String) throws -> [String] {
        let directory = try #require(opendir(folder))
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".swift") {
                names.append("\(folder)/\(name)")
            } else if entry.pointee.d_type == DT_DIR, !name.hasPrefix(".") {
                names += try swiftFiles("\(folder)/\(name)")
            }
        }
        return names
    }

    private func linesOf(_ path: String) throws -> [Substring] {
        let bytes = try #require(try PrivateFile.read(path))
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    @Test("Every command has help that names its options", arguments: CommandTable.commands)
    func help(command: Command) {
        let text = HelpText.text(of: command, globals: CommandTable.globals).joined(separator: "\n")
        for option in command.options { #expect(text.contains("--\(option.name)")) }
        for line in text.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
        #expect(!command.summary.isEmpty)
    }

    /// Words of a command line as a shell would make them, for the quoting that examples use.
    private func shellWords(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + "\(character)" }
            } else if character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if character == " " {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + "\(character)"
            }
        }
        if let done = word { words.append(done) }
        return words
    }
}

extension Command: CustomTestStringConvertible {
    /// The name, for the list of test cases.
    public var testDescription: String { name }
}
