// SPDX-License-Identifier: Apache-2.0
package import Glibc
package import Protocol
package import Text

/// The places where a profile keeps its files.
package struct ProfilePlace: Hashable, Sendable {
    /// Its name.
    package let profile: ProfileName
    /// `$XDG_DATA_HOME/seatagent/PROFILE`: keys and flights.
    package let dataDirectory: String
    /// `$XDG_STATE_HOME/seatagent/PROFILE`: the agent's log and its last options.
    package let stateDirectory: String
    /// `$XDG_CONFIG_HOME/seatagent/config`, one for all profiles; `nil` if there is no such place.
    package let configPath: String?
    /// Where the agent answers.
    package let socket: ControlAddress
    /// The later days of a venue that an agent of its own is for, beside the one of today; `nil`
    /// for that one, and for flights.
    package let later: Volume?

    /// The environment variables that lead another program to the same places.
    package let variables: [String: String]

    /// The places of `profile` in that environment, for the agent of `later` days of a venue if
    /// those are given. Throws if there is no home.
    package init(
        profile: ProfileName, environment: [String: String], uid: uid_t = geteuid(),
        later: Volume? = nil
    ) throws(UserError) {
        self.profile = profile
        self.later = later
        let names = [
            "HOME", "SEATAGENT_SOCKET", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
            "XDG_STATE_HOME",
        ]
        variables = environment.filter { names.contains($0.key) }
        socket = try ControlAddress(
            name: profile.text + Self.mark(later), environment: environment, uid: uid)
        func base(_ name: String, _ standard: String) throws(UserError) -> String {
            if let given = environment[name], given.hasPrefix("/") { return given }
            guard let home = environment["HOME"], home.hasPrefix("/") else {
                throw UserError(
                    .usage, "there is no place for the agent's files",
                    why: "neither HOME nor \(name) is set",
                    advice: "HOME=/tmp/me seatagent status")
            }
            return home + standard
        }
        dataDirectory = try base("XDG_DATA_HOME", "/.local/share") + "/seatagent/\(profile.text)"
        stateDirectory = try base("XDG_STATE_HOME", "/.local/state") + "/seatagent/\(profile.text)"
        // Whoever sets the other places needs no home and no config file.
        configPath = (try? base("XDG_CONFIG_HOME", "/.config")).map { $0 + "/seatagent/config" }
    }

    /// The file that the agent of this profile writes its log to.
    package var logPath: String { stateDirectory + "/agent\(Self.mark(later)).log" }

    /// The file that an agent of this profile keeps locked while it runs.
    package var lockPath: String { lockPath(of: later) }

    /// The file that the agent of these days of a venue keeps locked while it runs, whether they
    /// are those of today or later ones: one key, one process.
    package func lockPath(of days: Volume?) -> String { dataDirectory + "/lock" + Self.mark(days) }

    /// The options of the agent's last start.
    package var optionsPath: String { stateDirectory + "/options\(Self.mark(later)).json" }

    /// No name of a profile has such a sign.
    private static func mark(_ days: Volume?) -> String { days.map { "@" + $0.text } ?? "" }
}
