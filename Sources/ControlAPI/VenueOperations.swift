// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol
package import Text

/// How many people are at one place of a venue.
package struct PlaceCount: Codable, Hashable, Sendable {
    /// The number of the place in the venue's file, 1...4095.
    package var place: Int
    /// How many are there now.
    package var people: Int

    /// So many at that place.
    package init(place: Int, people: Int) {
        self.place = place
        self.people = people
    }
}

/// That somebody is, or was, at a place of a venue.
package struct StayFacts: Codable, Hashable, Sendable {
    /// The number of the place, 1...4095.
    package var place: Int
    /// When they came, as they say.
    package var since: Stamp
    /// When they left, as they say; absent as long as they are there.
    package var until: Stamp?
    /// When the place closes, which ends the stay by itself.
    package var closes: Stamp?
    /// Whether others find them by their address.
    @IfTrue package var findable: Bool

    /// A stay, which ends at `closes` if nobody ends it before.
    package init(_ stay: Stay, closes: UTCTime?) {
        place = stay.place
        since = Stamp(stay.since)
        until = stay.until.map { Stamp($0) }
        self.closes = closes.map { Stamp($0) }
        findable = stay.tag != nil
    }

    /// When they came; the beginning of time for what cannot be read.
    package var begin: UTCTime { since.time ?? UTCTime(seconds: 0) }
    /// When they said that they left.
    package var end: UTCTime? { until?.time }
    /// When the place closes.
    package var closing: UTCTime? { closes?.time }
}

/// What an agent in a venue knows of it.
package struct VenueStatus: Codable, Hashable, Sendable {
    /// The venue's own name: `uva`.
    package var venue: String
    /// Which of its days: `2026-12-05`.
    package var volume: String
    /// The operator's key, 52 characters.
    package var runBy: String
    /// The revision of the words; 0 until they are here.
    package var revision: Int
    /// The words, as the operator signed them.
    package var words: String
    /// The operator's signature, 128 hexadecimal digits; empty until the words are here.
    package var signature: String
    /// Places where somebody is, by number.
    package var places: [PlaceCount]
    /// The user's last stay of the volume.
    package var stay: StayFacts?
    /// Whether that stay goes on.
    package var isIn: Bool
    /// How many people said that they are, or were, at a place.
    package var known: Int
    /// How many agents are linked now.
    package var linked: Int
    /// Whether others find the venue with `seatagent venue find`; absent where this agent does not
    /// announce it.
    package var announced: Bool?

    package init(
        venue: String, volume: String, runBy: String, revision: Int, words: String,
        signature: String, places: [PlaceCount], stay: StayFacts?, isIn: Bool, known: Int,
        linked: Int, announced: Bool? = nil
    ) {
        self.venue = venue
        self.volume = volume
        self.runBy = runBy
        self.revision = revision
        self.words = words
        self.signature = signature
        self.places = places
        self.stay = stay
        self.isIn = isIn
        self.known = known
        self.linked = linked
        self.announced = announced
    }

    private enum CodingKeys: String, CodingKey {
        case venue, volume, revision, words, signature, places, stay, known, linked, announced
        case runBy = "operator"
        case isIn = "in"
    }

    /// How many are at a place.
    package func people(at place: Int) -> Int {
        places.first { $0.place == place }?.people ?? 0
    }
}

/// Somebody came to a place of the venue or left one: how many are where now.
package struct AttendanceNews: Codable, Hashable, Sendable {
    /// Places where somebody is, by number.
    package var places: [PlaceCount]

    /// So many at each place.
    package init(places: [PlaceCount]) { self.places = places }
}

extension Op {
    /// What is known of the venue that this agent is in.
    package struct Venue: ControlOperation {
        package typealias Reply = VenueStatus
        package static var operation: OperationName { .venue }
        package init() {}
    }

    /// Says that the user came to a place.
    package struct CheckIn: ControlOperation {
        package typealias Reply = StayFacts
        package static var operation: OperationName { .checkIn }
        /// The number of the place.
        package var place: Int
        /// 32 hexadecimal digits by which those who know the user's address find them.
        package var tag: String?

        /// Comes to that place.
        package init(place: Int, tag: String? = nil) {
            self.place = place
            self.tag = tag
        }
    }

    /// Says that the user left the place where they are.
    package struct CheckOut: ControlOperation {
        package typealias Reply = StayFacts
        package static var operation: OperationName { .checkOut }
        package init() {}
    }

    /// Looks for people by the tag that they let be known.
    package struct Friend: ControlOperation {
        package static var operation: OperationName { .friend }
        /// 32 hexadecimal digits.
        package var tag: String

        /// Looks for that tag.
        package init(tag: String) { self.tag = tag }

        /// The stays with that tag; `in` of those that go on.
        package struct Reply: Codable, Hashable, Sendable {
            /// A stay, and whether it goes on.
            package struct Found: Codable, Hashable, Sendable {
                package var stay: StayFacts
                package var isIn: Bool

                package init(stay: StayFacts, isIn: Bool) {
                    self.stay = stay
                    self.isIn = isIn
                }

                private enum CodingKeys: String, CodingKey {
                    case stay
                    case isIn = "in"
                }
            }
            /// What was found, those who are in first.
            package var stays: [Found]

            package init(stays: [Found]) { self.stays = stays }
        }
    }
}
