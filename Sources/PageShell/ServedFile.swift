// SPDX-License-Identifier: Apache-2.0
import Glibc
import Keys
import Protocol
import System
package import Text

/// One file of this computer that the page gives away at `/get`: the program for laptops. It was
/// named on the command line, and no path comes from a request (docs/page.md section 4).
package final class ServedFile {
    /// What a browser calls it.
    package let name: String
    /// Bytes of it.
    package let size: Int
    /// SHA-256 of it, in hexadecimal digits.
    package let sum: String
    /// Open for reading as long as this lives.
    let descriptor: Int32
    private let changed: timespec

    /// Opens it and reads it once. Throws `file`.
    package init(_ path: String) throws(UserError) {
        func fault(_ why: String) -> UserError {
            UserError(
                .file, "\(visible(path, cells: 60)) cannot be given to others", why: why,
                advice: "ls -lL \(ShellWord.quoted(path))")
        }
        // One that waits for a writer is no file.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw fault(String(cString: strerror(errno))) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
            facts.st_size > 0
        else {
            close(descriptor)
            throw fault("it is no file, or is empty")
        }
        size = Int(facts.st_size)
        changed = facts.st_mtim
        name = Self.name(path)
        guard let sum = Self.sum(descriptor, size) else {
            close(descriptor)
            throw fault("it cannot be read to its end")
        }
        self.sum = sum
    }

    deinit { close(descriptor) }

    /// Whether it is still the one whose checksum is told.
    var isWhole: Bool {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && Int(facts.st_size) == size
            && facts.st_mtim.tv_sec == changed.tv_sec && facts.st_mtim.tv_nsec == changed.tv_nsec
    }

    /// What a page is told of it.
    package var json: JSON {
        ["name": .string(name), "size": .int(size), "sha256": .string(sum)]
    }

    /// The last part of a path, with signs that mean nothing to a browser or a shell.
    static func name(_ path: String) -> String {
        let last = path.utf8.split(separator: 47).last.map(Array.init) ?? []
        let plain = last.suffix(100).map { byte -> UInt8 in
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95: byte
            default: 95
            }
        }
        let name = String(decoding: plain, as: UTF8.self)
        return name.isEmpty || name.hasPrefix(".") || name.hasPrefix("-") ? "file\(name)" : name
    }

    private static func sum(_ descriptor: Int32, _ size: Int) -> String? {
        var digest = RunningSHA256()
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        var read = 0
        while read < size {
            let count = pread(descriptor, &piece, min(piece.count, size - read), off_t(read))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            digest.add(piece[..<count])
            read += count
        }
        return hexadecimal(digest.finish().bytes)
    }
}
