// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Glibc
import Launch
import Profile
import Protocol
import System
import Text
import Trips

/// `seatagent export`: writes everything that this profile stores about its passenger into one
/// file. Needs no agent.
enum ExportCommand {
    /// The version of the file's format.
    private static let version = 1

    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let book = try TripBook.read(call.place)
        let flights = try Errand(.export, call.place).ask(patience: .seconds(600)).list ?? []
        let settings = settings(call.config)
        let document: JSON = [
            "version": .int(version), "agent": .string("seatagent " + Version.text),
            "profile": .string(call.place.profile.text),
            "written": .string(RFC3339.text(SystemClock.utc())),
            "trips": .array(book.trips.map(\.json)),
            "history": .array(book.history.map(\.json)), "settings": .object(settings),
            "last_start": try lastStart(call.place), "flights": .array(flights),
        ]
        let file = call.operands[0]
        let bytes = Array((document.line + "\n").utf8)
        // Before anything is reported as complete.
        let unread = flights.compactMap(trouble)
        for trouble in unread { call.note(trouble) }
        if file == "-" {
            call.session.console.out(bytes)
            return unread.isEmpty ? .done : .failed
        }
        try PassengerFile.write(bytes, to: file)
        let result: JSON = [
            "file": .string(file), "bytes": .int(bytes.count), "trips": .int(book.trips.count),
            "history": .int(book.history.count), "settings": .int(settings.count),
            "flights": .int(flights.count), "unread": .array(unread.map(JSON.string)),
        ]
        let code = call.finish(
            result,
            [
                "\(visible(file)): trips \(book.trips.count), history \(book.history.count), "
                    + "settings \(settings.count), flights with records \(flights.count); "
                    + "\(bytes.count) bytes."
            ])
        call.hint("Your keys are not in it: whoever has one can sign as you.")
        return unread.isEmpty ? code : .failed
    }

    /// What was set, without defaults and without options of this line.
    private static func settings(_ config: Config) -> [String: JSON] {
        ConfigKey.allCases.reduce(into: [:]) { settings, key in
            let entry = config.entry(key)
            switch entry.source {
            case .section, .file: settings[key.rawValue] = .string(entry.value)
            case .option, .variable, .standard: break
            }
        }
    }

    private static func lastStart(_ place: ProfilePlace) throws(UserError) -> JSON {
        guard let stored = try StoredOptions.read(place) else { return .null }
        return [
            "at": .string(RFC3339.text(stored.at)),
            "options": .object(stored.values.mapValues { .array($0.map(JSON.string)) }),
        ]
    }

    /// Why the records of a flight are not in the file.
    private static func trouble(_ flight: JSON) -> String? {
        guard let told = try? ExportedFlight(told: flight), let why = told.unread else {
            return nil
        }
        return "the records of \(told.flight) cannot be read: \(why)"
    }
}
