// SPDX-License-Identifier: Apache-2.0
import Grammar
import Text

/// `seatagent help`.
enum HelpCommand {
    /// `seatagent help [COMMAND]`.
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        guard let word = call.operands.first else { return show(nil, in: call) }
        let parser = call.session.parser
        // Parsed as a command line: an unknown word gets the usual answer, with help to try.
        do throws(UserError) {
            return show(try parser.parse([word, "--help"]).command, in: call)
        } catch {
            let names = parser.commands.filter { !$0.isHidden }.map(\.name)
            let near = Suggestions.nearest(to: word, among: names)
            throw UserError(
                error.code, error.what, why: error.why,
                advice: near.map { "seatagent help \($0)" } ?? "seatagent help")
        }
    }

    /// Prints help for `command`, or the overview.
    static func show(_ command: Command?, in call: Invocation) -> ExitCode {
        let parser = call.session.parser
        let lines =
            command.map { HelpText.text(of: $0, globals: parser.globals) }
            ?? HelpText.overview(parser)
        return call.finish(["text": .string(lines.joined(separator: "\n"))], lines)
    }
}
