// SPDX-License-Identifier: Apache-2.0
import CLinux
import ControlAPI
import Glibc
import Launch
import Profile
import Protocol
import System
package import Text

/// What a line says of the program that wrote it, which may be of another version.
private struct Origin: Decodable {
    let version: String?
}

/// Where that program waits.
private struct Waiting: Decodable {
    let ready: Int32?
}

/// Whether errors are read by a script.
private struct Reader: Decodable {
    let json: Bool?
}

/// `seatagentd`: the agent, and the errands that only its program can do while no agent runs.
package struct AgentProgram {
    private let environment: [String: String]

    /// A program with these environment variables.
    package init(environment: [String: String]) { self.environment = environment }

    /// `--start FD` runs an agent as the line read from there says, `--errand` does what standard
    /// input asks, `--libraries` names the linked libraries.
    package func run(_ arguments: [String]) -> ExitCode {
        // Neither a key nor a cabin's code must end up in a core file, whatever is asked.
        _ = linux_forbid_dumps()
        if arguments == ["--libraries"] {
            let own = Version.line(of: AgentProcess.name)
            for version in [own] + AgentLibraries.versions { StandardStream.out(version) }
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
        var ready = ReadyLine(descriptor: nil)
        var asJSON = false
        do throws(UserError) {
            let line = try Self.line(from: descriptor)
            // Known before the rest is understood: who waits is told what is wrong with it.
            ready = ReadyLine(descriptor: (try? Waiting(told: line))?.ready)
            if let waiting = ready.descriptor { _ = fcntl(waiting, F_SETFD, FD_CLOEXEC) }
            asJSON = (try? Reader(told: line))?.json == true
            return try run(try Self.read(AgentStart.self, line), ready)
        } catch {
            ready.tell(error)
            return tell(error, asJSON: asJSON)
        }
    }

    private func run(_ start: AgentStart, _ ready: ReadyLine) throws(UserError) -> ExitCode {
        let place = try ProfilePlace(
            profile: try ProfileName(start.profile), environment: environment,
            later: start.later.flatMap { Volume($0) })
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

    /// The line at `descriptor`, which is then closed.
    static func line(from descriptor: Int32) throws(UserError) -> JSON {
        let bytes = PrivateFile.readBytes(limit: 1 << 16, from: descriptor) ?? []
        close(descriptor)
        // No file that is opened later may become standard input.
        if descriptor == 0 { _ = open("/dev/null", O_RDONLY) }
        do throws(JSONError) {
            return try JSON(line: bytes.last == 10 ? Array(bytes.dropLast()) : bytes)
        } catch {
            throw unread("\(error.reason) at byte \(error.offset)")
        }
    }

    /// What `line` asks. Throws if another version of `seatagent` asks, because an update was only
    /// half made. The version is looked at first: another one may mean other things by the rest.
    static func read<Value: Decodable>(
        _ type: Value.Type, _ line: JSON
    ) throws(UserError) -> Value {
        let version = (try? Origin(told: line))?.version ?? "?"
        guard version == Version.text else {
            throw .otherVersion(version, Version.text)
        }
        do throws(JSONFault) {
            return try type.init(asked: line)
        } catch {
            throw unread(error.sentence)
        }
    }

    private static func unread(_ why: String) -> UserError {
        UserError(
            .noStart, "seatagentd cannot read what it is asked", why: why,
            advice: "seatagent --version")
    }
}
