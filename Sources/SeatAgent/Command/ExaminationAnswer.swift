// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Text

/// How an examination's answer is printed.
extension Invocation {
    /// Prints the findings of an errand, and ends with what they come to.
    func finish(examined answer: JSON) throws(UserError) -> ExitCode {
        let report: ExaminationReport
        do throws(JSONFault) {
            report = try ExaminationReport(told: answer)
        } catch {
            throw .unreadable(error.sentence)
        }
        guard let error = report.error else { return finish(report.diagnosis, report.lines) }
        if json {
            // A failure that has a result too: all findings.
            let reply = ControlReply.failed(error).adding(["result": report.diagnosis])
            session.console.out(reply.line)
        } else {
            for line in report.lines { session.console.out(line) }
        }
        return error.code.exit
    }
}
