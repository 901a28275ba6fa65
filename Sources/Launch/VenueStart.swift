// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Protocol
package import Text
package import Venues

/// The venue that an agent is started for, with the words that its operator signed.
package struct VenueStart: Hashable, Sendable {
    /// Which venue, and which of its days.
    package let name: VenueName
    /// The words, as they were signed.
    package let page: VenuePage
    /// The same, read.
    package let venue: Venue
    /// When its days and places end.
    package let hours: StayHours

    /// The options that carry it; no person types them.
    package static let options = [
        "venue", "venue-revision", "venue-signature", "venue-words",
    ]

    /// The volume of a venue with these words. Throws `bad-venue`.
    package init(_ name: VenueName, _ page: VenuePage) throws(UserError) {
        self.name = name
        self.page = page
        do throws(FormFault) {
            venue = try Venue.read(page.bytes)
        } catch {
            throw UserError(
                .badVenue, "the words of \(name.slug) cannot be read", why: error.sentence,
                advice: "seatagent venue")
        }
        guard venue.slug == name.slug else {
            throw UserError(
                .badVenue, "the words of \(name.slug) are of \(venue.slug)",
                advice: "seatagent venue")
        }
        guard let zone = TimeZoneRules.named(venue.zone),
            let hours = venue.stayHours(of: name.volume, zone)
        else {
            throw UserError(
                .badVenue, "the hours of \(name.slug) cannot be read",
                why: "this machine knows no zone \(venue.zone)",
                advice: "sudo apt-get install tzdata")
        }
        self.hours = hours
    }

    /// What the options say; `nil` for a flight. Throws `usage` and `bad-venue`.
    init?(_ values: [String: [String]]) throws(UserError) {
        guard let text = values["venue"]?.last else { return nil }
        guard let name = VenueName(text), let words = values["venue-words"]?.last,
            let revision = values["venue-revision"]?.last.flatMap({ Int($0) }),
            let signature = values["venue-signature"]?.last.flatMap({ Base64.decode($0) }),
            let page = VenuePage(
                revision: revision, signature: signature, bytes: Array(words.utf8))
        else {
            throw UserError(
                .usage, "the venue of this agent is not known",
                why: "seatagent venue open says which one", advice: "seatagent venue")
        }
        try self.init(name, page)
    }

    /// The options of a start.
    package var values: [String: [String]] {
        [
            "venue": [name.text], "venue-revision": [String(page.revision)],
            "venue-signature": [Base64.encode(page.signature)],
            "venue-words": [String(decoding: page.bytes, as: UTF8.self)],
        ]
    }

    /// What the core has to know.
    package var setup: VenueSetup { VenueSetup(name: name, hours: hours, page: page) }
}
