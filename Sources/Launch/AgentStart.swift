// SPDX-License-Identifier: Apache-2.0
package import Profile
import Protocol
package import Text

/// How an agent is to be started: what `seatagent` tells `seatagentd`, one line of JSON through a
/// pipe. On a command line everybody on this machine could read the cabin's code.
package struct AgentStart: Codable, Hashable, Sendable {
    /// The version of the program that asks; another one is refused.
    package var version = Version.text
    /// The name of the profile.
    package var profile: String
    /// The options by name, as typed.
    package var values: [String: [String]]
    /// When they were typed, in seconds since 1970.
    package var at: Int64
    /// In a terminal or under a service supervisor.
    package var isForeground = false
    /// To be kept for a restart, once the agent answers.
    package var isKept = false
    /// Seconds after which it leaves when its last view has gone; `nil` for never.
    package var linger: Int?
    /// Make a key in place of one that was lost.
    package var isRenewing = false
    /// Say more in the log.
    package var isVerbose = false
    /// Say in the terminal that it runs.
    package var greets = false
    /// Print an error as JSON.
    package var json = false
    /// The descriptor of a pipe for ``ReadyLine``; `nil` where nobody waits for it.
    package var ready: Int32?
    /// Earlier seats to give back.
    package var leaves: [String] = []
    /// The new name; `nil` where it stays.
    package var rename: String?

    /// A start of the profile at `place` with `options`.
    package init(_ place: ProfilePlace, _ options: StoredOptions) {
        profile = place.profile.text
        values = options.values
        at = options.at.seconds
    }

    /// The options, for the file of the last start.
    package var stored: StoredOptions {
        StoredOptions(values: values, at: UTCTime(seconds: at))
    }

    /// The options, checked. Throws `usage` or `no-such-seat`.
    package func options(_ place: ProfilePlace) throws(UserError) -> AgentOptions {
        var options = try AgentOptions(values, place: place, foreground: isForeground)
        options.linger = linger
        options.isRenewing = isRenewing
        options.change.leaves = leaves.compactMap { Seat($0) }
        options.change.name = rename
        return options
    }
}
