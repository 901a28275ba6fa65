// SPDX-License-Identifier: Apache-2.0
import Grammar
import Text

/// `seatagent help`.
enum HelpCommand {
    /// `seatagent help [COMMAND]`.
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        guard let word = call.operands.first else { return show(nil, in: call) }
        let parser = call.session.parser
        // Parsed as a command line, so that an unknown word gets the usual answer.
        return show(try parser.parse([word, "--help"]).command, in: call)
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
