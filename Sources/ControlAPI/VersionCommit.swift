// SPDX-License-Identifier: Apache-2.0
import CCommit
package import Text

/// What a program of this package was built from.
extension Version {
    /// The commit it was built from, seven digits; `nil` if the build was not told.
    package static var commit: String? {
        let text = String(cString: seatagent_commit())
        return text == "unknown" ? nil : text
    }

    /// `0.3.0 (5cecdbb)`, or `0.3.0 (unknown)`.
    package static var full: String { "\(text) (\(commit ?? "unknown"))" }

    /// The commit for JSON; `null` where the build was not told.
    package static var json: JSON { commit.map(JSON.string) ?? .null }
}
