import CCommit
import CNCurses
import COpenSSL
import CSQLite
import CSodium
import CZip
import Text

/// What the program was built from.
extension Version {
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
