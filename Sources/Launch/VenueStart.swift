// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Protocol
package import Text
package import Venues

/// The venue that an agent is started for, with the words that its operator signed, if they are
/// here.
package struct VenueStart: Hashable, Sendable {
    /// Which venue, and which of its days.
    package let name: VenueName
    /// The words, as they were signed; `nil` where only the sign at the door is known.
    package let page: VenuePage?
    /// The same, read.
    package let venue: Venue?
    /// When its days and places end.
    package let hours: StayHours
    /// The venue, if this agent announces it to the network; only its operator's does.
    package var announced: VenueLink?

    /// The file with the operator's key, if this agent is the venue's desk.
    package var deskKey: String?
    /// The epoch that this agent begins as the desk that takes over from a lost one, 1...255; 0
    /// while it only fetches what others know of that one's ledger. `nil` for all others.
    package var begins: Int?

    /// The option with the file of the operator's key, and the one with the key that it is of.
    private static let deskOption = "venue-desk"
    private static let deskOfOption = "venue-desk-of"
    private static let beginsOption = "venue-desk-begins"

    /// The option with the key of the operator whose venue is announced.
    package static let announcedOption = "venue-announced"

    /// Those that make an agent its operator's own: which announces the venue, or is its desk.
    package static let ownOptions = [announcedOption, deskOption, deskOfOption, beginsOption]

    /// The options that carry it; no person types them.
    package static let options =
        [
            "venue", "venue-revision", "venue-signature", "venue-words",
        ] + ownOptions

    /// The volume of a venue with these words. Throws `bad-venue`.
    package init(_ name: VenueName, _ page: VenuePage) throws(UserError) {
        self.name = name
        self.page = page
        let venue: Venue
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
        self.venue = venue
        self.hours = hours
    }

    /// The volume of a venue whose words are not here yet: its days are as long as anywhere on
    /// earth, and nobody knows when a place closes. Throws `bad-venue`.
    package init(wordless name: VenueName) throws(UserError) {
        self.name = name
        page = nil
        venue = nil
        let numbers = name.volume.first.number...name.volume.last.number + 1
        var days = numbers.map { Self.firstDay + Int64($0) * 86_400 }
        days[0] -= 14 * 3600
        days[days.count - 1] += 12 * 3600
        guard let hours = StayHours(days: days.map { UTCTime(seconds: $0) })
        else { throw UserError(.badVenue, "the days of \(name.slug) cannot be read") }
        self.hours = hours
    }

    /// 2000-01-01T00:00:00Z, the begin of the day that has number 0.
    private static let firstDay: Int64 = 946_684_800

    /// What the options say; `nil` for a flight. Throws `usage` and `bad-venue`.
    init?(_ values: [String: [String]]) throws(UserError) {
        guard let text = values["venue"]?.last else { return nil }
        guard let name = VenueName(text) else { throw Self.unknown }
        if Self.hasWords(values) {
            guard let words = values["venue-words"]?.last,
                let revision = values["venue-revision"]?.last.flatMap({ Int($0) }),
                let signature = values["venue-signature"]?.last.flatMap({ Base64.decode($0) }),
                let page = VenuePage(
                    revision: revision, signature: signature, bytes: Array(words.utf8))
            else { throw Self.unknown }
            try self.init(name, page)
        } else {
            try self.init(wordless: name)
        }
        if Self.isAnnounced(values, by: name.runBy) { announced = link }
        deskKey = Self.deskKey(values, of: name.runBy)
        begins = values[Self.beginsOption]?.last.flatMap { Int($0) }
    }

    /// Where the operator's key is, if stored options are those of that operator's desk.
    package static func deskKey(
        _ values: [String: [String]], of runBy: OperatorKey
    ) -> String? {
        values[deskOfOption]?.last == runBy.text ? values[deskOption]?.last : nil
    }

    private static var unknown: UserError {
        UserError(
            .usage, "the venue of this agent is not known",
            why: "seatagent venue open says which one", advice: "seatagent venue")
    }

    /// Whether stored options were those of a start with words.
    package static func hasWords(_ values: [String: [String]]) -> Bool {
        values["venue-words"] != nil
    }

    /// Whether stored options announce the venue of that operator. The key stands there, so that
    /// nobody announces another venue that has taken its name.
    package static func isAnnounced(
        _ values: [String: [String]], by runBy: OperatorKey
    ) -> Bool {
        values[announcedOption]?.last == runBy.text
    }

    /// The name, the key and the kind of volume: what is announced.
    package var link: VenueLink? {
        VenueLink(slug: name.slug, runBy: name.runBy, kind: name.volume.kind)
    }

    /// The options of a start.
    package var values: [String: [String]] {
        var values = ["venue": [name.text]]
        if let page {
            values["venue-revision"] = [String(page.revision)]
            values["venue-signature"] = [Base64.encode(page.signature)]
            values["venue-words"] = [String(decoding: page.bytes, as: UTF8.self)]
        }
        if announced != nil { values[Self.announcedOption] = [name.runBy.text] }
        if let deskKey {
            values[Self.deskOption] = [deskKey]
            values[Self.deskOfOption] = [name.runBy.text]
        }
        if let begins { values[Self.beginsOption] = [String(begins)] }
        return values
    }

    /// When the last of its days ends.
    package var end: UTCTime { hours.end }

    /// What the core has to know.
    package var setup: VenueSetup { VenueSetup(name: name, hours: hours, page: page) }
}
