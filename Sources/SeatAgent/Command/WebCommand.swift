// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
import Text

/// `seatagent web`: serves the page of the agent until ctrl-C, by the program for it.
enum WebCommand {
    /// The program that serves the page.
    static let program = "seatagent-web"

    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        var words = [program, "--profile", call.place.profile.text]
        if let port = call.line.value("port") {
            guard UInt16(port) != nil else {
                throw UserError(
                    .usage, "\"\(port)\" is not a port", why: "ports go from 0 (any) to 65535",
                    advice: "seatagent web --port 7790")
            }
            words += ["--port", port]
        }
        if call.json { words.append("--json") }
        guard let path = ChildProcess.companion(program) else {
            throw UserError(
                .noStart, "\(program) is not there", why: "it is installed beside seatagent",
                advice: "seatagent --version")
        }
        ChildProcess(path: path, arguments: words).takeOver()
        throw UserError(
            .noStart, "\(program) cannot be started", why: String(cString: strerror(errno)),
            advice: "ls -l \(ShellWord.quoted(path))")
    }
}
