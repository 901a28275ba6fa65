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
    private let manual: String

    init() throws {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let bytes = try #require(try PrivateFile.read("/\(root)/docs/control.md"))
        manual = String(decoding: bytes, as: UTF8.self)
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

    private func members(_ name: OperationName) throws -> [JSONMember] {
        func both<Operation: ControlOperation>(
            _ operation: Operation.Type
        ) throws -> [JSONMember] {
            try Operation.members() + Operation.Reply.members()
        }
        return switch name {
        case .hello: try both(Op.Hello.self)
        case .status: try both(Op.Status.self)
        case .peers: try both(Op.Peers.self)
        case .seats: try both(Op.Seats.self)
        case .cabin: try both(Op.Cabin.self)
        case .useCabin: try both(Op.UseCabin.self)
        case .answerCabin: try both(Op.AnswerCabin.self)
        case .suggestCabin: try both(Op.SuggestCabin.self)
        case .suggestions: try both(Op.Suggestions.self)
        case .party: try both(Op.Party.self)
        case .setParty: try both(Op.SetParty.self)
        case .who: try both(Op.Who.self)
        case .say: try both(Op.Say.self)
        case .message: try both(Op.Message.self)
        case .search: try Op.Search.members()
        case .log: try Op.Log.members()
        case .watch: try both(Op.Watch.self)
        case .offer: try both(Op.Offer.self)
        case .withdraw: try both(Op.Withdraw.self)
        case .swap: try both(Op.Swap.self) + both(Op.DraftSwap.self)
        case .propose: try both(Op.Propose.self)
        case .requests: try both(Op.Requests.self)
        case .accept: try both(Op.Accept.self)
        case .decline: try both(Op.Decline.self)
        case .counter: try both(Op.Counter.self) + both(Op.DraftCounter.self)
        case .cancel: try both(Op.Cancel.self)
        case .force: try both(Op.Force.self)
        case .receipt: try both(Op.Receipt.self)
        case .verify: try both(Op.Verify.self)
        case .compared: try both(Op.Compared.self)
        case .cancelVerify: try both(Op.CancelVerify.self)
        case .vouch: try both(Op.Vouch.self)
        case .block: try both(Op.Block.self)
        case .unblock: try both(Op.Unblock.self)
        case .silence: try both(Op.Silence.self)
        case .rename: try both(Op.Rename.self)
        case .claim: try both(Op.Claim.self)
        case .release: try both(Op.Release.self)
        case .export: try both(Op.Export.self)
        case .addPeer: try both(Op.AddPeer.self)
        case .stay: try both(Op.Stay.self)
        case .forget: try both(Op.Forget.self)
        case .down: try both(Op.Down.self)
        }
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
    }
}
