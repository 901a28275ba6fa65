// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Protocol
package import Text

/// The lock of a small file that one process at a time changes.
package enum ChangeLock {
    /// How long a command waits for another one.
    package static let patience = TimeSpan.seconds(5)

    /// Takes the lock at `path`, which is made if it is not there; whoever closes the descriptor
    /// gives it back. Waits up to `patience` for another process; then throws `file`. `what` is
    /// what changes, for the error: "your list of flights".
    package static func take(
        _ path: String, _ patience: TimeSpan = patience, of what: String, advice: String
    ) throws(UserError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw UserError(
                .file, "\(what) cannot be changed",
                why: "\(path): \(String(cString: strerror(errno)))")
        }
        let end = SystemClock.now() + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard SystemClock.now() < end else {
                close(descriptor)
                throw UserError(
                    .file, "\(what) cannot be changed",
                    why: "another command is at it: \(path) is locked", advice: advice)
            }
            usleep(10_000)
        }
        return descriptor
    }
}
