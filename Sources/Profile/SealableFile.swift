// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
package import Text

/// A small file of the profile with personal data. While the profile is locked, there is only its
/// sealed form.
///
/// If both are there, a command was killed between writing one and removing the other: the plain
/// one counts, since nobody writes to a sealed one.
package struct SealableFile: Hashable, Sendable {
    /// Its name without `.json`.
    package let name: String
    /// What it holds, for people: `your list of parked cars`.
    package let what: String
    /// A command that shows it, for errors.
    let command: String

    /// Name, mail, phone and plate of the profile's owner.
    package static let details = SealableFile(
        name: "profile", what: "your details", command: "seatagent profile")
    /// The driver's list of parked cars.
    package static let parking = SealableFile(
        name: "parking", what: "your list of parked cars", command: "seatagent park")

    /// Where the user was in venues, and for how long.
    package static let activity = SealableFile(
        name: "activity", what: "your activity", command: "seatagent activity")
    /// Whether others find the user, and whom the user found.
    package static let friends = SealableFile(
        name: "friends", what: "your list of friends", command: "seatagent help friend")
    /// What the user booked at venues.
    package static let bookings = SealableFile(
        name: "bookings", what: "your bookings", command: "seatagent help")

    /// Bytes of one file at most.
    package static let limit = 1 << 20

    /// `parking.json` in the directory of the profile.
    package func path(_ place: ProfilePlace) -> String { place.dataDirectory + "/\(name).json" }

    /// Where it is while the profile is locked.
    package func sealedPath(_ place: ProfilePlace) -> String { path(place) + ".sealed" }

    /// Whether there is a plain one.
    package func isPlain(_ place: ProfilePlace) -> Bool { access(path(place), F_OK) == 0 }

    /// Whether there is a sealed one.
    package func isSealed(_ place: ProfilePlace) -> Bool { access(sealedPath(place), F_OK) == 0 }

    /// Whether there is only a sealed one.
    package func isLocked(_ place: ProfilePlace) -> Bool { !isPlain(place) && isSealed(place) }

    /// The bytes of the plain one; `nil` if there is none. Throws `locked` if there is none and the
    /// profile is locked, so that no new one is begun then, and `file` if it cannot be read.
    package func read(_ place: ProfilePlace) throws(UserError) -> [UInt8]? {
        // Twice, since another command may unlock between the two looks.
        for _ in 0..<2 {
            if let bytes = try PrivateFile.read(path(place), limit: Self.limit) { return bytes }
            if PrivateFiles.sealable.contains(where: { $0.isLocked(place) }) {
                throw UserError(
                    .locked, "\(what) cannot be read",
                    why: "this profile is locked, and only your passphrase opens it",
                    advice: "seatagent unlock")
            }
        }
        return nil
    }

    /// Keeps other commands from changing it, and from locking or unlocking it, until the
    /// descriptor is closed. Makes the directory. Throws `file`.
    package func hold(_ place: ProfilePlace) throws(UserError) -> Int32 {
        try PrivateFile.makeDirectory(place.dataDirectory)
        return try ChangeLock.take(
            place.dataDirectory + "/\(name).lock", of: what, advice: command)
    }

    /// Replaces it as a whole and durably. Whoever calls holds it.
    package func write(_ bytes: [UInt8], _ place: ProfilePlace) throws(UserError) {
        try PrivateFile.write(bytes, to: path(place), durably: true)
    }
}

/// The private files of a profile.
package enum PrivateFiles {
    /// Those that `seatagent lock` seals and `seatagent profile delete` erases. A new one belongs
    /// in this list, and is read and changed by ``SealableFile`` alone.
    package static let sealable: [SealableFile] = [
        .details, .parking, .activity, .friends, .bookings,
    ]

    /// Something sealed with the passphrase of the last `lock`, so that it can be asked for while
    /// nothing is locked.
    package static func passphrasePath(_ place: ProfilePlace) -> String {
        place.dataDirectory + "/passphrase.sealed"
    }
}
