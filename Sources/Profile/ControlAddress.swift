// SPDX-License-Identifier: Apache-2.0
package import Glibc
package import Text

/// Where a profile's agent answers: a Unix socket that only its user can reach (docs/control.md).
package struct ControlAddress: Hashable, Sendable {
    /// Path of the socket.
    package let path: String
    /// Whether `SEATAGENT_SOCKET` names it.
    private(set) var isGiven = false

    /// Whether it is the profile's own place, so that another profile has another one.
    package var isOwn: Bool { !isGiven }

    /// The socket of a profile's agent: `SEATAGENT_SOCKET`, else
    /// `$XDG_RUNTIME_DIR/seatagent/NAME.sock`, else `/tmp/seatagent-UID/NAME.sock`. Throws if the
    /// path is too long for a socket.
    init(name: String, environment: [String: String], uid: uid_t) throws(UserError) {
        if let given = environment["SEATAGENT_SOCKET"], !given.isEmpty {
            try self.init(path: given)
            isGiven = true
        } else if let runtime = environment["XDG_RUNTIME_DIR"], !runtime.isEmpty {
            try self.init(path: "\(runtime)/seatagent/\(name).sock")
        } else {
            try self.init(path: "/tmp/seatagent-\(uid)/\(name).sock")
        }
    }

    /// A socket at `path`, at most 107 bytes (unix(7)).
    package init(path: String) throws(UserError) {
        guard path.utf8.count <= 107, !path.utf8.contains(0) else {
            throw UserError(
                .usage, "the path of the control socket is too long",
                why: "\(path) has \(path.utf8.count) bytes, a socket's path at most 107",
                advice: "XDG_RUNTIME_DIR=/tmp/s seatagent status")
        }
        self.path = path
    }

    /// The directory that the socket is in.
    var directory: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes the directory for its owner alone, and checks that it is private.
    package func makeDirectory() throws(UserError) {
        let directory = directory
        if mkdir(directory, 0o700) != 0, errno != EEXIST {
            throw UserError(
                .noStart, "the directory of the control socket cannot be made",
                why: "\(directory): \(String(cString: strerror(errno)))")
        }
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw UserError(
                .noStart, "the directory of the control socket cannot be used",
                why: "\(directory): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw UserError(
                .noStart, "the directory of the control socket cannot be used",
                why: "\(directory): \(String(cString: strerror(errno)))")
        }
        if let fault = Self.fault(of: status, uid: geteuid()) {
            throw refusal(fault, uid: geteuid(), .noStart)
        }
    }

    /// Calls `body` with the address in the kernel's form.
    package func withSocketAddress<T>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// The name of a profile, which stands for one key and one agent.
package struct ProfileName: Hashable, Sendable {
    /// 1 to 32 of `a-z A-Z 0-9 _ -`, because it becomes part of paths.
    package let text: String

    /// `default`.
    package static let standard = ProfileName(unchecked: "default")

    private init(unchecked text: String) { self.text = text }

    /// A profile of that name. Throws `usage` if the name is invalid.
    package init(_ text: String) throws(UserError) {
        let allowed = text.utf8.allSatisfy {
            48...57 ~= $0 || 65...90 ~= $0 || 97...122 ~= $0 || $0 == 45 || $0 == 95
        }
        guard allowed, 1...32 ~= text.utf8.count else {
            throw UserError(
                .usage, "\"\(text)\" cannot be the name of a profile",
                why: "it is 1 to 32 letters, digits, - and _",
                advice: "seatagent status --profile ada")
        }
        self.text = text
    }
}
