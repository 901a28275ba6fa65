// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Glibc
import Protocol
import Text
import Wording

/// `seatagent log`: what was said and done, new lines as they come, and the records for others to
/// check.
enum LogCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        if let file = call.line.value("export") { return try export(call, to: file) }
        let follows = call.line.has("follow")
        let client = try call.connect(deadline: call.deadline(standard: follows ? nil : 30))
        if follows { _ = try client.ask(Op.Watch()) }
        let result = try client.ask(Op.Log(since: try call.seconds("since")))
        let cabin = try client.cabin()
        // The answer already contains what came between watching and asking.
        client.forgetEvents()
        guard follows else {
            return call.finish(result, result.items.compactMap { line($0.event, call, cabin) })
        }
        for told in result.items { show(told, call, cabin) }
        client.output = 1
        while let told = try client.nextEvent() { show(told, call, cabin) }
        return .done
    }

    private static func line(
        _ event: ControlEvent, _ call: Invocation, _ cabin: CabinLayout
    ) -> String? {
        EventText(event: event, ascii: call.ascii, cabin: cabin).line
    }

    private static func show(_ told: ToldEvent, _ call: Invocation, _ cabin: CabinLayout) {
        if call.json {
            call.session.console.out(told.json.line)
        } else if let line = line(told.event, call, cabin) {
            call.session.console.out(line)
        }
    }

    /// Writes all records page by page, so that a whole cabin never has to fit on one line.
    private static func export(_ call: Invocation, to file: String) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: call.deadline())
        var bytes: [UInt8] = []
        var cursor: String?
        var entries = 0
        repeat {
            let page = try client.ask(Op.Export(after: cursor))
            guard let data = Base64.decode(page.data) else {
                throw UserError(.failed, "the agent's records cannot be read")
            }
            bytes += data
            entries += page.entries
            cursor = page.next
        } while cursor != nil
        if file == "-" {
            call.session.console.out(bytes)
            return .done
        }
        try PassengerFile.write(bytes, to: file)
        let result: JSON = [
            "file": .string(file), "bytes": .int(bytes.count), "entries": .int(entries),
        ]
        return call.finish(
            result, ["\(entries) records, \(bytes.count) bytes. Check: seatagent audit \(file)"])
    }
}
