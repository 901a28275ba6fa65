// SPDX-License-Identifier: Apache-2.0
@testable import Agent
import Glibc
import Testing

@testable import ControlAPI
@testable import SeatAgent
@testable import System
@testable import Text
@testable import Trips
@testable import Aviation

/// `docs/control.md`, from which `seatagent-api(7)` is made, has what the types of the socket have:
/// each operation with its arguments and the members of its answer, each event, each word.
@Suite("The manual of the control socket and its types")
struct ControlWordsTests {
    private static let path =
        "/\(#filePath.split(separator: "/").dropLast(4).joined(separator: "/"))/docs/control.md"
    /// The line before the part that is made from the types, and the one behind it.
    private static let made = (start: "<!-- made from the types -->", end: "<!-- end -->")
    /// What a person wrote.
    private let manual: String
    /// What was made, and what stands on either side of it.
    private let parts: (before: String, made: String, after: String)

    /// Read once: hundreds of cases ask it.
    private static let read = Result {
        let text = String(decoding: try #require(try PrivateFile.read(path)), as: UTF8.self)
        let start = try #require(text.firstRange(of: made.start + "\n\n"))
        let end = try #require(text.firstRange(of: "\n" + made.end))
        return (
            before: String(text[..<start.upperBound]),
            made: String(text[start.upperBound..<end.lowerBound]),
            after: String(text[end.lowerBound...])
        )
    }

    init() throws {
        parts = try Self.read.get()
        manual = parts.before + parts.after
    }

    @Test("Every member of every type stands in the manual, and no other")
    func made() throws {
        let made = try ControlTypes.text()
        if getenv("SEATAGENT_MEMBERS") != nil {
            let text = parts.before + made + parts.after
            // It is no secret, unlike what the program itself keeps.
            try PrivateFile.write(Array(text.utf8), to: Self.path)
            chmod(Self.path, 0o644)
            return
        }
        let (old, new) = (parts.made.split(separator: "\n"), made.split(separator: "\n"))
        #expect(old.count == new.count)
        for (old, new) in zip(old, new) { #expect(old == new) }
    }

    /// The text between two lines that begin so.
    private func part(_ start: String, _ end: String) throws -> String {
        let lines = manual.split(separator: "\n", omittingEmptySubsequences: false)
        let first = try #require(lines.firstIndex { $0.hasPrefix(start) }, "\(start)")
        return lines[(first + 1)...].prefix { !$0.hasPrefix(end) }.joined(separator: "\n")
    }

    /// The section of an operation.
    private func section(_ name: OperationName) throws -> String {
        let lines = manual.split(separator: "\n", omittingEmptySubsequences: false)
        let first = try #require(
            lines.firstIndex { line in
                line.hasPrefix("### ")
                    && line.dropFirst(4).split(separator: ",").contains {
                        $0.filter { $0 != " " } == name.rawValue
                    }
            }, "\(name.rawValue)")
        return lines[(first + 1)...].prefix { !$0.hasPrefix("#") }.joined(separator: "\n")
    }

    /// What stands in code in a text: names of members and words, whatever is around them.
    private func code(_ text: String) -> Set<String> {
        var words: Set<String> = []
        for (index, span) in text.split(separator: "`", omittingEmptySubsequences: false)
            .enumerated()
        where index % 2 == 1 {
            words.insert(String(span))
            for word in span.split(whereSeparator: { !$0.isLetter && $0 != "_" && $0 != "-" }) {
                words.insert(String(word))
            }
        }
        return words
    }

    /// The same, with what stands in sections that it points to: ``as in `peers` ``.
    private func codeWithSources(_ text: String) throws -> Set<String> {
        var (words, texts) = (Set<String>(), [text])
        var seen: Set<OperationName> = []
        while let text = texts.popLast() {
            words.formUnion(code(text))
            let flat = text.split(separator: "\n").joined(separator: " ")
            for name in OperationName.allCases where !seen.contains(name) {
                let ways = ["as", "in", "of", "see"].map { "\($0) `\(name.rawValue)`" }
                guard ways.contains(where: flat.contains) else { continue }
                seen.insert(name)
                texts.append(try section(name))
            }
        }
        return words
    }

    /// Events that `search` and `log` answer with have a part of their own.
    private func members(_ name: OperationName) throws -> [JSONMember] {
        try ControlTypes.exchanges(name).flatMap(\.members)
    }

    /// Members that stand in tables of their own.
    private func common() throws -> Set<String> {
        let all = try Person.members() + SwapRequest.members() + SwapTerms.members()
        return Set(all.compactMap(\.path.last))
    }

    @Test(
        "Each operation has its section, with its arguments and the members of its answer",
        arguments: OperationName.allCases)
    func operations(name: OperationName) throws {
        let here = try codeWithSources(try section(name))
        let shared = try common()
        for member in try members(name) {
            let last = try #require(member.path.last)
            #expect(
                here.contains(last) || shared.contains(last),
                "\(name.rawValue) has \(member.path.joined(separator: "."))")
        }
    }

    @Test("Every word of a closed list stands in the manual", arguments: OperationName.allCases)
    func words(name: OperationName) throws {
        // Operations stand in headings.
        let all = code(manual).union(OperationName.allCases.map(\.rawValue))
        for word in try members(name).flatMap(\.words) {
            #expect(all.contains(word), "\(name.rawValue) may say \(word)")
        }
    }

    @Test(
        "Each event has its row, with its members and its words",
        arguments: EventName.allCases)
    func events(name: EventName) throws {
        let table = try part("## Events", "## The list of flights")
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `\(name.rawValue)` |") }
        #expect(rows.count == 1)
        let here = try codeWithSources(table)
        let shared = try common().union(
            (AgentStatus.members() + SeatEntry.members()).compactMap(\.path.last))
        for member in try ControlEvent.What.members(of: name) {
            let last = try #require(member.path.last)
            #expect(
                here.contains(last) || shared.contains(last),
                "\(name.rawValue) has \(member.path.joined(separator: "."))")
            for word in member.words { #expect(code(manual).contains(word), "\(word)") }
        }
    }

    /// First cells of a table.
    private func rows(_ text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
            line.dropFirst(2).prefix { $0 != "|" }.split(separator: ",").map { cell in
                String(cell.filter { $0 != "`" && $0 != " " })
            }
        }
    }

    @Test("The tables of a passenger and of a request have their members, and no others")
    func tables() throws {
        func top(_ members: [JSONMember]) -> [String] {
            members.filter { $0.path.count == 1 }.map { $0.path[0] }.sorted()
        }
        let people = rows(try part("**Passenger**", "**Request**"))
        #expect(people.sorted() == top(try Person.members()))
        let requests = rows(try part("**Request**", "`agreed` means"))
        // That one stands in the table of events.
        #expect(requests.sorted() == top(try SwapRequest.members()).filter { $0 != "pressing" })
        let status = rows(try part("### status", "`window` has"))
        #expect(status.sorted() == top(try AgentStatus.members()))
    }
}
