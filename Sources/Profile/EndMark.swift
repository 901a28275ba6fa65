// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Protocol
import System

/// When a start first found that a flight had been over for three days.
///
/// A clock that is days ahead must not delete a key, so records are deleted only by a start that
/// finds the flight over at least two days after another start did. The mark lies beside the mirror
/// of the file.
package struct EndMark {
    private let path: String

    /// Seconds between the two starts: time to notice a wrong clock and set it.
    static let patience: Int64 = 48 * 3600

    /// The mark of the file at `path`, in the directory `state`.
    package init(of path: String, in state: String) {
        self.path =
            state + "/" + (path.split(separator: "/").last ?? "flight")
            + ".over"
    }

    /// Whether a start at `now` may delete a flight that an earlier start found over at `first`.
    static func isAgreed(first: UTCTime?, now: UTCTime) -> Bool {
        first.map { $0.seconds + patience <= now.seconds } ?? false
    }

    /// When the flight was first found over; `nil` if never.
    package var first: UTCTime? {
        guard let bytes = try? PrivateFile.read(path, limit: 64) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return words.first.flatMap { Int64($0) }.map(UTCTime.init(seconds:))
    }

    /// Whether a start at `now` may delete the records.
    package func isAgreed(now: UTCTime) -> Bool { Self.isAgreed(first: first, now: now) }

    /// Notes that a start at `now` found the flight over. Replaces a note that a clock further
    /// ahead made.
    package func note(_ now: UTCTime) {
        if let first, first <= now { return }
        try? PrivateFile.write(Array("\(now.seconds)\n".utf8), to: path, durably: true)
    }

    /// Removes the mark: the flight is not over, or its records are gone.
    package func clear() { unlink(path) }
}

extension EndMark {
    /// The mark of the file at `path`.
    package init(of path: String, in place: ProfilePlace) {
        self.init(of: path, in: place.stateDirectory)
    }
}
