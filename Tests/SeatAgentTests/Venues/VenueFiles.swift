// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Testing

@testable import System
@testable import Text
@testable import Venues

/// Venues for tests.
enum VenueFiles {
    /// The text of an example in the repository.
    static func text(_ name: String) throws -> String {
        let bytes = try PrivateFile.read("\(CabinFiles.root)/examples/venues/\(name).json")
        return String(decoding: try #require(bytes), as: UTF8.self)
    }

    /// An example.
    static func venue(_ example: VenueExample) throws -> Venue {
        try Venue.read(Array(example.text.utf8))
    }

    /// The least that a venue has.
    static let least: JSON = [
        "version": 1, "slug": "rec", "name": "Rec", "zone": "Europe/Dublin", "volume": "day",
        "hours": ["Mo-Su": "08:00-22:00"], "places": [place([:])],
        "classes": [["name": "all"]], "rules": ["join": "open"],
    ]

    /// A place of it, with members that take the place of its own.
    static func place(_ more: [String: JSON]) -> JSON {
        JSON.object(["id": 1, "name": "Hall", "mode": "counted", "count": 5]).adding(more)
    }

    /// A court of it.
    static func court(_ more: [String: JSON]) -> JSON {
        JSON.object(["id": 2, "name": "Court", "mode": "granted", "grain": 60]).adding(more)
    }

    /// What is wrong with the least venue if it has these members too; empty for nothing.
    static func fault(_ more: [String: JSON]) -> String {
        do throws(FormFault) {
            _ = try Venue(json: least.adding(more))
            return ""
        } catch {
            return error.sentence
        }
    }

    /// The same for a place or a court alone.
    static func fault(place more: [String: JSON]) -> String {
        fault(["places": [place(more)]])
    }

    static func fault(court more: [String: JSON], _ others: [String: JSON] = [:]) -> String {
        fault(["places": JSON.array([court(more)])].merging(others) { $1 })
    }

    /// A moment as clocks show it.
    static func at(_ text: String) throws -> LocalMinute { try #require(LocalMinute(text)) }
}

/// Degrees in tests are written as they are.
extension JSON: ExpressibleByFloatLiteral {
    /// Degrees as a number.
    public init(floatLiteral value: Double) { self = .double(value) }
}
