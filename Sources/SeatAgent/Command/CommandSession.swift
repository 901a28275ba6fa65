// SPDX-License-Identifier: Apache-2.0
import Boarding
import ControlAPI
import Glibc
import Grammar
import Launch
import Protocol
import Terminal
import Text
import View

/// The surroundings of a command: terminal, environment and profile.
final class CommandSession {
    /// Input and output.
    let console: Console
    /// Environment variables.
    let environment: [String: String]
    /// Parses command lines, also for `help` and for the lines of a chat.
    let parser: OptionParser
    /// Whether the lines come from a chat, where commands are typed with a slash.
    var isChat = false

    /// A session that writes to `console`.
    init(
        console: Console, environment: [String: String],
        parser: OptionParser = CommandTable.parser
    ) {
        self.console = console
        self.environment = environment
        self.parser = parser
    }

    /// Runs a command line (without the program's name) and returns its exit code.
    ///
    /// `profile` is used if the line names none: a chat's own.
    func run(_ arguments: [String], profile: String? = nil) -> ExitCode {
        // Determined before the line is parsed, so that a wrong line is answered in JSON too.
        let wantsJSON = arguments.contains { $0 == "--json" || $0.hasPrefix("--json=") }
        do throws(UserError) {
            let line = try parser.parse(arguments)
            // Works even without a home and a profile.
            if line.has("version") { return try printVersion(line) }
            let call = try Invocation(line, session: self, profile: profile)
            if line.has("help") { return HelpCommand.show(line.command, in: call) }
            guard let command = line.command else { return try ViewCommand.run(call) }
            let code = try command.verb.run(call)
            CalendarFeed(call).refresh()
            return code
        } catch {
            report(error, asJSON: wantsJSON)
            return error.code.exit
        }
    }

    /// Prints `seatagent 0.3.0 (5cecdbb)` and the linked libraries.
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

    /// The linked libraries, with their versions at run time.
    private static var libraries: [String] {
        CompanionLibraries.versions(of: "seatagentd") + [Terminal.library]
            + CompanionLibraries.versions(of: PassWorker.name)
            + CompanionLibraries.versions(of: WebCommand.program)
    }

    /// Reports to people on standard error, to scripts on standard output.
    func report(_ error: UserError, asJSON: Bool) {
        if asJSON {
            console.out(ControlReply.failed(error).line)
        } else {
            for line in error.lines { console.err(named(line)) }
        }
    }

    /// The program's own words, with commands as they are typed here.
    func named(_ text: String) -> String { isChat ? SlashTable.typed(in: text) : text }
}
