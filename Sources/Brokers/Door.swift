// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import System

/// A socket of Unix that the library connects to in place of the broker: it takes no open socket
/// (docs/decisions/0009-a-door-for-the-library.md).
struct Door {
    /// Where it is, until ``admit(_:)``.
    let path: String
    private let listener: Int32

    /// A door in a folder that nobody else may enter.
    init(in folder: String) throws(SystemError) {
        path = "\(folder)/meet-\(getpid()).door"
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        listener = socket(AF_UNIX, kind, 0)
        guard listener >= 0 else { throw SystemError.last }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else {
            close(listener)
            throw SystemError(code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        // Left behind by a process that had this number.
        unlink(path)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
        }
        guard isBound, listen(listener, 1) == 0 else {
            let error = SystemError.last
            shut()
            throw error
        }
    }

    /// The end of whoever came through, once `enter` has; the door is gone then.
    func admit(_ enter: (String) -> Bool) throws(SystemError) -> Int32 {
        defer { shut() }
        guard enter(path) else { throw SystemError(code: ECONNREFUSED) }
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let end = accept4(listener, nil, nil, flags)
        guard end >= 0 else { throw SystemError.last }
        guard Self.isOwn(end) else {
            close(end)
            throw SystemError(code: EACCES)
        }
        return end
    }

    private func shut() {
        close(listener)
        unlink(path)
    }

    /// Whether this very process is at the other end.
    private static func isOwn(_ end: Int32) -> Bool {
        // `struct ucred` of unix(7), which Glibc hides: process, user, group.
        var who: (Int32, UInt32, UInt32) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: who))
        return getsockopt(end, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.0 == getpid()
    }
}
