// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Doctor
import Launch
import Notify
import Text
import Transport

/// `seatagent doctor`: why others are not met.
enum DoctorCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        var typed: [Address] = []
        for text in call.operands { typed.append(try address(text)) }
        let port = try port(call)
        // Without an agent there is still a network to look at.
        let status = try? call.ask(Op.Status()).reply
        let network = status?.network
        let examination = Examination(
            interface: call.line.value("interface") ?? network?.interface,
            port: port ?? network.flatMap { UInt16(exactly: $0.port) }, typed: typed,
            network: network, path: call.session.environment["PATH"] ?? "")
        call.hint("Looking around for a few seconds.")
        let diagnosis = examination.facts().diagnosis
        return report(diagnosis, call)
    }

    private static func report(_ diagnosis: Diagnosis, _ call: Invocation) -> ExitCode {
        guard let error = diagnosis.error else {
            return call.finish(diagnosis.json, diagnosis.lines)
        }
        if call.json {
            // A failure that has a result too: all findings.
            let reply = ControlReply.failed(error).adding(["result": diagnosis.json])
            call.session.console.out(reply.line)
        } else {
            for line in diagnosis.lines { call.session.console.out(line) }
        }
        return error.code.exit
    }

    private static func address(_ text: String) throws(UserError) -> Address {
        do throws(UserError) {
            return try AgentOptions.peer(text)
        } catch {
            var wrong = error
            wrong.advice = "seatagent doctor 127.0.0.1:7711"
            throw wrong
        }
    }

    private static func port(_ call: Invocation) throws(UserError) -> UInt16? {
        guard let text = call.line.value("port") else { return nil }
        guard let port = UInt16(text), port != 0 else {
            throw UserError(
                .usage, "\"\(text)\" is not a port", why: "ports go from 1 to 65535",
                advice: "seatagent doctor --port 7711")
        }
        return port
    }
}
