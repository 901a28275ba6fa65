import CCommit
import CNCurses
import COpenSSL
import CSQLite
import CSodium
import CZip

/// The version of the program, one place for all who say it.
enum Version {
    /// Semantic version.
    static let text = "0.2.0"

    /// The commit it was built from, seven digits; `nil` when it was built without git.
    static var commit: String? {
        let text = String(cString: seatagent_commit())
        return text.isEmpty ? nil : text
    }

    /// `0.2.0 (5cecdbb)`.
    static var full: String { commit.map { "\(text) (\($0))" } ?? text }

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

    /// The commit for JSON; `null` when it was built without git.
    static var json: JSON { commit.map(JSON.string) ?? .null }
}
