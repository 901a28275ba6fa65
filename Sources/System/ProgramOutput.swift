// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Protocol

/// Runs another program for a moment and takes what it prints.
package enum ProgramOutput {
    /// A ruleset of thousands of rules fits.
    private static let limit = 8 * 1024 * 1024
    /// Plain English, whatever the language of the terminal.
    package static let plain = ["LC_ALL=C", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
    /// Where programs for root are, which are not on everybody's path.
    private static let places = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"]

    /// Where `program` is, looked for in `path` (as in `PATH`) and where root's programs are.
    package static func find(_ program: String, path: String) -> String? {
        let folders = path.split(separator: ":").map(String.init) + places
        return folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }
            .first { access($0, X_OK) == 0 }
    }

    /// Standard output of `arguments` (the first is the program's path); `nil` if it failed,
    /// or did not end by `deadline`, or printed without end. `input`, at most 4096
    /// bytes, is what it can read.
    package static func of(
        _ arguments: [String], deadline: Instant, input: [UInt8]? = nil,
        environment: [String] = plain
    ) -> [UInt8]? {
        var inward: [Int32] = [-1, -1]
        if let input {
            // A pipe takes so many bytes at once (PIPE_BUF), so that nobody has to wait.
            guard input.count <= 4096, pipe(&inward) == 0 else { return nil }
            for end in inward { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = input.withUnsafeBytes { write(inward[1], $0.baseAddress, $0.count) }
            close(inward[1])
        }
        defer { if inward[0] >= 0 { close(inward[0]) } }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var program = ChildProcess(path: arguments[0], arguments: arguments)
        program.environment = environment
        program.input = inward[0] >= 0 ? .descriptor(inward[0]) : .nowhere
        program.output = .descriptor(ends[1])
        program.errors = .nowhere
        let child = try? program.start()
        close(ends[1])
        defer { close(ends[0]) }
        guard let child else { return nil }
        let output = read(ends[0], deadline)
        if output == nil { kill(child, SIGKILL) }
        return ChildProcess.wait(for: child) == 0 ? output : nil
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
package enum Polling {
    /// Which of `descriptors` are readable, or writable if `forWriting`; empty when the deadline
    /// has passed first.
    package static func wait(
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
