// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// The venues that the user knows, one of each name. A pure value; `KnownVenuesFile` stores it.
///
/// The first key that the user takes under a name is the venue's from then on: another one is
/// refused, until the user forgets the venue.
package struct KnownVenues: Hashable, Sendable {
    /// By name.
    package private(set) var venues: [KnownVenue] = []

    /// More than anybody goes to.
    package static let limit = 64

    /// None yet.
    package init() {}

    /// The venue of that short name.
    package func find(_ slug: String) -> KnownVenue? { venues.first { $0.slug == slug } }

    /// The same. Throws `no-such-venue`.
    package func named(_ slug: String) throws(UserError) -> KnownVenue {
        if let venue = find(slug) { return venue }
        let near = Suggestions.nearest(to: slug, among: venues.map(\.slug))
        throw UserError(
            .noSuchVenue, "your list has no venue \"\(visible(slug, cells: 40))\"",
            why: venues.isEmpty ? "it is empty" : near.map { "the nearest is \($0)" },
            advice: "seatagent venue")
    }

    // MARK: Changing

    /// What became of something that was taken.
    package enum Taken: Hashable, Sendable {
        /// The venue is new here.
        case added
        /// It was known by name and key, and these are its words.
        case words
        /// It takes the place of an older revision.
        case newer(than: Int)
        /// Nothing changed.
        case known
    }

    /// Whether its key is here already under that name, so that nobody has to be asked about it.
    /// Throws `key-changed` if the name has another key here.
    package func knows(_ slug: String, runBy: OperatorKey) throws(UserError) -> Bool {
        guard let known = find(slug) else { return false }
        guard known.runBy == runBy else {
            throw UserError(
                .keyChanged, "\(slug) is in your list with another key",
                why: "\(known.runBy.tag) is the one that you took, this is \(runBy.tag): the "
                    + "venue has a new operator, or somebody else uses its name; ask there",
                advice: "seatagent venue show \(slug)")
        }
        return true
    }

    /// Takes a signed file: of two revisions the higher one. Throws `key-changed` for another key,
    /// `already-so` for an older revision, `bad-venue` for other words of the same revision, and
    /// `too-long` if the list is full.
    @discardableResult
    package mutating func take(
        _ signed: SignedVenue, at now: UTCTime
    ) throws(UserError) -> Taken {
        guard let link = signed.link else { return .known }
        guard try knows(link.slug, runBy: link.runBy), let known = find(link.slug) else {
            try put(KnownVenue(link: link, signed: signed, since: now))
            return .added
        }
        let venue = KnownVenue(link: link, signed: signed, since: known.since)
        guard let before = known.signed else {
            try put(venue)
            return .words
        }
        guard signed.revision != before.revision else {
            guard signed.words == before.words else { throw Self.twice(link.slug, before.revision) }
            return .known
        }
        guard signed.revision > before.revision else {
            throw UserError(
                .alreadySo, "your list has a newer file of \(link.slug)",
                why: "it has revision \(before.revision), and this is revision "
                    + "\(signed.revision)",
                advice: "seatagent venue show \(link.slug)")
        }
        try put(venue)
        return .newer(than: before.revision)
    }

    /// Takes the sign of a venue: its words come later, those that are here stay. Throws
    /// `key-changed` for another key, and `too-long` if the list is full.
    @discardableResult
    package mutating func take(_ link: VenueLink, at now: UTCTime) throws(UserError) -> Taken {
        guard try knows(link.slug, runBy: link.runBy), let known = find(link.slug) else {
            try put(KnownVenue(link: link, signed: nil, since: now))
            return .added
        }
        // What is signed says it better than a sign that may be old.
        guard known.signed == nil, known.kind != link.kind else { return .known }
        try put(KnownVenue(link: link, signed: nil, since: known.since))
        return .words
    }

    /// Takes a venue out.
    package mutating func forget(_ slug: String) { venues.removeAll { $0.slug == slug } }

    private mutating func put(_ venue: KnownVenue) throws(UserError) {
        forget(venue.slug)
        guard venues.count < Self.limit else {
            throw UserError(
                .tooLong, "your list of venues is full", why: "it holds \(Self.limit)",
                advice: "seatagent venue")
        }
        venues.append(venue)
        venues.sort { $0.slug.utf8.lexicographicallyPrecedes($1.slug.utf8) }
    }

    private static func twice(_ slug: String, _ revision: Int) -> UserError {
        UserError(
            .badVenue, "another file of \(slug) has revision \(revision) too",
            why: "its operator signed two files with one number; the one that came first stays in "
                + "your list, and only a higher revision takes its place",
            advice: "seatagent venue show \(slug)")
    }
}

extension KnownVenues {
    /// The version of the file's format.
    private static let version = 1
    private static let keys = ["version", "venues"]

    /// The JSON of the file.
    package var json: JSON {
        ["version": .int(Self.version), "venues": .array(venues.map(\.json))]
    }

    /// Reads the JSON of a file and checks each signature. Throws for the first fault.
    package init(json: JSON, primitives: any Primitives) throws(FormFault) {
        let form = try FormReader(json, Self.keys, whole: "the list")
        guard form["version"] == .int(Self.version) else {
            throw form.fault("version", "this program reads version \(Self.version)")
        }
        let items = try FormReader.list(form["venues"] ?? [], form.place(of: "venues"))
        guard items.count <= Self.limit else {
            throw form.fault("venues", "0 to \(Self.limit) of them are wanted")
        }
        for (index, item) in items.enumerated() {
            let place = "\(form.place(of: "venues"))[\(index)]"
            let venue = try KnownVenue(item, at: place, primitives: primitives)
            guard find(venue.slug) == nil else {
                throw FormFault(place: place, why: "\(venue.slug) is there twice")
            }
            venues.append(venue)
        }
        venues.sort { $0.slug.utf8.lexicographicallyPrecedes($1.slug.utf8) }
    }
}
