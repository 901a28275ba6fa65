// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Protocol
import Text

/// A venue that the user took from a signed file, or by name and key from the sign at its door.
package struct KnownVenue: Hashable, Sendable {
    /// Its name, key and volume.
    package let link: VenueLink
    /// What its operator says about it; `nil` until that comes.
    package let signed: SignedVenue?
    /// When the user took it.
    package let since: UTCTime

    /// The short name: `rec`.
    package var slug: String { link.slug }
    /// Who runs it.
    package var runBy: OperatorKey { link.runBy }
    /// The same key, 32 bytes.
    package var operatorKey: [UInt8] { link.runBy.bytes }
    /// What one of its volumes covers.
    package var kind: Volume.Kind { link.kind }
    /// The revision of its words; `nil` until they come.
    package var revision: Int? { signed?.revision }
    /// Its file as one line, which the signature covers.
    package var bytes: [UInt8]? { signed?.words }
    /// The operator's signature, 64 bytes.
    package var signature: [UInt8]? { signed?.signature }
    /// The link on the sign at its door.
    package var linkText: String { SeatLink.venue(link).text }
    /// What it is called: by itself, or by its short name until its words come.
    package var name: String { signed?.venue.name ?? slug }
}

extension KnownVenue {
    private static let keys = ["slug", "operator", "volume", "signed", "since"]

    /// As the file has it: words contain name, key and volume.
    var json: JSON {
        let members: [String: JSON?] =
            if let signed {
                ["signed": signed.json]
            } else {
                [
                    "slug": .string(slug), "operator": .string(runBy.text),
                    "volume": .string(kind.rawValue),
                ]
            }
        return JSON.object(present: members).adding(["since": .string(RFC3339.text(since))])
    }

    /// Reads one of the file. Throws for the first fault.
    init(_ item: JSON, at place: String, primitives: any Primitives) throws(FormFault) {
        let form = try FormReader(item, Self.keys, at: place)
        guard let since = RFC3339.parse(try form.text("since", bytes: 40)) else {
            throw form.fault("since", "a date as 2026-11-21T10:02:00Z is wanted")
        }
        let signed = try form["signed"].map { (json) throws(FormFault) in
            try SignedVenue(json: json, primitives: primitives)
        }
        guard let link = try Self.link(form, signed) else {
            throw FormFault(place: place, why: "signed, or slug, operator and volume are wanted")
        }
        self.init(link: link, signed: signed, since: since)
    }

    /// What the words say, or the members beside them; never both.
    private static func link(
        _ form: FormReader, _ signed: SignedVenue?
    ) throws(FormFault) -> VenueLink? {
        let isTwice = ["slug", "operator", "volume"].contains { form[$0] != nil }
        if let signed { return isTwice ? nil : signed.link }
        return VenueLink(
            slug: try Venue.slug(form), runBy: try SignedVenue.key(form, "operator"),
            kind: try form.word("volume"))
    }
}
