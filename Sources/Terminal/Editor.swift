// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
package import Text

/// The user's editor, found the way git does.
package struct Editor: Hashable, Sendable {
    /// A command line for a shell.
    package let command: String

    /// `$VISUAL`, else `$EDITOR`, else Debian's `editor`, else vi.
    package init(environment: [String: String]) {
        let chosen = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
        command = chosen ?? (access("/usr/bin/editor", X_OK) == 0 ? "editor" : "vi")
    }

    /// Runs it on the file at `path` and waits. Throws `failed` if it could not be run or reports a
    /// failure; `advice` is the command that was run.
    package func open(_ path: String, advice: String) throws(UserError) {
        // A shell splits the line, as for git: EDITOR may be "code --wait".
        let status = run(["sh", "-c", command + " \"$@\"", command, path])
        guard status != 0 else { return }
        let missing = status == 127
        throw UserError(
            .failed, "the editor " + (missing ? "is not there" : "ended with \(status)"),
            why: "it was run as: \(command)", advice: "EDITOR=vi " + advice)
    }

    /// The exit code of the program, or 128 plus the number of a signal, as shells do.
    private func run(_ arguments: [String]) -> Int32 {
        // Ctrl-C in the editor is the editor's.
        let interrupt = signal(SIGINT, SIG_IGN)
        let quit = signal(SIGQUIT, SIG_IGN)
        defer {
            signal(SIGINT, interrupt)
            signal(SIGQUIT, quit)
        }
        guard let child = try? ChildProcess(path: "/bin/sh", arguments: arguments).start(),
            let status = ChildProcess.wait(for: child)
        else { return 127 }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
