// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A folder for the stores, beside what was built: on a real disk, and gone at the end.
final class Folder {
    let path: String
    private var files: [String] = []

    init(_ parent: String) {
        mkdir(parent, 0o700)
        path = parent + "/core-\(getpid())"
        guard mkdir(path, 0o700) == 0 else { fail("cannot make \(path)") }
    }

    /// A path in it that nothing has yet.
    func file(_ name: String) -> String {
        files.append(path + "/" + name)
        return path + "/" + name
    }

    /// Takes everything away.
    func remove() {
        for file in files {
            for end in ["", "-wal", "-shm", "-journal"] { unlink(file + end) }
        }
        files = []
        rmdir(path)
    }
}
