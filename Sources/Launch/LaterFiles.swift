// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Glibc
package import Profile
package import Protocol

/// The small files beside a venue's ledger that bear the name of its days: locks, logs and options
/// of agents that are for these days alone (docs/guide/venues.md).
package enum LaterFiles {
    /// Days after the last one for which they are kept: as long as the records themselves.
    private static let kept = 4

    /// Deletes those of days that are long over at `now`. What cannot be deleted stays.
    package static func sweep(_ place: ProfilePlace, at now: UTCTime) {
        for folder in [place.stateDirectory, place.dataDirectory] {
            for name in names(in: folder) where isOver(name, at: now) {
                // By a clock that was wrong, an agent of these days may run.
                guard let days = days(of: name),
                    let lock = try? ProfileLock(
                        path: place.lockPath(of: days))
                else { continue }
                withExtendedLifetime(lock) { _ = unlink(folder + "/" + name) }
            }
        }
    }

    /// The days for which agents were started beside that of today, as far as files tell.
    package static func volumes(_ place: ProfilePlace) -> [Volume] {
        names(in: place.stateDirectory).filter { $0.hasPrefix("options@") }
            .compactMap { days(of: $0) }.sorted { $0.first < $1.first }
    }

    /// Whether a file is one of days that are long over: `lock@2026-12`, `agent@2026-12.log`.
    static func isOver(_ name: String, at now: UTCTime) -> Bool {
        guard let end = days(of: name)?.last.adding(kept) else { return false }
        // Day 0 of venues begins then; hours do not matter here.
        return Int64(end.number) * 86_400 + 946_684_800 < now.seconds
    }

    private static func days(of name: String) -> Volume? {
        let parts = name.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, ["lock", "agent", "options"].contains(parts[0]) else { return nil }
        return parts[1].split(separator: ".").first.flatMap { Volume($0) }
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }
}
