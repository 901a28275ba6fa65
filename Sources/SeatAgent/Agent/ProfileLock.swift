import Glibc

/// Holds a profile for the life of the process: one key, one process (protocol.md 5.5).
///
/// The kernel lets go of the lock when the process ends, however it ends.
final class ProfileLock {
    private let descriptor: Int32

    /// Takes the lock file at `path`; `nil` when another process holds it.
    init?(path: String) {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { return nil }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            close(opened)
            return nil
        }
        descriptor = opened
        let text = "\(getpid())\n"
        ftruncate(opened, 0)
        _ = text.withCString { write(opened, $0, text.utf8.count) }
    }

    deinit { close(descriptor) }
}
