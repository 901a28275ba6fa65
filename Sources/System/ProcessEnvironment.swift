// SPDX-License-Identifier: Apache-2.0
/// What surrounds this process.
package enum ProcessEnvironment {
    /// The variables this process was started with, read from the kernel: C's `environ` may change.
    package static func variables() -> [String: String] {
        guard let bytes = try? PrivateFile.read("/proc/self/environ") else { return [:] }
        var variables: [String: String] = [:]
        for item in bytes.split(separator: 0) {
            let text = String(decoding: item, as: UTF8.self)
            guard let equals = text.firstIndex(of: "=") else { continue }
            variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        return variables
    }

    /// The same as another program takes them: `NAME=VALUE`.
    package static func lines() -> [String] { variables().map { "\($0.key)=\($0.value)" } }
}
