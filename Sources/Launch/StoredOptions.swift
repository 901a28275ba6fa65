// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Profile
package import Protocol
import System
package import Text
import Trips

/// The options of the last start, in a file of the profile.
package struct StoredOptions: Hashable, Sendable {
    /// Stored options older than this belong to another flight, most likely.
    package static let freshFor: Int64 = 12 * 3600

    /// Values as typed, by option.
    package let values: [String: [String]]
    /// When they were used.
    package let at: UTCTime

    /// The options of a start at that time.
    package init(values: [String: [String]], at: UTCTime) {
        self.values = values
        self.at = at
    }

    /// What is said where nothing was stored.
    package static func missing(_ place: ProfilePlace) -> UserError {
        UserError(
            .usage, "there are no stored options", why: "\(place.optionsPath) is not there",
            advice: "seatagent up --seat 14C --name ada")
    }

    /// With another value of one option.
    package func with(_ option: String, _ value: String) -> StoredOptions {
        StoredOptions(values: values.merging([option: [value]]) { $1 }, at: at)
    }

    /// Seats as typed.
    package var seats: String { (values["seat"] ?? []).joined(separator: ",").uppercased() }

    /// The flight of that start.
    package var flight: FlightName {
        values["flight"]?.last.flatMap { try? FlightText.read($0).flight } ?? .practice
    }

    /// What the person should know of the flight as it was typed.
    package var flightRemarks: [String] {
        values["flight"]?.last.flatMap { try? FlightText.read($0) }?.remarks ?? []
    }

    /// With what the person has set in the place of what was not typed.
    package func filled(from config: Config) -> StoredOptions {
        var values = values
        for key in [ConfigKey.name, .interface] where values[key.rawValue] == nil {
            let value = config.value(key)
            if !value.isEmpty { values[key.rawValue] = [value] }
        }
        return StoredOptions(values: values, at: at)
    }

    /// The `up` line that says the same. Quoted for a shell: these words are the user's own.
    package var commandLine: String {
        let words = AgentOptions.kept.flatMap { option in
            (values[option] ?? []).flatMap { value in
                switch option {
                case "no-mdns": ["--no-mdns"]
                // A secret of the cabin is not repeated on a screen.
                case "code": ["--code", "CODE"]
                default: ["--\(option)", ShellWord.quoted(value)]
                }
            }
        }
        return (["seatagent", "up"] + words).joined(separator: " ")
    }

    /// What was stored; `nil` where nothing was.
    package static func read(_ place: ProfilePlace) throws(UserError) -> StoredOptions? {
        guard let bytes = try PrivateFile.read(place.optionsPath) else { return nil }
        guard let json = try? JSON(line: bytes), let members = json["options"]?.members,
            let at = json["at"]?.text.flatMap({ RFC3339.parse($0) })
        else {
            throw UserError(
                .file, "the stored options cannot be read", why: place.optionsPath,
                advice: "seatagent up --seat 14C --name ada")
        }
        let values = members.filter { AgentOptions.kept.contains($0.key) }
            .mapValues { ($0.list ?? []).compactMap(\.text) }
        return StoredOptions(values: values, at: at)
    }

    /// Stores them, for this user only.
    package func write(_ place: ProfilePlace) throws(UserError) {
        try PrivateFile.makeDirectory(place.stateDirectory)
        let members = values.mapValues { JSON.array($0.map(JSON.string)) }
        let json: JSON = ["at": .string(RFC3339.text(at)), "options": .object(members)]
        try PrivateFile.write(Array((json.line + "\n").utf8), to: place.optionsPath)
    }
}
