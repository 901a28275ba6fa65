// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
package import Profile
import Protocol
import System
package import Text

/// Starts an agent in the background and waits until it answers.
package enum AgentProcess {
    /// Runs `agent --stored` for the profile in a session of its own. Throws the agent's own error
    /// when it does not come up, and `timeout` after so many seconds.
    ///
    /// With `linger` it leaves so many seconds after its last view; without, it stays.
    /// `renewing` has it make a key in place of one that was lost.
    package static func start(
        _ place: ProfilePlace, timeout: Int, linger: Int? = nil, renewing: Bool = false
    ) throws(UserError) {
        try PrivateFile.makeDirectory(place.stateDirectory)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failed(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let arguments =
            [
                "seatagent", "agent", "--profile", place.profile.text, "--stored", "--ready-fd",
                "3",
            ] + (linger.map { ["--linger", "\($0)"] } ?? []) + (renewing ? ["--new-key"] : [])
        var program = ChildProcess(path: ChildProcess.itself, arguments: arguments)
        program.input = .nowhere
        program.output = .log(place.logPath)
        program.errors = .log(place.logPath)
        program.third = ends[1]
        let logged = PrivateFile.facts(place.logPath)?.length ?? 0
        program.group = .session
        do throws(SystemError) {
            defer { close(ends[1]) }
            _ = try program.start()
        } catch {
            throw failed(error.code)
        }
        try waitUntilReady(ends[0], place, logged, timeout: timeout)
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

    /// The agent ended without a word: its last line of log is the best that is known. The first
    /// `logged` bytes are of earlier ones.
    private static func ended(_ place: ProfilePlace, _ logged: Int) -> UserError {
        let log = PrivateFile.tail(place.logPath, behind: logged)
        var last = log?.split(separator: 10).last.map { String(decoding: $0, as: UTF8.self) }
        if let line = last, line.hasPrefix("seatagent: ") { last = String(line.dropFirst(11)) }
        if last == Log.started { last = nil }
        return UserError(
            .noStart, "the agent ended before it was ready", why: last,
            advice: "tail \(place.logPath)")
    }
}

/// The line by which an agent tells whoever started it that it answers, or why it does not.
package struct ReadyLine: Hashable, Sendable {
    /// Where to write it; `nil` for nobody.
    package let descriptor: Int32?

    /// All of it.
    package init(descriptor: Int32?) {
        self.descriptor = descriptor
    }

    /// The agent answers commands.
    package func tellReady() { write(["ok": true]) }

    /// It never will.
    package func tell(_ error: UserError) { write(["ok": false, "error": error.json]) }

    private func write(_ json: JSON) {
        guard let descriptor else { return }
        let line = json.line + "\n"
        // Whoever waited may have gone; the agent runs all the same.
        _ = line.withCString { Glibc.write(descriptor, $0, line.utf8.count) }
        close(descriptor)
    }
}
