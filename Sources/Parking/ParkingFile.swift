// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Profile
import System
package import Text

extension ProfilePlace {
    /// The file of the driver's parked cars.
    var parkingPath: String { dataDirectory + "/parking.json" }
}

/// The list on disk: one file of the profile, mode 0600, always replaced as a whole.
extension ParkingBook {
    /// Bytes: more than a full list needs, and a limit in case the file is something else.
    private static let fileLimit = 1 << 20

    /// The stored list, or an empty one if there is none. Throws `file` if it cannot be read.
    package static func read(_ place: ProfilePlace) throws(UserError) -> ParkingBook {
        let path = place.parkingPath
        guard let bytes = try PrivateFile.read(path, limit: fileLimit) else {
            return ParkingBook()
        }
        do throws(FormFault) {
            return try ParkingBook(
                json: try FormReader.json(bytes, limit: fileLimit, whole: "the list"))
        } catch {
            throw UserError(
                .file, "your parked cars cannot be read",
                why: "\(path): \(error.sentence); it is left as it is",
                advice: "mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".old"))")
        }
    }

    /// Changes the list: reads it, lets `body` change it, and writes it whole and durably. Writes
    /// nothing if `body` throws or changes nothing.
    @discardableResult
    package static func change<T>(
        _ place: ProfilePlace, _ body: (inout ParkingBook) throws(UserError) -> T
    ) throws(UserError) -> T {
        try PrivateFile.makeDirectory(place.dataDirectory)
        let lock = try ChangeLock.take(
            place.dataDirectory + "/parking.lock", of: "your list of parked cars",
            advice: "seatagent park")
        defer { close(lock) }
        let before = try read(place)
        var book = before
        let result = try body(&book)
        if book != before {
            let bytes = Array((book.json.line + "\n").utf8)
            try PrivateFile.write(bytes, to: place.parkingPath, durably: true)
        }
        return result
    }
}
