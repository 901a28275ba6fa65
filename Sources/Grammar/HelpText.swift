// SPDX-License-Identifier: Apache-2.0
import Text

/// Help, made from the table of commands.
package enum HelpText {
    /// The program and all its commands.
    package static func overview(_ parser: OptionParser) -> [String] {
        var lines = [
            "seatagent finds the other passengers on this network, lets you talk, and swaps seats.",
            "",
            "Start",
            "  seatagent up --seat 14C --name ada    join with your seat and a name",
            "  seatagent seats                       who sits where",
            "  seatagent swap 12A                    ask for a seat",
            "",
            "Commands",
        ]
        let shown = parser.commands.filter { !$0.isHidden }
        lines += table(
            shown.filter { !$0.isOfVenues }.map { ("\($0.name) \($0.operands)", $0.summary) })
        lines += ["", "Options of every command"]
        lines += table(parser.globals.map { ($0.usage, $0.summary) })
        lines += ["", "Exit codes"]
        lines += table(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
        lines += ["", "More: seatagent help COMMAND"]
        let ofVenues = shown.filter(\.isOfVenues).map(\.name)
        return ofVenues.isEmpty
            ? lines : lines + ["Venues: " + ofVenues.joined(separator: ", ")]
    }

    /// One command.
    package static func text(of command: Command, globals: [Option]) -> [String] {
        let operands = command.operands.isEmpty ? "" : " \(command.operands)"
        var lines = ["seatagent \(command.name): \(command.summary)", "", "Examples"]
        lines += command.examples.map { "  " + $0 }
        lines += ["", "Usage", "  seatagent \(command.name)\(operands) [OPTIONS]"]
        if !command.details.isEmpty { lines += [""] + command.details }
        if !command.options.isEmpty {
            lines += ["", "Options"]
            lines += table(
                command.options.map { ($0.usage, $0.summary + ($0.repeats ? " (repeatable)" : "")) }
            )
        }
        return lines + ["", "Options of every command: seatagent help"]
    }

    /// Two columns.
    private static func table(_ rows: [(String, String)]) -> [String] {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { left, right in
            "  " + left + String(repeating: " ", count: width - left.count) + "  " + right
        }
    }
}
