// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Synchronization

/// Lines on standard error, for whoever runs the agent. Never a seat, a name or a message.
package enum Log {
    /// Whether details are wanted too (`-v`).
    package static let isVerbose = Atomic<Bool>(false)

    /// The first line of an agent that runs in the background.
    package static let started = "started"
    /// The beginning of the last line of an agent that ends in an orderly way; the reason follows
    /// it.
    package static let left = "left: "
    /// The reason if its user ended it.
    package static let wasTold = "seatagent down"

    /// One line.
    package static func line(_ text: String) {
        let full = "seatagent: " + text + "\n"
        _ = full.withCString { write(2, $0, full.utf8.count) }
    }

    /// One line that nobody may overlook: red where standard error is a terminal.
    package static func alarm(_ text: String) {
        let isPlain = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        line(isatty(2) == 1 && !isPlain ? inRed(text) : text)
    }

    /// `text` as a terminal shows it in red and bold.
    package static func inRed(_ text: String) -> String { "\u{1B}[1;31m\(text)\u{1B}[0m" }

    /// One line, with `-v` only.
    package static func detail(_ text: @autoclosure () -> String) {
        if isVerbose.load(ordering: .relaxed) { line(text()) }
    }
}
