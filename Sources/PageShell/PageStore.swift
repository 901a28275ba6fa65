// SPDX-License-Identifier: Apache-2.0
package import Keys
import Profile
package import Protocol
import System
package import Text

/// What a server keeps on the disk: its key, so that a page finds it again after a restart, and
/// whose pages it knows (docs/page.md section 4). In the folder `web` of the profile, mode 0700.
package struct PageStore {
    /// Pages that are kept: the latest.
    package static let most = 64

    private struct File: Codable {
        var pages: [Page]
    }

    /// A page that somebody was let in with.
    private struct Page: Codable {
        var key: String
        var right: PageRight
    }

    private let folder: String
    /// The server's pair.
    package let key: PageKey
    /// Pages by their keys, the latest last.
    package private(set) var pages: [(key: Bytes32, pass: PagePass)] = []

    /// What is in `folder`, which is made if it is missing; the key is made then too, out of
    /// `random`, which gives as many bytes as it is asked for. Throws `file`.
    package init(_ folder: String, random: (Int) -> [UInt8]) throws(UserError) {
        self.folder = folder
        try PrivateFile.makeDirectory(folder)
        let path = folder + "/page.key"
        let seed: [UInt8]
        if let kept = try PrivateFile.read(path, limit: PageKey.seedCount) {
            seed = kept
        } else {
            seed = random(PageKey.seedCount)
            try PrivateFile.write(seed, to: path)
        }
        guard let key = PageKey(seed: seed) else {
            throw UserError(
                .file, "the key of the page cannot be used",
                why: "\(path) has \(seed.count) bytes, and a key \(PageKey.seedCount)",
                advice: "rm \(ShellWord.quoted(path))")
        }
        self.key = key
        pages = try Self.read(folder)
    }

    /// Whose page it is that has that key.
    package func pass(of key: Bytes32) -> PagePass? { pages.last { $0.key == key }?.pass }

    /// Lets a page in. It is on the disk when this returns. Throws `file`.
    package mutating func admit(_ key: Bytes32, as pass: PagePass) throws(UserError) {
        var pages = pages.filter { $0.key != key }
        pages.append((key, pass))
        pages.removeFirst(max(0, pages.count - Self.most))
        try write(pages)
    }

    private mutating func write(_ pages: [(key: Bytes32, pass: PagePass)]) throws(UserError) {
        let file = File(
            pages: pages.map { page in
                Page(key: hexadecimal(page.key.bytes), right: page.pass.right)
            })
        try PrivateFile.write(
            Array(JSON(file).line.utf8), to: Self.path(folder), durably: true)
        self.pages = pages
    }

    private static func path(_ folder: String) -> String { folder + "/pages.json" }

    private static func read(
        _ folder: String
    ) throws(UserError) -> [(key: Bytes32, pass: PagePass)] {
        guard let kept = try PrivateFile.read(path(folder)) else { return [] }
        do {
            return try File(told: try JSON(line: kept)).pages.compactMap { page in
                bytes(hexadecimal: page.key).flatMap(Bytes32.init).map { key in
                    (key, PagePass(right: page.right))
                }
            }
        } catch {
            throw UserError(
                .file, "the list of pages cannot be read", why: "\(path(folder)): \(error)",
                advice: "rm \(ShellWord.quoted(path(folder)))")
        }
    }
}
