// SPDX-License-Identifier: Apache-2.0
import Glibc
import Keys
package import Profile
import System
package import Text

extension ProfilePlace {
    /// The file of the venues that the user knows.
    var venuesPath: String { dataDirectory + "/venues.json" }
}

/// The list on disk: one file of the profile, mode 0600, always replaced as a whole.
extension KnownVenues {
    /// Bytes: more than a full list needs, and a limit in case the file is something else.
    private static let fileLimit = 1 << 20

    /// The stored list, or an empty one if there is none. Throws `file` if it cannot be read.
    package static func read(_ place: ProfilePlace) throws(UserError) -> KnownVenues {
        let path = place.venuesPath
        guard let bytes = try PrivateFile.read(path, limit: fileLimit) else {
            return KnownVenues()
        }
        guard let primitives = SodiumPrimitives() else {
            throw UserError(.failed, "this machine gives no random numbers")
        }
        do throws(FormFault) {
            return try KnownVenues(
                json: try FormReader.json(bytes, limit: fileLimit, whole: "the list"),
                primitives: primitives)
        } catch {
            throw UserError(
                .file, "the venues that you know cannot be read",
                why: "\(path): \(error.sentence); it is left as it is",
                advice: "mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".old"))")
        }
    }

    /// Changes the list: reads it, lets `body` change it, and writes it whole and durably. Writes
    /// nothing if `body` throws or changes nothing.
    @discardableResult
    package static func change<T>(
        _ place: ProfilePlace, _ body: (inout KnownVenues) throws(UserError) -> T
    ) throws(UserError) -> T {
        try PrivateFile.makeDirectory(place.dataDirectory)
        let lock = try ChangeLock.take(
            place.dataDirectory + "/venues.lock", of: "your list of venues",
            advice: "seatagent venue")
        defer { close(lock) }
        let before = try read(place)
        var book = before
        let result = try body(&book)
        if book != before {
            let bytes = Array((book.json.line + "\n").utf8)
            try PrivateFile.write(bytes, to: place.venuesPath, durably: true)
        }
        return result
    }
}
