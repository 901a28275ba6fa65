import Testing

/// The shape of the house, as a test: sizes, names, layers.
@Suite struct TidyTests {
    static let all =
        SourceTree.swiftFiles("Sources") + SourceTree.swiftFiles("Tests")
        + SourceTree.swiftFiles("Benchmarks")

    @Test(arguments: all)
    func filesHoldOneIdea(path: String) throws {
        let lines = try SourceTree.lines(path)
        #expect(lines.count <= 401, "\(path) has \(lines.count) lines")
    }

    @Test(arguments: all)
    func functionsAreShort(path: String) throws {
        var start: (line: Int, indent: Int, text: String)?
        for (number, line) in try SourceTree.lines(path).enumerated() {
            let indent = line.prefix { $0 == " " }.count
            if let open = start, indent == open.indent, line.dropFirst(indent).hasPrefix("}") {
                #expect(number - open.line <= 70, "\(path):\(open.line + 1) \(open.text)")
                start = nil
            } else if start == nil, line.contains("func "), line.hasSuffix("{") {
                start = (number, indent, line)
            }
        }
    }

    @Test(arguments: SourceTree.swiftFiles("Sources"))
    func namesAreTheFields(path: String) throws {
        let vague = ["Manager", "Helper", "Util", "Service.swift"]
        for word in vague { #expect(!path.contains(word), "\(path)") }
    }

    /// `Base < CBOR < Model < Wire < Session < Records < Fold < Negotiation < Matching <
    /// Overlay < Node`:
    /// a folder names only types that folders to its left, or it itself, declare.
    @Test func arrowsGoOneWay() throws {
        let order = [
            "Base", "CBOR", "Model", "Wire", "Session", "Records", "Fold", "Negotiation",
            "Matching", "Overlay", "Node",
        ]
        var home: [String: Int] = [:]
        var nested: [String: Int] = [:]
        var files: [(path: String, rank: Int)] = []
        for path in SourceTree.swiftFiles("Sources/Protocol") {
            let folder = String(path.split(separator: "/")[2])
            let rank = try #require(order.firstIndex(of: folder), "\(path): unknown folder")
            files.append((path, rank))
            for line in try SourceTree.lines(path) {
                let words = SourceTree.code(line).split { !$0.isLetter && !$0.isNumber }
                for (word, next) in zip(words, words.dropFirst())
                where ["struct", "enum", "protocol", "class"].contains(word) {
                    let name = String(next)
                    // A type within a type has no home of its own; its name may stand for two.
                    if line.hasPrefix(" ") {
                        nested[name] = min(nested[name] ?? rank, rank)
                    } else {
                        home[name] = rank
                    }
                }
            }
        }
        #expect(home.count > 40)
        for (path, rank) in files {
            for line in try SourceTree.lines(path) {
                for word in SourceTree.code(line).split(whereSeparator: {
                    !$0.isLetter && !$0.isNumber
                }) {
                    let other = min(
                        home[String(word)] ?? 0, nested[String(word)] ?? Int.max)
                    if other > rank {
                        Issue.record("\(path) names \(word) of \(order[other])")
                    }
                }
            }
        }
    }
}
