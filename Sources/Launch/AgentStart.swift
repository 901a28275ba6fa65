// SPDX-License-Identifier: Apache-2.0
package import Profile
import Protocol
package import Text

/// How an agent is to be started: one line of JSON from `seatagent` to `seatagentd` through a pipe.
/// Everybody on this machine could read the cabin code from a command line.
package struct AgentStart: Codable, Hashable, Sendable {
    /// The version of the program that asks; another version is refused.
    package var version = Version.text
    /// The name of the profile.
    package var profile: String
    /// The later days of a venue that it is for, such as `2027-01`; `nil` for those of today.
    package var later: String?
    /// The options by name, as typed.
    package var values: [String: [String]]
    /// When they were typed, in seconds since 1970.
    package var at: Int64
    /// Whether it runs in a terminal or under a service supervisor.
    package var isForeground = false
    /// Whether to store the options for a restart, once the agent answers.
    package var isKept = false
    /// Seconds after its last view has gone at which it leaves; `nil` for never.
    package var linger: Int?
    /// Whether to make a key in place of a lost one.
    package var isRenewing = false
    /// The file for the secrets of its connections; `nil` for none. Never stored: a later start
    /// writes none.
    package var keylog: String?
    /// Whether to log more.
    package var isVerbose = false
    /// Whether to say in the terminal that it runs.
    package var greets = false
    /// Whether to print an error as JSON.
    package var json = false
    /// The descriptor of a pipe for ``ReadyLine``; `nil` if nobody waits.
    package var ready: Int32?
    /// What becomes of an earlier start; `nil` to leave all as it is.
    package var earlier: EarlierChoice?

    /// A start of the profile at `place` with `options`.
    package init(_ place: ProfilePlace, _ options: StoredOptions) {
        profile = place.profile.text
        later = place.later?.text
        values = options.values
        at = options.at.seconds
    }

    /// The options in the form for the file of the last start.
    package var stored: StoredOptions {
        StoredOptions(values: values, at: UTCTime(seconds: at))
    }

    /// The options, checked. Throws `usage` or `no-such-seat`.
    package func options(_ place: ProfilePlace) throws(UserError) -> AgentOptions {
        var options = try AgentOptions(values, place: place, foreground: isForeground)
        options.linger = linger
        options.isRenewing = isRenewing
        options.earlier = earlier
        options.keylog = keylog
        options.isQuiet = !greets
        return options
    }
}
