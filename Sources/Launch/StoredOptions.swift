// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Profile
package import Protocol
import System
package import Text
import Trips

/// The options of the last start, in a file of the profile.
package struct StoredOptions: Hashable, Sendable {
    /// Older options most likely belong to another flight.
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

    /// The error if nothing was stored.
    package static func missing(_ place: ProfilePlace) -> UserError {
        UserError(
            .usage, "there are no stored options", why: "\(place.optionsPath) is not there",
            advice: "seatagent up --seat 14C --name ada")
    }

    /// The same options with another value for one of them.
    package func with(_ option: String, _ value: String) -> StoredOptions {
        StoredOptions(values: values.merging([option: [value]]) { $1 }, at: at)
    }

    /// The same options without one of them.
    package func without(_ option: String) -> StoredOptions {
        StoredOptions(values: values.filter { $0.key != option }, at: at)
    }

    /// Seats as typed.
    package var seats: String { (values["seat"] ?? []).joined(separator: ",").uppercased() }

    /// The flight of that start.
    package var flight: FlightName {
        values["flight"]?.last.flatMap { try? FlightText.read($0).flight } ?? .practice
    }

    /// The own name of the venue of that start; `nil` for a flight.
    package var venue: String? { values["venue"]?.last.flatMap { VenueName($0)?.slug } }

    /// The venue of that start with the words of its operator; `nil` where they cannot be read, and
    /// for a flight.
    package var venueStart: VenueStart? { (try? VenueStart(values)).flatMap { $0 } }

    /// What to tell the person about the flight as it was typed.
    package var flightRemarks: [String] {
        values["flight"]?.last.flatMap { try? FlightText.read($0) }?.remarks ?? []
    }

    /// These options, completed with the person's settings.
    package func filled(from config: Config) -> StoredOptions {
        var values = values
        for key in [ConfigKey.name, .interface] where values[key.rawValue] == nil {
            let value = config.value(key)
            if !value.isEmpty { values[key.rawValue] = [value] }
        }
        let meet = config.value(.rendezvousURL)
        if values["meet"] == nil, values["venue"] == nil, !meet.isEmpty { values["meet"] = [meet] }
        return StoredOptions(values: values, at: at)
    }

    /// The `up` line with the same meaning. Quoted for a shell: these words are the user's own.
    package var commandLine: String {
        let words = AgentOptions.kept.flatMap { option in
            (values[option] ?? []).flatMap { value in
                switch option {
                case "no-mdns": ["--no-mdns"]
                // A cabin's secret is not shown on a screen.
                case "code": ["--code", "CODE"]
                default: ["--\(option)", ShellWord.quoted(value)]
                }
            }
        }
        return (["seatagent", "up"] + words).joined(separator: " ")
    }

    /// The stored options; `nil` if there are none.
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

    /// Stores the options, readable by this user only.
    package func write(_ place: ProfilePlace) throws(UserError) {
        try PrivateFile.makeDirectory(place.stateDirectory)
        let members = values.mapValues { JSON.array($0.map(JSON.string)) }
        let json: JSON = ["at": .string(RFC3339.text(at)), "options": .object(members)]
        try PrivateFile.write(Array((json.line + "\n").utf8), to: place.optionsPath)
    }
}
