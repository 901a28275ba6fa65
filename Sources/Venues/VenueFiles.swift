// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Profile
package import Text

/// A list of the user's own in a small file of the profile.
package protocol PrivateList: Equatable {
    /// Nothing in it.
    init()
    /// Reads what was stored. Throws ``FormFault`` for the first fault.
    init(json: JSON) throws(FormFault)
    /// As it is stored.
    var json: JSON { get }
    /// Its file.
    static var file: SealableFile { get }
}

extension ActivityBook: PrivateList {
    package static var file: SealableFile { .activity }
}

extension FriendBook: PrivateList {
    package static var file: SealableFile { .friends }
}

extension PrivateList {
    /// The stored list, or an empty one if there is none. Throws `locked`, and `file` if it cannot
    /// be read.
    package static func read(_ place: ProfilePlace) throws(UserError) -> Self {
        guard let bytes = try file.read(place) else { return Self() }
        do throws(FormFault) {
            return try Self(
                json: try FormReader.json(bytes, limit: SealableFile.limit, whole: "the list"))
        } catch {
            let path = file.path(place)
            throw UserError(
                .file, "\(file.what) cannot be read",
                why: "\(path): \(error.sentence); it is left as it is",
                advice: "mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".old"))")
        }
    }

    /// Changes the list: reads it, lets `body` change it, and writes it whole and durably. Writes
    /// nothing if `body` changes nothing. Throws `locked` and `file`.
    package static func change(
        _ place: ProfilePlace, _ body: (inout Self) -> Void
    ) throws(UserError) {
        let lock = try file.hold(place)
        defer { close(lock) }
        let before = try read(place)
        var list = before
        body(&list)
        guard list != before else { return }
        try file.write(Array((list.json.line + "\n").utf8), place)
    }
}
