// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
import Launch
import Profile
import Protocol
import System
package import Text

/// `seatagentd`: the agent, and what only its program can do while no agent runs.
package struct AgentProgram {
    private let environment: [String: String]

    /// In these surroundings.
    package init(environment: [String: String]) { self.environment = environment }

    /// `--start FD` runs an agent as the line says that is read there, `--errand` does what
    /// standard input asks, `--libraries` names what is linked.
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
                // For a later `restart`; not those of a start that is refused.
                if start.isKept { try start.stored.write(place) }
                // In the foreground a line tells that it runs; started by `up`, the pipe does.
                if start.greets {
                    StandardStream.err("Aboard as profile \(place.profile.text).")
                }
                ready.tellReady()
            }
        } catch {
            // `restart --new-key` has to start what was typed here.
            if start.isKept, error.code == .recordsLost { try start.stored.write(place) }
            throw error
        }
    }

    /// Tells people on standard error, scripts on standard output.
    private func tell(_ error: UserError, asJSON: Bool) -> ExitCode {
        if asJSON {
            StandardStream.out(ControlReply.failed(error).line)
        } else {
            for line in error.lines { StandardStream.err(line) }
        }
        return error.code.exit
    }

    /// Throws where another version of `seatagent` asks: half of an update.
    static func check(_ version: String) throws(UserError) {
        guard version != Version.text else { return }
        throw UserError(
            .noStart, "seatagent and seatagentd are of two versions",
            why: "seatagent is \(visible(version, cells: 16)), seatagentd is \(Version.text)",
            advice: "seatagent --version")
    }

    /// The line at `descriptor`, which is closed then.
    static func read<Value: Decodable>(
        _ type: Value.Type, from descriptor: Int32
    ) throws(UserError) -> Value {
        let bytes = PrivateFile.readBytes(limit: 1 << 16, from: descriptor) ?? []
        close(descriptor)
        // Nothing that is opened later may become standard input.
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
