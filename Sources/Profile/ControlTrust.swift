// SPDX-License-Identifier: Apache-2.0
package import Glibc
package import Text

/// Whether a client may trust what serves the control socket. The agent asks the kernel who its
/// client is, and a client asks who serves; otherwise any user could make a socket in `/tmp` and
/// receive messages.
extension ControlAddress {
    /// What is wrong with the directory of the socket.
    package enum Fault: Hashable, Sendable {
        /// It is a link or no directory.
        case link
        /// Another user owns it.
        case owner(uid_t)
        /// Others may use it: its mode.
        case open(mode_t)
    }

    /// What is in the place of the directory.
    package enum Surroundings: Hashable, Sendable {
        /// A directory for its owner alone.
        case own
        /// Nothing.
        case missing
        /// Something that this user may not look at.
        case shut
        /// Something that others could use to listen.
        case wrong(Fault)
    }

    /// Looks at the directory without following a link.
    package func surroundings(of uid: uid_t) -> Surroundings {
        var status = stat()
        guard lstat(directory, &status) == 0 else {
            return errno == EACCES ? .shut : .missing
        }
        return Self.fault(of: status, uid: uid).map(Surroundings.wrong) ?? .own
    }

    /// Why the directory is not private to `uid`; `nil` if it is.
    static func fault(of status: stat, uid: uid_t) -> Fault? {
        guard status.st_mode & S_IFMT == S_IFDIR else { return .link }
        guard status.st_uid == uid else { return .owner(status.st_uid) }
        return status.st_mode & 0o077 == 0 ? nil : .open(status.st_mode & 0o7777)
    }

    /// The error for such a directory; nothing has been sent.
    package func refusal(_ fault: Fault, uid: uid_t, _ code: ErrorCode) -> UserError {
        switch fault {
        case .link:
            return UserError(
                code, "the directory of the control socket is not a directory of its own",
                why: "\(directory) is a link or a file, so somebody else may answer there",
                advice: detour)
        case .owner(let owner):
            return UserError(
                code, "the directory of the control socket belongs to someone else",
                why: "\(directory) is owned by user \(owner), you are \(uid), and whoever owns it "
                    + "can read what is said there", advice: detour)
        case .open(let mode):
            return UserError(
                code, "the directory of the control socket is open to others",
                why: "\(directory) has mode 0\(String(mode, radix: 8)) and must have 0700",
                advice: "chmod 700 \(ShellWord.quoted(directory))")
        }
    }

    /// The error if the directory is the user's own but another user's process serves the socket.
    package func stranger(_ owner: uid_t, uid: uid_t) -> UserError {
        UserError(
            .notYourAgent, "what answers at the control socket is not your agent",
            why: "\(path) is served by user \(owner), you are \(uid); nothing was sent there",
            advice: detour)
    }

    /// How to reach an agent at another place.
    private var detour: String {
        isGiven
            ? "unset SEATAGENT_SOCKET; seatagent status"
            : "XDG_RUNTIME_DIR=$HOME seatagent up --seat 14C --name ada"
    }
}
