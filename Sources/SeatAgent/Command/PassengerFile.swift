// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
import Text

/// A file that the passenger named, and that may be anything: a file, a link, a device, a pipe.
enum PassengerFile {
    /// Writes `bytes` there, with mode 0600 where the file is new.
    ///
    /// A regular file is replaced in one step. Anything else is written into as it stands: a
    /// name that is put in the place of a device, a pipe or a link takes it away from
    /// everybody. Throws `file`.
    static func write(_ bytes: [UInt8], to path: String) throws(UserError) {
        var facts = stat()
        if lstat(path, &facts) != 0 || facts.st_mode & S_IFMT == S_IFREG {
            // A name beside it that no other writer has, and no file of the passenger's own.
            return try PrivateFile.write(bytes, to: path, suffix: ".seatagent-\(getpid())")
        }
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw PrivateFile.failed("written", path) }
        defer { close(descriptor) }
        try PrivateFile.writeAll(bytes, to: descriptor, path)
    }
}
