// SPDX-License-Identifier: Apache-2.0
import Testing

/// `Node` routes between its parts, and each part is the only one that changes its own state
/// (docs/handbook.md, "The core's parts").
@Suite struct PartsTests {
    /// The parts, each with its state in the file of its name.
    private static let parts = [
        "Companions", "Detours", "Folding", "Layouts", "Links", "Mesh", "People", "Records", "Talk",
        "Wishes",
    ]

    /// A stored property of a type: how it is declared, its name, what follows.
    struct Property {
        let words: [Substring]
        let name: Substring

        /// Nobody outside the type's file can change it.
        var isOwned: Bool {
            words.contains("let") || words.contains("private") || words.contains("private(set)")
        }

        /// `nil` for a line that declares none at the top of a type: a property that is computed
        /// has a body.
        init?(_ line: String) {
            guard line.hasPrefix("    "), !line.hasPrefix("     ") else { return nil }
            let code = SourceTree.code(line).drop { $0 == " " }
            let words = code.split(separator: " ")
            guard let place = words.firstIndex(where: { $0 == "let" || $0 == "var" }),
                place + 1 < words.count, !code.hasSuffix("{"), !code.hasSuffix("}"),
                !words[..<place].contains("case"), !words[..<place].contains("func"),
                !words[..<place].contains("static")
            else { return nil }
            self.words = Array(words[...place])
            name = words[place + 1].prefix { $0.isLetter || $0.isNumber }
        }
    }

    /// What the first type of a file stores.
    private func properties(_ name: String, of lines: [String]) -> [Property] {
        let type = lines.drop { !$0.contains("struct \(name): Sendable {") }
        return type.prefix { $0 != "}" }.compactMap(Property.init)
    }

    private func source(_ name: String) throws -> [String] {
        try SourceTree.lines("Sources/Protocol/Node/\(name).swift")
    }

    @Test func nodeHoldsPartsAndLittleElse() throws {
        let stored = properties("Node", of: try source("Node")).map { String($0.name) }
        #expect(stored.count <= 18, "\(stored)")
        #expect(stored.contains("me") && stored.contains("mesh") && stored.contains("records"))
    }

    @Test(arguments: parts) func aPartAloneChangesItsState(part: String) throws {
        let stored = properties(part, of: try source(part))
        #expect(stored.count >= 3)
        #expect(stored.filter { !$0.isOwned }.map(\.name) == [])
    }

    /// A part knows other parts by their types alone: it reaches none, and not the core.
    @Test(arguments: parts) func aPartDoesNotReachAnother(part: String) throws {
        let lines = try source(part).map(SourceTree.code)
        let words = Set(lines.flatMap { $0.split { !$0.isLetter && !$0.isNumber } })
        let others = Set(Self.parts).subtracting([part]).union(["Node"])
        #expect(words.intersection(Set(others.map { Substring($0) })) == [])
    }

    @Test func whatIsNotOwnedIsFound() {
        let lines = [
            "struct Links: Sendable {", "    private(set) var all: [Int] = []",
            "    var count = 0", "    private var last = 0", "    let me: Int",
            "    var isEmpty: Bool { all.isEmpty }", "    var first: Int? {",
            "        let other = 1",
            "    }", "    // var old = 0", "}", "    var late = 0",
        ]
        let stored = properties("Links", of: lines)
        #expect(stored.map(\.name) == ["all", "count", "last", "me"])
        #expect(stored.filter { !$0.isOwned }.map(\.name) == ["count"])
    }
}
