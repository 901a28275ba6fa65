// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// One question to a service on the web, asked with the program curl.
package enum WebQuestion {
    /// The longest time to wait for an answer.
    package static let patience = TimeSpan.seconds(10)

    /// Why there is no answer.
    package enum Trouble: Error, Hashable, Sendable {
        case noProgram, noAnswer

        /// Half a sentence.
        package var why: String {
            switch self {
            case .noProgram: "the program curl is not installed"
            case .noAnswer: "the service did not answer"
            }
        }
    }

    /// The body that `url` answers with, whatever its status; `path` is where curl is looked for.
    /// The address has no quote, backslash or line end.
    package static func ask(_ url: String, path: String) throws(Trouble) -> [UInt8] {
        guard let curl = ProgramOutput.find("curl", path: path) else { throw .noProgram }
        let bytes = ProgramOutput.of(
            [curl, "-q", "--config", "-"], deadline: SystemClock.now() + patience,
            input: settings(url))
        guard let bytes else { throw .noAnswer }
        return bytes
    }

    /// What curl reads from standard input: other users can see a command line, and the address
    /// may contain a key. No redirection is followed, because it could carry that elsewhere.
    private static func settings(_ url: String) -> [UInt8] {
        let protocols = url.hasPrefix("https:") ? "=https" : "=http"
        let lines = [
            "url = \"\(url)\"", "silent", "globoff", "max-time = 9", "proto = \"\(protocols)\"",
            "noproxy = \"127.0.0.1,::1\"", "user-agent = \"seatagent\"",
        ]
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
}
