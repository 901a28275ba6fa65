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
            words += ["--port", try check(port, advice: "seatagent web --port 7790")]
        }
        try take(over: words, call)
        return .done
    }

    /// A port as typed. Throws `usage`.
    static func check(_ port: String, advice: String) throws(UserError) -> String {
        guard UInt16(port) != nil else {
            throw UserError(
                .usage, "\"\(port)\" is not a port", why: "ports go from 0 (any) to 65535",
                advice: advice)
        }
        return port
    }

    /// Replaces this process by the program. Returns only by throwing what prevented it.
    static func take(over words: [String], _ call: Invocation) throws(UserError) {
        let words = words + (call.json ? ["--json"] : [])
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
