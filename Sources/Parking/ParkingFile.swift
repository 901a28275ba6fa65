// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Profile
package import Text

/// The list on disk: one file of the profile, mode 0600, always replaced as a whole.
extension ParkingBook {
    /// The stored list, or an empty one if there is none. Throws `locked`, and `file` if it cannot
    /// be read.
    package static func read(_ place: ProfilePlace) throws(UserError) -> ParkingBook {
        guard let bytes = try SealableFile.parking.read(place) else { return ParkingBook() }
        do throws(FormFault) {
            return try ParkingBook(
                json: try FormReader.json(bytes, limit: SealableFile.limit, whole: "the list"))
        } catch {
            let path = SealableFile.parking.path(place)
            throw UserError(
                .file, "your parked cars cannot be read",
                why: "\(path): \(error.sentence); it is left as it is",
                advice: "mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".old"))")
        }
    }

    /// Changes the list: reads it, lets `body` change it, and writes it whole and durably. Writes
    /// nothing if `body` throws or changes nothing. Throws `locked` and `file`.
    @discardableResult
    package static func change<T>(
        _ place: ProfilePlace, _ body: (inout ParkingBook) throws(UserError) -> T
    ) throws(UserError) -> T {
        let lock = try SealableFile.parking.hold(place)
        defer { close(lock) }
        let before = try read(place)
        var book = before
        let result = try body(&book)
        if book != before {
            try SealableFile.parking.write(Array((book.json.line + "\n").utf8), place)
        }
        return result
    }
}
