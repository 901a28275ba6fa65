// SPDX-License-Identifier: Apache-2.0
import Glibc

@testable import Aviation
@testable import SeatAgent
@testable import System

/// The layouts in the repository's `cabins`.
enum CabinFiles {
    /// The repository.
    static let root =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    /// Names and texts, by name.
    static let all: [(id: String, text: String)] = {
        guard let folder = opendir(root + "/cabins") else { return [] }
        defer { closedir(folder) }
        var files: [(String, String)] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasSuffix(".json"),
                let bytes = try? PrivateFile.read(root + "/cabins/" + name)
            else { continue }
            files.append((String(name.dropLast(5)), String(decoding: bytes, as: UTF8.self)))
        }
        return files.sorted { $0.0 < $1.0 }
    }()
}

/// A layout by name, for tests of those that come with the program.
func bundled(_ id: String) -> CabinLayout { CabinLayout.named(id) ?? .standard }
