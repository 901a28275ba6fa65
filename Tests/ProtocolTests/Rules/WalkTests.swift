// SPDX-License-Identifier: Apache-2.0
import Testing

/// The walks of docs/handbook.md, "Two walks", lead through files and names that are there.
@Suite struct WalkTests {
    /// One hop: a file, who does it there, and what the data is afterwards.
    struct Hop {
        let file: String
        let actors: [String]
        let data: [String]

        /// A row of a table that begins with a number; `nil` for any other line.
        init?(_ line: String) {
            let cells = line.split(separator: "|").map(String.init)
            guard line.hasPrefix("| "), cells.count == 4,
                Int(cells[0].filter { $0 != " " }) != nil
            else { return nil }
            file = Self.quoted(cells[1]).first ?? ""
            actors = Self.quoted(cells[2]).flatMap(Self.words)
            data = Self.quoted(cells[3]).flatMap(Self.words)
        }

        /// What stands between backticks.
        private static func quoted(_ cell: String) -> [String] {
            cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }

        /// `FrameDecoder.Drawn` is two words, `[UInt8]` one.
        static func words(_ text: String) -> [String] {
            text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }

        /// What of it is not there.
        func faults(_ text: (String) -> [String]?) -> [String] {
            guard let lines = text("Sources/\(file)") else { return ["no file \(file)"] }
            let there = Set(lines.map(SourceTree.code).flatMap(Self.words))
            return (actors + data).filter { !there.contains($0) }.map { "\(file) has no \($0)" }
        }
    }

    private static func source(_ path: String) -> [String]? { try? SourceTree.lines(path) }

    private func hops() throws -> [[Hop]] {
        var walks: [[Hop]] = []
        var isInside = false
        for line in try SourceTree.lines("docs/handbook.md") {
            if line.hasPrefix("## ") { isInside = line == "## Two walks" }
            guard isInside else { continue }
            if line.hasPrefix("### ") { walks.append([]) }
            if let hop = Hop(line) { walks[walks.count - 1].append(hop) }
        }
        return walks
    }

    @Test func everyHopIsThere() throws {
        let walks = try hops()
        #expect(walks.count == 2 && walks.allSatisfy { $0.count > 20 })
        for hop in walks.joined() {
            #expect(!hop.actors.isEmpty && hop.faults(Self.source) == [], "\(hop.file)")
        }
    }

    /// What is not counted in the walk is not there either: nothing between the scribe and the
    /// screen but the codec knows JSON.
    @Test func onlyTheCodecKnowsJSON() throws {
        for file in ["Agent/EventScribe", "View/ViewFeed", "View/ChatPicture", "View/ChatRows"] {
            let lines = try SourceTree.lines("Sources/\(file).swift").map(SourceTree.code)
            #expect(!lines.flatMap(Hop.words).contains("JSON"), "\(file)")
        }
    }

    @Test func whatIsNotThereIsFound() throws {
        let there = ["func take(_ line: ChatLine) {", "    // says nothing"]
        func faults(_ row: String) -> [String]? {
            Hop(row)?.faults { $0 == "Sources/View/A.swift" ? there : nil }
        }
        #expect(faults("| 1 | `View/A.swift` | `take` | `ChatLine` |") == [])
        #expect(faults("| 1 | `View/B.swift` | `take` | `ChatLine` |") == ["no file View/B.swift"])
        #expect(faults("| 1 | `View/A.swift` | `give` | |") == ["View/A.swift has no give"])
        #expect(faults("| 1 | `View/A.swift` | `take` | `Row.Cell` |")?.count == 2)
        #expect(faults("| 1 | `View/A.swift` | `says` | words |")?.count == 1)
        #expect(faults("| hop | file | who | the data |") == nil)
    }
}
