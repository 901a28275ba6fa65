// SPDX-License-Identifier: Apache-2.0
import Bookings
import Glibc
package import Profile
import System
package import Text

/// The members on disk, in the profile of the venue's agent: mode 0600, always replaced as a whole.
extension MemberBook {
    private static let fileLimit = 16 << 20

    private static func path(_ place: ProfilePlace) -> String {
        place.dataDirectory + "/members.json"
    }

    /// The stored members; nobody if there are none. Throws `file` if they cannot be read.
    package static func read(_ place: ProfilePlace) throws(UserError) -> MemberBook {
        let path = path(place)
        guard let bytes = try PrivateFile.read(path, limit: fileLimit) else { return MemberBook() }
        do throws(FormFault) {
            return try MemberBook(
                json: try FormReader.json(bytes, limit: fileLimit, whole: "the list"))
        } catch {
            throw UserError(
                .file, "the members cannot be read",
                why: "\(path): \(error.sentence); it is left as it is",
                advice: "mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".old"))")
        }
    }

    /// Changes the members: reads them, lets `body` change them, and writes them whole and durably.
    /// Writes nothing if `body` throws or changes nothing. Throws `file`.
    @discardableResult
    package static func change<T>(
        _ place: ProfilePlace, _ body: (inout MemberBook) throws(UserError) -> T
    ) throws(UserError) -> T {
        try PrivateFile.makeDirectory(place.dataDirectory)
        let lock = try ChangeLock.take(
            place.dataDirectory + "/members.lock", of: "the list of members",
            advice: BookingLines.members)
        defer { close(lock) }
        let before = try read(place)
        var book = before
        let result = try body(&book)
        if book != before {
            let bytes = Array((book.json.line + "\n").utf8)
            // What could not be read any more is not written.
            guard bytes.count <= fileLimit else {
                throw UserError(
                    .tooLong, "the list of members is full",
                    why: "it has \(book.members.count) people, and \(fileLimit >> 20) MiB are read",
                    advice: BookingLines.members)
            }
            try PrivateFile.write(bytes, to: path(place), durably: true)
        }
        return result
    }
}
