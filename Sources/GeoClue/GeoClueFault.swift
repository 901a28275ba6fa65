// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
package import Text

/// Why GeoClue said no position.
package enum GeoClueFault: Error, Hashable, Sendable {
    /// There is no such service here.
    case absent
    /// There is no bus on which it could be; what the connection came to.
    case noBus(String)
    /// It is installed and does not start; what the bus said of that.
    case notStarted(String)
    /// It waits for a program of the user's session that speaks for them.
    case noAgent
    /// It refuses; its own words.
    case denied(String)
    /// Nobody answered the question whether it may say the position.
    case unanswered
    /// It found no position in time.
    case noPosition
    /// It ended, or what it answered is nothing that GeoClue answers.
    case gone(String)
    /// It said a position that cannot be.
    case impossible

    /// The agent that comes with GeoClue, for sessions without one of their own.
    static let agent = "/usr/libexec/geoclue-2.0/demos/agent"
    private static let another = "seatagent config set location.command \"cat /run/position\""
    private static let seconds = GeoClue.patience.nanoseconds / 1_000_000_000

    /// For people and scripts. `hasAgent`: whether ``agent`` is installed.
    package func error(hasAgent: Bool = access(agent, X_OK) == 0) -> UserError {
        switch self {
        case .absent: nothing("GeoClue is not here: Debian has it as geoclue-2.0")
        case .noBus(let words):
            nothing(
                "GeoClue cannot be asked: the system's D-Bus "
                    + (words.isEmpty ? "does not answer" : "says \(Self.quoted(words))"))
        case .notStarted(let words):
            failed(
                "GeoClue does not start",
                words.isEmpty
                    ? "the bus gave no answer that can be read"
                    : "the bus says: \(Self.quoted(words))")
        case .noAgent:
            failed(
                "GeoClue does not know whether you allow it",
                "no program of your session speaks for you; desktops bring one, GeoClue too",
                hasAgent ? "\(Self.agent) &" : Self.another)
        case .denied(let words):
            failed(
                "GeoClue does not tell seatagent where you are",
                "it says: \(Self.quoted(words)). The settings of your desktop decide, and a "
                    + "section [seatagent] of /etc/geoclue/geoclue.conf with the lines "
                    + "allowed=true, system=true and users=",
                "sudoedit /etc/geoclue/geoclue.conf && sudo systemctl restart geoclue")
        case .unanswered:
            failed(
                "GeoClue does not tell seatagent where you are",
                "within \(Self.seconds) s nobody said yes; your desktop may be asking you")
        case .noPosition:
            failed(
                "GeoClue found no position within \(Self.seconds) s",
                "a receiver wants the open sky, and networks a service that knows them")
        case .gone(let words):
            failed(
                "GeoClue ended before it said a position",
                words.isEmpty ? "its answer cannot be read" : "the bus says: \(Self.quoted(words))")
        case .impossible:
            failed("GeoClue says a position that cannot be", "it is no place on the Earth")
        }
    }

    private func nothing(_ why: String) -> UserError {
        UserError(
            .usage, "nothing here says where you are",
            why: "location.command is not set, and \(why)", advice: Self.another)
    }

    private func failed(
        _ what: String, _ why: String, _ advice: String = another
    ) -> UserError {
        UserError(.failed, what, why: why, advice: advice)
    }

    /// Another program's words, as far as a line takes them.
    private static func quoted(_ words: String) -> String {
        "\"\(visible(String(words.prefix(200)), cells: 120))\""
    }
}
