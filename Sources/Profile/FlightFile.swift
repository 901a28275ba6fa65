// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// The name of a flight's file.
package enum FlightFile {
    /// `XY123-2026-11-22-DUB.db`; with a cabin code, also the beginning of the flight's id.
    package static func name(_ flight: FlightName, _ gated: FlightKey? = nil) -> String {
        name(flight.text, id: gated?.id.hex)
    }

    /// The same of anything that people gather for; of a venue `rec-2026-12-` and the beginning of
    /// its operator's key.
    package static func name(_ name: GatheringName, _ gated: FlightKey? = nil) -> String {
        switch name {
        case .flight(let flight): self.name(flight, gated)
        case .venue(let venue):
            self.name(
                "\(venue.slug)/\(venue.volume.text)/\(venue.runBy.text.prefix(8))",
                id: gated?.id.hex)
        }
    }

    /// The same from text; `id` is the id of a flight with a cabin code.
    package static func name(_ flight: String, id: String?) -> String {
        String(flight.map { $0 == "/" ? "-" : $0 }) + (id.map { "-" + $0.prefix(8) } ?? "") + ".db"
    }
}
