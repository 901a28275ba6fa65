// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The checked-out sources, for tests that hold the house rules.
enum SourceTree {
    /// The package's root, found from this file.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Swift files below `folder`, as paths from the root, sorted.
    static func swiftFiles(_ folder: String) -> [String] {
        let base = root.appending(path: folder)
        let names = FileManager.default.enumerator(atPath: base.path)
        return (names?.allObjects as? [String] ?? [])
            .filter { $0.hasSuffix(".swift") }
            .map { folder + "/" + $0 }
            .sorted()
    }

    /// The lines of a file.
    static func lines(_ path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The line without its comment and without the inside of its string literals.
    static func code(_ line: String) -> String {
        var out = ""
        var inText = false
        var previous: Character = " "
        for character in line {
            if character == "\"" && previous != "\\" {
                inText.toggle()
                out.append(character)
            } else if !inText {
                if character == "/" && previous == "/" { return String(out.dropLast()) }
                out.append(character)
            }
            previous = character
        }
        return out
    }
}
