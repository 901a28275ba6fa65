// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// What the sources cite is there: documents and sections of this repository, and nothing else.
@Suite struct CitationTests {
    /// Sources of every language, without what is kept as data.
    static let files = ["Sources", "Tests", "Benchmarks", "models", "scripts", "examples"]
        .flatMap { folder in
            let names = FileManager.default.enumerator(
                atPath: SourceTree.root.appending(path: folder).path)
            return (names?.allObjects as? [String] ?? []).map { folder + "/" + $0 }
        }
        .filter { path in
            let name = path.split(separator: "/").last ?? ""
            let kinds = [".swift", ".py", ".c", ".cpp", ".h", ".sh", ".pml"]
            return (kinds.contains { name.hasSuffix($0) } || !name.contains("."))
                && !["/goldens/", "/Corpus/", "/Regressions/", "/.", "__pycache__"]
                    .contains { path.contains($0) }
                && !path.hasSuffix("Rules/CitationTests.swift")
        }

    @Test func everyDocumentAndSectionThatIsCitedIsThere() throws {
        #expect(Self.files.count > 700)
        let citations = Citations(
            headings: try Citations.headings { try String(contentsOf: $0, encoding: .utf8) })
        var cited = 0
        for path in Self.files {
            let url = SourceTree.root.appending(path: path)
            // A folder, or bytes.
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { continue }
            let found = citations.found(in: text)
            cited += found.count
            for fault in found.compactMap(\.fault) { Issue.record("\(path): \(fault)") }
        }
        #expect(cited > 200)
    }

    @Test(
        arguments: [
            ("/// As interface.md 4.6 has it.", "interface.md"),
            ("/// Whom to dial (protocol.md 4.3).", "protocol.md"),
            ("// See docs/nothing.md.", "docs/nothing.md"),
            ("/// Rows of docs/protocol.md section 99.", "section 99"),
            ("# docs/protocol.md sections 9 and 98", "section 98"),
            ("/// docs/protocol.md\n/// section 77, step 5", "section 77"),
            ("// as section 55 has it", "section 55"),
            ("/// docs/meet.md section 99", "docs/meet.md section 99"),
            ("/// (docs/meet.md sections 2 and 14)", "docs/meet.md section 14"),
            ("/// See docs/control.md, \"Nowhere\".", "Nowhere"),
            ("/// Asked for once (5.6).", "(5.6)"),
            ("    // Settled (6.3 step 4).", "(6.3 step 4)"),
        ])
    func whatIsNotThereIsFound(text: String, fault: String) throws {
        let citations = Citations(
            headings: try Citations.headings { try String(contentsOf: $0, encoding: .utf8) })
        let faults = citations.found(in: text).compactMap(\.fault)
        #expect(faults.count == 1 && faults[0].contains(fault), "\(faults)")
    }

    @Test(
        arguments: [
            "/// (docs/protocol.md sections 6 and 7)", "/// docs/protocol.md section 13, step 5",
            "// RFC 8446 sections 7.1 and 7.5", "/// (RFC 8949 section 4.2.1; README.md)",
            "/// (docs/control.md, \"What the doctor\n/// prints\")", "let x = f(1.5)",
            "# sections 8 to 14, and 19", "/// (docs/meet.md sections 1 to 7)",
            "/// (MQTT 5.0 section 4.7)",
        ])
    func whatIsThereIsLeftAlone(text: String) throws {
        let citations = Citations(
            headings: try Citations.headings { try String(contentsOf: $0, encoding: .utf8) })
        #expect(citations.found(in: text).compactMap(\.fault) == [])
    }
}

/// Reads what a text cites, and says what of it is not there.
struct Citations {
    /// One thing cited; `fault` says what is wrong with it.
    struct Found {
        let fault: String?
    }

    /// Path of each document, from the root, with its headings.
    let headings: [String: [String]]

    /// All documents of the repository, read by `text`.
    static func headings(_ text: (URL) throws -> String) throws -> [String: [String]] {
        var all: [String: [String]] = [:]
        let root = SourceTree.root
        let here = try FileManager.default.contentsOfDirectory(atPath: root.path)
        var names = here.filter { $0.hasSuffix(".md") }
        for folder in ["docs", "examples"] {
            let inside = FileManager.default.enumerator(
                atPath: root.appending(path: folder).path)
            names += (inside?.allObjects as? [String] ?? [])
                .filter { $0.hasSuffix(".md") }.map { folder + "/" + $0 }
        }
        for name in names {
            all[name] = try text(root.appending(path: name))
                .split(separator: "\n").filter { $0.hasPrefix("#") }
                .map { String($0.drop { $0 == "#" }.dropFirst()) }
        }
        return all
    }

    /// Everything that the comments of `text` cite.
    func found(in text: String) -> [Found] {
        let comments = Self.comments(text)
        return documents(in: comments) + sections(in: comments) + numbers(in: comments)
    }

    /// `docs/control.md, "Errors"`: the document, and the heading where one is named.
    private func documents(in text: String) -> [Found] {
        guard text.contains(".md") else { return [] }
        let pattern = #"(?<![\w*/}])((?:[\w-]+/)*[\w-]+\.md)\b(?:, "([^"]+)")?"#
        return matches(of: pattern, in: text).map { groups in
            guard let there = headings[groups[1]] else { return Found(fault: groups[1]) }
            guard !groups[2].isEmpty else { return Found(fault: nil) }
            return Found(fault: there.contains(groups[2]) ? nil : "\(groups[1]) \(groups[2])")
        }
    }

    /// `section 13`, `sections 8 to 14 and 19`: those of docs/protocol.md, unless another document
    /// or a text of somebody else's is named before them.
    private func sections(in text: String) -> [Found] {
        guard text.contains("section") else { return [] }
        let foreign = #"(?:RFC \d+|UTS #\d+|MQTT 5\.0)[,;:]?"#
        let list = #"sections? ((?:\d+(?:\.\d+)*(?:,? (?:and|to|or) |, )?)+)"#
        let here = #"docs/[\w-]+\.md"#
        return matches(of: "(?:(\(foreign)) |(\(here)) )?\(list)", in: text).flatMap { groups in
            guard groups[1].isEmpty else { return [Found]() }
            let document = groups[2].isEmpty ? "docs/protocol.md" : groups[2]
            let there = Set((headings[document] ?? []).map { $0.prefix { $0.isNumber } })
            let name = groups[2].isEmpty ? "section" : "\(document) section"
            return groups[3].split { !$0.isNumber && $0 != "." }.map { number in
                let number = number.hasSuffix(".") ? number.dropLast() : number
                return Found(fault: there.contains(number) ? nil : "\(name) \(number)")
            }
        }
    }

    /// `(5.6)`, `(6.3 step 4)`: of a numbering that no document has.
    private func numbers(in text: String) -> [Found] {
        matches(of: #"\(\d{1,2}\.\d{1,2}(?:,? [^)]*)?\)"#, in: text).map { Found(fault: $0[0]) }
    }

    /// The lines that are comments, in Swift, C, Python or a shell, as one.
    private static func comments(_ text: String) -> String {
        var out = ""
        var isInside = false
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = line.drop { $0 == UInt8(ascii: " ") }
            // A documentation string of Python; those of Swift are read along.
            let quotes = words.starts(with: [34, 34, 34])
            let isOne =
                isInside || quotes || words.first == UInt8(ascii: "#")
                || words.first == UInt8(ascii: "*") || words.starts(with: [47, 47])
                || words.starts(with: [47, 42])
            if isOne {
                let marks = Set(" /#*!".utf8)
                out += (Substring(words.drop { marks.contains($0) })) + " "
            }
            let ends = quotes && words.count > 3 && words.suffix(3).elementsEqual([34, 34, 34])
            if quotes && !ends || isInside && words.suffix(3).elementsEqual([34, 34, 34]) {
                isInside.toggle()
            }
        }
        return out
    }

    private func matches(of pattern: String, in text: String) -> [[String]] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
        let all = NSRange(text.startIndex..., in: text)
        return expression.matches(in: text, range: all).map { match in
            (0..<match.numberOfRanges).map { index in
                Range(match.range(at: index), in: text).map { String(text[$0]) } ?? ""
            }
        }
    }
}
