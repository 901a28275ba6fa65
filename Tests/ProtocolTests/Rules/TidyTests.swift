// SPDX-License-Identifier: Apache-2.0
import Testing

/// The shape of the house, as a test: sizes, names, layers.
@Suite struct TidyTests {
    /// A file with what is measured of it.
    struct File {
        let path: String
        let lines: [String]
        let bodies: SwiftBodies
    }

    /// Every Swift file of the repository.
    static let files: [File] =
        (["Package.swift"] + ["Sources", "Tests", "Benchmarks"].flatMap(SourceTree.swiftFiles))
        .compactMap { path in
            guard let lines = try? SourceTree.lines(path) else { return nil }
            let text = lines.joined(separator: "\n")
            return File(path: path, lines: lines, bodies: SwiftBodies(Array(text.utf8)))
        }

    @Test func filesHoldOneIdea() {
        #expect(Self.files.count > 700)
        let long = Self.files.filter { $0.lines.count > 401 }
        #expect(long.map { "\($0.path) has \($0.lines.count - 1) lines" } == [])
        let counts = Self.files.map { $0.lines.count - 1 }.sorted()
        #expect(counts[counts.count / 2] < 120)
    }

    @Test func functionsAreShort() {
        #expect(Self.files.map(\.bodies.bodies.count).reduce(0, +) > 7000)
        #expect(Self.files.filter(\.bodies.isTangled).map(\.path) == [])
        let long = Self.files.flatMap { file in
            file.bodies.bodies.filter { $0.count > 70 }.map { body in
                let text = file.lines[body.first - 1].drop { $0 == " " }
                return "\(file.path):\(body.first) has \(body.count) lines: \(text)"
            }
        }
        #expect(long == [])
    }

    @Test func linesFitAScreen() {
        let wide = Self.files.flatMap { file in
            file.lines.enumerated().compactMap { index, line in
                line.utf8.count > 100 && line.count > 100 ? "\(file.path):\(index + 1)" : nil
            }
        }
        #expect(wide == [])
    }

    static let licence = "SPDX-License-Identifier: Apache-2.0"

    /// Whether the first line names the licence; where a shebang or the version of the tools must
    /// be the first, the second one.
    private func namesLicence(_ lines: [String]) -> Bool {
        let isTaken = lines[0].hasPrefix("#!") || lines[0].hasPrefix("// swift-tools-version")
        guard let line = lines.dropFirst(isTaken ? 1 : 0).first else { return false }
        let forms = ["// \(Self.licence)", "# \(Self.licence)", "/* \(Self.licence) */"]
        return forms.contains(line)
    }

    @Test func everySourceNamesItsLicence() throws {
        let licence = try SourceTree.lines("LICENSE").prefix(4).joined(separator: "\n")
        #expect(licence.contains("Apache License") && licence.contains("Version 2.0"))
        var paths = CitationTests.files + ["Package.swift", "packaging/deb-test-inside"]
        paths.append("Tests/ProtocolTests/Rules/CitationTests.swift")
        var silent: [String] = []
        for path in paths {
            // A folder, or no script.
            guard let lines = try? SourceTree.lines(path),
                path.split(separator: "/").last?.contains(".") == true || lines[0].hasPrefix("#!")
            else { continue }
            if !namesLicence(lines) { silent.append(path) }
        }
        #expect(silent == [])
    }

    @Test func aSourceWithoutLicenceIsFound() {
        #expect(!namesLicence(["import Testing"]) && !namesLicence(["#!/bin/sh", "set -eu"]))
        #expect(!namesLicence(["import Testing", "// \(Self.licence)"]))
        #expect(namesLicence(["#!/bin/sh", "# \(Self.licence)"]))
    }

    /// Passengers and peers are "they" in comments of every language and in all documents.
    @Test func peopleAreThey() throws {
        let words = Set(["he", "his", "him", "himself", "He", "His"].map { Substring($0) })
        let marks = ["//", "# ", "#: ", "*", "/*"]
        let documents = try Citations.headings { _ in "" }.keys.sorted()
        #expect(documents.count > 15)
        var said: [String] = []
        for path in CitationTests.files + documents {
            guard let lines = try? SourceTree.lines(path) else { continue }
            for (index, line) in lines.enumerated() where line.utf8.contains(UInt8(ascii: "h")) {
                let text = line.drop { $0 == " " }
                guard path.hasSuffix(".md") || marks.contains(where: text.hasPrefix),
                    text.split(whereSeparator: { !$0.isLetter }).contains(where: words.contains)
                else { continue }
                said.append("\(path):\(index + 1)")
            }
        }
        #expect(said == [])
    }

    /// The terminal paints cells and reads keys; `View` says what they mean.
    @Test func theTerminalKnowsNothingOfFlights() throws {
        let words = ["seat", "cabin", "passenger", "flight", "swap", "chat"]
        let files = SourceTree.swiftFiles("Sources/Terminal")
        #expect(files.count > 5)
        let lines = try files.flatMap { path in
            try SourceTree.lines(path).map { "\(path): \($0)" }
        }
        #expect(lines.filter { line in words.contains { line.lowercased().contains($0) } } == [])
    }

    @Test(arguments: SourceTree.swiftFiles("Sources"))
    func namesAreTheFields(path: String) throws {
        let vague = ["Manager", "Helper", "Util", "Service.swift"]
        for word in vague { #expect(!path.contains(word), "\(path)") }
    }

    /// `Base < CBOR < Model < Wire < Session < Records < Fold < Matching < Desk < Negotiation <
    /// Overlay < Games < Node`: a folder names only types that folders to its left, or it
    /// itself, declare.
    @Test func arrowsGoOneWay() throws {
        let order = [
            "Base", "CBOR", "Model", "Wire", "Session", "Records", "Fold", "Matching", "Desk",
            "Negotiation", "Overlay", "Games", "Node",
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
        #expect(Set(files.map(\.rank)) == Set(order.indices), "a room without files")
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
