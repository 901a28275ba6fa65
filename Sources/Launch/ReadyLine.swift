// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Text

/// The line by which an agent reports to whoever started it that it answers, or why it does not.
package struct ReadyLine: Hashable, Sendable {
    /// Where to write it; `nil` for nowhere.
    package let descriptor: Int32?

    /// Writes to `descriptor`; `nil` tells nobody.
    package init(descriptor: Int32?) {
        self.descriptor = descriptor
    }

    /// Reports that the agent answers commands.
    package func tellReady() { write(["ok": true]) }

    /// Reports that it never will.
    package func tell(_ error: UserError) { write(["ok": false, "error": error.json]) }

    private func write(_ json: JSON) {
        guard let descriptor else { return }
        let line = json.line + "\n"
        // Whoever waited may have gone; the agent runs all the same.
        _ = line.withCString { Glibc.write(descriptor, $0, line.utf8.count) }
        close(descriptor)
    }
}
