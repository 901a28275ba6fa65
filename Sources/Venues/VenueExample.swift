// SPDX-License-Identifier: Apache-2.0

/// An example that a new file begins with.
package enum VenueExample: String, CaseIterable, Hashable, Sendable {
    // In the order of the files' names.
    /// Courts and a hall that a desk gives out by the hour.
    case courts
    /// Bays for visitors of a building.
    case parking
    /// Bouncy castles by the day.
    case rental
    /// Reading rooms in which people are counted.
    case study

    /// What it is an example of.
    package var about: String {
        switch self {
        case .courts: "courts by the hour"
        case .parking: "bays for visitors of a building"
        case .rental: "things to rent by the day"
        case .study: "study places in which people are counted"
        }
    }

    /// The text of the file.
    package var text: String {
        let index = Self.allCases.firstIndex(of: self) ?? 0
        return BundledVenues.texts.indices.contains(index) ? BundledVenues.texts[index] + "\n" : ""
    }

    /// What the file says; `nil` for none, which a test rules out.
    package var venue: Venue? { try? Venue.read(Array(text.utf8)) }
}
