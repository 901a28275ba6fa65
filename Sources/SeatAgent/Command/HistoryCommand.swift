// SPDX-License-Identifier: Apache-2.0
import Text
import Trips

/// `seatagent history`: past swaps and flights.
enum HistoryCommand {
    private static let standard = 50

    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let limit = try call.number("limit") ?? standard
        guard limit > 0 else {
            throw UserError(
                .usage, "0 of them would be nothing", why: "--limit is 1 or more",
                advice: "seatagent history --limit 20")
        }
        let book = try TripBook.current(call.place)
        let words = call.operands.flatMap { $0.split(whereSeparator: \.isWhitespace) }
        let found = book.history.filter { $0.fits(words.map(String.init)) }
        let shown = found.prefix(limit)
        var lines = shown.flatMap { item in
            call.line.has("long") ? [item.line] + item.details.map { "    " + $0 } : [item.line]
        }
        if lines.isEmpty {
            lines = [words.isEmpty ? "nothing is remembered yet" : "nothing found"]
        }
        if found.count > shown.count { lines.append("... and older ones: --limit \(found.count)") }
        return call.finish(
            [
                "items": .array(shown.map(\.object)), "more": .bool(found.count > shown.count),
            ], lines)
    }
}
