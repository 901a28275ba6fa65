// SPDX-License-Identifier: Apache-2.0
import Aviation
import CLinux
import Glibc
import Protocol
import System
package import Text

/// The input of `board`: a text that is read here, or a file that a separate process reads.
///
/// There is a single copy of a text, which its reader overwrites, so it is passed on `inout`.
package enum PassInput {
    /// Bytes needed to detect the format; a text fits into them.
    package static let head = 8192

    /// Reads `descriptor`. A text goes to `text`; for a picture or an archive, returns a descriptor
    /// that holds it and that the caller closes. Throws `file` or `bad-pass`.
    package static func take(_ descriptor: Int32, into text: inout [UInt8]) throws(UserError)
        -> Int32?
    {
        guard let start = PrivateFile.readBytes(limit: head, from: descriptor) else {
            throw UserError(
                .file, "the file cannot be read", why: String(cString: strerror(errno)))
        }
        text = start
        return try take(&text, rest: descriptor)
    }

    /// The same for the first bytes; `rest` provides the others, if there are any.
    package static func take(_ text: inout [UInt8], rest: Int32?) throws(UserError) -> Int32? {
        switch PassFormat(text) {
        case .text:
            trim(&text)
            return nil
        case .other(let name):
            text.wipe()
            throw PassFormat.refusal(name)
        case .picture, .wallet:
            defer { text.wipe() }
            if let rest {
                let own = fcntl(rest, F_DUPFD_CLOEXEC, 3)
                if own >= 0, lseek(own, 0, SEEK_SET) == 0 { return own }
                close(own)
            }
            return try copy(text, rest)
        }
    }

    /// Removes a UTF-8 mark in front and a line end behind; spaces at the end belong to the pass.
    static func trim(_ text: inout [UInt8]) {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        if text.last == 10 { text.removeLast() }
        if text.last == 13 { text.removeLast() }
    }

    /// A copy in memory without a name, for what comes through a pipe. The caller closes it.
    package static func copy(_ start: [UInt8], _ rest: Int32? = nil) throws(UserError) -> Int32 {
        let memory = memfd_create("pass", 1)  // MFD_CLOEXEC
        guard memory >= 0 else {
            throw UserError(
                .failed, "the file cannot be kept", why: String(cString: strerror(errno)))
        }
        do throws(UserError) {
            try PrivateFile.writeAll(start, to: memory, "memory")
            var total = start.count
            while let rest, var piece = PrivateFile.readBytes(limit: 64 * 1024, from: rest) {
                defer { piece.wipe() }
                guard !piece.isEmpty else { break }
                total += piece.count
                guard total <= PassWorker.fileLimit else { throw PassWorker.tooLarge }
                try PrivateFile.writeAll(piece, to: memory, "memory")
            }
            _ = lseek(memory, 0, SEEK_SET)
            return memory
        } catch {
            close(memory)
            throw error
        }
    }
}
