// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Keys
import Protocol
import System
import Text

/// `seatagent audit FILE`: checks an exported log and folds it, without network or identity.
enum AuditCommand {
    /// The largest export in bytes: it is held in memory together with its fold. Logs of 850
    /// passengers with 20 entries each take about 4 MB.
    static let limit = 128 * 1024 * 1024

    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let path = call.operands[0]
        let read =
            path == "-"
            ? try PrivateFile.readAll(0, PrivateFile.standardInput, limit: limit)
            : try PrivateFile.read(path, limit: limit)
        guard let bytes = read else {
            throw UserError(
                .file, "\(path) is not there", advice: "seatagent log --export flight.log")
        }
        guard let primitives = SodiumPrimitives() else {
            throw UserError(.failed, "this machine gives no random numbers")
        }
        let reading: Bundle.Reading
        do throws(DecodeError) {
            reading = try Bundle.read(bytes, codec: EntryCodec(primitives))
        } catch {
            throw UserError(
                .badRecords, "\(path) is no log of a flight",
                why: "\(error.code.rawValue) at byte \(error.offset)",
                advice: "seatagent log --export flight.log")
        }
        if let older = Bundle.olderItem(bytes) {
            throw UserError(
                .badRecords, "\(path) is of seatagent 0.1",
                why:
                    "item \(older) has a form that flights have no more, since their rules changed",
                advice: "seatagent log --export flight.log")
        }
        let report = AuditReport(reading, primitives: primitives)
        let json = report.json
        guard report.refusedCount > 0 else { return call.finish(json, report.lines) }
        // The valid part of it is reported all the same.
        let error = UserError(
            .badRecords, "\(report.refusedCount) items of \(path) are not accepted",
            why: "they are listed under \"Not accepted\"")
        if call.json {
            call.session.console.out(ControlReply.failed(error).adding(["result": json]).line)
        } else {
            for line in report.lines { call.session.console.out(line) }
            call.session.report(error, asJSON: false)
        }
        return error.code.exit
    }
}
