// SPDX-License-Identifier: Apache-2.0
/// The version of the program, for everything that says it.
package enum Version {
    /// Semantic version.
    package static let text = "0.3.0"

    /// What one of this package's programs says of itself: `seatagentd 0.3.0`.
    package static func line(of program: String) -> String { "\(program) \(text)" }

    /// The version in what an agent calls itself, such as `seatagent 0.4.0`; `nil` for anything
    /// else. Another agent chose this text, so nothing depends on it.
    package static func number(_ agent: String) -> [Int]? {
        let words = agent.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0] == "seatagent" else { return nil }
        let parts = words[1].split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.count <= 4 && part.utf8.allSatisfy { 48...57 ~= $0 } ? Int(part) : nil
        }
        return parts.count == 3 && numbers.count == 3 ? numbers : nil
    }

    /// The newest version among `agents` that is newer than this one.
    package static func newer(_ agents: [String]) -> String? {
        let own = number("seatagent " + text) ?? []
        let newest = agents.compactMap(number).max { $0.lexicographicallyPrecedes($1) }
        guard let newest, own.lexicographicallyPrecedes(newest) else { return nil }
        return newest.map(String.init).joined(separator: ".")
    }
}
