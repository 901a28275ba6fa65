// SPDX-License-Identifier: Apache-2.0
import Testing

/// The core has no world of its own: what must not stand in it, as a test.
@Suite struct PurityTests {
    @Test func theTreeIsFound() { #expect(SourceTree.swiftFiles("Sources/Protocol").count > 20) }

    @Test(arguments: SourceTree.swiftFiles("Sources/Protocol"))
    func protocolImportsNothing(path: String) throws {
        for line in try SourceTree.lines(path) {
            let words = SourceTree.code(line).split(separator: " ")
            #expect(!words.contains("import"), "\(path): \(line)")
        }
    }

    @Test(arguments: SourceTree.swiftFiles("Sources/Protocol"))
    func protocolHasNoClockThreadOrTrap(path: String) throws {
        let forbidden = [
            "async ", "await ", "Task {", "DispatchQueue", "ContinuousClock", "SystemRandomNumber",
            ".random(in: ", ".shuffled()", ".randomElement()", "try!", "fatalError(",
            "@unchecked", "nonisolated(unsafe)", "print(", "preconditionFailure(",
        ]
        for line in try SourceTree.lines(path) {
            let code = SourceTree.code(line)
            for word in forbidden where code.contains(word) {
                // Int64.random(in:using:) takes the seeded generator.
                if word == ".random(in: " && code.contains("using:") { continue }
                Issue.record("\(path): \(word) in \(line)")
            }
        }
    }
}
