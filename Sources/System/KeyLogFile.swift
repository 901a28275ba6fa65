// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Text

/// The file into which an agent writes the secrets of its TLS connections, so that a capture of its
/// traffic can be read (docs/guide/trouble.md). Whoever has it can read all that the agent says.
package final class KeyLogFile {
    /// Its absolute path.
    package let path: String
    private let descriptor: Int32
    private var hasFailed = false

    /// Opens the file to append to it, or makes it with mode 0600. Throws `file` for a link, for
    /// what is no ordinary file, and for one that others own or may read.
    package init(_ path: String) throws(UserError) {
        self.path = try Self.absolute(path)
        // Looked at before it is opened: to open a device may already do something.
        var before = stat()
        if lstat(self.path, &before) == 0 { try Self.judge(before, self.path) }
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        descriptor = open(self.path, flags, 0o600)
        guard descriptor >= 0 else { throw PrivateFile.failed("written", self.path) }
        // A class may only throw with all of it there, so `deinit` closes the file.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw PrivateFile.failed("written", self.path)
        }
        try Self.judge(status, self.path)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends a line with one call, so that lines of several agents do not mix.
    package func write(line: UnsafePointer<CChar>) {
        let text = String(cString: line) + "\n"
        let count = text.withCString { Glibc.write(descriptor, $0, text.utf8.count) }
        guard count != text.utf8.count, !hasFailed else { return }
        hasFailed = true
        Log.line("the key log is not complete: \(visible(path)) cannot be written")
    }

    /// What people are told as long as it is written.
    package static func warning(_ path: String) -> String {
        "KEY LOG: everything this agent says can be read by whoever has \(visible(path))"
    }

    private static func absolute(_ path: String) throws(UserError) -> String {
        guard !path.isEmpty else {
            throw UserError(
                .usage, "--keylog names no file",
                advice: "seatagent up --seat 14C --name ada --keylog keys.log")
        }
        guard !path.hasPrefix("/") else { return path }
        guard let here = getcwd(nil, 0) else { throw PrivateFile.failed("written", path) }
        defer { free(here) }
        return String(cString: here) + "/" + path
    }

    private static func judge(_ status: stat, _ path: String) throws(UserError) {
        let look = "ls -l \(ShellWord.quoted(path))"
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK:
            throw refused(path, "it is a link, and the keys would land somewhere else", look)
        default:
            throw refused(path, "it is no ordinary file", look)
        }
        guard status.st_nlink == 1 else {
            throw refused(path, "it is linked: the file has another name, too", look)
        }
        guard status.st_uid == geteuid() else {
            throw refused(path, "it belongs to somebody else", look)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw refused(path, "others may read it", "chmod 600 \(ShellWord.quoted(path))")
        }
    }

    private static func refused(_ path: String, _ why: String, _ advice: String) -> UserError {
        UserError(.file, "keys are not logged to \(visible(path))", why: why, advice: advice)
    }
}
