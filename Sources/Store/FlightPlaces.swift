// SPDX-License-Identifier: Apache-2.0
package import Profile
package import Protocol

/// Where a profile keeps the files of its flights, and what is noted beside them.
extension FlightFiles {
    /// Those of the profile at `place`.
    package init(place: ProfilePlace) {
        self.init(data: place.dataDirectory, state: place.stateDirectory)
    }
}

extension CopyMirror {
    /// The mirror of the file at `path`.
    package convenience init(of path: String, in place: ProfilePlace) {
        self.init(of: path, in: place.stateDirectory)
    }

    /// Beside the profile's log, so that it does not travel with the file.
    package static func path(of path: String, in place: ProfilePlace) -> String {
        Self.path(of: path, in: place.stateDirectory)
    }
}

extension EndMark {
    /// The mark of the file at `path`.
    package init(of path: String, in place: ProfilePlace) {
        self.init(of: path, in: place.stateDirectory)
    }
}

extension FlightFiles {
    /// `XY123-2026-11-22-DUB.db`; with a cabin code also the beginning of the flight's id.
    package static func name(_ flight: FlightName, _ gated: FlightKey? = nil) -> String {
        name(flight.text, id: gated?.id.hex)
    }

    /// The same, from words; `id` is the id of a flight with a cabin code.
    package static func name(_ flight: String, id: String?) -> String {
        String(flight.map { $0 == "/" ? "-" : $0 }) + (id.map { "-" + $0.prefix(8) } ?? "") + ".db"
    }
}
