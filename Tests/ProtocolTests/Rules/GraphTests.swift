// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Which module of this package needs which.
struct ModuleGraph {
    /// For each module those that it needs.
    var needs: [String: Set<String>]

    /// Modules from the bottom up, each after all that it needs, equals by name; and those that are
    /// left because they need each other, or one that does.
    var layers: (order: [String], tangled: [String]) {
        var order: [String] = []
        var left = needs
        while true {
            let free = left.filter { $0.value.isSubset(of: order) }.keys.sorted()
            if free.isEmpty { return (order, left.keys.sorted()) }
            order += free
            for name in free { left[name] = nil }
        }
    }

    /// What the import lines of `Sources` say, of modules of this package.
    static func imported() throws -> ModuleGraph {
        let folder = SourceTree.root.appending(path: "Sources").path
        let known = try FileManager.default.contentsOfDirectory(atPath: folder)
        // Modules of C import none of these.
        var needs = Dictionary(uniqueKeysWithValues: known.map { ($0, Set<String>()) })
        for path in SourceTree.swiftFiles("Sources") {
            let module = String(path.split(separator: "/")[1])
            needs[module, default: []].formUnion(try imports(of: SourceTree.lines(path)))
        }
        return ModuleGraph(needs: needs.mapValues { $0.intersection(known) })
    }

    /// The modules that a file imports.
    static func imports(of lines: [String]) -> Set<String> {
        Set(
            lines.compactMap { line in
                let words = SourceTree.code(line).split(separator: " ")
                guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
                    place == 0 || ["package", "public", "@testable"].contains(words[place - 1])
                else { return nil }
                return String(words[place + 1])
            })
    }

    /// What Package.swift declares for a build of everything, read as text: `swift package
    /// describe` takes longer than all other tests of the sources.
    static func declared(by package: [String]) -> ModuleGraph {
        var statements: [String: String] = [:]
        var name = ""
        for line in package {
            if line.hasPrefix("let "), let word = line.dropFirst(4).split(separator: ":").first {
                name = String(word)
            }
            if !line.drop(while: { $0 == " " }).hasPrefix("//") {
                statements[name, default: ""] += line + "\n"
            }
        }
        var needs: [String: Set<String>] = [:]
        for statement in ["agent", "ordinary", "pictures"].compactMap({ statements[$0] }) {
            for target in statement.split(separator: "name: \"").dropFirst() {
                let list = target.split(separator: "dependencies: ", maxSplits: 1).dropFirst().first
                // A list as it stands there, or the name of one.
                let literal = list?.prefix { $0 != "]" }
                let variable = literal.map { String($0.prefix { $0.isLetter }) } ?? ""
                let words = variable.isEmpty ? literal.map { String($0) } : statements[variable]
                needs[quoted("\"" + target)[0]] = Set(quoted(words ?? ""))
            }
        }
        return ModuleGraph(needs: needs)
    }

    /// The words in quotes.
    private static func quoted(_ text: String) -> [String] {
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }
}

/// The modules of the program: arrows go one way, and only where Package.swift says so.
@Suite struct GraphTests {
    @Test func noModuleNeedsItselfByWayOfOthers() throws {
        let graph = try ModuleGraph.imported()
        let layers = graph.layers
        for module in layers.order {
            print("module \(module):", (graph.needs[module] ?? []).sorted().joined(separator: " "))
        }
        #expect(layers.tangled == [])
        #expect(layers.order.contains("Protocol") && layers.order.contains("SeatAgent"))
    }

    @Test func whatIsImportedIsDeclaredAndTheOtherWayRound() throws {
        let declared = ModuleGraph.declared(by: try SourceTree.lines("Package.swift")).needs
        for (module, imports) in try ModuleGraph.imported().needs.sorted(by: { $0.key < $1.key }) {
            let known = try #require(declared[module], "\(module): no target")
            #expect(imports.subtracting(known) == [], "\(module) imports, undeclared")
            #expect(known.subtracting(imports) == [], "\(module) declares, unused")
        }
    }

    @Test func noModuleOpensAnotherOrHandsItOn() throws {
        for path in SourceTree.swiftFiles("Sources") {
            for line in try SourceTree.lines(path) {
                let code = SourceTree.code(line)
                #expect(!code.contains("@testable") && !code.contains("@_exported"), "\(path)")
            }
        }
    }

    /// A package that is depended on by version may have no unsafe flags; and the sources are Swift
    /// and C that lies where it is compiled.
    @Test func otherPackagesCanDependOnAVersion() throws {
        for line in try SourceTree.lines("Package.swift") {
            #expect(!line.contains("unsafeFlags"), "\(line)")
        }
        let folder = SourceTree.root.appending(path: "Sources")
        let names = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isSymbolicLinkKey])
        var count = 0
        for case let file as URL in try #require(names) {
            let values = try file.resourceValues(forKeys: [.isSymbolicLinkKey])
            #expect(values.isSymbolicLink != true, "\(file.path)")
            #expect(!["s", "S", "asm"].contains(file.pathExtension), "\(file.path)")
            count += 1
        }
        #expect(count > 100)
    }

    @Test func aTangleIsFound() {
        let graph = ModuleGraph(needs: [
            "Low": [], "One": ["Low", "Two"], "Two": ["One"], "Top": ["Two"], "Side": ["Low"],
        ])
        #expect(graph.layers.order == ["Low", "Side"])
        #expect(graph.layers.tangled == ["One", "Top", "Two"])
    }

    @Test func importsAndTargetsAreRead() {
        let lines = [
            "import Low", "package import Mid", "#if MORE", "    import CMore", "#endif",
            "// import Nothing", "let text = \"import None\"", "func important() {}",
        ]
        #expect(ModuleGraph.imports(of: lines) == ["Low", "Mid", "CMore"])
        let package = """
            let parts: [Target.Dependency] = ["Low"] + (more ? ["CMore"] : [])
            let agent: [Target] = [
                // .target(name: "Gone", dependencies: ["Low"]),
                .target(name: "Low"),
                .target(
                    name: "Mid", dependencies: ["Low", "CMore"],
                    swiftSettings: [.define("NOT")]),
                .executableTarget(name: "Top", dependencies: parts),
            ]
            let fuzzed: [Target] = [.target(name: "Other", dependencies: ["Top"])]
            """
        let read = ModuleGraph.declared(by: package.split(separator: "\n").map(String.init)).needs
        #expect(read == ["Low": [], "Mid": ["Low", "CMore"], "Top": ["Low", "CMore"]])
    }
}
