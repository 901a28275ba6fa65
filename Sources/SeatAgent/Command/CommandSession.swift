// SPDX-License-Identifier: Apache-2.0
import Boarding
import ControlAPI
import Glibc
import Grammar
import Launch
import Protocol
import Terminal
import Text

/// What surrounds a command: the terminal, the environment, the profile.
final class CommandSession {
    /// Input and output.
    let console: Console
    /// Environment variables.
    let environment: [String: String]
    /// How to read command lines, for `help` and for the lines of a chat.
    let parser: OptionParser

    /// A session that writes to `console`.
    init(
        console: Console, environment: [String: String],
        parser: OptionParser = CommandTable.parser
    ) {
        self.console = console
        self.environment = environment
        self.parser = parser
    }

    /// Runs a command line (without the program's name) and says how it ended.
    ///
    /// `profile` stands where the line names none: a chat's own.
    func run(_ arguments: [String], profile: String? = nil) -> ExitCode {
        // Known before the line is understood, so that a wrong line is answered in JSON too.
        let wantsJSON = arguments.contains { $0 == "--json" || $0.hasPrefix("--json=") }
        do throws(UserError) {
            let line = try parser.parse(arguments)
            // Says what it is also where there is no home and no profile.
            if line.has("version") { return try printVersion(line) }
            let call = try Invocation(line, session: self, profile: profile)
            if line.has("help") { return HelpCommand.show(line.command, in: call) }
            guard let command = line.command else { return try ViewCommand.run(call) }
            return try command.verb.run(call)
        } catch {
            report(error, asJSON: wantsJSON)
            return error.code.exit
        }
    }

    /// `seatagent 0.2.0 (5cecdbb)`, and what is in it.
    private func printVersion(_ line: ParsedLine) throws(UserError) -> ExitCode {
        if try Invocation.wantsJSON(line) {
            let parts = JSON.array(Self.libraries.map(JSON.string))
            let result: JSON = [
                "version": .string(Version.text), "commit": Version.json, "parts": parts,
            ]
            console.out(ControlReply.done(result).line)
        } else {
            console.out("seatagent " + Version.full)
            console.out("with " + Self.libraries.joined(separator: ", "))
        }
        return .done
    }

    /// The libraries that run here, with their versions.
    private static var libraries: [String] {
        CompanionLibraries.versions(of: "seatagentd") + [Terminal.library]
            + CompanionLibraries.versions(of: PassWorker.name)
    }

    /// Tells people on standard error, scripts on standard output.
    func report(_ error: UserError, asJSON: Bool) {
        if asJSON {
            console.out(ControlReply.failed(error).line)
        } else {
            for line in error.lines { console.err(line) }
        }
    }
}
