// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Synchronization

/// Lines on standard error, for whoever runs the agent. Never a seat, a name or a message.
package enum Log {
    /// Whether details are wanted too (`-v`).
    package static let isVerbose = Atomic<Bool>(false)

    /// The first line of an agent that does not run before the eyes of its user.
    package static let started = "started"
    /// How the last line of an agent begins that ends in order; why stands behind it.
    package static let left = "left: "
    /// Why, where its user ended it.
    package static let wasTold = "seatagent down"

    /// One line.
    package static func line(_ text: String) {
        let full = "seatagent: " + text + "\n"
        _ = full.withCString { write(2, $0, full.utf8.count) }
    }

    /// One line, with `-v` only.
    package static func detail(_ text: @autoclosure () -> String) {
        if isVerbose.load(ordering: .relaxed) { line(text()) }
    }
}
