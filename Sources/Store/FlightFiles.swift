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

    /// All readable flight files, sorted by path.
    package func all() -> [KeptFlight] {
        every().compactMap { item in
            guard case .flight(let flight) = item.name else { return nil }
            return KeptFlight(path: item.path, flight: flight, end: item.end, size: item.size)
        }
    }

    /// A file of a flight or of a volume of a venue.
    private struct Kept {
        let path: String
        let name: GatheringName
        let end: UTCTime?
        let size: Int
    }

    /// All readable files, sorted by path.
    private func every() -> [Kept] {
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

    private func item(_ path: String) -> Kept? {
        guard let facts = try? Store.facts(path: path), let name = GatheringName(facts.flight)
        else { return nil }
        let size = Self.parts(path).reduce(0) { $0 + Self.size($1) }
        return Kept(path: path, name: name, end: facts.end, size: size)
    }

    /// Whether a flight's file of this profile would be there.
    package func isPlace(_ path: String) -> Bool {
        path.hasPrefix(data + "/") && path.hasSuffix(".db")
            && !path.dropFirst(data.count + 1).contains("/")
    }

    /// Deletes a file with its key, and everything that belongs to it. No process may have it open.
    package func delete(_ path: String) {
        // First, so that a crash in between leaves no mirror of a file without a key.
        unlink(CopyMirror.path(of: path, in: state))
        if let store = try? Store.bare(path: path) { try? store.wipe() }
        unlinkAll(path)
    }

    /// Removes the names of a file that has been wiped.
    package func unlinkAll(_ path: String) {
        for part in Self.parts(path) {
            unlink(part)
            unlink(part + Self.lost)
        }
        unlink(path + ProfilePlace.takenEnd)
        EndMark(of: path, in: state).clear()
        unlink(CopyMirror.path(of: path, in: state))
    }

    /// Looks for flights that are over by the local clock. Deletes those that an earlier start, at
    /// least two days ago, also found over; notes and keeps the others.
    package func settleOld(
        now: UTCTime, except: String, isStart: Bool
    ) -> (deleted: [GatheringName], kept: [GatheringName]) {
        var (deleted, kept): ([GatheringName], [GatheringName]) = ([], [])
        for item in every() where item.path != except {
            let mark = EndMark(of: item.path, in: state)
            if !FlightLife.isOver(item.end, now: now) {
                mark.clear()
            } else if isStart, mark.isAgreed(now: now) {
                delete(item.path)
                deleted.append(item.name)
            } else {
                if mark.first == nil { kept.append(item.name) }
                mark.note(now)
            }
        }
        return (deleted, kept)
    }

    private static let lost = ".lost"

    /// Renames what is left of a damaged file, so that another one can take its name. It is deleted
    /// together with that one.
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

/// What is noted about a flight's file outside of it, so that an old copy put in its place is
/// noticed (docs/protocol.md section 10).
///
/// The note holds the file's generation, which is new at every start, and the length of the own
/// log. The file is written first, and the mirror after it without waiting for the disk: a mirror
/// that lags behind is harmless, and a mirror that is ahead shows that the file was put back.
package final class CopyMirror {
    private let path: String

    /// The mirror of the file at `path`, in the directory `state`.
    package init(of path: String, in state: String) { self.path = Self.path(of: path, in: state) }

    /// The path beside the profile's log, in `state`, so that the mirror does not travel with the
    /// file.
    package static func path(of path: String, in state: String) -> String {
        state + "/" + (path.split(separator: "/").last.map(String.init) ?? "flight")
            + ".copy"
    }

    /// What a mirror says.
    package struct Facts: Hashable, Sendable {
        /// The generations of the last start, and of the one that was about to begin.
        var generations: [String]
        /// The number of entries in the own log.
        var head: Int
    }

    /// Whether a file with this generation and own log is not the one that the mirror describes,
    /// but one put back from a copy or brought from elsewhere. A file without a generation is new,
    /// or older than mirrors.
    package static func isForeign(generation: String?, head: Int, mirror: Facts?) -> Bool {
        guard let generation else { return false }
        guard let mirror else { return true }
        return !mirror.generations.contains(generation) || head < mirror.head
    }

    /// Whether there is a mirror, readable or not: then the file once held a key.
    package var exists: Bool {
        var facts = stat()
        return lstat(path, &facts) == 0
    }

    /// Reads it; `nil` if there is none or it cannot be understood.
    package func read() -> Facts? {
        guard let bytes = try? PrivateFile.read(path) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
        guard words.count == 3, let head = Int(words[0]) else { return nil }
        return Facts(generations: [words[1], words[2]], head: head)
    }

    /// Replaces its content.
    package func write(_ generations: (String, String), head: Int) {
        let text = "\(head) \(generations.0) \(generations.1)"
        try? PrivateFile.write(Array(text.utf8), to: path)
    }
}
