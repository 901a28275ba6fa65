// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Text

/// Small files that belong to one user: mode 0600, no symbolic links followed.
package enum PrivateFile {
    /// Makes `directory` and what is above it, each with mode 0700 where it is new.
    package static func makeDirectory(_ directory: String) throws(UserError) {
        var path = ""
        for part in directory.split(separator: "/") {
            path += "/" + part
            if mkdir(path, 0o700) != 0, errno != EEXIST { throw failed("made", directory) }
        }
    }

    /// Bytes of one file at most: lists, settings, layouts and receipts are far smaller, and a
    /// device or a pipe that never ends must not fill the memory.
    package static let limit = 16 * 1024 * 1024

    /// What is said of input that has no path.
    package static let standardInput = "standard input"

    /// The whole file; `nil` if there is none. Throws `file`, also for one that is over `limit`.
    package static func read(_ path: String, limit: Int = limit) throws(UserError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw failed("read", path) }
        defer { close(descriptor) }
        return try readAll(descriptor, path, limit: limit)
    }

    /// Everything up to the end of `descriptor`, which may be a pipe or a device: stops at `limit`.
    package static func readAll(
        _ descriptor: Int32, _ name: String, limit: Int = limit
    ) throws(UserError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failed("read", name) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { throw tooLong(name, limit) }
            bytes.append(contentsOf: piece[0..<count])
        }
    }

    /// Its length and when it was written to, in nanoseconds since 1970;
    /// `nil` if it is not there.
    package static func facts(_ path: String) -> (length: Int, written: Int)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (status.st_size, status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec)
    }

    /// Whether it is there, and nobody but its user may do anything with it.
    package static func isPrivate(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 == 0
    }

    /// The last `count` bytes of a long file, not counting its first `old` bytes; `nil` if it
    /// cannot be read.
    package static func tail(
        _ path: String, count: Int = 64 * 1024, behind old: Int = 0
    ) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let length = lseek(descriptor, 0, SEEK_END)
        guard length >= 0, lseek(descriptor, max(old, length - count), SEEK_SET) >= 0 else {
            return nil
        }
        return readBytes(limit: count, from: descriptor)
    }

    /// Up to `limit` bytes of `descriptor`, waiting for them up to its end; `nil` for
    /// one that cannot be read.
    package static func readBytes(limit: Int, from descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return Glibc.read(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            if count < 0, filled == 0 { return nil }
            guard count > 0 else { break }
            filled += count
        }
        bytes.removeLast(limit - filled)
        return bytes
    }

    /// The error for an input that goes on past `limit` bytes.
    package static func tooLong(_ name: String, _ limit: Int) -> UserError {
        let size = limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit) bytes"
        return UserError(
            .file, "\(name) is too long to be read",
            why: "it goes on after \(size), and nothing that belongs here is that long",
            advice: name == standardInput ? nil : "ls -lL \(ShellWord.quoted(name))")
    }

    /// What a draft's name ends in.
    package static let draft = ".new"

    /// Replaces the file in one step: writes beside it, then renames.
    ///
    /// `suffix` gives the draft its name; a file of that name is replaced. With `durably`, the file
    /// is on the disk when this returns, and a power cut leaves the old file or the new one.
    package static func write(
        _ bytes: [UInt8], to path: String, suffix: String = draft, durably: Bool = false
    ) throws(UserError) {
        let draft = path + suffix
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failed("written", path) }
        defer { close(descriptor) }
        do throws(UserError) {
            try writeAll(bytes, to: descriptor, path)
            guard !durably || fsync(descriptor) == 0, rename(draft, path) == 0 else {
                throw failed("written", path)
            }
        } catch {
            // Half a file helps nobody, least of all a full disk.
            unlink(draft)
            throw error
        }
        if durably { syncDirectory(of: path) }
    }

    /// Removes the file durably, if it is there. Its bytes may stay on the disk until something
    /// else is written over them.
    package static func remove(_ path: String) throws(UserError) {
        if unlink(path) == 0 { return syncDirectory(of: path) }
        guard errno == ENOENT || errno == ENOTDIR else { throw failed("removed", path) }
    }

    /// Makes the name in its directory as durable as the file. Where a file system cannot, the file
    /// itself is safe all the same.
    private static func syncDirectory(of path: String) {
        guard let slash = path.lastIndex(of: "/") else { return }
        let descriptor = open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Writes all of `bytes`.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ name: String)
        throws(UserError)
    {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failed("written", name) }
            rest = rest.dropFirst(count)
        }
    }

    /// The error for a file that cannot be `verb` (`read`, `written`, `made`), from `errno`.
    package static func failed(_ verb: String, _ path: String) -> UserError {
        let reason = String(cString: strerror(errno))
        return UserError(.file, "\(path) cannot be \(verb)", why: reason)
    }
}
