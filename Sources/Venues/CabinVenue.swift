// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import Text

/// The cabin of an aeroplane as a venue: its places are seats, which boarding passes give out.
///
/// Made in memory, never signed and never sent: one reader serves both.
package struct CabinVenue: Hashable, Sendable {
    /// Who decides about a seat.
    private enum Mode: String, CaseIterable {
        /// A boarding pass.
        case claimed
    }

    private static let keys = ["version", "slug", "name", "mode", "cabin"]

    /// The short name: `flight`.
    package let slug: String
    /// The name for people.
    package let name: String
    /// The seats.
    package let cabin: CabinLayout

    /// The venue of a layout.
    package init(_ cabin: CabinLayout) {
        slug = "flight"
        name = "Aeroplane cabin"
        self.cabin = cabin
    }

    /// Whether somebody meant a cabin.
    static func isMeant(_ json: JSON) -> Bool { json["cabin"] != nil || json["mode"] != nil }

    /// Reads a cabin from parsed JSON. Throws ``FormFault`` for the first fault.
    package init(json: JSON) throws(FormFault) {
        let form = try FormReader(json, Self.keys, whole: VenueKeys.whole)
        guard form["version"] == .int(VenueKeys.version) else {
            throw form.fault("version", "this program reads version \(VenueKeys.version)")
        }
        slug = try Venue.slug(form)
        name = try form.text("name", bytes: VenueLimits.name)
        _ = try form.word("mode", as: Mode.self)
        let id = try form.text("cabin", bytes: CabinLimits.id)
        guard let cabin = CabinLayout.named(id) else {
            throw form.fault("cabin", "no layout is called \(visible(id, cells: 40))")
        }
        self.cabin = cabin
    }

    /// The one form.
    package var json: JSON {
        [
            "version": .int(VenueKeys.version), "slug": .string(slug), "name": .string(name),
            "mode": .string(Mode.claimed.rawValue), "cabin": .string(cabin.id),
        ]
    }
}
