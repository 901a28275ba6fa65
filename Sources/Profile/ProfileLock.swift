// SPDX-License-Identifier: Apache-2.0
package import Glibc
package import Text

/// Holds a profile for the life of the process: one key, one process (docs/protocol.md section 10).
///
/// The kernel releases the lock when the process ends, however it ends.
package final class ProfileLock {
    private let descriptor: Int32

    /// Why a profile cannot be locked.
    package enum Trouble: Error, Hashable, Sendable {
        /// Another process holds the lock.
        case held
        /// The lock file cannot be opened or locked, for the reason of this `errno`; whether
        /// another process holds it is unknown.
        case unusable(Int32)
    }

    /// Takes the lock file at `path`.
    package init(path: String) throws(Trouble) {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw .unusable(errno) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(opened)
            throw code == EWOULDBLOCK ? .held : .unusable(code)
        }
        descriptor = opened
        let text = "\(getpid())\n"
        ftruncate(opened, 0)
        _ = text.withCString { write(opened, $0, text.utf8.count) }
    }

    deinit { close(descriptor) }

    /// The process that holds a lock file; `nil` if none does.
    package static func holder(of path: String) -> pid_t? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        var text = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &text, text.count, 0)
        let digits = text.prefix(max(0, count)).prefix { 48...57 ~= $0 }
        return pid_t(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    /// The error for a lock file at `path` that cannot be used, for the reason `code`.
    package static func unusable(_ path: String, _ code: Int32) -> UserError {
        UserError(
            .file, "the lock of this profile cannot be used",
            why: "\(path): \(String(cString: strerror(code)))",
            advice: "ls -ld \(ShellWord.quoted(path))")
    }
}
