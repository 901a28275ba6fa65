// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
package import Profile

/// The few calls on Unix sockets that both ends of the control socket need.
package enum UnixSocket {
    /// Who is at the other end of a Unix socket: `struct ucred` of unix(7), which Glibc hides.
    package struct Credentials {
        package var pid: Int32 = 0
        package var uid: UInt32 = 0
        var gid: UInt32 = 0
    }

    /// A new stream socket that closes on `exec`; `nil` with `errno` set.
    package static func make(nonBlocking: Bool) -> Int32? {
        let type =
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            | (nonBlocking ? Int32(SOCK_NONBLOCK.rawValue) : 0)
        let descriptor = socket(AF_UNIX, type, 0)
        return descriptor >= 0 ? descriptor : nil
    }

    /// The process at the other end, as the kernel saw it when the connection was made.
    package static func credentials(of descriptor: Int32) -> Credentials? {
        var credentials = Credentials()
        var size = socklen_t(MemoryLayout<Credentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0,
            size == MemoryLayout<Credentials>.size
        else { return nil }
        return credentials
    }

    /// What the kernel says to a connection attempt.
    package enum Answer: Hashable {
        /// Connected.
        case connected(Int32)
        /// No file there.
        case nothingThere
        /// A file, and nobody behind it.
        case dead
        /// Not for this user.
        case forbidden
        /// Anything else, as an `errno` value.
        case failed(Int32)
    }

    /// Connects; the connection blocks then. Where so many wait already that the kernel would make
    /// this one wait too, the agent hangs: that is `failed`.
    package static func connect(to address: ControlAddress) -> Answer {
        guard let descriptor = make(nonBlocking: true) else { return .failed(errno) }
        let result = address.withSocketAddress { Glibc.connect(descriptor, $0, $1) }
        if result == 0, fcntl(descriptor, F_SETFL, 0) == 0 { return .connected(descriptor) }
        let code = errno
        close(descriptor)
        return switch code {
        case ENOENT, ENOTDIR: .nothingThere
        case ECONNREFUSED, ENOTSOCK: .dead
        case EACCES, EPERM: .forbidden
        default: .failed(code)
        }
    }
}
