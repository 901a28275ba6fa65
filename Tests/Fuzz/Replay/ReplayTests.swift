// SPDX-License-Identifier: Apache-2.0
import Foundation
import FuzzKit
import Testing

/// Inputs that fuzzing kept, once more: those that reach everything it reached, and those that once
/// broke something. A broken property ends the process with its message.
@Suite struct ReplayTests {
    private static let all = FuzzTarget.readers + FuzzTarget.passes + FuzzTarget.agent

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The inputs of a target below `folder`, in the order of their names.
    private static func inputs(_ folder: String, _ target: String) throws -> [[UInt8]] {
        let place = root.appending(path: folder).appending(path: target)
        guard FileManager.default.fileExists(atPath: place.path) else { return [] }
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
        return try names.map { [UInt8](try Data(contentsOf: place.appending(path: $0))) }
    }

    @Test(arguments: Self.all.map(\.name))
    func corpus(_ name: String) throws {
        let target = try #require(Self.all.first { $0.name == name })
        let inputs = try Self.inputs("Corpus", name)
        #expect(!inputs.isEmpty, "no inputs are kept for \(name)")
        let verdicts = inputs.map(target.run)
        #expect(verdicts.contains(.accepted), "no input of \(name) says anything")
        #expect(verdicts.contains(.refused), "no input of \(name) is wrong")
    }

    @Test(arguments: Self.all.map(\.name))
    func regressions(_ name: String) throws {
        let target = try #require(Self.all.first { $0.name == name })
        for input in try Self.inputs("Regressions", name) { _ = target.run(input) }
        // The shortest inputs of all are nobody's find and everybody's business.
        for input in [[], [0], [0xFF], [0, 0, 0, 0, 0]] as [[UInt8]] { _ = target.run(input) }
    }

    /// Nothing is kept for a target that does not exist.
    @Test func foldersAreTargets() throws {
        for folder in ["Corpus", "Regressions"] {
            let place = Self.root.appending(path: folder)
            guard FileManager.default.fileExists(atPath: place.path) else { continue }
            for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
                #expect(Self.all.contains { $0.name == name }, "\(folder)/\(name)")
            }
        }
    }

    /// The table of decoders in docs/assurance.md has each target, and no other.
    @Test func theTableHasEachTarget() throws {
        let path = Self.root.appending(path: "../../docs/assurance.md")
        let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
        let section = try #require(text.components(separatedBy: "\n## Fuzzing\n").dropFirst().first)
        let table = section.components(separatedBy: "| no target |")[0]
        let cells = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .compactMap { $0.split(separator: "|").first }
        let named = cells.flatMap { $0.split(separator: "`") }.map(String.init)
            .filter { $0.allSatisfy(\.isLetter) }
        #expect(named.sorted() == Self.all.map(\.name).sorted())
    }
}
