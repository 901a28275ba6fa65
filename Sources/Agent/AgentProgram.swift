// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
import Launch
import Profile
import Protocol
import System
package import Text

/// `seatagentd`: the agent, and the errands that only its program can do while no agent runs.
package struct AgentProgram {
    private let environment: [String: String]

    /// A program with these environment variables.
    package init(environment: [String: String]) { self.environment = environment }

    /// `--start FD` runs an agent as the line read from there says, `--errand` does what standard
    /// input asks, `--libraries` names the linked libraries.
    package func run(_ arguments: [String]) -> ExitCode {
        if arguments == ["--libraries"] {
            for version in AgentLibraries.versions { StandardStream.out(version) }
            return .done
        }
        if arguments == ["--errand"] { return ErrandDesk(environment: environment).run() }
        if arguments.count == 2, arguments[0] == "--start", let number = Int32(arguments[1]) {
            return start(from: number)
        }
        let usage = UserError(
            .usage, "seatagentd is started by seatagent",
            why: "it is the agent's own program and has no commands",
            advice: "seatagent up --seat 14C --name ada")
        return tell(usage, asJSON: false)
    }

    private func start(from descriptor: Int32) -> ExitCode {
        let start: AgentStart
        do throws(UserError) {
            start = try Self.read(AgentStart.self, from: descriptor)
        } catch {
            return tell(error, asJSON: false)
        }
        if let ready = start.ready { _ = fcntl(ready, F_SETFD, FD_CLOEXEC) }
        let ready = ReadyLine(descriptor: start.ready)
        do throws(UserError) {
            return try run(start, ready)
        } catch {
            ready.tell(error)
            return tell(error, asJSON: start.json)
        }
    }

    private func run(_ start: AgentStart, _ ready: ReadyLine) throws(UserError) -> ExitCode {
        try Self.check(start.version)
        let place = try ProfilePlace(
            profile: try ProfileName(start.profile), environment: environment)
        Log.isVerbose.store(start.isVerbose, ordering: .relaxed)
        do throws(UserError) {
            let options = try start.options(place)
            return try Agent(options, environment: environment).run { () throws(UserError) in
                // For a later `restart`; the options of a refused start are not stored.
                if start.isKept { try start.stored.write(place) }
                // In the foreground, a line says that the agent runs; if `up` started it, the pipe
                // does.
                if start.greets {
                    StandardStream.err("Aboard as profile \(place.profile.text).")
                }
                ready.tellReady()
            }
        } catch {
            // `restart --new-key` has to start with what was typed here.
            if start.isKept, error.code == .recordsLost { try start.stored.write(place) }
            throw error
        }
    }

    /// Reports to people on standard error, to scripts on standard output.
    private func tell(_ error: UserError, asJSON: Bool) -> ExitCode {
        if asJSON {
            StandardStream.out(ControlReply.failed(error).line)
        } else {
            for line in error.lines { StandardStream.err(line) }
        }
        return error.code.exit
    }

    /// Throws if another version of `seatagent` asks, because an update was only half made.
    static func check(_ version: String) throws(UserError) {
        guard version != Version.text else { return }
        throw UserError(
            .noStart, "seatagent and seatagentd are of two versions",
            why: "seatagent is \(visible(version, cells: 16)), seatagentd is \(Version.text)",
            advice: "seatagent --version")
    }

    /// The line at `descriptor`, which is then closed.
    static func read<Value: Decodable>(
        _ type: Value.Type, from descriptor: Int32
    ) throws(UserError) -> Value {
        let bytes = PrivateFile.readBytes(limit: 1 << 16, from: descriptor) ?? []
        close(descriptor)
        // No file that is opened later may become standard input.
        if descriptor == 0 { _ = open("/dev/null", O_RDONLY) }
        do {
            return try type.init(
                told: JSON(line: bytes.last == 10 ? Array(bytes.dropLast()) : bytes))
        } catch {
            throw UserError(
                .noStart, "seatagentd cannot read what it is asked", why: "\(error)",
                advice: "seatagent --version")
        }
    }
}
