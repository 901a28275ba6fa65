// SPDX-License-Identifier: Apache-2.0
import Aviation
import Glibc
import Protocol
import Text
import Wording

/// `seatagent log`: what was said and done, what comes, and the records for others to check.
enum LogCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        if let file = call.line.value("export") { return try export(call, to: file) }
        let follows = call.line.has("follow")
        let client = try call.connect(deadline: call.deadline(standard: follows ? nil : 30))
        if follows { _ = try client.ask("watch") }
        var arguments: [String: JSON] = [:]
        if let seconds = try call.seconds("since") { arguments["since"] = .int(seconds) }
        let result = try client.ask("log", arguments)
        let cabin = try client.cabin()
        // What came between watching and asking is in the answer already.
        client.forgetEvents()
        let items = result["items"]?.list ?? []
        guard follows else {
            return call.finish(result, items.compactMap { line($0, call, cabin) })
        }
        for item in items { show(item, call, cabin) }
        client.output = 1
        while let event = try client.nextEvent() { show(event, call, cabin) }
        return .done
    }

    private static func line(
        _ event: JSON, _ call: Invocation, _ cabin: CabinLayout
    ) -> String? {
        EventText(event: event, ascii: call.ascii, cabin: cabin).line
    }

    private static func show(_ event: JSON, _ call: Invocation, _ cabin: CabinLayout) {
        if call.json {
            call.session.console.out(event.line)
        } else if let line = line(event, call, cabin) {
            call.session.console.out(line)
        }
    }

    /// Writes all records page by page, so that a whole cabin never has to fit one line.
    private static func export(_ call: Invocation, to file: String) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: call.deadline())
        var bytes: [UInt8] = []
        var cursor = JSON.null
        var entries = 0
        repeat {
            let page = try client.ask("export", ["after": cursor])
            guard let data = page["data"]?.text.flatMap({ Base64.decode($0) }) else {
                throw UserError(.failed, "the agent's records cannot be read")
            }
            bytes += data
            entries += page["entries"]?.number ?? 0
            cursor = page["next"] ?? .null
        } while cursor != .null
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
