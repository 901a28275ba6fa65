import CCommit
import CNCurses
import COpenSSL
import CSQLite
import CSodium
import CZip
import Text

/// The version of the program, one place for all who say it.
enum Version {
    /// Semantic version.
    static let text = "0.2.0"

    /// The version in what an agent calls itself, such as `seatagent 0.3.0`; `nil` for anything else.
    /// Another agent's word: nothing hangs on it.
    static func number(_ agent: String) -> [Int]? {
        let words = agent.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0] == "seatagent" else { return nil }
        let parts = words[1].split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.count <= 4 && part.utf8.allSatisfy { 48...57 ~= $0 } ? Int(part) : nil
        }
        return parts.count == 3 && numbers.count == 3 ? numbers : nil
    }

    /// The newest version that one of `agents` has and that is newer than this one.
    static func newer(_ agents: [String]) -> String? {
        let own = number("seatagent " + text) ?? []
        let newest = agents.compactMap(number).max { $0.lexicographicallyPrecedes($1) }
        guard let newest, own.lexicographicallyPrecedes(newest) else { return nil }
        return newest.map(String.init).joined(separator: ".")
    }

    /// The commit it was built from, seven digits; `nil` where the build was not told.
    static var commit: String? {
        let text = String(cString: seatagent_commit())
        return text == "unknown" ? nil : text
    }

    /// `0.2.0 (5cecdbb)`, or `0.2.0 (unknown)`.
    static var full: String { "\(text) (\(commit ?? "unknown"))" }

    /// The libraries that are in, with the versions that run here, and what else is optional.
    static var parts: [String] {
        let openssl = String(cString: OpenSSL_version(OPENSSL_VERSION)).split(separator: " ")
        let search = sqlite3_compileoption_used("ENABLE_FTS5") == 1 ? "with" : "without"
        return [
            openssl.prefix(2).joined(separator: " "),
            "SQLite " + String(cString: sqlite3_libversion()) + " \(search) full-text search",
            "libsodium " + String(cString: sodium_version_string()),
            String(cString: curses_version()),
            "libzip " + String(cString: zip_libzip_version()),
            PassPicture.version,
        ]
    }

    /// The commit for JSON; `null` where the build was not told.
    static var json: JSON { commit.map(JSON.string) ?? .null }
}
