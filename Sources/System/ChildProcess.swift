// SPDX-License-Identifier: Apache-2.0
package import CLinux
import Glibc

/// A program to be started: without a shell, and with no signal blocked or ignored, whatever this
/// process does with its own.
package struct ChildProcess {
    /// Where a standard stream goes.
    package enum Stream: Hashable {
        /// Where this process's goes.
        case inherited
        /// `/dev/null`.
        case nowhere
        /// An open descriptor of this process.
        case descriptor(Int32)
        /// The end of a file of this user alone.
        case log(String)
    }

    /// Which process group receives the terminal's signals.
    package enum Group: Hashable {
        /// As to this process.
        case same
        /// Ctrl-C and Ctrl-Z are not meant for it.
        case own
        /// The terminal is not its own, and no descriptor but the streams and ``third``.
        case session
    }

    /// The program's path.
    package let path: String
    /// Its arguments; the first is its name.
    package let arguments: [String]
    /// `NAME=VALUE`; by default those that this process was started with.
    package var environment = ProcessEnvironment.lines()
    /// Where it reads from.
    package var input = Stream.inherited
    /// Where it writes to.
    package var output = Stream.inherited
    /// Where it writes its errors to.
    package var errors = Stream.inherited
    /// A descriptor that it gets as number 3.
    package var third: Int32?
    /// Who gets the signals of the terminal.
    package var group = Group.same

    /// The program at `path` with its words, the first of which is its name.
    package init(
        path: String, arguments: [String], input: Stream = .inherited,
        output: Stream = .inherited, errors: Stream = .inherited
    ) {
        self.path = path
        self.arguments = arguments
        self.input = input
        self.output = output
        self.errors = errors
    }

    /// Path of this program itself.
    package static let itself = "/proc/self/exe"

    /// Path of a program that is installed with this one: in the folder that `SEATAGENT_EXEC_PATH`
    /// names, beside this program, or in `../libexec/seatagent`. `nil` if it is not there.
    package static func companion(_ name: String) -> String? {
        var folders = getenv("SEATAGENT_EXEC_PATH").map { [String(cString: $0)] } ?? []
        if let folder = ownFolder { folders += [folder, folder + "/../libexec/seatagent"] }
        // An empty variable names no folder, least of all the root of all files.
        return folders.filter { !$0.isEmpty }.map { $0 + "/" + name }.first(where: isProgram)
    }

    /// The folder of this program. Not its name: an update may have put another file in this one's
    /// place.
    private static var ownFolder: String? {
        let path = itselfPath.utf8
        return path.lastIndex(of: UInt8(ascii: "/")).map {
            String(decoding: path[..<$0], as: UTF8.self)
        }
    }

    /// The path of this program as it was started.
    package static var itselfPath: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(itself, &buffer, buffer.count)
        let path = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        return String(decoding: path, as: UTF8.self)
    }

    /// A folder may be entered, which is the same right as to run a file.
    private static func isProgram(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
            && access(path, X_OK) == 0
    }

    /// Starts it; gives its number. Throws what the kernel said.
    package func start() throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, stream) in [(Int32(0), input), (1, output), (2, errors)] {
            Self.connect(stream, to: number, &actions)
        }
        if let third { posix_spawn_file_actions_adddup2(&actions, third, 3) }
        // It outlives whoever started it: a lock or a pipe of theirs must not live on in it.
        if group == .session {
            posix_spawn_file_actions_addclosefrom_np(&actions, third == nil ? 3 : 4)
        }
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, which Glibc hides
        let grouping =
            switch group {
            case .same: Int16(0)
            case .own: Int16(POSIX_SPAWN_SETPGROUP)
            case .session: newSession
            }
        posix_spawnattr_setflags(
            &attributes, grouping | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
        var child = pid_t()
        let code = Self.withStrings(arguments) { argv in
            Self.withStrings(environment) { envp in
                posix_spawn(&child, path, &actions, &attributes, argv, envp)
            }
        }
        guard code == 0 else { throw SystemError(code: code) }
        return child
    }

    /// Replaces this process by the program, with its variables, streams and signals.
    /// Returns only on failure.
    package func takeOver() {
        _ = Self.withStrings(arguments) { execv(path, $0) }
    }

    /// Waits for the child to end. Returns the status of `waitpid`, or `nil`
    /// if there is no such child.
    package static func wait(for child: pid_t) -> Int32? {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        return status
    }

    private static func connect(
        _ stream: Stream, to number: Int32, _ actions: inout posix_spawn_file_actions_t
    ) {
        switch stream {
        case .inherited: break
        case .nowhere:
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        case .descriptor(let descriptor):
            posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        case .log(let path):
            let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW
            posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
        }
    }

    /// `texts` as C wants them: pointers to strings, `NULL` at the end.
    private static func withStrings<T>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> T
    ) -> T {
        // The copies are made with strdup and given back below.
        let pointers = texts.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers)
    }
}
