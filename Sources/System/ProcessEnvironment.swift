// SPDX-License-Identifier: Apache-2.0
import CLinux

/// What surrounds this process.
package enum ProcessEnvironment {
    /// The variables of this process, which are those it was started with when `main` begins.
    package static func variables() -> [String: String] {
        var variables: [String: String] = [:]
        var place = 0
        while let item = linux_variable(place) {
            place += 1
            let text = String(cString: item)
            guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        return variables
    }

    /// The same as another program takes them: `NAME=VALUE`.
    package static func lines() -> [String] { variables().map { "\($0.key)=\($0.value)" } }
}
