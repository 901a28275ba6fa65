// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Folders as a whole.
package enum Folder {
    /// Whether there is such a folder.
    package static func isThere(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// Removes a folder and all that is in it, without following links; what cannot be removed
    /// stays. Whether it is gone.
    @discardableResult
    package static func remove(_ path: String) -> Bool {
        for name in names(in: path) {
            let inside = path + "/" + name
            var facts = stat()
            guard lstat(inside, &facts) == 0 else { continue }
            if facts.st_mode & S_IFMT == S_IFDIR {
                remove(inside)
            } else {
                unlink(inside)
            }
        }
        return rmdir(path) == 0 || errno == ENOENT
    }

    /// The names of what is in a folder, in no order.
    package static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
