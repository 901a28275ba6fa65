// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Glibc
import Protocol
import System
import Text

/// `seatagent __manual 1`, `seatagent __manual 1 swap`, `seatagent __manual 7 docs/control.md`:
/// prints the sources of the man pages. `seatagent __manual commands` lists the commands with
/// pages.
enum ManualCommand {
    /// What can be made.
    private enum Page: String {
        /// `seatagent(1)`, or the page of a command.
        case commands = "1"
        /// `seatagent-api(7)`, of a file.
        case socket = "7"
        /// The names of the commands that have a page.
        case list = "commands"
    }

    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let date = date(call.session.environment)
        switch (Page(rawValue: call.operands[0]), call.operands.count) {
        case (.commands, 1):
            print(CommandManual.page(call.session.parser, date: date), call)
        case (.commands, 2):
            // Looked up as typed, so that an unknown word is answered as everywhere.
            let command = try call.session.parser.parse([call.operands[1], "--help"]).command
            guard let command, !command.isHidden else {
                throw UserError(.usage, "there is no page of \(visible(call.operands[1]))")
            }
            print(CommandManual.page(of: command, date: date), call)
        case (.list, 1):
            for command in call.session.parser.commands where !command.isHidden {
                call.session.console.out(command.name)
            }
        case (.socket, 2):
            guard let bytes = try PrivateFile.read(call.operands[1]) else {
                throw UserError(.file, "\(call.operands[1]) is not there")
            }
            print(SocketManual.page(String(decoding: bytes, as: UTF8.self), date: date), call)
        case (.commands, _), (.socket, _), (.list, _), (nil, _):
            throw UserError(
                .usage, "there are pages 1, of each command too, and 7 made of a file",
                advice: "seatagent __manual 1")
        }
        return .done
    }

    private static func print(_ page: Mdoc, _ call: Invocation) {
        for line in page.lines { call.session.console.out(line) }
    }

    /// `November 21, 2026`: from `SOURCE_DATE_EPOCH`, so that a build can be repeated, else today.
    private static func date(_ environment: [String: String]) -> String {
        let given = environment["SOURCE_DATE_EPOCH"].flatMap(Int64.init)
        let text = RFC3339.text(given.map { UTCTime(seconds: $0) } ?? SystemClock.utc())
        let parts = text.prefix { $0 != "T" }.split(separator: "-").compactMap { Int($0) }
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December",
        ]
        guard parts.count == 3, 1...12 ~= parts[1] else { return text }
        return "\(months[parts[1] - 1]) \(parts[2]), \(parts[0])"
    }
}
