// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Protocol
package import Profile
import System

/// The files of a profile's flights.
package struct FlightFiles {
    /// The directory that they are in.
    let data: String
    /// The directory of their mirrors and marks.
    let state: String

    /// The files in the directory `data`, whose mirrors and marks are in `state`.
    package init(data: String, state: String) {
        self.data = data
        self.state = state
    }

    /// All that can be read, sorted by path.
    package func all() -> [KeptFlight] {
        guard let directory = opendir(data) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".db") { names.append(name) }
        }
        return names.sorted().compactMap { item(data + "/" + $0) }
    }

    private func item(_ path: String) -> KeptFlight? {
        guard let facts = try? Store.facts(path: path), let flight = FlightName(facts.flight) else {
            return nil
        }
        let size = Self.parts(path).reduce(0) { $0 + Self.size($1) }
        return KeptFlight(path: path, flight: flight, end: facts.end, size: size)
    }

    /// Deletes a file with its key, and what belongs to it. No process may have it open.
    package func delete(_ path: String) {
        // First, so that a death in between leaves no mirror of a file without a key.
        unlink(CopyMirror.path(of: path, in: state))
        if let store = try? Store.bare(path: path) { try? store.wipe() }
        unlinkAll(path)
    }

    /// Takes the names of a file away that was wiped before.
    package func unlinkAll(_ path: String) {
        for part in Self.parts(path) {
            unlink(part)
            unlink(part + Self.lost)
        }
        EndMark(of: path, in: state).clear()
        unlink(CopyMirror.path(of: path, in: state))
    }

    /// Looks for flights that are over by the local clock. A start deletes those that an earlier
    /// start found over two days before; the others are noted and kept.
    package func settleOld(
        now: UTCTime, except: String, isStart: Bool
    ) -> (deleted: [FlightName], kept: [FlightName]) {
        var (deleted, kept): ([FlightName], [FlightName]) = ([], [])
        for item in all() where item.path != except {
            let mark = EndMark(of: item.path, in: state)
            if !FlightLife.isOver(item.end, now: now) {
                mark.clear()
            } else if isStart, mark.isAgreed(now: now) {
                delete(item.path)
                deleted.append(item.flight)
            } else {
                if mark.first == nil { kept.append(item.flight) }
                mark.note(now)
            }
        }
        return (deleted, kept)
    }

    private static let lost = ".lost"

    /// Puts what is left of a damaged file out of the way: another one takes its
    /// name. It goes with that.
    package func setAside(_ path: String) {
        for part in Self.parts(path) { rename(part, part + Self.lost) }
    }

    private static func parts(_ path: String) -> [String] {
        [path, path + "-wal", path + "-shm", path + "-journal"]
    }

    private static func size(_ path: String) -> Int {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int(facts.st_size) : 0
    }
}

/// What is known of a flight's file outside of it: an old copy put in its place is noticed
/// (docs/protocol.md section 10).
///
/// It holds the file's generation, new at every start, and the length of the own log. The file is
/// written first and the mirror after it, without waiting for the disk: a mirror that lags behind
/// says nothing wrong, and one that is ahead shows a file that was put back.
package final class CopyMirror {
    private let path: String

    /// The mirror of the file at `path`, in the directory `state`.
    package init(of path: String, in state: String) { self.path = Self.path(of: path, in: state) }

    /// Beside the profile's log, in `state`, so that it does not travel with the file.
    package static func path(of path: String, in state: String) -> String {
        state + "/" + (path.split(separator: "/").last.map(String.init) ?? "flight")
            + ".copy"
    }

    /// What a mirror says.
    package struct Facts: Hashable, Sendable {
        /// Of the last start, and of the one that was about to begin.
        var generations: [String]
        /// Entries of the own log.
        var head: Int
    }

    /// Whether the file with this generation and own log is another one than the mirror's:
    /// put back from a copy, or brought from elsewhere. A file without a generation is
    /// new, or older than mirrors.
    package static func isForeign(generation: String?, head: Int, mirror: Facts?) -> Bool {
        guard let generation else { return false }
        guard let mirror else { return true }
        return !mirror.generations.contains(generation) || head < mirror.head
    }

    /// Whether there is one, be it readable or not: then there was a key in the file.
    package var exists: Bool {
        var facts = stat()
        return lstat(path, &facts) == 0
    }

    /// Reads it; `nil` where there is none or it says nothing.
    package func read() -> Facts? {
        guard let bytes = try? PrivateFile.read(path) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
        guard words.count == 3, let head = Int(words[0]) else { return nil }
        return Facts(generations: [words[1], words[2]], head: head)
    }

    /// Writes it anew.
    package func write(_ generations: (String, String), head: Int) {
        let text = "\(head) \(generations.0) \(generations.1)"
        try? PrivateFile.write(Array(text.utf8), to: path)
    }
}
