// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import CSQLite
import CSodium

/// The libraries that the agent is linked with, and their versions at run time.
package enum AgentLibraries {
    /// One text each: `OpenSSL 3.0.17`.
    package static var versions: [String] {
        let openssl = String(cString: OpenSSL_version(OPENSSL_VERSION)).split(separator: " ")
        let search = sqlite3_compileoption_used("ENABLE_FTS5") == 1 ? "with" : "without"
        return [
            openssl.prefix(2).joined(separator: " "),
            "SQLite " + String(cString: sqlite3_libversion()) + " \(search) full-text search",
            "libsodium " + String(cString: sodium_version_string()),
        ]
    }
}
