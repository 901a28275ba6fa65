// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Keys
package import Profile
import Protocol
import System
package import Text

/// The file with the key of whoever runs venues. Who has it is the operator, so only its owner may
/// read it, and nothing writes over it.
package enum OperatorFile {
    private static let mark = "seatagent-operator-1 "
    /// Bytes of the file: the mark, 52 characters and a line end are far fewer.
    private static let limit = 512

    /// The profile's own.
    package static func path(_ place: ProfilePlace) -> String {
        place.dataDirectory + "/operator.key"
    }

    /// The key in a file; `nil` if there is no such file. Throws `file` for one that is something
    /// else, or that others may read.
    package static func read(_ path: String) throws(UserError) -> Identity? {
        guard let bytes = try PrivateFile.read(path, limit: limit) else { return nil }
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & 0o077 == 0 else {
            throw UserError(
                .file, "the operator's key can be read by others",
                why: "whoever reads \(path) can speak for your venues",
                advice: "chmod 600 \(ShellWord.quoted(path))")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix(mark), text.hasSuffix("\n"), SodiumPrimitives() != nil,
            let seed = Base32.decode(text.dropFirst(mark.count).dropLast().utf8),
            let identity = Identity(seed: seed)
        else {
            throw UserError(
                .file, "\(path) holds no operator's key",
                why: "one is a line that begins with \(mark)",
                advice: "seatagent help venue")
        }
        return identity
    }

    /// Makes a key and keeps it there, durably and with mode 0600. Throws `file`, also if there is
    /// something already.
    package static func make(_ path: String) throws(UserError) -> Identity {
        guard SodiumPrimitives() != nil,
            case let seed = SodiumPrimitives.random(32), let identity = Identity(seed: seed)
        else { throw UserError(.failed, "this machine gives no random numbers") }
        guard PrivateFile.facts(path) == nil else {
            throw UserError(.file, "\(path) is there already", why: "no key is written over")
        }
        let line = mark + Base32.encode(seed) + "\n"
        try PrivateFile.write(Array(line.utf8), to: path, durably: true)
        return identity
    }
}
