import Glibc
import Synchronization

/// Lines on standard error, for whoever runs the agent. Never a seat, a name or a message.
enum Log {
    /// Whether details are wanted too (`-v`).
    static let isVerbose = Atomic<Bool>(false)

    /// The first line of an agent that does not run before the eyes of its user.
    static let started = "started"
    /// How the last line of an agent begins that ends in order; why stands behind it.
    static let left = "left: "
    /// Why, where its user ended it.
    static let wasTold = "seatagent down"

    /// One line.
    static func line(_ text: String) {
        let full = "seatagent: " + text + "\n"
        _ = full.withCString { write(2, $0, full.utf8.count) }
    }

    /// One line, with `-v` only.
    static func detail(_ text: @autoclosure () -> String) {
        if isVerbose.load(ordering: .relaxed) { line(text()) }
    }
}
