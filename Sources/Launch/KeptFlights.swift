// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Glibc
package import Profile
package import Protocol
package import Text

/// The records of flights that a profile keeps, read and deleted by the agent's program.
package enum KeptFlights {
    /// All readable flight files, sorted by path.
    package static func all(
        _ place: ProfilePlace, patience: TimeSpan = .seconds(60)
    ) throws(UserError) -> [KeptFlight] {
        guard hasAny(place.dataDirectory) else { return [] }
        return (try Errand(.files, place).ask(patience: patience).list ?? []).compactMap { item in
            guard let path = item["path"]?.text, let flight = item["flight"]?.text,
                let name = FlightName(flight), let size = item["size"]?.number
            else { return nil }
            return KeptFlight(
                path: path, flight: name, end: item["end"]?.text.flatMap { RFC3339.parse($0) },
                size: size)
        }
    }

    /// Deletes a file with its key, and everything that belongs to it. No process may have it open.
    package static func delete(_ flight: KeptFlight, _ place: ProfilePlace) throws(UserError) {
        var errand = Errand(.delete, place)
        errand.path = flight.path
        _ = try errand.ask()
    }

    /// The JSON that goes through the pipe of ``all(_:)``.
    package static func json(_ flights: [KeptFlight]) -> JSON {
        .array(
            flights.map { flight in
                .object(present: [
                    "path": .string(flight.path), "flight": .string(flight.flight.text),
                    "end": flight.end.map { .string(RFC3339.text($0)) },
                    "size": .int(flight.size),
                ])
            })
    }

    /// Whether there is any flight file at all, so that no program is started for nothing.
    private static func hasAny(_ folder: String) -> Bool {
        guard let directory = opendir(folder) else { return false }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".db") { return true }
        }
        return false
    }
}
