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

/// The venues that announce themselves on the network.
package struct VenuesHere: Codable, Hashable, Sendable {
    /// One of them: anybody can announce that they are it.
    package struct Seen: Codable, Hashable, Sendable {
        /// Its short name.
        package var slug: String
        /// The operator's key, 52 characters.
        package var runBy: String
        /// What one of its volumes covers: `day`.
        package var volume: String

        /// What a venue's record says.
        package init(_ link: VenueLink) {
            slug = link.slug
            runBy = link.runBy.text
            volume = link.kind.rawValue
        }

        /// The same, read; `nil` if it is none.
        package var link: VenueLink? {
            guard let key = OperatorKey(runBy), let kind = Volume.Kind(rawValue: volume) else {
                return nil
            }
            return VenueLink(slug: slug, runBy: key, kind: kind)
        }

        private enum CodingKeys: String, CodingKey {
            case slug, volume
            case runBy = "operator"
        }
    }

    /// By name, key and kind of volume.
    package var venues: [Seen]
    /// Announcements that said nothing of a venue, or came too many or too slowly to be read.
    package var unread: Int

    /// What was seen.
    package init(_ links: [VenueLink], unread: Int) {
        venues = links.map { Seen($0) }
        self.unread = unread
    }
}

/// The part of a flight's export that says whether its records could be read.
package struct ExportedFlight: Codable, Hashable, Sendable {
    /// Its name.
    package var flight: String
    /// Why its file cannot be read; `nil` where it was.
    package var unread: String?
}
