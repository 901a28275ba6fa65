// SPDX-License-Identifier: Apache-2.0
import Testing

/// The table of docs/protocol.md section 26 names a test for every row, and every test is there.
@Suite struct AttackTableTests {
    private static let rows = [
        "A1", "A2", "A3", "A4", "A5", "A5b", "A6", "A7", "A8", "A8b", "A8c", "A8d",
        "A9", "A10", "A11", "A12", "A13",
        "A14", "A15", "long log", "fast log", "many authors", "seats claimed by bots",
        "invalid frames", "eclipse", "a hundred layouts of one author",
        "one suggests another cabin", "idle connections",
        "hints to one's own machine and to third parties", "hundreds of made-up instances",
        "a private wish", "a wish for everything", "probes for yeses", "probes of trust",
        "probes of a wish that needs no word",
        "worse plans",
        "a ground key", "slow wishes", "a party's tag, copied from a member's wish",
        "a party's code, overheard", "a sealed line under another author or seq",
        "a stranger who says that a party has another code",
        "a companion who changes a party's code without end",
        "a yes that counts again", "who said no", "made-up keys at a desk",
        "asks before the desk is back", "made-up askers in a venue", "two ledgers",
        "no place for the ledger", "forms without end",
    ]

    @Test func everyRowNamesTestsThatExist() throws {
        let table = try Self.table("docs/protocol.md", "## 26.")
        let sources = try Self.sources()
        for row in Self.rows {
            let tests = table[row] ?? []
            #expect(!tests.isEmpty, "row \(row) names no test")
            for test in tests {
                let isThere = sources.contains("func \(test)(") || sources.contains("def \(test)(")
                #expect(isThere, "\(row): there is no test \(test)")
            }
        }
    }

    /// So does that of docs/meet.md section 7.
    @Test func everyRowOfTheMeetingPointNamesTestsThatExist() throws {
        let table = try Self.table("docs/meet.md", "## 7.").filter {
            $0.key != "attack" && !$0.key.hasPrefix("---")
        }
        #expect(table.count > 10)
        let sources = try Self.sources()
        for (row, tests) in table {
            #expect(!tests.isEmpty, "row \(row) names no test")
            for test in tests {
                #expect(sources.contains("func \(test)("), "\(row): there is no test \(test)")
            }
        }
    }

    /// The tests that each row of a table behind a heading names, in the last of its three cells.
    private static func table(_ path: String, _ heading: String) throws -> [String: [String]] {
        let manual = try SourceTree.lines(path)
        let start = try #require(manual.firstIndex { $0.hasPrefix(heading) })
        var table: [String: [String]] = [:]
        for line in manual[start...] where line.hasPrefix("| ") {
            let cells = line.split(separator: "|").map { cell in
                cell.split(separator: " ").joined(separator: " ")
            }
            guard cells.count == 3 else { continue }
            table[cells[0]] = cells[2].split(separator: "`").map(String.init)
                .filter { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }
        }
        return table
    }

    private static func sources() throws -> String {
        var sources = ""
        for path in SourceTree.swiftFiles("Tests") {
            sources += try SourceTree.lines(path).joined(separator: "\n")
        }
        for name in ["hostile", "idle", "hearsay", "cabins", "wish"] {
            let path = "Tests/EndToEnd/test_\(name).py"
            sources += try SourceTree.lines(path).joined(separator: "\n")
        }
        return sources
    }
}
