// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Protocol
import Venues

/// Which day is meant.
extension VenueStart {
    /// Whether that time is in the volume, by the words' own hours and zone; `false` without words.
    package func holds(at time: UTCTime) -> Bool {
        guard let venue, let zone = TimeZoneRules.named(venue.zone) else { return false }
        return venue.volume(at: time, zone) == name.volume
    }

    /// Whether the venue still meets by volumes of this kind; `false` without words.
    package var hasSuchDays: Bool { venue?.volume.rawValue == name.volume.kind.rawValue }
}
