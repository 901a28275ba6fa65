// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// What an agent of a profile left on a flight at an earlier time.
package struct EarlierRecords: Codable, Hashable, Sendable {
    /// Seats that it still claims, sorted.
    package var held: [Seat]
    /// Seats that a start does not claim again: those held, and those given away in a swap.
    package var known: [Seat]
    /// The name by which others know it; empty where its log has none.
    package var name: String

    /// All of it.
    package init(held: [Seat], known: [Seat], name: String) {
        self.held = held
        self.known = known
        self.name = name
    }
}

/// What was found when somebody looked why others are not met.
package struct ExaminationReport: Codable, Hashable, Sendable {
    /// The cause and all findings, as `doctor --json` prints them.
    package var diagnosis: JSON
    /// The same for people.
    package var lines: [String]
    /// Why the command fails; `nil` where all is well.
    package var error: UserError?

    /// All of it.
    package init(diagnosis: JSON, lines: [String], error: UserError?) {
        self.diagnosis = diagnosis
        self.lines = lines
        self.error = error
    }
}

/// Where this computer is, as GeoClue says.
package struct PositionReport: Codable, Hashable, Sendable {
    /// Degrees north.
    package var latitude: Double
    /// Degrees east.
    package var longitude: Double
    /// Metres within which it is right; `nil` where GeoClue does not know.
    package var accuracy: Double?

    /// All of it.
    package init(latitude: Double, longitude: Double, accuracy: Double?) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
    }
}

/// The part of a flight's export that says whether its records could be read.
package struct ExportedFlight: Codable, Hashable, Sendable {
    /// Its name.
    package var flight: String
    /// Why its file cannot be read; `nil` where it was.
    package var unread: String?
}
