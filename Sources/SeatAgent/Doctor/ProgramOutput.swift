import Glibc
import Protocol

/// Runs another program for a moment and takes what it prints.
enum ProgramOutput {
    /// A ruleset of thousands of rules fits.
    private static let limit = 8 * 1024 * 1024
    /// Where programs for root are, which are not on everybody's path.
    private static let places = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"]

    /// Where `program` is, looked for in `path` (as in `PATH`) and where root's programs are.
    static func find(_ program: String, path: String) -> String? {
        let folders = path.split(separator: ":").map(String.init) + places
        return folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }
            .first { access($0, X_OK) == 0 }
    }

    /// Standard output of `arguments` (the first is the program's path); `nil` where it failed,
    /// or did not end by `deadline`, or printed without end.
    static func of(_ arguments: [String], deadline: Instant) -> [UInt8]? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = spawn(arguments, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard let child else { return nil }
        let output = read(ends[0], deadline)
        if output == nil { kill(child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? output : nil
    }

    private static func spawn(_ arguments: [String], output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var child: pid_t = 0
        // Plain English, whatever the language of the terminal.
        let code = AgentProcess.withStrings(arguments) { argv in
            AgentProcess.withStrings(["LC_ALL=C", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"]) { envp in
                posix_spawn(&child, arguments[0], &actions, nil, argv, envp)
            }
        }
        return code == 0 ? child : nil
    }

    private static func read(_ descriptor: Int32, _ deadline: Instant) -> [UInt8]? {
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while output.count < limit {
            guard !Polling.wait(for: [descriptor], until: deadline).isEmpty else { return nil }
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? output : nil }
            output.append(contentsOf: piece[0..<count])
        }
        return nil
    }
}

/// `poll` with a deadline.
enum Polling {
    /// Which of `descriptors` are readable, or writable if `forWriting`; empty when the deadline
    /// has passed first.
    static func wait(
        for descriptors: [Int32], forWriting: Bool = false, until deadline: Instant
    ) -> [Int32] {
        let events = Int16(forWriting ? POLLOUT : POLLIN)
        while true {
            var entries = descriptors.map { pollfd(fd: $0, events: events, revents: 0) }
            let left = max(0, (deadline - SystemClock.now()).nanoseconds)
            let count = poll(
                &entries, nfds_t(entries.count), Int32(clamping: (left + 999_999) / 1_000_000))
            if count < 0, errno == EINTR { continue }
            return count > 0 ? entries.filter { $0.revents != 0 }.map(\.fd) : []
        }
    }
}
