// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Glibc
import Protocol
import System
import Text
import Wording

/// `seatagent search`: what was said, by its words.
enum SearchCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        var arguments: [String: JSON] = ["text": .string(call.operands.joined(separator: " "))]
        if let limit = try call.number("limit") { arguments["limit"] = .int(limit) }
        let result = try call.ask("search", arguments)
        let today = LocalDay(SystemClock.utc())
        let items = result["items"]?.list ?? []
        var lines = items.compactMap { line($0, today, ascii: call.ascii) }
        if result["more"] == true {
            let isMost = items.count >= searchLimit
            lines.append(
                isMost
                    ? "... and older ones; more words find fewer"
                    : "... and older ones: --limit \(items.count * 4)")
        }
        return call.finish(result, lines.isEmpty ? ["nothing found"] : lines)
    }

    /// The event in words; with the day where it was another than today.
    static func line(_ event: JSON, _ today: LocalDay?, ascii: Bool) -> String? {
        guard let line = EventText(event: event, ascii: ascii).line else { return nil }
        let day = event["at"]?.text.flatMap { RFC3339.parse($0) }.flatMap { LocalDay($0) }
        guard let day, day != today else { return line }
        return "\(day.text) \(line)"
    }
}
