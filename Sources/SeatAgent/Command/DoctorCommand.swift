// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Launch
import Notify
import System
import Text

/// `seatagent doctor`: finds out why no others are met.
enum DoctorCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        var typed: [Address] = []
        for text in call.operands { typed.append(try address(text)) }
        let port = try port(call)
        // Even without an agent, there is a network to look at.
        let status = try? call.ask(Op.Status()).reply
        let network = status?.network
        var errand = Errand(.examine, call.place)
        errand.interface = call.line.value("interface") ?? network?.interface
        errand.port = port ?? network.flatMap { UInt16(exactly: $0.port) }
        errand.pagePort = HostedPage(call.place)?.port
        errand.typed = typed.map(\.description)
        errand.network = network
        errand.withheld = status?.meeting?.behind
        // A network may name a thousand of them, and a question has a limit.
        errand.network?.silent = Array((network?.silent ?? []).prefix(NetworkFacts.examined))
        call.hint("Looking around for a few seconds.")
        return try call.finish(examined: try errand.ask())
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
