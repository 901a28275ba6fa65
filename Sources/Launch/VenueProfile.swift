// SPDX-License-Identifier: Apache-2.0
package import Profile
import Protocol
package import Text

/// The profile in which the agent of a venue keeps its files, beside that of its user:
/// `default_uva` of `default`.
package enum VenueProfile {
    /// Bytes of the longest name of a profile.
    private static let longest = 32
    /// What is kept of a longer one, before eight digits that stand for the rest.
    private static let kept = 23

    /// The name for a venue of that user. Throws `usage`.
    package static func name(of base: ProfileName, slug: String) throws(UserError) -> ProfileName {
        let name = base.text + "_" + String(slug.map { $0 == "/" ? "_" : $0 })
        guard name.utf8.count > longest else { return try ProfileName(name) }
        // Two names must not become one.
        let hash = name.utf8.reduce(UInt64(14_695_981_039_346_656_037)) {
            ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }
        return try ProfileName(name.prefix(kept) + "_" + String(hash, radix: 16).suffix(8))
    }

    /// The user whose venue a profile is, and the venue's own name, as its last start has them;
    /// `nil` for any other profile.
    package static func owner(of place: ProfilePlace) -> (base: ProfilePlace, slug: String)? {
        let text = place.profile.text
        guard text.contains("_"), let stored = try? StoredOptions.read(place),
            let slug = stored.venue
        else { return nil }
        for index in text.indices where text[index] == "_" {
            guard let base = try? ProfileName(String(text[..<index])),
                (try? name(of: base, slug: slug)) == place.profile,
                let found = try? ProfilePlace(profile: base, environment: place.variables)
            else { continue }
            return (found, slug)
        }
        return nil
    }

    /// `seatagent venue show uva`, as it works for the agent of a venue in that profile: with its
    /// name, unless it is the one that everybody has.
    package static func line(_ words: String, profile: String, slug: String) -> String {
        let isOrdinary = (try? name(of: .standard, slug: slug))?.text == profile
        return "seatagent " + (isOrdinary ? "" : "--profile \(profile) ") + words
    }
}
