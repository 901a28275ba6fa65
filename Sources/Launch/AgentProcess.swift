// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
package import Profile
import Protocol
import System
package import Text

/// Starts `seatagentd`.
package enum AgentProcess {
    /// The agent's own program.
    package static let name = "seatagentd"

    /// Starts an agent in its own session and waits until it answers. Throws the agent's own error
    /// if it does not start, and `timeout` after so many seconds.
    ///
    /// With `linger` it leaves that many seconds after its last view; without, it stays. With
    /// `renewing` it makes a key in place of a lost one. With `keylog` it writes the secrets of its
    /// connections into that file.
    package static func start(
        _ place: ProfilePlace, timeout: Int, linger: Int? = nil, renewing: Bool = false,
        keylog: String? = nil
    ) throws(UserError) {
        guard let options = try StoredOptions.read(place) else {
            throw StoredOptions.missing(place)
        }
        var start = AgentStart(place, options)
        start.linger = linger
        start.isRenewing = renewing
        start.keylog = keylog
        start.ready = 3
        try PrivateFile.makeDirectory(place.stateDirectory)
        let path = try path()
        let words = try pipe()
        defer { close(words.read) }
        let ready = try pipe()
        defer { close(ready.read) }
        try send(start, to: words.write)
        var program = ChildProcess(path: path, arguments: [name, "--start", "0"])
        program.input = .descriptor(words.read)
        program.output = .log(place.logPath)
        program.errors = .log(place.logPath)
        program.third = ready.write
        let logged = PrivateFile.facts(place.logPath)?.length ?? 0
        program.group = .session
        do throws(SystemError) {
            defer { close(ready.write) }
            _ = try program.start()
        } catch {
            throw failed(error.code)
        }
        try waitUntilReady(ready.read, place, logged, timeout: timeout)
    }

    /// Replaces this process by the agent, in the foreground. Returns only by throwing what
    /// prevented it.
    package static func become(_ start: AgentStart) throws(UserError) -> Never {
        let path = try path()
        let words = try pipe()
        try send(start, to: words.write)
        // The program that takes over needs the descriptor.
        _ = fcntl(words.read, F_SETFD, 0)
        ChildProcess(path: path, arguments: [name, "--start", "\(words.read)"]).takeOver()
        throw failed(errno)
    }

    /// The path of the program.
    static func path() throws(UserError) -> String {
        if let path = ChildProcess.companion(name) { return path }
        throw UserError(
            .noStart, "\(name) is not there", why: "it is installed beside seatagent",
            advice: "seatagent --version")
    }

    /// Makes sure that the program can be started, before an agent ends that is to be started
    /// again. Throws `no-start`.
    package static func check() throws(UserError) {
        guard let line = CompanionLibraries.lines(of: try path())?.first else {
            throw UserError(
                .noStart, "\(name) does not run", why: "it says nothing about itself",
                advice: "seatagent --version")
        }
        guard line == Version.line(of: name) else {
            throw .otherVersion(
                Version.text, line.split(separator: " ").dropFirst().joined(separator: " "))
        }
    }

    /// Both ends of a pipe that no other program inherits.
    static func pipe() throws(UserError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw failed(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Writes one line and closes `descriptor`. Throws `usage` if a pipe does not take it at once.
    static func send(_ value: some Encodable, to descriptor: Int32) throws(UserError) {
        defer { close(descriptor) }
        let line = JSON(value).line + "\n"
        // Nobody reads yet, so a write that the pipe cannot hold would block for ever.
        guard line.utf8.count <= 65_536 else {
            throw UserError(
                .usage, "what was asked is too long", why: "it has to fit in 64 KiB",
                advice: "seatagent help up")
        }
        let count = line.withCString { write(descriptor, $0, line.utf8.count) }
        guard count == line.utf8.count else { throw failed(errno) }
    }

    private static func failed(_ code: Int32) -> UserError {
        UserError(.noStart, "the agent cannot be started", why: String(cString: strerror(code)))
    }

    private static func waitUntilReady(
        _ descriptor: Int32, _ place: ProfilePlace, _ logged: Int, timeout: Int
    ) throws(UserError) {
        let end = SystemClock.now() + .seconds(Int64(timeout))
        var lines = LineBuffer(limit: requestLineLimit)
        while true {
            let left = (end - SystemClock.now()).nanoseconds / 1_000_000
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&request, 1, Int32(clamping: left)) != 0 else {
                throw UserError(
                    .timeout, "the agent is not ready yet", why: "\(timeout) s have passed",
                    advice: "seatagent status")
            }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ended(place, logged) }
            lines.append(bytes[0..<count])
            guard let line = lines.nextLine() else { continue }
            let json = (try? JSON(line: line)) ?? .null
            if json["ok"] == true { return }
            throw UserError(json: json["error"] ?? .null)
        }
    }

    /// The agent ended without reporting why; its last log line is the best explanation. The first
    /// `logged` bytes of the log are from earlier agents.
    private static func ended(_ place: ProfilePlace, _ logged: Int) -> UserError {
        let log = PrivateFile.tail(place.logPath, behind: logged)
        var last = log?.split(separator: 10).last.map { String(decoding: $0, as: UTF8.self) }
        if let line = last, line.hasPrefix("seatagent: ") { last = String(line.dropFirst(11)) }
        if last == Log.started { last = nil }
        return UserError(
            .noStart, "the agent ended before it was ready", why: last,
            advice: "tail \(ShellWord.quoted(place.logPath))")
    }
}

extension UserError {
    /// The two programs do not belong together, because an update was only half made. `commands`
    /// is the version of `seatagent`, `agent` that of `seatagentd`.
    package static func otherVersion(_ commands: String, _ agent: String) -> UserError {
        UserError(
            .noStart, "seatagent and seatagentd are of two versions",
            why: "seatagent is \(visible(commands, cells: 16)), "
                + "seatagentd is \(visible(agent, cells: 16))",
            advice: "seatagent --version")
    }
}
