// SPDX-License-Identifier: Apache-2.0
import Bookings
package import Profile
import System
package import Text
package import Venues

/// The roster on disk, in the profile of the venue's agent: mode 0600, always replaced as a whole.
extension Roster {
    private static func path(_ place: ProfilePlace) -> String {
        place.dataDirectory + "/roster.csv"
    }

    /// The stored roster, read for a venue; nobody if there is none. Throws `file`, also if the
    /// venue's classes have changed so that it no longer fits.
    package static func read(_ place: ProfilePlace, of venue: Venue) throws(UserError) -> Roster {
        let path = path(place)
        guard let bytes = try PrivateFile.read(path, limit: fileLimit) else { return Roster() }
        do throws(FormFault) {
            return try Roster(csv: bytes, of: venue)
        } catch {
            throw UserError(
                .file, "the roster cannot be read",
                why: "\(path): \(error.sentence); it is left as it is",
                advice: "mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".old"))")
        }
    }

    /// Reads a file that somebody imports. Throws `bad-roster`.
    package static func imported(
        _ bytes: [UInt8], _ path: String, of venue: Venue
    ) throws(UserError) -> Roster {
        do throws(FormFault) {
            return try Roster(csv: bytes, of: venue)
        } catch {
            throw UserError(
                .badRoster, "\(visible(path, cells: 60)) is not imported", why: error.sentence,
                advice: BookingLines.help)
        }
    }

    /// Keeps it in the stead of what was there.
    package func write(_ place: ProfilePlace) throws(UserError) {
        try PrivateFile.makeDirectory(place.dataDirectory)
        try PrivateFile.write(Array(csv.utf8), to: Self.path(place), durably: true)
    }
}
