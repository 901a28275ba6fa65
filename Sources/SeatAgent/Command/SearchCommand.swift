// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Glibc
import Protocol
import System
import Text
import Wording

/// `seatagent search`: searches for what was said.
enum SearchCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let result = try call.ask(
            Op.Search(
                text: call.operands.joined(separator: " "), limit: try call.number("limit")))
        let today = LocalDay(SystemClock.utc())
        let items = result.items
        var lines = items.compactMap { line($0.event, today, ascii: call.ascii) }
        if result.more {
            let isMost = items.count >= searchLimit
            lines.append(
                isMost
                    ? "... and older ones; more words find fewer"
                    : "... and older ones: --limit \(items.count * 4)")
        }
        return call.finish(result, lines.isEmpty ? ["nothing found"] : lines)
    }

    /// The event in words; with the day if it is not today.
    static func line(_ event: ControlEvent, _ today: LocalDay?, ascii: Bool) -> String? {
        guard let line = EventText(event: event, ascii: ascii).line else { return nil }
        let day = event.at?.time.flatMap { LocalDay($0) }
        guard let day, day != today else { return line }
        return "\(day.text) \(line)"
    }
}
