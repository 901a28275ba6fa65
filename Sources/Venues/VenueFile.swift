// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// What a file can say: a venue, one that its operator signed, or a cabin as a venue.
package enum VenueFile: Hashable, Sendable {
    /// As its operator edits it: nobody can tell who wrote it.
    case venue(Venue)
    /// As its operator hands it out.
    case signed(SignedVenue)
    case cabin(CabinVenue)

    /// Reads the text of a file, and checks its signature if it has one. Throws ``FormFault`` for
    /// the first fault.
    package static func read(
        _ bytes: [UInt8], primitives: any Primitives
    ) throws(FormFault) -> VenueFile {
        let json = try FormReader.json(bytes, limit: VenueLimits.file, whole: VenueKeys.whole)
        if SignedVenue.isMeant(json) {
            return .signed(try SignedVenue(json: json, primitives: primitives))
        }
        return CabinVenue.isMeant(json)
            ? .cabin(try CabinVenue(json: json)) : .venue(try Venue(json: json))
    }
}
